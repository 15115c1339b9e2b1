// The linear system against differences of the motion itself.
#include <limber/dynamics/linearization.hpp>
#include <limber/model/joint_space.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
std::span<double> out(RowMajor& A) { return {A.data(), static_cast<std::size_t>(A.size())}; }

VectorXd moved(const Model& m, const VectorXd& q, const VectorXd& rate, double time) {
  VectorXd result(m.nq);
  integrate(m, in(q), in(rate), time, {result.data(), static_cast<std::size_t>(result.size())});
  return result;
}
VectorXd step_between(const Model& m, const VectorXd& q0, const VectorXd& q1) {
  VectorXd step(m.nv);
  difference(m, in(q0), in(q1), {step.data(), static_cast<std::size_t>(step.size())});
  return step;
}

TEST(Linearization, HasTheDerivativesOfForwardDynamics) {
  for_random_robots(60, [](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    const int n = r.model.nv;
    MatrixWorkspace mw(r.model), other(r.model);
    RowMajor A(2 * n, 2 * n), B(2 * n, n);
    const VectorXd a =
        matrix(linearize(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw, out(A), out(B)));
    const auto d =
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, other);
    EXPECT_EQ(a, matrix(d.a));
    EXPECT_EQ(MatrixXd(A.bottomLeftCorner(n, n)), matrix(d.a_q));
    EXPECT_EQ(MatrixXd(A.bottomRightCorner(n, n)), matrix(d.a_v));
    EXPECT_EQ(MatrixXd(A.topRightCorner(n, n)), MatrixXd::Identity(n, n));
    EXPECT_EQ(MatrixXd(B.topRows(n)), MatrixXd::Zero(n, n));
    EXPECT_EQ(MatrixXd(B.bottomRows(n)), matrix(d.a_tau));
  });
}

// two positions a small step apart, both carried on with the same velocity for a short time: the
// step changes by A11 step time; central differences in both, error about 1e-7
TEST(Linearization, KnowsHowStepsTurn) {
  for_random_robots(60, [](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    const int n = r.model.nv;
    MatrixWorkspace mw(r.model);
    RowMajor A(2 * n, 2 * n), B(2 * n, n);
    linearize(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw, out(A), out(B));
    const double h = 1e-4, time = 1e-4;
    for (int k = 0; k < n; ++k) {
      const VectorXd unit = VectorXd::Unit(n, k);
      auto separation = [&](double t) {
        const VectorXd centre = moved(r.model, r.q, r.v, t);
        const VectorXd ahead = moved(r.model, moved(r.model, r.q, unit, h), r.v, t);
        const VectorXd behind = moved(r.model, moved(r.model, r.q, unit, -h), r.v, t);
        return VectorXd(
            (step_between(r.model, centre, ahead) - step_between(r.model, centre, behind)) /
            (2 * h));
      };
      const VectorXd rate = (separation(time) - separation(-time)) / (2 * time);
      EXPECT_LT((rate - A.topLeftCorner(n, n).col(k)).cwiseAbs().maxCoeff(), 1e-6);
    }
  });
}

TEST(Linearization, OfAPendulumIsTheTextbooks) {  // φ̈ = −(m g l / I) cos φ … about the vertical
  Spec spec;
  spec.add_body("bob", 2, {0, 0, -0.5}, Sym3<double>::diagonal(0.1, 0.2, 0.3));
  spec.add_joint("pivot", JointKind::revolute, "", "bob", {0, 1, 0});
  spec.joints[0].dof().damping = 0.3;
  Robot r(spec);
  r.q[0] = r.v[0] = r.tau[0] = 0;
  MatrixWorkspace mw(r.model);
  RowMajor A(2, 2), B(2, 1);
  Loads<double> loads;
  loads.passive = Passive::included;
  linearize(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw, out(A), out(B), loads);
  const double inertia = 0.2 + 2 * 0.25;
  EXPECT_NEAR(A(0, 0), 0, 1e-14);
  EXPECT_NEAR(A(0, 1), 1, 1e-14);
  EXPECT_NEAR(A(1, 0), -2 * 9.81 * 0.5 / inertia, 1e-12);
  EXPECT_NEAR(A(1, 1), -0.3 / inertia, 1e-12);
  EXPECT_NEAR(B(1, 0), 1 / inertia, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
