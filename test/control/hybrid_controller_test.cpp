// Hybrid control of position and force against linear theory: poles, steady states and responses
// written out, and on an arm the poles that its inertia at the tool gives.
#include <limber/control/hybrid_controller.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/control/prescribed.hpp>
#include <limber/limber.hpp>
#include <limber/sim/environment_contact.hpp>
#include <limber/sim/simulation.hpp>

#include "control/closed_loop.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXcd;

/// Three rails; the last body is moved with 3, 2 and 1 kg along x, y, z.
Spec gantry_spec() {
  Spec spec;
  spec.name = "gantry";
  spec.gravity = {0, 0, -9.81};
  const std::array<const char*, 3> names{"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    Vec3<double> axis;
    axis[i] = 1;
    spec.add_body(names[static_cast<std::size_t>(i)], 1, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1));
    spec.add_joint(std::string("rail_") + names[static_cast<std::size_t>(i)], JointKind::prismatic,
                   i == 0 ? "" : names[static_cast<std::size_t>(i - 1)],
                   names[static_cast<std::size_t>(i)], axis);
  }
  return spec;
}

struct Gains {
  double kp = 100, kd = 20, kf = 0.5, ki = 8, sensor = 0.01;
};

HybridControlSettings pressing(const std::string& frame, const TaskTrajectoryPointer& reference,
                               double force, const Gains& gains = {}) {
  HybridControlSettings settings;
  settings.name = "hybrid";
  settings.frame = frame;
  settings.rows = TaskRows::position;
  settings.reference = reference;
  settings.force[5] = Signal(force);
  settings.stiffness = {gains.kp};
  settings.damping = {gains.kd};
  settings.force_gain = {gains.kf};
  settings.force_integral = {gains.ki};
  settings.sensor_time = gains.sensor;
  settings.contact_force = 0;
  return settings;
}

EnvironmentSettings floor_under(const std::string& frame, double stiffness, double damping) {
  EnvironmentSettings settings;
  settings.name = "floor";
  settings.frame = frame;
  settings.stiffness = stiffness;
  settings.damping = damping;
  return settings;
}

/// ∂ẋ/∂x of a System at x, by central differences, without the work.
MatrixXd state_matrix(System& system, const std::vector<double>& x) {
  const auto n = static_cast<Eigen::Index>(x.size()) - 1;
  MatrixXd A(n, n);
  std::vector<double> there(x.size()), up(x.size()), down(x.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    const double h = 1e-5;
    there = x;
    there[static_cast<std::size_t>(k)] += h;
    EXPECT_EQ(system.derivative(0, there, up), Evaluated::ok);
    there[static_cast<std::size_t>(k)] -= 2 * h;
    EXPECT_EQ(system.derivative(0, there, down), Evaluated::ok);
    for (Eigen::Index i = 0; i < n; ++i)
      A(i, k) = (up[static_cast<std::size_t>(i)] - down[static_cast<std::size_t>(i)]) / (2 * h);
  }
  return A;
}

using Poles = std::vector<std::complex<double>>;
Poles poles_of(const MatrixXd& A) {
  const VectorXcd values = A.eigenvalues();
  return {values.begin(), values.end()};
}
// every predicted pole is one of those found; what is left over is zero (states without effect)
void expect_poles(Poles found, const Poles& predicted, double tolerance) {
  for (const std::complex<double>& one : predicted) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](auto a, auto b) {
      return std::abs(a - one) < std::abs(b - one);
    });
    ASSERT_NE(nearest, found.end());
    EXPECT_LT(std::abs(*nearest - one), tolerance * (1 + std::abs(one))) << one << *nearest;
    found.erase(nearest);
  }
  for (const std::complex<double>& one : found) EXPECT_LT(std::abs(one), 1e-4) << one;
}

SimulationSettings tight(double duration, double interval) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.record_interval = interval;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = 1e-11;
  settings.integrator.absolute_tolerance = 1e-12;
  return settings;
}

