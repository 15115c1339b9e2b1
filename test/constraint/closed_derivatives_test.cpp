// Derivatives with loops against differences of forward dynamics; the linear system of a four-bar
// against differences along its closed form, of the bicycle against published eigenvalues.
#include <limber/constraint/closed_derivatives.hpp>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <limber/constraint/loop_analysis.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "support/message.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(const reference::Matrix<double>& A) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(A.data.data(), A.rows,
                                                                          A.columns);
}

/// f′ to fourth order.
template <class F>
VectorXd difference_of(F&& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

TEST(ClosedDerivatives, AgreeWithDifferencesOfForwardDynamics) {
  int redundant = 0;
  for (int seed = 1; seed <= share_of(40); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    if (c.robot.model.nv > 30 || c.closed->solver.rank < c.mechanism->rows) continue;
    if (seed % 3 == 0) c.add_loops({c.loops[0]}), ++redundant;
    const Robot& r = c.robot;
    const int nv = r.model.nv;
    const ClosedDerivatives d = closed_forward_dynamics_derivatives(*c.mechanism, 0, in(r.q),
                                                                    in(r.v), in(r.tau), *c.closed);
    const auto all = [&](const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
      VectorXd x(nv + c.mechanism->rows);
      x << matrix(
          closed_forward_dynamics<double>(*c.mechanism, 0, in(q), in(v), in(tau), *c.closed)),
          matrix(c.closed->solver.force);
      return x;
    };
    MatrixXd with_q(nv + c.mechanism->rows, nv), with_v = with_q, with_tau = with_q;
    for (int k = 0; k < nv; ++k) {
      const VectorXd unit = VectorXd::Unit(nv, k);
      with_q.col(k) = difference_of(
          [&](double h) {
            VectorXd q = r.q;
            const VectorXd step = unit * h;
            integrate<double>(r.model, in(r.q), in(step), 1,
                              {q.data(), static_cast<std::size_t>(q.size())});
            return all(q, r.v, r.tau);
          },
          1e-4);
      with_v.col(k) = difference_of([&](double h) { return all(r.q, r.v + unit * h, r.tau); }, 0.1);
      with_tau.col(k) = difference_of([&](double h) { return all(r.q, r.v, r.tau + unit * h); }, 1);
    }
    EXPECT_TRUE(near(dense(d.a_q), with_q.topRows(nv), 1e-6));
    EXPECT_TRUE(near(dense(d.a_v), with_v.topRows(nv), 1e-8));
    EXPECT_TRUE(near(dense(d.a_tau), with_tau.topRows(nv), 1e-8));
    if (seed % 3 != 0) {
      EXPECT_TRUE(near(dense(d.force_q), with_q.bottomRows(c.mechanism->rows), 1e-6));
      EXPECT_TRUE(near(dense(d.force_v), with_v.bottomRows(c.mechanism->rows), 1e-7));
    }
    EXPECT_TRUE(near(dense(d.force_tau), with_tau.bottomRows(c.mechanism->rows), 1e-7));
    if (HasFailure()) return;
  }
  EXPECT_GE(redundant, share_of(40) / 20);
}

// θ̈ = f(θ, θ̇, tau) of the crank, along the closed form of the positions
TEST(ClosedLinearization, FourBarIsThatOfItsCrank) {
  const FourBar bar;
  Mechanism m(build(bar.tree()));
  m.add(bar.loop(LoopSpec::Kind::joint));  // with redundant rows
  ClosedDynamics closed(m);
  const auto position = [&](double angle) -> VectorXd {
    return Eigen::Map<const VectorXd>(bar.position(angle).data(), 3);
  };
  const auto velocity = [&](double angle, double rate) -> VectorXd {
    return difference_of([&](double h) { return position(angle + h); }, 1e-3) * rate;
  };
  const auto f = [&](double angle, double rate, const VectorXd& tau) {
    const VectorXd q = position(angle), v = velocity(angle, rate);
    return matrix(closed_forward_dynamics<double>(m, 0, in(q), in(v), in(tau), closed))[0];
  };
  const auto slope = [&](const auto& g, double h) {
    return (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
  };
  const double angle = 1.3, rate = 2.1;
  const VectorXd q = position(angle), v = velocity(angle, rate);
  const VectorXd tau = (VectorXd(3) << 1, -2, 3).finished();
  const ClosedLinearization found = linearize(m, 0, in(q), in(v), in(tau), {{0}, {0}}, closed);
  EXPECT_EQ(found.states, (std::vector<std::string>{"crank", "crank rate"}));
  MatrixXd A(2, 2), B = MatrixXd::Zero(2, 3);
  A << 0, 1, slope([&](double h) { return f(angle + h, rate, tau); }, 1e-3),
      slope([&](double h) { return f(angle, rate + h, tau); }, 1e-2);
  for (int k = 0; k < 3; ++k)
    B(1, k) = slope([&](double h) { return f(angle, rate, tau + VectorXd::Unit(3, k) * h); }, 1);
  EXPECT_TRUE(near(dense(found.A), A, 1e-8));
  EXPECT_TRUE(near(dense(found.B), B, 1e-8));
  // chosen by itself: the same eigenvalues at rest, as coordinates do not matter there
  const VectorXd rest = VectorXd::Zero(3);
  const ClosedLinearization crank = linearize(m, 0, in(q), in(rest), in(rest), {{0}, {0}}, closed),
                            rocker = linearize(m, 0, in(q), in(rest), in(rest), {{2}, {2}}, closed);
  EXPECT_EQ(crank.A.rows, rocker.A.rows);
}

// the benchmark bicycle in its own axes: x ahead, z down
Mechanism bicycle() {
  const double w = 1.02, c = 0.08, tilt = M_PI / 10, rear = 0.3, front = 0.35;
  Spec spec;
  spec.name = "bicycle";
  spec.gravity = {0, 0, 9.81};
  for (const char* name : {"x", "y", "z", "yaw", "lean"})
    spec.add_body(name, 0), spec.bodies.back().is_between_joints = true;
  const Sym3<double> frame{9.2, 11, 2.8, 0, 2.4, 0}, bar{0.05892, 0.06, 0.00708, 0, -0.00756, 0};
  spec.add_body("frame", 85, {0.3, 0, -0.9 + rear}, frame);
  spec.add_body("rear", 2, {}, Sym3<double>::diagonal(0.0603, 0.12, 0.0603));
  // the handlebar's own frame lies in the axes of the bicycle where its axis meets the ground
  spec.add_body("bar", 4, {0.9 - w - c, 0, -0.7}, bar);
  spec.add_body("front", 3, {}, Sym3<double>::diagonal(0.1405, 0.28, 0.1405));
  spec.add_joint("x", JointKind::prismatic, "", "x", {1, 0, 0}, {{}, {0, 0, -rear}});
  spec.joints.back().placement.R = Mat3<double>::identity();
  spec.add_joint("y", JointKind::prismatic, "x", "y", {0, 1, 0});
  spec.add_joint("z", JointKind::prismatic, "y", "z", {0, 0, 1});
  spec.add_joint("yaw", JointKind::revolute, "z", "yaw", {0, 0, 1});
  spec.add_joint("lean", JointKind::revolute, "yaw", "lean", {1, 0, 0});
  spec.add_joint("pitch", JointKind::revolute, "lean", "frame", {0, 1, 0});
  spec.add_joint("rear", JointKind::revolute, "frame", "rear", {0, 1, 0});
  spec.add_joint("steer", JointKind::revolute, "frame", "bar", {std::sin(tilt), 0, std::cos(tilt)},
                 {Mat3<double>::identity(), {w + c, 0, rear}});
  spec.add_joint("front", JointKind::revolute, "bar", "front", {0, 1, 0},
                 {Mat3<double>::identity(), {-c, 0, -front}});
  Mechanism m(build(spec));
  for (const bool is_front : {false, true}) {
    LoopSpec wheel;
    wheel.kind = LoopSpec::Kind::rolling;
    wheel.name = wheel.body_b = is_front ? "front" : "rear";
    wheel.radius = is_front ? front : rear;
    wheel.placement_a.R = rotation_from_rpy(M_PI, 0, 0);       // the ground's normal is up
    wheel.placement_b.R = rotation_from_rpy(-M_PI / 2, 0, 0);  // the axle is y
    m.add(wheel);
  }
  return m;
}

TEST(ClosedLinearization, BicycleHasThePublishedEigenvalues) {
  const Mechanism m = bicycle();
  ClosedDynamics closed(m);
  const std::vector<double> q(9), tau(9);
  const LoopAnalysis loops = analyse_loops(m, 0, q);
  ASSERT_EQ(loops.mobility, 3);
  ASSERT_EQ(loops.position_mobility, 7);
  const int lean = freedom(m.tree, "lean"), steer = freedom(m.tree, "steer");
  LinearizationSettings settings;
  settings.positions = {lean,
                        steer,
                        freedom(m.tree, "x"),
                        freedom(m.tree, "y"),
                        freedom(m.tree, "yaw"),
                        freedom(m.tree, "rear"),
                        freedom(m.tree, "front")};
  settings.velocities = {lean, steer, freedom(m.tree, "rear")};
  using Complex = std::complex<double>;
  const auto compare = [&](double speed, const std::vector<Complex>& published) {
    std::vector<double> v(9);
    v[static_cast<std::size_t>(freedom(m.tree, "x"))] = speed;
    v[static_cast<std::size_t>(freedom(m.tree, "rear"))] = -speed / 0.3;
    v[static_cast<std::size_t>(freedom(m.tree, "front"))] = -speed / 0.35;
    const ClosedLinearization found = linearize(m, 0, q, v, tau, settings, closed);
    const MatrixXd A = dense(found.A);
    // lean and steer, and their rates: what else there is does not act on them
    const int chosen[] = {0, 1, 7, 8};
    MatrixXd reduced(4, 4);
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 4; ++k) reduced(i, k) = A(chosen[i], chosen[k]);
      for (const int k : {2, 3, 4, 5, 6, 9}) EXPECT_NEAR(A(chosen[i], k), 0, 1e-8);
    }
    EXPECT_TRUE(near(reduced.topRows(2), MatrixXd::Identity(4, 4).bottomRows(2), 1e-9));
    const Eigen::VectorXcd values = reduced.eigenvalues();
    for (const Complex& expected : published) {
      double nearest = HUGE_VAL;
      for (const Complex& value : values) nearest = std::min(nearest, std::abs(value - expected));
      EXPECT_LT(nearest, 1e-7) << expected;
    }
  };
  compare(0, {3.131643247907, -3.131643247907, 5.530943717654, -5.530943717654});
  compare(5, {-14.078389692798,
              -0.322866429004,
              {-0.775341882196, 4.464867713788},
              {-0.775341882196, -4.464867713788}});
}

TEST(ClosedLinearization, StatesThatOpenTheLoopsAreRefused) {
  const FourBar bar;
  Mechanism m(build(bar.tree()));
  m.add(bar.loop(LoopSpec::Kind::connect));
  ClosedDynamics closed(m);
  const std::vector<double> zero(3), open{0.1, 0, 0}, fast{1, 0, 0};
  const auto run = [&](const std::vector<double>& q, const std::vector<double>& v,
                       const LinearizationSettings& settings) {
    return message_of([&] { linearize(m, 0, q, v, zero, settings, closed); });
  };
  EXPECT_TRUE(mentions(run(open, zero, {}), {"loop 'pin', force", "is open"}));
  EXPECT_TRUE(mentions(run(zero, fast, {}), {"loop 'pin', force", "opens at a rate"}));
  EXPECT_TRUE(mentions(run(zero, zero, {{0, 1}, {0}}), {"1 independent freedoms"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
