// Robots whose equations of motion stand in every textbook.
#include <cmath>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81;

// a robot and two ways to ask it
struct Asked {
  Model model;
  Workspace ws;
  explicit Asked(const Spec& spec) : model(build(spec)), ws(model) {}
  VectorXd tau(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    return matrix(inverse_dynamics(model, in(q), in(v), in(a), ws));
  }
  VectorXd acceleration(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
    return matrix(forward_dynamics(model, in(q), in(v), in(tau), ws));
  }
};

VectorXd vec(std::initializer_list<double> x) {
  return matrix(std::span<const double>(x.begin(), x.size()));
}

TEST(ClosedForms, Pendulum) {
  const double m = 1.7, l = 0.6, inertia = 0.3;
  Spec spec;
  spec.add_body("bob", m, {0, 0, -l}, Sym3<double>::diagonal(0.1, inertia, 0.2));
  spec.add_joint("pivot", JointKind::revolute, "", "bob", {0, 1, 0},
                 Transform<double>::translation({0.3, 0.2, 0.1}));
  Asked pendulum(spec);
  for (const double q : {0.0, 0.4, 1.5, -2.9})
    for (const double v : {0.0, 3.0}) {
      const double about_pivot = inertia + m * l * l, weight = m * g * l * std::sin(q);
      EXPECT_TRUE(near(pendulum.tau(vec({q}), vec({v}), vec({2.0})),
                       vec({2 * about_pivot + weight}), 1e-13));
      EXPECT_TRUE(near(pendulum.acceleration(vec({q}), vec({v}), vec({0.5})),
                       vec({(0.5 - weight) / about_pivot}), 1e-13));
    }
}

// point masses m1, m2 on rods l1, l2; the second angle is relative to the first rod
TEST(ClosedForms, DoublePendulum) {
  const double m1 = 1.2, m2 = 0.7, l1 = 0.8, l2 = 0.5;
  Spec spec;
  spec.add_body("upper", m1, {0, 0, -l1});
  spec.add_body("lower", m2, {0, 0, -l2});
  spec.add_joint("shoulder", JointKind::revolute, "", "upper", {0, 1, 0});
  spec.add_joint("elbow", JointKind::revolute, "upper", "lower", {0, 1, 0},
                 Transform<double>::translation({0, 0, -l1}));
  Asked pendulum(spec);
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const double q1 = random.angle(), q2 = random.angle();
    const double v1 = random.uniform(-3, 3), v2 = random.uniform(-3, 3);
    const double a1 = random.uniform(-3, 3), a2 = random.uniform(-3, 3);
    const double k = m2 * l1 * l2;
    const double M11 = (m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2 * k * std::cos(q2);
    const double M12 = m2 * l2 * l2 + k * std::cos(q2), M22 = m2 * l2 * l2;
    const double lower_weight = m2 * g * l2 * std::sin(q1 + q2);
    const double bias1 = -k * std::sin(q2) * (2 * v1 * v2 + v2 * v2) +
                         (m1 + m2) * g * l1 * std::sin(q1) + lower_weight;
    const double bias2 = k * std::sin(q2) * v1 * v1 + lower_weight;
    const VectorXd tau = vec({M11 * a1 + M12 * a2 + bias1, M12 * a1 + M22 * a2 + bias2});
    EXPECT_TRUE(near(pendulum.tau(vec({q1, q2}), vec({v1, v2}), vec({a1, a2})), tau, 1e-13));
    EXPECT_TRUE(
        near(pendulum.acceleration(vec({q1, q2}), vec({v1, v2}), tau), vec({a1, a2}), 1e-11));
  }
}

// a cart on rails along x and a pole that stands up at zero angle
TEST(ClosedForms, CartPole) {
  const double cart = 2.5, m = 0.4, l = 0.9;
  Spec spec;
  spec.add_body("cart", cart, {0, 0.1, 0.2}, Sym3<double>::identity());
  spec.add_body("pole", m, {0, 0, l});
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  spec.add_joint("hinge", JointKind::revolute, "cart", "pole", {0, 1, 0},
                 Transform<double>::translation({0, 0, 0.3}));
  Asked robot(spec);
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const double x = random.uniform(), q = random.angle(), v = random.uniform(),
                 w = random.uniform(-4, 4);
    const double force = random.uniform(-5, 5);
    // from (cart + m) ẍ + m l (θ̈ cos − θ̇² sin) = force and ẍ cos + l θ̈ = g sin
    const double s = std::sin(q), c = std::cos(q);
    const double turn =
        (g * s - c * (force + m * l * w * w * s) / (cart + m)) / (l * (1 - m * c * c / (cart + m)));
    const double slide = (force + m * l * (w * w * s - turn * c)) / (cart + m);
    EXPECT_TRUE(near(robot.acceleration(vec({x, q}), vec({v, w}), vec({force, 0})),
                     vec({slide, turn}), 1e-12));
  }
}

