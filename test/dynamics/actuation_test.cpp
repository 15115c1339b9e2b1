// Actuators and bearings: which part of a joint's force is whose.
#include <limber/dynamics/actuation.hpp>

#include <numbers>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::span<double> span(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

// random actuators for about half of the joints
Spec actuated_spec(std::uint64_t seed) {
  Spec spec = random_spec(seed);
  Random random(seed);
  for (JointSpec& joint : spec.joints) {
    if (joint.mimic || random.uniform(0, 1) < 0.5) continue;
    const int nv = joint.kind == JointKind::custom ? joint.custom.nv : velocity_count(joint.kind);
    for (int k = 0; k < nv; ++k) joint.actuation.push_back(random.force());
  }
  return spec;
}

// S of a body's joint in the axes of its user's frame
MatrixXd columns(const Robot& r, int body) {
  const PlainLink& link = r.plain.link(r.model.body_name[static_cast<std::size_t>(body)]);
  return motion_matrix(link.pose.inverse()) * link.S;
}

// F in the axes of the user's frame, by the definition of both conventions
MatrixXd actuation(const Robot& r, int body) {
  const PlainLink& link = r.plain.link(r.model.body_name[static_cast<std::size_t>(body)]);
  const Matrix6 to_joint = motion_matrix(plain(link.joint->child_placement));
  MatrixXd F(6, link.nv);
  for (int k = 0; k < link.nv; ++k)
    if (!link.joint->actuation.empty())
      F.col(k) = plain(link.joint->actuation[static_cast<std::size_t>(k)]);
  if (link.joint->actuation.empty()) {
    const MatrixXd S = to_joint * columns(r, body);
    F = S * (S.transpose() * S).inverse();
  }
  return to_joint.transpose() * F;
}

// how much rounding is amplified where actuators are badly placed
double amplification(const MatrixXd& S, const MatrixXd& F) {
  if (S.cols() == 0) return 1;
  const MatrixXd A = S.transpose() * F;
  return 1 + A.inverse().norm() * F.norm();
}

TEST(Actuation, SplitsTheForceOfEveryJoint) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Robot r(actuated_spec(seed), seed);
    r.move_plain();
    const auto tau = inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
    for (const int i : moving_bodies(r.model)) {
      const Vector6 f = plain(joint_reaction(r.model, tau, i)),
                    fa = plain(actuator_force(r.model, tau, i)),
                    fr = plain(bearing_reaction(r.model, tau, i));
      const MatrixXd S = columns(r, i), F = actuation(r, i);
      const double scale = std::max(1.0, f.norm()) * amplification(S, F);
      EXPECT_TRUE(near(fa + fr, f, 1e-12 * scale));
      EXPECT_TRUE(near(S.transpose() * fr, VectorXd::Zero(S.cols()), 1e-12 * scale));
      const VectorXd efforts = (S.transpose() * F).partialPivLu().solve(S.transpose() * f);
      EXPECT_TRUE(near(fa, F * efforts, 1e-11 * scale));
    }
    if (HasFailure()) return;
  }
}

TEST(Actuation, EffortsAndForcesBelongTogether) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Robot r(actuated_spec(seed), seed);
    r.move_plain();
    VectorXd tau(r.model.nv), efforts(r.model.nv);
    joint_forces_from_actuators<double>(r.model, in(r.q), in(r.tau), r.ws, span(tau));
    actuator_efforts<double>(r.model, in(r.q), in(tau), r.ws, span(efforts));
    double worst = 1;
    for (const int i : moving_bodies(r.model)) {
      const auto b = static_cast<std::size_t>(i);
      if (r.model.master[b] >= 0) continue;
      const MatrixXd S = columns(r, i), F = actuation(r, i);
      worst = std::max(worst, amplification(S, F));
      const int first = r.model.v_fold[static_cast<std::size_t>(r.model.v_index[b])].index;
      const auto n = S.cols();
      EXPECT_TRUE(near(tau.segment(first, n), S.transpose() * F * r.tau.segment(first, n), 1e-10));
      // power: that of the forces F Q on the joint's motion is tau · v
      const VectorXd v = r.v.segment(first, n);
      EXPECT_TRUE(
          near(tau.segment(first, n).dot(v), (S * v).dot(F * r.tau.segment(first, n)), 1e-10));
    }
    EXPECT_TRUE(near(efforts, r.tau, 1e-12 * worst * worst));
    if (HasFailure()) return;
  }
}

TEST(Actuation, UsualActuatorsGiveGeneralisedForces) {
  Robot r(random_spec(4), 4);
  VectorXd tau(r.model.nv), efforts(r.model.nv);
  joint_forces_from_actuators<double>(r.model, in(r.q), in(r.tau), r.ws, span(tau));
  actuator_efforts<double>(r.model, in(r.q), in(r.tau), r.ws, span(efforts));
  EXPECT_EQ(tau, r.tau);
  EXPECT_EQ(efforts, r.tau);
}

