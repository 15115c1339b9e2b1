// Inverse dynamics in absolute coordinates and in the explicit form, against limber/dynamics.
#include <limber/reference/inverse_dynamics.hpp>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "reference/support.hpp"
#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using reference::Gravity;

TEST(ReferenceInverseDynamics, AbsoluteCoordinatesAgree) {
  for_random_robots(200, [](Robot& r) {
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    EXPECT_TRUE(near(matrix(reference::absolute_inverse_dynamics(tree(r), in(r.a))), tau, 1e-10));
    EXPECT_TRUE(
        near(matrix(reference::absolute_inverse_dynamics(tree(r, {}, Gravity::force), in(r.a))),
             tau, 1e-10));
  });
}

TEST(ReferenceInverseDynamics, AbsoluteCoordinatesAgreeUnderLoads) {
  for_random_robots(60, [](Robot& r) {
    const RandomLoads random(r, Random(5));
    const VectorXd tau =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, random.loads));
    for (const Gravity gravity : {Gravity::acceleration, Gravity::force})
      EXPECT_TRUE(near(
          matrix(reference::absolute_inverse_dynamics(tree(r, random.loads, gravity), in(r.a))),
          tau, 1e-10));
  });
}

TEST(ReferenceInverseDynamics, ExplicitFormAgrees) {
  for_random_robots(200, [](Robot& r) {
    const auto form = reference::explicit_form<double>(r.model, in(r.q));
    EXPECT_TRUE(near(matrix(reference::inverse_dynamics(form, in(r.v), in(r.a))),
                     matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), 1e-9));
  });
}

TEST(ReferenceInverseDynamics, ExplicitFormTakesLoads) {
  for_random_robots(30, [](Robot& r) {
    RandomLoads random(r, Random(6));
    random.loads.base_velocity = {};
    const auto form = reference::explicit_form<double>(r.model, in(r.q), random.loads);
    EXPECT_TRUE(near(
        matrix(reference::inverse_dynamics(form, in(r.v), in(r.a))),
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, random.loads)), 1e-9));
  });
}

// where q̇ = v the coefficients are Christoffel's symbols of H: its derivatives by central
// differences of fourth order
TEST(ReferenceInverseDynamics, CoefficientsAreChristoffelSymbols) {
  const std::vector<JointKind> kinds{
      JointKind::revolute, JointKind::prismatic, JointKind::helical,    JointKind::cylindrical,
      JointKind::planar,   JointKind::universal, JointKind::translation};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Robot r(generate_tree(6, seed, {.kinds = kinds}), seed);
    ASSERT_EQ(r.model.nq, r.model.nv);
    const int n = r.model.nv;
    auto H = [&](int k, double step) {
      VectorXd q = r.q;
      q[k] += step;
      return matrix(mass_matrix(r.model, in(q), r.ws));
    };
    std::vector<MatrixXd> dH;
    auto at = [](int k) { return static_cast<std::size_t>(k); };
    const double h = 1e-3;
    for (int k = 0; k < n; ++k)
      dH.push_back((8 * (H(k, h) - H(k, -h)) - (H(k, 2 * h) - H(k, -2 * h))) / (12 * h));
    const auto form = reference::explicit_form<double>(r.model, in(r.q));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          EXPECT_NEAR(form.coefficient(i, j, k),
                      0.5 * (dH[at(k)](i, j) + dH[at(j)](i, k) - dH[at(i)](j, k)), 1e-9);
  }
}

TEST(ReferenceInverseDynamics, ExplicitFormRefusesAMovingBase) {
  Robot r(random_spec(1));
  Loads<double> loads;
  loads.base_velocity.angular.z = 1;
  const std::string message =
      message_of([&] { reference::explicit_form<double>(r.model, in(r.q), loads); });
  EXPECT_TRUE(mentions(message, {"base", "velocity", "absolute_inverse_dynamics"}));
}

TEST(ReferenceInverseDynamics, BadInputIsNamed) {
  Robot r(random_spec(1));
  const VectorXd longer = VectorXd::Zero(r.model.nv + 1);
  EXPECT_TRUE(mentions(
      message_of([&] { reference::tree_at<double>(r.model, in(longer), in(r.v)); }), {"q", "has"}));
  EXPECT_TRUE(mentions(
      message_of([&] { reference::absolute_inverse_dynamics(tree(r), in(longer)); }), {"a has"}));
  VectorXd unknown = r.a;
  unknown[0] = std::nan("");
  EXPECT_TRUE(
      mentions(message_of([&] { reference::absolute_inverse_dynamics(tree(r), in(unknown)); }),
               {"a[0]", "not a finite number"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
