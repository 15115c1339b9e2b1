// Bodies at the surface: buoyancy of the wet part, metacentre, periods, waves.
#include <numbers>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/fluid/water_loads.hpp>
#include <limber/model/joint_space.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81, density = 1000;
constexpr Vec3<double> edges{4, 2, 1};

// a box that floats half in the water, its centre of mass 0.2 m below its middle
struct FloatingBox {
  Robot robot;
  WaterLoads loads;
  Water water;
  double mass = density * edges.x * edges.y * edges.z / 2;
  static Spec spec() {
    Spec s;
    s.add_body("box", density * edges.x * edges.y * edges.z / 2, {0, 0, -0.2},
               Sym3<double>::diagonal(2000, 6000, 7000));
    s.add_joint("base", JointKind::free, "", "box");
    return s;
  }
  static Hydrodynamics hydrodynamics() {
    ShapeSpec shape;
    shape.size = edges;
    Hydrodynamics body = hydrodynamics_of(shape, density);
    body.surfaces.clear();
    return body;
  }
  FloatingBox() : robot(spec(), 1), loads(robot.model, {{"box", hydrodynamics()}}) {
    water.density = density;
    water.level = 10;
    place(0, 0);
  }
  void place(double up, double roll) {
    robot.v.setZero();
    robot.q << 1, 2, 10 + up, std::sin(roll / 2), 0, 0, std::cos(roll / 2);
  }
  VectorXd acceleration(double time = 0) {
    const auto& bodies = forward_kinematics(robot.model, in(robot.q), in(robot.v), robot.ws);
    const Loads<double> l = loads.update(robot.model, bodies, water, time);
    return matrix(
        forward_dynamics(robot.model, in(robot.q), in(robot.v), in(robot.zero()), robot.ws, l));
  }
};

TEST(Surface, BoxFloatsAtItsDepth) {
  FloatingBox box;
  EXPECT_LT(box.acceleration().norm(), 1e-12);
  EXPECT_NEAR(box.loads.states()[0].wet, 0.5, 1e-14);
  EXPECT_NEAR(box.loads.states()[0].displaced.center.z, -0.25, 1e-14);
}

TEST(Surface, HeaveHasTheStiffnessOfTheWaterPlane) {
  FloatingBox box;
  const double up = 1e-4;
  box.place(up, 0);
  const double M_A = box_added_mass(edges, density).M.zz * (0.5 - up);
  EXPECT_NEAR(box.acceleration()[5], -density * g * edges.x * edges.y * up / (box.mass + M_A),
              1e-12);
}

// moment = −ρ g V GM φ, GM = I/V − BG; about the frame's origin forces and moments are coupled, so
// the loads are compared: buoyancy about the centre of mass
TEST(Surface, RollHasTheStiffnessOfTheMetacentre) {
  FloatingBox box;
  const double roll = 1e-4;
  box.place(0, roll);
  box.acceleration();
  const Force<double>& lift = box.loads.states()[0].buoyancy;
  const double moment = lift.angular.x - cross(Vec3<double>{0, 0, -0.2}, lift.linear).x;
  const double V = edges.x * edges.y * edges.z / 2, I = edges.x * std::pow(edges.y, 3) / 12;
  const double GM = I / V + (-0.25 - -0.2);
  EXPECT_NEAR(moment / (-density * g * V * GM * roll), 1, 1e-6);
}

