// Writes a folder with the GPU benchmark of steps under water: a BlueROV2 with an arm of five
// joints in a current, and the same with drag over the surface of its hull, fins and a lamp.
//   limber_gpu_water_bench FOLDER
#include <cstdio>

#include <limber/error.hpp>
#include <limber/model/joint_space.hpp>

#include "gpu/rollout_folder.hpp"
#include "wet_robots.hpp"

namespace {

using namespace limber;
using limber::bench::Values;

/// q, v, tau, target, kp, kd, h, velocity and acceleration of the water.
Values diving_state(const Model& model, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto nv = static_cast<std::size_t>(model.nv);
  Values in(8, std::vector<double>(nv));
  std::vector<double>& q = in[0] = neutral_position(model);
  for (std::size_t k = 3; k < 6; ++k) q[k] = 0.1 * unit(random);
  normalize(model, q);
  for (std::size_t k = 0; k < nv; ++k) {
    in[1][k] = 0.2 * unit(random);
    in[2][k] = k < 6 ? 2 * unit(random) : 0;  // thrusters
    if (k < 6) continue;
    const bool slides = k == nv - 1;
    q[k + 1] = (slides ? 0.005 : 0.5) * unit(random);
    in[3][k] = (slides ? 0.005 : 0.5) * unit(random);
    in[4][k] = slides ? 20 : 0.3;
    in[5][k] = slides ? 2 : 0.03;
  }
  in[6] = {1.0 / 1024};  // [s]
  in[7] = {0.3, 0.1 * unit(random), 0, 0.02 * unit(random), 0, 0.02 * unit(random)};
  for (std::vector<double>& x : in)
    for (double& y : x) y = static_cast<float>(y);
  return in;
}

/// The hull's damping matrices are replaced by drag over a box and a ball, and by two fins.
bench::WetRobot with_surfaces(bench::WetRobot robot) {
  Hydrodynamics& hull = robot.water.front().hydrodynamics;
  hull.linear_damping = hull.quadratic_damping = {};
  ShapeSpec box, lamp;
  box.kind = ShapeSpec::Kind::box, box.size = {0.46, 0.34, 0.25};
  lamp.kind = ShapeSpec::Kind::sphere, lamp.size = {0.04, 0, 0};
  lamp.placement.p = {0.25, 0, 0.05};
  hull.surfaces = {surface_drag_of(box, 1.1), surface_drag_of(lamp, 0.5)};
  hull.surfaces[0].skin_coefficient = 0.01;
  for (const double side : {-0.2, 0.2}) {
    LiftingSurface fin;
    fin.center = {-0.2, side, 0};
    fin.area = 0.01, fin.slope = 3, fin.most_lift = 0.9;
    fin.drag_coefficient = 0.02, fin.induced_drag = 0.1;
    hull.foils.push_back(fin);
  }
  return robot;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: limber_gpu_water_bench FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const bench::WetRobot robot = bench::bluerov2_with_arm();
  const Model model = build(robot.spec);
  {
    bench::RolloutFolder files(folder);
    const auto add = [&](const std::string& name, const bench::WetRobot& wet) {
      FunctionOptions options;
      options.water = {wet.water, bench::water_density};
      options.parameters = {free_parameter("fluid")};
      files.add(name, model, options,
                [&](std::mt19937& random) { return diving_state(model, random); });
    };
    add(model.name, robot);
    add(model.name + "_surfaces", with_surfaces(robot));
  }
  bench::finish_folder(folder, "water");
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
