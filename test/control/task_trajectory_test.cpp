// Task trajectories: derivatives by differences, closed forms of lines and arcs, refusals.
#include <limber/control/task_trajectory.hpp>

#include <numbers>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 six(const Motion<double>& m) {
  return Vector6{m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}

/// ω from the rate of R: Ṙ Rᵀ = ω×.
void expect_derivatives(const TaskTrajectory& path, double tolerance) {
  const double T = path.duration(), h = 1e-4 * T;
  for (int i = 1; i < 60; ++i) {
    const double t = T * i / 60;
    bool near_knot = false;
    for (const double knot : path.knots()) near_knot = near_knot || std::abs(t - knot) < 3 * h;
    if (near_knot) continue;
    const TaskMotion s = path.sample(t);
    const auto rate = [&](auto&& f) {
      const auto change = [&](double d) { return f(path.sample(t + d)) - f(path.sample(t - d)); };
      return (change(h) * 8.0 - change(2 * h)) * (1 / (12 * h));
    };
    const Mat3<double> R_dot = rate([](const TaskMotion& x) { return x.pose.R; });
    const Vec3<double> omega = vee2(R_dot * transpose(s.pose.R)) * 0.5;
    const Vec3<double> v = rate([](const TaskMotion& x) { return x.pose.p; });
    EXPECT_TRUE(near(six({omega, v}), six(s.velocity), tolerance)) << t;
    const Motion<double> a = rate([](const TaskMotion& x) { return x.velocity; });
    EXPECT_TRUE(near(six(a), six(s.acceleration), tolerance)) << t;
  }
  for (const double t : {-1.0, T + 1}) {
    EXPECT_EQ(six(path.sample(t).velocity).norm(), 0);
    EXPECT_EQ(six(path.sample(t).acceleration).norm(), 0);
  }
}

double distance(const Transform<double>& a, const Transform<double>& b) {
  return six(pose_error(a, b)).norm();
}

TEST(TaskTrajectory, LinesAreStraight) {
  Random random(1);
  const Transform<double> from = random.transform(), to = random.transform();
  for (const Law law : {Law::trapezoidal, Law::quintic}) {
    TaskMoveSettings settings;
    settings.law = law;
    settings.duration = 1.5;
    const auto line = line_trajectory(from, to, settings);
    expect_derivatives(*line, 1e-8);
    EXPECT_LT(distance(line->sample(0).pose, from), 1e-14);
    EXPECT_LT(distance(line->sample(1.5).pose, to), 1e-12);
    const Transform<double> half = line->sample(0.75).pose;
    EXPECT_LT(norm(half.p - (from.p + to.p) * 0.5), 1e-14);
    // slerp: as far from one end as from the other
    EXPECT_NEAR(norm(pose_error(from, half).angular), norm(pose_error(half, to).angular), 1e-12);
    EXPECT_NEAR(2 * norm(pose_error(from, half).angular), norm(pose_error(from, to).angular),
                1e-12);
  }
}

TEST(TaskTrajectory, LinesKeepTheirLimits) {
  const Transform<double> from, to{rotation(Vec3<double>{0, 0, 1}, 2.0), {3, 4, 0}};
  TaskMoveSettings settings;
  settings.speed = 2;
  settings.acceleration = 4;
  EXPECT_NEAR(line_trajectory(from, to, settings)->duration(), 5 / 2.0 + 2 / 4.0, 1e-12);
  settings.angular_speed = 0.5;  // 2 rad take 4 s at least: s' ≤ 1/4, s'' ≤ 4/5
  EXPECT_NEAR(line_trajectory(from, to, settings)->duration(), 4 + 0.25 / 0.8, 1e-12);
  settings.duration = 2;
  EXPECT_TRUE(mentions(message_of([&] { line_trajectory(from, to, settings); }),
                       {"2 s", "speed", "limit"}));
  EXPECT_TRUE(mentions(message_of([&] { line_trajectory(from, to, {}); }), {"duration", "limits"}));
}

