// Writes a folder with the GPU benchmark of steps with contact: generated kernels of robots that
// stand on the ground, states to begin with, one step of each by the program on the host, and a
// main that needs only the CUDA toolkit.
//   limber_gpu_contact_bench FOLDER [SWEEPS [NEWTON_STEPS]]
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <limber/dynamics/tree_factor.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "gpu/rollout_folder.hpp"
#include "ground.hpp"

namespace {

using namespace limber;
using limber::bench::Values;

constexpr double h = 1.0 / 1024;  // [s]

/// A robot, what it stands on, and the position that its controller holds.
struct Scene {
  std::string robot;
  std::vector<std::string> feet;
  std::vector<double> bend;  ///< of the joints in turn [rad]
  int sweeps = 4, newton_steps = 0;
  ContactStart start = ContactStart::zero;
  double frequency = 60;  ///< of the controller, every joint by itself [rad/s]
  std::string name = robot;
  std::optional<HeightField> field{};  ///< none: the plane z = 0
};

FunctionOptions options_of(const Scene& scene, const Model& model) {
  FunctionOptions options;
  options.contact.candidates = contact_candidates(model, scene.feet, BoxCorners::sole);
  options.contact.sweeps = scene.sweeps;
  options.contact.newton_steps = scene.newton_steps;
  options.contact.start = scene.start;
  if (scene.field) options.contact.field = contact_field(*scene.field);
  return options;
}

/// q, v, (forces of the last step,) tau, target, kp, kd, h(, heights) of a robot a few millimetres
/// above the ground, that moves; in numbers of single precision.
Values random_state(const Scene& scene, const Model& model, const StepContact& contact,
                    std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const std::size_t nv = static_cast<std::size_t>(model.nv);
  Values in(7, std::vector<double>(nv));
  std::vector<double>& q = in[0] = neutral_position(model);
  for (std::size_t k = 6; k < nv; ++k) {
    const double bend = scene.bend.empty() ? 0 : scene.bend[(k - 6) % scene.bend.size()];
    in[3][k] = bend + 0.1 * unit(random);
    q[k + 1] = bend + 0.1 * unit(random);
    in[1][k] = 0.5 * unit(random);
  }
  for (std::size_t k = 0; k < 6; ++k) in[1][k] = 0.3 * unit(random);
  for (std::size_t k = 3; k < 6; ++k) q[k] = 0.02 * unit(random);
  for (std::size_t k = 0; scene.field && k < 2; ++k) q[k] = 2 * unit(random);
  normalize(model, q);
  q[2] += 0.002 * (1 + unit(random)) - bench::lowest_point(model, contact, scene.field, q);
  Workspace ws(model);
  const TreeFactor& factor = factorize<double>(model, q, ws);
  for (std::size_t k = 6; k < nv; ++k) {
    std::vector<double> column(nv);  // of the inverse mass matrix
    column[k] = 1;
    solve<double>(factor, column);
    in[4][k] = scene.frequency * scene.frequency / column[k];
    in[5][k] = scene.frequency / column[k];
  }
  in[6] = {h};
  if (scene.field) in.push_back(scene.field->heights);
  if (contact.start == ContactStart::last_forces)
    in.insert(in.begin() + 2, std::vector<double>(3 * contact.candidates.size()));
  for (std::vector<double>& x : in)
    for (double& y : x) y = static_cast<float>(y);
  return in;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: limber_gpu_contact_bench FOLDER [SWEEPS [NEWTON_STEPS]]\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  Scene quadruped{"quadruped",
                  {"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"},
                  {0, 0.6, -1.2}};
  Scene humanoid{"humanoid", {"left_foot", "right_foot"}, {}};
  humanoid.sweeps = 8;
  humanoid.newton_steps = 12;
  humanoid.start = ContactStart::last_forces;
  if (argc > 2) quadruped.sweeps = humanoid.sweeps = std::stoi(argv[2]);
  if (argc > 3) humanoid.newton_steps = std::stoi(argv[3]);
  Scene on_rough_ground = quadruped;
  on_rough_ground.name = "quadruped_on_rough_ground";
  on_rough_ground.field = bench::rough_ground();
  bench::RolloutFolder files(folder);
  for (const Scene& scene : {quadruped, on_rough_ground, humanoid}) {
    const Model model = load(scene.robot);
    const FunctionOptions options = options_of(scene, model);
    files.add(scene.name, model, options, [&](std::mt19937& random) {
      return random_state(scene, model, options.contact, random);
    });
  }
  bench::finish_folder(folder, "contact");
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
