// Runs that are changed while they go on: what a change does, what is refused, and runs that are
// replayed from their changes; single steps; runs without an end.
#include <limber/sim/simulation.hpp>

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/value_event.hpp>

#include "sim/parts.hpp"
#include "sim/problems.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::vector<double> zero = {0};

std::vector<double> numbers(std::span<const double> x) { return {x.begin(), x.end()}; }

class Live : public testing::TestWithParam<std::string> {};
std::vector<std::string> methods_there_are() {
  std::vector<std::string> names;
  for (const IntegratorMethod& method : integrator_methods()) names.emplace_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, Live, testing::ValuesIn(methods_there_are()),
                         [](const auto& test) { return test.param; });

// a body that tumbles with an arm, a sampled part, a motor with inputs
struct Tumbling {
  std::vector<double> q, v;
  SimulationSettings settings;

  explicit Tumbling(const std::string& method) {
    const std::vector<double> x = spinning_state();
    q.assign(x.begin(), x.begin() + 8);
    v.assign(x.begin() + 8, x.end());
    settings.duration = 0.6;
    settings.record_interval = 0.017;
    settings.integrator.method = method;
    settings.integrator.step = 2e-3;
  }
  System system() const {
    System all(spinning_robot());
    all.add(std::make_unique<Pusher>(6));
    all.add(std::make_unique<SampledSpring>("spring", 0.05, 5.0));
    all.add(std::make_unique<ValueEvent>("level", named_value(all.model(), "hinge.position"), 0.2,
                                         EventSpec::Crossing::both, Then::watch));
    return all;
  }
  Simulation begin() const { return {system(), settings, q, v}; }
};

// random edits at random times, by place and by name
void play(Simulation& run, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](double lower, double upper) {
    return std::uniform_real_distribution(lower, upper)(random);
  };
  double next = 0;
  while (run.status() == RunStatus::running) {
    if (run.t() >= next) {
      next = run.t() + number(0, 0.1);
      run.change("pusher.force", number(-50, 50));
      if (number(0, 1) < 0.5) run.change("pusher.rate", number(0.1, 100));
      if (number(0, 1) < 0.3)
        run.change([&](StateEdit& edit) {
          edit.q[3] += number(-0.3, 0.3);  // of the quaternion, which is made a unit again
          edit.v[2] *= 0.9;
          edit.set("hinge.velocity", edit.value("hinge.velocity") + 0.1);
          edit.set("pusher.z[0]", 1.5);
        });
    }
    run.step();
  }
}

TEST_P(Live, ChangesAreReplayedBitForBit) {
  const Tumbling tumbling(GetParam());
  Simulation live = tumbling.begin(), again = tumbling.begin(), untouched = tumbling.begin();
  RecordingMark marks[2];
  Recorder recorder(live.system(), {});
  live.on_record = [&](const System& now, double t, std::span<const double> x) {
    marks[0].add(recorder.row(now, t, x));
  };
  again.on_record = [&](const System& now, double t, std::span<const double> x) {
    marks[1].add(recorder.row(now, t, x));
  };
  play(live, 3);
  ASSERT_EQ(live.status(), RunStatus::finished) << live.message();
  ASSERT_GT(live.changes().size(), 8u);
  EXPECT_EQ(live.changes()[0].step, 0);  // before the first step
  EXPECT_EQ(again.replay(live.changes()), RunStatus::running);
  EXPECT_EQ(again.run(), RunStatus::finished);
  EXPECT_EQ(marks[1], marks[0]);
  EXPECT_EQ(numbers(again.x()), numbers(live.x()));
  EXPECT_EQ(again.changes(), live.changes());
  EXPECT_EQ(again.events().size(), live.events().size());
  EXPECT_EQ(again.input("pusher.force"), live.input("pusher.force"));
  untouched.run();
  EXPECT_NE(numbers(untouched.x()), numbers(live.x()));
}

