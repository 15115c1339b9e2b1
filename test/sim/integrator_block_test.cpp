// The sliding-block predictor-correctors: their coefficients, their stability, their threads, and
// what limits do to them.
#include <gtest/gtest.h>

#include "sim/block_coefficients.hpp"
#include "sim/problems.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// ∫ from 0 to `target` by the derivatives at last − 4 … last: numerators / denominator.
struct Formula {
  int last, target;
  long numerators[5], denominator;
};

// predictors, then correctors of blocks of 1 to 4 points; derived by undetermined coefficients in
// exact arithmetic, apart from this program
constexpr Formula formulas[]{
    {0, 1, {251, -1274, 2616, -2774, 1901}, 720},
    {0, 2, {269, -1316, 2544, -2396, 1079}, 90},
    {0, 3, {987, -4698, 8712, -7638, 2877}, 80},
    {0, 4, {1634, -7616, 13704, -11456, 3914}, 45},
    {1, 1, {-19, 106, -264, 646, 251}, 720},
    {2, 1, {11, -74, 456, 346, -19}, 720},
    {2, 2, {-1, 4, 24, 124, 29}, 90},
    {3, 1, {-19, 346, 456, -74, 11}, 720},
    {3, 2, {-1, 34, 114, 34, -1}, 90},
    {3, 3, {-3, 42, 72, 102, 27}, 80},
    {4, 1, {251, 646, -264, 106, -19}, 720},
    {4, 2, {29, 124, 24, 4, -1}, 90},
    {4, 3, {27, 102, 72, 42, -3}, 80},
    {4, 4, {14, 64, 24, 64, 14}, 45},
};

long power(long base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// Σ w s^j = target^(j+1) / (j+1), in whole numbers
TEST(BlockFormulas, ExactOnPolynomials) {
  for (const Formula& f : formulas) {
    SCOPED_TRACE(testing::Message() << "last " << f.last << ", target " << f.target);
    for (int j = 0; j <= 4; ++j) {
      long sum = 0;
      for (int k = 0; k < 5; ++k) sum += f.numerators[k] * power(f.last - 4 + k, j);
      EXPECT_EQ(sum * (j + 1), f.denominator * power(f.target, j + 1)) << "degree " << j;
    }
    const auto weights = adams_weights(f.last, 0, f.target);
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(weights[k],
                  static_cast<double>(f.numerators[k]) / static_cast<double>(f.denominator),
                  1e-15 * (1 + std::abs(weights[k])));
  }
}

/// y' = −y.
class Decay final : public Ode {
 public:
  int size() const override { return 1; }
  Evaluated derivative(double, std::span<const double> x, std::span<double> x_dot) override {
    x_dot[0] = -x[0];
    return Evaluated::ok;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<Decay>(*this); }
};

double decayed(const char* method, double h) {
  Decay decay;
  const auto integrator = make_integrator(fixed_steps(method, h));
  const double start[]{1};
  return std::abs(carry(*integrator, decay, start, 2400 * h)[0]);
}

// largest stable steps on the negative real axis: 0.945, 0.29 and 0.22
TEST(BlockMethods, StabilityOnTheRealAxis) {
  struct Bound {
    const char* method;
    double stable, unstable;
  };
  for (const Bound& bound :
       {Bound{"pece_b1", 0.94, 0.95}, {"pece_b2", 0.285, 0.295}, {"pece_b4", 0.215, 0.225}}) {
    EXPECT_LT(decayed(bound.method, bound.stable), 1e-3) << bound.method;
    EXPECT_GT(decayed(bound.method, bound.unstable), 1) << bound.method;
  }
}

// errors at equal steps on y' = −y, 40 steps to t = 4 after an exact past, by an independent
// calculation; here the first four steps are Runge-Kutta's, and 36 of 40 add to the error
TEST(BlockMethods, ErrorsGrowWithTheBlock) {
  struct Known {
    const char* method;
    double error;
  };
  for (const Known& known : {Known{"pece_b1", 2.7e-8}, {"pece_b2", 9.8e-8}, {"pece_b4", 2.1e-6}}) {
    Decay decay;
    const auto integrator = make_integrator(fixed_steps(known.method, 0.1));
    const double start[]{1};
    const double error = std::abs(carry(*integrator, decay, start, 4)[0] - std::exp(-4.0));
    EXPECT_NEAR(error / known.error, 0.9, 0.03) << known.method << " " << error;
  }
}

std::vector<double> tumbled(const Model& model, const char* method, int threads) {
  RobotOde ode(model, 2);
  IntegratorSettings settings{method, 0.004};
  settings.threads = threads;
  const auto integrator = make_integrator(settings);
  integrator->start(ode, 0, spinning_state());
  const auto until = [&](double end) {
    while (integrator->t() < end) ASSERT_EQ(integrator->step(end), StepStatus::ok);
  };
  until(0.333);
  // a controller changes its mind: every thread's system has to know
  ode.push = -3;
  const std::vector<double> x(integrator->x().begin(), integrator->x().end());
  integrator->start(ode, integrator->t(), x);
  until(1);
  return {integrator->x().begin(), integrator->x().end()};
}

TEST(BlockMethods, ThreadsDoNotChangeABit) {
  const Model model = spinning_robot();
  for (const IntegratorMethod& method : integrator_methods()) {
    if (!method.name.starts_with("pece")) continue;
    const std::string name(method.name);
    const std::vector<double> alone = tumbled(model, name.c_str(), 1);
    for (int threads = 2; threads <= method.block; ++threads)
      EXPECT_EQ(tumbled(model, name.c_str(), threads), alone) << name << " on " << threads;
  }
}

// limits at multiples of the step: shorter blocks, the past is kept, two evaluations per step
TEST(BlockMethods, LimitsOnTheGridCostNothing) {
  Kepler kepler;
  const auto integrator = make_integrator({"pece_b4", 0.01});
  integrator->start(kepler, 0, Kepler::solution(0));
  for (int k = 1; k <= 100; ++k) {
    const double limit = 0.03 * k;
    while (integrator->t() < limit) ASSERT_EQ(integrator->step(limit), StepStatus::ok);
    EXPECT_EQ(integrator->t(), limit);
  }
  EXPECT_EQ(integrator->cost().steps, 300);
  EXPECT_EQ(integrator->cost().evaluations, 1 + 4 * 6 + 2 * 296);
  EXPECT_LT(largest_difference(integrator->x(), Kepler::solution(3)), 1e-8);
}

// limits between the instants: a step to the side, and the integration goes on from the grid
TEST(BlockMethods, LimitsBetweenInstantsKeepThePast) {
  Kepler kepler;
  const auto integrator = make_integrator({"pece_b4", 0.01});
  integrator->start(kepler, 0, Kepler::solution(0));
  std::vector<double> x(5);
  for (int k = 1; k <= 40; ++k) {
    const double limit = 0.0737 * k;
    while (integrator->t() < limit) {
      const double before = integrator->t();
      ASSERT_EQ(integrator->step(limit), StepStatus::ok);
      ASSERT_GT(integrator->t(), before);
      integrator->interpolate((before + integrator->t()) / 2, x);
      EXPECT_LT(largest_difference(x, Kepler::solution((before + integrator->t()) / 2)), 1e-7);
    }
    EXPECT_EQ(integrator->t(), limit);
    EXPECT_LT(largest_difference(integrator->x(), Kepler::solution(limit)), 1e-8) << limit;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