// along z: m z̈ = −m kd ż + p + f, f = −k z − b ż, T Ḟ = f_n − F,
// p = −(F_d + kf (F_d − F) + ki ∫(F_d − F)); x and y: ë + kd ė + kp e = 0
TEST(HybridController, PolesOfAGantryAreThoseOfTheLinearTheory) {
  const Model model = build(gantry_spec());
  const double k = 2000, b = 30, m = 1, wanted = 12;
  for (const Gains& gains : {Gains{}, Gains{400, 60, 0, 5, 0.002}, Gains{100, 15, 2, 30, 0.02}}) {
    System system(model);
    system.add(std::make_unique<HybridController>(pressing(
        "z", constant_pose(Transform<double>::translation({0.1, -0.2, 0.05})), -wanted, gains)));
    system.add(std::make_unique<EnvironmentContact>(floor_under("z", k, b)));
    const std::vector<double> q{0.1, -0.2, 0.001};
    Simulation run(system, tight(10, 1), q, std::vector<double>(3, 0.0));
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    // no error of the force is left, nor of the position
    EXPECT_NEAR(run.x()[2], -wanted / k, 1e-8);
    EXPECT_NEAR(run.x()[0], 0.1, 1e-8);
    System there(run.system());
    const MatrixXd A = state_matrix(there, {run.x().begin(), run.x().end()});
    // z, ż, F, ∫: written out by hand
    MatrixXd Z(4, 4);
    Z << 0, 1, 0, 0,                                                 //
        -k / m, -b / m - gains.kd, gains.kf / m, -gains.ki / m,      //
        -k / gains.sensor, -b / gains.sensor, -1 / gains.sensor, 0,  //
        0, 0, -1, 0;
    Poles predicted = poles_of(Z);
    const MatrixXd E = (MatrixXd(2, 2) << 0, 1, -gains.kp, -gains.kd).finished();
    for (int i = 0; i < 2; ++i)
      for (const auto& one : poles_of(E)) predicted.push_back(one);
    for (int i = 0; i < 5; ++i) predicted.emplace_back(-1 / gains.sensor);  // the sensor's others
    expect_poles(poles_of(A), predicted, 2e-4);
  }
}

// without an integral: kf (F_d − F) balances what the model lacks; and c of the friction is
// compensated
TEST(HybridController, SteadyErrorsAreThoseOfTheLinearTheory) {
  Spec heavy = gantry_spec();
  const auto known = std::make_shared<Model>(build(heavy));
  heavy.bodies.back().inertia = Inertia<double>::from_com(1.3, {}, {0.1, 0.1, 0.1});
  const Model model = build(heavy);  // 0.3 kg that the controller does not know
  Gains gains;
  gains.ki = 0;
  HybridControlSettings settings =
      pressing("z", constant_pose(Transform<double>::translation({0.1, 0, 0})), -10, gains);
  settings.compensation = 0.6;
  settings.model = known;
  System system(model);
  system.add(std::make_unique<HybridController>(settings));
  system.add(std::make_unique<EnvironmentContact>(floor_under("z", 5000, 100)));
  ExternalForceSettings wind;
  wind.frame = "z";
  wind.force.constant = {{}, {4, 0, 0}};
  system.add(std::make_unique<ExternalForce>(wind));
  std::vector<double> end;
  run_closed_loop(system, {0.1, 0, 0}, {0, 0, 0}, 12, 12,
                  [&](double, auto q, auto) { end.assign(q.begin(), q.end()); });
  // F = F_d + kf (F_d − F) + 0.3 kg · g
  const double force = 10 + 0.3 * 9.81 / (1 + gains.kf);
  EXPECT_NEAR(end[2], -force / 5000, 1e-8);
  // kp e · 3 kg = (1 − c) f
  EXPECT_NEAR(end[0] - 0.1, (1 - 0.6) * 4 / (3 * gains.kp), 1e-8);
}

