// Compiled steps with contact: against rows and solver of the interpreter, which iterate, and
// against what must hold of a body on a plane.
#include <limber/compile/compiled_robot.hpp>

#include "compile/contact_step_support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

TEST(ContactStep, IsThatOfRowsAndSolver) {
  const Model m = load("quadruped");
  for (const Vec3<double>& normal : {Vec3<double>{0, 0, 1}, Vec3<double>{0.6, 0, 0.8}}) {
    FunctionOptions options = on_ground(m, feet, 25);
    options.contact.normal = normal;
    options.contact.height = normal.x == 0 ? 0 : -0.002;
    const Program program = trace(m, RobotFunction::step, options);
    int touching = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const StepState at = near_ground(m, random);
      Gains gains(m.nv);
      gains.tau = random_torques(m, random);
      const Stepped found = compiled_step(program, at, gains, 1e-3),
                    wanted = plain_step(m, at, gains.tau, options.contact, 1e-3);
      ASSERT_LT(wanted.residual, 1e-12);
      EXPECT_LT(found.residual, 1e-9);
      EXPECT_TRUE(near(found.next.q, wanted.next.q, 1e-9));
      EXPECT_TRUE(near(found.next.v, wanted.next.v, 1e-7));
      EXPECT_TRUE(near(found.forces, wanted.forces, 1e-5 * std::max(1.0, wanted.forces.norm())));
      touching += wanted.forces.norm() > 0;
    }
    EXPECT_GT(touching, 20);
  }
}

// in the air nothing touches, and the step is that without contact
TEST(ContactStep, IsAFreeStepInTheAir) {
  const Model m = load("quadruped");
  const Program with = trace(m, RobotFunction::step, on_ground(m, feet, 3)),
                without = trace(m, RobotFunction::step);
  Random random(3);
  StepState at = near_ground(m, random);
  at.q[2] += 1;
  Gains gains(m.nv);
  gains.tau = random_torques(m, random);
  const Stepped found = compiled_step(with, at, gains, 1e-3);
  const std::vector<VectorXd> free = run(without, {at.q, at.v, gains.tau, gains.target, gains.kp,
                                                   gains.kd, VectorXd::Constant(1, 1e-3)});
  EXPECT_TRUE(near(found.next.q, free[0], 1e-12));
  EXPECT_TRUE(near(found.next.v, free[1], 1e-10));
  EXPECT_EQ(found.forces.norm(), 0);
  EXPECT_EQ(found.residual, 0);
}

// held up by its controller it stands still, and the ground bears its weight
TEST(ContactStep, AQuadrupedStandsAndDoesNotCreep) {
  const Model m = load("quadruped");
  const Program program = trace(m, RobotFunction::step, on_ground(m, feet, 6));
  Gains gains(m.nv);
  StepState at{matrix(neutral_position(m)), VectorXd::Zero(m.nv)};
  for (int k = 6; k < m.nv; ++k) {
    const double bend[3] = {0, 0.6, -1.2};
    at.q[k + 1] = gains.target[k] = bend[k % 3];
    gains.kp[k] = 500;
    gains.kd[k] = 10;
  }
  at.q[2] = 0.39;
  Stepped last{at, {}, 0};
  double worst = 0;
  StepState settled;
  for (int k = 0; k < 4000; ++k) {
    last = compiled_step(program, last.next, gains, 1e-3);
    worst = std::max(worst, last.residual);
    if (k == 3499) settled = last.next;
  }
  EXPECT_LT(worst, 1e-4);
  EXPECT_LT(last.next.v.norm(), 1e-6);
  EXPECT_LT((last.next.q - settled.q).norm(), 1e-7);
  double weight = 0;
  for (int c = 0; c < 4; ++c) weight += last.forces[3 * c + 2];
  EXPECT_NEAR(weight, m.mass() * 9.81, 1e-3);
}

Spec box_spec(Vec3<double> size) {
  Spec spec;
  spec.gravity = {0, 0, -9.81};
  spec.add_body("box", 2, {}, {0.01, 0.02, 0.02, 0, 0, 0});
  spec.add_joint("root", JointKind::free, "", "box");
  ShapeSpec shape;
  shape.role = ShapeSpec::Role::collision;
  shape.size = size;
  spec.bodies[0].shapes.push_back(shape);
  return spec;
}