TEST(TaskTrajectory, ArcsAreRound) {
  const Transform<double> from{Mat3<double>::identity(), {2, 1, 0.5}};
  const Arc arc{{1, 1, 0}, {0, 0, 2}, 1.5 * std::numbers::pi};
  TaskMoveSettings settings;
  settings.law = Law::quintic;
  settings.duration = 2;
  const auto path = arc_trajectory(from, arc, rotation(Vec3<double>{1, 0, 0}, 0.4), settings);
  expect_derivatives(*path, 1e-8);
  for (int i = 0; i <= 20; ++i) {
    const Vec3<double> p = path->sample(0.1 * i).pose.p;
    EXPECT_NEAR(std::hypot(p.x - 1, p.y - 1), 1, 1e-12);
    EXPECT_NEAR(p.z, 0.5, 1e-14);
  }
  EXPECT_LT(norm(path->sample(2).pose.p - Vec3<double>{1, 0, 0.5}), 1e-12);
  // speed = radius · angle · ṡ, at half time ṡ = 15/8 / T
  EXPECT_NEAR(norm(path->sample(1).velocity.linear), arc.angle * 15.0 / 8 / 2, 1e-12);
}

TEST(TaskTrajectory, ArcThroughThreePoints) {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Vec3<double> a = random.vec3(), b = random.vec3(), c = random.vec3();
    const Arc arc = arc_through(a, b, c);
    const double radius = norm(a - arc.center);
    EXPECT_NEAR(norm(b - arc.center), radius, 1e-9 * (1 + radius));
    EXPECT_LT(norm(arc.center + rotation(arc.axis, arc.angle) * (a - arc.center) - c),
              1e-9 * (1 + radius));
    // the middle point lies on the way: its angle is the smaller one
    const Vec3<double> start = a - arc.center, middle = b - arc.center;
    double angle = std::atan2(dot(cross(start, middle), arc.axis), dot(start, middle));
    if (angle < 0) angle += 2 * std::numbers::pi;
    EXPECT_LT(angle, arc.angle);
  }
  EXPECT_TRUE(mentions(message_of([] { arc_through({0, 0, 0}, {1, 1, 1}, {2, 2, 2}); }), {"line"}));
}

TEST(TaskTrajectory, SplinesMeetTheirPoses) {
  Random random(3);
  const std::vector<double> times{0, 0.5, 1.2, 2};
  std::vector<Transform<double>> poses;
  for (std::size_t i = 0; i < times.size(); ++i) poses.push_back(random.transform());
  for (const SplineDegree degree : {SplineDegree::cubic, SplineDegree::quintic}) {
    const auto path = task_spline(times, poses, {degree, SplineEnds::clamped, {}, {}});
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_LT(distance(path->sample(times[i]).pose, poses[i]), 1e-12);
    expect_derivatives(*path, 1e-6);
    const TaskMotion before = path->sample(1.2 - 1e-12), after = path->sample(1.2 + 1e-12);
    EXPECT_TRUE(near(six(before.acceleration), six(after.acceleration), 1e-8));
  }
  EXPECT_TRUE(mentions(message_of([&] {
                         task_spline(std::vector<double>{0, 1}, poses);
                       }),
                       {"2 times", "4 poses"}));
}

TEST(TaskTrajectory, Sequences) {
  const Transform<double> a, b{Mat3<double>::identity(), {1, 0, 0}},
      c{Mat3<double>::identity(), {1, 1, 0}};
  TaskMoveSettings settings;
  settings.duration = 1;
  const auto there = line_trajectory(a, b, settings), on = line_trajectory(b, c, settings);
  const auto path = task_sequence({{there, 0.5}, {on, 0}});
  EXPECT_NEAR(path->duration(), 2.5, 1e-15);
  EXPECT_LT(distance(path->sample(1.2).pose, b), 1e-14);
  expect_derivatives(*path, 1e-8);
  EXPECT_TRUE(mentions(message_of([&] {
                         task_sequence({{on, 0}, {there, 0}});
                       }),
                       {"segment 1", "segment 2"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         line_trajectory({Mat3<double>{}, {}}, b, settings);
                       }),
                       {"line, from", "rotation"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
