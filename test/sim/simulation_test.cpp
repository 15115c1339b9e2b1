// Simulation: samples, events, records, divergence, saving and going on.
#include <limber/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/value_event.hpp>

#include "sim/parts.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::vector<double> zero = {0};

SimulationSettings settings(const std::string& method, double duration, double step = 1e-3) {
  SimulationSettings all;
  all.duration = duration;
  all.integrator.method = method;
  all.integrator.step = step;
  all.record_interval = 0.05;
  return all;
}

class EveryMethod : public testing::TestWithParam<std::string> {};
std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const IntegratorMethod& method : integrator_methods()) names.emplace_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

// z = z0 − g t²/2 reaches the threshold at a known instant; all methods but Euler's are exact there
TEST_P(EveryMethod, StopsWhereAFallingMassPassesAHeight) {
  System system(build(slider()));
  system.add(std::make_unique<ValueEvent>("ground", named_value(system.model(), "slide.position"),
                                          0.25, EventSpec::Crossing::falling, Then::stop));
  const std::vector<double> start = {1};
  Simulation run(system, settings(GetParam(), 2), start, zero);
  EXPECT_EQ(run.run(), RunStatus::stopped);
  EXPECT_EQ(run.message(), "ground");
  const double expected = std::sqrt(2 * 0.75 / 9.81);
  const bool first_order = GetParam().find("euler") != std::string::npos;
  EXPECT_NEAR(run.t(), expected, first_order ? 2e-3 : 2e-9);
  EXPECT_NEAR(run.x()[0], 0.25, 2e-8);
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].t, run.t());
}

// the run goes on as if it had not been watched
TEST_P(EveryMethod, WatchedEventsAreListedInOrderAndChangeNothing) {
  const auto swing = [&](bool watched) {
    Spec spec = slider();
    spec.gravity = {};
    spec.joints[0].dof().stiffness = 2 * 4 * M_PI * M_PI;  // period 1 s
    System system(build(spec));
    if (watched)
      system.add(std::make_unique<ValueEvent>("zero", named_value(system.model(), "slide.position"),
                                              0, EventSpec::Crossing::both, Then::watch));
    const std::vector<double> start = {1};
    Simulation run(system, settings(GetParam(), 2.1, 1e-3), start, zero);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return std::pair{run.events(), std::vector<double>(run.x().begin(), run.x().end())};
  };
  const auto seen = swing(true), unseen = swing(false);
  ASSERT_EQ(seen.first.size(), 4u);
  const bool first_order = GetParam().find("euler") != std::string::npos;
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(seen.first[k].t, 0.25 + 0.5 * static_cast<double>(k),
                first_order                ? 0.05
                : GetParam() == "midpoint" ? 1e-4
                                           : 1e-6);
  if (!GetParam().starts_with("cvode")) {
    EXPECT_EQ(seen.second, unseen.second);
  }
}

TEST_P(EveryMethod, ASavedRunGoesOnWithTheSameBits) {
  const auto make_system = [] {
    auto system = std::make_unique<System>(load("double_pendulum"));
    system->add(std::make_unique<SampledSpring>("spring", 0.05, 20.0));
    system->add(std::make_unique<JointLimits>(JointLimitSettings{AtLimit::bumper, 1e3, 5}));
    system->add(std::make_unique<ValueEvent>("upright",
                                             named_value(system->model(), "elbow.position"), 0,
                                             EventSpec::Crossing::both, Then::watch));
    return system;
  };
  const std::vector<double> q = {1.0, 0.5}, v = {0, 0};
  const auto first = make_system(), second = make_system();
  Simulation whole(*first, settings(GetParam(), 1), q, v);
  whole.advance(0.42);
  ASSERT_EQ(whole.status(), RunStatus::running);
  const SavedRun saved = whole.save();
  Simulation continued(*second, settings(GetParam(), 1), saved);
  std::vector<double> rows[2];
  Recorder recorders[] = {Recorder(*first, {}), Recorder(*second, {})};
  whole.on_record = [&](const System& now, double t, std::span<const double> x) {
    for (const double value : recorders[0].row(now, t, x)) rows[0].push_back(value);
  };
  continued.on_record = [&](const System& now, double t, std::span<const double> x) {
    for (const double value : recorders[1].row(now, t, x)) rows[1].push_back(value);
  };
  EXPECT_EQ(whole.run(), RunStatus::finished) << whole.message();
  EXPECT_EQ(continued.run(), RunStatus::finished) << continued.message();
  EXPECT_EQ(std::vector<double>(whole.x().begin(), whole.x().end()),
            std::vector<double>(continued.x().begin(), continued.x().end()));
  EXPECT_EQ(whole.events().size(), continued.events().size());
  EXPECT_FALSE(rows[0].empty());
  EXPECT_EQ(rows[0], rows[1]);
}