// Coulomb's law on a flat box: it loses μ g h of its speed in every step, then rests
TEST(ContactStep, ABoxSlidesAndStops) {
  const Model m = build(box_spec({0.4, 0.3, 0.02}));
  FunctionOptions options = on_ground(m, {}, 60, BoxCorners::sole);
  ASSERT_EQ(options.contact.candidates.size(), 4u);
  for (const ContactCandidate& corner : options.contact.candidates)
    EXPECT_EQ(corner.point.z, -0.01);
  options.contact.friction = 0.3;
  const Program program = trace(m, RobotFunction::step, options);
  StepState at{matrix(neutral_position(m)), VectorXd::Zero(6)};
  at.q[2] = 0.01;
  at.v[3] = 0.05;
  const double h = 1e-3, loss = 0.3 * 9.81 * h;
  for (int k = 1; k <= 40; ++k) {
    const Stepped found = compiled_step(program, at, Gains(6), h);
    at = found.next;
    // four corners of one body disturb each other: what is left is said
    EXPECT_LT(found.residual, 1e-3);
    EXPECT_NEAR(at.v[3], std::max(0.0, 0.05 - k * loss), 1e-8 + 2 * found.residual) << k;
    EXPECT_NEAR(at.q[2], 0.01, 1e-6);
  }
}

// the residual is that of the cone solver
TEST(ContactStep, ResidualIsHonest) {
  const Model m = load("quadruped");
  FunctionOptions options = on_ground(m, feet, 1);
  const Program one = trace(m, RobotFunction::step, options);
  options.contact.sweeps = 25;
  const Program many = trace(m, RobotFunction::step, options);
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const StepState at = near_ground(m, random);
    Gains gains(m.nv);
    const Stepped rough = compiled_step(one, at, gains, 1e-3),
                  good = compiled_step(many, at, gains, 1e-3);
    EXPECT_LE(good.residual, std::max(rough.residual, 1e-12));
    largest = std::max(largest, rough.residual);
    // far from the solution is far by its residual
    const double away = (rough.next.v - good.next.v).norm();
    EXPECT_GT(rough.residual, away > 1e-3 ? 1e-6 : -1) << seed;
  }
  EXPECT_GT(largest, 1e-4);
}

// eight corners of two soles, from step to step; and what a step makes of a state is what the
// solver that iterates makes of it, although forces of four corners are not unique
TEST(ContactStep, SolesAreSolvedToo) {
  const Humanoid start(1);
  const Program program = trace(start.model, RobotFunction::step, start.options);
  ASSERT_EQ(program.shape.inputs[2].name, "last_forces");
  std::vector<double> residuals;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Humanoid robot(seed);
    StepState at = robot.at;
    VectorXd forces = VectorXd::Zero(24);
    for (int k = 0; k < 400; ++k) {
      const std::vector<VectorXd> next = run(program, robot.inputs(at, forces, 1e-3));
      residuals.push_back(next[3][0]);
      const StepState before = at;
      at = {next[0], next[1]}, forces = next[2];
      if (k % 50 == 25 && next[3][0] < 1e-10) {
        const Stepped wanted =
            plain_step(robot.model, before, robot.torques(before), robot.options.contact, 1e-3);
        if (wanted.residual > 1e-10) continue;
        EXPECT_TRUE(near(next[1], wanted.next.v, 1e-6)) << seed << " " << k;
        ++compared;
      }
    }
  }
  std::sort(residuals.begin(), residuals.end());
  EXPECT_GT(compared, 10);
  EXPECT_LT(residuals[residuals.size() / 2], 1e-7);
  EXPECT_LT(residuals[residuals.size() * 97 / 100], 1e-4);
}

