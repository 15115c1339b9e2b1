// What the MJCF reader says about bad files, and that hostile ones end.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::parse_mjcf;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> words;
};

std::string in_world(const std::string& text) {
  return "<mujoco model='m'>\n<worldbody>" + text + "</worldbody></mujoco>";
}
const std::string ball = "<geom size='0.1'/>";
// a body 'a' with a joint 'j', followed by other sections
std::string beside(const std::string& sections) {
  return "<mujoco model='m'><worldbody><body name='a'><joint name='j'/>" + ball +
         "</body></worldbody>\n" + sections + "</mujoco>";
}

std::vector<Case> bad_files() {
  return {
      {"empty", "", {"is empty", "MJCF"}},
      {"root", "<robot/>", {"bad.xml:1", "<robot>", "<mujoco>"}},
      {"unclosed", "<mujoco>\n<worldbody>", {"bad.xml:2", "well-formed"}},
      {"no body", "<mujoco/>", {"robot 'bad'", "no <body>"}},
      {"number", in_world("<body pos='0 x 0'/>"), {"bad.xml:2", "pos", "'x'"}},
      {"infinite", in_world("<body pos='0 1e999 0'/>"), {"bad.xml:2", "pos", "finite"}},
      {"two numbers", in_world("<body pos='0 1'/>"), {"bad.xml:2", "pos", "3 expected"}},
      {"many numbers", in_world("<geom size='1 2 3 4'/>"), {"size", "at most 3"}},
      {"orientations",
       in_world("<body name='a' quat='1 0 0 0' euler='0 0 0'/>"),
       {"body 'a'", "quat", "euler", "one orientation"}},
      {"zero quaternion", in_world("<body quat='0 0 0 0'/>"), {"quaternion", "zero"}},
      {"zero axis",
       in_world("<body><joint name='j' axis='0 0 0'/>" + ball + "</body>"),
       {"joint 'j'", "axis", "zero"}},
      {"parallel axes", in_world("<body xyaxes='1 0 0 2 0 0'/>"), {"xyaxes", "perpendicular"}},
      {"zero zaxis", in_world("<body zaxis='0 0 0'/>"), {"zaxis"}},
      {"sequence", "<mujoco><compiler eulerseq='xyw'/></mujoco>", {"eulerseq", "xyw"}},
      {"angle",
       "<mujoco><compiler angle='degrees'/></mujoco>",
       {"angle", "degrees", "did you mean 'degree'"}},
      {"global", "<mujoco><compiler coordinate='global'/></mujoco>", {"global", "MuJoCo 2.3.3"}},
      {"class", in_world("<geom class='visul' size='1'/>"), {"'visul'", "does not exist"}},
      {"childclass", in_world("<body childclass='c'/>"), {"'c'", "does not exist"}},
      {"second class",
       "<mujoco><default><default class='c'/><default class='c'/></default></mujoco>",
       {"second default class 'c'"}},
      {"type", in_world("<geom type='bax' size='1'/>"), {"bax", "did you mean 'box'"}},
      {"size",
       in_world("<body name='b'><geom name='g' type='box' size='1 1'/></body>"),
       {"geom 'g'", "3 positive numbers", "number 3 is 0"}},
      {"fromto", in_world("<geom type='capsule' size='1' fromto='1 2 3 1 2 3'/>"), {"fromto"}},
      {"mass", in_world("<body><geom size='1' mass='-1'/></body>"), {"negative"}},
      {"mesh", in_world("<body><geom type='mesh' mesh='m'/></body>"), {"mesh 'm'", "assets"}},
      {"shell", in_world("<body><geom size='1' shellinertia='true'/></body>"), {"shell"}},
      {"joint of the world", in_world("<joint/>"), {"the world has no <joint>"}},
      {"free below",
       in_world("<body name='a'><body name='b'><freejoint/></body></body>"),
       {"body 'b'", "free joint", "'a'"}},
      {"free with others",
       in_world("<body name='a'><freejoint/><joint/></body>"),
       {"body 'a'", "free joint", "alone"}},
      {"second body", in_world("<body name='a'/><body name='a'/>"), {"second body 'a'"}},
      {"second joint",
       in_world("<body><joint name='j'/>" + ball + "</body><body><joint name='j'/></body>"),
       {"second joint 'j'"}},
      {"body world", in_world("<body name='world'/>"), {"'world'", "another name"}},
      {"inertial", in_world("<body><inertial mass='1'/></body>"), {"<inertial>", "pos"}},
      {"two inertials",
       in_world("<body><inertial pos='0 0 0' mass='1'/><inertial/></body>"),
       {"second <inertial>"}},
      {"full and turned",
       in_world("<body><inertial pos='0 0 0' mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 "
                "0'/></body>"),
       {"fullinertia", "quat"}},
      {"misspelt", in_world("<bady/>"), {"<bady>", "did you mean 'body'"}},
      {"attach", in_world("<attach model='x' prefix=''/>"), {"bad.xml:2", "model 'x'", "assets"}},
      {"attach without a prefix", in_world("<attach model='x'/>"), {"prefix"}},
      {"model of a text",
       "<mujoco>\n<asset><model name='m' file='m.xml'/></asset></mujoco>",
       {"bad.xml:2", "cannot attach"}},
      {"second geom",
       in_world("<geom name='g' size='1'/><geom name='g' size='1'/>"),
       {"second geom 'g'"}},
      {"second actuator",
       beside("<actuator><motor name='m' joint='j'/><motor name='m' joint='j'/></actuator>"),
       {"bad.xml:2", "second actuator 'm'"}},
      {"composite", in_world("<body><composite/></body>"), {"<composite>"}},
      {"flexcomp", in_world("<flexcomp/>"), {"<flexcomp>"}},
      {"replicate", in_world("<replicate count='0'/>"), {"count", "at least 1"}},
      {"half a copy", in_world("<replicate count='1.5'/>"), {"count", "whole number"}},
      {"replicated",
       "<mujoco><worldbody><replicate count='2'><body name='a'><joint name='j'/>" + ball +
           "</body></replicate></worldbody><actuator><motor joint='j'/></actuator></mujoco>",
       {"joint 'j'", "<replicate>", "copies"}},
      {"actuator",
       beside("<actuator><motor joint='jj'/></actuator>"),
       {"bad.xml:2", "joint 'jj'", "did you mean 'j'"}},
      {"actuator of nothing",
       beside("<actuator><motor name='m'/></actuator>"),
       {"actuator 'm'", "acts on one thing"}},
      {"unknown actuator", beside("<actuator><mottor joint='j'/></actuator>"), {"<mottor>"}},
      {"sensor", beside("<sensor><gyro site='s'/></sensor>"), {"site 's'", "does not exist"}},
      {"connect",
       beside("<equality><connect body1='b' anchor='0 0 0'/></equality>"),
       {"body 'b'", "does not exist"}},
      {"anchor", beside("<equality><connect body1='a'/></equality>"), {"anchor is missing"}},
      {"coupling", beside("<equality><joint joint1='a'/></equality>"), {"joint 'a'"}},
      {"distance", beside("<equality><distance/></equality>"), {"<distance>"}},
      {"exclude", beside("<contact><exclude body1='a' body2='b'/></contact>"), {"body 'b'"}},
      {"key",
       beside("<keyframe><key name='k' qpos='1 2'/></keyframe>"),
       {"key 'k'", "qpos", "2 numbers", "1 expected"}},
      {"key of ctrl", beside("<keyframe><key ctrl='1'/></keyframe>"), {"ctrl", "0 expected"}},
      {"polynomial",
       beside("<equality><joint joint1='j' polycoef='1 2 3 4 5 6'/></equality>"),
       {"polycoef", "at most 5"}},
      {"xacro", in_world("<body pos='${x} 0 0'/>"), {"pos", "xacro"}},
  };
}

