// Every joint kind by numbers alone: d/dt X(q(t)) = S q̇ and Ṡ q̇ is the bias. Velocities and
// accelerations of the joint's outer frame are compared with differences of its pose along
// integrate(), and with derivatives that Dual gives.
#include <numbers>

#include <limber/dynamics/jacobian.hpp>
#include <limber/model/joint_space.hpp>

#include "support/custom_joints.hpp"
#include "support/motion.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct Case {
  std::string name;
  JointKind kind;
  Vec3<double> axis{0, 0, 1}, axis2{0, 1, 0};
  double pitch = 0;
  CustomJoint custom = {};
};

std::vector<Case> cases() {
  using enum JointKind;
  const Vec3<double> tilted{0.48, -0.6, 0.64}, across{0.8, 0.64, 0};  // across · tilted = 0
  return {{"revolute_z", revolute},
          {"revolute_x", revolute, {1, 0, 0}},
          {"revolute_down", revolute, {0, 0, -1}},
          {"revolute_tilted", revolute, tilted},
          {"prismatic_y", prismatic, {0, 1, 0}},
          {"prismatic_tilted", prismatic, tilted},
          {"helical_fine", helical, {0, 0, 1}, {}, 0.01},
          {"helical_coarse", helical, tilted, {}, 2.5},
          {"helical_left", helical, {1, 0, 0}, {}, -0.3},
          {"helical_flat", helical, tilted, {}, 0},
          {"cylindrical_z", cylindrical},
          {"cylindrical_tilted", cylindrical, tilted},
          {"planar_z", planar},
          {"planar_x", planar, {1, 0, 0}},
          {"planar_tilted", planar, tilted},
          {"universal_zy", universal},
          {"universal_tilted", universal, tilted, across},
          {"spherical", spherical},
          {"translation", translation},
          {"free", JointKind::free},
          {"custom_cam", custom, {}, {}, 0, cam_joint(0.4)},
          {"custom_cardan", custom, {}, {}, 0, cardan_joint(-0.7)},
          {"custom_ball", custom, {}, {}, 0, ball_joint()}};
}

// the joint between two others, so that its parent moves too; frames chosen at random
Spec spec_of(const Case& c, std::uint64_t seed) {
  Random random(seed);
  Spec spec;
  for (const char* body : {"below", "it", "above"})
    spec.add_body(body, 0).inertia = random.inertia();
  spec.add_joint("first", JointKind::revolute, "", "below", random.direction(), random.transform());
  JointSpec& joint = spec.add_joint("joint", c.kind, "below", "it", c.axis, random.transform());
  joint.child_placement = random.transform();
  joint.axis2 = c.axis2;
  joint.pitch = c.pitch;
  joint.custom = c.custom;
  spec.add_joint("last", JointKind::revolute, "it", "above", random.direction(),
                 random.transform());
  return spec;
}

class Joints : public testing::TestWithParam<Case> {
 protected:
  template <class F>
  void for_states(F&& f) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(seed);
      Robot robot(spec_of(GetParam(), seed), seed);
      f(robot);
    }
  }
};

Eigen::Matrix4d pose_of(Robot& r, const VectorXd& q, int frame) {
  return plain(frame_pose(r.model, forward_kinematics(r.model, in(q), r.ws), frame)).matrix();
}

// 4 × 4 matrix of a motion in world axes about the world origin: Ṫ = this · T
Eigen::Matrix4d motion_operator(const Vector6& v) {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topLeftCorner<3, 3>() = skew(v.head<3>());
  A.topRightCorner<3, 1>() = v.tail<3>();
  return A;
}

TEST_P(Joints, PoseMovesWithSTimesVelocity) {
  for_states([](Robot& r) {
    r.a.setZero();
    for (const int f : {r.model.frame("it"), r.model.frame("above")}) {
      const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
        return VectorXd(pose_of(r, q, f).reshaped());
      });
      const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
      const Vector6 v = plain(frame_velocity(r.model, bodies, f, Reference::world));
      const Eigen::Matrix4d expected = motion_operator(v) * pose_of(r, r.q, f);
      EXPECT_TRUE(near(rate.reshaped(4, 4), expected, 1e-9));
    }
  });
}

TEST_P(Joints, EveryColumnIsTheMotionOfItsVariable) {
  for_states([](Robot& r) {
    r.a.setZero();
    const int f = r.model.frame("it");
    const MatrixXd J = matrix(jacobian(r.model, in(r.q), f, Reference::world, r.ws));
    for (int k = 0; k < r.model.nv; ++k) {
      r.v = VectorXd::Unit(r.model.nv, k);
      const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
        return VectorXd(pose_of(r, q, f).reshaped());
      });
      EXPECT_TRUE(near(rate.reshaped(4, 4), motion_operator(J.col(k)) * pose_of(r, r.q, f), 1e-9))
          << "column " << k;
    }
  });
}

// with a = 0 the whole acceleration comes from moving columns and Ṡ q̇
TEST_P(Joints, BiasIsTheRateOfSTimesVelocity) {
  for_states([](Robot& r) {
    r.a.setZero();
    for (const int f : {r.model.frame("it"), r.model.frame("above")}) {
      const VectorXd rate = rate_along_motion(r, [&](const VectorXd& q, const VectorXd&) {
        return VectorXd(matrix(jacobian(r.model, in(q), f, Reference::body, r.ws)) * r.v);
      });
      EXPECT_TRUE(
          near(plain(jacobian_dot_times_v(r.model, in(r.q), in(r.v), f, Reference::body, r.ws)),
               rate, 1e-8));
    }
  });
}

