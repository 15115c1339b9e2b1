// Joint trajectories: derivatives by differences, ends, closed forms, refusals.
#include <limber/control/joint_trajectory.hpp>
#include <limber/limber.hpp>
#include <limber/model/variables.hpp>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

struct Sample {
  VectorXd q, v, a;
};

Sample sample(const Model& m, const JointTrajectory& trajectory, double t) {
  Sample s{VectorXd(m.nq), VectorXd(m.nv), VectorXd(m.nv)};
  const auto out = [](VectorXd& x) {
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
  };
  trajectory.sample(t, out(s.q), out(s.v), out(s.a));
  return s;
}

/// v belongs to the rate of q, a to that of v, by central differences of fourth order.
void expect_derivatives(const Model& m, const JointTrajectory& trajectory,
                        const std::vector<double>& knots, double tolerance) {
  const double T = trajectory.duration(), h = 1e-4 * T;
  for (int i = 1; i < 60; ++i) {
    const double t = T * i / 60;
    bool near_knot = false;
    for (const double knot : knots) near_knot = near_knot || std::abs(t - knot) < 3 * h;
    if (near_knot) continue;
    const Sample s = sample(m, trajectory, t);
    const auto rate = [&](VectorXd Sample::*part) -> VectorXd {
      const auto change = [&](double d) -> VectorXd {
        return sample(m, trajectory, t + d).*part - sample(m, trajectory, t - d).*part;
      };
      return (8 * change(h) - change(2 * h)) / (12 * h);
    };
    VectorXd q_dot(m.nq);
    position_rate(m, in(s.q), in(s.v), {q_dot.data(), static_cast<std::size_t>(m.nq)});
    EXPECT_TRUE(near(rate(&Sample::q), q_dot, tolerance)) << "q at " << t;
    EXPECT_TRUE(near(rate(&Sample::v), s.a, tolerance)) << "v at " << t;
  }
}

void expect_rest_outside(const Model& m, const JointTrajectory& trajectory) {
  const double T = trajectory.duration();
  for (const double t : {-0.5, T + 0.5}) {
    const Sample outside = sample(m, trajectory, t), end = sample(m, trajectory, t < 0 ? 0 : T);
    EXPECT_TRUE(near(outside.q, end.q, 0));
    EXPECT_EQ(outside.v.norm(), 0);
    EXPECT_EQ(outside.a.norm(), 0);
  }
}

/// A robot with every kind of joint, and positions of it.
Model every_joint() { return load("every_joint"); }
/// `part`: of the range of each freedom, or of 1.
std::vector<double> position(const Model& m, std::uint64_t seed, double part = 0.9) {
  Random random(seed);
  std::vector<double> q = neutral_position(m), step(static_cast<std::size_t>(m.nv));
  for (std::size_t k = 0; k < step.size(); ++k) {
    const double room = std::min({1.0, m.dof[k].upper, -m.dof[k].lower});
    step[k] = part * random.uniform(-room, room);
  }
  integrate(m, q, step, 1, q);
  return q;
}
VectorXd eigen(const std::vector<double>& x) { return matrix(std::span<const double>(x)); }

TEST(JointTrajectory, PointToPointRunsStraight) {
  const Model m = every_joint();
  const auto from = position(m, 1), to = position(m, 2);
  for (const Law law : {Law::trapezoidal, Law::quintic}) {
    MoveSettings settings;
    settings.law = law;
    settings.duration = 2;
    const auto path = point_to_point(m, from, to, settings);
    expect_derivatives(m, *path, {0.5, 1.5}, 1e-8);
    expect_rest_outside(m, *path);
    EXPECT_TRUE(near(sample(m, *path, 0).q, eigen(from), 1e-14));
    VectorXd gap(m.nv);
    difference(m, in(sample(m, *path, 2).q), to, {gap.data(), static_cast<std::size_t>(m.nv)});
    EXPECT_LT(gap.norm(), 1e-12);
    // half of the way at half of the time, by symmetry, along the geodesic
    std::vector<double> step(static_cast<std::size_t>(m.nv)), half(from.size());
    difference(m, from, to, step);
    integrate(m, from, step, 0.5, half);
    EXPECT_TRUE(near(sample(m, *path, 1).q, eigen(half), 1e-12));
  }
}

