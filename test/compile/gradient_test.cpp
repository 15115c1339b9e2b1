// Derivatives of forward dynamics in two steps, as CUDA makes them: the parts, then every column by
// itself. Against the interpreter, which solves with the factor of the mass matrix or by blocks.
#include "compile/gradient.hpp"

#include <gtest/gtest.h>

#include <limber/dynamics/derivatives.hpp>
#include <limber/io/load.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector3 = Eigen::Vector3d;

template <std::size_t N>
Eigen::Matrix<double, static_cast<int>(N), 1> at(const VectorXd& parts,
                                                 const std::array<int, N>& places) {
  Eigen::Matrix<double, static_cast<int>(N), 1> x;
  for (std::size_t i = 0; i < N; ++i) x[static_cast<int>(i)] = parts[places[i]];
  return x;
}
/// −x of column k of one right-hand side (∂/∂q, ∂/∂v, −1).
VectorXd column(const GradientParts& g, const VectorXd& parts, int side, int k) {
  const int nv = static_cast<int>(g.rows.size());
  const auto of = [](int i) { return static_cast<std::size_t>(i); };
  const int end = g.rows[of(k)].columns_end;
  VectorXd z = VectorXd::Zero(nv);
  Vector6 force = Vector6::Zero(), chi = Vector6::Zero();
  Vector3 psi = Vector3::Zero();
  if (side < 2) {
    const GradientParts::Column& c = g.columns[of(side)][of(k)];
    force = at(parts, c.force), chi = at(parts, c.chi), psi = at(parts, c.psi);
  }
  for (int j = nv - 1; j >= 0; --j) {
    const GradientParts::Row& row = g.rows[of(j)];
    double y = side == 2 && j == k ? -1 : 0;
    if (side < 2 && k >= row.first && k < row.end)
      y += parts[g.columns[of(side)][of(k)].own[of(j - row.first)]];
    if (j > k && j < end)
      y += (chi.dot(at(parts, row.U_D)) + psi.dot(at(parts, row.s_D))) * parts[row.D];
    else if (k >= j && k < row.columns_end) y += at(parts, row.S).dot(force);
    else continue;
    z[j] = y / parts[row.D];
    force -= at(parts, row.U_D) * y;
  }
  std::vector<Vector6> a(of(nv), Vector6::Zero());
  for (int j = 0; j < nv; ++j) {
    const GradientParts::Row& row = g.rows[of(j)];
    if (row.carrier >= 0) a[of(j)] = a[of(row.carrier)];
    z[j] -= a[of(j)].dot(at(parts, row.U_D));
    a[of(j)] += at(parts, row.S) * z[j];
  }
  return -z;
}

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

void expect_derivatives(const Model& model, const VectorXd& q, const VectorXd& v,
                        const VectorXd& tau, Passive passive) {
  FunctionOptions options;
  options.passive = passive;
  const GradientParts g = gradient_parts(model, options);
  Workspace ws(model);
  MatrixWorkspace mw(model);
  Loads<double> loads;
  loads.passive = passive;
  const auto d =
      forward_dynamics_tangent_derivatives<double>(model, in(q), in(v), in(tau), ws, mw, loads);
  const VectorXd a = Eigen::Map<const VectorXd>(d.a.data(), model.nv);
  const VectorXd parts = run(g.program, {q, v, a})[0];
  for (int side = 0; side < 3; ++side) {
    const MatrixView<double>& view = side == 0 ? d.a_q : side == 1 ? d.a_v : d.a_tau;
    MatrixXd difference(model.nv, model.nv), expected(model.nv, model.nv);
    for (int k = 0; k < model.nv; ++k) {
      for (int j = 0; j < model.nv; ++j) expected(j, k) = view(j, k);
      difference.col(k) = column(g, parts, side, k) - expected.col(k);
    }
    // 1e-10: M⁻¹ multiplies rounding by the condition of the mass matrix
    EXPECT_LT(difference.norm(), 1e-10 * expected.norm() + 1e-12) << model.name << ' ' << side;
  }
}

TEST(Gradient, OfShippedRobots) {
  for (const char* robot : {"pendulum", "humanoid", "quadruped", "arm7", "puma560"})
    for (const Passive passive : {Passive::left_out, Passive::included}) {
      const Model model = load(robot);
      const RandomState state = random_state(model, 3);
      expect_derivatives(model, vector(state.q), vector(state.v), vector(state.tau), passive);
    }
}

TEST(Gradient, OfRandomTrees) {
  int compared = 0;
  for_random_robots(share_of(80), [&](Robot& robot) {
    const bool integrates = std::any_of(robot.model.custom.begin(), robot.model.custom.end(),
                                        [](const CustomJoint& j) { return bool(j.integrate); });
    if (integrates || robot.model.has_mimic() || !robot.model.singular_reason.empty()) return;
    ++compared;
    expect_derivatives(robot.model, robot.q, robot.v, robot.tau, Passive::included);
  });
  EXPECT_GE(compared, share_of(20));
}

TEST(Gradient, MimicJointsAreRefused) {
  EXPECT_TRUE(mentions(message_of([] { gradient_parts(load("every_joint"), {}); }),
                       {"mimic joints", "every_joint"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
