// limber_bench: checks that Limber and the installed peers agree, times them, and writes the
// tables.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limber/limber.hpp>

#include "calls.hpp"
#include "markers.hpp"

namespace {

using namespace limber;
using namespace limber::bench;

struct Options {
  std::vector<std::string> robots{"pendulum",  "double_pendulum", "puma560",    "arm7",
                                  "quadruped", "humanoid",        "every_joint"};
  std::vector<std::string> algorithms;  // keys; none: all
  std::vector<int> chains{1, 2, 4, 6, 7, 10, 20, 50, 100, 1000};
  int states = 512, rounds = 40;
  bool quick = false, check = false, json = false;
  std::string write;
};

// peers join chains up to this length; their cost beyond is not of interest
constexpr int longest_contest = 100;
// and are checked on every state up to this many
constexpr int checked_states = 16;

std::vector<Algorithm> wanted_algorithms(const Options& options) {
  std::vector<Algorithm> wanted;
  for (const AlgorithmFacts& f : all_algorithms)
    if (options.algorithms.empty() ||
        std::ranges::find(options.algorithms, f.key) != options.algorithms.end())
      wanted.push_back(f.algorithm);
  return wanted;
}

void progress(const std::string& what) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{}", what);
}

// what stands behind the name of a robot that gets mounted rotors
constexpr std::string_view with_rotors = "+rotors";

std::vector<Contest> robot_contests(const Options& options) {
  std::vector<Contest> contests;
  for (const std::string& robot : options.robots) {
    progress("loading " + robot);
    const std::size_t plus = robot.rfind(with_rotors);
    if (plus == std::string::npos) {
      contests.push_back(make_contest(robot, load_spec(robot), options.states));
      continue;
    }
    const Spec spec = with_mounted_rotors(load_spec(robot.substr(0, plus)));
    contests.push_back(make_contest(robot, spec, options.states, Field::limber_alone));
  }
  return contests;
}

std::vector<Contest> chain_contests(const Options& options) {
  std::vector<Contest> contests;
  for (int n : options.chains)
    contests.push_back(
        make_contest(fmt::format("chain {}", n), generate_chain(n), options.states,
                     n <= longest_contest ? Field::all_libraries : Field::limber_alone));
  return contests;
}

// trees with the joint kinds that no other robot here has and that the peers know
std::vector<Contest> random_trees(const Options& options) {
  RandomTreeOptions recipe;
  recipe.kinds = {JointKind::revolute, JointKind::prismatic, JointKind::universal,
                  JointKind::spherical, JointKind::translation};
  recipe.floating_base = true;
  std::vector<Contest> contests;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    contests.push_back(make_contest(fmt::format("random tree {}", seed),
                                    generate_tree(15, seed, recipe),
                                    std::min(options.states, checked_states)));
  return contests;
}

// adds what was compared to the report; returns the number of disagreements
int check(std::vector<Contest>& contests, int states, Report& report) {
  int wrong = 0;
  for (Contest& contest : contests) {
    progress("checking " + contest.title);
    for (const Agreement& a : check_agreement(contest, std::min(states, checked_states))) {
      report.agreements.push_back(a);
      if (a.error <= agreement_tolerance) continue;
      ++wrong;
      fmt::print(stderr, "\n{}: {} and Limber differ by {:.1e} in {} (allowed: {:.0e})\n", a.robot,
                 a.peer, a.error, facts(a.algorithm).title, agreement_tolerance);
    }
    for (const Entry& entry : contest.peers)
      if (!entry.peer) report.refusals.push_back({contest.title, entry.name, entry.refusal});
  }
  progress("");
  return wrong;
}

// what is compared is timed in the same rounds
void time_all(const std::string& what, std::vector<Measurement>& measurements,
              const Report& report) {
  measure(measurements, report.states, report.rounds, [&](int round) {
    progress(fmt::format("timing {}: round {} of {}", what, round, report.rounds));
  });
  progress("");
}

