// Motions that are given as functions of time: a prescribed joint, and time as a freedom of a joint
// of one's own.
#include <limber/dynamics/prescribed_motion.hpp>

#include <cmath>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// the pivot of a pendulum runs round an ellipse in the x-z plane
constexpr double rx = 0.4, rz = 0.25, rate = 3, length = 0.7, mass = 1.3, g = 9.81;

// Two freedoms: the angle about y, and time. Its column is the velocity of the pivot, ξ(q, t).
CustomJoint driven_pivot() {
  return custom_joint(2, 2, {rx, rz, rate}, [](auto parameters, auto q, auto v, auto& out) {
    using T = std::remove_cvref_t<decltype(out.bias.angular.x)>;
    const T a = static_cast<T>(parameters[0]), b = static_cast<T>(parameters[1]),
            w = static_cast<T>(parameters[2]), zero(0), one(1);
    T s, c, sine, cosine;
    sincos(q[0], s, c);
    sincos(w * q[1], sine, cosine);
    out.X.R = {c, zero, s, zero, one, zero, -s, zero, c};
    out.X.p = {a * cosine, zero, b * sine};
    const Vec3<T> velocity{-a * w * sine, zero, b * w * cosine},
        acceleration{-a * w * w * cosine, zero, -b * w * w * sine};
    const Vec3<T> turn{zero, v[0], zero};
    out.S[0] = {{zero, one, zero}, {}};
    out.S[1] = {{}, transpose_times(out.X.R, velocity)};
    out.bias = {
        {}, (transpose_times(out.X.R, acceleration) * v[1] - cross(turn, out.S[1].linear)) * v[1]};
  });
}

Spec time_spec() {
  Spec spec;
  spec.add_body("bob", mass, {0, 0, -length});
  spec.add_joint("pivot", JointKind::custom, "", "bob").custom = driven_pivot();
  return spec;
}

// the same with two slides below the pivot
Spec slide_spec() {
  Spec spec;
  spec.add_body("rail", 0);
  spec.add_body("carriage", 0);
  spec.add_body("bob", mass, {0, 0, -length});
  spec.add_joint("x", JointKind::prismatic, "", "rail", {1, 0, 0});
  spec.add_joint("z", JointKind::prismatic, "rail", "carriage", {0, 0, 1});
  spec.add_joint("pivot", JointKind::revolute, "carriage", "bob", {0, 1, 0});
  return spec;
}

TEST(TimeAsAFreedom, EqualsClosedFormAndPrescribedSlides) {
  const Model model = build(time_spec()), slides = build(slide_spec());
  Workspace ws(model), slide_ws(slides);
  const PrescribedMotion x(slides, "x", [](double t, auto q, auto v, auto a) {
    q[0] = rx * std::cos(rate * t);
    v[0] = -rx * rate * std::sin(rate * t);
    a[0] = -rate * rate * q[0];
  });
  const PrescribedMotion z(slides, "z", [](double t, auto q, auto v, auto a) {
    q[0] = rz * std::sin(rate * t);
    v[0] = rz * rate * std::cos(rate * t);
    a[0] = -rate * rate * q[0];
  });
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const double t = random.uniform(0, 5), angle = random.angle(), spin = random.uniform(-3, 3),
                 torque = random.uniform();
    // time runs at 1 and does not accelerate
    const std::vector<Known> known{Known::force, Known::acceleration};
    const Hybrid<double> found = hybrid_dynamics<double>(
        model, std::array{angle, t}, std::array{spin, 1.0}, known, std::array{torque, 0.0}, ws);

    VectorXd q(3), v(3), given(3);
    q << 0, 0, angle;
    v << 0, 0, spin;
    given << 0, 0, torque;
    std::vector<Known> flags(3, Known::force);
    for (const PrescribedMotion* motion : {&x, &z})
      motion->apply(t, {q.data(), 3}, {v.data(), 3}, flags, {given.data(), 3});
    EXPECT_EQ(flags, (std::vector<Known>{Known::acceleration, Known::acceleration, Known::force}));
    const Hybrid<double> expected =
        hybrid_dynamics<double>(slides, in(q), in(v), flags, in(given), slide_ws);
    EXPECT_NEAR(found.a[0], expected.a[2], 1e-12);
    EXPECT_EQ(found.a[1], 0);
    // the force of time is the power that the machine delivers
    EXPECT_NEAR(found.tau[1], expected.tau[0] * v[0] + expected.tau[1] * v[1], 1e-11);

    const double closed = (given[0] * std::cos(angle) - (g + given[1]) * std::sin(angle)) / length +
                          torque / (mass * length * length);
    EXPECT_NEAR(found.a[0], closed, 1e-12);
  }
}

TEST(PrescribedMotion, WritesOnlyItsOwnJoint) {
  Robot r(generate_tree(8, 3));
  const int body = 5;
  const PrescribedMotion motion(r.model, r.model.joint_name[body],
                                [](double t, auto q, auto v, auto a) {
                                  for (double& x : q) x = 100 + t;
                                  for (double& x : v) x = 200 + t;
                                  for (double& x : a) x = 300 + t;
                                });
  VectorXd q = r.q, v = r.v, given = r.tau;
  std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
  auto span = [](VectorXd& x) {
    return std::span<double>(x.data(), static_cast<std::size_t>(x.size()));
  };
  motion.apply(1, span(q), span(v), known, span(given));
  const auto b = static_cast<std::size_t>(body);
  for (int k = 0; k < r.model.nq; ++k) {
    const int own = k - r.model.q_index[b];
    EXPECT_EQ(q[k], 0 <= own && own < r.model.q_count[b] ? 101 : r.q[k]);
  }
  for (int k = 0; k < r.model.nv; ++k) {
    const int own = k - r.model.v_index[b];
    const bool inside = 0 <= own && own < r.model.v_count[b];
    EXPECT_EQ(v[k], inside ? 201 : r.v[k]);
    EXPECT_EQ(given[k], inside ? 301 : r.tau[k]);
    EXPECT_EQ(known[static_cast<std::size_t>(k)], inside ? Known::acceleration : Known::force);
  }
}

TEST(PrescribedMotion, RefusesWithReasons) {
  Spec spec = generate_chain(3);
  spec.joints[2].mimic = {"joint1", 2, 0};
  const Model model = build(spec);
  const PrescribedMotion::Function still = [](double, auto, auto, auto) {};
  EXPECT_TRUE(mentions(message_of([&] { PrescribedMotion(model, "joint3", still); }),
                       {"'joint3'", "follows 'joint1'"}));
  EXPECT_TRUE(mentions(message_of([&] { PrescribedMotion(model, "joint9", still); }),
                       {"no joint named 'joint9'", "did you mean"}));
  EXPECT_TRUE(
      mentions(message_of([&] { PrescribedMotion(model, "joint1", {}); }), {"'joint1'", "empty"}));
  const PrescribedMotion motion(model, "joint2", still);
  std::vector<double> two(2), three(3);
  std::vector<Known> known(2);
  EXPECT_TRUE(mentions(message_of([&] { motion.apply(0, three, two, known, two); }),
                       {"'joint2'", "have 3, 2, 2 and 2", "2, 2, 2 and 2"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
