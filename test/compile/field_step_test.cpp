// Compiled steps on height fields: against rows and solver of the interpreter on the ground that
// the collision room's rays meet, against collide(), and against planes.
#include <limber/collision/collide.hpp>
#include <limber/compile/compiled_robot.hpp>
#include <limber/math/quat.hpp>

#include "compile/contact_step_support.hpp"
#include "compile/fingerprint.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

constexpr double h = 1e-3;  // [s]

/// Cells of 0.5 m by 0.4 m, as high as they happen to be.
HeightField random_field(Random& random, double highest) {
  HeightField field{7, 6, 3.0, 2.0, {}};
  for (int i = 0; i < 42; ++i) field.heights.push_back(random.uniform(-highest, highest));
  return field;
}

/// z = z0 + a x + b y.
HeightField inclined_field(double z0, double a, double b) {
  HeightField field{7, 6, 3.0, 2.0, {}};
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 7; ++i)
      field.heights.push_back(z0 + a * (-1.5 + 0.5 * i) + b * (-1 + 0.4 * j));
  return field;
}

Transform<double> turned(const Vec3<double>& rotation, const Vec3<double>& p) {
  return {to_matrix(exp_quat(rotation)), p};
}

/// The triangle below a point: the one that a ray from high above meets. Beside the field: nothing.
GroundFunction below_by_rays(const HeightField& field, const Transform<double>& pose) {
  const Shape shape = Shape::height_field(field);
  return [=](const Vec3<double>& point) {
    const Vec3<double> up = pose.R.column(2);
    const auto hit = ray_cast(shape, pose, point + 10.0 * up, -up);
    if (!hit) return PlainGround{up, 100};
    return PlainGround{hit->normal, dot(hit->normal, point - hit->point)};
  };
}

/// Moves the robot up or down until its nearest candidate is about `gap` above the ground.
void lower_onto(const Model& m, const StepContact& contact, const GroundFunction& ground,
                double gap, StepState& at) {
  for (int round = 0; round < 5; ++round) {
    Workspace ws(m);
    const Poses bodies = forward_kinematics<double>(m, in(at.q), ws);
    double lift = -HUGE_VAL;
    for (const ContactCandidate& c : contact.candidates) {
      const Vec3<double> center = transform_point(frame_pose(m, bodies, m.frame(c.link)), c.point);
      const PlainGround below = ground(center);
      lift = std::max(lift, (gap + c.radius - below.gap) / below.normal.z);
    }
    at.q[2] += lift;
  }
}

VectorXd heights_of(const HeightField& field) { return matrix(field.heights); }

TEST(FieldStep, IsThatOfRowsAndSolver) {
  const Model m = load("quadruped");
  for (const Transform<double>& pose :
       {Transform<double>{}, turned({0.1, -0.2, 0.7}, {0.2, 0.1, -0.3})}) {
    FunctionOptions options = on_ground(m, feet, 25);
    Random numbers_of(1);
    options.contact.field = contact_field(random_field(numbers_of, 0.1), pose);
    const Program program = trace(m, RobotFunction::step, options);
    int touching = 0, beside = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const HeightField field = random_field(random, 0.1);
      const GroundFunction ground = below_by_rays(field, pose);
      StepState at = near_ground(m, random);
      at.q[0] = random.uniform(-1.4, 1.4);  // now and then a foot is beside the field
      at.q[1] = random.uniform(-0.9, 0.9);
      lower_onto(m, options.contact, ground, random.uniform(-0.03, 1e-3), at);
      Gains gains(m.nv);
      gains.tau = random_torques(m, random);
      const Stepped found = compiled_step(program, at, gains, h, heights_of(field)),
                    wanted = plain_step(m, at, gains.tau, options.contact, ground, h);
      ASSERT_LT(wanted.residual, 1e-12);
      EXPECT_LT(found.residual, 1e-9);
      EXPECT_TRUE(near(found.next.q, wanted.next.q, 1e-9));
      EXPECT_TRUE(near(found.next.v, wanted.next.v, 1e-7));
      EXPECT_TRUE(near(found.forces, wanted.forces, 1e-5 * std::max(1.0, wanted.forces.norm())));
      touching += wanted.forces.norm() > 0;
      Workspace ws(m);
      const Poses bodies = forward_kinematics<double>(m, in(at.q), ws);
      for (const std::string& foot : feet)
        beside += ground(frame_pose(m, bodies, m.frame(foot)).p).gap == 100;
    }
    EXPECT_GT(touching, 30);  // the others rise, or are beside it
    EXPECT_GT(beside, 5);
  }
}

