// Poses, velocities and accelerations of frames: against the plain reference and as rates of each
// other.
#include <limber/dynamics/kinematics.hpp>

#include "support/frames.hpp"
#include "support/motion.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Kinematics, PosesEqualPlainReference) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    const Poses& bodies = forward_kinematics(r.model, in(r.q), r.ws);
    for (int f = 0; f < frame_count(r); ++f)
      EXPECT_TRUE(
          near(plain(frame_pose(r.model, bodies, f)).matrix(), plain_pose(r, f).matrix(), 1e-10));
    for (const int i : moving_bodies(r.model))
      EXPECT_TRUE(near(plain(body_pose(r.model, bodies, i)).matrix(),
                       r.plain.link(r.model.body_name[static_cast<std::size_t>(i)]).pose.matrix(),
                       1e-10));
  });
}

TEST(Kinematics, WorldBodyStandsAtTheOrigin) {
  Robot r(random_spec(8), 8);
  const Accelerations& bodies = forward_kinematics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
  EXPECT_TRUE(plain(body_pose(r.model, bodies, 0)).matrix().isIdentity(0));
  const int world = r.model.frame("world");
  EXPECT_TRUE(plain(frame_pose(r.model, bodies, world)).matrix().isIdentity(0));
  EXPECT_TRUE(plain(frame_velocity(r.model, bodies, world, Reference::world)).isZero(0));
  EXPECT_TRUE(plain(frame_acceleration(r.model, bodies, world, Reference::body)).isZero(0));
}

TEST(Kinematics, VelocitiesEqualPlainReference) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
    for (int f = 0; f < frame_count(r); ++f)
      for (const Reference reference : every_reference)
        EXPECT_TRUE(near(plain(frame_velocity(r.model, bodies, f, reference)),
                         referred(r, f, reference, plain_velocity(r, f)), 1e-10));
  });
}

TEST(Kinematics, AccelerationsEqualPlainReference) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    const Accelerations& bodies = forward_kinematics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
    for (int f = 0; f < frame_count(r); ++f)
      for (const Reference reference : every_reference)
        EXPECT_TRUE(near(plain(frame_acceleration(r.model, bodies, f, reference)),
                         referred(r, f, reference, plain_acceleration(r, f)), 1e-10));
  });
}

TEST(Kinematics, ClassicalAccelerationAddsTheTurnOfTheVelocity) {
  for_random_robots(60, [](Robot& r) {
    const Accelerations& bodies = forward_kinematics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
    for (int f = 0; f < frame_count(r); ++f)
      for (const Reference reference : every_reference) {
        const Vector6 v = plain(frame_velocity(r.model, bodies, f, reference));
        Vector6 expected = plain(frame_acceleration(r.model, bodies, f, reference));
        const Vector3d w = v.head<3>(), u = v.tail<3>();
        expected.tail<3>() += w.cross(u);
        EXPECT_TRUE(near(plain(frame_classical_acceleration(r.model, bodies, f, reference)),
                         expected, 1e-12));
      }
  });
}

// --- as rates ---

// (ω, velocity of the origin), world axes, from poses alone
TEST(Kinematics, VelocityIsTheRateOfThePose) {
  for_random_robots(60, [](Robot& r) {
    for (const int f : some_frames(r)) {
      const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
        const Poses& bodies = forward_kinematics(r.model, in(q), r.ws);
        const Pose pose = plain(frame_pose(r.model, bodies, f));
        return VectorXd(pose.matrix().reshaped());
      });
      const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
      const Pose pose = plain(frame_pose(r.model, bodies, f));
      const Eigen::Matrix4d dT = rate.reshaped(4, 4);
      const Vector6 v = plain(frame_velocity(r.model, bodies, f, Reference::world_aligned));
      EXPECT_TRUE(near(dT.topLeftCorner<3, 3>(), skew(v.head<3>()) * pose.linear(), 1e-7));
      EXPECT_TRUE(near(dT.topRightCorner<3, 1>(), v.tail<3>(), 1e-7));
    }
  });
}

VectorXd velocity_rate(Robot& r, int f, Reference reference) {
  return rate_along_motion(r, [&](const VectorXd& q, const VectorXd& v) {
    const Velocities& bodies = forward_kinematics(r.model, in(q), in(v), r.ws);
    return VectorXd(plain(frame_velocity(r.model, bodies, f, reference)));
  });
}

TEST(Kinematics, AccelerationIsTheRateOfTheVelocity) {
  for_random_robots(60, [](Robot& r) {
    for (const int f : some_frames(r))
      for (const Reference reference : {Reference::body, Reference::world}) {
        const VectorXd rate = velocity_rate(r, f, reference);
        const Accelerations& bodies = forward_kinematics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
        EXPECT_TRUE(near(plain(frame_acceleration(r.model, bodies, f, reference)), rate, 1e-7));
      }
  });
}

TEST(Kinematics, ClassicalAccelerationIsTheRateOfTheOriginsVelocity) {
  for_random_robots(60, [](Robot& r) {
    for (const int f : some_frames(r)) {
      const VectorXd rate = velocity_rate(r, f, Reference::world_aligned);
      const Accelerations& bodies = forward_kinematics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
      const Reference aligned = Reference::world_aligned;
      EXPECT_TRUE(
          near(plain(frame_classical_acceleration(r.model, bodies, f, aligned)), rate, 1e-7));
    }
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
