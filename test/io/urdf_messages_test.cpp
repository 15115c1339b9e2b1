// What the URDF reader says about bad texts: line, element, what is wrong, what to do.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::parse_urdf;
using limber::Spec;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> words;
};

class UrdfError : public testing::TestWithParam<Case> {};
class UrdfWarning : public testing::TestWithParam<Case> {};

TEST_P(UrdfError, NamesTheDefect) {
  expect_words(error_of([&] { parse_urdf(GetParam().text, "bad.urdf"); }), GetParam().words);
}

TEST_P(UrdfWarning, NamesTheDefect) {
  expect_words(joined(parse_urdf(GetParam().text, "odd.urdf").warnings), GetParam().words);
}

// the parts stand in line 2 and after
std::string robot(const std::string& inside) {
  return "<robot name=\"r\">\n" + inside + "\n</robot>\n";
}

// the joint is in line 4, its own parts begin in line 6
std::string with_joint(const std::string& attributes, const std::string& inside) {
  return robot("<link name=\"a\"/>\n<link name=\"b\"/>\n<joint " + attributes +
               ">\n<parent link=\"a\"/><child link=\"b\"/>\n" + inside + "\n</joint>");
}

std::string elbow(const std::string& inside) {
  return with_joint("name=\"elbow\" type=\"revolute\"", inside);
}

// the link is in line 2, its parts in line 3
std::string with_link(const std::string& inside) {
  return robot("<link name=\"arm\">\n" + inside + "\n</link>");
}

