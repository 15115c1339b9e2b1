// Mesh files: formats, units and axes, limits; and where they are found.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/error.hpp>
#include <limber/io/mesh_files.hpp>

#include "io/messages.hpp"
#include "support/assimp_leaks.hpp"
#include "support/meshes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

// a folder that is there while the test runs
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / ("limber_" + name + std::to_string(getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const fs::path& file, const std::string& text = "x") const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file, std::ios::binary) << text;
    return (path / file).string();
  }
  std::string operator/(const std::string& file) const { return (path / file).string(); }

  fs::path path;
};

const Mesh part = box({0, 0, 0}, {0.25, 0.5, 1});

// the corner that lies farthest out, and the volume
void expect_box(const Mesh& mesh, const Vec3<double>& corner) {
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.triangles.size(), 12U);
  EXPECT_EQ(defect_of(mesh), "");
  EXPECT_NEAR(volume_moments(mesh).m, std::abs(corner.x * corner.y * corner.z), 1e-6);
  const Vec3<double> com = volume_moments(mesh).com();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(com[k], corner[k] / 2, 1e-6) << k;
}

std::string refusal(const std::string& content, const std::string& file,
                    const MeshLimits& limits = {}) {
  try {
    parse_mesh(content, file, limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(MeshFiles, StlAndObjAreTakenAsTheyAre) {
  expect_box(parse_mesh(binary_stl(part), "a.stl"), {0.25, 0.5, 1});
  expect_box(parse_mesh(ascii_stl(part), "a.STL"), {0.25, 0.5, 1});
  expect_box(parse_mesh(obj(part), "a.obj"), {0.25, 0.5, 1});
  // four corners are two triangles
  const Mesh square = parse_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", "a.obj");
  EXPECT_EQ(square.triangles.size(), 2U);
}

TEST(MeshFiles, ColladaHasItsUnitAndItsNodes) {
  expect_box(parse_mesh(collada(part, ""), "a.dae"), {0.25, 0.5, 1});
  expect_box(parse_mesh(collada(part, "<unit name='centimeter' meter='0.01'/>"), "a.dae"),
             {0.0025, 0.005, 0.01});
  // robot files are written for programs that do not turn such files
  for (const char* axis : {"X_UP", "Y_UP", "Z_UP"})
    expect_box(parse_mesh(collada(part, fmt::format("<up_axis>{}</up_axis>", axis)), "a.dae"),
               {0.25, 0.5, 1});
  expect_box(parse_mesh(collada(part, "", "2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"), "a.dae"),
             {0.5, 0.5, 1});
  // a mirrored one is not inside out
  expect_box(parse_mesh(collada(part, "", "-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"), "a.dae"),
             {-0.25, 0.5, 1});
}

// a square as polygons of all kinds, and nodes that turn and move
TEST(MeshFiles, ColladaPolygonsAndTransforms) {
  const auto area_of = [](const std::string& list) {
    Mesh square;
    square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    std::string text = collada(square, "");
    const std::size_t from = text.find("<triangles"), to = text.find("</triangles>") + 12;
    text.replace(from, to - from, list);
    const std::string input =
        "<input semantic='VERTEX' source='#v' offset='1'/><input semantic='NORMAL' "
        "source='#p' offset='0'/>";
    for (std::size_t at = text.find("INPUT"); at != std::string::npos; at = text.find("INPUT"))
      text.replace(at, 5, input);
    const Mesh mesh = parse_mesh(text, "a.dae");
    double area = 0;  // seen from above
    for (const Mesh::Triangle& t : mesh.triangles)
      area += cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                    mesh.vertices[t[2]] - mesh.vertices[t[0]])
                  .z /
              2;
    return area;
  };
  EXPECT_DOUBLE_EQ(
      area_of("<polylist count='1'>INPUT<vcount>4</vcount><p>0 0 0 1 0 2 0 3</p></polylist>"), 1);
  EXPECT_DOUBLE_EQ(area_of("<polygons count='1'>INPUT<p>0 0 0 1 0 2 0 3</p></polygons>"), 1);
  EXPECT_DOUBLE_EQ(area_of("<trifans count='1'>INPUT<p>0 0 0 1 0 2 0 3</p></trifans>"), 1);
  EXPECT_DOUBLE_EQ(area_of("<tristrips count='1'>INPUT<p>0 0 0 1 0 3 0 2</p></tristrips>"), 1);
  std::string text = collada(part, "");
  text.replace(text.find("<matrix>"), text.find("</matrix>") + 9 - text.find("<matrix>"),
               "<translate>0 0 1</translate><rotate>0 0 2 90</rotate><scale>2 1 1</scale>");
  // x becomes y, twice as long; y becomes −x
  const Inertia<double> moved = volume_moments(parse_mesh(text, "a.dae"));
  EXPECT_NEAR(moved.m, 0.25, 1e-12);
  EXPECT_NEAR(moved.com().x, -0.25, 1e-12);
  EXPECT_NEAR(moved.com().y, 0.25, 1e-12);
  EXPECT_NEAR(moved.com().z, 1.5, 1e-12);
}

TEST(MeshFiles, TheYOfGltfPointsUp) {
  const std::string buffer = gltf_buffer(part);
  const std::string inside = gltf(part, "data:application/octet-stream;base64," + base64(buffer));
  expect_box(parse_mesh(inside, "a.gltf"), {0.25, -1, 0.5});
  std::string binary = gltf(part, "");
  binary.replace(binary.find(R"("uri":"",)"), 9, "");
  binary.append(4 - binary.size() % 4, ' ');
  std::string glb = "glTF";
  put_bytes(glb, std::uint32_t{2});
  put_bytes(glb, static_cast<std::uint32_t>(28 + binary.size() + buffer.size()));
  put_bytes(glb, static_cast<std::uint32_t>(binary.size()));
  glb += "JSON" + binary;
  put_bytes(glb, static_cast<std::uint32_t>(buffer.size()));
  glb += std::string("BIN\0", 4) + buffer;
  expect_box(parse_mesh(glb, "a.glb"), {0.25, -1, 0.5});
  // a buffer beside the file, and none elsewhere
  const Folder folder("gltf");
  folder.write("meshes/a.bin", buffer);
  folder.write("b.bin", buffer);
  expect_box(load_mesh(folder.write("meshes/a.gltf", gltf(part, "a.bin"))), {0.25, -1, 0.5});
  EXPECT_THROW(load_mesh(folder.write("meshes/b.gltf", gltf(part, "../b.bin"))), Error);
  EXPECT_THROW(load_mesh(folder.write("meshes/c.gltf", gltf(part, folder / "b.bin"))), Error);
  EXPECT_THROW(parse_mesh(gltf(part, folder / "b.bin"), "a.gltf"), Error);
}

TEST(MeshFiles, LimitsAreNamed) {
  const std::string stl = binary_stl(ellipsoid({1, 1, 1}, 20, 20));
  MeshLimits limits;
  limits.triangles = 100;
  expect_words(refusal(stl, "a.stl", limits), {"a.stl", "more than 100 triangles", "simplify"});
  limits = {};
  limits.bytes = 1000;
  expect_words(refusal(stl, "a.stl", limits), {"a.stl", "MB"});
  const Folder folder("limits");
  EXPECT_THROW(load_mesh(folder.write("a.stl", stl), limits), Error);
  expect_words(refusal("x", "a.msh"), {"a.msh", "'.msh'", ".stl", "convert"});
  expect_words(refusal("", "a.obj"), {"a.obj", "empty"});
  expect_words(refusal("hello", "a.dae"), {"a.dae", "XML"});
  expect_words(refusal("{}", "a.gltf"), {"a.gltf"});
  expect_words(refusal("v 0 0 0\nf 1 2 3\n", "a.obj"), {"a.obj"});
  expect_words(refusal("v 0 0 0\n", "a.obj"), {"a.obj"});
  EXPECT_THROW(load_mesh("/dev/zero.stl"), Error);
  EXPECT_THROW(load_mesh(folder / "none.stl"), Error);
}

// small files that stand for more than there is memory
TEST(MeshFiles, CopiesOfCopiesAreRefused) {
  std::string nodes = "[";
  for (int k = 0; k < 60; ++k) nodes += fmt::format(R"({{"children":[{0},{0}]}},)", k + 1);
  const std::string uri = "data:;base64," + base64(gltf_buffer(part));
  expect_words(refusal(gltf(part, uri, nodes + R"({"mesh":0}])"), "a.gltf"), {"child of two"});
  expect_words(refusal(gltf(part, uri, R"([{"children":[1]},{"children":[0]}])"), "a.gltf"),
               {"within itself"});
  std::string claims = gltf(part, uri);
  claims.replace(claims.find(R"("count":8)"), 9, R"("count":4000000000)");
  expect_words(refusal(claims, "a.gltf"), {"accessors claim"});

  std::string library = "<library_nodes>";
  for (int k = 0; k < 60; ++k)
    library += fmt::format(
        "<node id='n{0}'><instance_node url='#n{1}'/><instance_node url='#n{1}'/></node>", k,
        k + 1);
  library += "<node id='n60'><instance_geometry url='#g'/></node></library_nodes>";
  std::string dae = collada(part, "");
  dae.replace(dae.find("<node id=\"n\">"), 13, "<node id='n'><instance_node url='#n0'/>");
  dae.replace(dae.find("<library_visual_scenes>"), 0, library);
  expect_words(refusal(dae, "a.dae"), {"repeats others"});
  std::string no_number = collada(part, "");
  no_number.replace(no_number.find("<p>"), 3, "<p>0(1 ");
  expect_words(refusal(no_number, "a.dae"), {"<p>", "0(1", "no number"});
  // counts and places that the lists do not have
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = collada(part, "");
    return refusal(text.replace(text.find(from), from.size(), to), "a.dae");
  };
  expect_words(changed("count=\"8\" stride=\"3\"", "count=\"9\" stride=\"3\""),
               {"a.dae:", "<accessor>", "9 times 3 numbers", "of 24"});
  expect_words(changed("<p>0 2", "<p>0 8"), {"<p>", "vertex 8", "there are 8"});
  expect_words(changed("source=\"#a\"", "source=\"#v\""),
               {"<accessor>", "source=\"v\"", "<float_array>"});
  expect_words(changed("url=\"#g\"", "url=\"#h\""), {"<instance_geometry>", "<geometry>"});
  std::string itself = collada(part, "");
  itself.replace(itself.find("<node id=\"n\">"), 13, "<node id='n'><instance_node url='#n'/>");
  expect_words(refusal(itself, "a.dae"), {"repeats others"});
}

// --- where they are ---

MeshSearch search_from(const std::string& robot, const std::vector<std::string>& folders = {},
                       const std::vector<std::string>& packages = {}) {
  return {robot, folders, packages};
}

TEST(MeshSearchTest, PathsFromTheRobotsFolder) {
  const Folder folder("paths");
  const std::string robot = folder.write("arm/urdf/arm.urdf");
  const std::string beside = folder.write("arm/urdf/a.stl"),
                    above = folder.write("arm/meshes/b.stl");
  const std::string outside = folder.write("c.stl");
  const MeshSearch search = search_from(robot);
  EXPECT_EQ(find_mesh("a.stl", search).file, beside);
  EXPECT_EQ(find_mesh("./x/../a.stl", search).file, beside);
  EXPECT_EQ(find_mesh("../meshes/b.stl", search).file, above);
  EXPECT_EQ(find_mesh("file://" + above, search).file, above);
  EXPECT_EQ(find_mesh(above, search).file, above);
  // not beyond the folder above
  EXPECT_EQ(find_mesh("../../c.stl", search).file, "");
  EXPECT_EQ(find_mesh(outside, search).file, "");
  EXPECT_EQ(find_mesh("file://" + outside, search).file, "");
  // but where the user says so, or the package reaches
  EXPECT_EQ(find_mesh("../../c.stl", search_from(robot, {folder.path.string()})).file, outside);
  EXPECT_EQ(find_mesh(outside, search_from(robot, {folder.path.string()})).file, outside);
  folder.write("package.xml");
  EXPECT_EQ(find_mesh("../../c.stl", search).file, outside);
}

TEST(MeshSearchTest, LinksDoNotLeadOut) {
  const Folder folder("links");
  const std::string robot = folder.write("home/arm/arm.urdf");
  folder.write("secret.stl");
  fs::create_symlink(folder.path / "secret.stl", folder.path / "home/arm/a.stl");
  EXPECT_EQ(find_mesh("a.stl", search_from(robot)).file, "");
  // in folders that the user names they are his own
  EXPECT_EQ(find_mesh("a.stl", search_from(robot, {folder / "home/arm"})).file,
            folder / "home/arm/a.stl");
}

TEST(MeshSearchTest, Packages) {
  const Folder folder("packages");
  const std::string robot = folder.write("ws/src/arm_description/urdf/arm.urdf");
  const std::string own = folder.write("ws/src/arm_description/meshes/a.stl"),
                    sibling = folder.write("ws/src/tool/meshes/t.dae"),
                    other = folder.write("other/share/hand/meshes/h.obj"),
                    model = folder.write("models/box/meshes/b.dae"),
                    direct = folder.write("direct/d.stl");
  const MeshSearch search =
      search_from(robot, {}, {folder / "other", folder / "models", folder / "direct"});
  EXPECT_EQ(find_mesh("package://arm_description/meshes/a.stl", search).file, own);
  EXPECT_EQ(find_mesh("package://tool/meshes/t.dae", search).file, sibling);
  EXPECT_EQ(find_mesh("package://hand/meshes/h.obj", search).file, other);
  EXPECT_EQ(find_mesh("model://box/meshes/b.dae", search).file, model);
  EXPECT_EQ(find_mesh("package://direct/d.stl", search).file, direct);
  // the package in a folder of another name
  EXPECT_EQ(find_mesh("package://renamed/meshes/a.stl", search).file, own);
  for (const char* name : {"package://tool/../../../models/box/meshes/b.dae", "package://../x.stl",
                           "package:///etc/x.stl", "model://"})
    EXPECT_EQ(find_mesh(name, search).file, "") << name;
}

TEST(MeshSearchTest, FoldersOfTheUserHaveTheEndingsOfNames) {
  const Folder folder("endings");
  const std::string robot = folder.write("r/arm.urdf");
  const std::string flat = folder.write("m/a.stl"), deep = folder.write("m/arm/meshes/b.stl");
  const MeshSearch search = search_from(robot, {folder / "m"});
  EXPECT_EQ(find_mesh("package://arm/meshes/a.stl", search).file, flat);
  EXPECT_EQ(find_mesh("package://arm/meshes/b.stl", search).file, deep);
  EXPECT_EQ(find_mesh("../../../meshes/a.stl", search).file, flat);
  EXPECT_EQ(find_mesh("file:///home/someone/a.stl", search).file, flat);
  EXPECT_EQ(find_mesh("../m", search).file, "");
}

TEST(MeshSearchTest, APackageHasAName) {
  const Folder folder("unnamed_package");
  folder.write("x.stl");
  for (const char* name : {"package:///x.stl", "model:///x.stl", "package://"}) {
    const FoundMesh found =
        find_mesh(name, {folder / "r.urdf", {folder.path.string()}, {folder.path.string()}});
    EXPECT_EQ(found.file, "") << name;
    EXPECT_NE(describe(found).find("no package"), std::string::npos) << describe(found);
  }
}

TEST(MeshSearchTest, NothingIsFetchedAndPlacesAreNamed) {
  const Folder folder("fetched");
  const std::string robot = folder.write("arm.urdf");
  expect_words(describe(find_mesh("https://example.org/a.stl", search_from(robot))),
               {"https://", "nothing is fetched"});
  expect_words(
      describe(find_mesh("package://arm/a.stl", search_from(robot, {folder / "m"}, {"/p"}))),
      {"not found in", folder / "arm", folder / "m", "/p/arm"});
  expect_words(describe(find_mesh("a.stl", {})), {"no folder"});
}

TEST(MeshSearchTest, VariablesNameFolders) {
  setenv("GAZEBO_MODEL_PATH", "/one::/two", 1);
  setenv("AMENT_PREFIX_PATH", "/three", 1);
  const MeshSearch search = mesh_search("r.urdf", {"/four"});
  unsetenv("GAZEBO_MODEL_PATH");
  unsetenv("AMENT_PREFIX_PATH");
  EXPECT_EQ(search.folders, std::vector<std::string>{"/four"});
  for (const char* folder : {"/one", "/two", "/three"})
    EXPECT_EQ(std::count(search.packages.begin(), search.packages.end(), folder), 1) << folder;
  EXPECT_EQ(std::count(search.packages.begin(), search.packages.end(), ""), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
