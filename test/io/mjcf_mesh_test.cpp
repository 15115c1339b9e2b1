// MJCF: masses by meshes. What MuJoCo makes of them is compared in mjcf_oracle_test.cpp.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/mjcf_text.hpp"
#include "support/meshes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using mjcf::expect_near;
using mjcf::parse;

// a mesh in the file itself
std::string inline_asset(const Mesh& mesh, const std::string& more) {
  std::string vertices, faces;
  for (const Vec3<double>& p : mesh.vertices) vertices += fmt::format("{} {} {} ", p.x, p.y, p.z);
  for (const Mesh::Triangle& t : mesh.triangles)
    faces += fmt::format("{} {} {} ", t[0], t[1], t[2]);
  return fmt::format("<asset><mesh name='m' vertex='{}' face='{}' {}/></asset>", vertices, faces,
                     more);
}
Inertia<double> mass_by(const Mesh& mesh, const std::string& more,
                        const std::string& geom = "density='2'") {
  return parse("<body><geom type='mesh' mesh='m' " + geom + "/></body>", inline_asset(mesh, more))
      .bodies.at(0)
      .inertia;
}

TEST(MjcfMesh, RulesOfVolume) {
  const Mesh block = box({0, 0, 0}, {0.5, 1, 2});
  for (const char* rule : {"convex", "exact", "legacy"}) {
    const Inertia<double> I = mass_by(block, fmt::format("inertia='{}'", rule));
    EXPECT_NEAR(I.m, 2, 1e-12) << rule;
    expect_near(I.com(), {0.25, 0.5, 1}, 1e-12);
    EXPECT_NEAR(I.rotational_about_com().zz, 2 * 1.25 / 12, 1e-12) << rule;
  }
  // density per area: two faces of each size
  EXPECT_NEAR(mass_by(block, "inertia='shell'").m, 2 * 2 * (0.5 + 1 + 2), 1e-12);
  EXPECT_NEAR(mass_by(block, "", "mass='7'").m, 7, 1e-12);
  EXPECT_NEAR(mass_by(block, "scale='2 -1 3'").m, 12, 1e-12);
  expect_near(mass_by(block, "scale='2 -1 3' refpos='0.5 0 0'").com(), {-0.5, -0.5, 3}, 1e-12);
  // a ring: its hull has no hole, and its pyramids count what is outside too
  const Mesh ring = torus(1, 0.25, 24, 16);
  const double exact = mass_by(ring, "inertia='exact'").m;
  EXPECT_GT(mass_by(ring, "inertia='convex'").m, 1.3 * exact);
  EXPECT_GT(mass_by(ring, "").m, 1.3 * exact);
}

TEST(MjcfMesh, OpenMeshes) {
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  expect_words(error_of([&] { mass_by(open, "inertia='exact'"); }),
               {"mesh 'm'", "not closed", "<inertial>"});
  EXPECT_NEAR(mass_by(open, "inertia='convex'").m, 2, 1e-12);
  // MuJoCo's rule of old gives something, and the reader says so
  const Spec spec = parse("<body><geom type='mesh' mesh='m'/></body>", inline_asset(open, ""));
  expect_words(joined(spec.warnings), {"mesh 'm'", "not closed", "legacy"});
}

TEST(MjcfMesh, FilesAreFoundFromTheMainFile) {
  const fs::path folder =
      fs::temp_directory_path() / ("limber_mjcf_mesh" + std::to_string(getpid()));
  fs::create_directories(folder / "robot/assets");
  fs::create_directories(folder / "elsewhere");
  std::ofstream(folder / "robot/assets/a.stl", std::ios::binary)
      << binary_stl(box({0, 0, 0}, {1, 2, 4}));
  std::ofstream(folder / "elsewhere/b.obj") << obj(box({0, 0, 0}, {1, 1, 1}));
  const std::string file = (folder / "robot/r.xml").string();
  const auto write = [&](const std::string& mesh) {
    std::ofstream(file)
        << "<mujoco><compiler meshdir='assets'/><asset><mesh name='m' scale='0.5 0.5 "
           "0.5' file='"
        << mesh << "'/></asset><worldbody><body name='part'><geom type='mesh' "
        << "mesh='m'/></body></worldbody></mujoco>";
  };
  write("a.stl");
  EXPECT_NEAR(load_spec(file).bodies.at(0).inertia.m, 1000, 1e-9);
  EXPECT_EQ(load_spec(file).bodies.at(0).shapes.at(0).mesh_file, "assets/a.stl");
  write("b.obj");
  expect_words(error_of([&] { load_spec(file); }),
               {"body 'part'", "mesh 'm'", "assets/b.obj", "not found in",
                (folder / "robot/assets").string(), "--meshes"});
  EXPECT_NEAR(load_spec(file, {{(folder / "elsewhere").string()}}).bodies.at(0).inertia.m, 125,
              1e-9);
  fs::remove_all(folder);
}