const Case errors[] = {
    {"empty", "", {"bad.urdf", "empty"}},
    {"blank", " \n\t", {"bad.urdf", "empty"}},
    {"binary",
     std::string("\x7f"
                 "ELF\0\0",
                 6),
     {"bad.urdf", "binary"}},
    {"no_xml", "hello", {"bad.urdf", "XML"}},
    {"only_comment", "<!-- nothing -->", {"bad.urdf", "no XML element"}},
    {"unclosed", "<robot name=\"r\">\n<link name=\"a\">\n</robot>", {"bad.urdf:2", "XML"}},
    {"quote", "<robot name=\"r\">\n<link name=a/></robot>", {"bad.urdf:2", "XML"}},
    {"twice_attribute",
     "<robot name=\"r\">\n<link name=\"a\" name=\"b\"/></robot>",
     {"bad.urdf:2", "XML"}},
    {"two_roots", "<robot name=\"r\"/>\n<robot name=\"s\"/>", {"bad.urdf:2", "second root"}},
    {"mujoco", "<mujoco/>", {"bad.urdf:1", "MJCF", "URDF"}},
    {"sdf", "<sdf/>", {"bad.urdf:1", "SDF"}},
    {"html", "<html/>", {"bad.urdf:1", "<html>", "<robot>"}},
    {"no_link", "<robot name=\"r\">\n<group/></robot>", {"bad.urdf:1", "robot 'r'", "no <link>"}},
    {"xacro_element",
     robot("<xacro:macro name=\"x\"/>"),
     {"bad.urdf:2", "<xacro:macro>", "run xacro first"}},
    {"xacro_value",
     elbow("<origin xyz=\"${x} 0 0\"/>"),
     {"bad.urdf:6", "joint 'elbow'", "origin xyz", "run xacro first"}},
    {"xacro_argument",
     with_link("<visual><geometry><mesh filename=\"$(arg mesh)\"/></geometry></visual>"),
     {"bad.urdf:3", "link 'arm'", "run xacro first"}},
    {"drake_joint",
     robot("<link name=\"a\"/>\n<drake:joint name=\"ball\" type=\"ball\"/>"),
     {"bad.urdf:3", "drake:joint", "\"ball\"", "YAML"}},
    {"unnamed_link", robot("<link/>"), {"bad.urdf:2", "<link>", "name"}},
    {"empty_name", robot("<link name=\"\"/>"), {"bad.urdf:2", "name", "empty"}},
    {"unnamed_joint", with_joint("type=\"fixed\"", ""), {"bad.urdf:4", "<joint>", "name"}},
    {"no_type", with_joint("name=\"elbow\"", ""), {"bad.urdf:4", "joint 'elbow'", "type"}},
    {"bad_type",
     with_joint("name=\"elbow\" type=\"revolut\"", ""),
     {"bad.urdf:4", "joint 'elbow'", "revolut",
      "revolute, continuous, prismatic, fixed, planar, floating", "did you mean 'revolute'"}},
    {"no_parent",
     robot("<joint name=\"elbow\" type=\"fixed\">\n<child link=\"b\"/></joint>"),
     {"bad.urdf:2", "joint 'elbow'", "no <parent>", "<parent link="}},
    {"no_child",
     robot("<joint name=\"elbow\" type=\"fixed\">\n<parent link=\"b\"/></joint>"),
     {"bad.urdf:2", "joint 'elbow'", "no <child>"}},
    {"nameless_parent",
     robot("<joint name=\"elbow\" type=\"fixed\">\n<parent/><child link=\"b\"/></joint>"),
     {"bad.urdf:3", "joint 'elbow'", "<parent>", "link"}},
    {"two_numbers",
     elbow("<axis xyz=\"0 0\"/>"),
     {"bad.urdf:6: joint 'elbow': axis xyz=\"0 0\" has 2 numbers, 3 expected"}},
    {"four_numbers", elbow("<axis xyz=\"0 0 1 0\"/>"), {"bad.urdf:6", "has 4 numbers, 3 expected"}},
    {"comma",
     elbow("<axis xyz=\"0,0,1\"/>"),
     {"bad.urdf:6", "joint 'elbow'", "'0,0,1' is not a finite number"}},
    {"bracket",
     elbow("<origin rpy=\"0 0 1 }\"/>"),
     {"bad.urdf:6", "joint 'elbow'", "origin rpy", "'}'"}},
    {"nan", elbow("<origin xyz=\"0 nan 1\"/>"), {"bad.urdf:6", "joint 'elbow'", "'nan'"}},
    {"inf",
     elbow("<limit lower=\"-inf\" upper=\"1\"/>"),
     {"bad.urdf:6", "joint 'elbow'", "limit lower", "'-inf'"}},
    {"overflow", elbow("<limit upper=\"1e999\"/>"), {"bad.urdf:6", "limit upper", "'1e999'"}},
    {"no_axis_xyz", elbow("<axis/>"), {"bad.urdf:6", "joint 'elbow'", "<axis>", "xyz"}},
    {"late_attribute",
     elbow("<origin\n xyz=\"0 0 0\"\n rpy=\"0 0 x\"/>"),
     {"bad.urdf:8", "origin rpy", "'x'"}},
    {"two_origins",
     elbow("<origin/>\n<origin/>"),
     {"bad.urdf:7", "joint 'elbow'", "second <origin>", "line 6"}},
    {"many_dampings",
     elbow("<dynamics damping=\"1 2\"/>"),
     {"bad.urdf:6", "damping", "2 numbers, 1 expected"}},
    {"mimic_nobody",
     elbow("<mimic multiplier=\"2\"/>"),
     {"bad.urdf:6", "joint 'elbow'", "<mimic>", "joint"}},
    {"no_mass",
     with_link("<inertial><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"),
     {"bad.urdf:3", "link 'arm'", "no <mass>"}},
    {"no_mass_value",
     with_link("<inertial><mass/></inertial>"),
     {"bad.urdf:3", "link 'arm'", "<mass>", "value"}},
    {"bad_mass",
     with_link("<inertial><mass value=\"1kg\"/></inertial>"),
     {"bad.urdf:3", "mass value", "'1kg'"}},
    {"no_izz",
     with_link("<inertial><mass value=\"1\"/>\n<inertia ixx=\"1\" iyy=\"1\"/></inertial>"),
     {"bad.urdf:4", "link 'arm'", "izz"}},
    {"two_inertials",
     with_link("<inertial><mass value=\"1\"/></inertial>\n<inertial/>"),
     {"bad.urdf:4", "link 'arm'", "second <inertial>"}},
    {"no_geometry", with_link("<visual/>"), {"bad.urdf:3", "link 'arm'", "no <geometry>"}},
    {"negative_radius",
     with_link("<visual><geometry><sphere radius=\"-1\"/></geometry></visual>"),
     {"bad.urdf:3", "radius", "negative"}},
    {"three_colours",
     with_link("<visual><geometry><sphere radius=\"1\"/></geometry>"
               "<material name=\"m\"><color rgba=\"1 0 0\"/></material></visual>"),
     {"bad.urdf:3", "link 'arm'", "rgba", "3 numbers, 4 expected"}},
    {"zero_gear",
     robot("<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent "
           "link=\"a\"/>"
           "<child link=\"b\"/></joint>\n<transmission name=\"t\"><joint name=\"j\"/><actuator>"
           "<mechanicalReduction>0</mechanicalReduction></actuator></transmission>"),
     {"bad.urdf:3", "transmission 't'", "mechanicalReduction", "zero"}},
    {"word_gear",
     robot("<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent "
           "link=\"a\"/>"
           "<child link=\"b\"/></joint>\n<transmission name=\"t\"><joint name=\"j\"/><actuator>"
           "<mechanicalReduction>1:50</mechanicalReduction></actuator></transmission>"),
     {"bad.urdf:3", "transmission 't'", "1:50", "finite number"}},
};