// the second half of a run, from where it was saved
TEST_P(Live, ASavedRunKeepsInputsAndChanges) {
  const Tumbling tumbling(GetParam());
  Simulation live = tumbling.begin();
  live.change("pusher.force", 30);
  live.advance(0.2);
  live.change("pusher.rate", 50);
  live.advance(0.3);
  const SavedRun saved = live.save();
  live.change("pusher.force", -30);
  live.run();
  Simulation resumed(tumbling.system(), tumbling.settings, saved);
  EXPECT_EQ(resumed.changes().size(), 2u);
  EXPECT_EQ(resumed.input("pusher.rate"), 50);
  const std::span<const Change> all = live.changes();
  resumed.replay(all.subspan(2));
  resumed.run();
  EXPECT_EQ(numbers(resumed.x()), numbers(live.x()));
  EXPECT_EQ(resumed.changes(), live.changes());
  SavedRun damaged = saved;
  damaged.inputs[0] = 51;
  EXPECT_TRUE(
      mentions(message_of([&] { Simulation(tumbling.system(), tumbling.settings, damaged); }),
               {"pusher.force", "51 N", "-50", "50"}));
}

TEST(ChangedRun, AReplayThatComesElsewhereIsRefused) {
  const Tumbling tumbling("rk4");
  Simulation live = tumbling.begin();
  live.advance(0.1);
  live.change("pusher.force", 30);
  Tumbling other("rk4");
  other.settings.integrator.step = 1e-3;
  Simulation run = other.begin();
  EXPECT_TRUE(mentions(message_of([&] { run.replay(live.changes()); }), {"t = 0.1 s", "settings"}));
}

// m a = F: the push of 10 N for one second, of −20 N for another
TEST_P(Live, InputsAct) {
  Spec spec = slider(2);
  spec.gravity = {};
  System system(build(spec));
  system.add(std::make_unique<FunctionPart>("nothing", Role::world, [](Evaluation&) {}));
  system.add(std::make_unique<Pusher>());
  SimulationSettings settings;
  settings.duration = HUGE_VAL;
  settings.integrator.method = GetParam();
  settings.integrator.step = 1e-4;
  if (GetParam() == "pece_b4") settings.integrator.threads = 2;
  Simulation run(std::move(system), settings, zero, zero);
  run.change([](StateEdit& edit) {
    edit.set("pusher.force", 10);
    edit.set("pusher.z[0]", 10);  // at once
  });
  run.advance(1);
  const double t = run.t();
  const bool first_order = GetParam().find("euler") != std::string::npos;
  EXPECT_NEAR(run.x()[1], 10 / 2.0 * t, 1e-8);
  EXPECT_NEAR(run.x()[0], 10 / 4.0 * t * t, first_order ? 1e-3 : 1e-6);
  run.change([](StateEdit& edit) {
    edit.set("pusher.force", -20);
    edit.set("pusher.z[0]", -20);
    edit.v[0] = 1;
  });
  const double changed = run.t();
  EXPECT_EQ(run.x()[1], 1);
  run.advance(2);
  EXPECT_NEAR(run.x()[1], 1 - 10 * (run.t() - changed), 1e-8);
  EXPECT_EQ(run.status(), RunStatus::running);
}

TEST(ChangedRun, WhatAChangeAddsToTheEnergyIsWork) {
  System system(load("double_pendulum"));
  SimulationSettings settings;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = 1e-11;
  Simulation run(std::move(system), settings, std::vector{1.0, 0.5}, std::vector{0.0, 0.0});
  double largest = 0, most_work = 0;
  run.on_record = [&](const System& now, double, std::span<const double> x) {
    largest = std::max(largest, std::abs(now.energy(x).error()));
    most_work = std::max(most_work, std::abs(now.energy(x).work));
  };
  run.advance(0.4);
  run.change([](StateEdit& edit) {
    edit.q[0] = -2;
    edit.v[1] = 7;
  });
  EXPECT_EQ(run.run(), RunStatus::finished);
  EXPECT_LT(largest, 1e-8);
  EXPECT_GT(most_work, 1);
  EXPECT_LT(run.accuracy().energy_error, 1e-7);
}

