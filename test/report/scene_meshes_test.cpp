// Meshes in reports: found, shared, thinned out; and pages that say so.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limber/report/report.hpp>

#include "report/scene_meshes.hpp"
#include "support/assimp_leaks.hpp"
#include "support/meshes.hpp"
#include "report/unpacked.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// a robot with a link for each of these lists of shapes, in a folder of its own
class RobotFolder {
 public:
  explicit RobotFolder(const std::vector<std::string>& links)
      : path(fs::temp_directory_path() / ("limber_scene_meshes" + std::to_string(getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path / "robot/meshes");
    std::string text = "<robot name='r'><link name='world'/>";
    for (std::size_t k = 0; k < links.size(); ++k)
      text += fmt::format(
          "<link name='l{0}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
          "ixz='0' iyz='0'/></inertial>{1}</link><joint name='j{0}' type='continuous'><parent "
          "link='{2}'/><child link='l{0}'/><origin xyz='0 0 1'/></joint>",
          k, links[k], k == 0 ? "world" : fmt::format("l{}", k - 1));
    std::ofstream(path / "robot/r.urdf") << text << "</robot>";
  }
  ~RobotFolder() { fs::remove_all(path); }
  RobotFolder(const RobotFolder&) = delete;
  RobotFolder& operator=(const RobotFolder&) = delete;

  void write(const std::string& file, const std::string& content) const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file, std::ios::binary) << content;
  }
  Json data(const std::string& more = "") const {
    const Scenario scenario = parse_scenario(
        "duration: 0.01\nrobots: [{model: robot/r.urdf}]\n" + more, (path / "s.yaml").string());
    Report report;
    report.recording = run_scenario(scenario).recording;
    return Json::parse(report_data(scenario, report));
  }

  fs::path path;
};

std::string shape(const std::string& mesh, const std::string& role = "visual") {
  return fmt::format("<{0}><geometry><mesh filename='{1}'/></geometry></{0}>", role, mesh);
}

// what the page makes of an entry, by the words of scene_meshes.hpp
Mesh decoded(const Json& entry) {
  Mesh mesh;
  const std::vector<unsigned char> places = bytes_of(entry["vertices"], "u16:"),
                                   corners = bytes_of(entry["triangles"], "var:");
  for (std::size_t k = 0; k + 5 < places.size(); k += 6) {
    Vec3<double> p;
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int whole = places[k + 2 * at] + 256 * places[k + 2 * at + 1];
      p[i] = entry["low"][at].get<double>() + entry["step"][at].get<double>() * whole;
    }
    mesh.vertices.push_back(p);
  }
  std::vector<std::uint32_t> indices;
  std::uint32_t next = 0, back = 0, shift = 0;
  for (const unsigned char byte : corners) {
    back |= static_cast<std::uint32_t>(byte & 127U) << shift;
    shift += 7;
    if (byte >= 128) continue;
    indices.push_back(next - back);
    next += back == 0 ? 1 : 0;
    back = shift = 0;
  }
  for (std::size_t k = 0; k + 2 < indices.size(); k += 3)
    mesh.triangles.push_back({indices[k], indices[k + 1], indices[k + 2]});
  return mesh;
}

const Json& shape_of(const Json& data, std::size_t body) {
  return data["scene"]["bodies"][body]["shapes"][0];
}

TEST(SceneMeshesTest, ArriveWithinHalfAStepOfTheFile) {
  const RobotFolder robot({shape("meshes/ring.stl")});
  const Mesh ring = torus(0.3, 0.1, 60, 40);
  robot.write("robot/meshes/ring.stl", binary_stl(ring));
  const Json data = robot.data();
  EXPECT_EQ(shape_of(data, 1)["kind"], "mesh");
  EXPECT_EQ(shape_of(data, 1)["mesh"], 0);
  ASSERT_EQ(data["scene"]["meshes"].size(), 1U);
  const Mesh drawn = decoded(data["scene"]["meshes"][0]);
  EXPECT_EQ(drawn.vertices.size(), ring.vertices.size());
  EXPECT_EQ(drawn.triangles.size(), ring.triangles.size());
  EXPECT_EQ(defect_of(drawn), "");
  EXPECT_NEAR(volume_moments(drawn).m / volume_moments(ring).m, 1, 1e-4);
  EXPECT_NEAR(volume_moments(drawn).rotational().zz / volume_moments(ring).rotational().zz, 1,
              1e-4);
  EXPECT_EQ(data["scene"]["drawn"], "shapes of r.urdf");
}

TEST(SceneMeshesTest, TheSameContentIsWrittenOnce) {
  const RobotFolder robot({shape("meshes/a.stl"), shape("package://x/meshes/b.stl"),
                           shape("meshes/a.stl") + shape("meshes/a.stl", "collision"),
                           shape("meshes/c.obj")});
  robot.write("robot/meshes/a.stl", binary_stl(box({0, 0, 0}, {1, 1, 1})));
  robot.write("robot/meshes/b.stl", binary_stl(box({0, 0, 0}, {1, 1, 1})));
  robot.write("robot/meshes/c.obj", obj(box({0, 0, 0}, {1, 1, 2})));
  const Json data = robot.data();
  EXPECT_EQ(data["scene"]["meshes"].size(), 2U);
  for (const std::size_t body : {1U, 2U, 3U}) EXPECT_EQ(shape_of(data, body)["mesh"], 0) << body;
  EXPECT_EQ(shape_of(data, 4)["mesh"], 1);
}