TEST(MjcfMessages, NamePlaceAndDefect) {
  for (const Case& one : bad_files()) {
    SCOPED_TRACE(one.name);
    expect_words(error_of([&] { build(parse_mjcf(one.text, "bad.xml")); }), one.words);
  }
}

TEST(MjcfMessages, WhatIsNotReadIsWarnedOf) {
  const std::vector<Case> cases = {
      {"tendons",
       beside("<tendon><fixed name='t'/><spatial name='u'/></tendon>"),
       {"bad.xml:2", "2 tendons ('t', 'u')", "not read"}},
      {"equality of tendons",
       beside("<equality><tendon name='e' tendon1='t'/></equality>"),
       {"<tendon name=\"e\">", "does not hold"}},
      {"gravcomp", in_world("<body name='a' gravcomp='1'/>"), {"body 'a'", "gravcomp"}},
      {"spring of a ball",
       in_world("<body><joint name='b' type='ball' stiffness='1'/>" + ball + "</body>"),
       {"joint 'b'", "spring of a ball"}},
      {"range of a ball",
       in_world("<body><joint name='b' type='ball' range='0 30'/>" + ball + "</body>"),
       {"joint 'b'", "range of a ball"}},
      {"powers",
       in_world("<body><joint name='j' damping='1 2'/>" + ball + "</body>"),
       {"damping", "linear"}},
      {"springdamper",
       in_world("<body><joint springdamper='1 1'/>" + ball + "</body>"),
       {"springdamper"}},
      {"fluid", beside("<option viscosity='1'/>"), {"viscosity"}},
      {"flag", beside("<option><flag spring='disable'/></option>"), {"spring"}},
      {"attribute",
       in_world("<body><geom size='1' densty='3'/></body>"),
       {"densty", "did you mean 'density'"}},
      {"attribute of a class",
       beside("<default><geom frictoin='1'/></default>"),
       {"default class 'main'", "frictoin", "did you mean 'friction'"}},
      {"element of a class",
       beside("<default><jont/></default>"),
       {"<jont>", "did you mean 'joint'"}},
      {"attribute of an actuator",
       beside("<actuator><motor joint='j' geer='2'/></actuator>"),
       {"geer", "did you mean 'gear'"}},
      {"section", beside("<actuators/>"), {"<actuators>", "did you mean 'actuator'"}}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    expect_words(joined(parse_mjcf(one.text, "bad.xml").warnings), one.words);
  }
}

