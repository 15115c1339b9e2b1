// System: what parts contribute, against the dynamics called directly; the balance of energy.
#include <limber/sim/system.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/external_force.hpp>
#include <limber/sim/integrator.hpp>

#include "sim/parts.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::unique_ptr<FunctionPart> part(std::string name, Role role, FunctionPart::Function f) {
  return std::make_unique<FunctionPart>(std::move(name), role, std::move(f));
}

std::vector<double> state(System& system, const Robot& r) {
  return system.initial_state(in(r.q), in(r.v));
}

// joints that only say how they move by a step have no rates of positions
bool has_rates(const Robot& r) {
  for (const CustomJoint& joint : r.model.custom)
    if (joint.integrate && !joint.position_rate) return false;
  return true;
}

template <class F>
void for_robots_with_rates(int count, F&& f) {
  for_random_robots(count, [&](Robot& r) {
    if (has_rates(r)) f(r);
  });
}

// rounding of the quaternions alone
void expect_accelerations(const System& system, std::span<const double> a) {
  double largest = 1;
  for (const double value : a) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(system.accelerations()[k], a[k], 1e-10 * largest);
}

TEST(System, CommandsWithoutDrivesAreForces) {
  for_robots_with_rates(40, [](Robot& r) {
    for (auto* list : {&r.model.dof, &r.model.column_dof})
      for (DofSpec& dof : *list) dof.effort_limit = HUGE_VAL;
    System system(r.model);
    const VectorXd tau = r.tau;
    system.add(part("commands", Role::control, [tau](Evaluation& at) {
      for (std::size_t k = 0; k < at.command.size(); ++k)
        at.command[k] += tau[static_cast<Eigen::Index>(k)];
    }));
    const std::vector<double> x = state(system, r);
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
    Loads<double> loads;
    loads.passive = Passive::included;
    const auto a = forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws, loads);
    expect_accelerations(system, a);
  });
}

TEST(System, ACommandIsCutOffAtTheEffortLimit) {
  Spec spec = slider();
  spec.gravity = {};
  spec.joints[0].dof().effort_limit = 3;
  System system(build(spec));
  system.add(part("push", Role::control, [](Evaluation& at) { at.command[0] += 10; }));
  const double zero = 0;
  const std::vector<double> x = system.initial_state({&zero, 1}, {&zero, 1});
  system.evaluate(0, x);
  EXPECT_DOUBLE_EQ(system.accelerations()[0], 1.5);
}

// adding to the diagonal of M is what a rotor does
TEST(System, AddedInertiaIsArmature) {
  for_robots_with_rates(40, [](Robot& r) {
    if (r.model.has_mimic()) return;
    System system(r.model);
    system.add(part("inertia", Role::world, [](Evaluation& at) {
      for (std::size_t k = 0; k < at.inertia.size(); ++k)
        at.inertia[k] += 0.1 + 0.05 * static_cast<double>(k);
    }));
    const std::vector<double> x = state(system, r);
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
    Model heavier = r.model;
    for (std::size_t k = 0; k < heavier.armature.size(); ++k)
      heavier.armature[k] += 0.1 + 0.05 * static_cast<double>(k);
    Loads<double> loads;
    loads.passive = Passive::included;
    const auto a = forward_dynamics(heavier, in(r.q), in(r.v), in(r.zero()), r.ws, loads);
    expect_accelerations(system, a);
  });
}

// T + V − work stays constant: the rate of work is the power of everything that acts, and the
// derivative of the energies knows nothing of it
TEST(System, WorkBalancesEnergy) {
  int robots = 0;
  for_robots_with_rates(120, [&](Robot& r) {
    if (r.model.nv > 14) return;
    // friction jumps at v = 0: no integrator has an order there
    for (DofSpec& dof : r.model.column_dof) dof.friction_positive = dof.friction_negative = 0;
    System system(r.model);
    const VectorXd tau = r.tau;
    system.add(part("forces", Role::world, [tau](Evaluation& at) {
      for (std::size_t k = 0; k < at.tau.size(); ++k)
        at.tau[k] += tau[static_cast<Eigen::Index>(k)] * std::cos(3 * at.t);
      for (std::size_t k = 0; k < at.inertia.size(); ++k) at.inertia[k] += 0.2;
      for (std::size_t b = 1; b < at.body_forces().size(); ++b)
        if (!at.model.is_rotor[b])
          at.body_forces()[b] += Force<double>{{0.1, -0.2, 0.3}, {1, std::sin(at.t), -0.5}};
    }));
    std::vector<double> x = state(system, r);
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
    const EnergyBalance before = system.energy(x);
    EXPECT_EQ(before.work, 0);
    IntegratorSettings settings;
    settings.method = "dopri5";
    settings.step = 1e-4;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-12;
    const auto integrator = make_integrator(settings);
    integrator->start(system, 0, x);
    while (integrator->t() < 0.05)
      ASSERT_EQ(integrator->step(0.05), StepStatus::ok) << system.failure();
    system.evaluate(0.05, integrator->x());
    const EnergyBalance after = system.energy(integrator->x());
    const double scale = std::abs(after.kinetic) + std::abs(before.kinetic) + std::abs(after.work) +
                         std::abs(after.potential);
    EXPECT_NEAR(after.total() - after.work, before.total(), 1e-9 * scale);
    ++robots;
  });
  EXPECT_GT(robots, 20);
}

