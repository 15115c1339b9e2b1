// Whether a run was accurate: errors of steps against closed forms, energy against the energies
// themselves, and that the advice is good.
#include <limber/sim/accuracy.hpp>

#include <cstdlib>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// a mass on a spring: ω = 2π rad/s
Model oscillator() {
  Spec spec = slider(2);
  spec.gravity = {};
  spec.joints[0].dof().stiffness = 2 * 4 * M_PI * M_PI;
  return build(spec);
}

SimulationSettings by(const std::string& method, double step, double duration) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = method;
  settings.integrator.step = step;
  return settings;
}

// A step of length h changes x and v by about h ω of their amplitudes, in turn over a period; what
// it is wrong by is the first term of the exponential series that the method leaves out.
TEST(Accuracy, StepErrorsAreThoseOfTheExponentialSeries) {
  const double h = 0.01, wh = 2 * M_PI * h;
  for (const auto& [method, expected] :
       {std::pair{"euler", wh / 2}, std::pair{"rk4", wh * wh * wh * wh / 120},
        std::pair{"midpoint", wh * wh / 12}}) {
    System system(oscillator());
    Simulation run(system, by(method, h, 20.3), std::vector<double>{0.1}, std::vector<double>{0});
    ASSERT_EQ(run.run(), RunStatus::finished);
    EXPECT_GE(run.accuracy().steps_checked, 50) << method;
    EXPECT_NEAR(run.accuracy().step_error, expected, 0.1 * expected) << method;
  }
}

double energy_of(const Model& model, std::span<const double> x) {
  Workspace ws(model);
  const std::span<const double> q = x.first(2), v = x.subspan(2, 2);
  return kinetic_energy<double>(model, q, v, ws) + potential_energy<double>(model, q, ws);
}

struct Swing {
  RunStatus status;
  RunAccuracy accuracy;
  std::string verdict;
  double energy_change;
};

Swing swing(const SimulationSettings& settings) {
  const Model model = load("double_pendulum");
  System system(model);
  const std::vector<double> q = {2.0, 0.7}, v = {0, 0};
  Simulation run(system, settings, q, v);
  const double before = energy_of(model, run.x());
  run.run();
  return {run.status(), run.accuracy(), inaccuracy(run.accuracy(), settings.integrator),
          energy_of(model, run.x()) - before};
}

TEST(Accuracy, ADoublePendulumWithLongStepsIsInaccurate) {
  const Swing found = swing(by("rk4", 0.1, 10));
  ASSERT_EQ(found.status, RunStatus::finished);
  EXPECT_GT(std::abs(found.energy_change), 5);
  EXPECT_GE(found.accuracy.energy_error, std::abs(found.energy_change) * (1 - 1e-12));
  EXPECT_TRUE(mentions(found.verdict, {"energy error", " J exchanged", "a step of", "rk4"}));
}

TEST(Accuracy, RunsThatAreWellResolvedAreNotDoubted) {
  for (const char* method : {"rk4", "dopri5", "midpoint", "pece_b1", "pece_b2", "pece_b3",
                             "pece_b4", "cvode_adams", "cvode_bdf"})
    EXPECT_EQ(swing(by(method, 1e-3, 10)).verdict, "") << method;
  for (const char* method : {"euler", "semi_implicit_euler"})
    EXPECT_EQ(swing(by(method, 1e-5, 2)).verdict, "") << method;
}

// the step that is advised is taken, and does
TEST(Accuracy, TheAdviceIsGood) {
  for (const auto& [method, step] :
       {std::pair{"euler", 3e-3}, std::pair{"midpoint", 0.03}, std::pair{"rk4", 0.1},
        std::pair{"rk4", 0.04}, std::pair{"pece_b1", 0.03}, std::pair{"pece_b2", 0.01},
        std::pair{"pece_b3", 0.01}, std::pair{"pece_b4", 0.01}}) {
    SimulationSettings settings = by(method, step, 10);
    const std::string verdict = swing(settings).verdict;
    const std::size_t place = verdict.find("a step of ");
    ASSERT_NE(place, std::string::npos) << method << ": " << verdict;
    settings.integrator.step = std::strtod(verdict.c_str() + place + 10, nullptr);
    EXPECT_LT(settings.integrator.step, step);
    EXPECT_GT(settings.integrator.step, step / 1000);
    EXPECT_EQ(swing(settings).verdict, "") << method;
  }
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SimulationSettings settings = by(method, 1e-3, 10);
    settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = 1e-2;
    const std::string verdict = swing(settings).verdict;
    const std::size_t place = verdict.find("relative_tolerance ");
    ASSERT_NE(place, std::string::npos) << method << ": " << verdict;
    settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance =
        std::strtod(verdict.c_str() + place + 19, nullptr);
    EXPECT_EQ(swing(settings).verdict, "") << method;
  }
}

