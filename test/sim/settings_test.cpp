// Settings of a run: what cannot be computed is refused before it begins, what is accepted is
// computed to its end.
#include <limber/sim/simulation_settings.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>
#include <limber/sim/value_event.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
const std::vector<double> at_zero = {0};

std::string refusal(const SimulationSettings& settings) {
  System system(build(slider()));
  return message_of([&] { Simulation(system, settings, at_zero, at_zero); });
}

// the field is named, whatever of these is put into it
void expect_refused(double SimulationSettings::*field, const std::string& name,
                    const std::vector<double>& values) {
  for (const double value : values) {
    SimulationSettings settings;
    settings.*field = value;
    EXPECT_TRUE(mentions(refusal(settings), {name})) << name << " " << value;
  }
}

void expect_refused(double IntegratorSettings::*field, const std::string& name,
                    const std::vector<double>& values) {
  for (const std::string method : {"dopri5", "cvode_adams", "cvode_bdf"})
    for (const double value : values) {
      SimulationSettings settings;
      settings.integrator.method = method;
      settings.integrator.*field = value;
      EXPECT_TRUE(mentions(refusal(settings), {name})) << name << " " << value;
    }
}

const std::vector<double> nonsense = {0,        -1,        -1e-300, nan_value,
                                      infinite, -infinite, 5e-324,  1e-300};

TEST(Settings, NonsenseIsRefusedByName) {
  std::vector<double> no_duration = nonsense;
  std::erase(no_duration, infinite);  // endless
  expect_refused(&SimulationSettings::duration, "duration", no_duration);
  expect_refused(&SimulationSettings::record_interval, "record_interval", nonsense);
  expect_refused(&SimulationSettings::event_tolerance, "event_tolerance", nonsense);
  expect_refused(&SimulationSettings::event_tolerance, "event_tolerance", {1e-16, 2, 1e300});
  expect_refused(&SimulationSettings::speed_limit, "speed_limit", {0, -1, nan_value, infinite});
  expect_refused(&IntegratorSettings::step, "step", nonsense);
  expect_refused(&IntegratorSettings::max_step, "max_step", nonsense);
  for (const auto& [field, name] :
       {std::pair{&IntegratorSettings::relative_tolerance, "relative_tolerance"},
        std::pair{&IntegratorSettings::absolute_tolerance, "absolute_tolerance"}}) {
    expect_refused(field, name, nonsense);
    expect_refused(field, name, {1e-100, 2, 1e300});
  }
}

TEST(Settings, TimesShorterThanTheClockResolvesAtTheEndAreRefused) {
  SimulationSettings settings;
  settings.duration = 1e7;
  settings.integrator.step = 0.1;
  settings.record_interval = 100;
  EXPECT_TRUE(mentions(refusal(settings), {"event_tolerance", "1e-09", "10000000 s"}));
  settings.event_tolerance = 1e-6;
  EXPECT_EQ(refusal(settings), no_error);
  settings.integrator.step = 1e-6;
  EXPECT_TRUE(mentions(refusal(settings), {"step", "1e-06", "0.0001"}));
}

TEST(Settings, RecordsAndStepsToComeAreEstimatedAndLimited) {
  System system(build(slider()));
  system.add(std::make_unique<SampledSpring>("spring", 0.5, 1.0));
  SimulationSettings settings;
  settings.duration = 100;
  const RunEstimate estimate = estimate_run(settings, system);
  EXPECT_NEAR(estimate.records, 1e4, 2);
  EXPECT_NEAR(estimate.steps, 1e5 + 200, 2);
  const auto message = [&] {
    return message_of([&] { Simulation(system, settings, at_zero, at_zero); });
  };
  EXPECT_EQ(message(), no_error);
  settings.limits.records = 9e3;
  EXPECT_TRUE(mentions(message(), {"record_interval", "10001 records", "limits.records"}));
  settings.limits = {1e7, 9e4};
  EXPECT_TRUE(mentions(message(), {"step", "100000 steps", "limits.steps"}));
  settings.limits = {1e7, nan_value};
  EXPECT_TRUE(mentions(message(), {"steps", "nan"}));
  settings.limits = {infinite, infinite};
  EXPECT_EQ(message(), no_error);
}

TEST(Settings, SampleTimesOfPartsAreChecked) {
  for (const double period : {-1.0, nan_value, infinite, 1e-300, 1e-10}) {
    System system(build(slider()));
    system.add(std::make_unique<SampledSpring>("spring", period, 1.0));
    const std::string message = message_of([&] { Simulation(system, {}, at_zero, at_zero); });
    EXPECT_TRUE(mentions(message, {"sample_time", "spring"})) << period;
  }
}

class AllMethods : public testing::TestWithParam<std::string> {};
std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const IntegratorMethod& method : integrator_methods()) names.emplace_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, AllMethods, testing::ValuesIn(all_methods()),
                         [](const auto& test) { return test.param; });

// a fall of 1 s by steps that are as long as can be: z = −g t²/2 for all but the methods of Euler
TEST_P(AllMethods, FinishedMeansComputedHoweverLongStepsMayBe) {
  for (const double longest : {1e3, 1e100, 1e300}) {
    System system(build(slider()));
    SimulationSettings settings;
    settings.integrator.method = GetParam();
    settings.integrator.step = settings.integrator.max_step = longest;
    Simulation run(system, settings, at_zero, at_zero);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    EXPECT_EQ(run.t(), 1);
    EXPECT_GE(run.cost().steps, 1);
    const bool first_order = GetParam().find("euler") != std::string::npos;
    if (!first_order) {
      EXPECT_NEAR(run.x()[0], -9.81 / 2, 1e-6) << longest;
    }
    EXPECT_NEAR(run.x()[1], -9.81, 1e-6) << longest;
  }
}

