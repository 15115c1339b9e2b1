// Controllers that compute with a closed mechanism: against closed forms of a four-bar linkage, and
// the error dynamics that the laws promise.
#include <gtest/gtest.h>

#include <limber/control/task_controller.hpp>
#include <limber/limber.hpp>

#include "control/closed_loop.hpp"
#include "support/four_bar.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Cut = MovingFourBar::Cut;
const MovingFourBar bars;
constexpr double theta0 = 0.7, rate0 = 3;

/// The crank from theta0 with rate0; what the reference says of the others is never used.
JointTrajectoryPointer crank_motion(const Model& m, double acceleration) {
  return quintic_trajectory(m, {{theta0, 0, 0}, {rate0, 0, 0}, {acceleration, 0, 0}},
                            {{theta0 + 1, 0, 0}, {}, {}}, 1);
}

JointControlSettings law(const Model& m, JointLaw kind, double acceleration = 0) {
  JointControlSettings settings;
  settings.name = "control";
  settings.joints = {"crank_hinge"};
  settings.law = kind;
  settings.reference = crank_motion(m, acceleration);
  settings.model = std::make_shared<const Model>(m);
  return settings;
}

std::vector<double> commands_at_start(const Model& m, const JointControlSettings& settings,
                                      double rate = rate0) {
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  const std::vector<double> x =
      system.initial_state(bars.q(Cut::tip, theta0), bars.v(Cut::tip, theta0, rate));
  EXPECT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
  return {system.commands().begin(), system.commands().end()};
}

// the loop closed by five rows (three of them redundant) and by three
TEST(ClosedModel, ForcesAreThoseOfTheClosedForm) {
  for (const auto kind : {LoopSpec::Kind::joint, LoopSpec::Kind::connect}) {
    const Model m = build(bars.spec(Cut::tip, kind));
    for (const JointLaw one :
         {JointLaw::feedforward, JointLaw::computed_torque, JointLaw::impedance}) {
      const std::vector<double> command = commands_at_start(m, law(m, one, 5));
      EXPECT_NEAR(command[0], bars.torque(theta0, rate0, 5), 1e-9);
      EXPECT_EQ(command[1], 0);
      EXPECT_EQ(command[2], 0);
    }
    const std::vector<double> hold = commands_at_start(m, law(m, JointLaw::gravity), 0);
    EXPECT_NEAR(hold[0], bars.torque(theta0, 0, 0), 1e-9);
  }
}

TEST(ClosedModel, ComputedTorqueFollowsTheReference) {
  const Model m = build(bars.spec(Cut::tip));
  JointControlSettings settings = law(m, JointLaw::computed_torque);
  settings.stiffness = {100};
  settings.damping = {14};
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  std::vector<double> q(3), v(3), a(3);
  run_closed_loop(system, bars.q(Cut::tip, theta0 - 0.1), bars.v(Cut::tip, theta0 - 0.1, rate0), 1,
                  0.1, [&](double t, auto now, auto) {
                    settings.reference->sample(t, q, v, a);
                    EXPECT_NEAR(q[0] - now[0], oscillation(10, 0.7, 0.1, 0, t), 1e-8) << t;
                  });
}

// crank and rocker both: a motion along (1, k) needs t₁ + k t₂ = T, and (1, k) T / (1 + k²) is the
// smallest; a limit of t₂ leaves the rest to t₁
TEST(ClosedModel, MoreDrivesThanFreedomsShareTheForce) {
  Spec spec = bars.spec(Cut::tip);
  const double k = bars.pose(theta0).rocker_rate, T = bars.torque(theta0, rate0, 5);
  JointControlSettings settings = law(build(spec), JointLaw::feedforward, 5);
  settings.joints = {"crank_hinge", "rocker_hinge"};
  const auto command = [&](double limit) {
    spec.joints[2].dof().effort_limit = limit;
    const Model m = build(spec);
    settings.model = std::make_shared<const Model>(m);
    // the reference of the rocker as the loop has it
    const std::vector<double> q = bars.q(Cut::tip, theta0), v = bars.v(Cut::tip, theta0, rate0);
    const double h = 1e-4,
                 k_rate = (bars.pose(theta0 + h).rocker_rate - bars.pose(theta0 - h).rocker_rate) /
                          (2 * h);
    settings.reference = quintic_trajectory(
        m, {{theta0, 0, q[2]}, {rate0, 0, v[2]}, {5, 0, 5 * k + k_rate * rate0 * rate0}},
        {{theta0, 0, q[2]}, {}, {}}, 1);
    return commands_at_start(m, settings);
  };
  const std::vector<double> free = command(HUGE_VAL);
  EXPECT_NEAR(free[0], T / (1 + k * k), 1e-5 * std::abs(T));
  EXPECT_NEAR(free[2], T * k / (1 + k * k), 1e-5 * std::abs(T));
  const double limit = std::abs(free[2]) / 2;
  const std::vector<double> limited = command(limit);
  EXPECT_NEAR(std::abs(limited[2]), limit, 1e-9);
  EXPECT_NEAR(limited[0], T - k * limited[2], 1e-5 * std::abs(T));
}

