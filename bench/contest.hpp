#pragma once
// Contest: one robot with every library loaded, and the check that all of them give the same
// answers.
#include <string>
#include <vector>

#include "peer.hpp"

namespace limber::bench {

struct Contest {
  std::string title;       ///< the robot
  int bodies = 0, nv = 0;  ///< moving bodies, degrees of freedom
  std::unique_ptr<Peer> limber;
  std::unique_ptr<Peer> limber_without_rotors;  ///< the reference of peers that do not know rotors
  std::vector<Entry> peers;  ///< one per library; without a Peer where it refused
};

/// Which libraries are measured.
enum class Field { all_libraries, limber_alone };

/// Loads a robot into Limber and, if asked, into every library, with `states` random states.
Contest make_contest(const std::string& title, const Spec& spec, int states,
                     Field field = Field::all_libraries);

/// How well one peer agrees with Limber in one algorithm.
struct Agreement {
  std::string robot, peer;
  Algorithm algorithm;
  double error = 0;  ///< worst over the states: largest difference over largest entry of the answer
};

/// Relative difference that all libraries must keep.
inline constexpr double agreement_tolerance = 1e-8;

/// Compares all answers for the first `states` states; NaN counts as infinitely wrong.
std::vector<Agreement> check_agreement(Contest& contest, int states);

}  // namespace limber::bench
