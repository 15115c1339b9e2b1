// Bumpers at the joints' limits, against the closed form of a blow; the limit of speed.
#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

SimulationSettings precise(double duration) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = 1e-11;
  settings.integrator.max_step = 0.01;
  return settings;
}

// A mass that meets a spring with a damper leaves it when their force has sunk to zero (it never
// pulls): at ω√(1−ζ²) t = 2 arccos ζ, with exp(−ζ ω t) of its speed.
class Bumper : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Sides, Bumper, testing::Values(1.0, -1.0));

TEST_P(Bumper, TakesSpeedAsItsDamperDoes) {
  const double side = GetParam(), mass = 2, stiffness = 800, zeta = 0.3;
  const double omega = std::sqrt(stiffness / mass);
  Spec spec = slider(mass);
  spec.gravity = {};
  spec.joints[0].dof().lower = -0.1;
  spec.joints[0].dof().upper = 0.1;
  System system(build(spec));
  system.add(std::make_unique<JointLimits>(
      JointLimitSettings{AtLimit::bumper, stiffness, 2 * zeta * mass * omega}));
  const std::vector<double> q = {0}, v = {side * 0.8};
  Simulation run(system, precise(0.35), q, v);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  const double kept = std::exp(-zeta / std::sqrt(1 - zeta * zeta) * 2 * std::acos(zeta));
  EXPECT_NEAR(run.x()[1], -side * 0.8 * kept, 1e-7);
}

// at rest the spring alone bears the weight
TEST_P(Bumper, CarriesAWeightAtItsDepth) {
  const double side = GetParam(), mass = 2, stiffness = 500;
  Spec spec = slider(mass);
  spec.gravity = {0, 0, side * 9.81};
  spec.joints[0].dof().lower = -0.1;
  spec.joints[0].dof().upper = 0.3;
  System system(build(spec));
  system.add(std::make_unique<JointLimits>(JointLimitSettings{AtLimit::bumper, stiffness, 60}));
  const double place = side > 0 ? 0.3 : -0.1;
  const std::vector<double> q = {place}, v = {0};
  Simulation run(system, precise(3), q, v);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[0], place + side * mass * 9.81 / stiffness, 1e-6);
}

// chosen for a mass of 8 kg, of which a part adds 6
TEST_P(Bumper, CountsTheInertiaThatPartsAdd) {
  const auto motion = [](double mass, double added) {
    Spec spec = slider(mass);
    spec.gravity = {};
    spec.joints[0].dof().lower = -0.1;
    spec.joints[0].dof().upper = 0.1;
    System system(build(spec));
    system.add(std::make_unique<FunctionPart>("rotor", Role::drive,
                                              [added](Evaluation& at) { at.inertia[0] += added; }));
    JointLimitSettings limits;
    limits.frequency = 20;
    system.add(std::make_unique<JointLimits>(limits));
    const std::vector<double> q = {0}, v = {GetParam() * 0.8};
    Simulation run(system, precise(0.2), q, v);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return std::pair{run.x()[0], run.x()[1]};
  };
  const auto expected = motion(8, 0), found = motion(2, 6);
  EXPECT_NEAR(found.first, expected.first, 1e-9);
  EXPECT_NEAR(found.second, expected.second, 1e-9);
}

// a joint that rests at its limit moves by rounding, which is nothing to tell of
TEST_P(Bumper, ListsBlowsAndNotRounding) {
  const double side = GetParam(), place = side > 0 ? 0.3 : -0.1;
  Spec spec = slider();
  spec.gravity = {};
  spec.joints[0].dof().lower = -0.1;
  spec.joints[0].dof().upper = 0.3;
  for (const double speed : {1e-15, 1e-3}) {
    System system(build(spec));
    system.add(std::make_unique<JointLimits>(JointLimitSettings{}));
    const std::vector<double> q = {place - side * 0.001 * speed}, v = {side * speed};
    Simulation run(system, precise(0.1), q, v);
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    EXPECT_EQ(run.events().size(), speed > 1e-9 ? 1U : 0U);
  }
}

// three masses on slides of their own, each in turn pushed forward and backward
TEST(SpeedLimit, HoldsForEveryJoint) {
  Spec spec;
  spec.gravity = {};
  for (const std::string name : {"first", "second", "third"}) {
    spec.add_body(name + " mass", 1, {}, {0.1, 0.1, 0.1, 0, 0, 0});
    spec.add_joint(name, JointKind::prismatic, "", name + " mass");
  }
  const Model masses = build(spec);
  for (std::size_t fast = 0; fast < 3; ++fast)
    for (const double way : {1.0, -1.0}) {
      System system(masses);
      system.add(std::make_unique<FunctionPart>(
          "push", Role::world, [=](Evaluation& at) { at.tau[fast] += 1000 * way; }));
      SimulationSettings settings = precise(0.2);
      settings.speed_limit = 50;
      const std::vector<double> rest(3, 0.0);
      Simulation run(system, settings, rest, rest);
      EXPECT_EQ(run.run(), RunStatus::diverged) << fast;
      EXPECT_NEAR(run.t(), 0.05, 0.011);
      const std::string name = "'" + spec.joints[fast].name + "'";
      EXPECT_NE(run.message().find(name), std::string::npos) << run.message();
      EXPECT_NE(run.message().find("limit of 50"), std::string::npos) << run.message();
    }
}

TEST(SpeedLimit, MayBeReached) {
  Spec spec = slider();
  spec.gravity = {};
  System system(build(spec));
  SimulationSettings settings = precise(0.1);
  settings.speed_limit = 3;
  const std::vector<double> q = {0}, v = {-3};
  EXPECT_EQ(Simulation(system, settings, q, v).run(), RunStatus::finished);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