const Case warnings[] = {
    {"misspelt_inertial",
     with_link("<inertal/>"),
     {"odd.urdf:3", "link 'arm'", "<inertal>", "did you mean 'inertial'"}},
    {"misspelt_joint",
     robot("<link name=\"a\"/>\n<jiont name=\"j\"/>"),
     {"odd.urdf:3", "<jiont>", "did you mean 'joint'"}},
    {"misspelt_limit",
     elbow("<limits lower=\"0\" upper=\"1\"/>"),
     {"odd.urdf:6", "joint 'elbow'", "<limits>", "did you mean 'limit'", "without <limit>"}},
    {"misspelt_attribute",
     elbow("<limit lowr=\"0\" upper=\"1\"/>"),
     {"odd.urdf:6", "joint 'elbow'", "lowr", "did you mean 'lower'"}},
    {"no_limit", elbow(""), {"odd.urdf:4", "joint 'elbow'", "without <limit>", "continuous"}},
    {"empty_limit",
     elbow("<limit effort=\"1\" velocity=\"1\"/>"),
     {"odd.urdf:6", "joint 'elbow'", "neither lower nor upper"}},
    {"extension", with_link("<drake:proximity/>"), {"odd.urdf:3", "link 'arm'", "drake:proximity"}},
    {"no_name", "<robot>\n<link name=\"a\"/></robot>", {"odd.urdf:1", "no name"}},
    {"declaration",
     "<?xml verison=\"1.0\"?>" + robot("<link name=\"a\"/>"),
     {"odd.urdf:1", "verison", "version"}},
    {"point_mass",
     with_link("<inertial><mass value=\"1\"/></inertial>"),
     {"odd.urdf:3", "link 'arm'", "no <inertia>"}},
    {"mirrored_inertia",
     with_link("<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0.1\" "
               "iyx=\"0.2\"/></inertial>"),
     {"odd.urdf:3", "link 'arm'", "ixy", "iyx"}},
    {"unknown_shape",
     with_link("<visual><geometry><sphree radius=\"1\"/></geometry></visual>"),
     {"odd.urdf:3", "link 'arm'", "<sphree>", "did you mean 'sphere'"}},
    {"empty_geometry",
     with_link("<visual><geometry/></visual>"),
     {"odd.urdf:3", "link 'arm'", "0 shapes"}},
    {"unknown_material",
     with_link(
         "<visual><geometry><sphere radius=\"1\"/></geometry><material name=\"chrome\"/></visual>"),
     {"odd.urdf:3", "link 'arm'", "'chrome'"}},
    {"default_of_xacro",
     elbow("<origin xyz=\"$(optenv X 1 2 3)\"/>"),
     {"odd.urdf:6", "joint 'elbow'", "xacro", "default"}},
    {"drake_rotor",
     robot("<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent "
           "link=\"a\"/>"
           "<child link=\"b\"/></joint>\n<transmission name=\"t\"><joint name=\"j\"/><actuator>"
           "<drake:rotor_inertia value=\"1\"/></actuator></transmission>"),
     {"odd.urdf:3", "transmission 't'", "drake:rotor_inertia"}},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Urdf, UrdfError, testing::ValuesIn(errors), name_of);
