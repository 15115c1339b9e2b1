// Whole-body control of a quadruped whose feet are held by loops: it stands, follows a motion of
// its body, keeps limits and cones, and says what cannot be.
#include <limber/control/whole_body_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include <numbers>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double length = 0.25, bend = 0.6;
const double height = 2 * length * std::cos(bend);
const char* const corners[] = {"fl", "fr", "hl", "hr"};

Vec3<double> hip(int leg) { return {leg < 2 ? 0.2 : -0.2, leg % 2 == 0 ? 0.1 : -0.1, 0}; }

// a body with four legs of three joints; the feet are tied to the ground
Spec quadruped() {
  Spec spec;
  spec.name = "quadruped";
  spec.add_body("trunk", 0).inertia =
      Inertia<double>::from_com(12, {0.02, 0, 0.01}, Sym3<double>::diagonal(0.1, 0.3, 0.35));
  spec.add_joint("float", JointKind::free, "", "trunk");
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  for (int leg = 0; leg < 4; ++leg) {
    const std::string side = corners[leg];
    const auto link = [&](const std::string& name, double mass, double down) {
      spec.add_body(side + name, 0).inertia = Inertia<double>::from_com(
          mass, {0, 0, -down}, Sym3<double>::diagonal(0.004, 0.004, 0.001));
    };
    link("_hip", 0.5, 0), link("_thigh", 1, length / 2), link("_calf", 0.4, length / 2);
    spec.add_joint(side + "_roll", JointKind::revolute, "trunk", side + "_hip", x,
                   Transform<double>::translation(hip(leg)));
    spec.add_joint(side + "_pitch", JointKind::revolute, side + "_hip", side + "_thigh", y);
    spec.add_joint(side + "_knee", JointKind::revolute, side + "_thigh", side + "_calf", y,
                   Transform<double>::translation({0, 0, -length}));
    const auto end = Transform<double>::translation({0, 0, -length});
    spec.frames.push_back({side + "_foot", side + "_calf", end, {}});
    LoopSpec loop;
    loop.name = side + "_ground";
    loop.body_b = side + "_calf";
    loop.placement_a = Transform<double>::translation(hip(leg));
    loop.placement_b = end;
    spec.loops.push_back(loop);
  }
  return spec;
}

std::vector<double> standing() {
  std::vector<double> q{0, 0, height, 0, 0, 0, 1};
  for (int leg = 0; leg < 4; ++leg) q.insert(q.end(), {0, bend, -2 * bend});
  return q;
}

WholeBodySettings settings(TaskTrajectoryPointer body) {
  WholeBodySettings s;
  s.frames.push_back({"trunk", TaskRows::pose, std::move(body)});
  s.posture.damping = 10, s.posture.weight = 1e-5;
  for (const char* side : corners) s.contacts.push_back({std::string(side) + "_foot"});
  return s;
}

const Transform<double> upright{Mat3<double>::identity(), {0, 0, height}};

// every row of a run of 0.6 s
struct StandingRun {
  Recording rows;
  RunStatus status;
  std::string message;

  explicit StandingRun(const WholeBodySettings& s, const Spec& spec = quadruped()) {
    System system(build(spec));
    system.add(std::make_unique<WholeBodyController>(s));
    RecordChoice choice;
    choice.frames = {"trunk"};
    Recorder recorder(system, choice);
    rows.columns = recorder.columns();
    SimulationSettings run;
    run.duration = 0.6;
    run.record_interval = 0.02;
    run.integrator.method = "rk4";
    run.integrator.step = 1e-3;
    Simulation simulation(system, run, standing(), std::vector<double>(18, 0.0));
    simulation.on_record = [&](const System& now, double t, std::span<const double> x) {
      const auto row = recorder.row(now, t, x);
      rows.values.insert(rows.values.end(), row.begin(), row.end());
    };
    status = simulation.run();
    message = simulation.message();
  }
  double most(const std::string& column) const {
    double found = 0;
    for (const double x : rows.series(column)) found = std::max(found, std::abs(x));
    return found;
  }
};

