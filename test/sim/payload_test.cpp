// A payload that is carried for a while, against robots to which the same is welded.
#include <limber/sim/payload.hpp>

#include <limber/limber.hpp>
#include <limber/io/load.hpp>
#include <limber/model/equality.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/simulation.hpp>
#include <limber/sim/system.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const Inertia<double> block =
    Inertia<double>::from_com(2, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04, 0.001, 0.002, -0.003});

PayloadSettings carried(double from, double until) {
  return {"block", "link4", block, from, until};
}

Spec welded(Spec spec, const PayloadSettings& payload) {
  BodySpec body;
  body.name = payload.name;
  body.inertia = payload.inertia;
  spec.bodies.push_back(body);
  spec.add_joint("grip of " + payload.name, JointKind::fixed, payload.frame, payload.name);
  return spec;
}

Model with_block() { return build(welded(load_spec("puma560"), carried(0, HUGE_VAL))); }

const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, v{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};

std::vector<double> accelerations(System& system, double t) {
  const std::vector<double> x = system.initial_state(q, v);
  EXPECT_EQ(system.evaluate(t, x), Evaluated::ok);
  return {system.accelerations().begin(), system.accelerations().end()};
}

testing::AssertionResult same(const std::vector<double>& a, const std::vector<double>& b) {
  return near(matrix(a), matrix(b), 1e-10);
}

TEST(Payload, ItsInertiaIsThatOfAWeldedBody) {
  System welded(with_block()), bare(load("puma560")), now(load("puma560")), later(load("puma560"));
  now.add(std::make_unique<Payload>(carried(0, HUGE_VAL)));
  later.add(std::make_unique<Payload>(carried(1, 2)));
  EXPECT_TRUE(same(accelerations(now, 0), accelerations(welded, 0)));
  EXPECT_TRUE(same(accelerations(later, 0), accelerations(bare, 0)));
  EXPECT_FALSE(same(accelerations(now, 0), accelerations(bare, 0)));
  // a copy carries what the original does
  System copy(now);
  EXPECT_TRUE(same(accelerations(copy, 0), accelerations(welded, 0)));
}

struct Robot {
  Spec spec;
  std::vector<PayloadSettings> payloads;
  std::vector<double> q, v;
};

// without friction, whose jumps midpoint does not like
Robot arm() {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints)
    joint.dof().friction_positive = joint.dof().friction_negative = 0;
  return {spec, {carried(0, HUGE_VAL)}, q, v};
}

// its base carries something too, so that the centre of its mass is elsewhere
Robot floating_robot() {
  Robot robot;
  robot.spec.add_body("body", 3, {0.02, 0.05, -0.03}, {0.1, 0.2, 0.25});
  robot.spec.add_body("arm", 1, {0.3, 0, 0.1}, {0.02, 0.03, 0.04});
  robot.spec.add_joint("hinge", JointKind::revolute, "body", "arm", {0, 1, 0},
                       {Mat3<double>::identity(), {0.2, 0.1, 0}});
  float_base(robot.spec);
  robot.payloads = {{"block", "arm", block}, {"pack", "body", block}};
  robot.q = {0.1, 0.2, 0.3, 0.1, -0.3, 0.4, std::sqrt(1 - 0.26), 0.5};
  robot.v = {0.3, 2.0, -0.2, 0.4, 0.1, 0.6, -1.0};
  return robot;
}

struct Figures {
  std::vector<std::vector<double>> rows;
  RunAccuracy accuracy;
};

Figures run_of(System system, const Robot& robot, std::string_view method) {
  // a force, and inertia that a part adds
  system.add(std::make_unique<FunctionPart>("push", Role::world, [](Evaluation& at) {
    at.tau[2] += 3 * std::sin(20 * at.t);
    at.inertia[2] += 0.05;
    at.body_forces()[1].linear.x += 2;
  }));
  SimulationSettings settings;
  settings.duration = 0.1;
  settings.record_interval = 0.02;
  settings.integrator.method = method;
  settings.integrator.step = 2e-3;
  RecordChoice choice;
  choice.accelerations = choice.momentum = choice.center_of_mass = true;
  choice.reactions = {"all"};
  Simulation run(std::move(system), settings, robot.q, robot.v);
  Recorder recorder(run.system(), choice);
  Figures figures;
  run.on_record = [&](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    figures.rows.emplace_back(row.begin(), row.end());
  };
  run.run();
  EXPECT_GE(run.t(), 0.1) << run.message();
  figures.accuracy = run.accuracy();
  return figures;
}

