// Signals against closed forms, and open-loop inputs in a simulation.
#include <limber/control/open_loop.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include <limber/control/joint_trajectory.hpp>
#include <limber/drive/motor_drive.hpp>
#include <limber/limber.hpp>
#include <limber/sim/external_force.hpp>
#include <limber/sim/recording.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using std::numbers::pi;

constexpr double mass = 2;

Model cart() {
  Spec spec;
  spec.gravity = {};
  spec.add_body("cart", mass, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  return build(spec);
}

TEST(Signal, TablesGoThroughTheirEntries) {
  const std::vector<double> times{1, 2, 4}, values{0, 10, -10};
  const Signal line = Signal::table(times, values),
               hold = Signal::table(times, values, Interpolation::hold);
  for (const Signal& signal : {line, hold, Signal::table(times, values, Interpolation::cubic)}) {
    EXPECT_EQ(signal.at(0.3), 0);
    EXPECT_NEAR(signal.at(2), 10, 1e-14);
    EXPECT_EQ(signal.at(5), -10);
  }
  EXPECT_NEAR(line.at(1.5), 5, 1e-14);
  EXPECT_NEAR(line.at(3), 0, 1e-14);
  EXPECT_EQ(hold.at(1.999), 0);
  EXPECT_EQ(hold.at(3.999), 10);
}

// the splines of trajectories are another way to the same curve
TEST(Signal, CubicTablesAreNaturalSplines) {
  const std::vector<double> times{0, 0.7, 1.1, 2, 3}, values{0.2, -0.4, 0.5, 0.1, 0.3};
  const Signal signal = Signal::table(times, values, Interpolation::cubic);
  const Model m = cart();
  std::vector<std::vector<double>> points;
  for (const double x : values) points.push_back({x});
  SplineSettings settings;
  settings.degree = SplineDegree::cubic;
  settings.ends = SplineEnds::natural;
  const auto spline = spline_trajectory(m, times, points, settings);
  std::vector<double> q(1), v(1), a(1);
  for (double t = 0; t < 3; t += 0.05) {
    spline->sample(t, q, v, a);
    EXPECT_NEAR(signal.at(t), q[0], 1e-13) << t;
  }
}

TEST(Signal, ReadsColumnsOfFiles) {
  const std::string file = testing::TempDir() + "limber_signal.csv";
  std::ofstream(file) << "time,u1,u2\n0,1,10\n2,3,30\n";
  EXPECT_NEAR(csv_signal(file, "u2", Interpolation::linear).at(1), 20, 1e-14);
  EXPECT_TRUE(mentions(message_of([&] { csv_signal(file, "u3", Interpolation::linear); }),
                       {"limber_signal.csv:1", "'u3'", "did you mean"}));
  EXPECT_TRUE(mentions(message_of([&] { csv_signal(file, "", Interpolation::linear); }),
                       {"limber_signal.csv:1", "2 columns", "column: "}));
  std::remove(file.c_str());
}

TEST(Signal, Refusals) {
  EXPECT_TRUE(mentions(message_of([] { Signal::table({0, 0}, {1, 2}); }), {"entry 2", "increase"}));
  EXPECT_TRUE(mentions(message_of([] { Signal::table({0, 1}, {1}); }), {"2 times", "1 values"}));
  EXPECT_TRUE(mentions(message_of([] { Signal::table({0, 1}, {1, NAN}); }), {"1 s", "finite"}));
  EXPECT_TRUE(mentions(message_of([] { Signal::expression("sin(T)"); }), {"column 5", "'T'"}));
  EXPECT_TRUE(mentions(message_of([] { Signal signal(INFINITY); }), {"finite"}));
}

/// Position and velocity of the cart at the end of a run with steps of 0.013 s, which meet no jump.
std::vector<double> pushed(const Signal& signal, const char* method, double duration) {
  System system(cart());
  system.add(std::make_unique<OpenLoop>(OpenLoopSettings{"rail", InputQuantity::force, signal}));
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = method;
  settings.integrator.step = 0.013;
  settings.integrator.relative_tolerance = 1e-11;
  settings.integrator.absolute_tolerance = 1e-13;
  Simulation simulation(system, settings, std::vector<double>{0}, std::vector<double>{0});
  EXPECT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
  EXPECT_TRUE(simulation.events().empty());
  return {simulation.x()[0], simulation.x()[1]};
}

// m a = F + offset, and the record shows what acts
TEST(OpenLoop, ItsOffsetIsAnInput) {
  System system(cart());
  system.add(std::make_unique<OpenLoop>(OpenLoopSettings{"rail", InputQuantity::force, 3, "hand"}));
  Simulation run(std::move(system), {}, std::vector<double>{0}, std::vector<double>{0});
  run.advance(0.5);
  const double t = run.t(), v = run.x()[1];
  run.change("hand.offset", -9);
  EXPECT_EQ(run.input("hand.offset"), -9);
  std::vector<double> values(1);
  run.on_record = [&](const System& now, double, std::span<const double> x) {
    now.record(x, values);
    EXPECT_EQ(values[0], -6);
  };
  EXPECT_EQ(run.run(), RunStatus::finished);
  EXPECT_NEAR((run.x()[1] - v) / (run.t() - t), -2 * v / t, 1e-9);
}

TEST(OpenLoop, PushesAsTheClosedFormSays) {
  // F sin(w t): v = F/(m w) (1 − cos w t), x = F/(m w) (t − sin(w t)/w)
  const double F = 3, w = 2 * pi, t = 1.3;
  const auto x = pushed(Signal::expression("3*sin(2*pi*t)"), "dopri5", t);
  EXPECT_NEAR(x[0], F / (mass * w) * (t - std::sin(w * t) / w), 1e-9);
  EXPECT_NEAR(x[1], F / (mass * w) * (1 - std::cos(w * t)), 1e-9);
  EXPECT_NEAR(pushed(4.0, "rk4", 1)[0], 0.5 * 4 / mass, 1e-12);
}

// a method of fourth order is exact for forces that are constant piece by piece, if its steps end
// where they jump
TEST(OpenLoop, StepsEndWhereTheInputJumps) {
  const auto expected = [](double t) {  // 5 N from 0.3 to 0.71
    const double on = 0.41, v = 5 / mass * on;
    return std::vector<double>{v * on / 2 + v * (t - 0.71), v};
  };
  for (const char* method : {"rk4", "dopri5", "pece_b2", "cvode_adams", "euler"}) {
    const bool first_order = std::string(method) == "euler";
    for (const Signal& signal : {Signal::expression("5*step(t-0.3) - 5*step(t-0.71)"),
                                 Signal::expression("5*step(0.71-t)*step(t-0.3)"),
                                 Signal::table({0, 0.3, 0.71}, {0, 5, 0}, Interpolation::hold)}) {
      const auto x = pushed(signal, method, 1.1);
      EXPECT_NEAR(x[1], expected(1.1)[1], 2e-8) << method;
      EXPECT_NEAR(x[0], expected(1.1)[0], first_order ? 0.02 : 2e-8) << method;
    }
  }
  // a square wave; step(-t) is 0 from the beginning
  const auto wave = pushed(Signal::expression("2*step(sin(2*pi*t/0.4)) + 7*step(-t)"), "rk4", 1);
  EXPECT_NEAR(wave[1], 2 * (0.2 + 0.2 + 0.2) / mass, 1e-8);
}

TEST(OpenLoop, JumpsOfExternalForcesAreMetToo) {
  System system(cart());
  ExternalForceSettings push{"push", "cart", {}};
  push.force.signals[3] = Signal::expression("5*step(t-0.3) - 5*step(t-0.71)");
  push.force.signals[4] = Signal::table({0, 0.5}, {0, 1}, Interpolation::hold);
  system.add(std::make_unique<ExternalForce>(push));
  SimulationSettings settings;
  settings.duration = 1;
  settings.integrator.step = 0.013;
  Simulation simulation(system, settings, std::vector<double>{0}, std::vector<double>{0});
  EXPECT_EQ(simulation.run(), RunStatus::finished);
  EXPECT_NEAR(simulation.x()[1], 5 * 0.41 / mass, 1e-8);
}

TEST(OpenLoop, IsRecordedWithItsUnit) {
  Spec spec;
  spec.add_body("arm", 1, {0, 0, -0.5}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_joint("hinge", JointKind::revolute, "", "arm", {0, 1, 0});
  System system(build(spec));
  MotorDriveSettings drive;
  drive.joint = "hinge";
  drive.motor.torque_constant = 0.1;
  drive.motor.resistance = 2;
  drive.input = DriveInput::voltage;
  system.add(std::make_unique<MotorDrive>(drive));
  system.add(std::make_unique<OpenLoop>(
      OpenLoopSettings{"hinge", InputQuantity::voltage, Signal::expression("12 + t")}));
  Recorder recorder(system, {});
  const auto x = system.initial_state(std::vector<double>{0}, std::vector<double>{0});
  ASSERT_EQ(system.evaluate(0.5, x), Evaluated::ok);
  Recording recording{recorder.columns(), {}};
  const auto row = recorder.row(system, 0.5, x);
  recording.values.assign(row.begin(), row.end());
  const Column& column = recorder.columns()[recording.column("hinge.input")];
  EXPECT_EQ(column.unit, "V");
  EXPECT_EQ(recording.series("hinge.input")[0], 12.5);
  EXPECT_NEAR(recording.series("hinge.current")[0], 12.5 / 2, 1e-12);
}

TEST(OpenLoop, Refusals) {
  const auto message = [](const std::string& freedom, InputQuantity quantity) {
    return message_of([&] {
      System(cart()).add(std::make_unique<OpenLoop>(OpenLoopSettings{freedom, quantity, 1.0}));
    });
  };
  EXPECT_TRUE(mentions(message("rail", InputQuantity::torque), {"'rail'", "slides", "force [N]"}));
  EXPECT_TRUE(mentions(message("rial", InputQuantity::force), {"'rial'", "did you mean 'rail'"}));
  System system(cart());
  system.add(std::make_unique<OpenLoop>(OpenLoopSettings{
      "rail", InputQuantity::force, Signal::expression("1/(t-0.5)^2*0 + log(0.5-t)")}));
  Simulation simulation(system, {}, std::vector<double>{0}, std::vector<double>{0});
  EXPECT_EQ(simulation.run(), RunStatus::failed);
  EXPECT_TRUE(mentions(simulation.message(), {"input of rail", "finite number", "t = 0."}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