TEST(WholeBodyController, StandsStill) {
  for (const double sample_time : {0.0, 0.002}) {
    WholeBodySettings s = settings(constant_pose(upright));
    s.sample_time = sample_time;
    const StandingRun run(s);
    ASSERT_EQ(run.status, RunStatus::finished) << run.message;
    EXPECT_LT(run.most("trunk.x") + run.most("trunk.y"), 1e-6);
    for (const double z : run.rows.series("trunk.z")) EXPECT_NEAR(z, height, 1e-6);
    // the feet carry the weight, and the loops press on them as the program says
    const double weight = 9.81 * (12 + 4 * 1.9);
    const auto last = run.rows.row(run.rows.rows() - 1);
    double planned = 0;
    for (const char* side : corners) {
      const double normal = last[run.rows.column(std::string(side) + "_foot.normal_force")];
      EXPECT_GT(normal, 0);
      planned += normal;
    }
    EXPECT_NEAR(planned, weight, 1e-3 * weight);
  }
}

TEST(WholeBodyController, FollowsAMotionOfTheBody) {
  TaskMoveSettings move;
  move.law = Law::quintic;
  move.duration = 0.5;
  const Transform<double> low{rotation(Vec3<double>{0, 0, 1}, 0.1), {0.03, 0.01, height - 0.04}};
  const StandingRun run(settings(line_trajectory(upright, low, move)));
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  const auto last = run.rows.row(run.rows.rows() - 1);
  EXPECT_NEAR(last[run.rows.column("trunk.x")], 0.03, 2e-4);
  EXPECT_NEAR(last[run.rows.column("trunk.y")], 0.01, 2e-4);
  EXPECT_NEAR(last[run.rows.column("trunk.z")], height - 0.04, 2e-4);
  for (const char* side : corners)
    EXPECT_LE(run.most(std::string(side) + "_foot.friction_use"), 1 + 1e-6);
}

TEST(WholeBodyController, MovesTheCenterOfMass) {
  const Model m = build(quadruped());
  Workspace ws(m);
  const Vec3<double> start = center_of_mass<double>(m, standing(), ws);
  TaskMoveSettings move;
  move.law = Law::quintic;
  move.duration = 0.4;
  WholeBodySettings s = settings(constant_pose(upright));
  s.frames[0].rows = TaskRows::orientation;
  s.center_of_mass.reference =
      line_trajectory(Transform<double>::translation(start),
                      Transform<double>::translation(start + Vec3<double>{0, 0, -0.03}), move);
  System system(build(quadruped()));
  system.add(std::make_unique<WholeBodyController>(s));
  SimulationSettings settings;
  settings.duration = 0.6;
  settings.integrator.method = "rk4";
  settings.integrator.step = 1e-3;
  Simulation run(system, settings, standing(), std::vector<double>(18, 0.0));
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  const Vec3<double> end = center_of_mass<double>(m, run.x().first(19), ws);
  EXPECT_NEAR(end.x, start.x, 5e-4);
  EXPECT_NEAR(end.z, start.z - 0.03, 5e-4);
}

// a jerk that the motors cannot give: the torques stay inside their limits, and the body lags
TEST(WholeBodyController, KeepsTorqueLimitsAndCones) {
  TaskMoveSettings move;
  move.law = Law::quintic;
  move.duration = 0.1;
  const Transform<double> aside{Mat3<double>::identity(), {0.05, 0, height - 0.05}};
  WholeBodySettings s = settings(line_trajectory(upright, aside, move));
  s.command_limits = {14};
  for (HeldContact& contact : s.contacts) contact.friction = 0.3;
  const StandingRun run(s);
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  double most = 0;
  for (const char* side : corners) {
    for (const char* joint : {"_roll", "_pitch", "_knee"})
      most = std::max(most, run.most(side + std::string(joint) + ".command"));
    EXPECT_LE(run.most(std::string(side) + "_foot.friction_use"), 1 + 1e-6);
  }
  EXPECT_LE(most, 14);
  EXPECT_GT(most, 13.9);                           // the limit was reached
  EXPECT_EQ(run.most("controller.saturated"), 0);  // and nothing was cut off afterwards
}

