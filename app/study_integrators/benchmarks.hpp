#pragma once
// The motions that the integrators have to follow.
#include <memory>
#include <string>
#include <vector>

#include <limber/sim/system.hpp>

namespace limber::app::study_integrators {

struct Benchmark {
  std::string key;    ///< in JSON
  std::string title;  ///< for people
  std::unique_ptr<System> system;
  std::vector<double> start;  ///< x at t = 0
  double duration = 0;        ///< [s]
  std::vector<int> hands;     ///< frames whose final position counts
};

/// Two rods released from a bent position, swinging for 5 s.
Benchmark double_pendulum();

/// [McM] chapter 3 in spirit: four Puma 560 in a square lift their hands by 0.8 m in 1 s. Their
/// torques are functions of time, computed beforehand by inverse dynamics from a quintic motion of
/// all joints. Without friction; the load that the thesis's arms hold together is left out.
Benchmark four_arms();

/// How far the hands are from where they should be: the largest distance between the positions that
/// two states give them [m].
double hand_error(const Benchmark& benchmark, std::span<const double> x,
                  std::span<const double> expected);

}  // namespace limber::app::study_integrators