// eight corners of two soles on uneven ground, from step to step
TEST(FieldStep, SolesOnRoughGround) {
  Humanoid first(1);
  Random bumps(4);
  const HeightField field = random_field(bumps, 0.01);
  first.options.contact.field = contact_field(field);
  const GroundFunction ground = below_by_rays(field, {});
  const Program program = trace(first.model, RobotFunction::step, first.options);
  std::vector<double> residuals;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Humanoid robot(seed);
    StepState at = robot.at;
    lower_onto(robot.model, robot.options.contact, ground, 1e-3, at);
    VectorXd forces = VectorXd::Zero(24);
    for (int k = 0; k < 300; ++k) {
      std::vector<VectorXd> from = robot.inputs(at, forces, h);
      from.push_back(heights_of(field));
      const std::vector<VectorXd> next = run(program, from);
      residuals.push_back(next[3][0]);
      const StepState before = at;
      at = {next[0], next[1]}, forces = next[2];
      if (k % 30 != 15 || next[3][0] > 1e-10) continue;
      const Stepped wanted =
          plain_step(robot.model, before, robot.torques(before), robot.options.contact, ground, h);
      if (wanted.residual > 1e-10) continue;
      EXPECT_TRUE(near(next[1], wanted.next.v, 1e-6)) << seed << " " << k;
      ++compared;
    }
  }
  std::sort(residuals.begin(), residuals.end());
  EXPECT_GT(compared, 10);
  EXPECT_LT(residuals[residuals.size() / 2], 1e-7);
  EXPECT_LT(residuals[residuals.size() * 97 / 100], 1e-3);
}

/// A step on a field against that on a plane.
void expect_plane(const HeightField& field, const Transform<double>& pose,
                  const Vec3<double>& normal, double height, double tolerance) {
  const Model m = load("quadruped");
  FunctionOptions on_plane = on_ground(m, feet, 4), on_field = on_plane;
  on_plane.contact.normal = normal;
  on_plane.contact.height = height;
  on_field.contact.field = contact_field(field, pose);
  const Program plane = trace(m, RobotFunction::step, on_plane),
                grid = trace(m, RobotFunction::step, on_field);
  int touching = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    StepState at = near_ground(m, random);
    at.q[0] = random.uniform(-0.5, 0.5);
    lower_onto(m, on_plane.contact, plane_of(on_plane.contact), random.uniform(-0.03, 1e-3), at);
    Gains gains(m.nv);
    gains.tau = random_torques(m, random);
    const Stepped found = compiled_step(grid, at, gains, h, heights_of(field)),
                  wanted = compiled_step(plane, at, gains, h);
    EXPECT_TRUE(near(found.next.q, wanted.next.q, tolerance)) << seed;
    EXPECT_TRUE(near(found.next.v, wanted.next.v, tolerance)) << seed;
    const double size = std::max(1.0, wanted.forces.norm());
    EXPECT_TRUE(near(found.forces, wanted.forces, 10 * tolerance * size)) << seed;
    touching += wanted.forces.norm() > 0;
  }
  EXPECT_GT(touching, 10);
}

TEST(FieldStep, AFlatFieldIsAPlane) {
  expect_plane(inclined_field(0, 0, 0), {}, {0, 0, 1}, 0, 1e-12);
}

TEST(FieldStep, AnInclinedFieldIsAnInclinedPlane) {
  const double a = 0.3, b = -0.2, z0 = 0.05;
  const Vec3<double> slope{-a, -b, 1}, normal = slope / norm(slope);
  expect_plane(inclined_field(z0, a, b), {}, normal, z0 * normal.z, 1e-10);
  // the field turned, as gravity would be
  const Transform<double> pose = turned({0.2, -0.1, 0.4}, {0.1, 0.2, -0.1});
  const Vec3<double> up = pose.R.column(2);
  expect_plane(inclined_field(0, 0, 0), pose, up, dot(up, pose.p), 1e-10);
}