TEST(WholeBodyController, SaysWhatCannotBe) {
  // feet that may only push along x: nothing carries the weight, and the body falls
  WholeBodySettings s = settings(constant_pose(upright));
  for (HeldContact& contact : s.contacts) contact.normal = {1, 0, 0}, contact.friction = 0.1;
  s.most_missing = 1;
  EXPECT_TRUE(mentions(message_of([&] { StandingRun run(s); }),
                       {"cannot begin", "frame 'trunk'", "friction cone at 'fl_foot'"}));
  // knees that are too weak for what the feet shall press
  s = settings(constant_pose(upright));
  s.command_limits = {5};
  for (HeldContact& contact : s.contacts) contact.least_force = 500;
  EXPECT_TRUE(mentions(message_of([&] { StandingRun run(s); }),
                       {"infeasible", "no torques and contact forces satisfy"}));
}

TEST(WholeBodyController, ACopyContinuesBitForBit) {
  WholeBodySettings s = settings(constant_pose(upright));
  s.sample_time = 0.005;
  for (HeldContact& contact : s.contacts) contact.friction = 0.05;  // active rows from the start
  System system(build(quadruped()));
  system.add(std::make_unique<WholeBodyController>(s));
  SimulationSettings run;
  run.duration = 0.05;
  run.integrator.method = "rk4";
  run.integrator.step = 1e-3;
  Simulation first(system, run, standing(), std::vector<double>(18, 0.0));
  first.advance(0.02);
  Simulation second(first);
  ASSERT_EQ(first.run(), RunStatus::finished) << first.message();
  ASSERT_EQ(second.run(), RunStatus::finished) << second.message();
  EXPECT_TRUE(std::equal(first.x().begin(), first.x().end(), second.x().begin()));
}

TEST(WholeBodyController, RefusesSettings) {
  const auto told = [](auto change) {
    WholeBodySettings s = settings(constant_pose(upright));
    change(s);
    return message_of([&] { WholeBodyController controller(s); });
  };
  EXPECT_TRUE(mentions({told([](auto& s) { s.frames[0].reference = nullptr; })}, {"trunk"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.frames[0].weight = 0; })}, {"weight 0"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.contacts[1].friction = 0; })}, {"fr_foot"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.contacts[1].most_force = -1; })}, {"fr_foot"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.cone_sides = 2; })}, {"cone_sides"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.posture.stiffness = 1; })}, {"posture"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.force_weight = 0; })}, {"force_weight"}));
  EXPECT_TRUE(mentions({told([](auto& s) { s.most_missing = 0; })}, {"most_missing"}));
  WholeBodySettings s = settings(constant_pose(upright));
  s.contacts[0].frame = "fl_fot";
  System system(build(quadruped()));
  EXPECT_TRUE(mentions({message_of([&] { system.add(std::make_unique<WholeBodyController>(s)); })},
                       {"fl_foot"}));
}

// a joint is sent beyond its limit: with braking it comes to rest at it
TEST(WholeBodyController, JointsAreBrakedBeforeTheirLimits) {
  Spec spec;
  spec.name = "slide";
  spec.gravity = {0, 0, 0};
  spec.add_body("slider", 0).inertia =
      Inertia<double>::from_com(2, {}, Sym3<double>::diagonal(1, 1, 1));
  spec.add_joint("rail", JointKind::prismatic, "", "slider", {1, 0, 0}).dof().upper = 0.3;
  WholeBodySettings s;
  s.frames.push_back(
      {"slider", TaskRows::position, constant_pose(Transform<double>::translation({1, 0, 0}))});
  for (const double weight : {0.0, 1e4}) {
    s.limit_weight = weight;
    System system(build(spec));
    system.add(std::make_unique<WholeBodyController>(s));
    SimulationSettings run;
    run.duration = 1;
    run.integrator.method = "rk4";
    run.integrator.step = 1e-3;
    Simulation simulation(system, run, std::vector<double>{0}, std::vector<double>{0});
    ASSERT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
    // 1 − (1 + 10 t) exp(−10 t) by its gains
    EXPECT_NEAR(simulation.x()[0], weight > 0 ? 0.3 : 1 - 11 * std::exp(-10), 2e-3);
    EXPECT_LT(simulation.x()[0], weight > 0 ? 0.3 + 1e-4 : 1);
  }
  s.limit_weight = -1;
  EXPECT_TRUE(mentions(message_of([&] { WholeBodyController controller(s); }), {"limit_weight"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