TEST(MjcfMesh, WhatIsNotReadIsNamed) {
  const auto refusal = [](const std::string& mesh, const std::string& geom = "") {
    return error_of([&] {
      parse("<body name='b'><geom type='mesh' mesh='m' " + geom + "/></body>",
            "<asset><mesh name='m' " + mesh + "/></asset>");
    });
  };
  expect_words(refusal("builtin='sphere'"), {"body 'b'", "builtin"});
  expect_words(refusal(""), {"neither a file nor vertices"});
  expect_words(refusal("vertex='0 0 0 1'"), {"vertex", "4 numbers"});
  expect_words(refusal("vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'"), {"vertex 3", "there are 3"});
  expect_words(refusal("vertex='0 0 0 1 0 0 0 1 0 1 1 0'"), {"one plane"});
  expect_words(refusal("vertex='0 0 0 1 0 0 0 1 0 0 0 1'", "shellinertia='true'"),
               {"inertia=\"shell\""});
  expect_words(refusal("inertia='round' vertex='0 0 0'"), {"inertia", "legacy"});
}

TEST(MjcfMesh, PrimitivesAreFittedToTheBoxOfEqualInertia) {
  const std::string asset = inline_asset(box({0, 0, 0}, {1, 4, 2}), "");
  const Spec spec =
      parse("<body><geom type='box' mesh='m' pos='0 0 1' fitscale='0.5'/></body>", asset);
  const ShapeSpec& shape = spec.bodies.at(0).shapes.at(0);
  EXPECT_EQ(shape.kind, ShapeSpec::Kind::box);
  expect_near(shape.size, {0.5, 1, 2}, 1e-12);  // the longest edge is z
  expect_near(shape.placement.p, {0.5, 2, 2}, 1e-12);
  EXPECT_NEAR(std::abs(shape.placement.R.yz), 1, 1e-12);
  EXPECT_NEAR(spec.bodies.at(0).inertia.m, 1000, 1e-9);
  const auto missing = [](const std::string& geom) {
    return parse("<body><geom type='box' mesh='m' " + geom + "/><geom size='1'/></body>",
                 "<asset><mesh name='m' file='a.stl'/></asset>");
  };
  expect_words(error_of([&] { missing(""); }), {"fitted to mesh 'm'", "a.stl", "<inertial>"});
  EXPECT_EQ(missing("mass='0'").bodies.at(0).shapes.size(), 1U);
  expect_words(joined(missing("mass='0'").warnings), {"left out", "mesh 'm'", "a.stl"});
}

TEST(MjcfMesh, FoldersInNamesMayBeStrippedOff) {
  const auto file = [](const std::string& compiler) {
    return parse("<body><geom type='mesh' mesh='a' mass='0'/><geom size='1'/></body>",
                 "<compiler " + compiler + "/><asset><mesh file='x/y/a.stl'/></asset>")
        .bodies.at(0)
        .shapes.at(0)
        .mesh_file;
  };
  EXPECT_EQ(file("meshdir='m'"), "m/x/y/a.stl");
  EXPECT_EQ(file("meshdir='m' strippath='true'"), "m/a.stl");
}

// the place of a mesh that MuJoCo moves before it scales it
TEST(MjcfMesh, ReferencesMoveTheShape) {
  const Spec spec = parse(
      "<body pos='0 0 1'><geom type='mesh' mesh='m' pos='1 0 0' mass='0'/><geom size='1'/></body>",
      "<asset><mesh name='m' file='a.stl' refpos='0.5 0 0' refquat='1 0 0 1' scale='2 2 "
      "2'/></asset>");
  const ShapeSpec& shape = spec.bodies.at(0).shapes.at(0);
  // the point (0.5, 1, 0) of the file: 1 along y of what is turned by −90° about z, so along x
  const Vec3<double> p = transform_point(shape.placement, Vec3<double>{1, 2, 0});
  expect_near(p, {3, 0, 0}, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
