#pragma once
// What the bench found, as text for people (Markdown) and as JSON for programs.
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "counts.hpp"
#include "timing.hpp"

namespace limber::bench {

/// A library that did not take part on a robot, and why.
struct Refusal {
  std::string robot, peer, reason;
};

/// A ratio Limber / MuJoCo that is to be reached.
struct Goal {
  std::string robot;
  Algorithm algorithm;
  double ratio, limit;
};

/// What every call of Limber takes on one robot [ns].
struct CallTimes {
  std::string robot;
  std::vector<std::string> titles;
  std::vector<double> nanoseconds;
};

struct Report {
  std::string build;  ///< compiler, flags, processor
  int states = 0, rounds = 0;
  std::vector<Measurement> robots, chains;
  std::vector<Agreement> agreements;
  std::vector<Refusal> refusals;
  std::vector<CountRow> counts;
  std::vector<CallTimes> calls;
};

/// The goals that this run has numbers for.
std::vector<Goal> goals(const Report& report);

/// Compiler, flags and processor of this program.
std::string build_description();

/// All tables, in Markdown.
std::string markdown(const Report& report);
nlohmann::json to_json(const Report& report);

}  // namespace limber::bench
