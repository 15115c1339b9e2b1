// Teams of arms: other scalars, what is refused.
#include <limber/constraint/arm_rivals.hpp>
#include <limber/scalar/dual.hpp>

#include "constraint/arm_case.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

template <class T>
struct Casted {
  explicit Casted(const TeamCase& t) {
    models.reserve(t.arms());
    for (std::size_t k = 0; k < t.arms(); ++k) {
      const Robot& r = *t.robots[k];
      models.push_back(cast<T>(r.model));
      arms.push_back({&models.back(), t.grasps[k]});
      for (const VectorXd* x : {&r.q, &r.v, &r.tau}) {
        values.emplace_back();
        for (const double y : *x) values.back().push_back(T(y));
      }
    }
    for (std::size_t k = 0; k < t.arms(); ++k) {
      const Loads<double> given = t.states()[k].loads;
      Loads<T> loads;
      loads.base_velocity = cast<T>(given.base_velocity);
      loads.base_acceleration = cast<T>(given.base_acceleration);
      states.push_back({values[3 * k], values[3 * k + 1], values[3 * k + 2], loads});
    }
    object = {cast<T>(t.object.pose), cast<T>(t.object.velocity)};
  }
  std::vector<BasicModel<T>> models;
  std::vector<BasicArm<T>> arms;
  std::vector<std::vector<T>> values;
  std::vector<ArmState<T>> states;
  ObjectState<T> object;
};

// the derivative of the accelerations for a drive, by Dual and by a difference: they are linear
TEST(ArmTeam, DualCarriesDerivatives) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    TeamCase t = random_team(seed);
    Casted<Dual> c(t);
    const BasicArmTeam<Dual> team(c.arms, t.object_inertia);
    BasicTeamMotion<Dual> motion(team);
    c.values[2][0].derivative = 1;
    team_dynamics<Dual>(team, c.states, c.object, motion);
    TeamMotion before(t.team()), after(t.team());
    team_dynamics<double>(t.team(), t.states(), t.object, before);
    t.robots[0]->tau[0] += 1;
    team_dynamics<double>(t.team(), t.states(), t.object, after);
    for (std::size_t k = 0; k < t.arms(); ++k)
      for (std::size_t i = 0; i < before.arms[k].acceleration.size(); ++i) {
        const double size = 1 + std::abs(before.arms[k].acceleration[i]);
        EXPECT_NEAR(motion.arms[k].acceleration[i].value, before.arms[k].acceleration[i],
                    1e-10 * size);
        EXPECT_NEAR(motion.arms[k].acceleration[i].derivative,
                    after.arms[k].acceleration[i] - before.arms[k].acceleration[i], 1e-8 * size);
      }
  }
}

TEST(ArmTeam, SinglePrecision) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    TeamCase t = random_team(seed);
    const DenseMotion expected = dense_motion(t);
    if (expected.residual > 1e-9 || expected.condition > 1e3) continue;
    Casted<float> c(t);
    const BasicArmTeam<float> team(c.arms, t.object_inertia);
    BasicTeamMotion<float> motion(team);
    team_dynamics<float>(team, c.states, c.object, motion);
    EXPECT_TRUE(near(plain(cast<double>(motion.object.acceleration)), expected.object, 0.01));
  }
}

TEST(ArmTeam, RefusesWhatCannotBe) {
  TeamCase t = random_team(1);
  const Inertia<double> sound = t.object_inertia;
  const BasicArm<double> arm{&t.robots[0]->model, t.grasps[0]};
  auto team_of = [](std::vector<BasicArm<double>> arms, const Inertia<double>& object) {
    return message_of([&] { ArmTeam team(arms, object); });
  };
  EXPECT_EQ(team_of({arm}, sound), no_error);
  EXPECT_TRUE(mentions(team_of({}, sound), {"no arm"}));
  EXPECT_TRUE(mentions(team_of({arm}, {}), {"needs a mass"}));
  BasicArm<double> wrong = arm;
  wrong.grasp.frame = 999;
  EXPECT_TRUE(mentions(team_of({arm, wrong}, sound), {"arm 1", "frame 999"}));
  wrong = arm;
  wrong.grasp.freedoms.free.fill(true);
  EXPECT_TRUE(mentions(team_of({wrong}, sound), {"prevents nothing"}));
  wrong.model = nullptr;
  EXPECT_TRUE(mentions(team_of({wrong}, sound), {"no model"}));
  Spec moon = t.robots[0]->spec;
  moon.gravity = {0, 0, -1.62};
  const Model other = build(moon);
  wrong = {&other, arm.grasp};
  EXPECT_TRUE(mentions(team_of({arm, wrong}, sound), {"arm 1", "another gravity"}));

  const ArmTeam team = t.team();
  TeamMotion motion(team);
  auto dynamics_of = [&](std::span<const ArmState<double>> states,
                         const ObjectState<double>& object) {
    return message_of([&] { team_dynamics<double>(team, states, object, motion); });
  };
  std::vector<ArmState<double>> states = t.states();
  EXPECT_EQ(dynamics_of(states, t.object), no_error);
  states.pop_back();
  EXPECT_TRUE(mentions(dynamics_of(states, t.object), {"states for a team"}));
  states = t.states();
  states[0].tau = {};
  EXPECT_TRUE(mentions(dynamics_of(states, t.object), {"tau"}));
  ObjectState<double> nowhere = t.object;
  nowhere.velocity.angular.x = std::nan("");
  EXPECT_TRUE(mentions(dynamics_of(t.states(), nowhere), {"not finite"}));
  EXPECT_TRUE(mentions(message_of([&] { null_forces<double>(motion, 99, {}); }), {"number 99"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
