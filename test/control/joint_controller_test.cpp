// Joint controllers in a System, against closed forms of what they ought to do.
#include <limber/control/joint_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include "control/closed_loop.hpp"
#include "support/message.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

/// A cart of 2 kg on a rail.
Spec cart() {
  Spec spec;
  spec.name = "cart";
  spec.add_body("cart", 2);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  return spec;
}

/// The Puma without friction, whose discontinuity has nothing to do with what is tested.
Spec smooth_puma() {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints) {
    DofSpec& dof = joint.dof();
    dof.damping = dof.friction_positive = dof.friction_negative = 0;
    dof.lower = -HUGE_VAL, dof.upper = HUGE_VAL, dof.effort_limit = HUGE_VAL;
  }
  return spec;
}

/// A smooth swing of all joints, different for each.
JointTrajectoryPointer swing(const Model& m, double duration) {
  return function_trajectory(m, duration, [](double t, auto q, auto v, auto a) {
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double w = 2 + 0.3 * static_cast<double>(k), size = 0.4;
      q[k] = size * std::sin(w * t), v[k] = size * w * std::cos(w * t);
      a[k] = -size * w * w * std::sin(w * t);
    }
  });
}

VectorXd error_of(const JointTrajectory& reference, double t, std::span<const double> q) {
  std::vector<double> q_r(q.size()), v_r(q.size()), a_r(q.size());
  reference.sample(t, q_r, v_r, a_r);
  return matrix(std::span<const double>(q_r)) - matrix(q);
}

TEST(JointController, PdIsASpringAndADamper) {
  const Model m = build(cart());
  JointControlSettings settings;
  settings.reference = constant_trajectory(m, std::vector<double>{0.5});
  settings.stiffness = {50};  // ω = 5
  settings.damping = {4};     // ζ = 4 / (2 · 2 · 5)
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  run_closed_loop(system, {0.1}, {0.2}, 2, 0.05, [](double t, auto q, auto) {
    EXPECT_NEAR(q[0], 0.5 + oscillation(5, 0.2, -0.4, 0.2, t), 1e-10) << t;
  });
}

TEST(JointController, PidHasAThirdOrderAndNoErrorLeft) {
  // e''' + (D/m) e'' + (P/m) e' + (I/m) e = 0 with roots −1, −2, −3: D/m = 6, P/m = 11, I/m = 6.
  // A constant push f = 3 N besides: the integral takes it, e(0) = e'(0) = 0, e''(0) = −f/m.
  Spec spec = cart();
  spec.gravity = {1.5, 0, 0};  // 3 N along the rail
  const Model m = build(spec);
  JointControlSettings settings;
  settings.reference = constant_trajectory(m, std::vector<double>{0});
  settings.stiffness = {22};
  settings.damping = {12};
  settings.integral = {12};
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  EXPECT_EQ(system.size(), 1 + 1 + 1 + 1);  // q, v, ∫e, work
  run_closed_loop(system, {0}, {0}, 3, 0.1, [](double t, auto q, auto) {
    // Σ c_i e^(−i t) with Σ c = 0, Σ i c = 0, Σ i² c = −1.5: c = 1.5 · (−1/2, 1, −1/2)
    const double e = 1.5 * (-0.5 * std::exp(-t) + std::exp(-2 * t) - 0.5 * std::exp(-3 * t));
    EXPECT_NEAR(-q[0], e, 1e-10) << t;
  });
}

TEST(JointController, GravityCompensationHoldsExactly) {
  const Model m = build(smooth_puma());
  JointControlSettings settings;
  settings.law = JointLaw::gravity;
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2};
  run_closed_loop(system, q, std::vector<double>(6, 0.0), 1, 0.25, [&](double, auto now, auto v) {
    EXPECT_TRUE(near(matrix(now), matrix(std::span<const double>(q)), 1e-12));
    EXPECT_LT(matrix(v).norm(), 1e-12);
  });
}

TEST(JointController, FeedforwardFollowsExactlyFromTheReferenceAlone) {
  const Model m = build(smooth_puma());
  JointControlSettings settings;
  settings.law = JointLaw::feedforward;
  settings.reference = swing(m, 2);
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  std::vector<double> q(6), v(6), a(6);
  settings.reference->sample(0, q, v, a);
  run_closed_loop(system, q, v, 1, 0.1, [&](double t, auto now, auto) {
    EXPECT_LT(error_of(*settings.reference, t, now).norm(), 1e-8) << t;
  });
}