TEST(JointTrajectory, PointToPointIsSynchronisedAndKeepsLimits) {
  const Model m = load("puma560");
  const std::vector<double> from(6, 0.0), to{1, -0.5, 0.2, 0, 0.7, -0.1};
  MoveSettings settings;
  settings.velocity_limits = {0.8};
  settings.acceleration_limits = {2};
  const auto path = point_to_point(m, from, to, settings);
  // the longest way, 1 rad, needs 1/0.8 + 0.8/2
  EXPECT_NEAR(path->duration(), 1 / 0.8 + 0.8 / 2, 1e-12);
  VectorXd fastest = VectorXd::Zero(6);
  for (int i = 0; i <= 1000; ++i)
    fastest = fastest.cwiseMax(sample(m, *path, path->duration() * i / 1000).v.cwiseAbs());
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(fastest[k], 0.8 * std::abs(to[static_cast<std::size_t>(k)]), 1e-12);
}

TEST(JointTrajectory, PointToPointRefusals) {
  const Model m = load("puma560");
  const std::vector<double> from(6, 0.0), to{1, -0.5, 0.2, 0, 0.7, -0.1}, beyond{0, 0, 3, 0, 0, 0};
  MoveSettings settings;
  EXPECT_TRUE(mentions(message_of([&] { point_to_point(m, from, to, settings); }), {"duration"}));
  settings.duration = 1;
  settings.velocity_limits = {0.5};
  EXPECT_TRUE(mentions(message_of([&] { point_to_point(m, from, to, settings); }),
                       {"waist", "1 s", "0.5", "speed"}));
  EXPECT_TRUE(mentions(message_of([&] { point_to_point(m, from, beyond, settings); }),
                       {"elbow", "3 rad", "limits"}));
  settings.velocity_limits = {1, 2};
  EXPECT_TRUE(mentions(message_of([&] { point_to_point(m, from, to, settings); }),
                       {"velocity_limits", "2 numbers", "6"}));
}

TEST(JointTrajectory, QuinticTakesBothEnds) {
  const Model m = every_joint();
  Random random(3);
  JointMotion from{position(m, 4), {}, {}}, to{position(m, 5), {}, {}};
  for (auto* numbers : {&from.v, &from.a, &to.v, &to.a})
    for (int k = 0; k < m.nv; ++k) numbers->push_back(random.uniform(-0.2, 0.2));
  const auto path = quintic_trajectory(m, from, to, 1.5);
  const Sample first = sample(m, *path, 0), last = sample(m, *path, 1.5);
  EXPECT_TRUE(near(first.v, eigen(from.v), 1e-12));
  EXPECT_TRUE(near(first.a, eigen(from.a), 1e-12));
  EXPECT_TRUE(near(last.v, eigen(to.v), 1e-11));
  EXPECT_TRUE(near(last.a, eigen(to.a), 1e-11));
  VectorXd gap(m.nv);
  difference(m, in(last.q), to.q, {gap.data(), static_cast<std::size_t>(m.nv)});
  EXPECT_LT(gap.norm(), 1e-12);
  expect_derivatives(m, *path, {}, 1e-8);
  expect_rest_outside(m, *path);
}

TEST(JointTrajectory, SplinesMeetTheirWayPointsAndAreSmooth) {
  const Model m = every_joint();
  const std::vector<double> times{0, 0.4, 1.1, 1.5, 2.4};
  std::vector<std::vector<double>> points;
  for (std::uint64_t i = 0; i < times.size(); ++i) points.push_back(position(m, 10 + i, 0.3));
  for (const SplineDegree degree : {SplineDegree::cubic, SplineDegree::quintic})
    for (const SplineEnds ends : {SplineEnds::clamped, SplineEnds::natural}) {
      const auto path = spline_trajectory(m, times, points, {degree, ends, {}, {}});
      for (std::size_t i = 0; i < times.size(); ++i) {
        VectorXd gap(m.nv);
        difference(m, in(sample(m, *path, times[i]).q), points[i],
                   {gap.data(), static_cast<std::size_t>(m.nv)});
        EXPECT_LT(gap.norm(), 1e-12);
      }
      expect_derivatives(m, *path, times, 1e-7);
      expect_rest_outside(m, *path);
      for (std::size_t i = 1; i + 1 < times.size(); ++i) {
        const Sample before = sample(m, *path, times[i] - 1e-12),
                     after = sample(m, *path, times[i] + 1e-12);
        EXPECT_TRUE(near(before.v, after.v, 1e-9));
        EXPECT_TRUE(near(before.a, after.a, 1e-8));
      }
      if (ends == SplineEnds::natural) continue;
      EXPECT_LT(sample(m, *path, 0).v.norm() + sample(m, *path, times.back()).v.norm(), 1e-10);
    }
}