TEST(MjcfMessages, WhatIsHarmlessIsListed) {
  const limber::Spec spec = parse_mjcf(
      beside("<visual/><statistic/>\n<worldbody><light/><light/><camera/><site/></worldbody>"
             "<asset><texture/></asset>"));
  expect_words(joined(spec.ignored),
               {"<visual>", "<statistic>", ":3: <light> (and 1 more like this)", "<camera>",
                "<site> without a name", "<texture> in <asset>"});
  EXPECT_EQ(joined(spec.warnings), "");
  expect_words(joined(parse_mjcf(beside("<default><geom solref='1 1'/></default>")).ignored),
               {"default class 'main': solref of <geom>"});
}

TEST(MjcfMessages, CopiesDoNotGrowBeyondALimit) {
  std::string text = "<body/>";
  for (int k = 0; k < 10; ++k) text = "<replicate count='1000'>" + text + "</replicate>";
  expect_words(error_of([&] { parse_mjcf(in_world(text), "copies.xml"); }),
               {"copies.xml:2", "500000", "<replicate>"});
  std::string empty = "<frame/>";
  for (int k = 0; k < 10; ++k) empty = "<replicate count='1000'>" + empty + "</replicate>";
  expect_words(error_of([&] { parse_mjcf(in_world(empty), "copies.xml"); }), {"500000"});
}

TEST(MjcfMessages, DeepFilesAreRefused) {
  std::string open, close;
  for (int k = 0; k < 2000; ++k) open += "<body>", close += "</body>";
  expect_words(error_of([&] { parse_mjcf(in_world(open + close), "deep.xml"); }),
               {"deep.xml:2", "nested too deeply"});
}

TEST(MjcfMessages, NamesAreCleanText) {
  for (const std::string& text :
       std::vector<std::string>{in_world("<body name='a\nb'/>"),
                                in_world("<body><joint name='a\nb'/>" + ball + "</body>"),
                                beside("<actuator><motor name='a\nb' joint='j'/></actuator>"),
                                in_world("<body/><site name='a\nb'/>"), "<mujoco model='a\nb'/>"})
    expect_words(error_of([&] { parse_mjcf(text, "bad.xml"); }), {"control character"});
}

}  // namespace LIMBER_TEST_FILE
