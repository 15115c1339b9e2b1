// What CVODE alone can do: stiff equations, and roots that end a step.
#include <gtest/gtest.h>

#include "sim/problems.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// y' = −10⁶ (y − cos t) − sin t: y = cos t, and steps that are not stiffly stable need millions.
class Stiff final : public Ode {
 public:
  int size() const override { return 1; }
  Evaluated derivative(double t, std::span<const double> x, std::span<double> x_dot) override {
    x_dot[0] = -1e6 * (x[0] - std::cos(t)) - std::sin(t);
    return Evaluated::ok;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<Stiff>(*this); }
};

TEST(Cvode, StiffEquations) {
  Stiff ode;
  const auto integrator = make_integrator({"cvode_bdf", 1e-3, 1e-8, 1e-10, 1, 1});
  const double start[]{1};
  EXPECT_NEAR(carry(*integrator, ode, start, 10)[0], std::cos(10.0), 1e-6);
  EXPECT_LT(integrator->cost().evaluations, 2000);
}

// the planet is half-way round at φ = π, t = π, and farthest and nearest where ṙ = 0
TEST(Cvode, EndsStepsAtRoots) {
  for (const char* method : {"cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    Kepler kepler;
    const auto integrator = make_integrator({method, 1e-3, 1e-11, 1e-12, 0.5, 1});
    ASSERT_TRUE(integrator->find_roots(
        [](double, std::span<const double> x, std::span<double> values) {
          values[0] = x[1] - M_PI;
          values[1] = x[1] - 4 * M_PI;
        },
        2));
    integrator->start(kepler, 0, Kepler::solution(0));
    std::vector<double> found;
    while (integrator->t() < 13) {
      const double before = integrator->t();
      ASSERT_EQ(integrator->step(13), StepStatus::ok);
      if (integrator->roots().empty()) continue;
      found.push_back(integrator->t());
      EXPECT_EQ(integrator->roots()[found.size() - 1], 1);
      EXPECT_EQ(integrator->roots()[2 - found.size()], 0);
      // the interpolant knows the step that ended here
      std::vector<double> x(5);
      const double middle = (before + integrator->t()) / 2;
      integrator->interpolate(middle, x);
      EXPECT_LT(largest_difference(x, Kepler::solution(middle)), 1e-7);
      // a limit within what CVODE has already computed
      ASSERT_EQ(integrator->step(integrator->t() + 1e-7), StepStatus::ok);
      EXPECT_LT(largest_difference(integrator->x(), Kepler::solution(integrator->t())), 1e-7);
    }
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0], M_PI, 1e-7);
    EXPECT_NEAR(found[1], 4 * M_PI, 1e-7);
  }
}

TEST(Cvode, RootsMayBeForgotten) {
  Kepler kepler;
  const auto integrator = make_integrator({"cvode_adams"});
  const RootFunctions half_way = [](double, std::span<const double> x, std::span<double> values) {
    values[0] = x[1] - M_PI;
  };
  integrator->find_roots(half_way, 1);
  integrator->start(kepler, 0, Kepler::solution(0));
  while (integrator->roots().empty() && integrator->t() < 4) integrator->step(4);
  EXPECT_NEAR(integrator->t(), M_PI, 1e-6);
  integrator->find_roots({}, 0);
  integrator->start(kepler, 0, Kepler::solution(0));
  while (integrator->t() < 4) {
    ASSERT_EQ(integrator->step(4), StepStatus::ok);
    EXPECT_TRUE(integrator->roots().empty());
  }
}

TEST(Cvode, OthersDoNotFindRoots) {
  const auto integrator = make_integrator({"rk4"});
  EXPECT_FALSE(integrator->find_roots({}, 0));
  EXPECT_TRUE(integrator->roots().empty());
}

// quaternions that CVODE lets drift are brought back: a spin of many turns stays exact
TEST(Cvode, QuaternionsStayUnit) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("top", 1, {}, {1, 2, 3});
  float_base(spec);
  const Model model = build(spec);
  for (const char* method : {"cvode_adams", "cvode_bdf"}) {
    RobotOde ode(model);
    const auto integrator = make_integrator({method, 1e-3, 1e-6, 1e-8, 0.05, 1});
    const double start[]{0, 0, 0, 0, 0, 0, 1, 0, 0, 10, 0, 0, 0};
    const std::vector<double> x = carry(*integrator, ode, start, 20);
    EXPECT_NEAR(x[5] * x[5] + x[6] * x[6], 1, 1e-14) << method;
    EXPECT_NEAR(x[5], std::sin(100.0), 2e-3) << method;
    EXPECT_NEAR(x[6], std::cos(100.0), 2e-3) << method;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