// a payload that the model carries for a while: another tree with the same loops
TEST(ClosedModel, CarriesKnownPayloads) {
  Spec heavy = bars.spec(Cut::tip);
  const Model m = build(heavy);
  JointControlSettings settings = law(m, JointLaw::gravity);
  PayloadSettings load;
  load.name = "load";
  load.frame = "rocker";
  load.inertia = Inertia<double>::from_com(4, {0.7, 0, 0}, {});
  load.from = 0, load.until = 1;
  settings.carried = {load};
  const double k = bars.pose(theta0).rocker_rate, x = bars.pose(theta0).C.x - bars.ground;
  const std::vector<double> command = commands_at_start(m, settings, 0);
  EXPECT_NEAR(command[0], bars.torque(theta0, 0, 0) + 4 * bars.g * x * k, 1e-9);
}

// the platform of the delta robot is moved by three motors through eighteen rows
TEST(ClosedModel, OperationalSpaceMovesThePlatformOfTheDeltaRobot) {
  Spec spec = load_spec("delta_robot");
  for (JointSpec& joint : spec.joints)
    for (DofSpec& dof : joint.dofs) dof.damping = dof.friction_positive = dof.friction_negative = 0;
  const Model m = build(spec);
  const std::vector<double> home = m.keyframes[0].q, rest(static_cast<std::size_t>(m.nv), 0.0);
  Workspace ws(m);
  const int tool = m.frame("tool");
  const auto pose_at = [&](std::span<const double> q) {
    return frame_pose(m, forward_kinematics<double>(m, q, ws), tool);
  };
  const Transform<double> here = pose_at(home);
  TaskMoveSettings move;
  move.law = Law::quintic;
  move.duration = 1;
  const Vec3<double> from = here.p + Vec3<double>{0.01, -0.02, 0.015};
  TaskControlSettings settings;
  settings.name = "platform";
  settings.joints = {"motor_A", "motor_B", "motor_C"};
  settings.frame = "tool";
  settings.rows = TaskRows::position;
  settings.reference =
      line_trajectory({here.R, from}, {here.R, from + Vec3<double>{-0.1, 0.05, 0}}, move);
  settings.stiffness = {100};
  settings.damping = {14};
  settings.model = std::make_shared<const Model>(m);
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  run_closed_loop(system, home, rest, 0.5, 0.1, [&](double t, auto q, auto) {
    const Vec3<double> e = settings.reference->sample(t).pose.p - pose_at(q).p;
    EXPECT_NEAR(e.x, oscillation(10, 0.7, 0.01, 0, t), 1e-7) << t;
    EXPECT_NEAR(e.y, oscillation(10, 0.7, -0.02, 0, t), 1e-7) << t;
    EXPECT_NEAR(e.z, oscillation(10, 0.7, 0.015, 0, t), 1e-7) << t;
  });
}

TEST(ClosedModel, AFrameCannotBeMovedByJointsThatTheLoopsTie) {
  const Model m = build(bars.spec(Cut::tip));
  TaskControlSettings settings;
  settings.name = "tied";
  settings.joints = {"crank_hinge", "coupler_hinge", "rocker_hinge"};
  settings.frame = "rocker";
  settings.rows = TaskRows::position;
  settings.reference = constant_pose({});
  settings.model = std::make_shared<const Model>(m);
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  const std::vector<double> x =
      system.initial_state(bars.q(Cut::tip, theta0), bars.v(Cut::tip, theta0, 0));
  EXPECT_EQ(system.evaluate(0, x), Evaluated::failed);
  EXPECT_TRUE(mentions(system.failure(), {"tied", "loops", "drive the mechanism"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
