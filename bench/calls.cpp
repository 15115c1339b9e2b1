#include "calls.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <limber/limber.hpp>

namespace limber::bench {

namespace {

/// One robot with everything the calls write to.
struct Stage {
  Model model;
  Workspace ws{model};
  MatrixWorkspace mw{model};
  OperationalSpace os{model, 1};
  std::vector<int> last{model.frame(model.body_name.back())};
  std::vector<Known> known;
  std::vector<double> out, A, B, Y;

  explicit Stage(const std::string& robot) : model(load(robot)) {
    const auto n = static_cast<std::size_t>(model.nv);
    known.assign(n, Known::force);
    for (std::size_t k = 0; k < n; k += 2) known[k] = Known::acceleration;
    out.resize(n);
    A.resize(4 * n * n);
    B.resize(2 * n * n);
    Y.resize(n * 10 * static_cast<std::size_t>(model.bodies() - 1));
  }
};

struct Call {
  std::string title;
  std::function<void(const RandomState&)> run;
};

std::vector<Call> calls(Stage& x) {
  const Model& m = x.model;
  using State = const RandomState&;
  return {
      {"forward kinematics", [&](State s) { forward_kinematics(m, s.q, x.ws); }},
      {"inverse dynamics", [&](State s) { inverse_dynamics(m, s.q, s.v, s.a, x.ws); }},
      {"mass matrix", [&](State s) { mass_matrix(m, s.q, x.ws); }},
      {"forward dynamics", [&](State s) { forward_dynamics(m, s.q, s.v, s.tau, x.ws); }},
      {"hybrid dynamics, every other acceleration known",
       [&](State s) { hybrid_dynamics(m, s.q, s.v, x.known, s.tau, x.ws); }},
      {"derivatives of inverse dynamics",
       [&](State s) { inverse_dynamics_tangent_derivatives(m, s.q, s.v, s.a, x.ws, x.mw); }},
      {"derivatives of forward dynamics",
       [&](State s) { forward_dynamics_tangent_derivatives(m, s.q, s.v, s.tau, x.ws, x.mw); }},
      {"linearisation", [&](State s) { linearize(m, s.q, s.v, s.tau, x.ws, x.mw, x.A, x.B); }},
      {"Coriolis matrix", [&](State s) { coriolis_matrix(m, s.q, s.v, x.ws, x.mw); }},
      {"inverse of the mass matrix", [&](State s) { inverse_mass_matrix(m, s.q, x.ws, x.mw); }},
      {"centroidal momentum matrix", [&](State s) { centroidal_momentum_matrix(m, s.q, x.ws); }},
      {"bias of the centroidal momentum",
       [&](State s) { centroidal_momentum_bias(m, s.q, s.v, x.ws); }},
      {"inverse operational-space inertia of the last body",
       [&](State s) {
         operational_space_inverse_inertia(m, s.q, x.last, Reference::world_aligned, x.ws, x.os);
       }},
      {"generalised momentum", [&](State s) { generalized_momentum(m, s.q, s.v, x.ws, x.out); }},
      {"bias of the momentum observer",
       [&](State s) { momentum_observer_bias(m, s.q, s.v, x.ws, x.out); }},
      {"joint-torque regressor",
       [&](State s) { joint_torque_regressor(m, s.q, s.v, s.a, x.ws, x.Y); }},
  };
}

std::string cell(const CallTimes& robot, std::size_t call, std::size_t unit) {
  return fmt::format("{:.2f}", robot.nanoseconds[call] / robot.nanoseconds[unit]);
}

}  // namespace

CallTimes time_calls(const std::string& robot, int states, int rounds,
                     const std::function<void(int)>& progress) {
  Stage stage(robot);
  std::vector<RandomState> random;
  for (int i = 0; i < states; ++i)
    random.push_back(generate_state(stage.model, static_cast<std::uint64_t>(i) + 1));
  const std::vector<Call> all = calls(stage);
  CallTimes times{robot, {}, {}};
  times.nanoseconds.assign(all.size(), std::numeric_limits<double>::infinity());
  for (const Call& call : all) times.titles.push_back(call.title);
  for (int round = 1; round <= rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const RandomState& s : random) all[i].run(s);  // fills the caches
      const double start = thread_seconds();
      for (const RandomState& s : random) all[i].run(s);
      times.nanoseconds[i] =
          std::min(times.nanoseconds[i], 1e9 * (thread_seconds() - start) / states);
    }
    progress(round);
  }
  return times;
}

std::string call_table(const std::vector<CallTimes>& robots) {
  if (robots.empty()) return "";
  std::string head = "| in units of one forward kinematics |", rule = "|---|", unit = "| [ns] |";
  for (const CallTimes& robot : robots) {
    head += fmt::format(" {} |", robot.robot);
    rule += "---:|";
    unit += fmt::format(" {:.0f} |", robot.nanoseconds[0]);
  }
  std::string text = "### All calls\n\n" + head + "\n" + rule + "\n";
  const std::vector<std::string>& titles = robots.front().titles;
  auto place = [&](std::string_view title) {
    return static_cast<std::size_t>(std::ranges::find(titles, title) - titles.begin());
  };
  auto line = [&](const std::string& title, std::size_t call, std::size_t base) {
    text += fmt::format("| {} |", title);
    for (const CallTimes& robot : robots) text += fmt::format(" {} |", cell(robot, call, base));
    text += "\n";
  };
  for (std::size_t i = 0; i < titles.size(); ++i) line(titles[i], i, 0);
  text += fmt::format("| forward kinematics {}", unit.substr(2)) + "\n";
  text += "\n| derivatives against the call itself |" + head.substr(head.find('|', 2) + 1) + "\n" +
          rule + "\n";
  line("of inverse dynamics / inverse dynamics", place("derivatives of inverse dynamics"),
       place("inverse dynamics"));
  line("of forward dynamics / forward dynamics", place("derivatives of forward dynamics"),
       place("forward dynamics"));
  return text + "\n";
}

}  // namespace limber::bench