/// Errors of every joint obey ë + K_d ė + K_p e = 0, whatever the others do.
void expect_linear_errors(const Model& m, const JointControlSettings& settings) {
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  std::vector<double> q(6), v(6), a(6);
  settings.reference->sample(0, q, v, a);
  Random random(7);
  VectorXd e0(6), e0_dot(6);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    e0[i] = random.uniform(-0.2, 0.2), e0_dot[i] = random.uniform(-0.5, 0.5);
    q[k] -= e0[i], v[k] -= e0_dot[i];
  }
  run_closed_loop(system, q, v, 1, 0.1, [&](double t, auto now, auto) {
    const VectorXd e = error_of(*settings.reference, t, now);
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(e[k], oscillation(10, 0.7, e0[k], e0_dot[k], t), 1e-8) << k << " at " << t;
  });
}

TEST(JointController, ComputedTorqueMakesErrorsLinear) {
  const Model m = build(smooth_puma());
  JointControlSettings settings;
  settings.law = JointLaw::computed_torque;
  settings.reference = swing(m, 2);
  settings.stiffness = {100};
  settings.damping = {14};
  expect_linear_errors(m, settings);
}

TEST(JointController, PassiveForcesAreCompensated) {
  Spec spec = smooth_puma();
  for (JointSpec& joint : spec.joints) {
    joint.dof().damping = 2;
    joint.dof().stiffness = 5;
    joint.dof().spring_reference = 0.3;
  }
  const Model m = build(spec);
  JointControlSettings settings;
  settings.law = JointLaw::computed_torque;
  settings.reference = swing(m, 2);
  settings.stiffness = {100};
  settings.damping = {14};
  settings.passive = PassiveCompensation::from_measured;
  expect_linear_errors(m, settings);
}

TEST(JointController, AWrongModelLeavesAnError) {
  Spec loaded = smooth_puma();
  loaded.bodies.back().inertia = loaded.bodies.back().inertia + Inertia<double>{3, {}, {}};
  const Model real = build(loaded);
  JointControlSettings settings;
  settings.law = JointLaw::computed_torque;
  settings.stiffness = {100};
  settings.damping = {20};
  const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2};
  settings.reference = constant_trajectory(real, q);
  settings.model = std::make_shared<Model>(build(smooth_puma()));
  System system(real);
  system.add(std::make_unique<JointController>(settings));
  // where it comes to rest, gravity of the payload balances M K_p e
  std::vector<double> end;
  run_closed_loop(system, q, std::vector<double>(6, 0.0), 4, 4,
                  [&](double, auto now, auto) { end.assign(now.begin(), now.end()); });
  Workspace ws(real), known_ws(*settings.model);
  const VectorXd e = error_of(*settings.reference, 0, end);
  const VectorXd real_gravity = matrix(gravity_forces<double>(real, end, ws));
  const VectorXd known_gravity = matrix(gravity_forces<double>(*settings.model, end, known_ws));
  const Eigen::MatrixXd M = matrix(mass_matrix<double>(*settings.model, end, known_ws));
  EXPECT_GT(e.norm(), 1e-3);
  EXPECT_TRUE(near(100 * M * e, real_gravity - known_gravity, 1e-6));
}

// a payload is part of the robot for a controller without a model of its own; another carries what
// it knows of, while it is carried
TEST(JointController, PayloadsAreKnownUnlessTheyAreHidden) {
  const PayloadSettings block{
      "block", "link4", Inertia<double>::from_com(2, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04}), 0, 1};
  Spec heavier = smooth_puma();
  heavier.add_body("block", 2, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04});
  heavier.add_joint("grip", JointKind::fixed, "link4", "block");
  const Model bare = build(smooth_puma()), welded = build(heavier);
  const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, v{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};
  for (const JointLaw law : {JointLaw::computed_torque, JointLaw::feedforward, JointLaw::gravity}) {
    JointControlSettings settings;
    settings.law = law;
    settings.reference = swing(bare, 2);
    const auto commands = [&](const JointControlSettings& controller, System system, double t) {
      system.add(std::make_unique<JointController>(controller));
      const auto x = system.initial_state(q, v);
      EXPECT_EQ(system.evaluate(t, x), Evaluated::ok) << system.failure();
      return VectorXd(matrix(system.commands()));
    };
    System carrying(bare);
    carrying.add(std::make_unique<Payload>(block));
    JointControlSettings blind = settings, knowing = settings;
    blind.model = knowing.model = std::make_shared<Model>(bare);
    knowing.carried = {block};
    EXPECT_FALSE(
        near(commands(settings, System(bare), 0.3), commands(settings, System(welded), 0.3), 1e-3));
    EXPECT_TRUE(
        near(commands(settings, carrying, 0.3), commands(settings, System(welded), 0.3), 1e-10));
    EXPECT_TRUE(near(commands(blind, carrying, 0.3), commands(settings, System(bare), 0.3), 1e-10));
    EXPECT_TRUE(
        near(commands(knowing, carrying, 0.3), commands(settings, System(welded), 0.3), 1e-10));
    EXPECT_TRUE(
        near(commands(knowing, carrying, 1.3), commands(settings, System(bare), 1.3), 1e-10));
  }
}

