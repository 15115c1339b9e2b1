// What the SDF reader says about bad files, and that hostile ones end.
#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/sdf_text.hpp"

namespace LIMBER_TEST_FILE {

using limber::parse_sdf;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;
using namespace limber::test::sdf;

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> words;
};

const std::string ab = link_of("a") + link_of("b");
std::string hinge(const std::string& content) {
  return model(ab + joint("j", "revolute", "a", "b", content));
}

std::vector<Case> bad_files() {
  return {
      {"empty", "", {"is empty", "SDF"}},
      {"root", "<robot/>", {"bad.sdf:1", "<robot>", "<sdf>"}},
      {"unclosed", "<sdf version='1.9'>\n<model name='m'>", {"bad.sdf:2", "well-formed"}},
      {"no version", "<sdf/>", {"bad.sdf:1", "version"}},
      {"old", model(ab, "1.3"), {"1.3", "1.4 to 1.11", "gz sdf -p"}},
      {"version", model(ab, "1.x"), {"1.x", "1.4 to 1.11"}},
      {"two", model(ab, "2.0"), {"2.0", "1.4 to 1.11"}},
      {"no link", model(""), {"robot 'm'", "no <link>"}},
      {"two worlds",
       "<sdf version='1.9'><world name='a'/><world name='b'/></sdf>",
       {"second <world>"}},
      {"model and world",
       "<sdf version='1.9'><world name='a'/>\n<model name='m'/></sdf>",
       {"bad.sdf:2", "beside the <world>"}},
      {"number", model(link_of("a", pose("0 x 0 0 0 0"))), {"link 'a'", "<pose>", "'x'"}},
      {"infinite", model(link_of("a", pose("0 1e999 0 0 0 0"))), {"<pose>", "finite"}},
      {"count", model(link_of("a", pose("0 0 0"))), {"<pose>", "3 numbers", "6 expected"}},
      {"quaternion count",
       model(link_of("a", pose("0 0 0 0 0 0", "rotation_format='quat_xyzw'"))),
       {"6 numbers", "7 expected"}},
      {"zero quaternion",
       model(link_of("a", pose("0 0 0 0 0 0 0", "rotation_format='quat_xyzw'"))),
       {"quaternion", "zero"}},
      {"format", model(link_of("a", pose("", "rotation_format='zyx'"))), {"zyx", "euler_rpy"}},
      {"second pose", model(link_of("a", pose("") + pose(""))), {"second <pose>"}},
      {"flag", model("<static>yes</static>" + ab), {"<static>", "yes", "neither true nor false"}},
      {"mass", model("<link name='a'><inertial><mass>x</mass></inertial></link>"), {"<mass>"}},
      {"inertial frame",
       model("<link name='a'><inertial>" + pose("", "relative_to='b'") + "</inertial></link>"),
       {"<inertial>", "frame of its link"}},
      {"same name", model(link_of("a") + link_of("a")), {"second element named 'm::a'", "line 1"}},
      {"name of a joint",
       model(ab + joint("a", "fixed", "a", "b")),
       {"second element named", "names must differ"}},
      {"reserved", model(link_of("world")), {"'world'", "reserved"}},
      {"reserved too", model(link_of("__root__")), {"__root__", "reserved"}},
      {"no name", model("<link/>"), {"<link>", "name"}},
      {"relative",
       model(link_of("a", pose("", "relative_to='bb'")) + link_of("b")),
       {"link 'a'", "'bb' does not exist in this model", "did you mean 'b'"}},
      {"attached", model(ab + "<frame name='f' attached_to='c'/>"), {"frame 'f'", "'c'"}},
      {"canonical", model(ab, "1.9", "canonical_link='c'"), {"model 'm'", "'c' does not exist"}},
      {"canonical frame",
       model(ab + "<frame name='f'/>", "1.9", "canonical_link='f'"),
       {"canonical_link", "no link"}},
      {"placement", model(ab, "1.9", "placement_frame='c'"), {"model 'm'", "'c' does not exist"}},
      {"placement outside",
       model(link_of("a", pose("", "relative_to='world'")), "1.9", "placement_frame='a'"),
       {"placement frame 'a'", "not placed within"}},
      {"expressed", hinge("<axis><xyz expressed_in='c'>0 0 1</xyz></axis>"), {"joint 'j'", "'c'"}},
      {"zero axis", hinge("<axis><xyz>0 0 0</xyz></axis>"), {"joint 'j'", "axis is zero"}},
      {"limit", hinge("<axis><limit><lower>a</lower></limit></axis>"), {"<lower>a</lower>"}},
      {"no parent",
       model(ab + "<joint name='j' type='fixed'><child>b</child></joint>"),
       {"joint 'j'", "no <parent>"}},
      {"no child",
       model(ab + "<joint name='j' type='fixed'><parent>b</parent></joint>"),
       {"joint 'j'", "no <child>"}},
      {"no type",
       model(ab + "<joint name='j'><parent>a</parent><child>b</child></joint>"),
       {"joint 'j'", "type"}},
      {"extension",
       model(ab + "<drake:joint name='j' type='planar'/>"),
       {"<drake:joint name=\"j\">", "fall apart"}},
      {"type", model(ab + joint("j", "hinge", "a", "b")), {"hinge", "known are revolute"}},
      {"parent", model(ab + joint("j", "fixed", "c", "b")), {"joint 'j'", "'c' does not exist"}},
      {"child", model(ab + joint("j", "fixed", "a", "c")), {"joint 'j'", "'c' does not exist"}},
      {"child world", model(ab + joint("j", "fixed", "a", "world")), {"joint 'j'", "exchange"}},
      {"child on the world",
       model(ab + "<frame name='f' attached_to='world'/>" + joint("j", "fixed", "a", "f")),
       {"joint 'j'", "attached to the world"}},
      {"itself", model(ab + joint("j", "fixed", "a", "a")), {"joint 'j'", "same body, 'a'"}},
      {"thread",
       model(ab + joint("j", "screw", "a", "b", "<thread_pitch>0</thread_pitch>")),
       {"<thread_pitch>", "zero"}},
      {"mimic", hinge("<axis><mimic joint='a'/></axis>"), {"joint 'j'", "'a' is no joint"}},
      {"mimic axis",
       model(ab + link_of("c") + joint("k", "revolute", "a", "c", "<axis/>") +
             joint("j", "revolute", "a", "b", "<axis><mimic joint='k' axis='axis2'/></axis>")),
       {"<mimic>", "one freedom"}},
      {"gearbox alone",
       model(ab + link_of("c") +
             joint("j", "gearbox", "a", "b",
                   "<axis/><gearbox_reference_body>c</gearbox_reference_body>")),
       {"joint 'j'", "two revolute joints", "'c'", "'a'"}},
      {"gearbox without reference",
       model(ab + joint("j", "gearbox", "a", "b", "<axis/>")),
       {"gearbox_reference_body"}},
      {"gearbox axis",
       model(ab + link_of("c") + joint("ca", "revolute", "c", "a", "<axis/>") +
             joint("cb", "revolute", "c", "b", "<axis/>") +
             joint("j", "gearbox", "a", "b",
                   "<axis><xyz>1 0 0</xyz></axis><gearbox_reference_body>c"
                   "</gearbox_reference_body>")),
       {"joint 'j'", "not parallel", "'ca'"}},
      {"closing mimic",
       model(ab + joint("k", "revolute", "a", "b", "<axis/>") +
             joint("j", "revolute", "a", "b", "<axis><mimic joint='k'/></axis>")),
       {"joint 'j'", "closes a loop"}},
      {"auto", model("<link name='a'><inertial auto='true'/></link>", "1.11"), {"auto", "none"}},
      {"auto mesh",
       model("<link name='a'><inertial auto='true'/><collision name='c'><geometry><mesh><uri>x"
             "</uri></mesh></geometry></collision></link>",
             "1.11"),
       {"auto", "mesh 'x'", "not found", "write mass and inertia"}},
      {"auto plane",
       model("<link name='a'><inertial auto='true'/><collision name='c'><geometry><plane/>"
             "</geometry></collision></link>",
             "1.11"),
       {"auto", "boxes", "write mass and inertia"}},
      {"geometry", model(link_of("a", "<visual name='v'/>")), {"<visual>", "no <geometry>"}},
      {"radius",
       model(link_of("a",
                     "<visual name='v'><geometry><sphere><radius>-1</radius></sphere>"
                     "</geometry></visual>")),
       {"<radius>", "negative"}},
      {"bits",
       model(link_of("a",
                     "<collision name='c'><geometry><sphere/></geometry><surface><contact>"
                     "<collide_bitmask>-1</collide_bitmask></contact></surface></collision>")),
       {"collide_bitmask", "16 bits"}},
      {"include", model("<include><uri>model://x</uri></include>"), {"text cannot include"}},
      {"no uri", model("<include/>"), {"<include>", "no <uri>"}},
      {"parameters",
       model("<include><uri>x</uri><experimental:params/></include>"),
       {"experimental:params"}},
      {"population",
       "<sdf version='1.9'><world name='w'><population name='p'/></world></sdf>",
       {"<population>"}},
      {"xacro", model(link_of("a", pose("${x} 0 0 0 0 0"))), {"<pose>", "xacro"}},
  };
}

