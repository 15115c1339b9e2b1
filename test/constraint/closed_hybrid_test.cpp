// Freedoms whose motion is known, together with loops: against an elimination by dense matrices.
#include <limber/constraint/closed_dynamics.hpp>

#include <gtest/gtest.h>

#include <Eigen/QR>

#include <limber/constraint/independent_freedoms.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The numbers of a mechanism at its state, dense.
struct Dense {
  MatrixXd M, J;
  VectorXd c, bias;
  explicit Dense(ClosedRobot& r) {
    const Model& tree = r.mechanism->tree;
    M = matrix(mass_matrix<double>(tree, in(r.robot.q), r.closed->ws));
    c = matrix(bias_forces<double>(tree, in(r.robot.q), in(r.robot.v), r.closed->ws));
    loop_rows<double>(*r.mechanism, 0, in(r.robot.q), in(r.robot.v), r.closed->ws, r.closed->rows);
    J.resize(r.mechanism->rows, tree.nv);
    bias.resize(r.mechanism->rows);
    for (int i = 0; i < J.rows(); ++i) {
      bias[i] = r.closed->rows.bias[i];
      for (int k = 0; k < J.cols(); ++k) J(i, k) = r.closed->rows.jt(k, i);
    }
  }
};

std::vector<Known> random_choice(Random& random, int nv) {
  std::vector<Known> known;
  for (int k = 0; k < nv; ++k)
    known.push_back(random.uniform() < -0.4 ? Known::acceleration : Known::force);
  return known;
}

std::vector<Eigen::Index> places(const std::vector<Known>& known, Known what) {
  std::vector<Eigen::Index> found;
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k] == what) found.push_back(static_cast<Eigen::Index>(k));
  return found;
}

template <class F>
void for_mechanisms(F&& f) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    ClosedRobot r(seed);
    Random random(seed);
    f(r, random);
    if (testing::Test::HasFailure()) return;
  }
}

// accelerations that the loops allow are given for some freedoms, forces for the others
TEST(ClosedHybrid, IsTheEliminationOfTheKnownFreedoms) {
  for_mechanisms([](ClosedRobot& r, Random& random) {
    const VectorXd free = matrix(closed_forward_dynamics<double>(
        *r.mechanism, 0, in(r.robot.q), in(r.robot.v), in(r.robot.tau), *r.closed));
    const std::vector<Known> known = random_choice(random, r.mechanism->tree.nv);
    const auto held = places(known, Known::acceleration), moving = places(known, Known::force);
    VectorXd given = r.robot.tau;
    for (const Eigen::Index k : held) given[k] = free[k];
    for (const Eigen::Index k : moving) given[k] += random.uniform();
    const Dense d(r);
    // M_uu a_u − J_uᵀ λ = τ_u − c_u − M_uk a_k,  J_u a_u = −bias − J_k a_k
    const auto u = static_cast<Eigen::Index>(moving.size()), rows = d.J.rows();
    const MatrixXd Ju = d.J(Eigen::all, moving), Jk = d.J(Eigen::all, held);
    MatrixXd K = MatrixXd::Zero(u + rows, u + rows);
    K.topLeftCorner(u, u) = d.M(moving, moving);
    K.topRightCorner(u, rows) = -Ju.transpose();
    K.bottomLeftCorner(rows, u) = Ju;
    VectorXd right(u + rows);
    right.head(u) = given(moving) - d.c(moving) - d.M(moving, held) * given(held);
    right.tail(rows) = -d.bias - Jk * given(held);
    const VectorXd solved = K.completeOrthogonalDecomposition().solve(right);
    const Hybrid<double> found = closed_hybrid_dynamics<double>(
        *r.mechanism, 0, in(r.robot.q), in(r.robot.v), known, in(given), *r.closed);
    const VectorXd a = matrix(found.a), tau = matrix(found.tau);
    const double scale = 1 + solved.head(u).lpNorm<Eigen::Infinity>() + free.norm();
    EXPECT_LT((a(moving) - solved.head(u)).lpNorm<Eigen::Infinity>(), 1e-7 * scale);
    EXPECT_EQ(VectorXd(a(held)), VectorXd(given(held)));
    EXPECT_EQ(VectorXd(tau(moving)), VectorXd(given(moving)));
    // all equations hold with the forces that were found
    const VectorXd lambda = matrix(std::span<const double>(r.closed->solver.force));
    const VectorXd left = d.M * a + d.c - tau - d.J.transpose() * lambda;
    const double most = 1 + (d.M * a).norm() + (d.J.transpose() * lambda).norm();
    EXPECT_LT(left.lpNorm<Eigen::Infinity>(), 1e-8 * most);
  });
}

TEST(ClosedHybrid, WithoutKnownFreedomsItIsForwardDynamics) {
  for_mechanisms([](ClosedRobot& r, Random&) {
    const VectorXd a = matrix(closed_forward_dynamics<double>(
        *r.mechanism, 0, in(r.robot.q), in(r.robot.v), in(r.robot.tau), *r.closed));
    const std::vector<Known> known(static_cast<std::size_t>(r.mechanism->tree.nv), Known::force);
    const Hybrid<double> found = closed_hybrid_dynamics<double>(
        *r.mechanism, 0, in(r.robot.q), in(r.robot.v), known, in(r.robot.tau), *r.closed);
    EXPECT_TRUE(near(matrix(found.a), a, 1e-9));
  });
}

TEST(ClosedHybrid, HeldFreedomsKeepTheirVelocityAndPosition) {
  for_mechanisms([](ClosedRobot& r, Random& random) {
    const int nv = r.mechanism->tree.nv;
    std::vector<Known> chosen(static_cast<std::size_t>(nv));
    choose_independent(*r.mechanism, 0, in(r.robot.q), {}, *r.closed, chosen);
    const auto held = places(chosen, Known::acceleration), moving = places(chosen, Known::force);
    const Dense d(r);
    // as many as the rank are determined by the loops, and determined well
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> rank_of(d.J);
    rank_of.setThreshold(1e-8);
    EXPECT_EQ(static_cast<Eigen::Index>(moving.size()), rank_of.rank());
    VectorXd v = r.robot.v;
    for (const Eigen::Index k : moving) v[k] += random.uniform();
    const VectorXd closed = matrix(
        closed_velocity<double>(*r.mechanism, 0, in(r.robot.q), in(v), *r.closed, {}, chosen));
    EXPECT_EQ(VectorXd(closed(held)), VectorXd(v(held)));
    EXPECT_LT((closed - r.robot.v).lpNorm<Eigen::Infinity>(), 1e-6 * (1 + r.robot.v.norm()));
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
