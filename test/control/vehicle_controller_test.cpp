// Control of vehicles: station keeping in a current, depth and heading, routes, an arm's reaction.
#include <limber/control/vehicle_controller.hpp>

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/control/prescribed.hpp>
#include <limber/math/quat.hpp>
#include <limber/sim/simulation.hpp>
#include <limber/sim/water_part.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Vec3<double> euler(const Quat<double>& q) {
  const Mat3<double> R = to_matrix(q);
  return {std::atan2(R.zy, R.zz), std::asin(-R.zx), std::atan2(R.yx, R.xx)};
}

/// A box-like vehicle, neutral, its weight 5 cm below its buoyancy, with six thrusters.
Spec vehicle() {
  Spec spec;
  spec.name = "craft";
  spec.gravity = {0, 0, -9.81};
  spec.add_body("hull", 20, {0, 0, -0.05}, {0.5, 0.6, 0.7});
  spec.add_joint("base", JointKind::free, "", "hull");
  const auto frame = [&](const char* name, const Vec3<double>& p, const Vec3<double>& rpy) {
    spec.frames.push_back({name, "hull", {rotation_from_rpy(rpy.x, rpy.y, rpy.z), p}, {}});
  };
  constexpr double right = std::numbers::pi / 2;
  frame("ahead_left", {-0.3, 0.2, 0}, {});
  frame("ahead_right", {-0.3, -0.2, 0}, {});
  frame("side_bow", {0.25, 0, 0}, {0, 0, right});
  frame("side_stern", {-0.25, 0, 0}, {0, 0, right});
  frame("up_bow", {0.25, 0, 0}, {0, -right, 0});
  frame("up_stern", {-0.25, 0, 0}, {0, -right, 0});
  return spec;
}

std::vector<LinkHydrodynamics> wet() {
  Hydrodynamics body;
  body.displacement = {0.02, {}};  // neutral in water of 1000 kg/m³
  std::vector<std::string> warnings;
  MarineMatrix added{};
  for (std::size_t i = 0; i < 6; ++i) {
    added[i][i] = i < 3 ? 12 : 0.3;
    body.quadratic_damping[i][i] = i < 3 ? 60 : 2;
    body.linear_damping[i][i] = i < 3 ? 5 : 0.5;
  }
  body.added_mass = added_mass_from(added, "hull", warnings);
  return {{"hull", body}};
}

std::shared_ptr<Water> river(const Vec3<double>& current) {
  auto water = std::make_shared<Water>();
  water->density = 1000;
  water->current = constant_current(current);
  return water;
}

constexpr const char* thruster_names[] = {"ahead_left", "ahead_right", "side_bow",
                                          "side_stern", "up_bow",      "up_stern"};

void add_thrusters(System& system, const std::shared_ptr<const Water>& water, double most = 40) {
  for (const char* name : thruster_names) {
    ThrusterSettings s;
    s.name = s.frame = name;
    s.forward = s.backward = 1e-3;
    s.lower = -std::sqrt(most / 1e-3);
    s.upper = -s.lower;
    s.lag = 0.05;
    s.water = water;
    system.add(std::make_unique<Thruster>(s));
  }
}

VehicleControlSettings station() {
  VehicleControlSettings s;
  s.name = "pilot";
  s.gains.kp = {80, 80, 80, 0, 15, 15};
  s.gains.kd = {80, 80, 80, 0, 8, 8};
  s.gains.ki = {15, 15, 15, 0, 2, 2};
  s.effort = 1e-3;
  return s;
}

System craft(const VehicleControlSettings& control, const Vec3<double>& current, double most = 40) {
  System system(build(vehicle()));
  const auto water = river(current);
  system.add(std::make_unique<WaterPart>(water, wet()));
  system.add(std::make_unique<VehicleController>(control));
  add_thrusters(system, water, most);
  return system;
}

const std::vector<double> start{0, 0, -5, 0, 0, 0, 1}, rest(6, 0);

SimulationSettings run_for(double duration) {
  SimulationSettings run;
  run.duration = duration;
  run.integrator = {"rk4", 0.01};
  return run;
}

/// x at the end of a run.
std::vector<double> end_of(System system, double duration) {
  Simulation run(std::move(system), run_for(duration), start, rest);
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return {run.x().begin(), run.x().end()};
}

