// Quadratures: integrals that are looked at and on which nothing depends choose no step.
#include <cmath>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/problems.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// x = (cos t, −sin t, and, if wanted, the integral of a large number times sin² t).
class Oscillator final : public Ode {
 public:
  explicit Oscillator(int integrals, double size = 0) : integrals_(integrals), size_(size) {}
  int size() const override { return 2 + integrals_; }
  int quadratures() const override { return integrals_; }
  Evaluated derivative(double, std::span<const double> x, std::span<double> x_dot) override {
    x_dot[0] = x[1];
    x_dot[1] = -x[0];
    if (integrals_) x_dot[2] = size_ * x[1] * x[1];
    return Evaluated::ok;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<Oscillator>(*this); }

 private:
  int integrals_;
  double size_;
};

TEST(Quadrature, ChoosesNoStep) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    const IntegratorSettings settings{method, 1e-3, 1e-9, 1e-10, 0.5, 1};
    const auto plain = make_integrator(settings);
    Oscillator alone(0);
    carry(*plain, alone, std::vector<double>{1, 0}, 10);
    for (const double size : {1.0, 1e12}) {
      const auto integrator = make_integrator(settings);
      Oscillator ode(1, size);
      const std::vector<double> x = carry(*integrator, ode, std::vector<double>{1, 0, 0}, 10);
      EXPECT_NEAR(x[0], std::cos(10.0), 1e-6);
      // it is computed as well as what it is the integral of
      EXPECT_NEAR(x[2] / size, 5 - std::sin(20.0) / 4, 1e-6);
      const auto steps = static_cast<double>(plain->cost().steps);
      EXPECT_NEAR(static_cast<double>(integrator->cost().steps), steps, 0.15 * steps);
    }
  }
}

// 10 MW of friction at the first instant, in a state that begins at 0
TEST(Quadrature, HeavyDampedRobotsCanBegin) {
  Spec spec;
  spec.add_body("arm", 2000, {1, 0, 0}, {100, 2000, 2000});
  spec.add_joint("hinge", JointKind::revolute, "", "arm", {0, 1, 0}).dof().damping = 1e5;
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    System system(build(spec));
    SimulationSettings settings;
    settings.duration = 0.5;
    settings.integrator.method = method;
    settings.integrator.relative_tolerance = 1e-9;
    settings.integrator.absolute_tolerance = 1e-12;
    const std::vector<double> q{0}, v{10};
    Simulation run(system, settings, q, v);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    System end = run.system();
    ASSERT_EQ(end.evaluate(run.t(), run.x()), Evaluated::ok);
    const EnergyBalance energy = end.energy(run.x());
    EXPECT_LT(energy.work, -1e5);
    EXPECT_LT(std::abs(energy.error()), 1e-6 * std::abs(energy.work));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
