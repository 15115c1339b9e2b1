#include "contact_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <limber/compile/compiled_robot.hpp>
#include <limber/compile/program.hpp>
#include <limber/dynamics/tree_factor.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "ground.hpp"
#include "timing.hpp"

namespace limber::bench {

namespace {

constexpr long robots = 64;         // their states fit the nearest caches
constexpr double step_time = 1e-3;  // [s]
constexpr int steps = 20;           // of a round

struct Scene {
  std::string title, robot;
  std::vector<std::string> feet;
  std::vector<double> bend;  // of the joints in turn, where the controller holds them [rad]
  int sweeps, newton_steps = 0;
  ContactStart start = ContactStart::zero;
  std::optional<HeightField> field{};  // none: the plane z = 0
};

/// Robots a few millimetres above the ground, that move, variable by variable: q, v, (forces of the
/// last step,) tau, target, kp, kd, h(, heights); controllers with the same frequency for every
/// joint by itself.
template <class T>
std::vector<std::vector<T>> falling_robots(const Scene& scene, const Model& model,
                                           const StepContact& contact) {
  constexpr double frequency = 60;  // [rad/s]
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const std::size_t nv = static_cast<std::size_t>(model.nv),
                    nq = static_cast<std::size_t>(model.nq);
  const std::size_t count = static_cast<std::size_t>(robots);
  std::vector<std::vector<T>> all{std::vector<T>(nq * count)};
  for (int k = 0; k < 5; ++k) all.emplace_back(nv * count);
  all.emplace_back(count, static_cast<T>(step_time));
  Workspace ws(model);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> q = neutral_position(model);
    for (std::size_t k = 0; k < nv; ++k) {
      const double bend = k < 6 || scene.bend.empty() ? 0 : scene.bend[(k - 6) % scene.bend.size()];
      if (k >= 6) q[k + 1] = bend + 0.1 * unit(random);
      all[1][k * count + i] = static_cast<T>(0.3 * unit(random));
      all[3][k * count + i] = static_cast<T>(bend);
    }
    for (std::size_t k = 3; k < 6; ++k) q[k] = 0.02 * unit(random);
    normalize(model, q);
    for (std::size_t k = 0; scene.field && k < 2; ++k) q[k] = 2 * unit(random);
    q[2] += 0.002 * (1 + unit(random)) - lowest_point(model, contact, scene.field, q);
    const TreeFactor& factor = factorize<double>(model, q, ws);
    for (std::size_t k = 6; k < nv; ++k) {
      std::vector<double> column(nv);  // of the inverse mass matrix
      column[k] = 1;
      solve<double>(factor, column);
      const double inertia = 1 / column[k];
      all[4][k * count + i] = static_cast<T>(inertia * frequency * frequency);
      all[5][k * count + i] = static_cast<T>(inertia * frequency);
    }
    for (std::size_t k = 0; k < nq; ++k) all[0][k * count + i] = static_cast<T>(q[k]);
  }
  if (contact.start == ContactStart::last_forces)
    all.insert(all.begin() + 2, std::vector<T>(3 * contact.candidates.size() * count));
  if (scene.field) all.emplace_back(scene.field->heights.begin(), scene.field->heights.end());
  return all;
}

/// Time of a step and the residuals of all robots after every step of a second.
struct Lanes {
  double seconds = HUGE_VAL;
  std::vector<double> residuals;
  double percentile(double share) {
    std::sort(residuals.begin(), residuals.end());
    return residuals[static_cast<std::size_t>(share * static_cast<double>(residuals.size() - 1))];
  }
};

template <class T>
Lanes run_lanes(const Scene& scene, const Model& model, const CompiledRobot& robot, int rounds) {
  const FunctionShape& shape = robot.shape(RobotFunction::step);
  std::vector<std::vector<T>> in = falling_robots<T>(scene, model, robot.options().contact), out;
  for (const ArrayShape& array : shape.outputs) out.emplace_back(array.size * robots);
  std::vector<const T*> from;
  std::vector<T*> to;
  for (const std::vector<T>& x : in) from.push_back(x.data());
  for (std::vector<T>& x : out) to.push_back(x.data());
  // they go on from where they are
  for (std::size_t k = 0; k < carried_arrays(shape); ++k) to[k] = in[k].data();
  Lanes lanes;
  for (int k = 0; k < 1000; ++k) {
    robot.rollout_batch<T>(robots, robots, 1, from.data(), to.data());
    lanes.residuals.insert(lanes.residuals.end(), out[3].begin(), out[3].end());
  }
  for (int r = 0; r < rounds; ++r) {
    const double begin = thread_seconds();
    robot.rollout_batch<T>(robots, robots, steps, from.data(), to.data());
    lanes.seconds = std::min(lanes.seconds, (thread_seconds() - begin) / steps / robots);
  }
  return lanes;
}

std::string row(const Scene& scene, double interpreted, int rounds) {
  const Model model = load(scene.robot);
  CompileOptions options;
  options.functions = {RobotFunction::step};
  options.numbers = KernelNumbers::double_and_float;
  options.function.contact.candidates = contact_candidates(model, scene.feet, BoxCorners::sole);
  options.function.contact.sweeps = scene.sweeps;
  options.function.contact.newton_steps = scene.newton_steps;
  options.function.contact.start = scene.start;
  if (scene.field) options.function.contact.field = contact_field(*scene.field);
  const int instructions =
      trace(model, RobotFunction::step, options.function).count().instructions();
  const CompiledRobot robot = compile(model, options);
  Lanes twice = run_lanes<double>(scene, model, robot, rounds),
        single = run_lanes<float>(scene, model, robot, rounds);
  const auto ratio = [&](const Lanes& lanes) {
    return interpreted > 0 ? fmt::format("{:.1f}", interpreted / lanes.seconds) : "–";
  };
  return fmt::format("| {} | {} | {} | {} | {:.0f} | {} | {:.0f} | {} | {:.1e} | {:.1e} |\n",
                     scene.title, scene.sweeps, scene.newton_steps, instructions,
                     1e9 * twice.seconds, ratio(twice), 1e9 * single.seconds, ratio(single),
                     single.percentile(0.5), single.percentile(0.99));
}

Scene on_rough_ground(Scene scene) {
  scene.title += ", on rough ground";
  scene.field = rough_ground();
  return scene;
}

}  // namespace

std::string contact_lanes_table(double interpreted_quadruped, int rounds) {
  const Scene quadruped{
      "quadruped on four feet",
      "quadruped",
      {"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"},
      {0, 0.6, -1.2},
      4};
  const Scene humanoid{
      "humanoid on eight corners", "humanoid", {"left_foot", "right_foot"}, {}, 8, 12,
      ContactStart::last_forces};
  return "| robot | sweeps | Newton | instructions | lanes, double [ns] | times the interpreter | "
         "lanes, "
         "single [ns] | times the interpreter | residual, median, single [m/s] | 99 % |\n"
         "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n" +
         row(quadruped, interpreted_quadruped, rounds) +
         row(on_rough_ground(quadruped), 0, rounds) + row(humanoid, 0, rounds) +
         row(on_rough_ground(humanoid), 0, rounds);
}

}  // namespace limber::bench