/// A ball without weight, and how a step without friction pushes it out of the ground at once: by
/// depth · normal.
struct Ball {
  Model model;
  FunctionOptions options;
  Program program;
  Ball(const ContactField& field, double radius) {
    Spec spec;
    spec.gravity = {};
    spec.add_body("ball", 1, {}, {0.1, 0.1, 0.1, 0, 0, 0});
    spec.add_joint("root", JointKind::free, "", "ball");
    model = build(spec);
    options.contact.candidates = {{"ball", {}, radius}};
    options.contact.field = field;
    options.contact.friction = 0;
    options.contact.correction = 1;
    options.contact.fastest_push = 1e6;
    program = trace(model, RobotFunction::step, options);
  }
  Vec3<double> push(const Vec3<double>& at, const HeightField& field) const {
    StepState state{matrix(neutral_position(model)), VectorXd::Zero(6)};
    for (int k = 0; k < 3; ++k) state.q[k] = at[k];
    const Stepped next = compiled_step(program, state, Gains(6), h, heights_of(field));
    return {next.next.q[0] - at.x, next.next.q[1] - at.y, next.next.q[2] - at.z};
  }
};

// what collide() finds of a ball in the middle of a triangle, and beside the field
TEST(FieldStep, TheGroundIsThatOfCollisions) {
  constexpr double radius = 0.02;
  Random random(7);
  const HeightField field = random_field(random, 0.1);
  const Shape shape = Shape::height_field(field), sphere = Shape::sphere(radius);
  const GroundFunction ground = below_by_rays(field, {});
  const Ball ball(contact_field(field), radius);
  int same = 0, edges = 0, outside = 0;
  for (int k = 0; k < 400; ++k) {
    Vec3<double> at{random.uniform(-1.8, 1.8), random.uniform(-1.3, 1.3), 0};
    const bool is_outside = std::abs(at.x) > 1.5 || std::abs(at.y) > 1;
    const PlainGround below = ground(at);
    if (!is_outside) at.z -= (below.gap - random.uniform(0.5, 1) * radius) / below.normal.z;
    const Vec3<double> push = ball.push(at, field);
    Manifold contacts;
    collide(sphere, {Mat3<double>::identity(), at}, shape, {}, 0, contacts);
    if (is_outside) {
      EXPECT_EQ(norm(push), 0);
      // a ball at the rim has its centre outside
      EXPECT_TRUE(contacts.count == 0 || std::abs(at.x) < 1.5 + radius ||
                  std::abs(at.y) < 1 + radius);
      ++outside;
      continue;
    }
    if (contacts.count != 1 || dot(contacts.points[0].normal, below.normal) < 1 - 1e-12) {
      ++edges;
      continue;
    }
    EXPECT_LT(norm(push - contacts.points[0].normal * contacts.points[0].depth), 1e-9) << k;
    ++same;
  }
  EXPECT_GT(same, 200);
  EXPECT_GT(outside, 50);
  EXPECT_LT(edges, same / 4);
}

// however far below the surface, out along the normal of the triangle above
TEST(FieldStep, WhatIsBelowIsSolid) {
  Random random(8);
  const HeightField field = random_field(random, 0.1);
  const GroundFunction ground = below_by_rays(field, {});
  const Ball corner(contact_field(field), 0);
  for (int k = 0; k < 50; ++k) {
    const Vec3<double> at{random.uniform(-1.5, 1.5), random.uniform(-1, 1),
                          random.uniform(-0.9, -0.2)};
    const PlainGround below = ground(at);
    EXPECT_LT(norm(corner.push(at, field) + below.normal * below.gap), 1e-9);
  }
}

TEST(FieldStep, CodeIsKnownByItsField) {
  const Model m = load("quadruped");
  const auto known = [&](const ContactField& field) {
    FunctionOptions options = on_ground(m, feet, 4);
    options.contact.field = field;
    return fingerprint(m, RobotFunction::step, options, "");
  };
  const ContactField plain{7, 6, 3, 2, {}};
  EXPECT_NE(known(plain), fingerprint(m, RobotFunction::step, on_ground(m, feet, 4), ""));
  for (const ContactField& other :
       {ContactField{6, 7, 3, 2, {}}, ContactField{7, 6, 4, 2, {}}, ContactField{7, 6, 3, 3, {}},
        ContactField{7, 6, 3, 2, turned({}, {0, 0, 1})}})
    EXPECT_NE(known(other), known(plain));
  EXPECT_EQ(known(plain), known(plain));
}