// out of the water nothing, deep in it the whole; in between the energy falls as the force says
TEST(Surface, EnergyAndForceBelongTogether) {
  FloatingBox box;
  box.place(2, 0.3);
  box.acceleration();
  EXPECT_EQ(box.loads.states()[0].wet, 0);
  EXPECT_NEAR(norm(box.loads.states()[0].buoyancy.linear), 0, 0);
  box.place(-3, 0.3);
  box.acceleration();
  EXPECT_EQ(box.loads.states()[0].wet, 1);
  for (const double up : {0.5, 0.1, -0.4, -2.0}) {
    const auto energy = [&](double h, double turn) {
      box.place(up + h, 0.4 + turn);
      const Poses& bodies = forward_kinematics(box.robot.model, in(box.robot.q), box.robot.ws);
      return box.loads.potential_energy(box.robot.model, bodies, box.water, 0);
    };
    const double h = 1e-5;
    const double force = -(energy(h, 0) - energy(-h, 0)) / (2 * h),
                 moment = -(energy(0, h) - energy(0, -h)) / (2 * h);
    box.place(up, 0.4);
    box.acceleration();
    const Force<double>& lift = box.loads.states()[0].buoyancy;
    EXPECT_NEAR(norm(lift.linear), force, 1e-4);
    EXPECT_NEAR(lift.angular.x, moment, 1e-4);
  }
}

// heave for many periods by small steps: the period of hydrostatics with added mass
TEST(Surface, HeavePeriod) {
  FloatingBox box;
  const double M_A = box_added_mass(edges, density).M.zz * 0.5;
  const double w = std::sqrt(density * g * edges.x * edges.y / (box.mass + M_A));
  box.place(1e-3, 0);
  const double h = 1e-3;
  double t = 0, last = box.robot.q[2];
  int crossings = 0;
  double first = 0, end = 0;
  while (crossings < 5) {
    box.robot.v += h * box.acceleration();
    const VectorXd q = box.robot.q;
    integrate(box.robot.model, in(q), in(box.robot.v), h, {box.robot.q.data(), 7});
    t += h;
    const double z = box.robot.q[2];
    if (last > 10 && z <= 10) {
      const double at = t - h * (10 - z) / (last - z);
      (crossings == 0 ? first : end) = at;
      ++crossings;
    }
    last = z;
    ASSERT_LT(t, 60);
  }
  EXPECT_NEAR((end - first) / 4 * w / (2 * std::numbers::pi), 1, 2e-3);
}

// without a hull a sphere of the displaced volume enters the water
TEST(Surface, SphereStandsForALinkWithoutHull) {
  Spec spec;
  spec.add_body("ball", 2, {}, Sym3<double>::diagonal(1, 1, 1));
  spec.add_joint("base", JointKind::free, "", "ball");
  Robot r(spec, 1);
  Hydrodynamics body;
  body.displacement.volume = 4 * std::numbers::pi / 3 * 1e-3;
  WaterLoads loads(r.model, {{"ball", body}});
  Water water;
  water.level = 0;
  r.v.setZero();
  for (const double z : {0.2, 0.05, 0.0, -0.2}) {
    r.q << 0, 0, z, 0, 0, 0, 1;
    loads.update(r.model, forward_kinematics(r.model, in(r.q), in(r.v), r.ws), water, 0);
    const double expected = z > 0.1 ? 0 : z < -0.1 ? 1 : z == 0 ? 0.5 : 0.15625;
    EXPECT_NEAR(loads.states()[0].wet, expected, 1e-12) << z;
  }
}

// in long waves a small light body follows the surface: at a crest at rest it is pushed as the
// water
TEST(Surface, WavesLiftAndCarry) {
  FloatingBox box;
  box.water.waves = {regular_wave(1, 20, 0, HUGE_VAL)};
  box.water.depth = HUGE_VAL;
  const double k = box.water.waves[0].number;
  box.place(0.5, 0);
  box.robot.q[0] = 0, box.robot.q[1] = 0;  // on the crest
  box.acceleration();
  EXPECT_NEAR(box.loads.states()[0].wet, 0.5, 1e-12);
  // on the slope, which falls towards x, the lift leans towards x
  box.robot.q[0] = std::numbers::pi / 2 / k, box.robot.q[2] = 10;
  const VectorXd a = box.acceleration();
  const Flow flow = box.water.flow({box.robot.q[0], 0, 10}, 0);
  EXPECT_GT(flow.acceleration.x, 0);
  EXPECT_GT(a[3], 0.5 * flow.acceleration.x);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