// a run that ends or is interrupted anywhere, goes on, and has the rows of one that did neither
TEST_P(EveryMethod, NeitherAnEndNorAnInterruptionChangesABit) {
  using Rows = std::vector<std::vector<double>>;
  const std::vector<double> q = {1.0, 0.5}, v = {0, 0};
  const auto make_system = [](double sample_time) {
    auto system = std::make_unique<System>(load("double_pendulum"));
    if (sample_time > 0) system->add(std::make_unique<SampledSpring>("spring", sample_time, 20.0));
    system->add(std::make_unique<ValueEvent>("upright",
                                             named_value(system->model(), "elbow.position"), 0,
                                             EventSpec::Crossing::both, Then::watch));
    return system;
  };
  // as far as `duration`, interrupted after `steps`; `rows` grows
  const auto carry = [&](double sample_time, double duration, int steps, const SavedRun* from,
                         Rows& rows) {
    const auto system = make_system(sample_time);
    const SimulationSettings chosen = settings(GetParam(), duration);
    Simulation run = from ? Simulation(*system, chosen, *from) : Simulation(*system, chosen, q, v);
    Recorder recorder(*system, {});
    run.on_record = [&](const System& now, double t, std::span<const double> x) {
      const std::span<const double> row = recorder.row(now, t, x);
      rows.emplace_back(row.begin(), row.end());
    };
    run.on_save = [&](SavedRun& saved) { saved.recorded.rows = rows.size(); };
    run.go_on = [&](double) { return --steps != 0; };
    const RunStatus status = run.run();
    EXPECT_TRUE(status == RunStatus::finished || status == RunStatus::interrupted);
    return run.save();
  };
  for (const double sample_time : {0.0, 0.07}) {
    Rows whole;
    carry(sample_time, 1, -1, nullptr, whole);
    for (const auto& [duration, steps] : {std::pair{0.3, -1},
                                          {0.4567, -1},
                                          {0.7, -1},
                                          {1.0, 1},
                                          {1.0, 7},
                                          {1.0, 23},
                                          {0.31415, 40}}) {
      Rows pieces;
      const SavedRun saved = carry(sample_time, duration, steps, nullptr, pieces);
      EXPECT_LE(saved.t, duration);
      ASSERT_LE(saved.recorded.rows, pieces.size());
      pieces.resize(saved.recorded.rows);
      carry(sample_time, 1, -1, &saved, pieces);
      EXPECT_EQ(pieces, whole) << duration << " s, " << steps << " steps";
    }
  }
}

// what the energy error counts from goes with the saved state, whoever records
TEST_P(EveryMethod, EnergyErrorCountsFromTheBeginningOfTheRun) {
  const std::vector<double> q = {1.0, 0.5}, v = {0, 0};
  const SimulationSettings chosen = settings(GetParam(), 1, 0.02);
  const auto error_at_the_end = [](Simulation& run) {
    run.run();
    System system = run.system();
    EXPECT_EQ(system.evaluate(run.t(), run.x()), Evaluated::ok);
    return system.energy(run.x()).error();
  };
  System first(load("double_pendulum")), second(load("double_pendulum"));
  Simulation whole(first, chosen, q, v);
  whole.advance(0.5);
  Simulation continued(second, chosen, whole.save());
  const double error = error_at_the_end(whole);
  EXPECT_NE(error, 0);
  EXPECT_EQ(error_at_the_end(continued), error);
}

