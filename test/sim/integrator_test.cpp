// What all integrators promise: limits, clocks, failures, saving, refusals.
#include <gtest/gtest.h>

#include "sim/problems.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

IntegratorSettings settings_of(const IntegratorMethod& method) {
  IntegratorSettings settings;
  settings.method = method.name;
  settings.step = 0.01;
  settings.threads = method.block;
  return settings;
}

template <class F>
void for_all_methods(F f) {
  for (const IntegratorMethod& method : integrator_methods()) {
    SCOPED_TRACE(method.name);
    f(method, *make_integrator(settings_of(method)));
  }
}

/// Passes everything on to a planet, notes the latest time it was asked for, and fails from a
/// certain time on.
class Watched final : public MechanicalOde {
 public:
  enum class Failure { says_so, not_a_number };
  explicit Watched(double fails_from = INFINITY, Failure failure = Failure::says_so)
      : fails_from_(fails_from), failure_(failure) {}
  double latest = 0;

  int size() const override { return 5; }
  int positions() const override { return 2; }
  int velocities() const override { return 2; }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<Watched>(*this); }
  Evaluated derivative(double t, std::span<const double> x, std::span<double> x_dot) override {
    kepler_.derivative(t, x, x_dot);
    return judge(t, x_dot[0]);
  }
  void move(std::span<const double> q, std::span<const double> v, double dt,
            std::span<double> result) override {
    kepler_.move(q, v, dt, result);
  }
  void momenta(std::span<const double> x, std::span<double> p) override { kepler_.momenta(x, p); }
  Evaluated velocities_from_momenta(std::span<const double> x, std::span<const double> p,
                                    std::span<double> v) override {
    return kepler_.velocities_from_momenta(x, p, v);
  }
  Evaluated momentum_rate(double t, std::span<const double> x, std::span<double> p_dot,
                          std::span<double> z_dot) override {
    kepler_.momentum_rate(t, x, p_dot, z_dot);
    return judge(t, p_dot[0]);
  }

 private:
  Evaluated judge(double t, double& rate) {
    latest = std::max(latest, t);
    if (t < fails_from_) return Evaluated::ok;
    if (failure_ == Failure::says_so) return Evaluated::failed;
    rate = NAN;
    return Evaluated::ok;
  }
  Kepler kepler_;
  double fails_from_;
  Failure failure_;
};

TEST(Integrator, NeverPassesALimit) {
  for_all_methods([](const IntegratorMethod&, Integrator& integrator) {
    Watched ode;
    integrator.start(ode, 0, Kepler::solution(0));
    for (const double limit : {0.0234, 0.05, 0.0500001, 0.2, 0.99, 1.0}) {
      while (integrator.t() < limit) {
        ASSERT_EQ(integrator.step(limit), StepStatus::ok);
        ASSERT_LE(ode.latest, limit + 1e-11);
      }
      EXPECT_EQ(integrator.t(), limit);
    }
  });
}

TEST(Integrator, NothingToDoAtTheLimit) {
  for_all_methods([](const IntegratorMethod&, Integrator& integrator) {
    Kepler ode;
    const std::vector<double> start = Kepler::solution(0);
    integrator.start(ode, 1, start);
    for (const double limit : {0.5, 1.0, 1 + 1e-16, std::nextafter(1.0, 2.0)})
      EXPECT_EQ(integrator.step(limit), StepStatus::ok);
    EXPECT_EQ(integrator.t(), std::nextafter(1.0, 2.0));
    EXPECT_EQ(largest_difference(integrator.x(), start), 0);
    EXPECT_EQ(integrator.cost().steps, 0);
  });
}

