// What the replay shows: payloads, phases, markers, ghosts, forces; and what is said of it.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limber/dynamics/kinematics.hpp>
#include <limber/io/load.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/analysis/analysis.hpp>
#include <limber/report/report.hpp>

#include "unpacked.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string carrying = R"(
duration: 1
gravity: [0, 0, 0]
robots:
  - model: double_pendulum
    payload:
      - {name: part, link: lower, mass: 0.5, com: [0, 0, -1], from: grip, until: 0.8}
trajectories:
  - name: task
    segments:
      - {name: away, kind: move, to: {shoulder: 0.5}, duration: 0.3, dwell: 0.1}
      - {name: grip, kind: hold, duration: 0.1}
      - {kind: move, to: {elbow: 0.5}, duration: 0.2}
      - {name: back, kind: move, to: {shoulder: 0}, duration: 0.6}
prescribed: [{joints: [shoulder, elbow], trajectory: task}]
)";

Json data_of(const Scenario& scenario, std::vector<Comparison> comparisons = {}) {
  Report report;
  report.recording = run_scenario(scenario).recording;
  report.comparisons = std::move(comparisons);
  return Json::parse(report_data(scenario, report));
}

std::string message_for(const std::string& text) {
  try {
    parse_scenario(text, "test.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks: " << word;
}

TEST(Scene, PhasesAreTheNamedSteps) {
  const Scenario scenario = parse_scenario(carrying, "test.yaml");
  ASSERT_EQ(scenario.phases.size(), 3U);
  EXPECT_EQ(scenario.phases[1].name, "grip");
  EXPECT_NEAR(scenario.phases[0].to, 0.4, 1e-12);
  EXPECT_NEAR(scenario.phases[1].from, 0.4, 1e-12);
  EXPECT_NEAR(scenario.phases[1].to, 0.5, 1e-12);
  EXPECT_NEAR(scenario.phases[2].from, 0.7, 1e-12);
  const Json phases = data_of(scenario)["phases"];
  ASSERT_EQ(phases.size(), 3U);
  EXPECT_EQ(phases[2]["name"], "back");
  EXPECT_EQ(phases[2]["to"], 1);  // cut where the run ends
}

TEST(Scene, APayloadRestsWhereItIsGrippedAndStaysWhereItWasReleased) {
  const Scenario scenario = parse_scenario(carrying, "test.yaml");
  const Json data = data_of(scenario);
  const std::vector<float> poses = unpacked(data["poses"]), times = unpacked(data["pose_time"]);
  const std::size_t bodies = data["scene"]["bodies"].size();
  ASSERT_EQ(bodies, 4U);  // the world, two links, the part
  EXPECT_EQ(data["scene"]["payloads"][0]["body"], 3);
  EXPECT_EQ(data["scene"]["payloads"][0]["label"], "part, 0.5 kg");
  ASSERT_EQ(poses.size(), times.size() * bodies * 7);
  const auto place = [&](double t, std::size_t body) {
    const auto row = static_cast<std::size_t>(std::lround(t * 100));
    EXPECT_NEAR(times[row], t, 1e-6);
    return Vec3<double>{poses[(row * bodies + body) * 7], poses[(row * bodies + body) * 7 + 1],
                        poses[(row * bodies + body) * 7 + 2]};
  };
  EXPECT_LT(norm(place(0, 3) - place(0.4, 2)), 1e-6);  // before: where the link will grip it
  EXPECT_GT(norm(place(0, 3) - place(0, 2)), 0.1);
  EXPECT_LT(norm(place(0.6, 3) - place(0.6, 2)), 1e-6);  // with the link
  EXPECT_LT(norm(place(1, 3) - place(0.8, 2)), 1e-6);    // after
  EXPECT_GT(norm(place(1, 3) - place(1, 2)), 0.01);
}

TEST(Scene, ControllersKnowWhatIsCarriedUnlessItIsHidden) {
  const auto drift = [](const std::string& hidden) {
    const Scenario scenario = parse_scenario(R"(
duration: 1
robots:
  - model: double_pendulum
    initial: {position: {shoulder: 1}}
    payload: [{link: lower, mass: 0.5, com: [0, 0, -1], from: 0.3, until: 0.7, hidden: )" +
                                                 hidden + R"(}]
controllers: [{kind: gravity_compensation}]
)",
                                             "test.yaml");
    const limber::Run run = run_scenario(scenario);
    double most = 0;
    for (const double angle : run.recording.series("shoulder.position"))
      most = std::max(most, std::abs(angle - 1));
    return most;
  };
  // what is left: the step in which it is gripped is half with and half without it
  EXPECT_LT(drift("no"), 1e-3);
  EXPECT_GT(drift("yes"), 0.02);
}

TEST(Scene, AnAnalysisTakesATimedPayloadForAWeldedOne) {
  const std::string text = R"(
duration: 0.5
robots:
  - model: double_pendulum
    payload: [{link: lower, mass: 0.5, com: [0, 0.1, -1], inertia: [0.02, 0.03, 0.04], hidden: no}]
trajectories: [{name: task, segments: [{kind: move, to: {shoulder: 1, elbow: -0.5}, duration: 0.5}]}]
analyse: {motion: reference, trajectory: task, interval: 0.05}
)";
  const std::vector<Override> timed = {{"robots.0.payload.0.from", "0"},
                                       {"robots.0.payload.0.until", "10"}};
  const Analysis welded = analyse(parse_scenario(text, "test.yaml"), {});
  const Analysis carried = analyse(parse_scenario(text, "test.yaml", timed), {});
  ASSERT_EQ(welded.joints.size(), carried.joints.size());
  for (std::size_t j = 0; j < welded.joints.size(); ++j)
    for (std::size_t k = 0; k < welded.joints[j].torques.size(); ++k)
      EXPECT_NEAR(welded.joints[j].torques[k], carried.joints[j].torques[k], 1e-9) << j << " " << k;
}

TEST(Scene, MistakesInPayloadsAreTold) {
  const auto with = [](const std::string& keys) {
    std::string text = carrying;
    return message_for(text.replace(text.find("from: grip, until: 0.8"), 22, keys));
  };
  expect_words(with("from: gripp"), {"test.yaml:7", "gripp", "did you mean 'grip'"});
  expect_words(with("from: 0.5, until: 0.2"), {"test.yaml:7", "part", "later end"});
  std::string twice = carrying;
  twice.replace(twice.find("name: back"), 10, "name: grip");
  expect_words(message_for(twice), {"test.yaml:7", "2 segments", "grip"});
}

TEST(Scene, MarkersHaveKindsAndSizes) {
  const std::string robot = "duration: 1\nrobots: [{model: pendulum}]\n";
  const Scenario scenario = parse_scenario(robot + R"(
report:
  ground: -0.5
  markers:
    - {name: goal, xyz: [0, 0, 1]}
    - {name: pick, kind: area, xyz: [1, 0, 0], size: [0.3, 0.2], color: [0, 1, 0]}
    - {name: crate, kind: bin, xyz: [0, 1, 0], size: [0.3, 0.2, 0.1], yaw: 0.5}
)",
                                           "test.yaml");
  const Json scene = data_of(scenario)["scene"];
  EXPECT_EQ(scene["markers"][0]["kind"], "point");
  EXPECT_EQ(scene["markers"][1]["size"], Json({0.3, 0.2, 0.0}));
  EXPECT_EQ(scene["markers"][1]["color"], Json({0.0, 1.0, 0.0, 1.0}));
  EXPECT_EQ(scene["markers"][2]["yaw"], 0.5);
  EXPECT_EQ(scene["ground"], -0.5);
  EXPECT_EQ(data_of(parse_scenario(robot + "report: {ground: off}\n", "t.yaml"))["scene"]["ground"],
            "none");
  const auto marker = [&](const std::string& keys) {
    return message_for(robot + "report: {markers: [{name: a, " + keys + "}]}\n");
  };
  expect_words(marker("kind: box"), {"test.yaml:3", "xyz"});
  expect_words(marker("kind: box, xyz: [0, 0, 0]"), {"test.yaml:3", "size"});
  expect_words(marker("kind: bx, xyz: [0, 0, 0]"), {"test.yaml:3", "bx", "box"});
  expect_words(marker("xyz: [0, 0, 0], size: [1, 0, 1]"), {"test.yaml:3", "positive"});
  expect_words(marker("xyz: [0, 0, 0], color: [1, 2, 3]"), {"test.yaml:3", "color", "0 to 1"});
  expect_words(message_for(robot + "report: {ground: high}\n"), {"test.yaml:3", "height", "off"});
}

