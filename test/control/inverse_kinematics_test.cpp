// Inverse kinematics against forward kinematics; paths of frames followed by joints.
#include <limber/control/follow.hpp>
#include <limber/limber.hpp>

#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Vector6 = Eigen::Matrix<double, 6, 1>;
Vector6 six(const Motion<double>& m) {
  return Vector6{m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}

std::string tool(const Model& m) { return m.body_name.back(); }

Transform<double> pose_at(const Model& m, Workspace& ws, std::span<const double> q) {
  return frame_pose(m, forward_kinematics(m, q, ws), m.frame(tool(m)));
}

TEST(InverseKinematics, FindsPosesThatForwardKinematicsGave) {
  for (const char* robot : {"puma560", "arm7"}) {
    const Model m = load(robot);
    Workspace ws(m);
    Random random(4);
    for (int i = 0; i < 25; ++i) {
      std::vector<double> q, start;
      for (int k = 0; k < m.nv; ++k) {
        const DofSpec& dof = m.dof[static_cast<std::size_t>(k)];
        const double low = std::max(dof.lower, -3.0), high = std::min(dof.upper, 3.0);
        q.push_back(random.uniform(low, high));
        start.push_back(std::clamp(q.back() + random.uniform(-0.5, 0.5), low, high));
      }
      const Transform<double> wanted = pose_at(m, ws, q);
      const auto found = inverse_kinematics(m, tool(m), wanted, start);
      ASSERT_TRUE(found.reached) << robot << " " << i << " left " << found.distance_left;
      EXPECT_LT(six(pose_error(pose_at(m, ws, found.q), wanted)).norm(), 1e-10);
      for (std::size_t k = 0; k < found.q.size(); ++k) {
        EXPECT_GE(found.q[k], m.dof[k].lower);
        EXPECT_LE(found.q[k], m.dof[k].upper);
      }
    }
  }
}

TEST(InverseKinematics, SaysHowFarAwayItStays) {
  const Model m = load("puma560");
  const std::vector<double> start{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  InverseKinematicsSettings settings;
  settings.rows = TaskRows::position;
  settings.restarts = 3;
  const auto found =
      inverse_kinematics(m, tool(m), Transform<double>::translation({5, 0, 0}), start, settings);
  EXPECT_FALSE(found.reached);
  // the arm is shorter than a metre
  EXPECT_GT(found.distance_left, 4);
  EXPECT_LT(found.distance_left, 5);
}

/// A line of the tool through the middle of its reach.
TaskTrajectoryPointer line_of(const Model& m, Workspace& ws, const std::vector<double>& q,
                              const Vec3<double>& shift, Law law) {
  const Transform<double> from = pose_at(m, ws, q);
  const Transform<double> to{rotation(Vec3<double>{0, 0.6, 0.8}, 0.5) * from.R, from.p + shift};
  TaskMoveSettings settings;
  settings.law = law;
  settings.duration = 2;
  return line_trajectory(from, to, settings);
}

void expect_followed(const Model& m, const std::vector<double>& q0, const Vec3<double>& shift,
                     Law law) {
  Workspace ws(m);
  const auto task = line_of(m, ws, q0, shift, law);
  const auto path = follow(m, tool(m), *task, q0);
  const int frame = m.frame(tool(m));
  std::vector<double> q(q0.size()), v(q0.size()), a(q0.size());
  EXPECT_NEAR(path->duration(), 2, 1e-15);
  for (int i = 0; i <= 100; ++i) {
    const double t = i / 50.0;
    path->sample(t, q, v, a);
    const TaskMotion wanted = task->sample(t);
    const Accelerations& bodies = forward_kinematics(m, q, v, a, ws);
    EXPECT_LT(six(pose_error(frame_pose(m, bodies, frame), wanted.pose)).norm(), 1e-9) << t;
    const Motion<double> velocity = frame_velocity(m, bodies, frame, Reference::world_aligned);
    EXPECT_TRUE(near(six(velocity), six(wanted.velocity), 1e-8)) << t;
    const Motion<double> acceleration =
        frame_classical_acceleration(m, bodies, frame, Reference::world_aligned);
    if (i == 100) break;  // the end is at rest
    EXPECT_TRUE(near(six(acceleration), six(wanted.acceleration), 1e-6)) << t;
  }
  // between exact points the polynomials are the way itself: v is the rate of q
  for (const double t : {0.123, 0.856, 1.789}) {
    std::vector<double> before(q.size()), after(q.size()), unused(q.size());
    const double h = 1e-5;
    path->sample(t - h, before, unused, unused);
    path->sample(t + h, after, unused, unused);
    path->sample(t, q, v, a);
    for (std::size_t k = 0; k < q.size(); ++k)
      EXPECT_NEAR((after[k] - before[k]) / (2 * h), v[k], 1e-7);
  }
}

TEST(Follow, PumaAlongALine) {
  const Model m = load("puma560");
  for (const Law law : {Law::trapezoidal, Law::quintic})
    expect_followed(m, {0.3, -0.4, -0.3, 0.5, 0.9, 0.2}, {-0.1, 0.15, 0.1}, law);
}

TEST(Follow, RedundantArmMovesWithLeastVelocity) {
  const Model m = load("arm7");
  const std::vector<double> q0{0.2, 0.5, -0.3, -1.2, 0.4, 0.8, 0.1};
  const Vec3<double> shift{-0.1, 0.05, -0.1};
  for (const Law law : {Law::trapezoidal, Law::quintic}) expect_followed(m, q0, shift, law);
  Workspace ws(m);
  const auto task = line_of(m, ws, q0, shift, Law::quintic);
  const auto path = follow(m, tool(m), *task, q0);
  std::vector<double> q(7), v(7), a(7);
  for (const double t : {0.2, 0.5, 0.7}) {
    path->sample(t, q, v, a);
    const Eigen::MatrixXd J =
        matrix(jacobian<double>(m, q, m.frame(tool(m)), Reference::world_aligned, ws));
    const Eigen::VectorXd rates = matrix(std::span<const double>(v));
    const Eigen::VectorXd least = J.transpose() * solve_definite(J * J.transpose(), J * rates);
    EXPECT_TRUE(near(rates, least, 1e-7)) << t;
  }
}

TEST(Follow, ImpossibleTasksHaveTimeAndDistance) {
  const Model m = load("puma560");
  Workspace ws(m);
  const std::vector<double> q0{0.3, -0.4, -0.3, 0.5, 0.9, 0.2};
  const Transform<double> from = pose_at(m, ws, q0);
  TaskMoveSettings settings;
  settings.duration = 1;
  const auto far = line_trajectory(from, {from.R, from.p + Vec3<double>{2, 0, 0}}, settings);
  EXPECT_TRUE(mentions(message_of([&] { follow(m, tool(m), *far, q0); }),
                       {"impossible task", "at 0.", " m ", tool(m)}));
  const auto elsewhere = constant_pose({from.R, from.p + Vec3<double>{3, 0, 0}});
  EXPECT_TRUE(mentions(message_of([&] { follow(m, tool(m), *elsewhere, q0); }),
                       {"impossible task", "at 0 s", "m and"}));
  // wrist straight: axes four and six in line
  const std::vector<double> straight{0.3, -0.4, -0.3, 0.5, 0, 0.2};
  const Transform<double> there = pose_at(m, ws, straight);
  const auto through =
      line_trajectory(there, {there.R, there.p + Vec3<double>{0, 0.1, 0}}, settings);
  EXPECT_TRUE(mentions(message_of([&] { follow(m, tool(m), *through, straight); }),
                       {"singular", "at 0 s"}));
  // a joint's range ends on the way
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints)
    if (joint.name == "waist") joint.dof().upper = 0.31;
  const Model tight = build(spec);
  const auto sideways =
      line_trajectory(from, {from.R, from.p + Vec3<double>{-0.1, 0.2, 0}}, settings);
  EXPECT_TRUE(mentions(message_of([&] { follow(tight, tool(m), *sideways, q0); }),
                       {"impossible task", "waist", "limit"}));
}

TEST(Follow, PositionAloneLeavesTheWristFree) {
  const Model m = load("puma560");
  Workspace ws(m);
  const std::vector<double> q0{0.3, -0.4, -0.3, 0.5, 0.9, 0.2};
  const Transform<double> from = pose_at(m, ws, q0);
  TaskMoveSettings settings;
  settings.law = Law::quintic;
  settings.duration = 1;
  const auto task = line_trajectory(from, {from.R, from.p + Vec3<double>{-0.1, 0.1, 0}}, settings);
  FollowSettings how;
  how.rows = TaskRows::position;
  how.joints = {"waist", "shoulder", "elbow"};
  const auto path = follow(m, tool(m), *task, q0, how);
  std::vector<double> q(6), v(6), a(6);
  path->sample(0.6, q, v, a);
  EXPECT_LT(norm(pose_at(m, ws, q).p - task->sample(0.6).pose.p), 1e-9);
  for (std::size_t k = 3; k < 6; ++k) EXPECT_EQ(q[k], q0[k]);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
