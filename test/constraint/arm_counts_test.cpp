// Operations of a team of arms against [McM] tables 2, 8 and 9.
#include <gtest/gtest.h>

#include <limber/constraint/arm_rivals.hpp>
#include <limber/limber.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

std::vector<Counted> variables(const std::vector<double>& values) {
  std::vector<Counted> result;
  for (const double x : values) result.push_back(Counted::variable(x));
  return result;
}

TEST(ArmCounts, FourArmsOfSixJoints) {
  std::vector<BasicModel<Counted>> models;
  std::vector<BasicArm<Counted>> arms;
  std::vector<std::vector<Counted>> q, v, tau;
  for (std::uint64_t k = 1; k <= 4; ++k) {
    const Model model = build(generate_chain(6, JointKind::revolute, k));
    const RandomState s = generate_state(model, k);
    models.push_back(cast<Counted>(model));
    q.push_back(variables(s.q)), v.push_back(variables(s.v)), tau.push_back(variables(s.tau));
  }
  for (const auto& model : models) arms.push_back({&model, {model.frame(model.body_name.back())}});
  const BasicArmTeam<Counted> team(
      arms, Inertia<double>::from_com(4, {}, Sym3<double>::diagonal(0.02, 0.03, 0.04)));
  BasicTeamMotion<Counted> motion(team);
  std::vector<ArmState<Counted>> states;
  for (std::size_t k = 0; k < 4; ++k) states.push_back({q[k], v[k], tau[k], {}});
  ObjectState<Counted> object;
  const auto R = rotation<double>({0.6, 0.0, 0.8}, 1.1);
  Counted* const from = &object.pose.R.xx;
  const double* const to = &R.xx;
  for (int i = 0; i < 9; ++i) from[i] = Counted::variable(to[i]);
  for (int i = 0; i < 3; ++i) {
    object.pose.p[i] = Counted::variable(0.3 + 0.1 * i);
    object.velocity.angular[i] = Counted::variable(1 + i);
    object.velocity.linear[i] = Counted::variable(2 - i);
  }
  Counted::start();
  team_dynamics<Counted>(team, states, object, motion);
  std::vector<Counted> results;
  for (const auto& arm : motion.arms) {
    ASSERT_TRUE(arm.is_regular);
    results.insert(results.end(), arm.acceleration.begin(), arm.acceleration.end());
    for (int i = 0; i < 3; ++i)
      results.push_back(arm.force.angular[i]), results.push_back(arm.force.linear[i]);
  }
  for (int i = 0; i < 3; ++i)
    results.push_back(motion.object.acceleration.angular[i]),
        results.push_back(motion.object.acceleration.linear[i]);
  const OperationCount count = Counted::needed_for(results);
  EXPECT_LE(count.multiplications, 7187);
  EXPECT_LE(count.additions, 6242);
}

DualArm<Counted> dual_arm() {
  DualArm<Counted> arms;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      arms.mobility_1(i, j) = Counted::variable(i == j ? 4 + i : 0.1 * (i + j));
      arms.mobility_2(i, j) = Counted::variable(i == j ? 3 + 2 * i : 0.2 * (i - j));
    }
    const auto k = static_cast<std::size_t>(i);
    arms.x_1[k] = Counted::variable(i), arms.x_2[k] = Counted::variable(1 - i);
    arms.force[k] = Counted::variable(0.5);
    arms.inertia[k] = Counted(i < 3 ? 0.02 * (i + 1) : 4);
  }
  Counted::start();
  return arms;
}
OperationCount count_of(const DualArm<Counted>& arms) {
  std::vector<Counted> results;
  for (const auto* x : {&arms.a, &arms.f_1, &arms.f_2})
    results.insert(results.end(), x->begin(), x->end());
  return Counted::needed_for(results);
}

TEST(ArmCounts, TwoArmsBothMethods) {
  DualArm<Counted> one = dual_arm();
  dual_arm_method_1(one);
  const OperationCount first = count_of(one);
  EXPECT_LE(first.multiplications, 512);
  EXPECT_LE(first.additions, 416);
  DualArm<Counted> two = dual_arm();
  dual_arm_method_2(two);
  const OperationCount second = count_of(two);
  EXPECT_LE(second.multiplications, 374);
  EXPECT_LE(second.additions, 284);
  // the claim of 30 %
  EXPECT_LT(static_cast<double>(second.multiplications + second.additions),
            0.75 * static_cast<double>(first.multiplications + first.additions));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