/// One prismatic joint, to look at splines as plain functions.
Model slider() {
  Spec spec;
  spec.add_body("cart", 1);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  return build(spec);
}

TEST(JointTrajectory, CubicSplineReproducesCubics) {
  const Model m = slider();
  const auto f = [](double t) { return 0.3 - 0.5 * t + 0.7 * t * t - 0.2 * t * t * t; };
  const std::vector<double> times{0, 0.3, 1, 1.2, 2};
  std::vector<std::vector<double>> points;
  for (const double t : times) points.push_back({f(t)});
  const auto path = spline_trajectory(
      m, times, points, {SplineDegree::cubic, SplineEnds::clamped, {-0.5}, {-0.5 + 2.8 - 2.4}});
  for (int i = 0; i <= 50; ++i) {
    const double t = 2.0 * i / 50;
    const Sample s = sample(m, *path, t);
    EXPECT_NEAR(s.q[0], f(t), 1e-12);
    EXPECT_NEAR(s.v[0], -0.5 + 1.4 * t - 0.6 * t * t, 1e-11);
    EXPECT_NEAR(s.a[0], 1.4 - 1.2 * t, 1e-11);
  }
}

TEST(JointTrajectory, QuinticSplineReproducesItsPolynomialAndIsSmoothToTheFourthDerivative) {
  const Model m = slider();
  // at rest and without acceleration at both ends: the clamped spline must be this very polynomial
  const auto f = [](double t) { return t * t * t * (10 - 15 * t + 6 * t * t); };
  const std::vector<double> times{0, 0.2, 0.5, 0.9, 1};
  std::vector<std::vector<double>> points;
  for (const double t : times) points.push_back({f(t)});
  const auto exact =
      spline_trajectory(m, times, points, {SplineDegree::quintic, SplineEnds::clamped, {}, {}});
  for (int i = 0; i <= 50; ++i) {
    const double t = i / 50.0;
    EXPECT_NEAR(sample(m, *exact, t).q[0], f(t), 1e-12);
    EXPECT_NEAR(sample(m, *exact, t).a[0], 60 * t * (1 - t) * (1 - 2 * t), 1e-9);
  }
  // any values: third and fourth derivatives by differences of the acceleration on both sides
  const auto path = spline_trajectory(m, times, {{0}, {1}, {-0.5}, {0.2}, {0.6}},
                                      {SplineDegree::quintic, SplineEnds::natural, {}, {}});
  const auto a = [&](double t) { return sample(m, *path, t).a[0]; };
  const double h = 1e-3;
  for (const double knot : {0.2, 0.5, 0.9}) {
    // a is a cubic on each side: one-sided differences of four values are exact
    const auto third = [&](double d) {
      return (-11 * a(knot) + 18 * a(knot + d) - 9 * a(knot + 2 * d) + 2 * a(knot + 3 * d)) /
             (6 * d);
    };
    const auto fourth = [&](double d) {
      return (2 * a(knot) - 5 * a(knot + d) + 4 * a(knot + 2 * d) - a(knot + 3 * d)) / (d * d);
    };
    EXPECT_TRUE(near(third(h), third(-h), 1e-8)) << third(h) << " " << third(-h);
    EXPECT_TRUE(near(fourth(h), fourth(-h), 1e-5)) << fourth(h) << " " << fourth(-h);
  }
}

TEST(JointTrajectory, NaturalCubicHasNoAccelerationAtItsEnds) {
  const Model m = slider();
  const auto path = spline_trajectory(m, std::vector<double>{0, 1, 2.5}, {{0}, {1}, {0}},
                                      {SplineDegree::cubic, SplineEnds::natural, {}, {}});
  EXPECT_NEAR(sample(m, *path, 0).a[0], 0, 1e-12);
  EXPECT_NEAR(sample(m, *path, 2.5).a[0], 0, 1e-12);
}

