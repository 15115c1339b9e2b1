// Quaternions in q: normalise, exact turns, small turns, half turns; refusals.
#include <limber/model/joint_space.hpp>

#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <limber/model/generate.hpp>

#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Model one_joint(JointKind kind) { return build(generate_chain(1, kind)); }

TEST(JointSpace, NeutralHasIdentityQuaternions) {
  EXPECT_EQ(neutral_position(one_joint(JointKind::free)),
            (std::vector<double>{0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(neutral_position(one_joint(JointKind::spherical)), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(neutral_position(one_joint(JointKind::planar)), (std::vector<double>{0, 0, 0}));
}

TEST(JointSpace, NormalizeMakesQuaternionsUnit) {
  const Model model = one_joint(JointKind::free);
  std::vector<double> q{1, 2, 3, 0, 3, 0, 4};
  normalize(model, q);
  const double expected[] = {1, 2, 3, 0, 0.6, 0, 0.8};
  for (std::size_t k = 0; k < 7; ++k) EXPECT_DOUBLE_EQ(q[k], expected[k]);
}

TEST(JointSpace, NormalizeLeavesOtherPositionsAlone) {
  const Model model = one_joint(JointKind::cylindrical);
  std::vector<double> q{10, -20};
  normalize(model, q);
  EXPECT_EQ(q, (std::vector<double>{10, -20}));
}

TEST(JointSpace, NormalizeRefusesWhatIsNoQuaternion) {
  const Model model = one_joint(JointKind::spherical);
  for (const double bad : {0.0, static_cast<double>(NAN), HUGE_VAL}) {
    std::vector<double> q{bad, bad, bad, bad};
    try {
      normalize(model, q);
      ADD_FAILURE() << "accepted " << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("joint1"), std::string::npos) << error.what();
    }
  }
}

TEST(JointSpace, ConstantTurnIsExact) {
  const Model model = one_joint(JointKind::spherical);
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Quat<double> start = random.quat();
    const Vec3<double> w = random.vec3(3);
    const std::vector<double> q{start.x, start.y, start.z, start.w}, v{w.x, w.y, w.z};
    std::vector<double> end(4);
    integrate(model, q, v, 2, end);
    const Eigen::Vector3d turn = 2 * Eigen::Vector3d(w.x, w.y, w.z);
    const Eigen::Quaterniond expected = Eigen::Quaterniond(start.w, start.x, start.y, start.z) *
                                        Eigen::AngleAxisd(turn.norm(), turn.normalized());
    const Eigen::Quaterniond found(end[3], end[0], end[1], end[2]);
    EXPECT_NEAR(std::abs(found.dot(expected)), 1, 1e-14);
    EXPECT_NEAR(found.norm(), 1, 1e-15);
  }
}

// a body that turns about z and moves forwards runs along a circle
TEST(JointSpace, FreeJointRunsAlongScrews) {
  const Model model = one_joint(JointKind::free);
  const double rate = 0.8, speed = 2, climb = 0.3, t = 1.7, radius = speed / rate;
  std::vector<double> q = neutral_position(model);
  integrate(model, q, std::vector<double>{0, 0, rate, speed, 0, climb}, t, q);
  EXPECT_NEAR(q[0], radius * std::sin(rate * t), 1e-14);
  EXPECT_NEAR(q[1], radius * (1 - std::cos(rate * t)), 1e-14);
  EXPECT_NEAR(q[2], climb * t, 1e-14);
  EXPECT_NEAR(q[5], std::sin(rate * t / 2), 1e-14);
  EXPECT_NEAR(q[6], std::cos(rate * t / 2), 1e-14);
}

// the series and the closed forms of the exponential meet without a step
TEST(JointSpace, TurnsOfEverySizeRoundTrip) {
  const Model model = one_joint(JointKind::free);
  Random random(2);
  for (const double size : {0.0, 1e-18, 1e-12, 1e-9, 1e-7, 0.99e-6, 1.01e-6, 0.99e-4, 1.01e-4,
                            0.99e-2, 1.01e-2, 0.1, 1.0, 3.0, 3.14159, std::numbers::pi - 1e-9}) {
    const Vec3<double> axis = random.direction();
    const Quat<double> start = random.quat();
    const std::vector<double> q0{1, 2, 3, start.x, start.y, start.z, start.w};
    const std::vector<double> step{axis.x * size, axis.y * size, axis.z * size, 0.4, -0.5, 0.6};
    std::vector<double> q1(7), found(6);
    integrate(model, q0, step, 1, q1);
    difference(model, q0, q1, found);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(found[k], step[k], 2e-12) << "turn " << size << ", entry " << k;
  }
}

TEST(JointSpace, DifferenceTakesTheShortWay) {
  const Model model = one_joint(JointKind::spherical);
  const std::vector<double> q0{0, 0, 0, 1}, q1{0, 0, std::sin(2.0), std::cos(2.0)};  // a turn of 4
  std::vector<double> step(3);
  difference(model, q0, q1, step);
  EXPECT_NEAR(step[2], 4 - 2 * std::numbers::pi, 1e-14);
}

TEST(JointSpace, QuaternionsOfOppositeSignAreTheSame) {
  const Model model = one_joint(JointKind::spherical);
  const std::vector<double> q0{0.5, 0.5, 0.5, 0.5}, q1{-0.5, -0.5, -0.5, -0.5};
  std::vector<double> step(3);
  difference(model, q0, q1, step);
  for (const double x : step) EXPECT_NEAR(x, 0, 1e-15);
}

TEST(JointSpace, MimicJointsHaveNoPositionsOfTheirOwn) {
  Spec spec = generate_chain(3);
  spec.joints[1].mimic = MimicSpec{"joint3", 2, 0.5};
  const Model model = build(spec);
  EXPECT_EQ(model.nq, 2);
  EXPECT_EQ(neutral_position(model), (std::vector<double>{0, 0}));
  std::vector<double> q{1, 2};
  integrate(model, q, std::vector<double>{10, 20}, 0.1, q);
  EXPECT_DOUBLE_EQ(q[0], 2);
  EXPECT_DOUBLE_EQ(q[1], 4);
}

TEST(JointSpace, WrongSizesAreRefused) {
  const Model model = one_joint(JointKind::free);
  std::vector<double> q(7), v(6), bad(3);
  EXPECT_THROW(integrate(model, bad, v, 1, q), Error);
  EXPECT_THROW(integrate(model, q, bad, 1, q), Error);
  EXPECT_THROW(integrate(model, q, v, 1, bad), Error);
  EXPECT_THROW(difference(model, bad, q, v), Error);
  EXPECT_THROW(difference(model, q, bad, v), Error);
  EXPECT_THROW(difference(model, q, q, bad), Error);
  EXPECT_THROW(normalize(model, bad), Error);
  EXPECT_THROW(position_rate(model, bad, v, q), Error);
  EXPECT_THROW(position_rate(model, q, bad, q), Error);
  EXPECT_THROW(position_rate(model, q, v, bad), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