// on a rigid floor F = p: T F̈ + (1 + kf) Ḟ + ki F = ki F_d
TEST(HybridController, ARigidFloorFeelsASystemOfSecondOrder) {
  const Model model = build(gantry_spec());
  const Gains gains{100, 20, 0.5, 40, 0.05};
  System system(model);
  HybridControlSettings settings =
      pressing("z", constant_pose(Transform<double>::translation({0, 0, 0})), -10, gains);
  system.add(std::make_unique<HybridController>(settings));
  system.add(std::make_unique<EnvironmentContact>(floor_under("z", 0, 0)));
  Simulation run(system, tight(0.5, 0.001), std::vector<double>(3, 0.0),
                 std::vector<double>(3, 0.0));
  // z: sensor (6), integrals (6); the force on the frame along z is x[6 + 5]
  int records = 0;
  run.on_record = [&](const System&, double t, std::span<const double> x) {
    // F_m = F_d (1 − e^(−a t) (cos w t + c sin w t)); F_m(0) = 0, T Ḟ_m(0) = (1 + kf) F_d
    const double a = (1 + gains.kf) / (2 * gains.sensor);
    const std::complex<double> w = std::sqrt(std::complex<double>(gains.ki / gains.sensor - a * a));
    const double rate = (1 + gains.kf) / gains.sensor;
    const std::complex<double> factor = (a - rate) / w;
    const std::complex<double> expected =
        10.0 * (1.0 - std::exp(-a * t) * (std::cos(w * t) + factor * std::sin(w * t)));
    EXPECT_NEAR(x[11], expected.real(), 1e-6) << t;
    ++records;
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_GE(records, 50);
}

// An arm presses on a spring with its tool. At rest in touch, in world axes: ẍ = u + Λ⁻¹ (p + f),
// u = −kd ẋ − kp x but for z, f_z = −k z − b ż, T Ḟ = f − F, p as above.
TEST(HybridController, PolesOfAnArmFollowFromItsInertiaAtTheTool) {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints) {
    DofSpec& dof = joint.dof();
    dof.damping = dof.friction_positive = dof.friction_negative = 0;
    dof.lower = -HUGE_VAL, dof.upper = dof.velocity_limit = dof.effort_limit = HUGE_VAL;
  }
  const Model model = build(spec);
  const std::vector<double> q{0.3, 0.9, 2.6, 0.2, -0.6, 0.2};
  Workspace ws(model);
  const int tool = model.frame("tool");
  const Transform<double> start = frame_pose(model, forward_kinematics<double>(model, q, ws), tool);
  const double k = 4000, b = 40, wanted = 8;
  const Gains gains{150, 25, 0.4, 6, 0.004};
  HybridControlSettings settings = pressing("tool", constant_pose(start), -wanted, gains);
  settings.rows = TaskRows::pose;
  System system(model);
  system.add(std::make_unique<HybridController>(settings));
  EnvironmentSettings board = floor_under("tool", k, b);
  board.placement.p = start.p;
  system.add(std::make_unique<EnvironmentContact>(board));
  Simulation run(system, tight(12, 12), q, std::vector<double>(6, 0.0));
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  System there(run.system());
  const std::vector<double> x(run.x().begin(), run.x().end());
  const MatrixXd A = state_matrix(there, x);

  const std::span<const double> end = std::span(x).first(6);
  EXPECT_NEAR(frame_pose(model, forward_kinematics<double>(model, end, ws), tool).p.z,
              start.p.z - wanted / k, 1e-7);
  const MatrixXd J = matrix(jacobian<double>(model, end, tool, Reference::world_aligned, ws));
  const MatrixXd M = matrix(mass_matrix<double>(model, end, ws));
  const MatrixXd mobility = J * M.inverse() * J.transpose();
  // x (6), ẋ (6), F_z and ∫: other forces of the sensor are zero here
  MatrixXd P = MatrixXd::Zero(14, 14);
  P.block(0, 6, 6, 6).setIdentity();
  for (int i = 0; i < 6; ++i) {
    if (i != 5) P(6 + i, i) -= gains.kp;
    P(6 + i, 6 + i) -= gains.kd;
  }
  for (int i = 0; i < 6; ++i) {
    P(6 + i, 5) -= mobility(i, 5) * k;
    P(6 + i, 11) -= mobility(i, 5) * b;
    P(6 + i, 12) += mobility(i, 5) * gains.kf;
    P(6 + i, 13) -= mobility(i, 5) * gains.ki;
  }
  P(12, 5) = -k / gains.sensor;
  P(12, 11) = -b / gains.sensor;
  P(12, 12) = -1 / gains.sensor;
  P(13, 12) = -1;
  Poles predicted = poles_of(P);
  for (int i = 0; i < 5; ++i) predicted.emplace_back(-1 / gains.sensor);
  expect_poles(poles_of(A), predicted, 1e-3);
}

