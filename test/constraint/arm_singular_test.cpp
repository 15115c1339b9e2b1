// Singular positions: one, two, three arms; a sweep towards one; forces that nothing decides.
#include <numbers>

#include <limber/io/load.hpp>
#include <limber/model/mount.hpp>

#include "constraint/arm_case.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

// Pumas around the object, each with its hand where its q says; at rest, or as the grasps allow
TeamCase puma_team(const std::vector<std::vector<double>>& q, bool moves) {
  TeamCase t;
  Random random(11);
  t.object_inertia =
      Inertia<double>::from_com(4, {0.01, 0, 0.02}, Sym3<double>::diagonal(0.02, 0.03, 0.04));
  t.object = {{random.rotation(), {0.3, 0.2, 0.4}}, {}};
  for (std::size_t k = 0; k < q.size(); ++k) {
    const double angle = pi / 2 * static_cast<double>(k), s = std::sin(angle), c = std::cos(angle);
    Spec spec;
    mount(spec, load_spec("puma560"),
          {"puma", "", {{c, -s, 0, s, c, 0, 0, 0, 1}, {0.9 * c, 0.9 * s, 0.1}}});
    auto robot = std::make_unique<Robot>(spec, k + 1);
    for (std::size_t i = 0; i < 6; ++i) robot->q[static_cast<Eigen::Index>(i)] = q[k][i];
    t.add(std::move(robot), "puma.link6", {});
  }
  if (moves) t.object.velocity = random.motion();
  for (auto& r : t.robots) {
    if (!moves) r->v.setZero();
    r->tau *= 10;
  }
  if (moves) make_velocities_fit(t);
  return t;
}

const std::vector<double> common{0.3, 0.7, 2.8, 0.4, 0.7, -0.3},
    other{-0.4, 0.9, 2.6, -0.8, -0.9, 0.5}, third{0.1, 0.5, 3.0, 1.1, 0.8, 0.2};
// the wrist stretched: the last axis along the fourth
std::vector<double> stretched(double bend, std::vector<double> q = common) {
  q[4] = bend;
  return q;
}

TEST(SingularArms, OneTwoAndThree) {
  for (const bool moves : {false, true})
    for (int count = 0; count <= 3; ++count) {
      SCOPED_TRACE(count);
      TeamCase t = puma_team({stretched(count > 0 ? 0 : 0.6), stretched(count > 1 ? 0 : 0.6, other),
                              stretched(count > 2 ? 0 : 0.6, third), third},
                             moves);
      const DenseMotion expected = dense_motion(t);
      ASSERT_LT(expected.residual, 1e-9);
      TeamMotion found(t.team());
      team_dynamics<double>(t.team(), t.states(), t.object, found);
      EXPECT_GE(found.object.singular.count(), count);
      EXPECT_EQ(found.object.indeterminate(), 0);  // their null forces are different lines
      EXPECT_EQ(expected.indeterminate, 0);
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_TRUE(near(matrix(found.arms[k].acceleration), expected.acceleration[k], 1e-9));
        EXPECT_TRUE(near(plain(found.arms[k].force), expected.force[k], 1e-8));
      }
      EXPECT_TRUE(near(plain(found.object.acceleration), expected.object, 1e-9));
    }
}

// Λ⁻¹ with condition numbers from 1e2 to beyond 1e14, exact singularity at the end: what the arms
// and the object do follows without a jump
TEST(SingularArms, SweepToSingularityIsSmooth) {
  std::vector<double> bends;
  for (double bend = 0.3; bend > 1e-9; bend /= 2) bends.push_back(bend);
  bends.push_back(0);
  VectorXd before;
  double smallest = 1e300, largest = 0, last_bend = 0;
  bool was_regular = false, was_singular = false;
  for (const double bend : bends) {
    SCOPED_TRACE(bend);
    TeamCase t = puma_team({stretched(bend), other, third}, false);
    const DenseMotion expected = dense_motion(t);
    TeamMotion found(t.team());
    team_dynamics<double>(t.team(), t.states(), t.object, found);
    Matrix6 mobility;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        mobility(i, j) = found.arms[0].mobility(std::max(i, j), std::min(i, j));
    const Eigen::JacobiSVD<MatrixXd> svd(mobility);
    const double condition = svd.singularValues()[0] / svd.singularValues()[5];
    smallest = std::min(smallest, condition), largest = std::max(largest, condition);
    (found.arms[0].is_regular ? was_regular : was_singular) = true;
    EXPECT_TRUE(near(plain(found.object.acceleration), expected.object, 1e-9));
    VectorXd now(24);
    now << matrix(found.arms[0].acceleration), matrix(found.arms[1].acceleration),
        matrix(found.arms[2].acceleration), plain(found.object.acceleration);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(
          near(now.segment(6 * static_cast<Eigen::Index>(k), 6), expected.acceleration[k], 1e-8));
    // steps shrink with the bend, to rounding
    if (bend < 0.01 && before.size() > 0) {
      EXPECT_LT((now - before).norm(), (20 * last_bend + 1e-8) * now.norm());
    }
    before = now, last_bend = bend;
  }
  EXPECT_LT(smallest, 1e5);
  EXPECT_GT(largest, 1e14);
  EXPECT_TRUE(was_regular && was_singular);
}

