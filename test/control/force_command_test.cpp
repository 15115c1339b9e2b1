// Laws that ask for forces, on drives that take volts or amperes.
#include <algorithm>
#include <cmath>

#include <limber/control/joint_controller.hpp>
#include <limber/drive/elastic_drive.hpp>
#include <limber/drive/linear_actuator.hpp>
#include <limber/drive/motor_drive.hpp>
#include <limber/limber.hpp>

#include "control/closed_loop.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double effort = 200;  // N m

/// Two links that swing in gravity.
Model arm() {
  Spec spec;
  spec.add_body("inner", 4, {0.25, 0, 0}, {0.01, 0.1, 0.1});
  spec.add_body("outer", 2, {0.25, 0, 0}, {0.01, 0.05, 0.05});
  spec.add_joint("shoulder", JointKind::revolute, "", "inner", {0, 1, 0});
  spec.add_joint("elbow", JointKind::revolute, "inner", "outer", {0, 1, 0},
                 Transform<double>::translation({0.5, 0, 0}));
  for (JointSpec& joint : spec.joints) joint.dof().effort_limit = effort;
  return build(spec);
}

MotorDriveSettings motor(const std::string& joint, DriveInput input) {
  MotorDriveSettings settings;
  settings.joint = joint;
  settings.motor.torque_constant = 0.07;
  settings.motor.back_emf_constant = 0.08;
  settings.motor.resistance = 0.6;
  settings.motor.rotor_inertia = 5e-5;
  settings.motor.viscous_friction = 2e-4;
  settings.gear.ratio = -80;
  settings.input = input;
  return settings;
}

JointControlSettings law(const Model& m, JointLaw kind) {
  MoveSettings move;
  move.law = Law::quintic;
  move.duration = 0.8;
  const std::vector<double> from{0.2, -0.3}, to{1.2, 0.9};
  JointControlSettings settings;
  settings.reference = point_to_point(m, from, to, move);
  settings.law = kind;
  const bool per_inertia = kind == JointLaw::computed_torque;
  settings.stiffness = {per_inertia ? 400.0 : 3000.0};
  settings.damping = {per_inertia ? 40.0 : 200.0};
  return settings;
}

std::string unit_of(const System& system, const std::string& column) {
  for (const Column& one : system.columns())
    if (one.name == column) return one.unit;
  return "(none)";
}

/// The largest tracking error, begun a little off the reference. [rad]
double largest_error(DriveInput input, JointLaw kind) {
  const Model m = arm();
  System system(m);
  const JointControlSettings settings = law(m, kind);
  // either order
  if (kind == JointLaw::feedforward) system.add(std::make_unique<JointController>(settings));
  for (const char* joint : {"shoulder", "elbow"})
    system.add(std::make_unique<MotorDrive>(motor(joint, input)));
  if (kind != JointLaw::feedforward) system.add(std::make_unique<JointController>(settings));
  EXPECT_EQ(unit_of(system, "elbow.command"), "N m");
  EXPECT_EQ(unit_of(system, "elbow.voltage"), "V");
  double largest = 0;
  std::vector<double> q_r(2), v_r(2), a_r(2);
  run_closed_loop(system, {0.21, -0.3}, {0, 0}, 0.8, 0.01,
                  [&](double t, std::span<const double> q, std::span<const double>) {
                    settings.reference->sample(t, q_r, v_r, a_r);
                    for (std::size_t k = 0; k < 2; ++k)
                      largest = std::max(largest, std::abs(q_r[k] - q[k]));
                  });
  return largest;
}

TEST(ForceCommand, VoltsAndAmperesTrackLikeTorques) {
  for (const JointLaw kind :
       {JointLaw::computed_torque, JointLaw::feedforward, JointLaw::gravity, JointLaw::impedance}) {
    const double by_torque = largest_error(DriveInput::torque, kind);
    EXPECT_LT(by_torque, 0.1);
    EXPECT_NEAR(largest_error(DriveInput::voltage, kind), by_torque, 1e-8);
    EXPECT_NEAR(largest_error(DriveInput::current, kind), by_torque, 1e-8);
  }
}

// without error computed torque with the right model stays on its way
TEST(ForceCommand, ComputedTorqueByVoltsStaysOnItsWay) {
  const Model m = arm();
  System system(m);
  for (const char* joint : {"shoulder", "elbow"}) {
    MotorDriveSettings settings = motor(joint, DriveInput::voltage);
    settings.motor.rotor_inertia = 0;  // which the controller's model does not have
    system.add(std::make_unique<MotorDrive>(settings));
  }
  const JointControlSettings settings = law(m, JointLaw::computed_torque);
  system.add(std::make_unique<JointController>(settings));
  std::vector<double> q_r(2), v_r(2), a_r(2);
  run_closed_loop(system, {0.2, -0.3}, {0, 0}, 0.8, 0.05,
                  [&](double t, std::span<const double> q, std::span<const double>) {
                    settings.reference->sample(t, q_r, v_r, a_r);
                    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(q[k], q_r[k], 1e-8);
                  });
}