// an open mesh has no mass, but is drawn
TEST(SceneMeshesTest, OpenMeshesAreDrawn) {
  const RobotFolder robot({shape("meshes/open.stl")});
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.resize(7);
  EXPECT_THROW(mass_of_mesh(open), Error);
  robot.write("robot/meshes/open.stl", binary_stl(open));
  const Json data = robot.data();
  EXPECT_EQ(decoded(data["scene"]["meshes"][0]).triangles.size(), 7U);
}

TEST(SceneMeshesTest, MissingOnesAreNamedOnceWithThePlacesSearched) {
  const RobotFolder robot({shape("package://arm/a<b>.stl"), shape("package://arm/a<b>.stl"),
                           shape("meshes/bad.stl"), shape("meshes/there.stl", "collision")});
  std::string text;
  {
    std::ifstream file(robot.path / "robot/r.urdf");
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (std::size_t at = text.find("a<b>"); at != std::string::npos; at = text.find("a<b>"))
    text.replace(at, 4, "a&lt;b>");
  robot.write("robot/r.urdf", text);
  robot.write("robot/meshes/bad.stl", "nonsense");
  robot.write("robot/meshes/there.stl", binary_stl(box({0, 0, 0}, {1, 1, 1})));
  const Json data = robot.data();
  const auto& warnings = data["summary"]["warnings"];
  ASSERT_EQ(warnings.size(), 2U) << warnings;
  const std::string first = warnings[0], second = warnings[1];
  EXPECT_NE(first.find("'package://arm/a<b>.stl' is not drawn: not found in"), std::string::npos);
  EXPECT_NE(first.find((robot.path / "robot").string()), std::string::npos) << first;
  EXPECT_NE(second.find("bad.stl"), std::string::npos) << second;
  const std::string drawn = data["scene"]["drawn"];
  EXPECT_NE(drawn.find("r.urdf names meshes that are not there or cannot be read"),
            std::string::npos)
      << drawn;
  // a page holds no "<" of a name
  if (!reports_available()) return;
  const Scenario scenario = parse_scenario("duration: 0.01\nrobots: [{model: robot/r.urdf}]\n",
                                           (robot.path / "s.yaml").string());
  Report report;
  report.recording = run_scenario(scenario).recording;
  EXPECT_EQ(report_page(scenario, report).find("a<b>"), std::string::npos);
}

TEST(SceneMeshesTest, FoldersOfTheScenario) {
  const RobotFolder robot({shape("package://arm/meshes/a.stl")});
  robot.write("store/a.stl", binary_stl(box({0, 0, 0}, {1, 1, 1})));
  EXPECT_EQ(robot.data()["scene"]["meshes"].size(), 0U);
  EXPECT_EQ(robot.data("meshes: [store]\n")["scene"]["meshes"].size(), 1U);
}

// the most numbers, in base64, the most that is written of meshes, and the page itself with its
// names
TEST(SceneMeshesTest, APageStaysBelow15Megabytes) {
  if (!reports_available()) GTEST_SKIP() << "built without npm";
  const RobotFolder robot({shape("meshes/none.stl")});
  const Scenario scenario = parse_scenario("duration: 0.01\nrobots: [{model: robot/r.urdf}]\n",
                                           (robot.path / "s.yaml").string());
  Report report;
  report.recording = run_scenario(scenario).recording;
  EXPECT_LT(report_page(scenario, report).size() + most_numbers_drawn * 16 / 3 + most_mesh_text,
            15'000'000U);
}

TEST(SceneMeshesTest, ManyTrianglesAreThinnedOutToTheBudget) {
  const RobotFolder robot(
      {shape("meshes/a.stl"), shape("meshes/b.stl"), shape("meshes/c.stl"), shape("meshes/d.stl")});
  robot.write("robot/meshes/a.stl", binary_stl(torus(0.3, 0.1, 500, 200)));
  robot.write("robot/meshes/b.stl", binary_stl(ellipsoid({0.3, 0.2, 0.2}, 200, 250)));
  robot.write("robot/meshes/c.stl", binary_stl(torus(0.5, 0.1, 500, 200)));
  robot.write("robot/meshes/d.stl", binary_stl(box({0, 0, 0}, {1, 1, 1})));
  const Json data = robot.data();
  std::size_t triangles = 0, bytes = 0;
  for (const Json& entry : data["scene"]["meshes"]) {
    triangles += decoded(entry).triangles.size();
    bytes += entry.dump().size();
  }
  EXPECT_LE(triangles, most_drawn_triangles);
  EXPECT_GT(triangles, most_drawn_triangles * 7 / 10);
  EXPECT_LT(bytes, most_mesh_text + 10000);
  // the small one is whole, the others keep their shape
  EXPECT_EQ(decoded(data["scene"]["meshes"][3]).triangles.size(), 12U);
  const Inertia<double> ring = volume_moments(decoded(data["scene"]["meshes"][0]));
  EXPECT_NEAR(ring.m / (2 * 9.8696044 * 0.3 * 0.01), 1, 0.01);
  const std::string drawn = data["scene"]["drawn"];
  EXPECT_NE(drawn.find("meshes simplified from 499512 to "), std::string::npos) << drawn;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