// ṗ as the midpoint rule asks for it, against differences of p along the motion
TEST(System, MomentumRateIsTheDerivativeOfMomenta) {
  for_robots_with_rates(30, [](Robot& r) {
    for (DofSpec& dof : r.model.column_dof) dof.friction_positive = dof.friction_negative = 0;
    System system(r.model);
    std::vector<double> x = state(system, r);
    const auto nv = static_cast<std::size_t>(r.model.nv), nq = static_cast<std::size_t>(r.model.nq);
    std::vector<double> x_dot(x.size()), p_dot(nv), z_dot(1), p[2];
    ASSERT_EQ(system.derivative(0, x, x_dot), Evaluated::ok);
    ASSERT_EQ(system.momentum_rate(0, x, p_dot, z_dot), Evaluated::ok);
    const double h = 1e-6;
    for (int side = 0; side < 2; ++side) {
      std::vector<double> there = x;
      const double dt = side ? h : -h;
      integrate(r.model, std::span(x).first(nq), std::span(x).subspan(nq, nv), dt,
                std::span(there).first(nq));
      for (std::size_t k = 0; k < nv; ++k) there[nq + k] += dt * x_dot[nq + k];
      p[side].resize(nv);
      system.momenta(there, p[side]);
    }
    double largest = 1;
    for (const double value : p_dot) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < nv; ++k)
      EXPECT_NEAR((p[1][k] - p[0][k]) / (2 * h), p_dot[k], 2e-7 * largest);
    std::vector<double> v(nv);
    system.momenta(x, p[0]);
    ASSERT_EQ(system.velocities_from_momenta(x, p[0], v), Evaluated::ok);
    for (std::size_t k = 0; k < nv; ++k) EXPECT_NEAR(v[k], x[nq + k], 1e-7 * (1 + std::abs(v[k])));
  });
}

TEST(System, ACloneGivesTheSameBits) {
  for_robots_with_rates(10, [](Robot& r) {
    System system(r.model);
    system.add(std::make_unique<SampledSpring>("spring", 0.1, 5.0));
    std::vector<double> x = state(system, r);
    system.update(0, 0, x);
    const auto copy = system.clone();
    std::vector<double> a(x.size()), b(x.size());
    ASSERT_EQ(system.derivative(0.2, x, a), Evaluated::ok);
    ASSERT_EQ(copy->derivative(0.2, x, b), Evaluated::ok);
    EXPECT_EQ(a, b);
  });
}

/// Holds one freedom at rest while its discrete state is 1.
class Brake final : public Part {
 public:
  explicit Brake(int freedom) : Part("brake"), freedom_(freedom) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Brake>(*this); }
  Role role() const override { return Role::world; }
  std::span<const int> prescribed() const override { return {&freedom_, 1}; }
  int discrete_states() const override { return 1; }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override {
    if (at.d[0] == 1) motion.hold(freedom_);
  }

 private:
  int freedom_;
};

// against the row of M of the freedom that is left, and inverse dynamics
TEST(System, PartsHoldFreedomsAsTheirDiscreteStatesSay) {
  const Model model = load("double_pendulum");
  System system(model);
  system.add(std::make_unique<Brake>(1));
  const std::vector<double> q = {0.4, -0.7}, v = {1.1, 0.6}, still = {1.1, 0}, none = {0, 0};
  std::vector<double> x = system.initial_state(q, v);
  Loads<double> loads;
  loads.passive = Passive::included;
  Workspace ws(model);
  for (const double held : {0.0, 1.0, 0.0, 1.0}) {
    system.discrete()[0] = held;
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
    std::vector<double> a(system.accelerations().begin(), system.accelerations().end());
    std::vector<double> moved = x;
    system.project(0, moved);
    if (held == 0) {
      EXPECT_EQ(moved, x);
      expect_accelerations(system, forward_dynamics(model, q, v, none, ws, loads));
      continue;
    }
    EXPECT_EQ(moved[3], 0);
    EXPECT_EQ(a[1], 0);
    const double bias = bias_forces(model, q, still, ws, loads)[0];
    EXPECT_NEAR(a[0], -bias / mass_matrix(model, q, ws)(0, 0), 1e-10);
    const auto tau = inverse_dynamics(model, q, still, a, ws, loads);
    EXPECT_NEAR(system.joint_forces()[0], 0, 1e-10);
    EXPECT_NEAR(system.joint_forces()[1], tau[1], 1e-10);
  }
}

TEST(System, RefusesJointsWithoutRates) {
  int refused = 0;
  for_random_robots(60, [&](Robot& r) {
    if (has_rates(r)) return;
    EXPECT_THROW(System{r.model}, Error);
    ++refused;
  });
  EXPECT_GT(refused, 0);
}

TEST(System, RefusesPartsThatDoNotFit) {
  System system(build(slider()));
  system.add(part("one", Role::world, [](Evaluation&) {}));
  EXPECT_THROW(system.add(part("one", Role::world, [](Evaluation&) {})), Error);
  const std::vector<double> none, one = {0}, bad = {NAN};
  EXPECT_THROW(system.initial_state(none, one), Error);
  EXPECT_THROW(system.initial_state(one, bad), Error);
}

TEST(System, NumbersThatAreNoneFailWithAReason) {
  System system(build(slider()));
  system.add(part("nan", Role::world, [](Evaluation& at) { at.tau[0] = NAN; }));
  const std::vector<double> zero = {0};
  const std::vector<double> x = system.initial_state(zero, zero);
  EXPECT_EQ(system.evaluate(0, x), Evaluated::failed);
  EXPECT_NE(system.failure().find("slide"), std::string::npos) << system.failure();
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