TEST(Integrator, ClockDoesNotDrift) {
  for (const char* method : {"euler", "rk4", "midpoint", "pece_b1", "pece_b4"}) {
    Kepler ode;
    const auto integrator = make_integrator({method, 0.001});
    integrator->start(ode, 0.7, Kepler::solution(0));
    while (integrator->cost().steps < 1004) ASSERT_EQ(integrator->step(1e9), StepStatus::ok);
    EXPECT_EQ(integrator->t(), 0.7 + 0.001 * static_cast<double>(integrator->cost().steps));
  }
}

TEST(Integrator, EvaluationsPerStep) {
  struct Cost {
    const char* method;
    long evaluations;
  };
  // of 20 steps; dopri5 and the block methods begin with one rate, the latter go on with four
  // Runge-Kutta steps of six
  for (const Cost& cost : {Cost{"euler", 20},
                           {"semi_implicit_euler", 20},
                           {"rk4", 80},
                           {"dopri5", 121},
                           {"pece_b1", 57},
                           {"pece_b2", 57},
                           {"pece_b4", 57}}) {
    Kepler ode;
    const auto integrator = make_integrator(fixed_steps(cost.method, 0.01));
    carry(*integrator, ode, Kepler::solution(0), 0.2);
    EXPECT_EQ(integrator->cost().steps, 20) << cost.method;
    EXPECT_EQ(integrator->cost().evaluations, cost.evaluations) << cost.method;
  }
}

// who interpolates in every step pays one evaluation in all: each rate is used twice
TEST(Integrator, InterpolationUsesTheRatesOfTheSteps) {
  for (const char* method : {"euler", "rk4"}) {
    Kepler ode;
    const auto plain = make_integrator(fixed_steps(method, 0.01)),
               interpolated = make_integrator(fixed_steps(method, 0.01));
    const std::vector<double> end = carry(*plain, ode, Kepler::solution(0), 0.2);
    std::vector<double> x(5);
    interpolated->start(ode, 0, Kepler::solution(0));
    while (interpolated->t() < 0.2) {
      interpolated->step(0.2);
      interpolated->interpolate(interpolated->t() - 0.005, x);
    }
    EXPECT_EQ(interpolated->cost().evaluations, plain->cost().evaluations + 1);
    EXPECT_EQ(largest_difference(interpolated->x(), end), 0);
  }
}

TEST(Integrator, StopsWhereTheDerivativeFails) {
  for (const auto failure : {Watched::Failure::says_so, Watched::Failure::not_a_number})
    for_all_methods([&](const IntegratorMethod&, Integrator& integrator) {
      Watched ode(0.5, failure);
      integrator.start(ode, 0, Kepler::solution(0));
      StepStatus status = StepStatus::ok;
      while (status == StepStatus::ok && integrator.t() < 1) status = integrator.step(1);
      EXPECT_EQ(status, StepStatus::not_computable);
      EXPECT_LE(integrator.t(), 0.501);  // midpoint asks half a step later
      EXPECT_GE(integrator.t(), 0.46);   // a block of four may begin here
      // where it stands is where it stood, and stays so
      const std::vector<double> x(integrator.x().begin(), integrator.x().end());
      EXPECT_LT(largest_difference(x, Kepler::solution(integrator.t())), 0.01);
      EXPECT_EQ(integrator.step(1), StepStatus::not_computable);
      EXPECT_EQ(largest_difference(integrator.x(), x), 0);
      std::vector<double> between(5);
      integrator.interpolate(integrator.t() - 0.001, between);
      EXPECT_LT(largest_difference(between, x), 0.01);
    });
}

/// y' = y², from y = 1: infinite at t = 1.
class BlowUp final : public Ode {
 public:
  int size() const override { return 1; }
  Evaluated derivative(double, std::span<const double> x, std::span<double> x_dot) override {
    x_dot[0] = x[0] * x[0];
    return Evaluated::ok;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<BlowUp>(*this); }
};