/// A drive that adds to the inertia of a joint: once for all, and once more while it works.
class Rotor final : public Part {
 public:
  Rotor() : Part("rotor") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Rotor>(*this); }
  Role role() const override { return Role::drive; }
  void attach(Model& model) override { model.armature[2] += 3; }
  void apply(Evaluation& at) override { at.inertia[2] += 5; }
};

TEST(JointController, RotorsOfDrivesAreKnownAndEvaluationsForgetEachOther) {
  const Model m = build(smooth_puma());
  JointControlSettings settings;
  settings.law = JointLaw::feedforward;
  settings.reference = swing(m, 2);
  for (const bool own : {false, true}) {
    if (own) settings.model = std::make_shared<Model>(m);
    System system(m);
    system.add(std::make_unique<JointController>(settings));
    system.add(std::make_unique<Rotor>());
    const auto x = system.initial_state(std::vector<double>(6, 0.0), std::vector<double>(6, 0.0));
    ASSERT_EQ(system.evaluate(0.3, x), Evaluated::ok);
    const VectorXd first = matrix(system.commands());
    ASSERT_EQ(system.evaluate(0.3, x), Evaluated::ok);
    EXPECT_TRUE(near(matrix(system.commands()), first, 0));
    // tau = ID of the robot without the drive + 3 a
    std::vector<double> q(6), v(6), a(6);
    settings.reference->sample(0.3, q, v, a);
    Workspace ws(m);
    VectorXd expected = matrix(inverse_dynamics<double>(m, q, v, a, ws));
    expected[2] += 3 * a[2];
    EXPECT_TRUE(near(first, expected, 1e-12));
  }
}

TEST(JointController, ImpedanceGivesWayLikeASpring) {
  // 5 N on a cart that is held with 40 N/m
  Spec spec = cart();
  spec.gravity = {2.5, 0, 0};
  const Model real = build(spec);
  JointControlSettings settings;
  settings.law = JointLaw::impedance;
  settings.stiffness = {40};
  settings.damping = {20};
  settings.reference = constant_trajectory(real, std::vector<double>{0.1});
  settings.model = std::make_shared<Model>(build(cart()));  // knows nothing of the push
  System system(real);
  system.add(std::make_unique<JointController>(settings));
  double end = 0;
  run_closed_loop(system, {0.1}, {0}, 8, 8, [&](double, auto q, auto) { end = q[0]; });
  EXPECT_NEAR(end, 0.1 + 5.0 / 40, 1e-9);
}

TEST(JointController, BallJointsAreDrivenOnTheSphere) {
  Spec spec;
  spec.add_body("ball", 2, {0.05, 0.1, -0.1}, {0.2, 0.3, 0.25, 0.01, 0.02, -0.03});
  spec.add_joint("socket", JointKind::spherical, "", "ball");
  const Model m = build(spec);
  Random random(5);
  const Quat<double> from = random.quat(), to = random.quat();
  MoveSettings move;
  move.law = Law::quintic;
  move.duration = 1;
  JointControlSettings settings;
  settings.law = JointLaw::computed_torque;
  settings.stiffness = {100};
  settings.damping = {20};
  settings.reference = point_to_point(m, std::vector<double>{from.x, from.y, from.z, from.w},
                                      std::vector<double>{to.x, to.y, to.z, to.w}, move);
  // begun elsewhere, turned about the body's x: the error stays about x and dies out
  const Quat<double> start = from * exp_quat(Vec3<double>{0.3, 0, 0});
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  double end = 0;
  run_closed_loop(system, {start.x, start.y, start.z, start.w}, {0, 0, 0}, 3, 3,
                  [&](double, auto q, auto) {
                    const Quat<double> now{q[0], q[1], q[2], q[3]};
                    end = norm(log_quat(conjugate(now) * to));
                  });
  EXPECT_LT(end, 1e-8);
}

TEST(JointController, FloatingBaseMovesAsItMust) {
  // arm on a free base: the joints' errors are linear, although the base recoils
  Spec spec = smooth_puma();
  float_base(spec);
  spec.gravity = {};
  spec.bodies.front().inertia =
      spec.bodies.front().inertia + Inertia<double>{30, {}, {3, 3, 3, 0, 0, 0}};
  const Model m = build(spec);
  std::vector<double> rest = neutral_position(m);
  JointControlSettings settings;
  settings.law = JointLaw::computed_torque;
  settings.stiffness = {100};
  settings.damping = {14};
  for (std::size_t i = 7; i < rest.size(); ++i) rest[i] = 0.1 * static_cast<double>(i);
  settings.reference = constant_trajectory(m, rest);
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  std::vector<double> q = rest, v(static_cast<std::size_t>(m.nv), 0.0);
  for (std::size_t i = 7; i < q.size(); ++i) q[i] -= 0.2;
  run_closed_loop(system, q, v, 0.5, 0.1, [&](double t, auto now, auto) {
    for (std::size_t i = 7; i < now.size(); ++i)
      EXPECT_NEAR(rest[i] - now[i], oscillation(10, 0.7, 0.2, 0, t), 1e-8) << i << " at " << t;
  });
  settings.joints = {"root"};
  EXPECT_TRUE(
      mentions(message_of([&] { System(m).add(std::make_unique<JointController>(settings)); }),
               {"controller", "root", "no actuator"}));
}

