// SDF files that include others: where they are looked for, how they are placed, and what is
// refused.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/sdf_text.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using limber::load_spec;
using limber::Spec;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;
using namespace limber::test::sdf;

class SdfFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(top_);
    fs::create_directories(folder_);
  }
  void TearDown() override {
    unsetenv("GZ_SIM_RESOURCE_PATH");
    fs::remove_all(top_);
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  const fs::path top_ =
      fs::temp_directory_path() /
      (std::string("limber_sdf_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path folder_ = top_ / "robot";
};

std::string include(const std::string& uri, const std::string& content = "",
                    const std::string& attributes = "") {
  return "<include " + attributes + "><uri>" + uri + "</uri>" + content + "</include>";
}
std::string file_of(const std::string& name, const std::string& content,
                    const std::string& attributes = "") {
  return "<sdf version='1.9'><model name='" + name + "' " + attributes + ">" + content +
         "</model></sdf>";
}

TEST_F(SdfFolder, AnIncludedModelIsNested) {
  write("wheel.sdf", file_of("wheel", pose("9 9 9 0 0 0") + link_of("rim", pose("0 0 1 0 0 0"))));
  const std::string main = write(
      "car.sdf", file_of("car", link_of("body") + include("wheel.sdf", pose("1 0 0 0 0 0")) +
                                    include("model://wheel.sdf",
                                            "<name>other</name>" +
                                                pose("2 0 0 0 0 0", "relative_to='wheel'")) +
                                    include("file://wheel.sdf", "<name>third</name>") +
                                    include("wheel.sdf",
                                            "<name>fourth</name><placement_frame>rim"
                                            "</placement_frame>" +
                                                pose("0 4 0 0 0 0")) +
                                    joint("axle", "revolute", "body", "wheel::rim", "<axis/>")));
  const Spec spec = load_spec(main);
  EXPECT_EQ(spec.name, "car");
  ASSERT_EQ(spec.bodies.size(), 5u);
  expect_near(where(spec, "wheel::rim").p, {1, 0, 1});
  expect_near(where(spec, "other::rim").p, {3, 0, 1});
  expect_near(where(spec, "third::rim").p, {9, 9, 10});
  expect_near(where(spec, "fourth::rim").p, {0, 4, 0});
  EXPECT_EQ(spec.bodies.at(1).source.file, (folder_ / "wheel.sdf").string());
}

TEST_F(SdfFolder, AnIncludedModelMayGetPluginsAboutWater) {
  const std::string plugin =
      "<plugin filename='gz-sim-hydrodynamics-system' name='gz::sim::systems::Hydrodynamics'>"
      "<link_name>rim</link_name><xU>-1</xU></plugin>";
  write("wheel.sdf", file_of("wheel", link_of("rim") + plugin));
  const std::string main =
      write("car.sdf", file_of("car", include("wheel.sdf", plugin) +
                                          include("wheel.sdf", "<name>b</name><plugin name='p'/>") +
                                          include("wheel.sdf", "<name>c</name>", "merge='true'")));
  const Spec spec = load_spec(main);
  ASSERT_EQ(spec.bodies.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(spec.bodies[k].hydrodynamics.value().linear_damping.value()[0][0], k == 0 ? 2 : 1);
  expect_words(joined(spec.ignored), {"<plugin> in <include>"});
}

TEST_F(SdfFolder, AMergedModelBringsItsContent) {
  write("hand.sdf",
        file_of("hand", link_of("palm", pose("0 0 1 0 0 0")) +
                            link_of("finger", pose("0 1 0 0 0 0", "relative_to='palm'")) +
                            "<frame name='own'>" + pose("", "relative_to='__model__'") +
                            "</frame>" + joint("bend", "revolute", "palm", "finger", "<axis/>")));
  const std::string main = write(
      "arm.sdf", file_of("arm", link_of("wrist", pose("5 0 0 0 0 0")) +
                                    include("hand.sdf", pose("1 0 0 0 0 0", "relative_to='wrist'"),
                                            "merge='true'") +
                                    joint("hold", "fixed", "wrist", "palm")));
  const Spec spec = load_spec(main);
  expect_near(where(spec, "palm").p, {6, 0, 1});
  expect_near(where(spec, "finger").p, {6, 1, 1});
  expect_near(where(spec, "own").p, {6, 0, 0});
  EXPECT_EQ(build(spec).nv, 7);
  // the version of each file counts for itself
  write("old.sdf", "<sdf version='1.4'><model name='old'>" + link_of("a", pose("0 0 0 0 0 1.2")) +
                       link_of("b", pose("0 0 0 1.2 0 0")) +
                       joint("j", "revolute", "a", "b", "<axis><xyz>0 0 1</xyz></axis>") +
                       "</model></sdf>");
  const Spec old = load_spec(write("new.sdf", file_of("new", include("old.sdf"))));
  for (const limber::JointSpec& one : old.joints)
    if (one.name == "old::j") expect_near(one.placement.R * one.axis, {0, 0, 1});
}

TEST_F(SdfFolder, AFolderIsAModelByItsConfiguration) {
  write("models/leg/model.config",
        "<model><name>leg</name><sdf version='1.5'>old.sdf</sdf><sdf version='1.9'>new.sdf</sdf>"
        "</model>");
  write("models/leg/new.sdf",
        file_of("leg", link_of("shank",
                               "<visual name='v'><geometry><mesh><uri>shank.stl</uri></mesh>"
                               "</geometry></visual>")));
  write("models/foot/model.sdf", file_of("foot", link_of("sole")));
  const std::string main =
      write("main.sdf", "<sdf version='1.9'><world name='w'>" + include("models/leg") +
                            include("models/foot", "<static>true</static>") + "</world></sdf>");
  const Spec spec = load_spec(main);
  ASSERT_EQ(spec.bodies.size(), 2u);
  EXPECT_EQ(spec.bodies[0].name, "leg::shank");
  EXPECT_EQ(build(spec).nv, 6);  // the foot stands
  EXPECT_EQ(spec.bodies[0].shapes.at(0).mesh_file, "models/leg/shank.stl");
}

TEST_F(SdfFolder, FoldersAreNamedByTheEnvironment) {
  const fs::path elsewhere = top_ / "elsewhere";
  fs::create_directories(elsewhere / "arm");
  std::ofstream(elsewhere / "arm" / "model.sdf") << file_of("arm", link_of("upper"));
  const std::string main = write("main.sdf", file_of("m", include("model://arm")));
  expect_words(error_of([&] { load_spec(main); }), {"main.sdf:1", "model://arm", "not found",
                                                    folder_.string(), "GZ_SIM_RESOURCE_PATH"});
  setenv("GZ_SIM_RESOURCE_PATH", ("/nowhere:" + elsewhere.string()).c_str(), 1);
  EXPECT_EQ(load_spec(main).bodies.at(0).name, "arm::upper");
}

TEST_F(SdfFolder, NoPathLeavesTheFolders) {
  fs::create_directories(top_ / "outside");
  std::ofstream(top_ / "outside" / "model.sdf") << file_of("x", link_of("l"));
  for (const std::string uri : {"../outside/model.sdf", "a/../../outside", "model://../outside",
                                "file:///etc/passwd", "/etc/passwd", "model:///etc/passwd"}) {
    const std::string main = write("main.sdf", file_of("m", include(uri)));
    expect_words(error_of([&] { load_spec(main); }), {"main.sdf:1", uri, "leads out"});
  }
  const std::string net = write("net.sdf", file_of("m", include("https://fuel.example/arm")));
  expect_words(error_of([&] { load_spec(net); }), {"not on this machine"});
  write("sly/model.config", "<model><sdf version='1.9'>../../outside/model.sdf</sdf></model>");
  const std::string sly = write("sly.sdf", file_of("m", include("sly")));
  expect_words(error_of([&] { load_spec(sly); }), {"model.config", "outside of its folder"});
}

TEST_F(SdfFolder, IncludesEnd) {
  const std::string self = write("self.sdf", file_of("m", include("self.sdf")));
  expect_words(error_of([&] { load_spec(self); }), {"self.sdf", "includes itself"});
  write("a.sdf", file_of("a", include("b.sdf")));
  write("b.sdf", file_of("b", include("a.sdf")));
  expect_words(error_of([&] { load_spec((folder_ / "a.sdf").string()); }), {"includes itself"});
  // each file includes the next one three times
  for (int k = 0; k < 30; ++k) {
    std::string content;
    for (const char* name : {"x", "y", "z"})
      content +=
          include("f" + std::to_string(k + 1) + ".sdf", std::string("<name>") + name + "</name>");
    write("f" + std::to_string(k) + ".sdf", file_of("f", content));
  }
  write("f30.sdf", file_of("f", link_of("l")));
  expect_words(error_of([&] { load_spec((folder_ / "f0.sdf").string()); }),
               {"more than 1000 includes"});
  // a chain of 200 files
  for (int k = 0; k < 200; ++k)
    write("g" + std::to_string(k) + ".sdf",
          file_of("g", include("g" + std::to_string(k + 1) + ".sdf")));
  write("g200.sdf", file_of("g", link_of("l")));
  expect_words(error_of([&] { load_spec((folder_ / "g0.sdf").string()); }),
               {"nested more than 100 deep"});
  expect_words(error_of([&] { load_spec((folder_ / "none.sdf").string()); }), {"no such file"});
}

TEST_F(SdfFolder, OtherFilesAreRefused) {
  write("two.sdf", "<sdf version='1.9'><model name='a'/><model name='b'/></sdf>");
  write("arm.urdf", "<robot name='a'><link name='l'/></robot>");
  expect_words(error_of([&] { load_spec(write("main.sdf", file_of("m", include("two.sdf")))); }),
               {"two.sdf", "2 <model>s", "one"});
  expect_words(error_of([&] { load_spec(write("main.sdf", file_of("m", include("arm.urdf")))); }),
               {"arm.urdf:1", "<robot>", "<sdf>"});
  expect_words(
      error_of([&] {
        load_spec(write("main.sdf", "<sdf version='1.9'><world name='w'>" +
                                        include("two.sdf", "", "merge='true'") + "</world></sdf>"));
      }),
      {"two.sdf"});
}

}  // namespace LIMBER_TEST_FILE
