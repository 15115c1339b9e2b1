// Compiled steps with contact by the midpoint rule: of second order where contacts last.
#include "compile/contact_step_support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

FunctionOptions by_midpoint(FunctionOptions options) {
  options.method = StepMethod::midpoint;
  options.contact.start = ContactStart::last_forces;
  return options;
}

struct State {
  VectorXd q, v, forces;
};
State step(const Program& program, const State& at, const Gains& gains, double h) {
  const std::vector<VectorXd> out = run(program, {at.q, at.v, at.forces, gains.tau, gains.target,
                                                  gains.kp, gains.kd, VectorXd::Constant(1, h)});
  return {out.at(0), out.at(1), out.at(2)};
}

/// A disc of radius r whose centre of mass lies d below its middle rolls: by its angle, from 1 rad.
constexpr double r = 0.1, d = 0.05, inertia = 0.004;
double rolled(double time) {
  const auto rate = [](double angle, double speed) {
    const double mu = inertia + r * r + d * d - 2 * r * d * std::cos(angle);
    return -(9.81 + r * speed * speed) * d * std::sin(angle) / mu;
  };
  const int steps = 20000;
  const double h = time / steps;
  double x = 1, w = 0;
  for (int i = 0; i < steps; ++i) {
    const double a1 = rate(x, w), w2 = w + h / 2 * a1, a2 = rate(x + h / 2 * w, w2),
                 w3 = w + h / 2 * a2, a3 = rate(x + h / 2 * w2, w3), w4 = w + h * a3,
                 a4 = rate(x + h * w3, w4);
    x += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}
Spec roly_poly() {
  Spec spec;
  spec.gravity = {0, 0, -9.81};
  spec.add_body("toy", 1, {0, 0, -d}, Sym3<double>::diagonal(inertia, inertia, inertia));
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::sphere;
  shape.role = ShapeSpec::Role::collision;
  shape.size = {r, 0, 0};
  spec.bodies.back().shapes.push_back(shape);
  spec.add_joint("root", JointKind::free, "", "toy");
  return spec;
}

TEST(ContactMidpoint, WhatRocksIsOfSecondOrder) {
  const Model m = build(roly_poly());
  FunctionOptions options = on_ground(m, {}, 6);
  options.contact.friction = 2;
  const auto error = [&](const FunctionOptions& made, double h) {
    const Program program = trace(m, RobotFunction::step, made);
    const bool carries = made.contact.start == ContactStart::last_forces;
    State at{VectorXd(7), VectorXd::Zero(6), VectorXd::Zero(3)};
    at.q << 0, 0, r, 0, std::sin(0.5), 0, std::cos(0.5);
    for (int k = 0; k < std::lround(2 / h); ++k) {
      if (carries) {
        at = step(program, at, Gains(6), h);
        continue;
      }
      const Stepped next = compiled_step(program, {at.q, at.v}, Gains(6), h);
      at.q = next.next.q, at.v = next.next.v;
    }
    return std::abs(2 * std::atan2(at.q[4], at.q[6]) - rolled(2));
  };
  const double coarse = error(by_midpoint(options), 2e-3), fine = error(by_midpoint(options), 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.7);
  EXPECT_LT(fine, 1e-3);
  EXPECT_LT(20 * fine, error(options, 1e-3));  // semi-implicit
}

// in the air it is the step without contact
TEST(ContactMidpoint, IsAFreeStepInTheAir) {
  const Model m = load("quadruped");
  const Program with = trace(m, RobotFunction::step, by_midpoint(on_ground(m, feet, 3)));
  FunctionOptions plain;
  plain.method = StepMethod::midpoint;
  const Program without = trace(m, RobotFunction::step, plain);
  Random random(3);
  StepState at = near_ground(m, random);
  at.q[2] += 1;
  Gains gains(m.nv);
  gains.tau = random_torques(m, random);
  const State found = step(with, {at.q, at.v, VectorXd::Zero(12)}, gains, 1e-3);
  const std::vector<VectorXd> free = run(without, {at.q, at.v, gains.tau, gains.target, gains.kp,
                                                   gains.kd, VectorXd::Constant(1, 1e-3)});
  EXPECT_TRUE(near(found.q, free[0], 1e-12));
  EXPECT_TRUE(near(found.v, free[1], 1e-10));
  EXPECT_EQ(found.forces.norm(), 0);
}

// falls on its feet, is held up by its controller, and stands still
TEST(ContactMidpoint, AQuadrupedLandsAndStands) {
  const Model m = load("quadruped");
  const Program program = trace(m, RobotFunction::step, by_midpoint(on_ground(m, feet, 6)));
  Gains gains(m.nv);
  State at{matrix(neutral_position(m)), VectorXd::Zero(m.nv), VectorXd::Zero(12)};
  for (int k = 6; k < m.nv; ++k) {
    const double bend[3] = {0, 0.6, -1.2};
    at.q[k + 1] = gains.target[k] = bend[k % 3];
    gains.kp[k] = 500;
    gains.kd[k] = 10;
  }
  at.q[2] = 0.45;
  Workspace ws(m);
  State settled;
  double lowest = 0;
  for (int k = 0; k < 6000; ++k) {
    at = step(program, at, gains, 1e-3);
    const Poses bodies = forward_kinematics<double>(m, in(at.q), ws);
    for (const ContactCandidate& c : on_ground(m, feet, 1).contact.candidates)
      lowest = std::min(
          lowest, transform_point(frame_pose(m, bodies, m.frame(c.link)), c.point).z - c.radius);
    if (k == 5499) settled = at;
  }
  EXPECT_GT(lowest, -1e-4);  // nothing sinks
  EXPECT_LT(at.v.norm(), 1e-6);
  EXPECT_LT((at.q - settled.q).norm(), 1e-7);
  double weight = 0;
  for (int c = 0; c < 4; ++c) weight += at.forces[3 * c + 2];
  EXPECT_NEAR(weight, m.mass() * 9.81, 1e-3);
}

TEST(ContactMidpoint, NeedsTheForcesOfTheLastStep) {
  const Model m = load("quadruped");
  FunctionOptions options = on_ground(m, feet, 6);
  options.method = StepMethod::midpoint;
  EXPECT_TRUE(mentions(message_of([&] { trace(m, RobotFunction::step, options); }),
                       {"last_forces", "--carry-forces"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