TEST(JointController, CommandsAreCutOffAndThatIsRecorded) {
  Spec spec = cart();
  spec.joints[0].dof().effort_limit = 10;
  const Model m = build(spec);
  JointControlSettings settings;
  settings.name = "servo";
  settings.reference = constant_trajectory(m, std::vector<double>{1});
  settings.stiffness = {100};
  settings.damping = {20};
  settings.integral = {50};
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  const std::vector<double> x =
      system.initial_state(std::vector<double>{0}, std::vector<double>{0});
  Recording names;
  names.columns = Recorder(system, {}).columns();
  Recorder recorder(system, {});
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  const auto row = recorder.row(system, 0, x);
  EXPECT_EQ(row[names.column("rail.command")], 10);
  EXPECT_EQ(row[names.column("servo.saturated")], 1);
  EXPECT_EQ(row[names.column("rail.reference")], 1);
  EXPECT_EQ(row[names.column("rail.error")], 1);
  EXPECT_EQ(names.columns[names.column("rail.reference")].group, "Positions");
  EXPECT_EQ(names.columns[names.column("rail.error")].group, "Tracking error");
  // the integral waits while the command is cut off
  std::vector<double> x_dot(x.size());
  system.derivative(0, x, x_dot);
  EXPECT_EQ(x_dot[2], 0);
  EXPECT_EQ(system.accelerations()[0], 5);
}

TEST(JointController, IntegralHasItsLimit) {
  const Model m = build(cart());
  JointControlSettings settings;
  settings.reference = constant_trajectory(m, std::vector<double>{1});
  settings.integral = {50};
  settings.integral_limits = {20};
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  std::vector<double> x = system.initial_state(std::vector<double>{0}, std::vector<double>{0});
  std::vector<double> x_dot(x.size());
  x[2] = 0.5;  // K_i ∫e = 25
  ASSERT_EQ(system.derivative(0, x, x_dot), Evaluated::ok);
  EXPECT_EQ(x_dot[2], 0);
  EXPECT_EQ(system.commands()[0], 20);
  x[2] = 0.3;
  system.derivative(0, x, x_dot);
  EXPECT_EQ(x_dot[2], 1);
  EXPECT_NEAR(system.commands()[0], 15, 1e-14);
}

TEST(JointController, GroupsCommandOnlyTheirJoints) {
  const Model m = build(smooth_puma());
  JointControlSettings settings;
  settings.joints = {"elbow", "waist"};
  settings.reference = constant_trajectory(m, std::vector<double>(6, 0.1));
  settings.stiffness = {10, 20};
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  const auto x = system.initial_state(std::vector<double>(6, 0.0), std::vector<double>(6, 0.0));
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  const std::vector<double> expected{2, 0, 1, 0, 0, 0};
  EXPECT_TRUE(near(matrix(system.commands()), matrix(std::span<const double>(expected)), 1e-14));
}

TEST(JointController, Refusals) {
  const Model m = build(smooth_puma());
  JointControlSettings good;
  good.reference = constant_trajectory(m, std::vector<double>(6, 0.0));
  const auto message = [&](auto&& change) {
    JointControlSettings settings = good;
    change(settings);
    return message_of([&] { System(m).add(std::make_unique<JointController>(settings)); });
  };
  EXPECT_EQ(message([](auto&) {}), no_error);
  EXPECT_TRUE(
      mentions(message([](auto& s) { s.reference = nullptr; }), {"controller", "reference"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.joints = {"elbo"}; }), {"elbo", "elbow"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.joints = {"elbow", "elbow"}; }), {"twice"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.stiffness = {1, 2}; }), {"stiffness", "2", "6"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.damping = {-1}; }), {"damping", "-1"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.sample_time = -1; }), {"sample_time"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.sensor.delay = 1; }), {"sensor", "sample_time"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.integral_limits = {1}; }), {"integral_limits"}));
  EXPECT_TRUE(mentions(message([](auto& s) { s.model = std::make_shared<Model>(load("arm7")); }),
                       {"model", "7"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
