// Vehicle and arm apart, [McM] §7.5.2: the vehicle moves as if it had no arm, and the arm as if the
// vehicle's acceleration were known. How wrong that is for which masses.
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/fluid/water_loads.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double density = 1025;
constexpr int arm_joints = 5;

Spec vehicle(double scale) {
  Spec spec;
  spec.name = "vehicle";
  spec.add_body("hull", 12 * scale, {0, 0, -0.02},
                Sym3<double>::diagonal(0.26 * scale, 0.23 * scale, 0.37 * scale));
  spec.add_joint("base", JointKind::free, "", "hull");
  return spec;
}
void add_arm(Spec& spec) {
  std::string parent = "hull";
  for (int k = 0; k < arm_joints; ++k) {
    std::string name = "arm";
    name += std::to_string(k);
    const double m = 0.3;
    spec.add_body(name, m, {0, 0, -0.06}, Sym3<double>::diagonal(m * 3e-3, m * 3e-3, m * 1e-3));
    std::string joint_name = "joint";
    joint_name += std::to_string(k);
    JointSpec& joint = spec.add_joint(joint_name, JointKind::revolute, parent, name);
    joint.axis = k % 2 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    joint.placement.p = {0, 0, -0.12};
    parent = name;
  }
}
Hydrodynamics hull_water(double scale) {
  Hydrodynamics body;
  body.added_mass.M = Sym3<double>::diagonal(6.36 * scale, 7.12 * scale, 18.69 * scale);
  body.added_mass.I = Sym3<double>::diagonal(0.19 * scale, 0.13 * scale, 0.22 * scale);
  body.displacement = {12 * scale / density, {0, 0, 0.01}};
  for (std::size_t k = 0; k < 6; ++k) body.quadratic_damping[k][k] = (k < 3 ? 150 : 1) * scale;
  return body;
}

struct Errors {
  double vehicle,
      joints;  ///< greatest error of accelerations, in parts of the greatest of the arm's
};
Errors decoupling_errors(double scale) {
  Spec spec = vehicle(scale);
  Robot alone(spec, 1);
  add_arm(spec);
  Robot whole(spec, 2);
  std::vector<LinkHydrodynamics> links{{"hull", hull_water(scale)}};
  WaterLoads alone_water(alone.model, links);
  for (int k = 0; k < arm_joints; ++k) {
    ShapeSpec tube;
    tube.kind = ShapeSpec::Kind::cylinder;
    tube.size = {0.025, 0.12, 0};
    tube.placement.p = {0, 0, -0.06};
    std::string name = "arm";
    name += std::to_string(k);
    links.push_back({name, hydrodynamics_of(tube, density)});
  }
  WaterLoads whole_water(whole.model, links);
  Water water;
  water.density = density;
  water.current = constant_current({0.2, 0.1, 0});
  Random random(3);
  whole.tau.setZero();
  for (int k = 0; k < arm_joints; ++k) {
    whole.tau[6 + k] = random.uniform(-0.2, 0.2);
    whole.v[6 + k] = random.uniform(-1, 1);
  }
  whole.v.head<6>() *= 0.1;
  alone.q = whole.q.head<7>(), alone.v = whole.v.head<6>();
  const auto loads = [&](Robot& r, WaterLoads& w) {
    return w.update(r.model, forward_kinematics(r.model, in(r.q), in(r.v), r.ws), water, 0);
  };
  const Loads<double> wet = loads(whole, whole_water);
  const VectorXd exact =
      matrix(forward_dynamics(whole.model, in(whole.q), in(whole.v), in(whole.tau), whole.ws, wet));
  const VectorXd base =
      matrix(forward_dynamics(alone.model, in(alone.q), in(alone.v), in(alone.zero()), alone.ws,
                              loads(alone, alone_water)));
  std::vector<Known> known(6, Known::acceleration);
  known.resize(6 + arm_joints, Known::force);
  VectorXd given = whole.tau;
  given.head<6>() = base;
  const VectorXd apart = matrix(
      hybrid_dynamics(whole.model, in(whole.q), in(whole.v), known, in(given), whole.ws, wet).a);
  EXPECT_LT((apart.head<6>() - base).norm(), 1e-12);
  const double largest = exact.tail(arm_joints).cwiseAbs().maxCoeff();
  return {(apart - exact).head<6>().cwiseAbs().maxCoeff() / largest,
          (apart - exact).tail(arm_joints).cwiseAbs().maxCoeff() / largest};
}

// both errors are of first order in the mass of the arm over that of the vehicle
TEST(Decoupled, ErrorFallsWithTheMassOfTheVehicle) {
  Errors last{};
  for (const double scale : {1.0, 10.0, 100.0, 1000.0}) {
    const Errors errors = decoupling_errors(scale);
    RecordProperty("vehicle to arm " + std::to_string(12 * scale / 1.5),
                   std::to_string(errors.vehicle) + " " + std::to_string(errors.joints));
    if (scale > 10) {
      EXPECT_NEAR(last.vehicle / errors.vehicle, 10, 2) << scale;
      EXPECT_NEAR(last.joints / errors.joints, 10, 2) << scale;
    }
    last = errors;
  }
  EXPECT_LT(last.joints, 1e-2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
