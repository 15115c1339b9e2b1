// Integrators on robots: a published benchmark, and energy over a long time.
#include <numeric>

#include <gtest/gtest.h>

#include "sim/problems.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// IFToMM library of computational benchmark problems, A01: a point mass of 1 kg on 1 m, released
// at (−1, 0); where it is after 10 s
TEST(IntegratorOnRobots, SimplePendulumOfIftomm) {
  Spec spec;
  spec.gravity = {0, -9.81, 0};
  spec.add_body("bob", 1, {1, 0, 0});
  spec.add_joint("pivot", JointKind::revolute, "", "bob");
  const Model model = build(spec);
  for (const char* method : {"dopri5", "cvode_adams"}) {
    RobotOde ode(model);
    const auto integrator = make_integrator({method, 1e-3, 1e-13, 1e-13, 0.05, 1});
    const double start[]{M_PI, 0};
    const std::vector<double> x = carry(*integrator, ode, start, 10);
    EXPECT_NEAR(std::cos(x[0]), -0.275087462576, 1e-9) << method;
    EXPECT_NEAR(std::sin(x[0]), -0.961419205099, 1e-9) << method;
    EXPECT_NEAR(-std::sin(x[0]) * x[1], 4.175598100952, 1e-9) << method;
    EXPECT_NEAR(std::cos(x[0]) * x[1], -1.194749054561, 1e-9) << method;
  }
}

struct LongRun {
  std::vector<double> energy_errors;  ///< once a second for 1000 s [J]
  double evaluations_per_second;      ///< of simulated time
};

LongRun swing(const IntegratorSettings& settings) {
  const Model model = load("double_pendulum");
  RobotOde ode(model);
  Workspace ws(model);
  const auto integrator = make_integrator(settings);
  const auto energy = [&] {
    const auto q = integrator->x().first(2), v = integrator->x().subspan(2);
    return kinetic_energy(model, q, v, ws) + potential_energy(model, q, ws);
  };
  const double start[]{0.9, -0.6, 0, 0};
  integrator->start(ode, 0, start);
  const double begin = energy();
  LongRun run;
  for (int second = 1; second <= 1000; ++second) {
    while (integrator->t() < second)
      if (integrator->step(second) != StepStatus::ok) throw std::runtime_error("step failed");
    run.energy_errors.push_back(energy() - begin);
  }
  run.evaluations_per_second = static_cast<double>(integrator->cost().evaluations) / 1000;
  return run;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double amplitude(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// over 100 s at both ends of the run; Runge-Kutta with as many evaluations
TEST(IntegratorOnRobots, MidpointKeepsEnergyWhereRungeKuttaLosesIt) {
  const LongRun midpoint = swing({"midpoint", 0.04});
  const std::span<const double> m(midpoint.energy_errors);
  EXPECT_LT(amplitude(m), 0.02);
  EXPECT_LT(amplitude(m.last(100)), 1.1 * amplitude(m.first(100)));
  EXPECT_LT(std::abs(mean(m.last(100)) - mean(m.first(100))), 0.1 * amplitude(m));

  const LongRun rk4 = swing({"rk4", 4 / midpoint.evaluations_per_second});
  EXPECT_NEAR(rk4.evaluations_per_second / midpoint.evaluations_per_second, 1, 0.03);
  const std::span<const double> r(rk4.energy_errors);
  EXPECT_LT(mean(r.last(100)), 10 * mean(r.first(100)));  // it loses
  EXPECT_GT(std::abs(mean(r.last(100)) - mean(r.first(100))), 0.9 * amplitude(r));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
