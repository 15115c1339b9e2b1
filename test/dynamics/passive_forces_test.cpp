// Damping, Coulomb friction and springs.
#include <limber/dynamics/hybrid_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Spec spec_with(JointKind kind, const DofSpec& dof) {
  Spec spec;
  spec.add_body("a", 1, {0, 0, 1}, Sym3<double>::identity());
  spec.add_joint("j", kind, "", "a").dofs = {dof};
  return spec;
}

std::vector<double> passive(const Spec& spec, std::vector<double> q, std::vector<double> v) {
  const Model model = build(spec);
  std::vector<double> out(static_cast<std::size_t>(model.nv), -99);
  passive_forces(model, q, v, std::span<double>(out));
  return out;
}

TEST(PassiveForces, DampingOpposesTheVelocity) {
  const Spec spec = spec_with(JointKind::revolute, {.damping = 0.5});
  EXPECT_DOUBLE_EQ(passive(spec, {0.3}, {4})[0], 2);
  EXPECT_DOUBLE_EQ(passive(spec, {0.3}, {-4})[0], -2);
  EXPECT_DOUBLE_EQ(passive(spec, {0.3}, {0})[0], 0);
}

TEST(PassiveForces, FrictionDependsOnTheSignOnly) {
  const Spec spec =
      spec_with(JointKind::prismatic, {.friction_positive = 3, .friction_negative = 5});
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {0.001})[0], 3);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {2})[0], 3);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {-2})[0], -5);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {0})[0], 0);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {-0.0})[0], 0);
}

TEST(PassiveForces, SpringPullsToItsReference) {
  const Spec spec = spec_with(JointKind::revolute, {.stiffness = 10, .spring_reference = 0.2});
  EXPECT_DOUBLE_EQ(passive(spec, {0.5}, {0})[0], 3);
  EXPECT_DOUBLE_EQ(passive(spec, {0.2}, {0})[0], 0);
  EXPECT_DOUBLE_EQ(passive(spec, {-0.3}, {0})[0], -5);
}

TEST(PassiveForces, AreSummed) {
  DofSpec dof{.damping = 2, .friction_positive = 1, .stiffness = 4, .spring_reference = 1};
  EXPECT_DOUBLE_EQ(passive(spec_with(JointKind::revolute, dof), {1.5}, {3})[0], 6 + 1 + 2);
}

TEST(PassiveForces, EveryFreedomHasItsOwn) {
  Spec spec = spec_with(JointKind::planar, {});
  spec.joints[0].dofs = {{.damping = 1}, {.stiffness = 2}, {.friction_negative = 7}};
  const std::vector<double> out = passive(spec, {0.1, 0.2, 0.3}, {5, 6, -7});
  EXPECT_DOUBLE_EQ(out[0], 5);
  EXPECT_DOUBLE_EQ(out[1], 0.4);
  EXPECT_DOUBLE_EQ(out[2], -7);
}

TEST(PassiveForces, OneSetOfDataServesAllFreedoms) {
  const std::vector<double> out =
      passive(spec_with(JointKind::cylindrical, {.damping = 3}), {0, 0}, {1, 2});
  EXPECT_DOUBLE_EQ(out[0], 3);
  EXPECT_DOUBLE_EQ(out[1], 6);
}

TEST(PassiveForces, BallsHaveDamping) {
  const Spec spec = spec_with(JointKind::spherical, {.damping = 2});
  EXPECT_EQ(passive(spec, {0, 0, 0, 1}, {1, 2, 3}), (std::vector<double>{2, 4, 6}));
}

// --- included in the dynamics ---

// random robots whose joints have damping, friction and springs
void for_passive_robots(int count, void (*f)(Robot&, const VectorXd& passive)) {
  for (int seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    Spec spec = random_spec(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed));
    for (JointSpec& joint : spec.joints)
      for (DofSpec& dof : joint.dofs) {
        dof.damping = random.uniform(0, 2), dof.stiffness = random.uniform(0, 5);
        dof.friction_positive = random.uniform(0, 1), dof.friction_negative = random.uniform(0, 1);
        dof.spring_reference = random.uniform();
      }
    Robot r(spec, static_cast<std::uint64_t>(seed));
    VectorXd passive(r.model.nv);
    passive_forces(r.model, in(r.q), in(r.v),
                   std::span<double>(passive.data(), static_cast<std::size_t>(passive.size())));
    f(r, passive);
  }
}

Loads<double> with_passive() {
  Loads<double> loads;
  loads.passive = Passive::included;
  return loads;
}

TEST(PassiveForces, InverseDynamicsAddsThem) {
  for_passive_robots(60, [](Robot& r, const VectorXd& passive) {
    r.move_plain();
    EXPECT_TRUE(
        near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, with_passive())),
             r.plain.tau() + passive, 1e-10));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
    EXPECT_TRUE(near(matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, with_passive())),
                     bias + passive, 1e-13));
  });
}

TEST(PassiveForces, ForwardDynamicsSubtractsThem) {
  for_passive_robots(60, [](Robot& r, const VectorXd& passive) {
    r.move_plain();
    const VectorXd tau = r.plain.tau() + passive;
    const double tolerance = solve_tolerance(r, tau);
    EXPECT_TRUE(
        near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws, with_passive())),
             r.a, tolerance));
    EXPECT_TRUE(near(matrix(forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(tau),
                                                            r.ws, with_passive())),
                     r.a, tolerance));
  });
}

TEST(PassiveForces, HybridDynamicsKnowsThem) {
  for_passive_robots(60, [](Robot& r, const VectorXd& passive) {
    r.move_plain();
    const VectorXd tau = r.plain.tau() + passive;
    std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
    VectorXd given = tau;
    for (int k = 0; k < r.model.nv; k += 2)
      known[static_cast<std::size_t>(k)] = Known::acceleration, given[k] = r.a[k];
    const double tolerance = 100 * solve_tolerance(r, tau);  // inertias reach 100
    using Route = Hybrid<double> (*)(const Model&, In<double>, In<double>, std::span<const Known>,
                                     In<double>, Workspace&, const Loads<double>&);
    const Route routes[] = {&hybrid_dynamics<double>, &hybrid_dynamics_by_mass_matrix<double>};
    for (const Route route : routes) {
      const Hybrid<double> found =
          route(r.model, in(r.q), in(r.v), known, in(given), r.ws, with_passive());
      EXPECT_TRUE(near(matrix(found.a), r.a, tolerance));
      EXPECT_TRUE(near(matrix(found.tau), tau, tolerance));
    }
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