// a unit effort on a screw of pitch ρ: force ρ/(1+ρ²) along, couple 1/(1+ρ²) about the axis
TEST(Actuation, ScrewJointHasTheUnitWorkConvention) {
  for (const double pitch : {0.0, 0.2, -3.0}) {
    Spec spec;
    spec.gravity = {};
    spec.add_body("nut", 1, {}, Sym3<double>::identity());
    spec.add_joint("thread", JointKind::helical, "", "nut", {0, 0, 2}).pitch = pitch;
    const Model model = build(spec);
    Workspace ws(model);
    const double at_rest[] = {0.0}, a[] = {1 / (1 + pitch * pitch)};  // needs tau = 1
    const auto tau = inverse_dynamics<double>(model, at_rest, at_rest, a, ws);
    EXPECT_DOUBLE_EQ(tau[0], 1);
    const Vector6 f = plain(actuator_force(model, tau, 1));
    Vector6 expected = Vector6::Zero();
    expected[2] = 1 / (1 + pitch * pitch), expected[5] = pitch / (1 + pitch * pitch);
    EXPECT_TRUE(near(f, expected, 1e-14));
  }
}

// a joint that needs no effort leaves everything to its bearing
TEST(Actuation, UnpoweredJointsHaveOnlyBearings) {
  Spec spec;
  spec.add_body("bob", 1, {0, 0, -1}, Sym3<double>::identity());
  spec.add_joint("pivot", JointKind::revolute, "", "bob", {0, 1, 0});
  Robot r(spec);
  const VectorXd still = VectorXd::Zero(1);
  const auto tau = inverse_dynamics(r.model, in(still), in(r.v), in(still), r.ws);
  EXPECT_TRUE(near(plain(bearing_reaction(r.model, tau, 1)), plain(joint_reaction(r.model, tau, 1)),
                   1e-14));
  EXPECT_TRUE(near(plain(actuator_force(r.model, tau, 1)), Vector6::Zero(), 1e-14));
  EXPECT_TRUE(near(plain(actuator_force(r.model, tau, 0)), Vector6::Zero(), 0));
}

// --- what is refused ---

// couples about x and y of the child: the first does nothing for the first axis when the child is
// turned by a quarter about the second
Spec universal() {
  Spec spec;
  spec.add_body("cross", 1, {}, Sym3<double>::identity());
  JointSpec& joint = spec.add_joint("cardan", JointKind::universal, "", "cross", {1, 0, 0});
  joint.actuation = {{{1, 0, 0}, {}}, {{0, 1, 0}, {}}};
  return spec;
}

TEST(Actuation, SingularPositionIsNamed) {
  const Model model = build(universal());
  Workspace ws(model);
  const double good[] = {0.3, 1.0}, bad[] = {0.3, std::numbers::pi / 2}, tau[] = {1, 2};
  double out[2];
  actuator_efforts<double>(model, good, tau, ws, out);
  EXPECT_NEAR(out[0], 1 / std::cos(1.0), 1e-14);
  EXPECT_TRUE(mentions(message_of([&] { actuator_efforts<double>(model, bad, tau, ws, out); }),
                       {"'cardan'", "cannot power"}));
  const auto forces = inverse_dynamics<double>(model, bad, tau, tau, ws);
  EXPECT_TRUE(mentions(message_of([&] { bearing_reaction(model, forces, 1); }),
                       {"'cardan'", "cannot power"}));
}

TEST(Actuation, JointsThatCannotBePoweredAreRefused) {
  auto message = [](auto&& change) {
    Spec spec = universal();
    change(spec.joints[0]);
    return message_of([&] { build(spec); });
  };
  EXPECT_TRUE(mentions(message([](JointSpec& j) { j.actuation.pop_back(); }),
                       {"'cardan'", "1 actuators for 2 freedoms", "not fully powered"}));
  EXPECT_TRUE(mentions(message([](JointSpec& j) { j.actuation.push_back({}); }),
                       {"'cardan'", "3 actuators", "more than once"}));
  EXPECT_TRUE(mentions(message([](JointSpec& j) { j.actuation[1] = j.actuation[0]; }),
                       {"'cardan'", "cannot power"}));
  EXPECT_TRUE(mentions(message([](JointSpec& j) { j.actuation[0].linear.x = NAN; }),
                       {"'cardan'", "not finite"}));
  EXPECT_TRUE(mentions(message([](JointSpec& j) { j.kind = JointKind::fixed; }),
                       {"'cardan'", "fixed", "actuators"}));
  Spec tied = generate_chain(2);
  tied.joints[1].mimic = {"joint1", 2, 0};
  tied.joints[1].actuation = {{{0, 0, 1}, {}}};
  EXPECT_TRUE(mentions(message_of([&] { build(tied); }), {"'joint2'", "follows joint 'joint1'"}));
}

TEST(Actuation, WrongSizesAreNamed) {
  const Model model = build(universal());
  Workspace ws(model);
  const std::vector<double> good(2), bad(3);
  std::vector<double> out(2), wrong(1);
  EXPECT_TRUE(mentions(message_of([&] { actuator_efforts<double>(model, bad, good, ws, out); }),
                       {"actuator_efforts", " q has 3"}));
  EXPECT_TRUE(mentions(message_of([&] { actuator_efforts<double>(model, good, bad, ws, out); }),
                       {"actuator_efforts", " tau has 3"}));
  EXPECT_TRUE(
      mentions(message_of([&] { joint_forces_from_actuators<double>(model, good, bad, ws, out); }),
               {"joint_forces_from_actuators", " efforts has 3"}));
  EXPECT_TRUE(mentions(
      message_of([&] { joint_forces_from_actuators<double>(model, good, good, ws, wrong); }),
      {"joint_forces_from_actuators", " out has 1"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