TEST(Scene, AComparedRunIsAGhostAtTheSameInstants) {
  const std::string robot = R"(
duration: 1
robots: [{model: pendulum, initial: {position: {pivot: ANGLE}}}]
)";
  const auto with = [&](const char* angle) {
    std::string text = robot;
    return std::make_shared<const Scenario>(
        parse_scenario(text.replace(text.find("ANGLE"), 5, angle), "test.yaml"));
  };
  const std::shared_ptr<const Scenario> own = with("0.2"), other = with("0.9");
  const Json data = data_of(*own, {{"other", run_scenario(*other).recording, other}});
  ASSERT_EQ(data["ghosts"].size(), 1U);
  EXPECT_EQ(data["ghosts"][0]["title"], "other");
  EXPECT_FALSE(data["ghosts"][0].contains("bodies"));  // they are the same
  const std::vector<float> ghost = unpacked(data["ghosts"][0]["poses"]);
  EXPECT_EQ(ghost, unpacked(data_of(*other)["poses"]));
  EXPECT_NE(ghost, unpacked(data["poses"]));
}

TEST(Scene, ForcesFromOutsideAreArrowsWhereTheyAct) {
  const Scenario scenario = parse_scenario(R"(
duration: 1
robots: [{model: double_pendulum}]
external_forces: [{name: push, frame: lower, times: [0, 1], forces: [[0, 0, 0], [0, 10, 0]]}]
)",
                                           "test.yaml");
  const Json force = data_of(scenario)["scene"]["forces"][0];
  EXPECT_EQ(force["name"], "push");
  EXPECT_EQ(force["body"], 2);
  const std::vector<float> values = unpacked(force["force"]);
  ASSERT_EQ(values.size(), 3U * 101);
  EXPECT_NEAR(values[3 * 50 + 1], 5, 1e-5);
}

