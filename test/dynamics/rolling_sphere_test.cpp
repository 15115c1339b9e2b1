// A sphere that rolls without slipping, against closed forms.
#include <limber/model/rolling_sphere.hpp>

#include <cmath>
#include <numbers>

#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/prescribed_motion.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"
#include "support/simulate.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double radius = 0.3, mass = 2, g = 9.81;
constexpr double moment = 0.4 * mass * radius * radius;  // solid
const Sym3<double> solid = Sym3<double>::diagonal(moment, moment, moment);

JointSpec& add_sphere(Spec& spec, const std::string& parent) {
  spec.add_body("ball", mass, {}, solid);
  JointSpec& joint = spec.add_joint("roll", JointKind::custom, parent, "ball");
  joint.custom = rolling_sphere(radius);
  return joint;
}

VectorXd random_position(Random& random) {
  const Quat<double> turn = random.quat();
  VectorXd q(6);
  q << random.uniform(), random.uniform(), turn.x, turn.y, turn.z, turn.w;
  return q;
}

JointKinematics<double> kinematics_at(const CustomJoint& joint, const VectorXd& q,
                                      const VectorXd& v) {
  JointKinematics<double> out;
  joint.kinematics_double(joint.parameters, in(q), in(v), out);
  return out;
}

Vector6 velocity_at(const CustomJoint& joint, const VectorXd& q, const VectorXd& v) {
  const JointKinematics<double> out = kinematics_at(joint, q, v);
  Vector6 sum = Vector6::Zero();
  for (int k = 0; k < 3; ++k) sum += plain(out.S[static_cast<std::size_t>(k)]) * v[k];
  return sum;
}

// S v is the velocity of the pose, Ṡ v the rate of S v: central differences along integrate()
TEST(RollingSphere, ColumnsAndBiasAreDerivatives) {
  const CustomJoint joint = rolling_sphere(radius);
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = random_position(random), v = plain(random.vec3(2));
    const double h = 1e-4;
    auto moved = [&](double t) {
      VectorXd end = q;
      const VectorXd step = v * t;
      joint.integrate(joint.parameters, {end.data(), 6}, in(step));
      return end;
    };
    const VectorXd ahead = moved(h), behind = moved(-h);
    const Pose a = plain(kinematics_at(joint, ahead, v).X),
               b = plain(kinematics_at(joint, behind, v).X),
               X = plain(kinematics_at(joint, q, v).X);
    // X⁻¹ Ẋ is the velocity in the sphere's own axes
    const Eigen::Matrix4d rate = X.inverse().matrix() * (a.matrix() - b.matrix()) / (2 * h);
    Vector6 expected;
    expected << rate(2, 1), rate(0, 2), rate(1, 0), rate(0, 3), rate(1, 3), rate(2, 3);
    EXPECT_TRUE(near(velocity_at(joint, q, v), expected, 1e-7));
    const Vector6 bias = (velocity_at(joint, ahead, v) - velocity_at(joint, behind, v)) / (2 * h);
    EXPECT_TRUE(near(plain(kinematics_at(joint, q, v).bias), bias, 1e-7));
  }
}

TEST(RollingSphere, ContactPointStandsStill) {
  const CustomJoint joint = rolling_sphere(radius);
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = random_position(random), v = plain(random.vec3(2));
    const Pose X = plain(kinematics_at(joint, q, v).X);
    const Vector6 velocity = motion_matrix(X) * velocity_at(joint, q, v);
    const Vector3d contact(q[0], q[1], 0);
    EXPECT_TRUE(
        near(velocity.tail<3>() + velocity.head<3>().cross(contact), Vector3d::Zero(), 1e-14));
  }
}

TEST(RollingSphere, MovesInItsPositionSpace) {
  Spec spec;
  add_sphere(spec, "");
  const Model model = build(spec);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = random_position(random), v = plain(random.vec3(2));
    VectorXd end(6), behind(6), step(3), rate(6);
    integrate(model, in(q), in(v), 0.7, {end.data(), 6});
    difference(model, in(q), in(end), {step.data(), 3});
    EXPECT_TRUE(near(step, 0.7 * v, 1e-12));
    integrate(model, in(q), in(v), 1e-4, {end.data(), 6});
    integrate(model, in(q), in(v), -1e-4, {behind.data(), 6});
    position_rate(model, in(q), in(v), {rate.data(), 6});
    EXPECT_TRUE(near(rate, (end - behind) / 2e-4, 1e-7));
  }
  EXPECT_EQ(neutral_position(model), (std::vector<double>{0, 0, 0, 0, 0, 1}));
}

