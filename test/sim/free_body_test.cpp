// A symmetric top that flies and spins without forces, against its closed form. With the
// symmetry axis e and the angular momentum L, both world vectors, the body turns with
//   ω = L/I₁ + (1/I₃ − 1/I₁)(e·L) e,   R(t) = exp(L t/I₁) R(0) exp((1/I₃ − 1/I₁)(e·L) t ẑ),
// and its centre of mass goes straight. The frame of the body lies elsewhere.
#include <cmath>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/sim/integrator.hpp>
#include <limber/sim/system.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double mass = 2, across = 0.3, along = 0.2;  // kg, kg m²

Mat3<double> turn(const Vec3<double>& vector) { return to_matrix(exp_quat(vector)); }

/// A free body whose centre of mass is at c of its frame.
Model top(const Vec3<double>& c) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("top", mass, c, {across, across, along});
  float_base(spec);
  return build(spec);
}

struct Flight {
  Vec3<double> c, omega, velocity;  // centre of mass in the frame; of the body, at the beginning

  /// x of a System with the top at rest in its neutral turn, the centre of mass at the origin.
  std::vector<double> start() const {
    const Vec3<double> v = velocity - cross(omega, c);
    return {-c.x, -c.y, -c.z, 0, 0, 0, 1, omega.x, omega.y, omega.z, v.x, v.y, v.z, 0};
  }
  /// Where the frame's origin is, and how it is turned.
  Transform<double> pose(double t) const {
    const Vec3<double> L{across * omega.x, across * omega.y, along * omega.z};
    const Mat3<double> R =
        turn(L * (t / across)) * turn({0, 0, (1 / along - 1 / across) * L.z * t});
    return {R, velocity * t - R * c};
  }
};

Flight flight() { return {{0.1, -0.05, 0.2}, {2, 1, 7}, {3, -1, 2}}; }

struct Miss {
  double distance = 0, turn = 0, momentum = 0;  // m, rad, N s
};
Miss miss_after(const std::string& method, double h, double duration, const Flight& flight) {
  System system(top(flight.c));
  const auto integrator = make_integrator({method, h});
  std::vector<double> x = flight.start();
  integrator->start(system, 0, x);
  while (integrator->t() < duration)
    if (integrator->step(duration) != StepStatus::ok) return {INFINITY, INFINITY, INFINITY};
  const std::span<const double> q = integrator->x().first(7), v = integrator->x().subspan(7, 6);
  const Transform<double> exact = flight.pose(duration);
  const Mat3<double> R = to_matrix(Quat<double>{q[3], q[4], q[5], q[6]});
  const Vec3<double> omega{v[0], v[1], v[2]}, linear{v[3], v[4], v[5]};
  const Vec3<double> there = Vec3<double>{q[0], q[1], q[2]} + R * flight.c;
  return {norm(there - (exact.p + exact.R * flight.c)),
          norm(log_quat(to_quat(exact.R * transpose(R)))),
          mass * norm(R * (linear + cross(omega, flight.c)) - flight.velocity)};
}

TEST(FreeBody, FliesStraightWhileItSpins) {
  for (const char* method : {"semi_implicit_euler", "midpoint"}) {
    SCOPED_TRACE(method);
    const Miss miss = miss_after(method, 1e-3, 10, flight());
    EXPECT_LT(miss.momentum, 1e-10);
    EXPECT_LT(miss.distance, 1e-9);
  }
}

// the closed form is that of the equations: a method of fourth order agrees with it
TEST(FreeBody, ClosedFormIsTheMotion) {
  const Miss miss = miss_after("rk4", 1e-3, 2, flight());
  EXPECT_LT(miss.distance, 1e-8);
  EXPECT_LT(miss.turn, 1e-8);
}

TEST(FreeBody, TurnsToTheOrderOfTheMethod) {
  struct Case {
    const char* method;
    double order;
  };
  for (const auto& [method, order] : {Case{"semi_implicit_euler", 1}, Case{"midpoint", 2}}) {
    SCOPED_TRACE(method);
    const double coarse = miss_after(method, 1e-3, 1, flight()).turn,
                 fine = miss_after(method, 5e-4, 1, flight()).turn;
    EXPECT_LT(coarse, 0.02);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1);
  }
}

// where the frame lies is no matter of the motion
TEST(FreeBody, MotionDoesNotDependOnTheFrame) {
  for (const char* method : {"semi_implicit_euler", "midpoint"}) {
    SCOPED_TRACE(method);
    Flight at_center = flight(), elsewhere = flight();
    at_center.c = {};
    elsewhere.c = {1, 2, -3};
    EXPECT_NEAR(miss_after(method, 5e-3, 1, at_center).turn,
                miss_after(method, 5e-3, 1, elsewhere).turn, 1e-11);
  }
}

