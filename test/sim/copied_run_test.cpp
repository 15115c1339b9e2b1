// Simulations as values: a copy goes on as the original does, and nothing of it reaches the
// original.
#include <limber/sim/simulation.hpp>

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/payload.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/value_event.hpp>

#include "sim/parts.hpp"
#include "sim/problems.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Rows = std::vector<std::vector<double>>;

const std::vector<double> start = {1.0, 0.5}, at_rest = {0, 0};

// samples (0: none), events that act and that are watched, states of parts, inputs
System busy_system(double sample_time) {
  System system(load("double_pendulum"));
  if (sample_time > 0) system.add(std::make_unique<SampledSpring>("spring", sample_time, 20.0));
  system.add(std::make_unique<Pusher>());
  system.add(std::make_unique<JointLimits>(JointLimitSettings{AtLimit::bumper, 1e3, 5}));
  system.add(std::make_unique<Payload>(PayloadSettings{
      "block", "lower", Inertia<double>::from_com(2, {0, 0, -0.5}, {0.01, 0.01, 0.01}), 0.313,
      0.541}));
  system.add(std::make_unique<ValueEvent>("upright", named_value(system.model(), "elbow.position"),
                                          0, EventSpec::Crossing::both, Then::watch));
  return system;
}

SimulationSettings settings_of(const std::string& method) {
  SimulationSettings settings;
  settings.duration = 0.8;
  settings.record_interval = 0.013;
  settings.integrator.method = method;
  settings.integrator.step = 2e-3;
  return settings;
}

void keep_rows(Simulation& run, Rows& rows) {
  auto recorder = std::make_shared<Recorder>(run.system(), RecordChoice{});
  run.on_record = [recorder, &rows](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder->row(now, t, x);
    rows.emplace_back(row.begin(), row.end());
  };
}

std::vector<double> end_of(const Simulation& run) { return {run.x().begin(), run.x().end()}; }

void expect_same_run(const Simulation& a, const Simulation& b) {
  EXPECT_EQ(a.status(), b.status());
  EXPECT_EQ(a.t(), b.t());
  EXPECT_EQ(end_of(a), end_of(b));
  EXPECT_EQ(a.cost().steps, b.cost().steps);
  EXPECT_EQ(a.cost().rejected, b.cost().rejected);
  EXPECT_EQ(a.cost().evaluations, b.cost().evaluations);
  EXPECT_EQ(a.accuracy().step_error, b.accuracy().step_error);
  EXPECT_EQ(a.accuracy().energy_error, b.accuracy().energy_error);
  ASSERT_EQ(a.events().size(), b.events().size());
  for (std::size_t k = 0; k < a.events().size(); ++k) EXPECT_EQ(a.events()[k].t, b.events()[k].t);
}

class Copied : public testing::TestWithParam<std::string> {};
std::vector<std::string> names_of_methods() {
  std::vector<std::string> names;
  for (const IntegratorMethod& method : integrator_methods()) names.emplace_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, Copied, testing::ValuesIn(names_of_methods()),
                         [](const auto& test) { return test.param; });

TEST_P(Copied, ACopyRunsAheadAndTheOriginalKeepsItsBits) {
  std::mt19937 random(7);
  for (const double sample_time : {0.0, 0.07}) {
    const SimulationSettings settings = settings_of(GetParam());
    Simulation alone(busy_system(sample_time), settings, start, at_rest);
    Rows expected;
    keep_rows(alone, expected);
    alone.change("pusher.force", 10);
    ASSERT_EQ(alone.run(), RunStatus::finished) << alone.message();
    ASSERT_GE(alone.events().size(), 2u);

    Simulation run(busy_system(sample_time), settings, start, at_rest);
    Rows rows;
    keep_rows(run, rows);
    run.change("pusher.force", 10);
    int copies = 0;
    double next = 0;
    while (run.status() == RunStatus::running) {
      if (run.t() >= next) {
        next += std::uniform_real_distribution(0.0, 0.2)(random);
        Simulation ahead = run, disturbed = run;
        Rows later = rows;
        keep_rows(ahead, later);
        EXPECT_EQ(ahead.run(), RunStatus::finished) << ahead.message();
        EXPECT_EQ(later, expected) << "copied at " << run.t();
        expect_same_run(ahead, alone);
        disturbed.change([](StateEdit& edit) {
          edit.q[0] += 0.3;
          edit.v[1] -= 2;
          edit.set("pusher.force", 20);
        });
        disturbed.run();
        EXPECT_NE(end_of(disturbed), end_of(alone));
        ++copies;
      }
      run.step();
    }
    EXPECT_GT(copies, 3);
    EXPECT_EQ(rows, expected);
    expect_same_run(run, alone);
  }
}