TEST(FieldStep, WhatIsNotOfferedIsRefusedByName) {
  const Model m = load("quadruped");
  const auto refusal = [&](auto&& change) {
    FunctionOptions options = on_ground(m, feet, 3);
    options.contact.field = {7, 6, 3, 2, {}};
    change(options.contact);
    return message_of([&] { shape_of(RobotFunction::step, m, options); });
  };
  EXPECT_EQ(refusal([](auto&) {}), "(no error)");
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.field->columns = 1; }), {"1 columns", "two"}));
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.field->rows = 1 << 24; }), {"16777216 rows"}));
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.field->width = 0; }), {"0 m by 2 m"}));
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.field->pose.R.xx = 0.9; }), {"rotation matrix"}));
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.field->pose.R.xx = -1; }), {"mirror"}));
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.field->pose.p.x = NAN; }), {"position"}));
  EXPECT_TRUE(mentions(refusal([](auto& c) { c.height = 0.1; }), {"plane", "ContactField::pose"}));
  HeightField bad{7, 6, 3, 2, {1, 2}};
  EXPECT_TRUE(mentions(message_of([&] { contact_field(bad); }), {"2 heights", "42"}));
}

// the heights of a call
TEST(FieldStep, CallsTakeHeights) {
  Random random(2);
  const HeightField field = random_field(random, 0.05);
  const Ball ball(contact_field(field), 0.02);
  CompileOptions wanted;
  wanted.functions = {RobotFunction::step};
  wanted.function = ball.options;
  wanted.function.contact.friction = 0.5;
  const CompiledRobot robot = compile(ball.model, wanted);
  EXPECT_EQ(robot.notice(), "");
  StepState at{matrix(neutral_position(ball.model)), VectorXd::Zero(6)};
  for (double& x : at.v) x = random.uniform();
  lower_onto(ball.model, ball.options.contact, below_by_rays(field, {}), -0.01, at);
  const Gains gains(6);
  StepInputs inputs{
      in(at.q), in(at.v), in(gains.tau), in(gains.target), in(gains.kp), in(gains.kd), h,
      {},       {},       field.heights};
  VectorXd q(7), v(6), forces(3), residual(1);
  const auto step = [&] {
    robot.step(inputs, numbers(q), numbers(v), numbers(forces), numbers(residual));
  };
  step();
  const Program program = trace(ball.model, RobotFunction::step, wanted.function);
  const Stepped expected = compiled_step(program, at, gains, h, heights_of(field));
  EXPECT_GT(expected.forces.norm(), 0);
  EXPECT_TRUE(near(q, expected.next.q, 1e-12));
  EXPECT_TRUE(near(v, expected.next.v, 1e-9));
  EXPECT_TRUE(
      robot.rollout(20, inputs, numbers(q), numbers(v), numbers(forces), numbers(residual)));
  StepState rolled = at;
  for (int k = 0; k < 20; ++k)
    rolled = compiled_step(program, rolled, gains, h, heights_of(field)).next;
  EXPECT_TRUE(near(q, rolled.q, 1e-9));
  EXPECT_TRUE(near(v, rolled.v, 1e-7));
  inputs.heights = inputs.heights.first(41);
  EXPECT_TRUE(mentions(message_of(step), {"heights has 41", "42"}));
  // without a field there is nothing to look up
  const CompiledRobot free = compile(load("pendulum"), {{RobotFunction::step}, {}, {}});
  const VectorXd one = VectorXd::Zero(1);
  const StepInputs wrong{in(one), in(one), in(one), in(one), in(one),
                         in(one), h,       {},      {},      field.heights};
  EXPECT_TRUE(mentions(message_of([&] { free.step(wrong, numbers(q), numbers(v)); }),
                       {"42 numbers", "StepContact::field"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
