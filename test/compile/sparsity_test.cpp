// Sparse forms of matrices: what they leave out is zero in every state, and what they keep stands
// where they say.
#include <limber/compile/function.hpp>

#include <gtest/gtest.h>

#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/io/load.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using F = RobotFunction;

/// The numbers of a matrix that are left out are zero, both halves of a symmetric one are one
/// number, and stored ones stand row by row, each once.
template <class View>
void expect_sparsity(const ArrayShape& array, int nv, const View& A) {
  std::vector<double> stored(static_cast<std::size_t>(array.size), NAN), whole;
  int next = 0;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      const int entry = array.entries[static_cast<std::size_t>(i * nv + j)];
      whole.push_back(A(i, j));
      if (entry < 0) {
        EXPECT_EQ(A(i, j), 0) << array.name << ' ' << i << ' ' << j;
      } else if (entry == next) {
        stored[static_cast<std::size_t>(next++)] = A(i, j);
      } else {
        EXPECT_EQ(entry, array.entries[static_cast<std::size_t>(j * nv + i)]);
        EXPECT_LT(j, i) << array.name;
      }
    }
  EXPECT_EQ(next, array.size) << array.name;
  std::vector<double> expanded(whole.size(), NAN);
  expand<double>(array.entries, stored, expanded);
  for (std::size_t k = 0; k < whole.size(); ++k)
    EXPECT_NEAR(expanded[k], whole[k], 1e-8 * std::abs(whole[k]) + 1e-8) << array.name;
}

void expect_sparsities(const Model& m, std::uint64_t seed) {
  Workspace ws(m);
  MatrixWorkspace mw(m);
  const RandomState s = random_state(m, seed);
  expect_sparsity(sparse_shape_of(F::mass_matrix, m).outputs[0], m.nv, mass_matrix(m, s.q, ws));
  const auto inverse = sparse_shape_of(F::inverse_dynamics_derivatives, m).outputs;
  const auto t = inverse_dynamics_tangent_derivatives<double>(m, s.q, s.v, s.a, ws, mw);
  expect_sparsity(inverse[0], m.nv, t.tau_q);
  expect_sparsity(inverse[1], m.nv, t.tau_v);
  expect_sparsity(inverse[2], m.nv, t.tau_a);
  if (!m.singular_reason.empty()) return;
  const auto forward = sparse_shape_of(F::forward_dynamics_derivatives, m).outputs;
  const auto d = forward_dynamics_tangent_derivatives<double>(m, s.q, s.v, s.tau, ws, mw);
  EXPECT_TRUE(forward[0].entries.empty());
  expect_sparsity(forward[1], m.nv, d.a_q);
  expect_sparsity(forward[2], m.nv, d.a_v);
  expect_sparsity(forward[3], m.nv, d.a_tau);
}

TEST(Sparsity, WhatIsLeftOutIsZero) {
  for (const char* robot : {"pendulum", "humanoid", "quadruped", "arm7", "every_joint"})
    expect_sparsities(load(robot), 7);
  for_random_robots(share_of(40), [&](Robot& robot) { expect_sparsities(robot.model, 3); });
}

TEST(Sparsity, IsThatOfTheTree) {
  // an arm: all freedoms carry each other
  const int arm = load("arm7").nv;
  EXPECT_EQ(sparse_shape_of(F::mass_matrix, load("arm7")).outputs[0].size, arm * (arm + 1) / 2);
  // four legs of three joints on a floating base: each leg with itself and the base
  const Model quadruped = load("quadruped");
  EXPECT_EQ(sparse_shape_of(F::mass_matrix, quadruped).outputs[0].size, 21 + 4 * (3 * 6 + 6));
  const auto inverse = sparse_shape_of(F::inverse_dynamics_derivatives, quadruped).outputs;
  EXPECT_EQ(inverse[0].size, 36 + 4 * (2 * 3 * 6 + 9));
  // over the base all accelerations hang together
  const auto forward = sparse_shape_of(F::forward_dynamics_derivatives, quadruped).outputs;
  EXPECT_EQ(forward[1].size, 18 * 18);
  EXPECT_EQ(forward[3].size, 18 * 19 / 2);
}

TEST(Sparsity, VectorsAreWhole) {
  const Model model = load("quadruped");
  for (const F f : {F::inverse_dynamics, F::forward_dynamics, F::step})
    for (const ArrayShape& array : sparse_shape_of(f, model).outputs)
      EXPECT_TRUE(array.entries.empty()) << name(f);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