// a spring of 0.3 m that is at rest at 0.1 m, from the world to a point of the upper link: it is
// drawn between both, and its arrow has 20 N
TEST(Scene, SpringsAreLinesWithTheirForces) {
  const Scenario scenario = parse_scenario(R"(
duration: 0.01
gravity: [0, 0, 0]
robots: [{model: double_pendulum}]
force_elements:
  - {name: spring, from_point: [0.3, 0, -0.2], to: upper, to_point: [0, 0, -0.2], stiffness: 100, rest_length: 0.1}
)",
                                           "test.yaml");
  const Json scene = data_of(scenario)["scene"];
  ASSERT_EQ(scene["lines"].size(), 1U);
  const Json ends = scene["lines"][0]["ends"];
  EXPECT_EQ(ends[0]["body"], 0);
  EXPECT_EQ(ends[0]["position"], Json({0.3, 0.0, -0.2}));
  EXPECT_EQ(ends[1]["body"], 1);
  EXPECT_EQ(ends[1]["position"], Json({0.0, 0.0, -0.2}));
  ASSERT_EQ(scene["forces"].size(), 1U);  // nothing is drawn at the world
  EXPECT_EQ(scene["forces"][0]["body"], 1);
  const std::vector<float> force = unpacked(scene["forces"][0]["force"]);
  EXPECT_NEAR(force[0], 20, 1e-4);
  EXPECT_NEAR(force[1], 0, 1e-6);
  EXPECT_NEAR(force[2], 0, 1e-4);
}