// the joint may sit anywhere on the body
TEST(FreeBody, MomentumIsKeptWithAMovedJointFrame) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("top", mass, {0.1, 0.2, -0.3}, {across, across, along});
  spec.add_joint("root", JointKind::free, "", "top").child_placement = {turn({0.3, -0.5, 0.2}),
                                                                        {1, -2, 0.5}};
  System system(build(spec));
  const std::vector<double> q{0.3, 0.2, 0.1, 0, 0.6, 0, 0.8}, v{2, 1, 7, 3, -1, 2};
  const auto linear = [&](std::span<const double> x) {
    Workspace ws(system.model());
    return momentum<double>(system.model(), x.first(7), x.subspan(7, 6), ws).linear;
  };
  for (const char* method : {"semi_implicit_euler", "midpoint"}) {
    SCOPED_TRACE(method);
    const auto integrator = make_integrator({method, 2e-3});
    const std::vector<double> start = system.initial_state(q, v);
    integrator->start(system, 0, start);
    while (integrator->t() < 2) ASSERT_EQ(integrator->step(2), StepStatus::ok);
    EXPECT_LT(norm(linear(integrator->x()) - linear(start)), 1e-10 * norm(linear(start)));
  }
}

// a top on a ball joint in gravity keeps its angular momentum about the vertical
TEST(FreeBody, TopOnABallJointKeepsItsVerticalMomentum) {
  Spec spec;
  spec.add_body("top", 2, {0.02, 0, 0.3}, {0.1, 0.1, 0.05});
  spec.add_joint("ball", JointKind::spherical, "", "top");
  System system(build(spec));
  const std::vector<double> q{0, 0.2, 0, std::sqrt(1 - 0.04)}, v{0.5, 1, 9};
  const auto vertical = [&](std::span<const double> x) {
    Workspace ws(system.model());
    return momentum<double>(system.model(), x.first(4), x.subspan(4, 3), ws).angular.z;
  };
  const auto integrator = make_integrator({"midpoint", 5e-3});
  const std::vector<double> start = system.initial_state(q, v);
  integrator->start(system, 0, start);
  const double before = vertical(start);
  while (integrator->t() < 5) ASSERT_EQ(integrator->step(5), StepStatus::ok);
  EXPECT_NEAR(vertical(integrator->x()), before, 1e-11 * std::abs(before));
}

// --- the axes themselves, on robots of all joint kinds ---

TEST(FixedAxes, ThereAndBackWithThePowerUnchanged) {
  for_random_robots(20, [](Robot& robot) {
    const Model& m = robot.model;
    const std::size_t nv = static_cast<std::size_t>(m.nv);
    const std::span<const double> q(robot.q.data(), static_cast<std::size_t>(m.nq)),
        v(robot.v.data(), nv), p(robot.tau.data(), nv);
    std::vector<double> w(nv), back(nv), pi(p.begin(), p.end());
    to_fixed_axes(m, q, v, w);
    from_fixed_axes(m, q, w, back);
    momenta_to_fixed_axes(m, q, pi);
    double power = 0, same = 0, size = 1;
    for (std::size_t k = 0; k < nv; ++k) {
      EXPECT_NEAR(back[k], v[k], 1e-12 * (1 + std::abs(v[k])));
      power += p[k] * v[k];
      same += pi[k] * w[k];
      size += std::abs(p[k] * v[k]);
    }
    EXPECT_NEAR(same, power, 1e-11 * size);
    momenta_from_fixed_axes(m, q, pi);
    for (std::size_t k = 0; k < nv; ++k) EXPECT_NEAR(pi[k], p[k], 1e-11 * size);
  });
}

// rates against differences along the motion
TEST(FixedAxes, RatesAreDerivatives) {
  for_random_robots(20, [](Robot& robot) {
    const Model& m = robot.model;
    const std::size_t nq = static_cast<std::size_t>(m.nq), nv = static_cast<std::size_t>(m.nv);
    const std::span<const double> q(robot.q.data(), nq), v(robot.v.data(), nv),
        a(robot.a.data(), nv), p(robot.tau.data(), nv);
    const double h = 1e-5;
    std::vector<double> w_dot(nv), pi_dot(a.begin(), a.end());
    fixed_axes_rate(m, q, v, a, w_dot);
    momentum_rate_to_fixed_axes(m, q, v, p, pi_dot);  // with ṗ = a
    std::vector<double> w[2], pi[2];
    for (const int side : {0, 1}) {
      const double dt = side ? h : -h;
      std::vector<double> there(nq), mean(nv);
      for (std::size_t k = 0; k < nv; ++k) mean[k] = v[k] + a[k] * dt / 2;
      integrate(m, q, mean, dt, there);
      w[side].resize(nv);
      pi[side].resize(nv);
      std::vector<double> v_there(nv);
      for (std::size_t k = 0; k < nv; ++k) {
        v_there[k] = v[k] + a[k] * dt;
        pi[side][k] = p[k] + a[k] * dt;
      }
      to_fixed_axes(m, there, v_there, w[side]);
      momenta_to_fixed_axes(m, there, pi[side]);
    }
    for (std::size_t k = 0; k < nv; ++k) {
      EXPECT_NEAR((w[1][k] - w[0][k]) / (2 * h), w_dot[k], 1e-6 * (10 + std::abs(w_dot[k]))) << k;
      EXPECT_NEAR((pi[1][k] - pi[0][k]) / (2 * h), pi_dot[k], 1e-6 * (100 + std::abs(pi_dot[k])))
          << k;
    }
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
