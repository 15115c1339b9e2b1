// What controllers ask for, against definitions: Coriolis matrix, inverse mass matrix,
// centroidal momentum, momentum observer, equilibrium.
#include <limber/dynamics/centroidal.hpp>
#include <limber/dynamics/coriolis.hpp>
#include <limber/dynamics/momentum_observer.hpp>

#include "support/dual_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

VectorXd vector(int n) { return VectorXd::Zero(n); }
std::span<double> out(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

// columns side by side in registers of every width that this processor has
class Coriolis : public testing::TestWithParam<InstructionSet> {};
class InverseMassMatrix : public testing::TestWithParam<InstructionSet> {};
std::string set_name(const testing::TestParamInfo<InstructionSet>& set) { return name(set.param); }
INSTANTIATE_TEST_SUITE_P(Sets, Coriolis, testing::ValuesIn(available_instruction_sets()), set_name);
INSTANTIATE_TEST_SUITE_P(Sets, InverseMassMatrix, testing::ValuesIn(available_instruction_sets()),
                         set_name);

TEST_P(Coriolis, GivesTheBiasForces) {
  for_random_robots(200, [&](Robot& r) {
    MatrixWorkspace mw(r.model, GetParam());
    const MatrixXd C = matrix(coriolis_matrix(r.model, in(r.q), in(r.v), r.ws, mw));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
    const VectorXd gravity = matrix(gravity_forces(r.model, in(r.q), r.ws));
    EXPECT_TRUE(near(C * r.v + gravity, bias, 1e-10));
  });
}

TEST_P(Coriolis, IsHalfTheRateOfTheInertiaMatrix) {  // Ṁ = C + Cᵀ: Ṁ − 2C is antisymmetric
  for_random_robots(200, [&](Robot& r) {
    MatrixWorkspace mw(r.model, GetParam());
    const MatrixXd C = matrix(coriolis_matrix(r.model, in(r.q), in(r.v), r.ws, mw));
    EXPECT_TRUE(near(C + C.transpose(), mass_matrix_rate(r, r.v), 1e-9));
  });
}

TEST_P(Coriolis, IsThatOfChristoffel) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Robot r(generate_chain(6, JointKind::revolute, seed), seed);
    const int n = r.model.nv;
    std::vector<MatrixXd> dM;
    for (int k = 0; k < n; ++k) dM.push_back(mass_matrix_rate(r, VectorXd::Unit(n, k)));
    MatrixXd expected = MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          expected(i, j) +=
              0.5 *
              (dM[static_cast<std::size_t>(k)](i, j) + dM[static_cast<std::size_t>(j)](i, k) -
               dM[static_cast<std::size_t>(i)](j, k)) *
              r.v[k];
    MatrixWorkspace mw(r.model, GetParam());
    EXPECT_TRUE(near(matrix(coriolis_matrix(r.model, in(r.q), in(r.v), r.ws, mw)), expected, 1e-9));
  }
}

TEST_P(InverseMassMatrix, IsTheInverse) {
  for_random_robots(200, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    MatrixWorkspace mw(r.model, GetParam());
    for (int time = 0; time < 2; ++time) {
      const MatrixXd inverse = matrix(inverse_mass_matrix(r.model, in(r.q), r.ws, mw));
      EXPECT_TRUE(near(M * inverse, MatrixXd::Identity(r.model.nv, r.model.nv),
                       std::max(1e-10, 1e-14 * condition(M))));
    }
  });
}

TEST(Centroidal, MatrixGivesTheMomentum) {
  for_random_robots(200, [](Robot& r) {
    if (r.model.mass() == 0) return;
    const MatrixXd A = matrix(centroidal_momentum_matrix(r.model, in(r.q), r.ws));
    r.move_plain();
    const Vector6 h = r.plain.momentum();
    Vector6 expected = h;
    expected.head<3>() -= r.plain.center_of_mass().cross(h.tail<3>());
    EXPECT_TRUE(near(A * r.v, expected, 1e-10));
  });
}

TEST(Centroidal, BiasIsTheRateOfTheMatrix) {
  for_random_robots(200, [](Robot& r) {
    if (r.model.mass() == 0) return;
    const BasicModel<Dual> model = cast<Dual>(r.model);
    BasicWorkspace<Dual> ws(model);
    const auto A = centroidal_momentum_matrix(model, dual(r.q, position_rate_along(r, r.v)), ws);
    const VectorXd expected = derivative(A, 6, r.model.nv) * r.v;
    const Vector6 found = plain(centroidal_momentum_bias(r.model, in(r.q), in(r.v), r.ws));
    EXPECT_TRUE(near(found, expected, 1e-9));
  });
}

TEST(MomentumObserver, HasTheMomentum) {
  for_random_robots(200, [](Robot& r) {
    VectorXd p = vector(r.model.nv);
    generalized_momentum(r.model, in(r.q), in(r.v), r.ws, out(p));
    EXPECT_TRUE(near(p, matrix(mass_matrix(r.model, in(r.q), r.ws)) * r.v, 1e-10));
  });
}

TEST(MomentumObserver, BiasIsTransposedCoriolisLessGravity) {
  for_random_robots(200, [](Robot& r) {
    VectorXd bias = vector(r.model.nv);
    momentum_observer_bias(r.model, in(r.q), in(r.v), r.ws, out(bias));
    MatrixWorkspace mw(r.model);
    const MatrixXd C = matrix(coriolis_matrix(r.model, in(r.q), in(r.v), r.ws, mw));
    const VectorXd gravity = matrix(gravity_forces(r.model, in(r.q), r.ws));
    EXPECT_TRUE(near(bias, C.transpose() * r.v - gravity, 1e-10));
  });
}

TEST(MomentumObserver, BalancesTheRateOfMomentum) {  // d(M v)/dt = tau + β
  for_random_robots(200, [](Robot& r) {
    VectorXd bias = vector(r.model.nv);
    momentum_observer_bias(r.model, in(r.q), in(r.v), r.ws, out(bias));
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    EXPECT_TRUE(near(tau + bias, mass_matrix_rate(r, r.v) * r.v + M * r.a, 1e-9));
  });
}

TEST(StaticForces, HoldAgainstGravityAndTheWorld) {
  Random random(3);
  for_random_robots(100, [&](Robot& r) {
    std::vector<Force<double>> forces(static_cast<std::size_t>(r.model.bodies()));
    for (Force<double>& f : forces) f = random.force();
    Loads<double> loads;
    loads.body_forces = forces;
    const VectorXd zero = r.zero();
    const VectorXd held = matrix(static_forces(r.model, in(r.q), r.ws, loads));
    EXPECT_TRUE(near(
        held, matrix(inverse_dynamics(r.model, in(r.q), in(zero), in(zero), r.ws, loads)), 1e-12));
    if (!r.model.singular_reason.empty()) return;
    const VectorXd a = matrix(forward_dynamics(r.model, in(r.q), in(zero), in(held), r.ws, loads));
    EXPECT_LT(a.cwiseAbs().maxCoeff(), solve_tolerance(r, held));
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