void expect_same_figures(const Figures& a, const Figures& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < a.rows[0].size(); ++k) {
    double size = 1, difference = 0;
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
      size = std::max(size, std::abs(b.rows[row][k]));
      difference = std::max(difference, std::abs(a.rows[row][k] - b.rows[row][k]));
    }
    EXPECT_LT(difference, 1e-10 * size) << "column " << k;
  }
  EXPECT_NEAR(a.accuracy.step_error, b.accuracy.step_error, 1e-8);
  EXPECT_NEAR(a.accuracy.energy_exchanged, b.accuracy.energy_exchanged, 1e-8);
}

// energies, work, momenta, centre of mass, reactions, errors of steps; methods that go by
// velocities and by momenta
TEST(Payload, FiguresOfARunAreThoseOfAWeldedBody) {
  for (const Robot& robot : {arm(), floating_robot()}) {
    Spec heavier = robot.spec;
    for (const PayloadSettings& payload : robot.payloads) heavier = welded(heavier, payload);
    for (const IntegratorMethod& method : integrator_methods()) {
      // steps of their own lengths depend on the rounding
      if (method.name.starts_with("cvode") || method.name == "dopri5") continue;
      SCOPED_TRACE(method.name);
      System carrying(build(robot.spec));
      for (const PayloadSettings& payload : robot.payloads)
        carrying.add(std::make_unique<Payload>(payload));
      expect_same_figures(run_of(std::move(carrying), robot, method.name),
                          run_of(System(build(heavier)), robot, method.name));
    }
  }
}

struct Swing {
  System system{load("double_pendulum")};
  SimulationSettings settings;
  Swing() {
    system.add(std::make_unique<Payload>(PayloadSettings{
        "block", "lower", Inertia<double>::from_com(2, {0, 0, -0.5}, {0.01, 0.01, 0.01}), 0.313,
        0.741}));
    settings.duration = 1.2;
    settings.integrator.step = 1e-3;
  }
};

TEST(Payload, GrippingAndReleasingKeepTheEnergyBalance) {
  Swing swing;
  const std::vector<double> start{1.2, -0.4}, rest{0, 0};
  Simulation simulation(swing.system, swing.settings, start, rest);
  Recorder recorder(swing.system, {});
  const std::size_t total = 7 + 1;  // time, 2 positions, 2 velocities, 2 forces, kinetic, potential
  ASSERT_EQ(recorder.columns()[total + 1].name, "total_energy");
  double largest = 0, jump = 0, before = 0;
  simulation.on_record = [&](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    if (t > 0) jump = std::max(jump, std::abs(row[total + 1] - before));
    before = row[total + 1];
    largest = std::max(largest, std::abs(row[total + 3]));
  };
  EXPECT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
  EXPECT_LT(largest, 1e-7);  // energy_error
  EXPECT_GT(jump, 1);        // of the total energy, which counts as work
  ASSERT_EQ(simulation.events().size(), 2U);
  EXPECT_NEAR(simulation.events()[0].t, 0.313, 1e-8);
  EXPECT_NEAR(simulation.events()[1].t, 0.741, 1e-8);
  EXPECT_TRUE(mentions(simulation.events()[0].text, {"block", "2 kg", "gripped", "lower"}));
}