TEST(SdfMessages, EachDefectIsNamed) {
  for (const Case& bad : bad_files()) {
    SCOPED_TRACE(bad.name);
    expect_words(error_of([&] { build(parse_sdf(bad.text, "bad.sdf")); }), bad.words);
    expect_words(error_of([&] { build(parse_sdf(bad.text, "bad.sdf")); }), {"bad.sdf"});
  }
}

TEST(SdfMessages, SuspiciousThingsAreWarnedOf) {
  const auto warnings = [](const std::string& content, const std::string& version = "1.9") {
    return joined(parse(content, version).warnings);
  };
  expect_words(warnings(link_of("a"), "1.12"), {"robot.sdf:1", "1.12", "rules of 1.11"});
  expect_words(warnings(link_of("a", "<gravity>0</gravity>")), {"link 'a'", "<gravity>"});
  expect_words(warnings(link_of("a", "<kinematic>1</kinematic>")), {"<kinematic>"});
  expect_words(warnings(link_of("a", "<velocity_decay><linear>1</linear></velocity_decay>")),
               {"<velocity_decay>"});
  EXPECT_EQ(warnings(link_of("a", "<velocity_decay/><velocity_decay/>")), "");
  expect_words(warnings("<link name='a'><inertial><inertia/></inertial></link>"),
               {"link 'a'", "no <mass>", "1 kg"});
  expect_words(warnings("<link name='a'><inertial><mass>2</mass></inertial></link>"),
               {"no <inertia>", "1 kg m²"});
  expect_words(warnings(link_of("a", "<inertal/>")), {"<inertal>", "did you mean 'inertial'"});
  expect_words(warnings(link_of("a", "<visual name='v'><geometry><polyline/></geometry></visual>")),
               {"<polyline>", "left out"});
  expect_words(warnings(ab + joint("j", "revolute", "a", "b")), {"joint 'j'", "no <axis>"});
  expect_words(warnings(ab + joint("j", "screw", "a", "b", "<axis/>")), {"screw_thread_pitch"});
  expect_words(warnings(ab + "<frame name='f' attached_to='a'>" + pose("1 0 0 0 0 0") + "</frame>" +
                        joint("j", "revolute", "f", "b", "<axis/>")),
               {"joint 'j'", "parent frame 'f'", "only the link"});
  EXPECT_EQ(warnings(ab + joint("j", "revolute", "a", "b", pose("1 0 0 0 0 0") + "<axis/>")), "");
  // passed over on purpose
  const limber::Spec spec = parse(link_of("a") + "<plugin name='p' filename='x'/>");
  expect_words(joined(spec.ignored), {"<plugin> in <model>"});
  EXPECT_EQ(spec.format, "SDF 1.9");
}