// a rod from the world holds the elbow against a push
TEST(Scene, RodsOfLoopsAreLinesWithTheirForces) {
  const Scenario scenario = parse_scenario(R"(
duration: 0.01
robots: [{model: double_pendulum}]
external_forces: [{name: push, frame: lower, times: [0, 1], forces: [[10, 0, 0], [10, 0, 0]]}]
loops: {closures: [{name: rod, kind: distance, body_a: world, xyz_a: [0.5, 0, -1], body_b: lower, distance: 0.5}]}
)",
                                           "test.yaml");
  const Json scene = data_of(scenario)["scene"];
  ASSERT_EQ(scene["lines"].size(), 1U);
  EXPECT_EQ(scene["lines"][0]["ends"][0]["position"], Json({0.5, 0.0, -1.0}));
  EXPECT_EQ(scene["lines"][0]["ends"][1]["body"], 2);
  ASSERT_EQ(scene["forces"].size(), 2U);
  EXPECT_EQ(scene["forces"][1]["name"], "rod");
  EXPECT_EQ(scene["forces"][1]["body"], 2);
  const std::vector<float> force = unpacked(scene["forces"][1]["force"]);
  EXPECT_NEAR(force[0], -10, 1e-4);
  EXPECT_NEAR(force[1], 0, 1e-6);
  EXPECT_NEAR(force[2], 0, 1e-4);
}

// a grasp whose frames were turned when it was closed: the force is in world axes all the same
TEST(Scene, ForcesOfGraspsAreArrows) {
  const Scenario scenario = parse_scenario(R"(
duration: 0.01
robots: [{model: double_pendulum, initial: {position: [0.3, 0.4]}}]
external_forces: [{name: push, frame: lower, times: [0, 1], forces: [[10, 0, 0], [10, 0, 0]]}]
grasps:
  - {closure: {name: hold, kind: connect, body_a: world, body_b: lower, rpy_b: [0.1, 0.2, 0.3]}}
)",
                                           "test.yaml");
  const Json scene = data_of(scenario)["scene"];
  ASSERT_EQ(scene["forces"].size(), 2U);
  EXPECT_EQ(scene["forces"][1]["name"], "hold");
  EXPECT_EQ(scene["forces"][1]["body"], 2);
  const std::vector<float> with = unpacked(scene["forces"][1]["force"]);
  const Scenario calm = parse_scenario(R"(
duration: 0.01
robots: [{model: double_pendulum, initial: {position: [0.3, 0.4]}}]
grasps:
  - {closure: {name: hold, kind: connect, body_a: world, body_b: lower, rpy_b: [0.1, 0.2, 0.3]}}
)",
                                       "test.yaml");
  const Json calm_scene = data_of(calm)["scene"];
  const std::vector<float> without = unpacked(calm_scene["forces"][0]["force"]);
  // against the push, but for what acts along the upper rod, which bears it; nothing acts across
  EXPECT_NEAR(with[0] - without[0], -10 * std::cos(0.3) * std::cos(0.3), 1e-4);
  EXPECT_NEAR(with[1] - without[1], 0, 1e-4);
  EXPECT_NEAR(with[2] - without[2], 10 * std::sin(0.3) * std::cos(0.3), 1e-4);
}

TEST(Scene, RecordsFollowTheSamplesOfAController) {
  const auto interval = [](const std::string& more) {
    return parse_scenario(R"(
robots: [{model: double_pendulum}]
controllers: [{kind: gravity_compensation, sample_time: 4e-3}]
)" + more,
                          "test.yaml")
        .simulation.record_interval;
  };
  EXPECT_DOUBLE_EQ(interval("duration: 2\n"), 4e-3);
  EXPECT_DOUBLE_EQ(interval("duration: 100\n"), 12e-3);
  EXPECT_DOUBLE_EQ(interval("duration: 2\nrecord: {interval: 0.05}\n"), 0.05);
  EXPECT_DOUBLE_EQ(parse_scenario(R"(
duration: 2
robots: [{model: double_pendulum}]
controllers: [{kind: gravity_compensation, sample_time: 0.1}]
)",
                                  "test.yaml")
                       .simulation.record_interval,
                   0.01);
}

// --- what is drawn, and why ---

std::string drawn_text(const std::string& visual, const std::string& collision) {
  const fs::path file = fs::temp_directory_path() / "limber_scene_test.urdf";
  std::ofstream(file) << R"(<robot name="r"><link name="base"/><link name="arm">
<inertial><origin xyz="0 0 0.2"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>)"
                      << visual << collision << R"(</link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>)";
  const Scenario scenario =
      parse_scenario("duration: 0.1\nrobots: [{model: " + file.string() + "}]\n", "test.yaml");
  fs::remove(file);
  return data_of(scenario)["scene"]["drawn"];
}