TEST(Payload, AfterItsReleaseTheRobotIsBare) {
  Swing swing;
  const std::vector<double> start{1.2, -0.4}, rest{0, 0};
  Simulation simulation(swing.system, swing.settings, start, rest);
  const auto expect = [&](const char* when, double tolerance) {
    System now(simulation.system()), bare(load("double_pendulum"));
    ASSERT_EQ(now.evaluate(simulation.t(), simulation.x()), Evaluated::ok);
    const std::vector<double> x =
        bare.initial_state(simulation.x().first(2), simulation.x().subspan(2, 2));
    ASSERT_EQ(bare.evaluate(simulation.t(), x), Evaluated::ok);
    const double difference = std::abs(now.accelerations()[1] - bare.accelerations()[1]);
    if (tolerance > 0) EXPECT_LT(difference, tolerance) << when;
    else EXPECT_GT(difference, 1e-3) << when;
  };
  simulation.advance(0.5);
  expect("carried", 0);
  simulation.run();
  expect("released", 1e-10);
}

// payloads, inertia that parts add and joint limits leave the System's model as it is
TEST(Payload, TheModelStaysTheSame) {
  Spec spec = load_spec("double_pendulum");
  spec.joints[1].dof().lower = -0.5, spec.joints[1].dof().upper = 0.5;
  System system(build(spec));
  system.add(std::make_unique<FunctionPart>("rotor", Role::drive,
                                            [](Evaluation& at) { at.inertia[1] += 0.3; }));
  system.add(std::make_unique<JointLimits>(JointLimitSettings{AtLimit::bumper}));
  system.add(std::make_unique<Payload>(
      PayloadSettings{"block", "lower", Inertia<double>::from_com(2, {0, 0, -0.5}, {}), 0.3, 0.7}));
  const Model before = system.model();
  SimulationSettings settings;
  settings.duration = 1;
  settings.record_interval = 0.04;
  Simulation run(std::move(system), settings, std::vector{1.2, -0.4}, std::vector{0.0, -3.0});
  int carrying = 0, bare = 0;
  run.on_record = [&](const System& now, double t, std::span<const double>) {
    EXPECT_TRUE(equal(now.model(), before)) << t;
    const bool carries = t > 0.3 && t < 0.7;
    ++(carries ? carrying : bare);
    EXPECT_EQ(now.model_with_payloads().mass(), before.mass() + (carries ? 2 : 0)) << t;
    EXPECT_EQ(equal(now.model_with_payloads(), before), !carries) << t;
  };
  run.advance(0.5);
  const System copy = run.system();
  run.run();
  ASSERT_EQ(run.t(), 1) << run.message();
  EXPECT_GE(run.events().size(), 3u);  // gripped, released, at a limit
  EXPECT_GT(std::min(carrying, bare), 5);
  EXPECT_TRUE(equal(run.system().model_with_payloads(), before));
  EXPECT_TRUE(equal(copy.model(), before));
  EXPECT_EQ(copy.model_with_payloads().mass(), before.mass() + 2);
}

TEST(Payload, ARunThatIsSavedWhileItCarriesGoesOnWithTheSameBits) {
  const std::vector<double> start{1.2, -0.4}, rest{0, 0};
  Swing whole, first, second;
  Simulation all(whole.system, whole.settings, start, rest);
  all.run();
  Simulation half(first.system, first.settings, start, rest);
  half.advance(0.5);
  const SavedRun saved = half.save();
  Simulation other(second.system, second.settings, saved);
  other.run();
  ASSERT_EQ(all.x().size(), other.x().size());
  for (std::size_t k = 0; k < all.x().size(); ++k) EXPECT_EQ(all.x()[k], other.x()[k]) << k;
}

TEST(Payload, Refusals) {
  const auto refused = [](PayloadSettings settings) {
    return message_of([&] {
      System system(load("puma560"));
      system.add(std::make_unique<Payload>(settings));
    });
  };
  EXPECT_TRUE(mentions(refused(carried(2, 1)), {"block", "from 2 s until 1 s"}));
  EXPECT_TRUE(mentions(refused({"block", "link9", block, 0, 1}), {"link9"}));
  EXPECT_TRUE(mentions(refused({"block", "base", block, 0, 1}), {"rests in the world"}));
  EXPECT_TRUE(mentions(refused({"block", "link4", {}, 0, 1}), {"mass"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