TEST(JointTrajectory, SplineRefusals) {
  const Model m = load("puma560");
  const std::vector<double> zero(6, 0.0), far{0, 0, 3, 0, 0, 0};
  std::vector<double> near_limit = zero;
  near_limit[2] = 2.3;  // the elbow's limit is 135° = 2.356
  const auto message = [&](std::vector<double> times, std::vector<std::vector<double>> points) {
    return message_of([&] { spline_trajectory(m, times, points); });
  };
  EXPECT_TRUE(mentions(message({0, 1, 1}, {zero, zero, zero}), {"increase", "1 s", "way-point 3"}));
  EXPECT_TRUE(mentions(message({0, 1}, {zero, far}), {"way-point 2", "1 s", "elbow", "2.356"}));
  EXPECT_TRUE(mentions(message({0.5, 1}, {zero, zero}), {"first time", "0.5"}));
  EXPECT_TRUE(mentions(message({0}, {zero}), {"two"}));
  // way-points are fine, but the curve swings over
  EXPECT_TRUE(mentions(message({0, 1, 2, 3}, {zero, near_limit, near_limit, zero}),
                       {"at 1", "elbow", "limits"}));
  std::vector<std::vector<double>> short_point{zero, {0, 1}};
  EXPECT_TRUE(mentions(message({0, 1}, short_point), {"2 numbers", "6"}));
}

TEST(JointTrajectory, SpeedLimitsOfTheModelHold) {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints) joint.dof().velocity_limit = 0.5;
  const Model m = build(spec);
  const std::vector<double> zero(6, 0.0), there{0, 0, 1, 0, 0, 0};
  EXPECT_TRUE(mentions(message_of([&] {
                         spline_trajectory(m, std::vector<double>{0, 1}, {zero, there});
                       }),
                       {"elbow", "0.5", "rad/s", "at "}));
  MoveSettings settings;
  settings.law = Law::quintic;  // by the model's speeds alone
  EXPECT_NEAR(point_to_point(m, zero, there, settings)->duration(), 15.0 / 8 / 0.5, 1e-12);
}

TEST(JointTrajectory, FunctionsAndConstants) {
  const Model m = slider();
  const auto swing = function_trajectory(m, 2, [](double t, auto q, auto v, auto a) {
    q[0] = std::sin(t), v[0] = std::cos(t), a[0] = -std::sin(t);
  });
  expect_derivatives(m, *swing, {}, 1e-9);
  expect_rest_outside(m, *swing);
  const auto still = constant_trajectory(m, std::vector<double>{0.4});
  EXPECT_EQ(sample(m, *still, 5).q[0], 0.4);
  EXPECT_EQ(sample(m, *still, 5).v[0], 0);
  EXPECT_TRUE(mentions(message_of([&] { function_trajectory(m, 1, {}); }), {"empty"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         function_trajectory(m, 1, [](double, auto q, auto, auto) { q[0] = NAN; });
                       }),
                       {"at 0 s", "q"}));
}

TEST(JointTrajectory, SequencesDwellBetweenTheirSteps) {
  const Model m = load("puma560");
  const std::vector<double> a(6, 0.0), b{0.5, 0.2, -0.3, 0.1, 0, 0.4}, c(6, 0.1);
  MoveSettings settings;
  settings.duration = 1;
  const auto there = point_to_point(m, a, b, settings), on = point_to_point(m, b, c, settings);
  const auto path = sequence_trajectory(m, {{there, 0.5}, {on, 0.25}});
  EXPECT_NEAR(path->duration(), 2.75, 1e-14);
  EXPECT_TRUE(near(sample(m, *path, 1.3).q, eigen(b), 1e-14));
  EXPECT_EQ(sample(m, *path, 1.3).v.norm(), 0);
  EXPECT_TRUE(near(sample(m, *path, 2.0).q, sample(m, *on, 0.5).q, 1e-14));
  EXPECT_TRUE(near(sample(m, *path, 2.7).q, eigen(c), 1e-14));
  expect_derivatives(m, *path, {0.25, 0.75, 1, 1.5, 1.75, 2.25, 2.5}, 1e-8);
  EXPECT_TRUE(mentions(message_of([&] {
                         sequence_trajectory(m, {{there, 0}, {there, 0}});
                       }),
                       {"1 s", "segments 1 and 2", "waist", "-0.5"}));
  JointMotion still{a, {}, {}}, moving{b, {0, 0.3, 0, 0, 0, 0}, {}};
  const auto fast = quintic_trajectory(m, still, moving, 1);
  EXPECT_TRUE(mentions(message_of([&] {
                         sequence_trajectory(m, {{fast, 0.1}, {on, 0}});
                       }),
                       {"speed", "shoulder", "0.3"}));
  EXPECT_TRUE(mentions(message_of([&] { sequence_trajectory(m, {}); }), {"no segments"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