// Euler's equations, and the centre of mass falls freely
TEST(ClosedForms, FreeBody) {
  const double m = 2, A = 1, B = 2, C = 2.5;
  Spec spec;
  spec.add_body("stone", m, {}, Sym3<double>::diagonal(A, B, C));
  spec.add_joint("free", JointKind::free, "", "stone");
  Asked stone(spec);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Quat<double> turn = random.quat();
    const Vector3d w = plain(random.vec3(3)), u = plain(random.vec3(3)), n = plain(random.vec3(3));
    const Eigen::Matrix3d R = Eigen::Quaterniond(turn.w, turn.x, turn.y, turn.z).toRotationMatrix();
    VectorXd q(7), v(6), tau(6), expected(6);
    q << 1, 2, 3, turn.x, turn.y, turn.z, turn.w;
    v << w, u;
    tau << n, 0, 0, 0;
    // the velocity is told in the body's axes: its components also change by the turn of the axes
    const Vector3d fall = R.transpose() * Vector3d(0, 0, -g) - w.cross(u);
    expected << (n.x() - (C - B) * w.y() * w.z()) / A, (n.y() - (A - C) * w.z() * w.x()) / B,
        (n.z() - (B - A) * w.x() * w.y()) / C, fall;
    EXPECT_TRUE(near(stone.acceleration(q, v, tau), expected, 1e-13));
  }
}

// a symmetric top in steady precession: m g l = Ω (C ω₃ − A Ω cos θ)
TEST(ClosedForms, SpinningTop) {
  const double m = 0.5, l = 0.12, A = 0.02, C = 0.003;  // A, C about the tip
  Spec spec;
  spec.add_body("top", m, {0, 0, l}, Sym3<double>::diagonal(A - m * l * l, A - m * l * l, C));
  spec.add_joint("tip", JointKind::spherical, "", "top");
  Asked top(spec);
  for (const double tilt : {0.2, 0.7, 1.3, 2.0})
    for (const double precession : {0.8, 3.0, -2.0}) {
      const double axial = (m * g * l / precession + A * precession * std::cos(tilt)) / C;
      const double spin = axial - precession * std::cos(tilt);
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(tilt, Vector3d(0.6, 0.8, 0)) *
                                    Eigen::AngleAxisd(0.4, Vector3d::UnitZ()));
      const Vector3d up = turn.conjugate() * Vector3d::UnitZ(), axis = Vector3d::UnitZ();
      const Vector3d w = precession * up + spin * axis;
      // seen from the top, the vertical turns backwards with the spin
      const Vector3d rate = -precession * spin * axis.cross(up);
      const VectorXd found =
          top.acceleration(vec({turn.x(), turn.y(), turn.z(), turn.w()}), w, VectorXd::Zero(3));
      EXPECT_TRUE(near(found, rate, 1e-11));
    }
}

// a torque-free asymmetric body keeps energy and momentum to first order in time
TEST(ClosedForms, FreeBodyConserves) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("stone", 2, {0.1, 0.2, 0.3}, Sym3<double>::diagonal(1, 2, 2.5));
  spec.add_joint("free", JointKind::free, "", "stone");
  Robot r(spec, 5);
  const VectorXd a = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws));
  const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
  // M is constant in the body's axes
  EXPECT_NEAR(r.v.dot(M * a), 0, 1e-12);
}

// screw under gravity: (m h² + I) q̈ = −m g h for a vertical axis and a centred body
TEST(ClosedForms, HelicalJoint) {
  const double m = 3, h = 0.07, inertia = 0.4;
  Spec spec;
  spec.add_body("nut", m, {}, Sym3<double>::diagonal(0.3, 0.3, inertia));
  spec.add_joint("thread", JointKind::helical, "", "nut").pitch = h;
  Asked nut(spec);
  EXPECT_TRUE(near(nut.acceleration(vec({0.3}), vec({2}), vec({0})),
                   vec({-m * g * h / (m * h * h + inertia)}), 1e-13));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
