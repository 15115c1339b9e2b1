// Walking controllers: what they refuse, what they command at rest, states that can be copied.
#include <limber/control/walking_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/system.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

WalkingSettings trot() {
  WalkingSettings settings;
  settings.name = "trot";
  settings.sample_time = 0.002;
  settings.feet = {{"front_left_foot", 0},
                   {"hind_right_foot", 0},
                   {"front_right_foot", 0.5},
                   {"hind_left_foot", 0.5}};
  return settings;
}

// knees bent, feet under the hips
std::vector<double> crouch(const Model& m) {
  std::vector<double> q = neutral_position(m);
  q[2] = 0.44 * std::cos(0.7) + 0.02;
  for (const char* leg : {"front_left", "front_right", "hind_left", "hind_right"}) {
    q[static_cast<std::size_t>(position_index(m, std::string(leg) + "_hip"))] = 0.7;
    q[static_cast<std::size_t>(position_index(m, std::string(leg) + "_knee"))] = -1.4;
  }
  return q;
}

struct Command {
  Model m = load("quadruped");
  System system{m};
  std::vector<double> x, values;
  explicit Command(const WalkingSettings& settings) {
    system.add(std::make_unique<WalkingController>(settings));
    x = system.initial_state(crouch(m), std::vector<double>(18, 0.0));
    values.resize(system.columns().size());
  }
  void sample(double t) {
    system.update(0, t, x);
    std::vector<double> x_dot(x.size());
    ASSERT_EQ(system.derivative(t, x, x_dot), Evaluated::ok) << system.failure();
    system.record(x, values);
  }
  double value(const std::string& column) const {
    const std::vector<Column> columns = system.columns();
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == column) return values[i];
    ADD_FAILURE() << column;
    return 0;
  }
};

TEST(WalkingController, FeetThatStandCarryTheWeight) {
  Command standing(trot());
  standing.sample(0);
  double sum = 0;
  for (const GaitFoot& foot : trot().feet) {
    EXPECT_EQ(standing.value(foot.frame + ".stands"), 1);
    sum += standing.value(foot.frame + ".planned_force");
  }
  EXPECT_NEAR(sum, standing.m.mass() * 9.81, 1e-3 * sum);
  EXPECT_NEAR(standing.value("trot.height"), 0.44 * std::cos(0.7) + 0.02, 1e-12);
  // a knee bears the force of its foot, whose way to the knee is 0.22 sin 0.7 long
  const double knee = standing.value("front_left_knee.command"),
               foot = standing.value("front_left_foot.planned_force");
  EXPECT_NEAR(std::abs(knee), foot * 0.22 * std::sin(0.7), 0.08 * std::abs(knee));
}

TEST(WalkingController, TheGaitDecidesWhichFeetStand) {
  Command trotting(trot());
  trotting.sample(0.65);  // of a period of 1 s
  for (const char* foot : {"front_left_foot", "hind_right_foot"}) {
    EXPECT_EQ(trotting.value(std::string(foot) + ".stands"), 0);
    EXPECT_NEAR(trotting.value(std::string(foot) + ".planned_force"), 0, 1e-6);
  }
  EXPECT_EQ(trotting.value("front_right_foot.stands"), 1);
  WalkingSettings later = trot();
  later.start = 0.8;
  Command waiting(later);
  waiting.sample(0.65);
  EXPECT_EQ(waiting.value("front_left_foot.stands"), 1);
  WalkingSettings over = trot();
  over.stop = 0.5;
  Command stopped(over);
  stopped.sample(0.65);
  EXPECT_EQ(stopped.value("front_left_foot.stands"), 1);
}

TEST(WalkingController, TheReferenceMovesAsCommandedAndDoesNotRunAway) {
  WalkingSettings settings = trot();
  settings.forward = 0.5, settings.turn = 0.2, settings.ramp = 0, settings.lead = 0.01;
  Command walk(settings);
  for (int i = 0; i < 3; ++i) walk.sample(0.002 + 0.002 * i);
  EXPECT_NEAR(walk.value("trot.heading"), 3 * 0.002 * 0.2, 1e-15);
  EXPECT_NEAR(walk.value("trot.x"), 3 * 0.002 * 0.5, 1e-6);
  for (int i = 0; i < 30; ++i) walk.sample(0.01 + 0.002 * i);
  EXPECT_NEAR(std::hypot(walk.value("trot.x"), walk.value("trot.y")), 0.01, 1e-12);
}

TEST(WalkingController, WrongSettingsAreRefused) {
  const auto says = [](auto change) {
    WalkingSettings settings = trot();
    change(settings);
    return message_of([&] {
      System system(load("quadruped"));
      system.add(std::make_unique<WalkingController>(settings));
    });
  };
  EXPECT_EQ(says([](auto&) {}), no_error);
  EXPECT_TRUE(mentions(says([](auto& s) { s.period = 0; }), {"'trot'", "period", "0 s"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.feet.clear(); }), {"'trot'", "without feet"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.sample_time = 0; }), {"sample_time", "0.002"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.feet[1].frame = "hind_rigt_foot"; }),
                       {"hind_rigt_foot", "hind_right_foot"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.body = "trunc"; }), {"trunc", "trunk"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.swing_height = -1; }), {"swing_height", "-1"}));
  EXPECT_TRUE(
      mentions(says([](auto& s) { s.stop = 1, s.start = 2; }), {"stop", "before the start"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.friction = 0; }), {"friction 0"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.swing.weight = 0; }), {"swing", "weight 0"}));
  EXPECT_TRUE(mentions(says([](auto& s) { s.forward = NAN; }), {"velocity", "finite"}));
  const std::string fixed = message_of([] {
    WalkingSettings s = trot();
    s.feet = {{"link6", 0}};
    System system(load("puma560"));
    system.add(std::make_unique<WalkingController>(s));
  });
  EXPECT_TRUE(mentions(fixed, {"puma560", "free joint", "cannot walk"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