TEST(Scene, ThePageSaysWhatIsDrawnAndWhy) {
  const std::string mesh = R"(<visual><geometry><mesh filename="a.stl"/></geometry></visual>)";
  const std::string box = R"(<visual><geometry><box size="0.1 0.1 0.4"/></geometry></visual>)";
  const std::string touch =
      R"(<collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision>)";
  const std::string tiny =
      R"(<collision><geometry><sphere radius="0.001"/></geometry></collision>)";
  EXPECT_EQ(drawn_text("", ""), "skeleton from the joints: limber_scene_test.urdf gives no shapes");
  EXPECT_EQ(drawn_text(mesh, ""),
            "skeleton from the joints: limber_scene_test.urdf names meshes that are not there or "
            "cannot be read");
  EXPECT_EQ(drawn_text(mesh, tiny),
            "skeleton from the joints: limber_scene_test.urdf names meshes that are not there or "
            "cannot be read");
  EXPECT_EQ(
      drawn_text(mesh, touch),
      "collision shapes: limber_scene_test.urdf names meshes that are not there or cannot be read");
  EXPECT_EQ(drawn_text(box, ""), "shapes of limber_scene_test.urdf");
}

TEST(Scene, MeshesKeepFileScaleAndColour) {
  const fs::path file = fs::temp_directory_path() / "limber_mesh_test.urdf";
  std::ofstream(file) << R"(<robot name="r"><link name="base"><visual>
<origin xyz="0 0 0.3"/><geometry><mesh filename="meshes/a.stl" scale="0.001 0.001 0.002"/></geometry>
<material name="red"><color rgba="1 0 0 0.5"/></material></visual></link></robot>)";
  const ShapeSpec shape = load_spec(file.string()).bodies.at(0).shapes.at(0);
  fs::remove(file);
  EXPECT_EQ(shape.kind, ShapeSpec::Kind::mesh);
  EXPECT_EQ(shape.mesh_file, "meshes/a.stl");
  EXPECT_EQ(shape.size.z, 0.002);
  EXPECT_EQ(shape.color, (std::array<double, 4>{1, 0, 0, 0.5}));
  EXPECT_EQ(shape.placement.p.z, 0.3);
}

// --- the PUMA's shapes and its kinematics ---

bool holds(const ShapeSpec& shape, const Vec3<double>& point) {
  const Vec3<double> r = transpose_times(shape.placement.R, point - shape.placement.p);
  const Vec3<double>& s = shape.size;
  if (shape.kind == ShapeSpec::Kind::box)
    return std::abs(r.x) <= s.x / 2 && std::abs(r.y) <= s.y / 2 && std::abs(r.z) <= s.z / 2;
  return std::hypot(r.x, r.y) <= s.x && std::abs(r.z) <= s.y / 2;  // cylinders
}

// somewhere along the axis of each joint both links that it connects are met
TEST(Scene, ThePumasShapesMeetAtItsJoints) {
  const Model m = load("puma560");
  Workspace ws(m);
  const Poses& bodies = forward_kinematics<double>(m, neutral_position(m), ws);
  const auto meets = [&](const std::string& link, const Vec3<double>& from,
                         const Vec3<double>& axis) {
    const int frame = m.frame(link);
    const Transform<double> pose = frame_pose(m, bodies, frame);
    for (double along = -0.4; along <= 0.4; along += 0.002)
      for (const ShapeSpec& shape : m.shapes[static_cast<std::size_t>(frame)])
        if (holds(shape, transform_point(inverse(pose), from + axis * along))) return true;
    return false;
  };
  // a joint turns about z of the frame before it (standard Denavit-Hartenberg)
  const std::vector<std::string> links{"base",  "link1", "link2", "link3",
                                       "link4", "link5", "link6"};
  for (std::size_t k = 1; k < links.size(); ++k) {
    const Transform<double> before =
        k == 1 ? Transform<double>{} : frame_pose(m, bodies, m.frame(links[k - 1]));
    const Vec3<double> axis = before.R.column(2);
    EXPECT_TRUE(meets(links[k - 1], before.p, axis)) << links[k - 1] << " at joint " << k;
    EXPECT_TRUE(meets(links[k], before.p, axis)) << links[k] << " at joint " << k;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