std::vector<Measurement> plan_robots(std::vector<Contest>& contests, const Options& options) {
  std::vector<Measurement> all;
  for (Contest& contest : contests)
    for (const Measurement& m : plan(contest, wanted_algorithms(options))) all.push_back(m);
  return all;
}

std::vector<Measurement> plan_chains(std::vector<Contest>& contests) {
  std::vector<Measurement> all;
  for (Contest& contest : contests) {
    std::vector<Algorithm> algorithms{Algorithm::inverse_dynamics, Algorithm::forward_dynamics};
    if (contest.bodies <= longest_contest) algorithms.push_back(Algorithm::mass_matrix);
    for (const Measurement& m : plan(contest, algorithms)) all.push_back(m);
  }
  return all;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option(
         "--robots", options.robots,
         "robots that ship with Limber, or files; NAME+rotors: with a rotor on the body before "
         "each joint")
      ->delimiter(',');
  std::vector<std::string> keys;
  for (const AlgorithmFacts& f : all_algorithms) keys.emplace_back(f.key);
  app.add_option("--algorithms", options.algorithms, "what to time on the robots; all if not given")
      ->delimiter(',')
      ->check(CLI::IsMember(keys));
  app.add_option("--chains", options.chains, "lengths of generated chains; 0 for none")
      ->delimiter(',');
  app.add_option("--states", options.states, "random states per round")->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.rounds, "rounds; the fastest counts")
      ->check(CLI::PositiveNumber);
  app.add_flag("--quick", options.quick, "five rounds and no chain beyond 100 bodies");
  app.add_flag("--check", options.check, "only check that all libraries agree");
  app.add_flag("--json", options.json, "print JSON instead of Markdown");
  app.add_option("--write", options.write,
                 "also write the tables between the markers of this file");
}

int run(const Options& options) {
  Report report;
  report.build = build_description();
  report.states = options.states;
  report.rounds = options.rounds;
  std::vector<Contest> robots = robot_contests(options), chains = chain_contests(options);
  std::vector<Contest> trees = random_trees(options);
  int wrong = 0;
  for (std::vector<Contest>* contests : {&robots, &chains, &trees})
    wrong += check(*contests, options.states, report);
  if (wrong > 0) {
    fmt::print(stderr, "{} disagreements; nothing was timed\n", wrong);
    return 1;
  }
  if (options.check) {
    const std::vector<std::string> peers = peer_names();
    fmt::print("{} comparisons with {}: all agree to {:.0e}\n", report.agreements.size(),
               peers.empty() ? "no library (none is installed)"
                             : fmt::format("{}", fmt::join(peers, ", ")),
               agreement_tolerance);
    return 0;
  }
  report.robots = plan_robots(robots, options);
  report.chains = plan_chains(chains);
  time_all("robots", report.robots, report);
  time_all("chains", report.chains, report);
  for (const std::string robot : {"arm7", "quadruped", "humanoid"})
    if (options.algorithms.empty() &&
        std::ranges::find(options.robots, robot) != options.robots.end())
      report.calls.push_back(time_calls(robot, options.states, options.rounds, [&](int round) {
        progress(
            fmt::format("timing all calls on {}: round {} of {}", robot, round, options.rounds));
      }));
  progress("");
  report.counts = count_operations();
  std::cout << (options.json ? to_json(report).dump(1) + "\n" : markdown(report));
  if (!options.write.empty()) write_between_markers(options.write, "bench", markdown(report));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Times Limber's algorithms beside the libraries that are installed.\n"
      "Example: limber_bench --robots arm7,humanoid --rounds 100");
  add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  if (options.quick) {
    options.rounds = std::min(options.rounds, 5);
    std::erase_if(options.chains, [](int n) { return n > longest_contest; });
  }
  std::erase(options.chains, 0);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "limber_bench: {}\n", error.what());
    return 2;
  }
}