// The reference is on a table that a law moves. With constant speed nothing is left; with constant
// acceleration, which the controller does not know, e = a/kp.
TEST(HybridController, TheTaskFrameMayMove) {
  for (const double acceleration : {0.0, 0.4}) {
    Spec spec = gantry_spec();
    spec.add_body("table", 5, {}, Sym3<double>::diagonal(1, 1, 1));
    spec.add_joint("table_rail", JointKind::prismatic, "", "table", {1, 0, 0});
    const Model model = build(spec);
    System system(model);
    PrescribedJointSettings law;
    law.joints = {"table_rail"};
    law.trajectory = function_trajectory(
        model, 10,
        [acceleration](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
          for (std::size_t k = 0; k < 3; ++k) q[k] = v[k] = a[k] = 0;
          q[3] = 0.3 * t + acceleration / 2 * t * t;
          v[3] = 0.3 + acceleration * t;
          a[3] = acceleration;
        });
    system.add(std::make_unique<PrescribedJoint>(law));
    HybridControlSettings settings = pressing("z", constant_pose({}), -10);
    settings.joints = {"rail_x", "rail_y", "rail_z"};
    settings.task_frame = "table";
    system.add(std::make_unique<HybridController>(settings));
    EnvironmentSettings top = floor_under("z", 5000, 100);
    top.surface = "table";
    system.add(std::make_unique<EnvironmentContact>(top));
    std::vector<double> end;
    run_closed_loop(system, {0, 0, 0, 0}, {0.3, 0, 0, 0.3}, 5, 5,
                    [&](double, auto q, auto) { end.assign(q.begin(), q.end()); });
    EXPECT_NEAR(end[3] - end[0], acceleration / 100, 1e-7);
    EXPECT_NEAR(end[2], -10.0 / 5000, 1e-8);
  }
}

// before and after, motion is controlled in all directions
TEST(HybridController, ForceIsControlledForAWhile) {
  const Model model = build(gantry_spec());
  HybridControlSettings settings =
      pressing("z", constant_pose(Transform<double>::translation({0, 0, 0.02})), -10);
  settings.from = 1;
  settings.until = 6;
  System system(model);
  system.add(std::make_unique<HybridController>(settings));
  system.add(std::make_unique<EnvironmentContact>(floor_under("z", 5000, 100)));
  run_closed_loop(system, {0, 0, 0.02}, {0, 0, 0}, 10, 0.5, [&](double t, auto q, auto) {
    const double wanted = t > 1 && t <= 6 ? -10.0 / 5000 : 0.02;
    const bool moves = (t > 1 && t < 5.4) || (t > 6 && t < 9);
    EXPECT_NEAR(q[2], wanted, moves ? 1 : 1e-5) << t;
  });
}

TEST(HybridController, WrongInputIsRefused) {
  const auto reference = constant_pose({});
  const auto refusal = [](const HybridControlSettings& settings) {
    return message_of([&] { HybridController{settings}; });
  };
  HybridControlSettings settings = pressing("z", reference, 5);
  settings.force[5].reset();
  EXPECT_TRUE(mentions(refusal(settings), {"'hybrid'", "force: none found", "operational_space"}));
  settings = pressing("z", reference, 5);
  settings.force[0] = Signal(1);
  EXPECT_TRUE(mentions(refusal(settings), {"mx is none of the rows"}));
  settings = pressing("z", reference, 5);
  settings.force[3] = settings.force[4] = Signal(1);
  EXPECT_TRUE(mentions(refusal(settings), {"none is free to move"}));
  settings = pressing("z", reference, 5);
  settings.force[5] = Signal::expression("5*step(t-1)");
  EXPECT_TRUE(mentions(refusal(settings), {"fz jumps", "sample_time"}));
  settings = pressing("z", reference, 5);
  settings.sensor_time = 0;
  EXPECT_TRUE(mentions(refusal(settings), {"sensor_time", "positive"}));
  settings = pressing("z", reference, 5);
  settings.compensation = 1;
  EXPECT_TRUE(mentions(refusal(settings), {"compensation: 1"}));
  settings = pressing("z", nullptr, 5);
  EXPECT_TRUE(mentions(refusal(settings), {"reference: none found"}));
  settings = pressing("z", reference, 5);
  settings.from = 2, settings.until = 1;
  EXPECT_TRUE(mentions(refusal(settings), {"from 2 s until 1 s"}));
  System system(build(gantry_spec()));
  settings = pressing("tip", reference, 5);
  EXPECT_TRUE(mentions(
      message_of([&] { system.add(std::make_unique<HybridController>(settings)); }), {"tip"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
