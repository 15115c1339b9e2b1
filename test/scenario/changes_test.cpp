// `changes` of a robot: each key changes what it names, on both sides, and nothing else.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/scenario/run.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

Scenario changed(const std::string& change) {
  return parse_scenario("duration: 1\nrobots: [{model: double_pendulum, changes: [{joint: elbow, " +
                            change + "}]}]\nfriction: {model: jump}\n",
                        "test.yaml");
}

// the only freedom of a joint; all data are the defaults where the file gives none
DofSpec freedom(const Spec& spec, const std::string& name) {
  for (const JointSpec& one : spec.joints)
    if (one.name == name) return one.dofs.empty() ? DofSpec{} : one.dofs[0];
  throw Error("no joint " + name);
}

// the numbers of a freedom in a fixed order
std::vector<double> numbers(const DofSpec& dof) {
  return {dof.gear_ratio,
          dof.rotor_inertia,
          dof.damping,
          dof.friction_positive,
          dof.friction_negative,
          dof.stiffness,
          dof.spring_reference,
          dof.lower,
          dof.upper,
          dof.velocity_limit,
          dof.effort_limit};
}

TEST(Changes, OfAJointSetWhatTheyName) {
  const Spec before = load_spec("double_pendulum");
  const std::vector<double> own = numbers(freedom(before, "elbow"));
  // key, value, and which of the numbers it changes
  const std::vector<std::tuple<std::string, double, std::vector<std::size_t>>> keys = {
      {"gear_ratio", 30, {0}},   {"rotor_inertia", 2e-4, {1}}, {"damping", 0.4, {2}},
      {"friction", 0.3, {3, 4}}, {"stiffness", 5, {5}},        {"spring_reference", 0.2, {6}},
      {"lower", -1.5, {7}},      {"upper", 1.25, {8}},         {"velocity_limit", 7, {9}},
      {"effort_limit", 40, {10}}};
  for (const auto& [key, value, places] : keys) {
    const Scenario scenario = changed(key + ": " + std::to_string(value));
    std::vector<double> expected = own;
    for (const std::size_t place : places) expected[place] = value;
    EXPECT_EQ(numbers(freedom(scenario.spec, "elbow")), expected) << key;
    EXPECT_EQ(numbers(freedom(scenario.spec, "shoulder")), numbers(freedom(before, "shoulder")))
        << key;
  }
}

// a rod that turns either way loses its energy at the same rate: friction · angle
TEST(Changes, OfFrictionActInBothDirections) {
  for (const double way : {1.0, -1.0}) {
    const Scenario scenario = parse_scenario(R"(duration: 0.5
gravity: [0, 0, 0]
robots:
  - model: pendulum
    initial: {velocity: [)" + std::to_string(3 * way) +
                                                 R"(]}
    changes: [{joint: pivot, friction: 0.2}]
)",
                                             "test.yaml");
    const limber::Run run = run_scenario(scenario);
    ASSERT_EQ(run.status, RunStatus::finished) << run.message;
    const double turned = std::abs(run.recording.series("pivot.position").back());
    EXPECT_GT(turned, 1);
    EXPECT_NEAR(run.recording.series("work").back(), -0.2 * turned, 1e-9) << way;
  }
}

TEST(Changes, OfALinkScaleMassFirstMomentAndInertia) {
  const Spec before = load_spec("double_pendulum");
  const auto lower = [](const Spec& spec) {
    for (const BodySpec& body : spec.bodies)
      if (body.name == "lower") return body.inertia;
    throw Error("no link");
  };
  const Inertia<double> own = lower(before);
  for (const std::string change : {"mass: 3", "mass_factor: 3"}) {
    const Scenario scenario =
        parse_scenario("duration: 1\nrobots: [{model: double_pendulum, changes: [{link: lower, " +
                           change + "}]}]\n",
                       "test.yaml");
    const Inertia<double> now = lower(scenario.spec);
    EXPECT_NEAR(now.m, 3, 1e-12);
    EXPECT_NEAR(now.h.z, 3 * own.h.z, 1e-12);
    EXPECT_NEAR(now.J.xx, 3 * own.J.xx, 1e-12);
    EXPECT_NEAR(now.J.zz, 3 * own.J.zz, 1e-12);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