// every refusal leaves the run as it was
TEST(ChangedRun, RefusalsNameWhatIsWrongAndChangeNothing) {
  const Tumbling tumbling("dopri5");
  Simulation alone = tumbling.begin(), run = tumbling.begin();
  alone.advance(0.2);
  run.advance(0.2);
  const auto refused = [&](const char* name, double value) {
    return message_of([&] { run.change(name, value); });
  };
  EXPECT_TRUE(mentions(refused("pusher.force", 51), {"'pusher.force'", "51 N", "-50 to 50"}));
  EXPECT_TRUE(mentions(refused("pusher.force", NAN), {"'pusher.force'", "nan"}));
  EXPECT_TRUE(mentions(refused("pusher.forse", 1), {"'pusher.forse'", "'pusher.force'"}));
  EXPECT_TRUE(mentions(refused("hinge.velocity", INFINITY), {"'hinge.velocity'", "inf"}));
  EXPECT_TRUE(mentions(refused("hinge.velocity", 1e9), {"hinge", "speed limit"}));
  EXPECT_TRUE(mentions(message_of([&] { run.input("pusher.rat"); }), {"'pusher.rate'"}));
  EXPECT_THROW(run.change([](StateEdit& edit) {
    edit.q[0] = 1;
    throw 7;
  }),
               int);
  run.change("pusher.force", 0);  // as it is
  run.change([](StateEdit&) {});  // nothing
  EXPECT_TRUE(run.changes().empty());
  alone.run();
  run.run();
  EXPECT_EQ(numbers(run.x()), numbers(alone.x()));
  EXPECT_EQ(run.cost().steps, alone.cost().steps);
  EXPECT_TRUE(mentions(refused("pusher.force", 1), {"ended", "finished"}));
}

class Inputs final : public Part {
 public:
  explicit Inputs(std::vector<InputSpec> inputs) : Part("slide"), inputs_(std::move(inputs)) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Inputs>(*this); }
  Role role() const override { return Role::world; }
  std::vector<InputSpec> inputs() const override { return inputs_; }

 private:
  std::vector<InputSpec> inputs_;
};

TEST(ChangedRun, InputsThatMakeNoSenseAreRefused) {
  const auto message = [](std::vector<InputSpec> inputs) {
    System system(build(slider()));
    return message_of([&] { system.add(std::make_unique<Inputs>(std::move(inputs))); });
  };
  EXPECT_EQ(message({{"a", "", 1, 0, 2}, {"b", "", 0}}), no_error);
  EXPECT_TRUE(mentions(message({{"a", "", 3, 0, 2}}), {"'slide'", "'a'", "3", "0 to 2"}));
  EXPECT_TRUE(mentions(message({{"a", "", NAN}}), {"'a'", "nan"}));
  EXPECT_TRUE(mentions(message({{"a", ""}, {"a", ""}}), {"'a'", "another name"}));
  EXPECT_TRUE(mentions(message({{"", ""}}), {"empty"}));
  // as the robot's variable
  EXPECT_TRUE(mentions(message({{"position", ""}}), {"'slide.position'", "another name"}));
}

// a limit that is passed by the change itself acts at once, in go_on too
TEST(ChangedRun, EventsThatStandAfterAChangeAct) {
  for (const bool in_hook : {false, true}) {
    Spec spec = slider();
    spec.gravity = {};
    spec.joints[0].dof().lower = -1;
    spec.joints[0].dof().upper = 1;
    System system(build(spec));
    system.add(std::make_unique<JointLimits>(JointLimitSettings{AtLimit::stop}));
    Simulation run(std::move(system), {}, zero, zero);
    if (in_hook) {
      run.go_on = [&](double t) {
        if (t > 0.5) run.change("slide.position", 2);
        return true;
      };
      run.run();
    } else {
      run.advance(0.5);
      run.change("slide.position", 2);
      run.run();
    }
    EXPECT_EQ(run.status(), RunStatus::stopped) << run.message();
    EXPECT_NEAR(run.t(), 0.5, 0.01);
    EXPECT_EQ(run.changes().size(), 1u);
  }
}

