// The base of a scenario's robot, compared with robots written out by hand; what a scenario file
// from a stranger may hold.
#include <limber/scenario/scenario.hpp>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/io/load.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

class ScenarioBase : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write("root.yaml", "");
    write("free.yaml", held_by("free"));
    write("bolted.yaml", held_by("fixed"));
    write("hinged.yaml", held_by("revolute"));
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string held_by(const std::string& kind) {
    return "- {name: hold, kind: " + kind +
           ", parent: world, child: trunk, xyz: [0, 0, 1], rpy: [0.5, 0, 0]}\n";
  }
  void write(const std::string& name, const std::string& held) {
    std::ofstream(folder_ / name)
        << "bodies:\n- {name: trunk, mass: 3, com: [0.1, 0, 0], inertia: [0.3, 0.4, 0.5]}\n"
           "- {name: arm, mass: 1, com: [0, 0.2, 0], inertia: [0.1, 0.1, 0.1]}\n"
           "joints:\n- {name: shoulder, kind: revolute, parent: trunk, child: arm}\n"
        << held;
  }
  Scenario scenario(const std::string& robot) const {
    return parse_scenario("duration: 1\nrobots: [{" + robot + "}]\n",
                          (folder_ / "scenario.yaml").string());
  }
  std::string message(const std::string& robot) const {
    return message_of([&] { scenario(robot); });
  }

  const fs::path folder_ =
      fs::temp_directory_path() / (std::string("limber_scenario_base_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

// joint forces where the robot begins, and where its arm is
struct Start {
  std::vector<double> tau;
  Transform<double> arm;
};

Start start(const Scenario& s) {
  Workspace ws(s.model);
  std::vector<double> a;
  for (int k = 0; k < s.model.nv; ++k) a.push_back(0.4 - 0.1 * k);
  const auto tau = inverse_dynamics<double>(s.model, s.q, a, a, ws);
  Start result{{tau.begin(), tau.end()}, {}};
  const Poses& bodies = forward_kinematics<double>(s.model, s.q, ws);
  result.arm = frame_pose(s.model, bodies, s.model.frame("arm"));
  return result;
}

void expect_same(const Scenario& one, const Scenario& other) {
  EXPECT_NEAR(one.model.mass(), other.model.mass(), 1e-12);
  const Start a = start(one), b = start(other);
  ASSERT_EQ(a.tau.size(), b.tau.size());
  for (std::size_t k = 0; k < a.tau.size(); ++k) EXPECT_NEAR(a.tau[k], b.tau[k], 1e-12) << k;
  EXPECT_LT(norm(a.arm.p - b.arm.p), 1e-12);
}

TEST_F(ScenarioBase, FloatingFreesWhatIsWeldedAndDoublesNothing) {
  const Scenario by_hand = scenario("model: free.yaml");
  EXPECT_EQ(by_hand.model.nv, 7);
  expect_same(scenario("model: free.yaml, base: floating"), by_hand);
  expect_same(scenario("model: bolted.yaml, base: floating"), by_hand);
  // the place in the scenario turns and moves the whole robot
  const std::string place = ", xyz: [1, 2, 3], rpy: [0, 0, 0.7]";
  const Scenario placed = scenario("model: free.yaml" + place);
  for (const char* model : {"free.yaml", "bolted.yaml"}) {
    const Scenario floating = scenario("model: " + std::string(model) + ", base: floating" + place);
    EXPECT_EQ(floating.model.nv, 7);
    EXPECT_LT(norm(start(floating).arm.p - start(placed).arm.p), 1e-12);
  }
  EXPECT_EQ(scenario("model: root.yaml, base: floating").model.nv, 7);
  EXPECT_EQ(scenario("model: quadruped, base: floating").model.nv, 18);
  EXPECT_EQ(scenario("model: quadruped").model.nv, 18);
  EXPECT_TRUE(mentions(message("model: hinged.yaml, base: floating"),
                       {"hinged.yaml", "joint 'hold'", "ties it to the world"}));
}

// the place is the position of the free joint, whichever made it: what is recorded is where it is
TEST_F(ScenarioBase, PlaceOfAFloatingBaseIsItsPosition) {
  const std::string place = ", xyz: [1, 2, 3], rpy: [0, 0, 0.7]";
  for (const std::string robot :
       {"model: quadruped", "model: quadruped, base: floating", "model: root.yaml, base: floating",
        "model: quadruped, name: dog"}) {
    SCOPED_TRACE(robot);
    const Scenario s = scenario(robot + place);
    const std::vector<double> expected{1, 2, 3, 0, 0, std::sin(0.35), std::cos(0.35)};
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(s.q[k], expected[k], 1e-12) << k;
    Workspace ws(s.model);
    const Poses& bodies = forward_kinematics<double>(s.model, s.q, ws);
    const Vec3<double> p = frame_pose(s.model, bodies, s.model.frame(s.model.body_name[1])).p;
    EXPECT_LT(norm(p - Vec3<double>{1, 2, 3}), 1e-12);
  }
  // a free joint with a place of its own: the robot is moved and turned as a whole
  const Scenario at_origin = scenario("model: free.yaml"),
                 moved = scenario("model: free.yaml" + place);
  const Vec3<double> p = start(at_origin).arm.p, there = start(moved).arm.p;
  EXPECT_LT(norm(there - Vec3<double>{1 + std::cos(0.7) * p.x - std::sin(0.7) * p.y,
                                      2 + std::sin(0.7) * p.x + std::cos(0.7) * p.y, 3 + p.z}),
            1e-12);
}

TEST_F(ScenarioBase, TwoPlacesForAFloatingBaseAreRefused) {
  EXPECT_TRUE(
      mentions(message("model: quadruped, xyz: [0, 0, 1], initial: {position: {root: [0, 0, "
                       "0.5, 0, 0, 0, 1]}}"),
               {"scenario.yaml:2", "'root' floats", "leave one of them out"}));
  EXPECT_EQ(message("model: quadruped, xyz: [0, 0, 1], initial: {velocity: {root: [0, 0, 0, 0, 0, "
                    "1]}, position: {front_left_knee: -1}}"),
            no_error);
  EXPECT_EQ(message("model: quadruped, initial: {position: {root: [0, 0, 0.5, 0, 0, 0, 1]}}"),
            no_error);
}

TEST_F(ScenarioBase, FixedWeldsAFreeRobot) {
  expect_same(scenario("model: free.yaml, base: fixed, xyz: [1, 2, 3]"),
              scenario("model: bolted.yaml, xyz: [1, 2, 3]"));
  EXPECT_EQ(scenario("model: quadruped, base: fixed").model.nv, 12);
  EXPECT_EQ(scenario("model: hinged.yaml, base: fixed").model.nv, 2);
}

TEST_F(ScenarioBase, QuaternionsMustHaveUnitLength) {
  const std::string begin = "model: free.yaml, initial: {position: {hold: [0, 0, 0, ";
  EXPECT_TRUE(mentions(message(begin + "0, 0, 0, 5]}}"), {"'hold'", "quaternion", "length 5"}));
  EXPECT_TRUE(mentions(message(begin + "0, 0, 0, 0]}}"), {"'hold'", "length 0"}));
  EXPECT_EQ(scenario(begin + "0, 0, 0.6, 0.8001]}}").model.nv, 7);  // rounded
}

TEST_F(ScenarioBase, GearRatioZeroByAChangeIsRefused) {
  EXPECT_TRUE(mentions(message("model: root.yaml, changes: [{joint: shoulder, gear_ratio: 0}]"),
                       {"gear_ratio", "is zero"}));
}

TEST_F(ScenarioBase, LimitsOfTextsHoldForScenariosToo) {
  EXPECT_TRUE(mentions(message_of([] {
                         parse_scenario("duration: 1\nrobots: " + std::string(100000, '['),
                                        "s.yaml");
                       }),
                       {"s.yaml:2", "nested"}));
  EXPECT_TRUE(mentions(message_of([] { read_scenario("/dev/zero.yaml"); }), {"no such file"}));
  fs::create_symlink("/dev/zero", folder_ / "zero.yaml");
  EXPECT_TRUE(mentions(message_of([&] { read_scenario((folder_ / "zero.yaml").string()); }),
                       {"zero.yaml", "device"}));
  EXPECT_TRUE(
      mentions(message_of([] { parse_scenario("title: \"a\\eb\"\nduration: 1\n", "s.yaml"); }),
               {"s.yaml:1", "control character"}));
  const Scenario text = parse_scenario(
      "duration: 1\ndescription: |\n  two\n  lines\nrobots: [{model: pendulum}]\n", "s.yaml");
  EXPECT_EQ(text.description, "two\nlines\n");
}

TEST_F(ScenarioBase, BeginsInANamedState) {
  std::ofstream(folder_ / "free.xml")
      << "<mujoco><compiler angle='radian'/><worldbody><body name='trunk'><freejoint name='base'/>"
         "<geom size='0.1'/><body name='arm'><joint name='shoulder'/><joint name='twist' axis='1 0 "
         "0'/>"
         "<geom size='0.1'/></body></body></worldbody><keyframe><key name='up' qpos='1 2 3 0 1 0 0 "
         "0.4 0.5' qvel='0 0 0 0 0 0 0.6 0.7'/></keyframe></mujoco>";
  using Numbers = std::vector<double>;
  const Scenario whole = scenario("model: free.xml, initial: {state: up}");
  EXPECT_EQ(whole.q, (Numbers{1, 2, 3, 1, 0, 0, 0, 0.4, 0.5}));
  EXPECT_EQ(whole.v, (Numbers{0, 0, 0, 0, 0, 0, 0.6, 0.7}));
  // what the scenario says besides goes before it
  const Scenario other =
      scenario("model: free.xml, xyz: [7, 8, 9], initial: {state: up, position: {twist: 0.9}}");
  EXPECT_EQ(other.q, (Numbers{7, 8, 9, 0, 0, 0, 1, 0.4, 0.9}));
  EXPECT_EQ(other.v, whole.v);
  const Scenario two = parse_scenario(
      "duration: 1\nrobots: [{model: free.xml, name: a}, {model: free.xml, name: b, initial: "
      "{state: up}}]\n",
      (folder_ / "scenario.yaml").string());
  EXPECT_EQ(Numbers(two.q.begin(), two.q.begin() + 9), (Numbers{0, 0, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(Numbers(two.q.begin() + 9, two.q.end()), whole.q);
  EXPECT_TRUE(mentions(message("model: free.xml, initial: {state: upp}"),
                       {"scenario.yaml:2", "'upp'", "up", "did you mean"}));
  EXPECT_TRUE(mentions(message("model: free.yaml, initial: {state: up}"), {"no named states"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
