// limber with meshes: which are there, and where they are looked for.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

const std::string triangle =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
    "endfacet\nendsolid s\n";

TEST(Meshes, InfoNamesThoseThatAreMissingOnce) {
  const fs::path folder = fs::temp_directory_path() / ("limber_meshes" + std::to_string(getpid()));
  fs::create_directories(folder / "arm/urdf");
  fs::create_directories(folder / "store");
  std::ofstream(folder / "store/b.stl", std::ios::binary) << triangle;
  const std::string shape =
      "<visual><geometry><mesh filename='package://tool/b.stl'/></geometry></visual>";
  const std::string file = (folder / "arm/urdf/arm.urdf").string();
  std::ofstream(file) << "<robot name='arm'><link name='base'>" << shape
                      << "</link><link name='tip'>" << shape
                      << "</link><joint name='j' type='fixed'><parent link='base'/><child "
                      << "link='tip'/></joint></robot>";
  const Outcome missing = run_limber({"info", file});
  ASSERT_EQ(missing.status, 0) << missing.err;
  for (const std::string& word :
       {std::string("meshes: 0 of 1 files are there"), std::string("--meshes FOLDER"),
        std::string("package://tool/b.stl: not found in"), (folder / "arm/tool").string()})
    EXPECT_NE(missing.out.find(word), std::string::npos) << word << "\n" << missing.out;
  EXPECT_EQ(missing.out.find("package://tool/b.stl"), missing.out.rfind("package://tool/b.stl"));
  const std::string store = (folder / "store").string();
  const Json info = run_limber({"info", file, "--meshes", store, "--json"}).lines().at(0);
  ASSERT_EQ(info["meshes"].size(), 1U);
  EXPECT_EQ(info["meshes"][0]["name"], "package://tool/b.stl");
  EXPECT_EQ(info["meshes"][0]["file"], store + "/b.stl");
  // a scenario, whose report draws it
  const std::string scenario = (folder / "s.yaml").string();
  std::ofstream(scenario) << "duration: 0.01\nrobots: [{model: arm/urdf/arm.urdf}]\n";
  const auto report = [&](const std::vector<std::string>& more) {
    const std::string out = (folder / ("out" + std::to_string(more.size()))).string();
    std::vector<std::string> words{"simulate", scenario, "-o", out};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = run_limber(words);
    EXPECT_EQ(run.status, 0) << run.err;
    std::ifstream page(out + "/report.html");
    return std::string(std::istreambuf_iterator<char>(page), {});
  };
  const std::string with = report({"--meshes", store}), without = report({});
  if (!with.empty()) {
    EXPECT_NE(with.find("\"vertices\":\"u16:"), std::string::npos);
    EXPECT_EQ(without.find("\"vertices\":\"u16:"), std::string::npos);
    EXPECT_NE(without.find("package://tool/b.stl"), std::string::npos);
  }
  fs::remove_all(folder);
}

// a cube with edges of 100 for a body of 1 kg: of 100 mm it is as heavy as water
TEST(Meshes, AReportDoubtsMillimetresThatAreReadAsMetres) {
  const fs::path folder = fs::temp_directory_path() / ("limber_large" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "cube.obj")
      << "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nv 0 0 100\nv 100 0 100\nv 100 100 100\n"
      << "v 0 100 100\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  std::ofstream(folder / "s.yaml") << "duration: 0.01\nrobots: [{model: ./r.urdf}]\n";
  const auto report = [&](const std::string& scale) {
    std::ofstream(folder / "r.urdf")
        << "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia "
           "ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry>"
           "<mesh filename='cube.obj' scale='"
        << scale
        << "'/></geometry></visual></link><joint name='j' type='continuous'><parent link='a'/>"
           "<child link='b'/><axis xyz='0 0 1'/></joint></robot>";
    const std::string out = (folder / "out").string();
    const Outcome run = run_limber({"simulate", (folder / "s.yaml").string(), "-o", out});
    EXPECT_EQ(run.status, 0) << run.err;
    std::ifstream page(out + "/report.html");
    return std::string(std::istreambuf_iterator<char>(page), {});
  };
  const std::string metres = report("1 1 1"), millimetres = report("0.001 0.001 0.001");
  if (!metres.empty()) {
    EXPECT_NE(metres.find("'cube.obj' of link 'b' is 100 m by 100 m by 100 m large"),
              std::string::npos);
    EXPECT_EQ(millimetres.find("if it is in millimetres"), std::string::npos);
  }
  fs::remove_all(folder);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