// instants of a method with fixed steps, and of samples between them
TEST(ChangedRun, AStepIsOneStepOfTheIntegrator) {
  System system(build(slider()));
  system.add(std::make_unique<SampledSpring>("spring", 0.025, 1.0));
  SimulationSettings settings;
  settings.duration = 0.06;
  settings.record_interval = 0.02;
  settings.integrator.step = 0.01;
  Simulation run(std::move(system), settings, zero, zero);
  int records = 0;
  run.on_record = [&](const System&, double, std::span<const double>) { ++records; };
  std::vector<double> times;
  while (run.step() == RunStatus::running) times.push_back(run.t());
  times.push_back(run.t());
  const std::vector<double> expected = {0.01, 0.02, 0.025, 0.035, 0.045, 0.05, 0.06};
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], expected[k], 1e-12);
  EXPECT_EQ(records, 4);
  EXPECT_EQ(run.step(), RunStatus::finished);
  EXPECT_EQ(run.t(), 0.06);
}

// takes the steps of one with an end, and ends by an event
TEST_P(Live, AnEndlessRunGoesOnUntilAnEvent) {
  const auto fall = [&](double duration) {
    System system(build(slider()));
    system.add(std::make_unique<ValueEvent>("ground", named_value(system.model(), "slide.position"),
                                            -100, EventSpec::Crossing::falling, Then::stop));
    SimulationSettings settings;
    settings.duration = duration;
    settings.integrator.method = GetParam();
    settings.integrator.step = 1e-2;
    settings.limits.steps = 1e4;
    return Simulation(std::move(system), settings, zero, zero);
  };
  Simulation endless = fall(HUGE_VAL), finite = fall(50);
  EXPECT_EQ(endless.run(), RunStatus::stopped) << endless.message();
  EXPECT_EQ(finite.run(), RunStatus::stopped);
  EXPECT_EQ(endless.t(), finite.t());
  EXPECT_EQ(numbers(endless.x()), numbers(finite.x()));
  if (GetParam() == "rk4") {
    EXPECT_GT(endless.accuracy().steps_checked, 0);
  }
}

// brings its state to a circle, and cannot from some time on
class Circle final : public Ode {
 public:
  int size() const override { return 2; }
  Evaluated derivative(double, std::span<const double> x, std::span<double> x_dot) override {
    x_dot[0] = -x[1];
    x_dot[1] = x[0];
    return Evaluated::ok;
  }
  Evaluated stabilise(double t, std::span<double> x) override {
    if (t > 0.5) return Evaluated::failed;
    const double length = std::hypot(x[0], x[1]);
    for (double& one : x) one /= length;
    return Evaluated::ok;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<Circle>(*this); }
};

TEST_P(Live, AStepThatCannotBeStabilisedIsGivenUp) {
  if (find_integrator_method(GetParam())->mechanical) return;
  Circle circle;
  IntegratorSettings settings;
  settings.method = GetParam();
  settings.step = 0.01;
  const auto integrator = make_integrator(settings);
  integrator->start(circle, 0, std::vector{1.0, 0.0});
  StepStatus status = StepStatus::ok;
  std::vector<double> before;
  double t = 0;
  while (status == StepStatus::ok && integrator->t() < 1) {
    t = integrator->t();
    before = numbers(integrator->x());
    EXPECT_NEAR(std::hypot(before[0], before[1]), 1, 1e-15);
    status = integrator->step(1);
  }
  EXPECT_EQ(status, StepStatus::not_computable);
  EXPECT_EQ(integrator->t(), t);
  EXPECT_EQ(numbers(integrator->x()), before);
  EXPECT_NEAR(t, 0.5, 0.06);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
