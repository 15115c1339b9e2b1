// Energy over a simulated second, with springs and mounted rotors: kept without drives, and grown
// by the work of the drives with them, to the order of the integrator.
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>

#include "support/random_robots.hpp"
#include "support/simulate.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Spec sprung_spec(std::uint64_t seed) {
  Random random(seed);
  RandomTreeOptions options;
  options.branching = 0.4;
  options.mimic = seed % 2 == 0 ? 0.4 : 0;
  options.floating_base = seed % 3 == 0;
  Spec spec = generate_tree(3 + static_cast<int>(seed), seed, options);
  for (JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::free) continue;
    for (DofSpec& dof : joint.dofs) {
      dof.stiffness = random.uniform(1, 5);
      dof.spring_reference = random.uniform(-0.5, 0.5);
      dof.rotor_inertia = 2e-4, dof.gear_ratio = 50;  // slow enough for the steps below
    }
  }
  mount_some_rotors(spec, random);
  DofSpec& last = spec.joints.back().dof();  // one at least
  last.rotor_mount = spec.bodies.front().name, last.rotor_axis = {1, 2, 3};
  last.rotor_inertia = 2e-5, last.gear_ratio = 150;
  return spec;
}

// of the unfolded joints, each with its own position
double spring_energy(const Model& m, const VectorXd& q) {
  double sum = 0;
  for (std::size_t k = 0; k < m.column_dof.size(); ++k) {
    if (m.column_q[k] < 0) continue;
    const Fold<double>& place = m.q_fold[static_cast<std::size_t>(m.column_q[k])];
    const double stretch =
        place.ratio * q[place.index] + place.offset - m.column_dof[k].spring_reference;
    sum += m.column_dof[k].stiffness * stretch * stretch / 2;
  }
  return sum;
}

double energy(Robot& r, const Moving& x) {
  return kinetic_energy(r.model, in(x.q), in(x.v), r.ws) +
         potential_energy(r.model, in(x.q), r.ws) + spring_energy(r.model, x.q);
}

// what the energy is short of after one second with constant drives tau, in so many steps
double shortfall(Robot& r, const VectorXd& tau, int steps) {
  Loads<double> loads;
  loads.passive = Passive::included;
  // the drives' work as one more slow variable, by the same integrator: Simpson's rule over a step
  Moving x{0, r.q, r.v};
  double work = 0;
  const double start = energy(r, x);
  auto acceleration = [&](double, const VectorXd& q, const VectorXd& v) {
    return matrix(forward_dynamics(r.model, in(q), in(v), in(tau), r.ws, loads));
  };
  for (int i = 0; i < steps; ++i) {
    Moving half = x;
    runge_kutta_step(r.model, half, 0.5 / steps, acceleration);
    const double before = tau.dot(x.v), between = tau.dot(half.v);
    runge_kutta_step(r.model, x, 1.0 / steps, acceleration);
    work += (before + 4 * between + tau.dot(x.v)) / (6 * steps);
  }
  return (energy(r, x) - start - work) / (1 + std::abs(start) + std::abs(work));
}

TEST(EnergyBalance, HoldsToTheOrderOfTheIntegrator) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Robot r(sprung_spec(seed), seed);
    ASSERT_TRUE(r.model.has_mimic());
    for (const VectorXd& tau : {r.zero(), r.tau}) {
      const double coarse = std::abs(shortfall(r, tau, 250)),
                   fine = std::abs(shortfall(r, tau, 1000));
      // a quarter of the step leaves 1/256 of the error, at fourth order
      EXPECT_LT(fine, 1e-7);
      EXPECT_LT(fine, coarse / 100 + 1e-12);
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
