// Derivatives in tangent space against Dual run through the recursions (which share no code with
// them), against central differences, and against each other.
#include <limber/dynamics/derivatives.hpp>
#include <limber/model/joint_space.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace {

/// q̇ for the step e_k, by Richardson's extrapolation of integrate(): (8 d₁ − d₂) / 12h.
VectorXd position_rate_along(const Robot& r, int k) {
  auto moved = [&](double h) {
    VectorXd step = VectorXd::Unit(r.model.nv, k), q(r.model.nq);
    integrate(r.model, in(r.q), in(step), h,
              {q.data(), static_cast<std::size_t>(q.size())});
    return q;
  };
  const double h = 1e-3;
  return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
}

std::vector<Dual> dual(const VectorXd& value, const VectorXd& derivative) {
  std::vector<Dual> x;
  for (Eigen::Index i = 0; i < value.size(); ++i) x.emplace_back(value[i], derivative[i]);
  return x;
}
std::vector<Dual> dual(const VectorXd& value) { return dual(value, VectorXd::Zero(value.size())); }

/// Derivative of a Dual result.
VectorXd derivative(std::span<const Dual> x) {
  VectorXd d(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) d[static_cast<Eigen::Index>(i)] = x[i].derivative;
  return d;
}

/// Matrices of a function of (q, v, third) by Dual, column by column.
struct ByDual {
  MatrixXd q, v, third;
};
template <class F>
ByDual by_dual(Robot& r, const VectorXd& third, F&& function) {
  const BasicModel<Dual> model = cast<Dual>(r.model);
  BasicWorkspace<Dual> ws(model);
  const int n = r.model.nv;
  ByDual d{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(n, n)};
  for (int k = 0; k < n; ++k) {
    const VectorXd unit = VectorXd::Unit(n, k);
    d.q.col(k) = derivative(function(model, dual(r.q, position_rate_along(r, k)), dual(r.v),
                                     dual(third), ws));
    d.v.col(k) = derivative(function(model, dual(r.q), dual(r.v, unit), dual(third), ws));
    d.third.col(k) = derivative(function(model, dual(r.q), dual(r.v), dual(third, unit), ws));
  }
  return d;
}

std::vector<Force<double>> random_forces(const Model& model, Random& random) {
  std::vector<Force<double>> forces(static_cast<std::size_t>(model.bodies()));
  for (Force<double>& f : forces) f = {random.vec3(), random.vec3()};
  return forces;
}

TEST(Derivatives, InverseDynamicsByDual) {
  for_random_robots(120, [](Robot& r) {
    MatrixWorkspace mw(r.model);
    const auto found =
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, mw);
    const ByDual expected = by_dual(r, r.a, [](auto& model, auto q, auto v, auto a, auto& ws) {
      return inverse_dynamics(model, q, v, a, ws);
    });
    EXPECT_TRUE(near(matrix(found.tau_q), expected.q, 1e-9));
    EXPECT_TRUE(near(matrix(found.tau_v), expected.v, 1e-10));
    EXPECT_TRUE(near(matrix(found.tau_a), expected.third, 1e-10));
  });
}

TEST(Derivatives, ForwardDynamicsByDual) {
  for_random_robots(120, [](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    MatrixWorkspace mw(r.model);
    const auto found =
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw);
    const VectorXd a = matrix(found.a);
    const ByDual expected = by_dual(r, r.tau, [](auto& model, auto q, auto v, auto tau, auto& ws) {
      return forward_dynamics(model, q, v, tau, ws);
    });
    Workspace other(r.model);
    EXPECT_TRUE(near(a, matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), other)), 1e-9));
    EXPECT_TRUE(near(matrix(found.a_q), expected.q, 1e-9));
    EXPECT_TRUE(near(matrix(found.a_v), expected.v, 1e-9));
    EXPECT_TRUE(near(matrix(found.a_tau), expected.third, 1e-9));
  });
}

}  // namespace
}  // namespace limber::test