// a copy of a copy that was saved; and saving in between changes nothing either
TEST_P(Copied, SavingChangesNothing) {
  const SimulationSettings settings = settings_of(GetParam());
  Simulation alone(busy_system(0), settings, start, at_rest),
      saved(busy_system(0), settings, start, at_rest);
  alone.run();
  Simulation resumed = saved;
  for (int k = 0; saved.step() == RunStatus::running; ++k)
    if (k % 40 == 7) resumed = Simulation(busy_system(0), settings, saved.save());
  expect_same_run(saved, alone);
  const Simulation copy = resumed;
  resumed.run();
  EXPECT_EQ(end_of(resumed), end_of(alone));
  Simulation again = copy;
  again.run();
  EXPECT_EQ(end_of(again), end_of(alone));
}

// unit quaternions, velocities along axes that turn
TEST_P(Copied, ARobotThatTumbles) {
  const std::vector<double> x = spinning_state();
  const std::vector<double> q(x.begin(), x.begin() + 8), v(x.begin() + 8, x.end());
  SimulationSettings settings = settings_of(GetParam());
  if (GetParam() == "pece_b4") settings.integrator.threads = 2;
  Simulation alone(System(spinning_robot()), settings, q, v), run = alone;
  alone.run();
  for (int k = 0; run.step() == RunStatus::running; ++k)
    if (k % 50 == 11) {
      Simulation copy = run;
      copy.run();
      EXPECT_EQ(end_of(copy), end_of(alone));
    }
  expect_same_run(run, alone);
}

TEST(CopiedRun, HooksStayWithTheirObject) {
  Simulation run(System(load("double_pendulum")), settings_of("rk4"), start, at_rest);
  int records = 0, asked = 0;
  run.on_record = [&](const System&, double, std::span<const double>) { ++records; };
  run.advance(0.1);
  const int before = records;
  const Simulation checkpoint = run;
  EXPECT_FALSE(checkpoint.on_record);
  Simulation other = checkpoint;
  other.go_on = [&](double) { return ++asked < 1000; };
  other.run();
  EXPECT_EQ(records, before);
  EXPECT_GT(asked, 10);
  run.advance(0.5);
  run = checkpoint;  // back, and the hook is still there
  EXPECT_EQ(run.t(), checkpoint.t());
  const int at_checkpoint = records;
  run.run();
  EXPECT_GT(records, at_checkpoint);
  Simulation moved = std::move(other);
  EXPECT_EQ(moved.status(), RunStatus::finished);
  EXPECT_TRUE(moved.go_on);
}

TEST(CopiedRun, HalfAStepCannotBeCopiedOrChanged) {
  Simulation run(System(load("double_pendulum")), settings_of("dopri5"), start, at_rest);
  std::string copying, changing, stepping;
  run.on_record = [&](const System&, double, std::span<const double>) {
    copying = message_of([&] { Simulation copy = run; });
    changing = message_of([&] { run.change("elbow.velocity", 0); });
    stepping = message_of([&] { run.step(); });
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_TRUE(mentions(copying, {"on_record", "half done", "go_on"}));
  EXPECT_TRUE(mentions(changing, {"on_record", "half done", "go_on"}));
  EXPECT_TRUE(mentions(stepping, {"hook"}));
  // but after the step it can
  Simulation other(System(load("double_pendulum")), settings_of("dopri5"), start, at_rest);
  std::vector<double> ends;
  other.go_on = [&](double) {
    Simulation copy = other;
    if (ends.size() < 3) {
      copy.run();
      ends.push_back(copy.x()[0]);
    }
    return true;
  };
  other.run();
  for (const double end : ends) EXPECT_EQ(end, run.x()[0]);
}

// owns something of its own, and says so
class Device final : public Part {
 public:
  Device() : Part("device") {}
  std::unique_ptr<Part> clone() const override {
    throw Error("it holds a serial port and cannot be copied; leave it out of copies");
  }
  Role role() const override { return Role::world; }
};

TEST(CopiedRun, APartThatCannotBeCopiedSaysSo) {
  System system(load("double_pendulum"));
  system.add(std::make_unique<Device>());
  Simulation run(std::move(system), settings_of("rk4"), start, at_rest);
  run.advance(0.2);
  EXPECT_TRUE(mentions(message_of([&] { Simulation copy = run; }), {"'device'", "serial port"}));
  EXPECT_EQ(run.run(), RunStatus::finished);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
