// Operation counts of the MDH algorithms against [McM] tables 21 to 30.
#include <limber/reference/mdh.hpp>

#include <gtest/gtest.h>

#include "reference/planar.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using reference::MdhChain;
using reference::Planar;

Counted variable(double value) { return Counted::variable(value); }
std::vector<Counted> variables(int n, double offset) {
  std::vector<Counted> x;
  for (int i = 0; i < n; ++i) x.push_back(variable(0.3 * i + offset));
  return x;
}

void expect_count(const OperationCount& found, long multiplications, long additions) {
  EXPECT_EQ(found.multiplications, multiplications);
  EXPECT_EQ(found.additions, additions);
}

// --- planar congruence transforms, step (A) included -----------------------------------------

Sym3<Counted> variable_sym3() {
  return {variable(1), variable(2), variable(3), variable(4), variable(5), variable(6)};
}
std::vector<Counted> entries(const Sym3<Counted>& A) {
  return {A.xx, A.yy, A.zz, A.xy, A.xz, A.yz};
}
ArticulatedInertia<Counted> variable_inertia() {
  Mat3<Counted> H;
  for (Counted* x : {&H.xx, &H.xy, &H.xz, &H.yx, &H.yy, &H.yz, &H.zx, &H.zy, &H.zz})
    *x = variable(2);
  return {variable_sym3(), H, variable_sym3()};
}
// the zero row and column that a free revolute joint leaves, (A.30)
ArticulatedInertia<Counted> reflected_inertia() {
  ArticulatedInertia<Counted> N = variable_inertia();
  N.I.xz = N.I.yz = N.I.zz = N.H.zx = N.H.zy = N.H.zz = Counted(0);
  return N;
}

template <class Screw, class Body>
OperationCount cost(const Counted& angle, const Body& body) {
  Counted::start();
  const auto moved = inward(Screw(angle, Counted(0.3)), body);
  std::vector<Counted> results;
  if constexpr (std::is_same_v<Body, ArticulatedInertia<Counted>>) {
    const Mat3<Counted>& H = moved.H;
    results = {H.xx, H.xy, H.xz, H.yx, H.yy, H.yz, H.zx, H.zy, H.zz};
    for (const Counted& x : entries(moved.I)) results.push_back(x);
    for (const Counted& x : entries(moved.M)) results.push_back(x);
  } else {
    results = entries(moved.K);
    results.insert(results.end(), {moved.h.x, moved.h.y, moved.h.z});
  }
  return Counted::needed_for(results);
}

TEST(MdhCounts, SymmetricMatrices) {  // table 21
  expect_count(cost<Planar<2, Counted>>(variable(1), variable_inertia()), 44, 46);
  expect_count(cost<Planar<0, Counted>>(Counted(1), variable_inertia()), 42, 43);
}

TEST(MdhCounts, ReflectedInertias) {  // tables 22 and 23
  expect_count(cost<Planar<2, Counted>>(variable(1), reflected_inertia()), 34, 40);
  expect_count(cost<Planar<0, Counted>>(Counted(1), reflected_inertia()), 36, 31);
}

TEST(MdhCounts, SpatialInertias) {  // table 24, whose x row for K must read 15 additions
  const reference::CompositeBody<Counted> body{
      Counted(2), {variable(1), variable(2), variable(3)}, variable_sym3()};
  expect_count(cost<Planar<2, Counted>>(variable(1), body), 4 + 13, 3 + 18);
  expect_count(cost<Planar<0, Counted>>(Counted(1), body), 4 + 11, 3 + 15);
}

// --- whole algorithms ------------------------------------------------------------------------

// what the result of f needs, for the chain of n revolute links
template <class F>
OperationCount needed(int n, F&& f) {
  const auto q = variables(n, 0.1), v = variables(n, 0.5), x = variables(n, 0.7);
  const MdhChain chain = reference::mdh_test_chain(n);
  Counted::start();
  const std::vector<Counted> result = f(chain, q, v, x);
  return Counted::needed_for(result);
}

// The growth with n is the tables' own. The constants are a little smaller: needed_for() sees
// through to single entries, while the thesis drops whole rows of work at the ends of the chain.

// table 26: [94N − 105, 82N − 92]; the base's gravity, turned by the constant α₁, is a constant,
// and of the first link's acceleration only what f₁'s third entry needs is counted
TEST(MdhCounts, InverseDynamics) {
  for (int n = 2; n <= 12; ++n)
    expect_count(needed(n,
                        [](const MdhChain& chain, const auto& q, const auto& v, const auto& a) {
                          return reference::mdh_inverse_dynamics<Counted>(chain, q, v, a);
                        }),
                 94 * n - 109, 82 * n - 98);
}

// with all q̈ zero, the bias forces: [94N − 114, 81N − 105] in §B.2
TEST(MdhCounts, BiasForces) {
  for (int n = 3; n <= 12; ++n)
    expect_count(needed(n,
                        [](const MdhChain& chain, const auto& q, const auto& v, const auto& a) {
                          const std::vector<Counted> zeros(a.size());
                          return reference::mdh_inverse_dynamics<Counted>(chain, q, v, zeros);
                        }),
                 94 * n - 119, 81 * n - 107);
}

// table 28: [10N² + 9N − 25, 6N² + 34N − 50]; of K₁ only the third diagonal entry is needed, and
// its own predecessors are few; differences and sums of the last link's constants are constants
TEST(MdhCounts, InertiaMatrix) {
  for (int n = 3; n <= 12; ++n)
    expect_count(
        needed(n, [](const MdhChain& chain, const auto& q, const auto&,
                     const auto&) { return reference::mdh_mass_matrix<Counted>(chain, q).data; }),
        10 * n * n + 9 * n - 39, 6 * n * n + 34 * n - 72);
}

// table 30: [224N − 254, 205N − 241]; of I₁* only the third column is needed and of β₁* the third
// entry, while the thesis computes both in full
TEST(MdhCounts, ForwardDynamics) {
  for (int n = 3; n <= 12; ++n)
    expect_count(needed(n,
                        [](const MdhChain& chain, const auto& q, const auto& v, const auto& tau) {
                          return reference::mdh_forward_dynamics<Counted>(chain, q, v, tau);
                        }),
                 224 * n - 313, 205 * n - 308);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