TEST(VehicleController, KeepsItsStationInACurrent) {
  const std::vector<double> x = end_of(craft(station(), {-0.4, 0.2, 0.1}), 90);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], start[i], 1e-4);
  const Vec3<double> angles = euler({x[3], x[4], x[5], x[6]});
  EXPECT_NEAR(angles.y, 0, 1e-3);
  EXPECT_NEAR(angles.z, 0, 1e-3);
  // without an integral it stays where its spring bears the drag
  VehicleControlSettings spring = station();
  spring.gains.ki = {};
  const std::vector<double> y = end_of(craft(spring, {-0.4, 0, 0}), 60);
  const double drag = 60 * 0.16 + 5 * 0.4;
  EXPECT_NEAR(y[0], -drag / 80, 2e-3 * drag / 80);
}

TEST(VehicleController, TheIntegralDoesNotWindUp) {
  // thrusters too weak for the current for a while: then it comes back without running past
  VehicleControlSettings control = station();
  System system(build(vehicle()));
  auto water = river({});
  water->current = [](double t) {
    const double share = std::clamp((20 - t) / 2, 0.0, 1.0), u = -1.2;
    return Flow{{u * share, 0, 0}, {t > 18 && t < 20 ? -u / 2 : 0, 0, 0}};
  };
  system.add(std::make_unique<WaterPart>(water, wet()));
  system.add(std::make_unique<VehicleController>(control));
  add_thrusters(system, water, 20);
  SimulationSettings settings = run_for(60);
  settings.record_interval = 0.1;
  Simulation run(std::move(system), settings, start, rest);
  double least = 0, most = 0;
  run.on_record = [&](const System&, double, std::span<const double> x) {
    least = std::min(least, x[0]);
    most = std::max(most, x[0]);
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_LT(least, -2);  // it was carried away
  EXPECT_LT(most, 1.2);  // wound up it would run metres past
  EXPECT_NEAR(run.x()[0], 0, 0.02);
}

TEST(VehicleController, FollowsATrajectory) {
  VehicleControlSettings control = station();
  TaskMoveSettings move;
  move.duration = 20;
  control.reference =
      line_trajectory({Mat3<double>::identity(), {0, 0, -5}},
                      {to_matrix(exp_quat(Vec3<double>{0, 0, 1.2})), {2, 1, -6}}, move);
  const std::vector<double> x = end_of(craft(control, {}), 60);
  EXPECT_NEAR(x[0], 2, 1e-3);
  EXPECT_NEAR(x[1], 1, 1e-3);
  EXPECT_NEAR(x[2], -6, 1e-3);
  EXPECT_NEAR(euler({x[3], x[4], x[5], x[6]}).z, 1.2, 1e-3);
}

TEST(VehicleController, HoldsDepthHeadingAndSpeed) {
  VehicleControlSettings control = station();
  control.mode = VehicleMode::hold;
  control.depth = Signal(7.0);
  control.heading = Signal(-2.5);
  control.speed = Signal(0.5);
  control.gains.kp[0] = 0;
  control.gains.ki[0] = 20;
  const std::vector<double> x = end_of(craft(control, {}), 80);
  EXPECT_NEAR(x[2], -7, 1e-3);
  EXPECT_NEAR(euler({x[3], x[4], x[5], x[6]}).z, -2.5, 1e-3);
  EXPECT_NEAR(x[7 + 3], 0.5, 1e-3);
}

// Roll, pitch and depth are held in the same way at every heading, and a heading without gains
// changes nothing: what is missing of it is no part of what is missing of the pitch.
TEST(VehicleController, HoldsItsPitchAtEveryHeading) {
  VehicleControlSettings control = station();
  control.mode = VehicleMode::hold;
  control.depth = Signal(6.0);
  control.dive_gain = 0.2;
  control.gains.kp[3] = 5;
  for (auto* gains : {&control.gains.kp, &control.gains.kd, &control.gains.ki}) (*gains)[5] = 0;
  const std::vector<double> turning{0, 0, 0.8, 0.3, 0, 0};
  const auto end = [&](double heading) {
    control.heading = Signal(heading);
    Simulation run(craft(control, {}), run_for(10), start, turning);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return std::vector<double>(run.x().begin(), run.x().begin() + 13);
  };
  const std::vector<double> same = end(0);
  for (const double heading : {1.5, 3.1, -3.1})
    for (std::size_t k = 0; k < 13; ++k) EXPECT_NEAR(end(heading)[k], same[k], 1e-12) << heading;
}

TEST(VehicleController, GoesAlongARoute) {
  VehicleControlSettings control = station();
  control.mode = VehicleMode::route;
  control.route = {{{8, 0, -5}, {8, 8, -7}, {0, 8, -7}}, 0.5, 2, 0.5};
  control.gains.kp[0] = 0;
  control.gains.ki[0] = 20;
  SimulationSettings settings = run_for(80);
  settings.record_interval = 0.1;
  Simulation run(craft(control, {}), settings, start, rest);
  double nearest[3] = {1e9, 1e9, 1e9}, worst = 0;
  run.on_record = [&](const System&, double, std::span<const double> x) {
    for (std::size_t k = 0; k < 3; ++k)
      nearest[k] =
          std::min(nearest[k], norm(control.route.points[k] - Vec3<double>{x[0], x[1], x[2]}));
    // in the middle of the second leg it is on its line
    if (x[1] > 3.5 && x[1] < 6 && x[0] > 4) worst = std::max(worst, std::abs(x[0] - 8));
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  for (const double distance : nearest) EXPECT_LT(distance, 0.6);
  EXPECT_LT(worst, 0.3);
  EXPECT_LT(std::abs(run.x()[7 + 3]), 0.02);  // it has stopped
}

/// The vehicle with a heavy link that swings ahead of it, as a trajectory says.
struct Swinging {
  Spec spec = vehicle();
  std::vector<LinkHydrodynamics> links = wet();
  JointTrajectoryPointer swing;
  Model model;

  Swinging() {
    spec.add_body("arm", 2, {0.3, 0, 0}, {0.01, 0.1, 0.1});
    spec.add_joint("shoulder", JointKind::revolute, "hull", "arm", {0, -1, 0},
                   Transform<double>::translation({0.3, 0, 0}));
    ShapeSpec rod;
    rod.kind = ShapeSpec::Kind::capsule;
    rod.size = {0.04, 0.5, 0};
    rod.placement = {rotation_from_rpy(0, std::numbers::pi / 2, 0), {0.3, 0, 0}};
    Hydrodynamics arm = hydrodynamics_of(rod, 1000);
    arm.displacement = {0.002, {0.3, 0, 0}};  // neutral, so that nothing must be trimmed first
    links.push_back({"arm", arm});
    model = build(spec);
    const double w = 1.5;
    swing = function_trajectory(model, 1e6, [w](double t, auto q, auto v, auto a) {
      const double ramp = std::min(1.0, t / 4);
      q[7] = ramp * std::sin(w * t);
      v[6] = ramp * w * std::cos(w * t) + (t < 4 ? std::sin(w * t) / 4 : 0);
      a[6] = -ramp * w * w * std::sin(w * t) + (t < 4 ? w * std::cos(w * t) / 2 : 0);
    });
  }
  /// Largest pitch between 10 and 30 s [rad].
  double pitch(const std::optional<ArmReactionSettings>& arm) const {
    System system(model);
    const auto water = river({});
    VehicleControlSettings control = station();
    control.arm = arm;
    system.add(std::make_unique<WaterPart>(water, links));
    system.add(std::make_unique<VehicleController>(control));
    system.add(
        std::make_unique<PrescribedJoint>(PrescribedJointSettings{"swing", {"shoulder"}, swing}));
    add_thrusters(system, water);
    SimulationSettings settings = run_for(30);
    settings.record_interval = 0.05;
    std::vector<double> q = start, v(7, 0);
    q.push_back(0);
    Simulation run(std::move(system), settings, q, v);
    double most = 0;
    run.on_record = [&](const System&, double t, std::span<const double> x) {
      if (t > 10) most = std::max(most, std::abs(euler({x[3], x[4], x[5], x[6]}).y));
    };
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return most;
  }
};

TEST(VehicleController, TheArmsReactionIsMadeUpFor) {
  const Swinging vessel;
  const double plain = vessel.pitch(std::nullopt);
  ArmReactionSettings arm{vessel.swing, 0.06, vessel.links, river({})};
  const double ahead = vessel.pitch(arm);
  arm.trajectory = nullptr;
  arm.lead = 0;
  const double measured = vessel.pitch(arm);
  EXPECT_GT(plain, 0.05);
  EXPECT_LT(ahead, plain / 50);
  EXPECT_LT(measured, plain / 4);
}

TEST(ArmReaction, IsWhatHoldsTheVehicleStill) {
  // with it as the force on the vehicle, the vehicle does not accelerate more than without the
  // arm's motion: by forward dynamics, which shares nothing with inverse dynamics but the model
  const Swinging vessel;
  const auto water = river({0.2, -0.1, 0});
  ArmReaction reaction(vessel.model, 1, {nullptr, 0, vessel.links, water});
  const double c = std::cos(0.3), s = std::sin(0.3);
  std::vector<double> q{0.2, 0.1, -4, 0, s, 0, c, 0.7}, v{0.1, 0.2, -0.1, 0.3, 0.1, 0.2, 0.9},
      before = v, q_start = q;
  q_start[7] = 0;
  before[6] = 0.85;  // an acceleration of 0.5 rad/s² with samples of 0.1 s
  const Force<double> made_up = reaction.force(vessel.model, 0, q, v, before, 0.1, q_start);
  // the same of water at rest that inputs move
  ArmReaction at_rest(vessel.model, 1, {nullptr, 0, vessel.links, river({})});
  const Force<double> same =
      at_rest.force(vessel.model, 0, q, v, before, 0.1, q_start, {0.2, -0.1, 0});
  EXPECT_LT(norm(same.linear - made_up.linear) + norm(same.angular - made_up.angular), 1e-12);
  Workspace ws(vessel.model);
  WaterLoads loads(vessel.model, vessel.links);
  const auto accelerations = [&](const std::vector<double>& position,
                                 const std::vector<double>& velocity, double shoulder,
                                 const Force<double>& push) {
    std::vector<Force<double>> pushes(3);
    pushes[1] = push;
    Loads<double> others;
    others.body_forces = pushes;
    const Loads<double> all =
        loads.update(vessel.model, forward_kinematics<double>(vessel.model, position, velocity, ws),
                     *water, 0, others);
    std::vector<Known> known(7, Known::force);
    known[6] = Known::acceleration;
    std::vector<double> given(7, 0);
    given[6] = shoulder;
    const auto result =
        hybrid_dynamics<double>(vessel.model, position, velocity, known, given, ws, all);
    return std::vector<double>(result.a.begin(), result.a.begin() + 6);
  };
  // what holds the vehicle with the arm at rest, by the unit responses of its accelerations
  std::vector<double> still = v;
  still[6] = 0;
  const auto holding = [&](const std::vector<double>& position, const std::vector<double>& velocity,
                           double shoulder) {
    const Eigen::VectorXd a0 = matrix(accelerations(position, velocity, shoulder, Force<double>{}));
    Eigen::MatrixXd A(6, 6);
    for (int k = 0; k < 6; ++k) {
      Force<double> unit;
      (k < 3 ? unit.angular[k] : unit.linear[k - 3]) = 1;
      A.col(k) = matrix(accelerations(position, velocity, shoulder, unit)) - a0;
    }
    return Eigen::VectorXd(A.fullPivLu().solve(-a0));
  };
  const Eigen::VectorXd expected = holding(q, v, 0.5) - holding(q_start, still, 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(made_up.angular[k], expected[k], 1e-8);
    EXPECT_NEAR(made_up.linear[k], expected[3 + k], 1e-8);
  }
}

TEST(VehicleController, Refusals) {
  const auto refused = [](auto&& change) {
    VehicleControlSettings s = station();
    change(s);
    return message_of([&] { craft(s, {}).initial_state(start, rest); });
  };
  EXPECT_TRUE(mentions(refused([](auto& s) { s.sample_time = 0; }), {"'pilot'", "sample_time"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.gains.kp[2] = -1; }), {"heave", "-1"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.gains = {}; }), {"control nothing"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.actuators = {"propeller"}; }),
                       {"no thruster or fin called 'propeller'"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.mode = VehicleMode::route; }),
                       {"'pilot'", "no way-points"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.frame = "bridge"; }), {"'pilot'", "bridge"}));
  System bare(build(vehicle()));
  bare.add(std::make_unique<VehicleController>(station()));
  EXPECT_TRUE(
      mentions(message_of([&] { bare.initial_state(start, rest); }), {"no thrusters and no fins"}));
  ThrusterSettings endless;
  endless.name = endless.frame = "up_bow";
  endless.input = ThrusterInput::force;
  bare.add(std::make_unique<Thruster>(endless));
  EXPECT_TRUE(
      mentions(message_of([&] { bare.initial_state(start, rest); }), {"'up_bow'", "no limits"}));
}

TEST(VehicleController, ACopyGoesOnWithTheSameBits) {
  Simulation run(craft(station(), {-0.4, 0.2, 0.1}), run_for(4), start, rest);
  run.advance(2);
  Simulation copy = run;
  run.run();
  copy.run();
  EXPECT_TRUE(std::equal(run.x().begin(), run.x().end(), copy.x().begin()));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