// down a slope with 5/7 of a sliding body's acceleration, whatever the orientation and the spin
TEST(RollingSphere, RollsDownASlope) {
  const double slope = 0.4, pull = 5.0 / 7 * g * std::sin(slope);
  Spec spec;
  spec.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)};  // x points down
  add_sphere(spec, "");
  const Model model = build(spec);
  Workspace ws(model);
  Random random(4);
  const VectorXd none = VectorXd::Zero(3);
  auto acceleration = [&](double, const VectorXd& q, const VectorXd& v) {
    return matrix(forward_dynamics(model, in(q), in(v), in(none), ws));
  };
  for (int i = 0; i < 5; ++i) {
    Moving x{0, random_position(random), plain(random.vec3(3))};
    const VectorXd a = acceleration(0, x.q, x.v);
    const int frame = model.frame("ball");
    const Accelerations& bodies = forward_kinematics(model, in(x.q), in(x.v), in(a), ws);
    const Motion<double> now =
        frame_classical_acceleration(model, bodies, frame, Reference::world_aligned);
    EXPECT_TRUE(near(plain(now.linear), Vector3d(pull, 0, 0), 1e-13));
    EXPECT_NEAR(now.angular.z, 0, 1e-13);  // the spin about the normal stays

    const Motion<double> before = frame_velocity(model, bodies, frame, Reference::world_aligned);
    const Moving start = x;
    simulate(model, x, 1, 400, acceleration);
    EXPECT_NEAR(x.q[0], start.q[0] + before.linear.x + pull / 2, 1e-8);
    EXPECT_NEAR(x.q[1], start.q[1] + before.linear.y, 1e-8);
    EXPECT_NEAR(frame_velocity(model, forward_kinematics(model, in(x.q), in(x.v), ws), frame,
                               Reference::world_aligned)
                    .angular.z,
                before.angular.z, 1e-8);
  }
}

// A table that turns steadily with a ball on it: how far the ball is from its circle, at worst of
// four places on it, when the way round is computed in so many steps.
double distance_from_circle(int steps) {
  const double Omega = 3;
  Spec spec;
  spec.add_body("table", 1, {}, Sym3<double>::identity());
  spec.add_joint("spindle", JointKind::revolute, "", "table");
  add_sphere(spec, "table");
  const Model model = build(spec);
  Workspace ws(model);
  const PrescribedMotion spindle(model, "spindle", [&](double t, auto q, auto v, auto a) {
    q[0] = Omega * t, v[0] = Omega, a[0] = 0;
  });
  std::vector<Known> known(4, Known::force);
  VectorXd given = VectorXd::Zero(4);
  auto acceleration = [&](double t, VectorXd q, VectorXd v) {
    spindle.apply(t, {q.data(), 7}, {v.data(), 4}, known, {given.data(), 4});
    return matrix(hybrid_dynamics<double>(model, in(q), in(v), known, in(given), ws).a);
  };
  Moving x{0, VectorXd(7), VectorXd(4)};
  x.q << 0, 0.2, 0.1, 0.1, 0.7, -0.1, 0.7;
  x.q.tail<4>().normalize();
  x.v << Omega, 1.0, -2.0, 0.7;
  const int ball = model.frame("ball");
  const Velocities& bodies = forward_kinematics(model, in(x.q), in(x.v), ws);
  const Vector3d start = plain(frame_pose(model, bodies, ball).p);
  const Vector3d velocity =
      plain(frame_velocity(model, bodies, ball, Reference::world_aligned).linear);
  // at 2/7 of the table's rate and in its sense
  const double rate = 2.0 / 7 * Omega, quarter = std::numbers::pi / 2;
  const Vector3d centre = start + Vector3d::UnitZ().cross(velocity) / rate;
  EXPECT_GT((centre - start).norm(), 0.3);
  double worst = 0;
  for (int i = 1; i <= 4; ++i) {
    simulate(model, x, quarter / rate, steps / 4, acceleration);
    const Poses& now = forward_kinematics(model, in(x.q), ws);
    const Eigen::AngleAxisd turn(i * quarter, Vector3d::UnitZ());
    const Vector3d expected = centre + turn * (start - centre);
    worst = std::max(worst, (plain(frame_pose(model, now, ball).p) - expected).norm());
  }
  return worst;
}

// seen from the ground the centre runs round a circle, to the order of the integrator
TEST(RollingSphere, RunsInACircleOnATurntable) {
  const double coarse = distance_from_circle(8000), fine = distance_from_circle(16000);
  EXPECT_LT(fine, 1e-8);
  EXPECT_LT(fine, coarse / 12 + 1e-12);
}

TEST(RollingSphere, RadiusMustBePositive) {
  for (const double bad : {0.0, -1.0, static_cast<double>(NAN), HUGE_VAL})
    EXPECT_TRUE(mentions(message_of([&] { rolling_sphere(bad); }), {"radius", "positive"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
