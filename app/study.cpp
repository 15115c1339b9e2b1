// limber study: the books' tables beside our own counts and times.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "study/counting.hpp"
#include "progress.hpp"
#include "study/report.hpp"
#include "study/timing.hpp"
#include "study_contact.hpp"
#include "study_arms/measure.hpp"
#include "study_arms/report.hpp"
#include "study_integrators/measure.hpp"
#include "study_integrators/report.hpp"
#include "study_legs/measure.hpp"
#include "study_legs/report.hpp"
#include "study_water/measure.hpp"
#include "study_water/report.hpp"

namespace limber::app {

namespace {

constexpr double full_seconds = 18, quick_seconds = 1.2;

struct Options {
  std::string topic = "recursions";
  bool json = false, quick = false, counts_only = false;
  std::string html;  ///< file; empty: none
};

constexpr std::array<std::string_view, 6> topics{"recursions", "integrators", "arms",
                                                 "legs",       "water",       "contact"};
bool is_topic(const std::string& word) {
  return std::find(topics.begin(), topics.end(), word) != topics.end();
}

void check(const Options& options) {
  if (!is_topic(options.topic))
    throw Error(fmt::format("there is no topic '{}' to study; topics: {}", options.topic,
                            fmt::join(topics, ", ")));
  if (is_topic(options.html))
    throw Error(
        fmt::format("--html takes the topic '{0}' for its file; write the topic first: "
                    "limber study {0} --html",
                    options.html));
  if (options.counts_only && (options.topic == "integrators" || options.topic == "contact"))
    throw Error(
        fmt::format("--counts-only belongs to the topics recursions, arms, legs and water; for a "
                    "short study of "
                    "{0}: limber study {0} --quick",
                    options.topic));
  if (!options.html.empty() && options.topic == "contact")
    throw Error("the topic contact has no page; leave out --html, or take --json");
}

study_integrators::Study examine_integrators(const Options& options) {
  Progress progress("integrating");
  using study_integrators::Effort;
  return study_integrators::examine(options.quick ? Effort::quick : Effort::full,
                                    [&](double part) { progress.show(part); });
}

study_arms::Study examine_arms(const Options& options) {
  Progress progress("moving arms");
  using study_arms::Effort;
  const Effort effort = options.counts_only ? Effort::counts_only
                        : options.quick     ? Effort::quick
                                            : Effort::full;
  return study_arms::examine(effort, [&](double part) { progress.show(part); });
}

study_contact::Study examine_contact() {
  Progress progress("stepping ");
  return study_contact::examine([&](double part) { progress.show(part); });
}

study_legs::Effort effort_of(const Options& options) {
  using study_legs::Effort;
  return options.counts_only ? Effort::counts_only : options.quick ? Effort::quick : Effort::full;
}

study_legs::Study examine_legs(const Options& options) {
  Progress progress("moving legs");
  return study_legs::examine(effort_of(options), [&](double part) { progress.show(part); });
}

study_water::Study examine_water(const Options& options) {
  Progress progress("diving  ");
  return study_water::examine(effort_of(options), [&](double part) { progress.show(part); });
}

study::Study examine_recursions(const Options& options) {
  study::Study result;
  {
    Progress progress("counting");
    result.results = study::count_operations([&](double part) { progress.show(part); });
  }
  if (!options.counts_only) {
    Progress progress("timing  ");
    study::measure_times(result.results, options.quick ? quick_seconds : full_seconds,
                         [&](double part) { progress.show(part); });
  }
  result.crossovers = study::find_crossovers(result.results);
  result.claims = study::judge_claims(result.results);
  return result;
}

// opened before the study begins: a mistyped name must not cost the results
class Page {
 public:
  explicit Page(const std::string& path) : path_(path), file_(path, std::ios::binary) { check(); }
  void write(const std::string& text) {
    file_ << text << std::flush;
    check();
    remark(fmt::format("'{}' has the plots: open it in a browser", path_));
  }

 private:
  void check() const {
    if (!file_)
      throw RunFailure(fmt::format("cannot write '{}': {}; name another file with --html", path_,
                                   std::strerror(errno)));
  }
  std::string path_;
  std::ofstream file_;
};

template <class Study>
void write_results(const Study& result, const Options& options, std::optional<Page>& page) {
  if constexpr (requires { to_page(result); })
    if (page) page->write(to_page(result));
  if (options.json) return write_line(to_json(result));
  write(to_text(result));
}

void run(const Options& options) {
  check(options);
  std::optional<Page> page;
  if (!options.html.empty()) page.emplace(options.html);
  if (options.topic == "arms") write_results(examine_arms(options), options, page);
  else if (options.topic == "contact") write_results(examine_contact(), options, page);
  else if (options.topic == "legs") write_results(examine_legs(options), options, page);
  else if (options.topic == "water") write_results(examine_water(options), options, page);
  else if (options.topic == "integrators")
    write_results(examine_integrators(options), options, page);
  else write_results(examine_recursions(options), options, page);
}

}  // namespace

void add_study_command(Command& limber) {
  auto options = std::make_shared<Options>();
  Command& command = *limber.add_subcommand("study", study_summary);
  command
      .add_option("TOPIC", options->topic,
                  "recursions: the formulations of dynamics; integrators: error against cost; "
                  "arms: several arms with one load; legs: a floating body with legs; water: the "
                  "same under water; "
                  "contact: steps on stiff ground")
      ->capture_default_str();
  command.add_flag("--json", options->json, "Print one line of JSON instead of tables");
  command
      .add_option("--html", options->html,
                  "Write a page with plots, study.html if no FILE is named")
      ->value_or("study.html", "[FILE]");
  Option* quick =
      command.add_flag("--quick", options->quick, "Time for one second only: rougher numbers");
  command
      .add_flag("--counts-only", options->counts_only,
                "recursions, arms, legs, water: count operations, time nothing")
      ->excludes(*quick);
  command.footer(
      R"(recursions: for chains of n = 1 to 30 revolute links: what every formulation of inverse dynamics, inertia
matrix and forward dynamics costs, in operations that the result needs and in time on this
machine, beside the counts that the books publish; where one overtakes the other; and whether
the books' claims hold. About 20 seconds. docs/reference.md has the formulations.

integrators: what every integration method pays, in evaluations and in time, for how much accuracy,
on a double pendulum and on four Puma 560 that lift their hands; and what the block methods gain on
threads, in the form of McMillan's tables 4 to 6. About 20 seconds.

arms: four arms that hold one object, for N = 3 to 30 joints: operations and times of operational
space, of articulated bodies and of one dense system, beside McMillan's tables 2 and 8 to 9; the way to
a singular position; four Puma 560 that lift a load, shared among threads by arms and by time, beside
his tables 3 to 6. About 20 seconds.

legs: a floating body with 1 to 8 legs of N = 1 to 10 joints: operations and times of composite bodies
(CRB/DTS) and of articulated ones (AB/DTS), beside McMillan's tables 12 and 16, where one overtakes
the other, and legs shared by threads. About 20 seconds.

water: the same body under water, and a vehicle with one arm: operations and times beside McMillan's
tables 16 and 19, wet against dry, and the error of computing vehicle and arm apart. About 20 seconds.

contact: a mass on compliant ground: the largest stable step of every integration method against the stiffness
of the ground. About 10 seconds.

Examples:
  limber study
  limber study --html
  limber study recursions --quick --html lecture.html
  limber study --counts-only --json
  limber study integrators --html
  limber study arms --html
  limber study legs --html
  limber study water --html
  limber study contact)");
  command.callback([options] { run(*options); });
}

}  // namespace limber::app
