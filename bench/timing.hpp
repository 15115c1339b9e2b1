#pragma once
// Timing: every contestant runs all its states in every round, and the fastest round counts. Rounds
// take turns, so that all of them run in the same states of the machine.
#include <functional>
#include <string>
#include <vector>

#include "contest.hpp"

namespace limber::bench {

/// One algorithm of one library on one robot.
struct Measurement {
  std::string robot;
  int bodies = 0;
  std::string peer;
  Algorithm algorithm;
  Peer* contestant = nullptr;
  double nanoseconds = 0;  ///< per call, fastest round
};

/// Everything that Limber and its peers can be timed in on one robot; nothing is run yet. A peer
/// joins only for the algorithms that Limber has for this robot.
std::vector<Measurement> plan(Contest& contest, const std::vector<Algorithm>& algorithms);

/// Times all measurements, round by round. `progress` gets the number of rounds done.
void measure(std::vector<Measurement>& measurements, int states, int rounds,
             const std::function<void(int)>& progress);

/// Processor time of this thread [s]: other programs on the machine do not count.
double thread_seconds();

/// The time of one measurement [ns per call]; 0 if there is none.
double time_of(const std::vector<Measurement>& measurements, const std::string& robot,
               const std::string& peer, Algorithm algorithm);

}  // namespace limber::bench