// the force that is asked for holds the arm: u = R M/(C_M N) at rest
TEST(ForceCommand, VoltageAtRestIsThatOfTheWeight) {
  const Model m = arm();
  System system(m);
  for (const char* joint : {"shoulder", "elbow"})
    system.add(std::make_unique<MotorDrive>(motor(joint, DriveInput::voltage)));
  JointControlSettings settings;
  settings.law = JointLaw::gravity;
  system.add(std::make_unique<JointController>(settings));
  const std::vector<double> x = system.initial_state(std::vector{0.0, 0.0}, std::vector{0.0, 0.0});
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  for (const double a : system.accelerations()) EXPECT_NEAR(a, 0, 1e-9);
  std::vector<double> values(system.columns().size());
  system.record(x, values);
  const double weight = -9.81 * (4 * 0.25 + 2 * 0.75);  // about +y
  for (std::size_t k = 0; k < values.size(); ++k)
    if (system.columns()[k].name == "shoulder.voltage") {
      EXPECT_NEAR(values[k], 0.6 * weight / (0.07 * -80), 1e-9);
    }
}

// gains in the drive's unit stay what they were, and an effort limit does not cut off volts
TEST(ForceCommand, PidCommandsInTheUnitOfTheDrive) {
  for (const DriveInput input : {DriveInput::voltage, DriveInput::current, DriveInput::torque}) {
    const Model m = arm();
    System system(m);
    JointControlSettings settings = law(m, JointLaw::pid);
    settings.stiffness = {1e6};
    settings.damping = {};
    system.add(std::make_unique<JointController>(settings));
    for (const char* joint : {"shoulder", "elbow"})
      system.add(std::make_unique<MotorDrive>(motor(joint, input)));
    const bool force = input == DriveInput::torque;
    EXPECT_EQ(unit_of(system, "elbow.command"), force                          ? "N m"
                                                : input == DriveInput::voltage ? "V"
                                                                               : "A");
    const std::vector<double> x =
        system.initial_state(std::vector{0.2, -0.301}, std::vector{0.0, 0.0});
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
    EXPECT_NEAR(system.commands()[1], force ? effort : 1000, 1e-6);
  }
}

TEST(ForceCommand, DifferentUnitsForOneJointAreRefused) {
  const Model m = arm();
  System system(m);
  system.add(std::make_unique<MotorDrive>(motor("elbow", DriveInput::voltage)));
  JointControlSettings first = law(m, JointLaw::pid), second = law(m, JointLaw::feedforward);
  first.name = "volts";
  second.name = "forces";
  system.add(std::make_unique<JointController>(first));
  EXPECT_TRUE(mentions(message_of([&] { system.add(std::make_unique<JointController>(second)); }),
                       {"'volts'", "'forces'", "'elbow'", "V", "input to torque"}));
}

TEST(ForceCommand, DriveWithoutANominalModelIsRefused) {
  Spec spec;
  spec.add_body("cart", 2);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  const Model m = build(spec);
  LinearActuatorSettings actuator;
  actuator.joint = "rail";
  actuator.C = {-1};
  actuator.f = {-1};
  actuator.d = {1};
  actuator.velocity_state = 0;
  JointControlSettings settings;
  settings.law = JointLaw::gravity;
  System system(m);
  system.add(std::make_unique<LinearActuator>(actuator));
  EXPECT_TRUE(mentions(message_of([&] { system.add(std::make_unique<JointController>(settings)); }),
                       {"'rail'", "cannot be asked for forces", "pid"}));
  System other(m);
  other.add(std::make_unique<JointController>(settings));
  EXPECT_TRUE(mentions(message_of([&] { other.add(std::make_unique<LinearActuator>(actuator)); }),
                       {"'rail'", "cannot be asked for forces"}));
}

// an elastic drive by volts is the same as by torque
TEST(ForceCommand, ElasticDrivesTakeForcesByVolts) {
  const auto end = [](DriveInput input) {
    const Model m = arm();
    System system(m);
    for (const char* joint : {"shoulder", "elbow"}) {
      ElasticDriveSettings settings;
      settings.joint = joint;
      settings.motor = motor(joint, input).motor;
      settings.stages = {{80.0, 1e-5, 0.01, 5000, 5}};
      settings.input = input;
      system.add(std::make_unique<ElasticDrive>(settings));
    }
    system.add(std::make_unique<JointController>(law(m, JointLaw::gravity)));
    std::vector<double> last;
    run_closed_loop(system, {0.2, -0.3}, {0, 0}, 0.3, 0.1,
                    [&](double, std::span<const double> q, std::span<const double>) {
                      last.assign(q.begin(), q.end());
                    });
    return last;
  };
  const std::vector<double> by_torque = end(DriveInput::torque),
                            by_volts = end(DriveInput::voltage);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(by_volts[k], by_torque[k], 1e-8);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