TEST_P(AllMethods, TheShortestDurationIsComputed) {
  System system(build(slider()));
  SimulationSettings settings;
  settings.duration = 1e-9;
  settings.integrator.method = GetParam();
  Simulation run(system, settings, at_zero, at_zero);
  long records = 0;
  run.on_record = [&](const System&, double, std::span<const double>) { ++records; };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[1], -9.81e-9, 1e-14);
  EXPECT_EQ(records, 2);
}

// no weight, no speed: nothing changes, and an estimate of the step must not divide by that
TEST_P(AllMethods, ARobotAtRestStaysThere) {
  Spec spec = slider();
  spec.gravity = {};
  System system(build(spec));
  SimulationSettings settings;
  settings.integrator.method = GetParam();
  Simulation run(system, settings, at_zero, at_zero);
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_EQ(run.x()[0], 0);
  EXPECT_GE(run.cost().steps, 1);
}

// the finest tolerance that is allowed, late in a long run: 1e-5 m/s take the mass 1 m far in 1e5 s
TEST_P(AllMethods, EventsAreLocatedWithTheFinestTolerance) {
  const double duration = 2e5;
  Spec spec = slider();
  spec.gravity = {};
  System system(build(spec));
  system.add(std::make_unique<ValueEvent>("far", named_value(system.model(), "slide.position"), 1,
                                          EventSpec::Crossing::rising, Then::stop));
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = GetParam();
  settings.integrator.step = settings.integrator.max_step = 3;
  settings.record_interval = 1e4;
  settings.event_tolerance = 4 * (std::nextafter(duration, infinite) - duration);
  Simulation run(system, settings, at_zero, std::vector<double>{1e-5});
  EXPECT_EQ(run.run(), RunStatus::stopped) << run.message();
  EXPECT_NEAR(run.t(), 1e5, 1e-3);
  EXPECT_NEAR(run.x()[0], 1, 1e-9);
}

// the tolerances are at fault, not a rate
TEST(Settings, TolerancesThatCannotBeMetAreBlamed) {
  System system(load("double_pendulum"));
  SimulationSettings settings;
  settings.integrator = {"dopri5", 1e-3, 1e-14, 1e-30, 0.05, 1};
  Simulation run(system, settings, std::vector<double>{1, 0}, std::vector<double>{0, 0});
  if (run.run() != RunStatus::finished) {
    EXPECT_TRUE(mentions(run.message(), {"tolerances are too small", "t = "}));
    EXPECT_EQ(run.message().find("finite"), std::string::npos) << run.message();
  }
}

// vibrates so fast that error control needs more steps than are allowed
TEST(Settings, TheLimitOfStepsHoldsDuringTheRun) {
  for (const std::string method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    Spec spec = slider(1);
    spec.joints[0].dof().stiffness = 1e8;
    System system(build(spec));
    SimulationSettings settings;
    settings.integrator.method = method;
    settings.limits.steps = 200;
    Simulation run(system, settings, at_zero, at_zero);
    double last = -1;
    run.on_record = [&](const System&, double t, std::span<const double>) { last = t; };
    EXPECT_EQ(run.run(), RunStatus::failed) << method;
    EXPECT_TRUE(mentions(run.message(), {"t = ", "limit of 200", "limits.steps"}));
    EXPECT_LT(run.t(), 1);
    EXPECT_EQ(last, run.t());
  }
}

// 200 crossings in a second, none of which may fill the memory for ever
TEST(Settings, TheLimitOfRecordsHoldsForEventsToo) {
  Spec spec = slider(1);
  spec.gravity = {};
  spec.joints[0].dof().stiffness = 4 * M_PI * M_PI * 1e4;
  System system(build(spec));
  system.add(std::make_unique<ValueEvent>("zero", named_value(system.model(), "slide.position"), 0,
                                          EventSpec::Crossing::both, Then::watch));
  SimulationSettings settings;
  settings.record_interval = 1;
  settings.limits.records = 50;
  Simulation run(system, settings, std::vector<double>{1}, at_zero);
  EXPECT_EQ(run.run(), RunStatus::failed);
  EXPECT_NEAR(run.t(), 0.25, 0.01);
  EXPECT_TRUE(mentions(run.message(), {"more events", "limits.records"}));
}

// a step that rounding swallows is told by the integrators themselves
TEST(Settings, AStepThatDoesNotMoveTheClockIsNoStep) {
  for (const std::string method :
       {"euler", "rk4", "semi_implicit_euler", "midpoint", "pece_b1", "pece_b4"}) {
    System system(build(slider()));
    const std::vector<double> x = system.initial_state(at_zero, at_zero);
    IntegratorSettings settings;
    settings.method = method;
    settings.step = 1e-20;
    const auto integrator = make_integrator(settings);
    integrator->start(system, 1, x);
    EXPECT_EQ(integrator->step(2), StepStatus::step_too_small) << method;
    EXPECT_EQ(integrator->t(), 1);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