// the fastest is named, not the first: what it throws about is fast, too
TEST(Simulation, TheFastestJointIsNamed) {
  Spec spec;
  spec.gravity = {};
  for (const char* name : {"heavy", "light"})
    spec.add_body(name, 1, {}, {1, 1, 1}),
        spec.add_joint(std::string("joint ") + name, JointKind::revolute, "", name);
  System system(build(spec));
  SimulationSettings slow = settings("rk4", 1);
  slow.speed_limit = 10;
  system.add(std::make_unique<FunctionPart>("motor", Role::world, [](Evaluation& at) {
    at.tau[0] += 1e5;
    at.tau[1] += 1e6;
  }));
  const std::vector<double> rest = {0, 0};
  Simulation run(system, slow, rest, rest);
  EXPECT_EQ(run.run(), RunStatus::diverged);
  EXPECT_NE(run.message().find("joint 'joint light'"), std::string::npos) << run.message();
}

TEST(Simulation, ASavedRunBeyondTheEndIsRefused) {
  const std::vector<double> q = {1.0, 0.5}, v = {0, 0};
  System first(load("double_pendulum")), second(load("double_pendulum"));
  Simulation run(first, settings("rk4", 1), q, v);
  run.advance(0.5);
  const SavedRun saved = run.save();
  try {
    Simulation(second, settings("rk4", 0.25), saved);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("longer duration"), std::string::npos);
  }
}

// numbers that would make a run wait for ever, or go back in time
TEST_P(EveryMethod, ASavedRunWithChangedNumbersIsRefused) {
  const auto make_system = [] {
    auto system = std::make_unique<System>(load("double_pendulum"));
    system->add(std::make_unique<SampledSpring>("spring", 0.07, 20.0));
    return system;
  };
  const auto first = make_system();
  const std::vector<double> q = {1.0, 0.5}, v = {0, 0};
  Simulation run(*first, settings(GetParam(), 1), q, v);
  run.advance(0.5);
  const SavedRun good = run.save();
  const auto refused = [&](const char* what, auto&& change) {
    SavedRun saved = good;
    change(saved);
    const auto second = make_system();
    EXPECT_THROW(Simulation(*second, settings(GetParam(), 1), saved), Error) << what;
  };
  refused("records", [](SavedRun& saved) { saved.records = -1000000000; });
  refused("many records", [](SavedRun& saved) { saved.records *= 2; });
  refused("samples", [](SavedRun& saved) { saved.samples[0] = 0; });
  refused("later", [](SavedRun& saved) { saved.t = 2; });
  refused("before the beginning", [](SavedRun& saved) { saved.t = -1e300; });
  if (GetParam().starts_with("cvode"))
    refused("another instant", [](SavedRun& saved) {  // no steps from there
      saved.integrator = saved.x;
      saved.integrator.insert(saved.integrator.begin(), 1e300);
    });
  refused("not finite", [](SavedRun& saved) { saved.x[0] = NAN; });
  for (const double wrong : {-1e300, 1e300})
    for (const std::size_t k : {0U, 1U, 2U}) {
      if (k >= good.integrator.size() || (k == 2 && !GetParam().starts_with("pece"))) continue;
      if (GetParam().starts_with("cvode") && k > 0) continue;
      refused("integrator", [&](SavedRun& saved) { saved.integrator[k] = wrong; });
    }
}

