// Control of a frame in a System, against the error dynamics that its laws promise.
#include <limber/control/task_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include "control/closed_loop.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

Spec arm_spec(const char* name) {
  Spec spec = load_spec(name);
  for (JointSpec& joint : spec.joints) {
    DofSpec& dof = joint.dof();
    dof.damping = dof.friction_positive = dof.friction_negative = 0;
    dof.lower = -HUGE_VAL, dof.upper = dof.velocity_limit = dof.effort_limit = HUGE_VAL;
  }
  return spec;
}
Model arm(const char* name) { return build(arm_spec(name)); }

const std::vector<double> puma_start{0.3, -0.4, -0.3, 0.5, 0.9, 0.2};
const std::vector<double> arm7_start{0.2, 0.5, -0.3, -1.2, 0.4, 0.8, 0.1};

struct Tool {
  explicit Tool(const Model& m) : model(m), ws(m), frame(m.frame(m.body_name.back())) {}
  Transform<double> at(std::span<const double> q) {
    return frame_pose(model, forward_kinematics(model, q, ws), frame);
  }
  const Model& model;
  Workspace ws;
  int frame;
};

/// A line from a pose that is off the tool's by a turn about z and a shift.
TaskTrajectoryPointer line_beside(Tool& tool, const std::vector<double>& q) {
  const Transform<double> here = tool.at(q);
  const Transform<double> from{rotation(Vec3<double>{0, 0, 1}, 0.2) * here.R,
                               here.p + Vec3<double>{0.02, -0.03, 0.01}};
  TaskMoveSettings settings;
  settings.law = Law::quintic;
  settings.duration = 2;
  return line_trajectory(from, {from.R, from.p + Vec3<double>{-0.1, 0.05, -0.1}}, settings);
}

void expect_decoupled(const Model& m, const std::vector<double>& q, double posture_damping,
                      const std::shared_ptr<const Model>& known = nullptr) {
  Tool tool(m);
  TaskControlSettings settings;
  settings.frame = m.body_name.back();
  settings.reference = line_beside(tool, q);
  settings.stiffness = {100};
  settings.damping = {14};
  settings.posture_damping = posture_damping;
  settings.model = known;
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  run_closed_loop(
      system, q, std::vector<double>(q.size(), 0.0), 1, 0.1, [&](double t, auto now, auto) {
        const Motion<double> e = pose_error(tool.at(now), settings.reference->sample(t).pose);
        EXPECT_NEAR(e.linear.x, oscillation(10, 0.7, 0.02, 0, t), 1e-8) << t;
        EXPECT_NEAR(e.linear.y, oscillation(10, 0.7, -0.03, 0, t), 1e-8) << t;
        EXPECT_NEAR(e.linear.z, oscillation(10, 0.7, 0.01, 0, t), 1e-8) << t;
        EXPECT_NEAR(e.angular.z, oscillation(10, 0.7, 0.2, 0, t), 1e-8) << t;
        EXPECT_NEAR(e.angular.x, 0, 1e-8);
        EXPECT_NEAR(e.angular.y, 0, 1e-8);
      });
}

TEST(TaskController, OperationalSpaceErrorsAreDecoupled) {
  expect_decoupled(arm("puma560"), puma_start, 0);
}

TEST(TaskController, KnownModelMayLackLinksThatWeighNothing) {
  // a label on the upper arm comes first in the robot's description: frames have other numbers
  // there
  Spec spec = arm_spec("puma560");
  spec.bodies.insert(spec.bodies.begin(), BodySpec{"label", {}, {}, {}});
  spec.add_joint("glue", JointKind::fixed, "link2", "label");
  std::rotate(spec.joints.begin(), spec.joints.end() - 1, spec.joints.end());
  const Model labelled = build(spec);
  const auto plain = std::make_shared<Model>(arm("puma560"));
  ASSERT_NE(labelled.frame("link6"), plain->frame("link6"));
  expect_decoupled(labelled, puma_start, 0, plain);
}

TEST(TaskController, PostureDoesNotDisturbTheTask) { expect_decoupled(arm("arm7"), arm7_start, 5); }

