// Jacobians of frames and J̇ v.
#include <limber/dynamics/jacobian.hpp>

#include "support/frames.hpp"
#include "support/motion.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Jacobian, EqualsPlainReference) {
  for_random_robots(200, [](Robot& r) {
    r.move_plain();
    for (int f = 0; f < frame_count(r); ++f) {
      const PlainFrame frame = plain_frame(r, f);
      const MatrixXd J =
          frame.link ? r.plain.jacobian(frame.link->body->name) : MatrixXd::Zero(6, r.model.nv);
      for (const Reference reference : every_reference)
        EXPECT_TRUE(near(matrix(jacobian(r.model, in(r.q), f, reference, r.ws)),
                         referred(r, f, reference, J), 1e-10));
    }
  });
}

TEST(Jacobian, TimesVelocityIsFrameVelocity) {
  for_random_robots(100, [](Robot& r) {
    for (int f = 0; f < frame_count(r); ++f)
      for (const Reference reference : every_reference) {
        const VectorXd Jv = matrix(jacobian(r.model, in(r.q), f, reference, r.ws)) * r.v;
        const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
        EXPECT_TRUE(near(plain(frame_velocity(r.model, bodies, f, reference)), Jv, 1e-10));
      }
  });
}

TEST(Jacobian, DotTimesVelocityIsTheRateOfJTimesVelocity) {
  for_random_robots(60, [](Robot& r) {
    r.a.setZero();
    for (const int f : some_frames(r))
      for (const Reference reference : every_reference) {
        const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
          return VectorXd(matrix(jacobian(r.model, in(q), f, reference, r.ws)) * r.v);
        });
        const Vector6 found =
            plain(jacobian_dot_times_v(r.model, in(r.q), in(r.v), f, reference, r.ws));
        EXPECT_TRUE(near(found, rate, 1e-7));
      }
  });
}

// J a + J̇ v is the acceleration
TEST(Jacobian, GivesAccelerations) {
  for_random_robots(60, [](Robot& r) {
    for (const int f : some_frames(r))
      for (const Reference reference : every_reference) {
        const VectorXd Ja = matrix(jacobian(r.model, in(r.q), f, reference, r.ws)) * r.a;
        const Vector6 bias =
            plain(jacobian_dot_times_v(r.model, in(r.q), in(r.v), f, reference, r.ws));
        const Accelerations& bodies = forward_kinematics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
        const Vector6 expected =
            reference == Reference::world_aligned
                ? plain(frame_classical_acceleration(r.model, bodies, f, reference))
                : plain(frame_acceleration(r.model, bodies, f, reference));
        EXPECT_TRUE(near(Ja + bias, expected, 1e-10));
      }
  });
}

TEST(Jacobian, WritesIntoGivenMemory) {
  for_random_robots(20, [](Robot& r) {
    for (const int f : some_frames(r)) {
      const MatrixXd expected =
          matrix(jacobian(r.model, in(r.q), f, Reference::world_aligned, r.ws));
      std::vector<double> J(6 * static_cast<std::size_t>(r.model.nv), std::nan(""));
      jacobian(r.model, in(r.q), f, Reference::world_aligned, r.ws, J);
      EXPECT_EQ(matrix(MatrixView<double>{J.data(), 6, r.model.nv}), expected);
    }
  });
}

// only the bodies that carry the frame are posed, and not in the place of the others' poses
TEST(Jacobian, LeavesThePosesOfForwardKinematics) {
  for_random_robots(40, [](Robot& r) {
    const RandomState other = random_state(r.model, 3);
    for (const int f : some_frames(r)) {
      const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
      const Transform<double> pose = frame_pose(r.model, bodies, f);
      const Vector6 velocity = plain(frame_velocity(r.model, bodies, f, Reference::world));
      jacobian(r.model, std::span<const double>(other.q), f, Reference::world, r.ws);
      EXPECT_EQ(frame_pose(r.model, bodies, f).p.x, pose.p.x);
      EXPECT_EQ(plain(frame_velocity(r.model, bodies, f, Reference::world)), velocity);
    }
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
