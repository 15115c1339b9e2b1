#include "aquarobot.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/scenario/scenario.hpp>
#include <limber/sim/contacts.hpp>
#include <limber/sim/system.hpp>

#include "timing.hpp"

namespace limber::bench {

namespace {

constexpr int calls = 200;  // of a round

/// What is timed; the argument is the number of the call.
struct Task {
  std::string title;
  int contacts = 0;
  std::function<void(int)> run;
  double seconds = HUGE_VAL;
};

int contacts_at(const Scenario& scenario, std::span<const double> q) {
  Workspace ws(scenario.model);
  CollisionScene shapes = scenario.contacts->scene();
  int count = 0;
  for (const SceneContact& contact :
       shapes.find(forward_kinematics<double>(scenario.model, q, ws), 0))
    count += contact.at.depth > 0 ? 1 : 0;
  return count;
}

}  // namespace

std::string aquarobot_table(int rounds) {
  const Scenario scenario = parse_scenario(
      "robots:\n  - model: aquarobot\n    initial: {state: start}\n"
      "gravity: [0, 0, -9.81]\nduration: 1\n"
      "contact:\n  ground: 0\n  friction: 0.8\n"
      "  compliance: {law: linear, stiffness: 75000, damping: 500, tangential_stiffness: 55000, "
      "tangential_damping: 500}\n"
      "integrator: {method: rk4, step: 1e-3}\n",
      "aquarobot.yaml");
  const Model& model = scenario.model;
  System system = scenario.make_system();
  std::vector<double> q(scenario.q.begin(), scenario.q.end()), high = q, tau(model.nv);
  q[2] -= 1e-3;  // all points of the soles touch
  high[2] += 1;
  const std::vector<double> standing = system.initial_state(q, scenario.v),
                            flying = system.initial_state(high, scenario.v);
  std::vector<double> x_dot(standing.size());
  Workspace ws(model);
  // forward dynamics with compliant feet, without what else a simulation does
  CompliantBalls feet = scenario.contacts->balls();
  std::vector<Force<double>> forces(static_cast<std::size_t>(model.bodies()));
  std::vector<double> z(static_cast<std::size_t>(scenario.contacts->continuous_states())),
      z_dot = z;
  Loads<double> loads;
  loads.body_forces = forces;
  const auto stand = [&](int) {
    std::fill(forces.begin(), forces.end(), Force<double>{});
    feet.press(model, forward_kinematics<double>(model, q, scenario.v, ws), z);
    feet.add_forces(forces);
    feet.rates(z, z_dot);
    forward_dynamics<double>(model, q, scenario.v, tau, ws, loads);
  };
  const auto derivative = [&](const std::vector<double>& x) {
    return [&](int k) { system.derivative(1e-3 * k, x, x_dot); };
  };
  Task tasks[] = {
      {"forward dynamics", 0,
       [&](int) { forward_dynamics<double>(model, q, scenario.v, tau, ws); }},
      {"kinematics, forces of contact, forward dynamics", contacts_at(scenario, q), stand},
      {"derivative of the state, in the air", contacts_at(scenario, high), derivative(flying)},
      {"the same, standing", contacts_at(scenario, q), derivative(standing)}};
  int call = 0;
  for (int r = 0; r < rounds; ++r)
    for (Task& task : tasks) {
      const double begin = thread_seconds();
      for (int i = 0; i < calls; ++i) task.run(++call);
      task.seconds = std::min(task.seconds, (thread_seconds() - begin) / calls);
    }
  std::string text = "| Aquarobot | contacts | µs | to forward dynamics |\n|---|---:|---:|---:|\n";
  for (const Task& task : tasks)
    text += fmt::format("| {} | {} | {:.2f} | {:.2f} |\n", task.title, task.contacts,
                        1e6 * task.seconds, task.seconds / tasks[0].seconds);
  return text;
}

}  // namespace limber::bench