TEST(TaskController, PostureIsReachedWhereTheTaskLetsIt) {
  const Model m = arm("arm7");
  Tool tool(m);
  TaskControlSettings settings;
  settings.frame = m.body_name.back();
  settings.rows = TaskRows::position;
  settings.reference = constant_pose(tool.at(arm7_start));
  settings.stiffness = {100};
  settings.damping = {20};
  std::vector<double> posture = arm7_start;
  for (double& x : posture) x += 0.1;
  settings.posture = constant_trajectory(m, posture);
  settings.posture_stiffness = 100;
  settings.posture_damping = 20;
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  std::vector<double> end;
  run_closed_loop(system, arm7_start, std::vector<double>(7, 0.0), 25, 25,
                  [&](double, auto q, auto) { end.assign(q.begin(), q.end()); });
  EXPECT_LT(norm(tool.at(end).p - settings.reference->sample(0).pose.p), 1e-9);
  // at rest M (q_p − q) has no part in the null space: M (q_p − q) = Jᵀ f for some f
  const Eigen::MatrixXd J =
      matrix(jacobian<double>(m, end, tool.frame, Reference::world_aligned, tool.ws)).bottomRows(3);
  const Eigen::MatrixXd M = matrix(mass_matrix<double>(m, end, tool.ws));
  const VectorXd pull =
      M * (matrix(std::span<const double>(posture)) - matrix(std::span<const double>(end)));
  const VectorXd f = solve_definite(J * J.transpose(), J * pull);  // least squares
  EXPECT_GT(pull.norm(), 1e-3);
  EXPECT_LT((J.transpose() * f - pull).norm(), 1e-6 * pull.norm());
}

TEST(TaskController, FloatingRobotMovesItsToolAllTheSame) {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints) {
    DofSpec& dof = joint.dof();
    dof.damping = dof.friction_positive = dof.friction_negative = 0;
  }
  float_base(spec);
  spec.gravity = {};
  spec.bodies.front().inertia =
      spec.bodies.front().inertia + Inertia<double>{100, {}, {20, 20, 20, 0, 0, 0}};
  const Model m = build(spec);
  Tool tool(m);
  std::vector<double> q = neutral_position(m);
  std::copy(puma_start.begin(), puma_start.end(), q.begin() + 7);
  TaskControlSettings settings;
  settings.frame = m.body_name.back();
  settings.reference = line_beside(tool, q);
  settings.stiffness = {100};
  settings.damping = {14};
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  run_closed_loop(system, q, std::vector<double>(12, 0.0), 0.5, 0.1, [&](double t, auto now, auto) {
    const Motion<double> e = pose_error(tool.at(now), settings.reference->sample(t).pose);
    EXPECT_NEAR(e.linear.y, oscillation(10, 0.7, -0.03, 0, t), 1e-8) << t;
    EXPECT_NEAR(e.angular.z, oscillation(10, 0.7, 0.2, 0, t), 1e-8) << t;
  });
}

/// Where the tool comes to rest under a force, relative to its reference.
Motion<double> deflection(TaskControlSettings settings, const ForceHistory& push) {
  const Model m = arm("puma560");
  Tool tool(m);
  settings.law = TaskLaw::impedance;
  settings.frame = m.body_name.back();
  settings.reference = constant_pose(tool.at(puma_start));
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  system.add(std::make_unique<ExternalForce>(ExternalForceSettings{"push", settings.frame, push}));
  Motion<double> end;
  run_closed_loop(system, puma_start, std::vector<double>(6, 0.0), 20, 20,
                  [&](double, auto q, auto) {
                    end = pose_error(settings.reference->sample(0).pose, tool.at(q));
                  });
  return end;
}

TEST(TaskController, ImpedanceGivesWayByForceOverStiffness) {
  TaskControlSettings settings;
  settings.stiffness = {50, 50, 50, 400, 500, 800};
  settings.damping = {10, 100};
  ForceHistory push;
  push.constant = {{}, {8, -5, 16}};
  const Motion<double> end = deflection(settings, push);
  EXPECT_NEAR(end.linear.x, 8.0 / 400, 1e-9);
  EXPECT_NEAR(end.linear.y, -5.0 / 500, 1e-9);
  EXPECT_NEAR(end.linear.z, 16.0 / 800, 1e-9);
  EXPECT_LT(norm(end.angular), 1e-9);
  ForceHistory turn;
  turn.constant = {{0, 0, 5}, {}};
  EXPECT_NEAR(deflection(settings, turn).angular.z, 5.0 / 50, 1e-9);
}