// the same run twice, and in pieces
TEST_P(EveryMethod, TheSameRunGivesTheSameBits) {
  std::vector<std::vector<double>> ends;
  for (const double piece : {2.0, 0.3}) {
    System system(load("double_pendulum"));
    const std::vector<double> q = {1.0, 0.5}, v = {0, 0};
    Simulation run(system, settings(GetParam(), 1), q, v);
    for (double until = piece; run.advance(until) == RunStatus::running;) until += piece;
    ends.emplace_back(run.x().begin(), run.x().end());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(Simulation, SamplesComeAtMultiplesOfTheirPeriod) {
  Spec spec = slider();
  spec.gravity = {};
  System system(build(spec));
  system.add(std::make_unique<SampledSpring>("slow", 0.07, 1.0));
  system.add(std::make_unique<SampledSpring>("fast", 0.02, 1.0));
  const std::vector<double> start = {1};
  Simulation run(system, settings("rk4", 1, 3e-3), start, zero);
  EXPECT_EQ(run.run(), RunStatus::finished);
  const auto d = run.system().discrete();
  EXPECT_EQ(d[0], 15);  // 0, 0.07, … 0.98
  EXPECT_NEAR(d[1], 0.98, 1e-12);
  EXPECT_EQ(d[3], 51);
  EXPECT_NEAR(d[4], 1.0, 1e-12);
}

// zero-order hold: x'' = −k x(nT)/m has an exact solution by matrix powers
TEST(Simulation, CommandsHoldBetweenSamples) {
  Spec spec = slider(1);
  spec.gravity = {};
  System system(build(spec));
  const double T = 0.1, k = 4;
  system.add(std::make_unique<SampledSpring>("spring", T, k));
  const std::vector<double> start = {1};
  Simulation run(system, settings("rk4", 2, 7e-3), start, zero);
  EXPECT_EQ(run.run(), RunStatus::finished);
  double x = 1, v = 0;
  for (int n = 0; n < 20; ++n) {
    const double a = -k * x;
    x += v * T + a * T * T / 2;
    v += a * T;
  }
  EXPECT_NEAR(run.x()[0], x, 1e-12);
  EXPECT_NEAR(run.x()[1], v, 1e-12);
}

TEST(Simulation, RecordsComeAtMultiplesOfTheirInterval) {
  for (const std::string method : {"rk4", "dopri5", "cvode_adams", "pece_b4"}) {
    System system(build(slider()));
    SimulationSettings all = settings(method, 1.03, 7e-3);
    Simulation run(system, all, zero, zero);
    std::vector<double> times;
    double largest = 0;
    run.on_record = [&](const System&, double t, std::span<const double> x) {
      times.push_back(t);
      largest = std::max(largest, std::abs(x[0] + 9.81 / 2 * t * t));
    };
    EXPECT_EQ(run.run(), RunStatus::finished);
    ASSERT_EQ(times.size(), 22u) << method;
    for (std::size_t k = 0; k < 21; ++k)
      EXPECT_NEAR(times[k], 0.05 * static_cast<double>(k), 1e-12);
    EXPECT_EQ(times.back(), 1.03);
    EXPECT_LT(largest, 1e-7) << method;
  }
}

TEST(Simulation, ABumperTurnsAMassBack) {
  Spec spec = slider();
  spec.joints[0].dof().lower = 0;
  System system(build(spec));
  system.add(std::make_unique<JointLimits>(JointLimitSettings{AtLimit::bumper, 1e5, 0}));
  const std::vector<double> start = {0.5};
  Simulation run(system, settings("dopri5", 0.6), start, zero);
  double lowest = 1;
  run.on_record = [&](const System&, double, std::span<const double> x) {
    lowest = std::min(lowest, x[0]);
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_NE(run.events()[0].text.find("lower limit"), std::string::npos);
  // nothing is lost in the spring: height and speed belong together as before
  EXPECT_NEAR(9.81 * run.x()[0] + run.x()[1] * run.x()[1] / 2, 9.81 * 0.5, 1e-6);
}

TEST(Simulation, DivergenceNamesTimeAndJoint) {
  System system(build(slider()));
  system.add(std::make_unique<FunctionPart>("push", Role::world, [](Evaluation& at) {
    at.tau[0] += 50 * at.v[0];  // feeds itself
  }));
  Simulation run(system, settings("rk4", 10), zero, zero);
  long records = 0;
  run.on_record = [&](const System&, double, std::span<const double>) { ++records; };
  EXPECT_EQ(run.run(), RunStatus::diverged);
  EXPECT_NE(run.message().find("t = "), std::string::npos) << run.message();
  EXPECT_NE(run.message().find("'slide'"), std::string::npos) << run.message();
  EXPECT_GE(records, 1);
}

TEST(Simulation, AForceThatIsNoNumberEndsTheRunWithAReason) {
  System system(build(slider()));
  system.add(std::make_unique<FunctionPart>(
      "nan", Role::world, [](Evaluation& at) { at.tau[0] += std::sqrt(0.5 - at.t); }));
  for (const std::string method : {"rk4", "dopri5", "cvode_bdf", "pece_b2"}) {
    Simulation run(system, settings(method, 2), zero, zero);
    EXPECT_EQ(run.run(), RunStatus::diverged) << method;
    EXPECT_NEAR(run.t(), 0.5, 0.06) << method;
    EXPECT_FALSE(run.message().empty());
  }
}

TEST(Simulation, CanBeInterrupted) {
  System system(build(slider()));
  Simulation run(system, settings("rk4", 2), zero, zero);
  run.go_on = [](double t) { return t < 0.3; };
  double last = 0;
  run.on_record = [&](const System&, double t, std::span<const double>) { last = t; };
  EXPECT_EQ(run.run(), RunStatus::interrupted);
  EXPECT_NEAR(run.t(), 0.3, 2e-3);
  EXPECT_EQ(last, run.t());
}

TEST(Simulation, RefusesSettingsThatMakeNoSense) {
  System system(build(slider()));
  EXPECT_THROW(Simulation(system, settings("rk4", -1), zero, zero), Error);
  EXPECT_THROW(Simulation(system, settings("rk5", 1), zero, zero), Error);
  SimulationSettings bad = settings("rk4", 1);
  bad.record_interval = 0;
  EXPECT_THROW(Simulation(system, bad, zero, zero), Error);
  EXPECT_THROW(Simulation(system, settings("rk4", 1), SavedRun{}), Error);
}

TEST(ValueEvent, NamesWhatItCannotFind) {
  try {
    named_value(load("double_pendulum"), "elbo.position");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("elbow.position"), std::string::npos) << error.what();
  }
}

TEST(Recording, NamesColumnsAndUnits) {
  System system(load("quadruped"));
  RecordChoice choice;
  choice.momentum = choice.center_of_mass = choice.accelerations = true;
  Recorder recorder(system, choice);
  Recording recording{recorder.columns(), {}};
  EXPECT_EQ(recording.columns[0].name, "time");
  EXPECT_EQ(recording.columns[recording.column("front_left_hip.position")].unit, "rad");
  EXPECT_EQ(recording.columns[recording.column("root.vx.velocity")].unit, "m/s");
  EXPECT_EQ(recording.columns[recording.column("root.wx.force")].unit, "N m");
  EXPECT_THROW(recording.column("front_left_hop.position"), Error);
  choice.frames = {"nowhere"};
  EXPECT_THROW(Recorder(system, choice), Error);
}

// free flight: momentum changes by gravity alone, angular momentum about the centre of mass not
TEST(Recording, MomentumOfARobotInFreeFlight) {
  System system(load("quadruped"));
  const Model& m = system.model();
  std::vector<double> q = neutral_position(m), v(static_cast<std::size_t>(m.nv));
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.3 * std::cos(static_cast<double>(k));
  RecordChoice choice;
  choice.momentum = true;
  SimulationSettings all = settings("dopri5", 0.3);
  all.integrator.relative_tolerance = all.integrator.absolute_tolerance = 1e-11;
  Simulation run(system, all, q, v);
  Recorder recorder(system, choice);
  Recording recording{recorder.columns(), {}};
  run.on_record = [&](const System& now, double t, std::span<const double> x) {
    const auto row = recorder.row(now, t, x);
    recording.values.insert(recording.values.end(), row.begin(), row.end());
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  const double last = recording.series("time").back();
  const auto change = [&](const char* name) {
    const std::vector<double> series = recording.series(name);
    return series.back() - series.front();
  };
  EXPECT_NEAR(change("linear_momentum.x"), 0, 1e-9);
  EXPECT_NEAR(change("linear_momentum.z"), -9.81 * m.mass() * last, 1e-8);
  for (const char* name : {"angular_momentum.x", "angular_momentum.y", "angular_momentum.z"})
    EXPECT_NEAR(change(name), 0, 1e-9);
  EXPECT_NEAR(change("energy_error"), 0, 1e-8);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