TEST_P(Joints, DynamicsEqualPlainReference) {
  for_states([](Robot& r) {
    r.move_plain();
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)),
                     r.plain.tau(), 1e-11));
  });
}

// the derivative of the pose that Dual gives along q̇ is S q̇ exactly
TEST_P(Joints, DualPoseMovesWithSTimesVelocity) {
  if (GetParam().custom.integrate) return;  // it has no position_rate
  for_states([](Robot& r) {
    const BasicModel<Dual> model = cast<Dual>(r.model);
    BasicWorkspace<Dual> ws(model);
    VectorXd q_dot(r.model.nq);
    position_rate(r.model, in(r.q), in(r.v),
                  {q_dot.data(), static_cast<std::size_t>(q_dot.size())});
    std::vector<Dual> q;
    for (int k = 0; k < r.model.nq; ++k) q.emplace_back(r.q[k], q_dot[k]);
    const int f = r.model.frame("it");
    const Transform<Dual> X = frame_pose(model, forward_kinematics(model, q, ws), f);
    Eigen::Matrix4d rate = Eigen::Matrix4d::Zero();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rate(i, j) = X.R.row(i)[j].derivative;
      rate(i, 3) = X.p[i].derivative;
    }
    const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
    const Vector6 v = plain(frame_velocity(r.model, bodies, f, Reference::world));
    EXPECT_TRUE(near(rate, motion_operator(v) * pose_of(r, r.q, f), 1e-12));
  });
}

TEST_P(Joints, SizesAreThoseOfTheKind) {
  const Case& c = GetParam();
  const Model model = build(spec_of(c, 1));
  const int b = model.body_of_joint("joint");
  const bool custom = c.kind == JointKind::custom;
  EXPECT_EQ(model.q_count[static_cast<std::size_t>(b)],
            custom ? c.custom.nq : position_count(c.kind));
  EXPECT_EQ(model.v_count[static_cast<std::size_t>(b)],
            custom ? c.custom.nv : velocity_count(c.kind));
}

// --- the space of positions ---

TEST_P(Joints, DifferenceUndoesIntegrate) {
  for_states([](Robot& r) {
    VectorXd q1(r.model.nq), step(r.model.nv);
    integrate(r.model, in(r.q), in(r.v), 0.6, {q1.data(), static_cast<std::size_t>(q1.size())});
    difference(r.model, in(r.q), in(q1), {step.data(), static_cast<std::size_t>(step.size())});
    EXPECT_TRUE(near(step, 0.6 * r.v, 1e-11));
  });
}

TEST_P(Joints, IntegrateUndoesDifference) {
  for_states([](Robot& r) {
    Robot other(r.spec, 99);  // any two positions; turns up to π
    VectorXd step(r.model.nv), reached(r.model.nq);
    difference(r.model, in(r.q), in(other.q), {step.data(), static_cast<std::size_t>(step.size())});
    integrate(r.model, in(r.q), in(step), 1,
              {reached.data(), static_cast<std::size_t>(reached.size())});
    for (const char* frame : {"it", "above"}) {
      const int f = r.model.frame(frame);
      EXPECT_TRUE(near(pose_of(r, reached, f), pose_of(r, other.q, f), 1e-11));
    }
  });
}

TEST_P(Joints, IntegrateWorksInPlaceAndAddsUp) {
  for_states([](Robot& r) {
    VectorXd once(r.model.nq), twice = r.q;
    integrate(r.model, in(r.q), in(r.v), 0.5, {once.data(), static_cast<std::size_t>(once.size())});
    for (int i = 0; i < 2; ++i)
      integrate(r.model, in(twice), in(r.v), 0.25,
                {twice.data(), static_cast<std::size_t>(twice.size())});
    EXPECT_TRUE(near(twice, once, 1e-13));
  });
}

TEST_P(Joints, PositionRateIsTheRateOfIntegrate) {
  for_states([](Robot& r) {
    VectorXd q_dot(r.model.nq);
    const std::span<double> out(q_dot.data(), static_cast<std::size_t>(q_dot.size()));
    if (GetParam().custom.integrate) {
      EXPECT_THROW(position_rate(r.model, in(r.q), in(r.v), out), Error);
      return;
    }
    r.a.setZero();
    position_rate(r.model, in(r.q), in(r.v), out);
    EXPECT_TRUE(near(
        q_dot, rate_along_motion(r, [](const VectorXd& q, const VectorXd&) { return q; }), 1e-10));
  });
}

TEST_P(Joints, NeutralPositionPutsOuterFrameOnInner) {
  const Spec spec = spec_of(GetParam(), 1);
  const Model model = build(spec);
  Workspace ws(model);
  const std::vector<double> q = neutral_position(model);
  ASSERT_EQ(static_cast<int>(q.size()), model.nq);
  const Poses& bodies = forward_kinematics(model, q, ws);
  const Pose below = plain(frame_pose(model, bodies, model.frame("below")));
  Pose expected = below * plain(spec.joints[1].placement);
  if (GetParam().name == "custom_cardan") expected.translate(Vector3d(-0.7, 0, 0));  // its arm
  expected = expected * plain(spec.joints[1].child_placement);
  EXPECT_TRUE(
      near(plain(frame_pose(model, bodies, model.frame("it"))).matrix(), expected.matrix(), 1e-13));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Joints, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
