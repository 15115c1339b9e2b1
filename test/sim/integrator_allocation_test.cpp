// No step of Limber's own methods allocates, whichever thread works.
#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/payload.hpp>
#include <limber/sim/system.hpp>
#include <limber/sim/water_part.hpp>

#include "sim/problems.hpp"
#include "support/counting_new.hpp"
#include "support/four_bar.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(IntegratorAllocation, IsCounted) {
  EXPECT_EQ(allocations_in([] { std::vector<double>(100); }), 1);
  EXPECT_EQ(allocations_in([] {}), 0);
}

TEST(IntegratorAllocation, NoneInSteps) {
  const Model model = spinning_robot();
  for (const IntegratorMethod& method : integrator_methods()) {
    if (method.name.starts_with("cvode")) continue;
    RobotOde ode(model, 2);
    IntegratorSettings settings{std::string(method.name), 0.01};
    settings.threads = method.block;
    const auto integrator = make_integrator(settings);
    const std::vector<double> start = spinning_state();
    std::vector<double> between(start.size());
    integrator->start(ode, 0, start);
    EXPECT_EQ(allocations_in([&] {
                for (int k = 1; k <= 20; ++k) {
                  integrator->step(0.0123 * k);
                  integrator->interpolate(integrator->t() - 0.001, between);
                }
                integrator->start(ode, integrator->t(), between);
                for (int k = 0; k < 20; ++k) integrator->step(100);
              }),
              0)
        << method.name;
  }
}

TEST(IntegratorAllocation, NoneWithLoops) {
  const MovingFourBar bars;
  Spec spec = bars.spec(MovingFourBar::Cut::tip);
  spec.loops[0].dofs.resize(1);
  spec.loops[0].dofs[0].damping = 0.1;
  for (const Drift drift : {Drift::project, Drift::baumgarte, Drift::independent}) {
    System system(build(spec));
    LoopSettings settings;
    settings.drift = drift;
    settings.rate = 100;
    system.keep_loops(settings);
    std::vector<double> x = system.initial_state(bars.q(MovingFourBar::Cut::tip, 0.7),
                                                 bars.v(MovingFourBar::Cut::tip, 0.7, 3));
    std::vector<double> x_dot(x.size());
    ASSERT_EQ(system.derivative(0.1, x, x_dot), Evaluated::ok);
    EXPECT_EQ(allocations_in([&] {
                for (int k = 0; k < 10; ++k) {
                  system.derivative(0.1 * k, x, x_dot);
                  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-3 * x_dot[i];
                  system.stabilise(0.1 * k, x);
                }
              }),
              0);
  }
}

// water with currents, waves and a surface that cuts a hull
TEST(IntegratorAllocation, NoneInWater) {
  auto water = std::make_shared<Water>();
  water->level = 0;
  water->current = GaussMarkovCurrent({{0.2, 0, 0}, {0.1, 0.1, 0}});
  water->waves = irregular_waves({0.3, 3}, water->depth);
  ShapeSpec box;
  box.size = {0.3, 0.3, 0.3};
  System system(load("double_pendulum"));
  system.add(std::make_unique<WaterPart>(
      water, std::vector<LinkHydrodynamics>{{"lower", hydrodynamics_of(box, 1025)}}));
  std::vector<double> x = system.initial_state(std::vector{0.3, 0.4}, std::vector{1.0, -1.0});
  std::vector<double> x_dot(x.size());
  ASSERT_EQ(system.derivative(0, x, x_dot), Evaluated::ok);
  EXPECT_EQ(allocations_in([&] {
              for (int k = 0; k < 10; ++k) {
                system.derivative(0.1 * k, x, x_dot);
                for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-3 * x_dot[i];
              }
            }),
            0);
}

// a payload costs memory when it is gripped, not while it is carried, nor when something else
// changes
TEST(IntegratorAllocation, NoneWhileSomethingIsCarried) {
  System system(load("double_pendulum"));
  system.add(std::make_unique<Payload>(
      PayloadSettings{"block", "lower", Inertia<double>::from_com(2, {0, 0, -0.5}, {})}));
  const std::vector<double> q{1.2, -0.4}, v{0.1, 0.2};
  const std::vector<double> x = system.initial_state(q, v);
  std::vector<double> x_dot(x.size());
  ASSERT_EQ(system.derivative(0.1, x, x_dot), Evaluated::ok);
  EXPECT_EQ(allocations_in([&] {
              system.derivative(0.2, x, x_dot);
              system.discrete();  // may have changed
              system.derivative(0.2, x, x_dot);
            }),
            0);
  system.discrete()[0] = 0;
  EXPECT_GT(allocations_in([&] { system.derivative(0.2, x, x_dot); }), 0);
  EXPECT_EQ(&system.model(), &system.model_with_payloads());
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