/// Turns the velocity of the slide around at 0, with half of its speed.
class Floor final : public Part {
 public:
  Floor() : Part("floor") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Floor>(*this); }
  Role role() const override { return Role::world; }
  std::vector<EventSpec> events() const override {
    EventSpec event;
    event.text = "bounce";
    event.crossing = EventSpec::Crossing::falling;
    event.kind = EventSpec::Kind::act;
    return {event};
  }
  void event_values(Evaluation& at, std::span<double> values) override { values[0] = at.q[0]; }
  EventOutcome on_event(int, Evaluation&, EventState state) override {
    state.v[0] *= -0.5;
    return EventOutcome::state_changed;
  }
};

TEST(Accuracy, AnEventThatTakesEnergyAwayIsNoError) {
  System system(build(slider(2)));
  system.add(std::make_unique<Floor>());
  const SimulationSettings settings = by("rk4", 1e-3, 1);
  Simulation run(system, settings, std::vector<double>{2}, std::vector<double>{0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_FALSE(run.events().empty());
  EXPECT_EQ(inaccuracy(run.accuracy(), settings.integrator), "");
  EXPECT_LT(run.accuracy().energy_error, 1e-6);
}

// a mass in syrup: far stiffer than an explicit method could repeat in a few steps
TEST(Accuracy, AStiffRunByBackwardDifferencesIsNotDoubted) {
  Spec spec = slider(2);
  spec.joints[0].dof().damping = 1e7;
  System system(build(spec));
  const SimulationSettings settings = by("cvode_bdf", 1e-3, 5);
  Simulation run(system, settings, std::vector<double>{0}, std::vector<double>{0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_EQ(inaccuracy(run.accuracy(), settings.integrator), "");
}

TEST(Accuracy, APendulumThatHangsIsAccurate) {
  for (const char* method : {"euler", "dopri5", "cvode_adams"}) {
    System system(load("double_pendulum"));
    const SimulationSettings settings = by(method, 0.01, 3);
    Simulation run(system, settings, std::vector<double>{0, 0}, std::vector<double>{0, 0});
    ASSERT_EQ(run.run(), RunStatus::finished);
    EXPECT_EQ(inaccuracy(run.accuracy(), settings.integrator), "") << method;
  }
}

TEST(Accuracy, ARobotAtRestAndOneInUniformMotionAreAccurate) {
  Spec spec = slider(2);
  spec.gravity = {};
  for (const double speed : {0.0, 3.0}) {
    System system(build(spec));
    const SimulationSettings settings = by("euler", 0.01, 3);
    Simulation run(system, settings, std::vector<double>{0.3}, std::vector<double>{speed});
    ASSERT_EQ(run.run(), RunStatus::finished);
    EXPECT_EQ(inaccuracy(run.accuracy(), settings.integrator), "") << speed;
  }
}

// the same run, checked or not, to the same bits
TEST(Accuracy, LookingChangesNothing) {
  for (const IntegratorMethod& method : integrator_methods()) {
    std::vector<std::vector<double>> ends;
    for (const int checks : {0, 64}) {
      System system(load("double_pendulum"));
      SimulationSettings settings = by(std::string(method.name), 1e-3, 1);
      settings.accuracy_checks = checks;
      Simulation run(system, settings, std::vector<double>{2.0, 0.7}, std::vector<double>{0, 0});
      run.run();
      EXPECT_EQ(run.accuracy().steps_checked > 0, checks > 0) << method.name;
      ends.emplace_back(run.x().begin(), run.x().end());
    }
    EXPECT_EQ(ends[0], ends[1]) << method.name;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