INSTANTIATE_TEST_SUITE_P(Urdf, UrdfWarning, testing::ValuesIn(warnings), name_of);

TEST(UrdfMessages, DeepNestingIsRefused) {
  std::string text = "<robot name=\"r\">";
  for (int i = 0; i < 100000; ++i) text += "<a>";
  expect_words(error_of([&] { parse_urdf(text, "deep.urdf"); }),
               {"deep.urdf", "nested too deeply"});
}

TEST(UrdfMessages, WarningsOfOneKindAreCounted) {
  std::string inside;
  for (int i = 0; i < 30; ++i)
    inside += "<link name=\"l" + std::to_string(i) + "\"><inertal/></link>\n";
  const Spec spec = parse_urdf(robot(inside), "odd.urdf");
  ASSERT_EQ(spec.warnings.size(), 1u);
  expect_words(spec.warnings[0], {"odd.urdf:2: link 'l0'", "and 29 more"});
}

// what the reader takes and the builder doubts still has its line
TEST(UrdfMessages, DoubtfulLimitsAreWarnedOfWhenBuilt) {
  auto warnings = [](const std::string& inside) {
    return joined(build(parse_urdf(elbow(inside), "odd.urdf")).warnings);
  };
  expect_words(warnings("<limit lower=\"2\" upper=\"1\"/>"),
               {"odd.urdf:4", "joint 'elbow'", "above"});
  expect_words(warnings("<limit lower=\"0\" upper=\"1\" effort=\"-5\"/>"),
               {"odd.urdf:4", "joint 'elbow'", "negative"});
  expect_words(warnings("<dynamics damping=\"-1\"/>"), {"odd.urdf:4", "joint 'elbow'", "negative"});
}

TEST(UrdfMessages, WhatDoesNotFitTogetherIsRefusedWhenBuilt) {
  auto refusal = [](const std::string& text) {
    return error_of([&] { build(parse_urdf(text, "bad.urdf")); });
  };
  expect_words(refusal(elbow("<axis xyz=\"0 0 0\"/>")),
               {"bad.urdf:4", "joint 'elbow'", "axis", "zero"});
  expect_words(refusal(elbow("<mimic joint=\"elbw\"/>")),
               {"bad.urdf:4", "'elbw'", "did you mean 'elbow'"});
  expect_words(refusal(robot(
                   "<link name=\"base_link\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"fixed\">"
                   "<parent link=\"base_lnk\"/><child link=\"b\"/></joint>")),
               {"bad.urdf:3", "joint 'j'", "'base_lnk'", "did you mean 'base_link'"});
  expect_words(refusal(robot("<link name=\"a\"/>\n<link name=\"a\"/>")),
               {"bad.urdf:3", "link 'a'", "second"});
  expect_words(refusal(robot("<link name=\"a\"><inertial><mass value=\"-1\"/></inertial></link>")),
               {"bad.urdf:2", "link 'a'", "mass", "negative"});
}

TEST(UrdfMessages, ADefaultOfXacroIsTaken) {
  const Spec spec = parse_urdf(elbow("<origin xyz=\"$(optenv X 1 2 3)\"/>"));
  EXPECT_EQ(spec.joints[0].placement.p.x, 1);
  EXPECT_EQ(spec.joints[0].placement.p.z, 3);
}

}  // namespace LIMBER_TEST_FILE
