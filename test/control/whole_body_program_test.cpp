// The program of whole-body control on a box that stands on its corners: forces in closed form,
// corners that are released, points beside a frame's origin, calls in the wrong order.
#include <limber/control/whole_body_program.hpp>
#include <limber/limber.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double mass = 8, gravity = 9.81;
const Vec3<double> corners[] = {
    {0.3, 0.2, -0.1}, {0.3, -0.2, -0.1}, {-0.3, 0.2, -0.1}, {-0.3, -0.2, -0.1}};

Model box() {
  Spec spec;
  spec.name = "box";
  spec.add_body("box", 0).inertia =
      Inertia<double>::from_com(mass, {}, Sym3<double>::diagonal(0.2, 0.4, 0.5));
  spec.add_joint("float", JointKind::free, "", "box");
  return build(spec);
}

WholeBodyProgramSettings on_corners() {
  WholeBodyProgramSettings settings;
  for (const Vec3<double>& corner : corners) {
    settings.contacts.push_back({"box"});
    settings.contacts.back().point = corner;
  }
  return settings;
}

// nothing is driven: the forces of the corners alone hold the box
struct Standing {
  Model m = box();
  WholeBodyProgram program{on_corners(), m, {}, {}, 2};
  std::vector<double> q{0, 0, 0.1, 0, 0, 0, 1}, v = std::vector<double>(6, 0.0);
  QpResult solve(std::initializer_list<int> released) {
    program.start(m, q, v);
    for (const int corner : released) program.release(corner);
    program.follow(m.frame("box"), TaskRows::pose,
                   TaskMotion{{Mat3<double>::identity(), {0, 0, 0.1}}, {}, {}}, {});
    return program.solve({});
  }
};

TEST(WholeBodyProgram, FourCornersShareTheWeight) {
  Standing stand;
  const QpResult found = stand.solve({});
  ASSERT_TRUE(found.solved());
  for (int c = 0; c < 4; ++c) {
    EXPECT_NEAR(stand.program.normal_force(found, c), mass * gravity / 4, 1e-6);
    EXPECT_LT(stand.program.friction_use(found, c), 1e-6);
  }
  EXPECT_LT(stand.program.missing(found).acceleration, 1e-6);
}

TEST(WholeBodyProgram, AReleasedCornerBearsNothing) {
  Standing stand;
  // two corners across from each other, and the centre of mass on the line between them
  const QpResult two = stand.solve({0, 3});
  ASSERT_TRUE(two.solved());
  for (const int c : {0, 3}) EXPECT_LT(norm(stand.program.force(two, c)), 1e-8);
  for (const int c : {1, 2})
    EXPECT_NEAR(stand.program.normal_force(two, c), mass * gravity / 2, 1e-6);
  // and again with all of them, from the rows that were active
  std::vector<double> active(static_cast<std::size_t>(stand.program.rows()), 0.0);
  for (const int released : {0, 1}) {
    stand.program.start(stand.m, stand.q, stand.v);
    if (released) stand.program.release(0), stand.program.release(3);
    ASSERT_TRUE(stand.program.solve(active).solved());
  }
  stand.program.start(stand.m, stand.q, stand.v);
  const QpResult all = stand.program.solve(active);
  ASSERT_TRUE(all.solved());
  double sum = 0;
  for (int c = 0; c < 4; ++c) sum += stand.program.normal_force(all, c);
  EXPECT_NEAR(sum, mass * gravity, 1e-5);
  // nothing holds it: it falls as everything does
  const QpResult none = stand.solve({0, 1, 2, 3});
  ASSERT_TRUE(none.solved());
  EXPECT_NEAR(none.x[5], -gravity, 1e-9);
}

// the acceleration of a held point is −d times its velocity: by differences along the motion
TEST(WholeBodyProgram, APointBesideTheOriginIsHeldToo) {
  const Model m = box();
  WholeBodyProgramSettings settings;
  settings.contacts.push_back({"box"});
  settings.contacts[0].point = corners[1];
  settings.contact_damping = 7;
  settings.contacts[0].friction = 100;  // a wide cone
  WholeBodyProgram program(settings, m, {}, {}, 1);
  const std::vector<double> q{0.1, -0.2, 0.5, 0.5, -0.5, 0.5, 0.5},
      v{0.4, -0.3, 0.5, 0.1, -0.2, 0.1};
  program.start(m, q, v);
  const QpResult found = program.solve({});
  ASSERT_TRUE(found.solved());
  Workspace ws(m);
  const auto speed_at = [&](double t) {
    std::vector<double> q_t(7), v_t(6), mean(6);
    for (std::size_t i = 0; i < 6; ++i)
      v_t[i] = v[i] + t * found.x[i], mean[i] = v[i] + t / 2 * found.x[i];
    integrate(m, q, mean, t, q_t);
    const Velocities& bodies = forward_kinematics<double>(m, q_t, v_t, ws);
    const Motion<double> frame =
        frame_velocity(m, bodies, m.frame("box"), Reference::world_aligned);
    return frame.linear +
           cross(frame.angular, frame_pose(m, bodies, m.frame("box")).R * corners[1]);
  };
  const double h = 1e-5;
  const Vec3<double> acceleration = (speed_at(h) - speed_at(-h)) * (1 / (2 * h));
  EXPECT_LT(norm(acceleration + speed_at(0) * 7.0), 1e-8);
}

TEST(WholeBodyProgram, CallsInTheWrongOrderAreRefused) {
  const Model m = box();
  WholeBodyProgram program(on_corners(), m, {}, {}, 1);
  for (const std::string& message :
       {message_of([&] { program.follow(0, TaskRows::position, {}, {}); }),
        message_of([&] { program.follow_center({}, {}); }), message_of([&] { program.release(0); }),
        message_of([&] { static_cast<void>(program.pose(0)); }),
        message_of([&] { static_cast<void>(program.solve({})); })})
    EXPECT_TRUE(mentions(message, {"start()", "first"}));
  const std::vector<double> q{0, 0, 0.1, 0, 0, 0, 1}, v(6, 0.0);
  program.start(m, q, v);
  EXPECT_TRUE(mentions(message_of([&] { program.follow(m.frame("box"), TaskRows::pose, {}, {}); }),
                       {"made for 1 tasks"}));
  std::vector<double> few(3, 0.0);
  EXPECT_TRUE(
      mentions(message_of([&] { static_cast<void>(program.solve(few)); }), {"3 active rows"}));
  WholeBodyProgramSettings wrong = on_corners();
  wrong.contacts[2].frame = "bax";
  EXPECT_TRUE(mentions(message_of([&] { WholeBodyProgram(wrong, m, {}, {}, 1); }), {"bax", "box"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