TEST(SdfMessages, OldFilesMayNameAJointLikeALink) {
  const std::string content = link_of("a") + link_of("b", pose("1 0 0 0 0 0")) +
                              joint("b", "revolute", "a", "b", "<axis/>") +
                              "<frame name='f' attached_to='b'/>";
  EXPECT_EQ(parse(content, "1.6").frames.at(0).body, "b");
  const std::string before =
      joint("b", "revolute", "a", "b", "<axis/>") + link_of("a") + link_of("b");
  EXPECT_EQ(parse(before, "1.6").joints.at(0).child, "b");
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(SdfMessages, HostileFilesEnd) {
  expect_words(error_of([&] {
                 parse_sdf("<sdf version='1.9'>\n" + repeated("<model name='m'>", 100'000),
                           "deep.sdf");
               }),
               {"deep.sdf:2", "nested too deeply"});
  // full names do not grow without end
  std::string nested;
  for (int k = 0; k < 3; ++k) nested += "<model name='" + std::string(400, 'n') + "'>";
  for (int k = 0; k < 3; ++k) nested += "</model>";
  expect_words(error_of([&] { parse_sdf("<sdf version='1.9'>" + nested + "</sdf>", "long.sdf"); }),
               {"long.sdf:1", "full name", "1000"});
  // a star and a chain of many links
  std::string many;
  for (int k = 0; k < 3000; ++k) many += "<link name='l" + std::to_string(k) + "'/>";
  std::string chain = many;
  for (int k = 1; k < 3000; ++k)
    chain += joint("j" + std::to_string(k), "fixed", "l" + std::to_string(k - 1),
                   "l" + std::to_string(k));
  EXPECT_EQ(parse(many).joints.size(), 3000u);
  EXPECT_EQ(build(parse(chain)).nv, 6);
}

}  // namespace LIMBER_TEST_FILE
