// Energy, momentum and centre of mass: against the plain reference, and as rates of each other.
#include <limber/dynamics/energy.hpp>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/model/joint_space.hpp>

#include "support/motion.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Energy, EqualsPlainReference) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    EXPECT_TRUE(
        near(kinetic_energy(r.model, in(r.q), in(r.v), r.ws), r.plain.kinetic_energy(), 1e-10));
    EXPECT_TRUE(near(potential_energy(r.model, in(r.q), r.ws), r.plain.potential_energy(), 1e-10));
    EXPECT_TRUE(near(plain(momentum(r.model, in(r.q), in(r.v), r.ws)), r.plain.momentum(), 1e-10));
    EXPECT_TRUE(
        near(plain(center_of_mass(r.model, in(r.q), r.ws)), r.plain.center_of_mass(), 1e-10));
    EXPECT_TRUE(near(r.model.mass(), r.plain.mass(), 1e-12));
  });
}

// d/dt (kinetic + potential) = tau · v, along the motion that tau gives
TEST(Energy, GrowsByThePowerOfTheJoints) {
  for_random_robots(60, [](Robot& r) {
    r.a = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
    const double power = rate_along_motion(r, [&](const VectorXd& q, const VectorXd& v) {
      const double kinetic = kinetic_energy(r.model, in(q), in(v), r.ws);
      return VectorXd::Constant(1, kinetic + potential_energy(r.model, in(q), r.ws));
    })[0];
    const double scale = 1 + kinetic_energy(r.model, in(r.q), in(r.v), r.ws) + r.a.norm();
    EXPECT_NEAR(power / scale, r.tau.dot(r.v) / scale, 1e-6);
  });
}

TEST(Energy, PotentialHasGravityForcesAsGradient) {
  for_random_robots(60, [](Robot& r) {
    r.a.setZero();
    const double rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
      return VectorXd::Constant(1, potential_energy(r.model, in(q), r.ws));
    })[0];
    EXPECT_TRUE(near(rate, matrix(gravity_forces(r.model, in(r.q), r.ws)).dot(r.v), 1e-6));
  });
}

// d/dt momentum = weight + what the world gives through the root joints
TEST(Energy, MomentumChangesByOuterForces) {
  for_random_robots(60, [](Robot& r) {
    const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd& v) {
      return VectorXd(plain(momentum(r.model, in(q), in(v), r.ws)));
    });
    const auto tau = inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
    r.move_plain();
    Vector6 force = Vector6::Zero();
    double moving_mass = 0;
    Vector3d moving_moment = Vector3d::Zero();
    for (const int i : moving_bodies(r.model)) {
      const auto b = static_cast<std::size_t>(i);
      const Pose& pose = r.plain.link(r.model.body_name[b]).pose;
      moving_mass += r.model.inertia[b].m;
      if (r.model.parent[b] == 0)
        force += motion_matrix(pose.inverse()).transpose() * plain(joint_reaction(r.model, tau, i));
    }
    moving_moment = r.plain.mass() * r.plain.center_of_mass();
    for (const PlainLink& link : r.plain.links())  // what is welded to the world does not move
      if (r.plain.jacobian(link.body->name).isZero(0))
        moving_moment -= link.pose.linear() * plain(link.body->inertia.h) +
                         link.body->inertia.m * link.pose.translation();
    const Vector3d g = plain(r.spec.gravity);
    force.head<3>() += moving_moment.cross(g);
    force.tail<3>() += moving_mass * g;
    EXPECT_TRUE(near(rate, force, 1e-6));
  });
}

TEST(Energy, CenterOfMassMovesWithItsVelocity) {
  for_random_robots(60, [](Robot& r) {
    r.a.setZero();
    const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
      return VectorXd(plain(center_of_mass(r.model, in(q), r.ws)));
    });
    EXPECT_TRUE(near(plain(center_of_mass_velocity(r.model, in(r.q), in(r.v), r.ws)), rate, 1e-6));
  });
}

TEST(Energy, LinearMomentumIsMassTimesVelocityOfCentre) {
  for_random_robots(60, [](Robot& r) {
    const Vector3d p = plain(momentum(r.model, in(r.q), in(r.v), r.ws)).tail<3>();
    const Vector3d v = plain(center_of_mass_velocity(r.model, in(r.q), in(r.v), r.ws));
    EXPECT_TRUE(near(r.model.mass() * v, p, 1e-12));
  });
}

TEST(Energy, MasslessRobotHasNoCentre) {
  Spec spec;
  spec.name = "ghost";
  spec.add_body("air", 0);
  spec.add_joint("hinge", JointKind::revolute, "", "air");
  const Model model = build(spec);
  Workspace ws(model);
  const double q[] = {0.1};
  EXPECT_THROW(center_of_mass<double>(model, q, ws), Error);
  EXPECT_THROW(center_of_mass_velocity<double>(model, q, q, ws), Error);
  EXPECT_EQ(kinetic_energy<double>(model, q, q, ws), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
