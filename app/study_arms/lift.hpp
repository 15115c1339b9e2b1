#pragma once
// The benchmark of [McM] chapter 3: four Puma 560 lift a load of 4 kg by 0.8 m in 1 s, straight up,
// with torques that were computed beforehand by inverse dynamics.
//
// The thesis leaves open where the arms stand, how they hold the load and how fast it rises. Here
// they stand around it at every quarter turn, each with its wrist 0.15 m beside the load's axis and
// its hand fixed to it; the load is a cube with sides of 0.3 m. It rises by a quintic time law from
// 0.4 m below to 0.4 m above the height at which the arms have the posture `middle`. Each arm bears
// a quarter of what the load needs. Without friction.
#include <array>
#include <vector>

#include <limber/constraint/arm_team.hpp>

namespace limber::app::study_arms {

class Lift {
 public:
  static constexpr double duration = 1, height = 0.8, load = 4, side = 0.3;  // [s], [m], [kg], [m]
  static constexpr std::array<double, 6> middle{0, 0.785398163397448, 3.14159265358979, 0, 1.3, 0};
  Lift();

  const ArmTeam& team() const { return team_; }
  const std::vector<std::vector<double>>& q() const { return q_; }  ///< at the beginning
  const std::vector<std::vector<double>>& v() const { return v_; }
  const ObjectState<double>& object() const { return object_; }
  /// Torques of each arm at time t: Chebyshev polynomials, which are smooth for every method.
  void drive(double t, std::span<double> tau) const;

 private:
  static constexpr std::size_t terms = 24;
  std::vector<Model> models_;
  ArmTeam team_;
  std::vector<std::vector<double>> q_, v_;
  ObjectState<double> object_;
  std::array<double, 6 * terms> coefficients_{};
};

}  // namespace limber::app::study_arms