TEST(Integrator, StopsBeforeInfinity) {
  for_all_methods([](const IntegratorMethod& method, Integrator& integrator) {
    if (method.mechanical) return;
    BlowUp ode;
    const double start[]{1};
    integrator.start(ode, 0, start);
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok && integrator.t() < 2) status = integrator.step(2);
    EXPECT_NE(status, StepStatus::ok);
    EXPECT_TRUE(std::isfinite(integrator.x()[0]));
    EXPECT_NEAR(integrator.t(), 1, method.error_control ? 1e-6 : 0.2);
  });
}

TEST(Integrator, MidpointSaysWhenItDoesNotConverge) {
  const Model model = load("double_pendulum");
  RobotOde ode(model);
  const auto integrator = make_integrator({"midpoint", 5.0});
  const double start[]{1, 2, 30, -40};
  integrator->start(ode, 0, start);
  EXPECT_EQ(integrator->step(100), StepStatus::no_convergence);
  EXPECT_EQ(integrator->t(), 0);
  EXPECT_EQ(largest_difference(integrator->x(), start), 0);
}

// after a while, in the middle of everything, also between two instants of a grid
TEST(Integrator, ResumesBitByBit) {
  const Model model = spinning_robot();
  for (const double break_off : {0.015, 0.1234, 0.5})
    for_all_methods([&](const IntegratorMethod& method, Integrator& first) {
      RobotOde ode(model, 2), other(model, 2);
      carry(first, ode, spinning_state(), break_off);
      const std::vector<double> saved = first.save(), x(first.x().begin(), first.x().end());
      const auto second = make_integrator(settings_of(method));
      second->resume(other, first.t(), x, saved);
      const double limit = 1;
      while (first.t() < limit) {
        ASSERT_EQ(first.step(limit), StepStatus::ok);
        ASSERT_EQ(second->step(limit), StepStatus::ok);
        ASSERT_EQ(first.t(), second->t());
        ASSERT_EQ(largest_difference(first.x(), second->x()), 0) << "at " << first.t();
      }
    });
}

TEST(Integrator, SameResultsAgain) {
  const Model model = spinning_robot();
  for_all_methods([&](const IntegratorMethod&, Integrator& integrator) {
    RobotOde ode(model, 2);
    const std::vector<double> once = carry(integrator, ode, spinning_state(), 0.3);
    EXPECT_EQ(carry(integrator, ode, spinning_state(), 0.3), once);
  });
}

TEST(Integrator, Refusals) {
  const auto message = [](const IntegratorSettings& settings) {
    return message_of([&] { make_integrator(settings); });
  };
  EXPECT_NE(message({"rk5"}).find("did you mean 'rk4'?"), std::string::npos) << message({"rk5"});
  EXPECT_NE(message({"rk4", -1}).find("step: -1 s"), std::string::npos) << message({"rk4", -1});
  EXPECT_NE(message({"rk4", NAN}), "");
  EXPECT_NE(message({"dopri5", 1e-3, 0}).find("relative_tolerance: 0 found"), std::string::npos);
  EXPECT_NE(message({"rk4", 1e-3, 1e-8, 1e-8, 0.1, 2}).find("can use one"), std::string::npos);
  EXPECT_NE(message({"pece_b2", 1e-3, 1e-8, 1e-8, 0.1, 3}).find("1 to 2"), std::string::npos);
  BlowUp general;
  const double start[]{1}, wrong[]{1, 2}, nan[]{NAN};
  for (const char* method : {"semi_implicit_euler", "midpoint"}) {
    const auto integrator = make_integrator({method});
    EXPECT_NE(message_of([&] { integrator->start(general, 0, start); }).find("equations of motion"),
              std::string::npos);
  }
  for_all_methods([&](const IntegratorMethod& method, Integrator& integrator) {
    if (method.mechanical) return;
    EXPECT_THROW(integrator.start(general, 0, wrong), Error);
    EXPECT_THROW(integrator.start(general, 0, nan), Error);
    EXPECT_THROW(integrator.resume(general, 0, start, std::vector<double>(77)), Error);
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