// a rollout carries the forces on as it does the state, in compiled code as instruction by
// instruction
TEST(ContactStep, ForcesAreCarriedOn) {
  const Model m = load("quadruped");
  CompileOptions wanted;
  wanted.functions = {RobotFunction::step};
  wanted.function = on_ground(m, feet, 1);  // so that it matters where a step begins
  wanted.function.contact.start = ContactStart::last_forces;
  const CompiledRobot compiled = compile(m, wanted);
  const Program program = trace(m, RobotFunction::step, wanted.function);
  Random random(5);
  const StepState start = near_ground(m, random);
  const Gains gains(m.nv);
  const VectorXd h = VectorXd::Constant(1, 1e-3), none = VectorXd::Zero(12);
  const auto roll = [&](int steps) {
    std::vector<VectorXd> at{start.q, start.v, none};
    for (int k = 0; k < steps; ++k)
      at = run(program, {at[0], at[1], at[2], gains.tau, gains.target, gains.kp, gains.kd, h});
    return at;
  };
  const std::vector<VectorXd> at = roll(30);
  EXPECT_GT(at[2].norm(), 0);
  VectorXd q(m.nq), v(m.nv), forces(12), residual(1);
  StepInputs inputs{
      in(start.q), in(start.v), in(gains.tau), in(gains.target), in(gains.kp), in(gains.kd), 1e-3,
      {},          {}};
  const auto compiled_rollout = [&] {
    return compiled.rollout(30, inputs, numbers(q), numbers(v), numbers(forces), numbers(residual));
  };
  EXPECT_TRUE(mentions(message_of(compiled_rollout), {"last_forces", "12"}));
  inputs.last_forces = in(none);
  EXPECT_TRUE(compiled_rollout());
  EXPECT_TRUE(near(q, at[0], 1e-9));
  EXPECT_TRUE(near(v, at[1], 1e-7));
  EXPECT_TRUE(near(forces, at[2], 1e-6 * at[2].norm()));
  // of many at once, where outputs are inputs
  VectorXd q1 = start.q, v1 = start.v, f1 = none;
  const double* from[] = {q1.data(),           v1.data(),       f1.data(),       gains.tau.data(),
                          gains.target.data(), gains.kp.data(), gains.kd.data(), h.data()};
  double* to[] = {q1.data(), v1.data(), f1.data(), residual.data()};
  EXPECT_TRUE(compiled.rollout_batch<double>(1, 1, 30, from, to).empty());
  EXPECT_TRUE(near(q1, at[0], 1e-9));
  EXPECT_TRUE(near(f1, at[2], 1e-6 * at[2].norm()));
  // without contact there is nothing to begin with
  const CompiledRobot free = compile(load("pendulum"), {{RobotFunction::step}, {}, {}});
  const VectorXd one = VectorXd::Zero(1);
  const StepInputs wrong{in(one), in(one), in(one), in(one), in(one), in(one), 1e-3, {}, in(none)};
  EXPECT_TRUE(mentions(message_of([&] { free.step(wrong, numbers(q1), numbers(v1)); }),
                       {"last_forces", "StepContact::start"}));
}

TEST(ContactStep, CandidatesOfShapes) {
  const Model m = load("quadruped");
  EXPECT_EQ(contact_candidates(m, feet).size(), 4u);
  EXPECT_EQ(contact_candidates(m, feet)[0].radius, 0.02);
  EXPECT_EQ(contact_candidates(m).size(), 12u);  // the trunk's corners
  const std::vector<std::string> soles{"left_foot", "right_foot"};
  EXPECT_EQ(contact_candidates(load("humanoid"), soles, BoxCorners::sole).size(), 8u);
  Spec spec = box_spec({0.1, 0.1, 0.1});
  spec.bodies[0].shapes[0].kind = ShapeSpec::Kind::capsule;
  spec.bodies[0].shapes[0].size = {0.05, 0.3, 0};
  const std::vector<ContactCandidate> ends = contact_candidates(build(spec));
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].point.z, -0.15);
  EXPECT_EQ(ends[1].point.z, 0.15);
  EXPECT_EQ(ends[1].radius, 0.05);
}

TEST(ContactStep, WhatIsNotOfferedIsRefusedByName) {
  const Model m = load("quadruped");
  const std::vector<std::string> nowhere{"front_left_fot"}, bare{"front_left_thigh"};
  EXPECT_TRUE(mentions(message_of([&] { contact_candidates(m, nowhere); }), {"front_left_foot"}));
  EXPECT_TRUE(mentions(message_of([&] { contact_candidates(m, bare); }),
                       {"front_left_thigh", "no collision shape"}));
  Spec round = box_spec({0.1, 0.1, 0.1});
  round.bodies[0].shapes[0].kind = ShapeSpec::Kind::cylinder;
  EXPECT_TRUE(mentions(message_of([&] { contact_candidates(build(round)); }),
                       {"cylinder", "'box'", "spheres"}));
  const auto refusal = [&](auto&& change) {
    FunctionOptions options = on_ground(m, feet, 3);
    change(options);
    return message_of([&] { trace(m, RobotFunction::step, options); });
  };
  EXPECT_TRUE(mentions(refusal([](auto& o) { o.method = StepMethod::rk4; }), {"rk4"}));
  EXPECT_TRUE(mentions(refusal([](auto& o) { o.contact.sweeps = 0; }), {"sweeps"}));
  EXPECT_TRUE(mentions(refusal([](auto& o) { o.contact.newton_steps = -1; }), {"Newton", "-1"}));
  EXPECT_TRUE(mentions(refusal([](auto& o) { o.contact.normal = {0, 0, 2}; }), {"unit vector"}));
  EXPECT_TRUE(mentions(refusal([](auto& o) { o.contact.friction = -1; }), {"friction", "-1"}));
  EXPECT_TRUE(mentions(refusal([](auto& o) { o.contact.candidates[0].radius = -1; }),
                       {"front_left_foot", "radius"}));
  const Model loops = load("four_bar");
  FunctionOptions options;
  options.contact.candidates = {{loops.frames[1].name, {}, 0}};
  EXPECT_TRUE(mentions(message_of([&] { trace(loops, RobotFunction::step, options); }), {"loops"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