// a hand that slides in the plane across `direction` and turns about its own origin, which lies at
// the world's origin for q = 0: it does not feel forces along `direction`
Spec plane_arm(const Vec3<double>& direction) {
  const Vec3<double> e = direction * (1 / norm(direction));
  const Vec3<double> helper = std::abs(e.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  Vec3<double> p = cross(e, helper);
  p = p * (1 / norm(p));
  Spec spec;
  spec.name = "plane";
  const Sym3<double> round = Sym3<double>::diagonal(0.1, 0.2, 0.15);
  spec.add_body("first", 1.0, {0.1, 0, 0}, round);
  spec.add_body("second", 2.0, {0, 0.1, 0}, round);
  spec.add_body("hand", 0.5, {0, 0, 0.1}, round);
  spec.add_joint("slide1", JointKind::prismatic, "", "first", p);
  spec.add_joint("slide2", JointKind::prismatic, "first", "second", cross(e, p));
  spec.add_joint("ball", JointKind::spherical, "second", "hand");
  return spec;
}

TeamCase plane_team(const std::vector<Vec3<double>>& directions) {
  TeamCase t;
  Random random(3);
  t.object_inertia = random.inertia();
  t.object.pose = {random.rotation(), {}};
  t.object.pose.p = t.object.pose.R * t.object_inertia.com() * -1.0;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    auto robot = std::make_unique<Robot>(plane_arm(directions[k]), k + 1);
    robot->q.head(2).setZero();
    robot->v.setZero();
    t.add(std::move(robot), "hand", {});
  }
  return t;
}

void expect_null_forces(const TeamCase& t, TeamMotion& motion) {
  std::vector<Force<double>> forces(t.arms());
  for (int which = 0; which < motion.object.indeterminate(); ++which) {
    null_forces<double>(motion, which, forces);
    Vector6 sum = Vector6::Zero();
    double size = 0;
    for (std::size_t k = 0; k < t.arms(); ++k) {
      const Vector6 f = plain(forces[k]);
      sum += f, size += f.norm();
      const BasicArmMotion<double>& arm = motion.arms[k];
      for (int i = 0; i < arm.path; ++i) {
        double felt = 0;
        for (int c = 0; c < 6; ++c) felt += arm.J[6 * i + c] * f[c];
        EXPECT_NEAR(felt, 0, 1e-6);
      }
    }
    EXPECT_GT(size, 0.1);
    EXPECT_LT(sum.norm(), 1e-6);
  }
}

// no two of the null forces e1, e2, −(e1 + e2) are alike, but their sum is zero
TEST(SingularArms, ThreeNullForcesThatAddUpToNothing) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, d{-1, -1, 0};
  TeamCase three = plane_team({x, y, d});
  const DenseMotion expected = dense_motion(three);
  TeamMotion found(three.team());
  team_dynamics<double>(three.team(), three.states(), three.object, found);
  EXPECT_EQ(expected.indeterminate, 1);
  EXPECT_EQ(found.object.indeterminate(), 1);
  EXPECT_TRUE(near(plain(found.object.acceleration), expected.object, 1e-10));
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_TRUE(near(matrix(found.arms[k].acceleration), expected.acceleration[k], 1e-10));
  expect_null_forces(three, found);
  for (const auto& pair : {std::vector{x, y}, std::vector{y, d}, std::vector{x, d}}) {
    TeamCase two = plane_team(pair);
    TeamMotion unique(two.team());
    team_dynamics<double>(two.team(), two.states(), two.object, unique);
    EXPECT_EQ(unique.object.indeterminate(), 0);
  }
  // and two that are alike
  TeamCase alike = plane_team({x, x});
  TeamMotion motion(alike.team());
  team_dynamics<double>(alike.team(), alike.states(), alike.object, motion);
  EXPECT_EQ(motion.object.indeterminate(), 1);
  expect_null_forces(alike, motion);
}

TEST(SingularArms, NullForcesOfRandomTeams) {
  int taken = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(300)); ++seed) {
    SCOPED_TRACE("team " + std::to_string(seed));
    TeamCase t = random_team(seed);
    TeamMotion motion(t.team());
    team_dynamics<double>(t.team(), t.states(), t.object, motion);
    if (motion.object.indeterminate() == 0) continue;
    ++taken;
    expect_null_forces(t, motion);
    if (HasFailure()) return;
  }
  EXPECT_GT(taken, share_of(10));
}

// two arms that hold the object along one line and want to move apart: the equations fail
TEST(SingularArms, MismatchIsReported) {
  TeamCase t = plane_team({{1, 0, 0}, {1, 0, 0}});
  TeamMotion motion(t.team());
  team_dynamics<double>(t.team(), t.states(), t.object, motion);
  EXPECT_LT(motion.object.mismatch, 1e-12);
  std::vector<ArmState<double>> states = t.states();
  states[0].loads.base_acceleration.linear.x = 0.5;
  team_dynamics<double>(t.team(), states, t.object, motion);
  EXPECT_GT(motion.object.mismatch, 0.1);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
