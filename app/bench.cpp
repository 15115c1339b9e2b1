// limber bench: how fast the algorithms are for this robot on this machine.
#include <chrono>
#include <functional>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <limber/limber.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "robot.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

struct BenchOptions {
  RobotOptions robot;
  bool json = false;
  int states = 512;
  int rounds = 20;
};

struct Timing {
  std::string name;
  std::function<void(const RandomState&)> call;
  double nanoseconds = std::numeric_limits<double>::infinity();  ///< per call, best round
};

// forward kinematics first: the others are compared with it
std::vector<Timing> algorithms(const Model& model, Workspace& ws) {
  std::vector<Timing> list{
      {"forward kinematics", [&](const RandomState& s) { forward_kinematics(model, s.q, ws); }},
      {"inverse dynamics",
       [&](const RandomState& s) { inverse_dynamics(model, s.q, s.v, s.a, ws); }},
      {"mass matrix", [&](const RandomState& s) { mass_matrix(model, s.q, ws); }}};
  if (model.singular_reason.empty())
    list.push_back({"forward dynamics",
                    [&](const RandomState& s) { forward_dynamics(model, s.q, s.v, s.tau, ws); }});
  // every other acceleration known
  std::vector<Known> known(static_cast<std::size_t>(model.nv), Known::acceleration);
  for (std::size_t k = 1; k < known.size(); k += 2) known[k] = Known::force;
  if (model.singular_reason.empty())
    list.push_back({"hybrid dynamics", [&model, &ws, known](const RandomState& s) {
                      hybrid_dynamics(model, s.q, s.v, known, s.tau, ws);
                    }});
  return list;
}

// time per call over all states; the caches and branch predictors see many states, not one
double time_round(const Timing& timing, const std::vector<RandomState>& states) {
  const auto begin = std::chrono::steady_clock::now();
  for (const RandomState& state : states) timing.call(state);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  return time.count() / static_cast<double>(states.size());
}

void run_bench(const BenchOptions& options) {
  const Robot robot = load_robot(options.robot);
  const Model& model = robot.model;
  std::vector<RandomState> states;
  for (int k = 0; k < options.states; ++k)
    states.push_back(generate_state(model, static_cast<std::uint64_t>(k + 1)));
  Workspace ws(model);
  std::vector<Timing> timings = algorithms(model, ws);
  // rounds are interleaved, so that a slow moment of the machine hits all alike; the minimum is
  // kept
  for (int round = 0; round < options.rounds; ++round)
    for (Timing& timing : timings)
      timing.nanoseconds = std::min(timing.nanoseconds, time_round(timing, states));

  Json json{{"name", model.name}, {"nv", model.nv}, {"states", options.states}};
  Table table({{"algorithm", Table::Align::left}, {"ns per call"}, {"of forward kinematics"}});
  for (const Timing& timing : timings) {
    const double ratio = timing.nanoseconds / timings.front().nanoseconds;
    json["times"][timing.name] = {{"ns", timing.nanoseconds}, {"ratio", ratio}};
    table.add(
        {timing.name, fmt::format("{:.0f}", timing.nanoseconds), fmt::format("{:.2f}", ratio)});
  }
  if (!model.singular_reason.empty()) remark("no forward dynamics: " + model.singular_reason);
  if (options.json) return write_line(json);
  write(fmt::format("{}: {} degrees of freedom, {} random states, best of {} rounds, one thread\n",
                    model.name, model.nv, options.states, options.rounds) +
        table.text());
}

}  // namespace

void add_bench_command(Command& limber) {
  auto options = std::make_shared<BenchOptions>();
  Command& command = *limber.add_subcommand("bench", "How fast the algorithms are here");
  add_robot_options(command, options->robot);
  command.add_flag("--json", options->json, "Print one line of JSON instead of a table");
  command.add_option("--count", options->states, "Number of random states, at least 512")
      ->range(512, 1 << 20);
  command.add_option("--rounds", options->rounds, "Number of interleaved rounds")
      ->range(1, 1 << 20);
  command.footer(
      R"(Every algorithm runs over all states in turn, the rounds of the algorithms interleaved; the
fastest round counts.

Examples:
  limber bench puma560
  limber bench go2.urdf --floating --json)");
  command.callback([options] { run_bench(*options); });
}

}  // namespace limber::app