TEST(TaskController, ImpedanceInTheAxesOfTheFrame) {
  TaskControlSettings settings;
  settings.stiffness = {50, 50, 50, 400, 500, 800};
  settings.damping = {10, 100};
  settings.axes = ForceAxes::frame;
  ForceHistory push;
  push.constant = {{}, {0, 10, 0}};
  push.axes = ForceAxes::frame;
  const Model m = arm("puma560");
  const Mat3<double> R = Tool(m).at(puma_start).R;
  const Vec3<double> there = transpose_times(R, deflection(settings, push).linear);
  EXPECT_NEAR(there.y, 10.0 / 500, 1e-9);
  EXPECT_NEAR(there.x, 0, 1e-9);
  EXPECT_NEAR(there.z, 0, 1e-9);
}

TEST(TaskController, ShapedInertiaIsFelt) {
  // m ẍ + d ẋ + k x = f: 5 kg, 20 N s/m, 500 N/m (ω = 10, ζ = 0.2) pushed by 3 N
  const Model m = arm("puma560");
  Tool tool(m);
  auto push = std::make_shared<ForceHistory>();
  push->constant = {{}, {3, 0, 0}};
  TaskControlSettings settings;
  settings.law = TaskLaw::impedance;
  settings.frame = m.body_name.back();
  settings.reference = constant_pose(tool.at(puma_start));
  settings.stiffness = {100, 500};
  settings.damping = {10, 20};
  settings.inertia = {1, 5};
  settings.measured_force = push;
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  system.add(std::make_unique<ExternalForce>(ExternalForceSettings{"push", settings.frame, *push}));
  run_closed_loop(
      system, puma_start, std::vector<double>(6, 0.0), 1, 0.1, [&](double t, auto q, auto) {
        const Motion<double> x = pose_error(settings.reference->sample(0).pose, tool.at(q));
        EXPECT_NEAR(x.linear.x, 3.0 / 500 + oscillation(10, 0.2, -3.0 / 500, 0, t), 1e-9);
        EXPECT_NEAR(x.linear.y, 0, 1e-9);
        EXPECT_LT(norm(x.angular), 1e-9);
      });
}

TEST(TaskController, RecordsItsErrors) {
  const Model m = arm("puma560");
  Tool tool(m);
  TaskControlSettings settings;
  settings.name = "hand";
  settings.frame = m.body_name.back();
  settings.reference = line_beside(tool, puma_start);
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  const auto x = system.initial_state(puma_start, std::vector<double>(6, 0.0));
  Recorder recorder(system, {});
  Recording names;
  names.columns = recorder.columns();
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  const auto row = recorder.row(system, 0, x);
  EXPECT_NEAR(row[names.column("hand.position_error")], std::sqrt(14.0) / 100, 1e-12);
  EXPECT_NEAR(row[names.column("hand.orientation_error")], 0.2, 1e-12);
  EXPECT_NEAR(row[names.column(settings.frame + ".reference.x")],
              settings.reference->sample(0).pose.p.x, 1e-15);
}

TEST(TaskController, SingularPositionsEndTheRunWithWords) {
  const Model m = arm("puma560");
  Tool tool(m);
  std::vector<double> straight = puma_start;
  straight[4] = 0;  // wrist axes in line
  TaskControlSettings settings;
  settings.frame = m.body_name.back();
  settings.reference = constant_pose(tool.at(straight));
  System system(m);
  system.add(std::make_unique<TaskController>(settings));
  const auto x = system.initial_state(straight, std::vector<double>(6, 0.0));
  EXPECT_EQ(system.evaluate(0, x), Evaluated::failed);
  EXPECT_TRUE(mentions(system.failure(), {"controller", "singular", settings.frame}));
}

TEST(TaskController, Refusals) {
  const Model m = arm("puma560");
  TaskControlSettings good;
  good.frame = m.body_name.back();
  good.reference = constant_pose({});
  const auto message = [&](auto&& change) {
    TaskControlSettings settings = good;
    change(settings);
    return message_of([&] { System(m).add(std::make_unique<TaskController>(settings)); });
  };
  EXPECT_EQ(message([](auto&) {}), no_error);
  EXPECT_TRUE(mentions(message([](auto& s) { s.reference = nullptr; }), {"reference"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.frame = "link7"; }), {"link7", "did you mean"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.stiffness = {1, 2, 3}; }), {"stiffness", "6"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.inertia = {1}; }), {"inertia", "measured_force"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.joints = {"waist", "elbow"}; }), {"rows", "2"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.posture_stiffness = 1; }), {"posture"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
