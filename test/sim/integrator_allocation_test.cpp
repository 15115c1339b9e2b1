// No step of Limber's own methods allocates, whichever thread works.
#include <gtest/gtest.h>

#include "sim/problems.hpp"
#include "support/counting_new.hpp"

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

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
