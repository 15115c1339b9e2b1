// Vehicle and arm apart, [McM] §7.5.2: the vehicle moves as if it had no arm, and the arm as if the
// vehicle's acceleration were known.
#include <algorithm>
#include <cmath>

#include <limber/fluid/submerged.hpp>
#include <limber/limber.hpp>

#include "study_water/measure.hpp"

namespace limber::app::study_water {

namespace {

constexpr int arm_joints = 5;
constexpr double vehicle_mass = 12, link_mass = 0.3, density = 1025;  // [kg], [kg/m³]

// about a BlueROV2; its mass and all its coefficients times `scale`
LinkHydrodynamics hull_water(double scale) {
  Hydrodynamics hull;
  hull.added_mass.M = Sym3<double>::diagonal(6.36 * scale, 7.12 * scale, 18.69 * scale);
  hull.added_mass.I = Sym3<double>::diagonal(0.19 * scale, 0.13 * scale, 0.22 * scale);
  hull.displacement = {vehicle_mass * scale / density, {0, 0, 0.01}};
  for (std::size_t k = 0; k < 6; ++k) hull.quadratic_damping[k][k] = (k < 3 ? 150 : 1) * scale;
  return {"hull", hull};
}

struct WetRobot {
  Spec spec;
  std::vector<LinkHydrodynamics> water;

  explicit WetRobot(double scale) : water{hull_water(scale)} {
    spec.name = "vehicle";
    spec.add_body("hull", vehicle_mass * scale, {0, 0, -0.02},
                  Sym3<double>::diagonal(0.26 * scale, 0.23 * scale, 0.37 * scale));
    spec.add_joint("base", JointKind::free, "", "hull");
  }
  void add_arm() {
    std::string parent = "hull";
    ShapeSpec tube;
    tube.kind = ShapeSpec::Kind::cylinder;
    tube.size = {0.025, 0.12, 0};
    tube.placement.p = {0, 0, -0.06};
    for (int k = 0; k < arm_joints; ++k) {
      const std::string name = "arm" + std::to_string(k);
      spec.add_body(name, link_mass, {0, 0, -0.06},
                    Sym3<double>::diagonal(3e-3, 3e-3, 1e-3) * link_mass);
      JointSpec& joint = spec.add_joint("joint" + name, JointKind::revolute, parent, name);
      joint.axis = k % 2 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
      joint.placement.p = {0, 0, -0.12};
      water.push_back({name, hydrodynamics_of(tube, density)});
      parent = name;
    }
  }
  FluidLoad<double> in_current(const Model& model) const {
    FluidLoad<double> fluid = submerged(model, water, density);
    fluid.velocity = {0.2, 0.1, 0};
    return fluid;
  }
};

DecoupledRow decoupling_error(double scale) {
  WetRobot robot(scale);
  const Model alone = build(robot.spec);
  const FluidLoad<double> around_hull = robot.in_current(alone);
  robot.add_arm();
  const Model whole = build(robot.spec);
  const FluidLoad<double> around_all = robot.in_current(whole);
  Workspace alone_ws(alone), whole_ws(whole);
  Loads<double> alone_loads, loads;
  alone_loads.fluid = &around_hull, loads.fluid = &around_all;
  RandomState state = generate_state(whole, 3);
  for (std::size_t k = 0; k < 6; ++k) state.v[k] *= 0.1, state.tau[k] = 0;
  for (std::size_t k = 6; k < state.tau.size(); ++k) state.tau[k] *= 0.02;
  const std::vector<double> base_q(state.q.begin(), state.q.begin() + 7),
      base_v(state.v.begin(), state.v.begin() + 6), rest(6);
  const auto exact = forward_dynamics<double>(whole, state.q, state.v, state.tau, whole_ws, loads);
  const std::vector<double> a(exact.begin(), exact.end());
  const auto base = forward_dynamics<double>(alone, base_q, base_v, rest, alone_ws, alone_loads);
  std::vector<Known> known(6, Known::acceleration);
  known.resize(a.size(), Known::force);
  std::vector<double> given = state.tau;
  std::copy(base.begin(), base.end(), given.begin());
  const auto apart =
      hybrid_dynamics<double>(whole, state.q, state.v, known, given, whole_ws, loads).a;
  DecoupledRow row;
  row.mass_ratio = vehicle_mass * scale / (arm_joints * link_mass);
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    double& error = k < 6 ? row.vehicle_error : row.joints_error;
    error = std::max(error, std::abs(apart[k] - a[k]));
    if (k >= 6) largest = std::max(largest, std::abs(a[k]));
  }
  row.vehicle_error /= largest, row.joints_error /= largest;
  return row;
}

}  // namespace

std::vector<DecoupledRow> decoupling_errors() {
  std::vector<DecoupledRow> rows;
  for (const double scale : {0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0})
    rows.push_back(decoupling_error(scale));
  return rows;
}

}  // namespace limber::app::study_water
