// What the YAML reader says about bad texts: line, element, what is wrong, what to do.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::parse_yaml;
using limber::test::error_of;
using limber::test::expect_words;

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> words;
};

class YamlError : public testing::TestWithParam<Case> {};

TEST_P(YamlError, NamesTheDefect) {
  expect_words(error_of([&] { parse_yaml(GetParam().text, "bad.yaml"); }), GetParam().words);
}

// one row, in line 3
std::string row(const std::string& inside) {
  return "convention: standard\njoints:\n- {name: elbow, " + inside + "}\n";
}
// one joint, in line 3
std::string joint(const std::string& inside) {
  return "bodies: [{name: a}, {name: b}]\njoints:\n- {name: elbow, parent: a, child: b, " + inside +
         "}\n";
}

const Case errors[] = {
    {"empty", "", {"bad.yaml", "empty"}},
    {"binary", std::string("a\0b", 3), {"bad.yaml", "binary"}},
    {"scalar", "hello", {"bad.yaml:1", "convention", "bodies"}},
    {"list", "- 1\n- 2", {"bad.yaml:1", "convention", "bodies"}},
    {"syntax", "convention: standard\njoints: [1, 2\n", {"bad.yaml:", "not well-formed YAML"}},
    {"tabs", "convention: standard\n\tjoints: 1\n", {"bad.yaml:2", "tab", "spaces"}},
    {"two_documents",
     "convention: standard\n---\nconvention: standard\n",
     {"bad.yaml", "more than one YAML document"}},
    {"stray_bracket", "convention: standard\njoints: [{}]\n]\n", {"bad.yaml"}},
    {"stray_start", ", pi], a: {b: c}\n- {d: [1]}\n", {"bad.yaml"}},
    {"other_yaml", "joints: []\n", {"bad.yaml:1", "not a robot", "docs/robot-files.md"}},
    {"convention",
     "name: r\nconvention: standart\njoints: [{}]\n",
     {"bad.yaml:2", "'standart'", "did you mean 'standard'"}},
    {"unknown_top",
     "convention: standard\njoint: [{}]\n",
     {"bad.yaml:2", "'joint'", "did you mean 'joints'"}},
    {"no_rows", "convention: standard\n", {"bad.yaml:1", "joints", "no rows"}},
    {"rows_no_list",
     "convention: standard\njoints: 3\n",
     {"bad.yaml:2", "joints", "list is expected"}},
    {"row_no_map", "convention: standard\njoints:\n- 3\n", {"bad.yaml:3", "joint 1", "mapping"}},
    {"key_twice",
     "convention: standard\njoints:\n- a: 1\n  a: 2\n",
     {"bad.yaml:4", "joint 1", "'a' is given twice"}},
    {"key_list",
     "convention: standard\njoints:\n- {[1]: 2}\n",
     {"bad.yaml:3", "key must be a word"}},
    {"unknown_key", row("alfa: 0"), {"bad.yaml:3", "'alfa'", "did you mean 'alpha'"}},
    {"kind",
     row("kind: fixed"),
     {"bad.yaml:3", "joint 'elbow'", "'fixed'", "revolute nor prismatic"}},
    {"nan", row("d: .nan"), {"bad.yaml:3", "joint 'elbow'", "d:", "'.nan'"}},
    {"inf", row("d: inf"), {"bad.yaml:3", "joint 'elbow'", "'inf'"}},
    {"unit", row("alpha: 90 deg"), {"bad.yaml:3", "joint 'elbow'", "alpha", "'90 deg'", "-pi/2"}},
    {"nothing", row("a: "), {"bad.yaml:3", "joint 'elbow'", "a:", "nothing"}},
    {"number_list", row("a: [1]"), {"bad.yaml:3", "joint 'elbow'", "a list", "number is expected"}},
    {"short_com",
     row("com: [1, 2]"),
     {"bad.yaml:3", "joint 'elbow'", "com", "2 entries, 3 expected"}},
    {"inertia_count",
     row("inertia: [1, 2, 3, 4]"),
     {"bad.yaml:3", "inertia", "4 entries, 3 or 6 expected"}},
    {"crossed_limits", row("limits: [1, -1]"), {"bad.yaml:3", "joint 'elbow'", "limits", "above"}},
    {"zero_gear", row("gear_ratio: 0"), {"bad.yaml:3", "joint 'elbow'", "gear_ratio", "zero"}},
    {"negative_rotor", row("rotor_inertia: -1"), {"bad.yaml:3", "rotor_inertia", "negative"}},
    {"signed_friction",
     row("motor_friction: [0.3, -0.4]"),
     {"bad.yaml:3", "joint 'elbow'", "motor_friction", "-0.4", "magnitudes"}},
    {"tool_unnamed",
     "convention: standard\njoints: [{}]\ntool: {xyz: [0, 0, 1]}\n",
     {"bad.yaml:3", "tool", "'name' is missing"}},
    {"no_bodies", "bodies: []\n", {"bad.yaml:1", "bodies", "empty"}},
    {"body_unnamed", "bodies:\n- {mass: 1}\n", {"bad.yaml:2", "body", "'name' is missing"}},
    {"body_world", "bodies:\n- {name: world}\n", {"bad.yaml:2", "body 'world'", "another name"}},
    {"joint_unnamed",
     "bodies: [{name: a}]\njoints:\n- {kind: fixed}\n",
     {"bad.yaml:3", "joint", "'name' is missing"}},
    {"no_kind", joint("axis: [0, 0, 1]"), {"bad.yaml:3", "joint 'elbow'", "'kind' is missing"}},
    {"bad_kind",
     joint("kind: revolut"),
     {"bad.yaml:3", "joint 'elbow'", "revolut", "spherical", "did you mean 'revolute'"}},
    {"custom", joint("kind: custom"), {"bad.yaml:3", "joint 'elbow'", "custom", "C++"}},
    {"no_pitch", joint("kind: helical"), {"bad.yaml:3", "joint 'elbow'", "'pitch' is missing"}},
    {"stray_pitch", joint("kind: revolute, pitch: 1"), {"bad.yaml:3", "pitch", "helical"}},
    {"stray_axis2",
     joint("kind: revolute, axis2: [0, 1, 0]"),
     {"bad.yaml:3", "axis2", "universal"}},
    {"rotor_axis_alone",
     joint("kind: revolute, rotor_axis: [0, 0, 1]"),
     {"bad.yaml:3", "joint 'elbow'", "rotor_axis", "needs rotor_mount"}},
    {"rotor_mount_alone",
     joint("kind: revolute, rotor_mount: a"),
     {"bad.yaml:3", "rotor_mount", "needs rotor_inertia"}},
    {"actuation_empty",
     joint("kind: revolute, actuation: []"),
     {"bad.yaml:3", "actuation", "the list is empty"}},
    {"actuation_key",
     joint("kind: revolute, actuation: [{momnt: [0, 0, 1]}]"),
     {"bad.yaml:3", "joint 'elbow': actuation", "did you mean 'moment'"}},
    {"actuation_no_map",
     joint("kind: revolute, actuation: [3]"),
     {"bad.yaml:3", "actuation", "mapping"}},
    {"dofs_count",
     joint("kind: planar, dofs: [{}, {}]"),
     {"bad.yaml:3", "joint 'elbow'", "2 entries", "3 freedoms"}},
    {"dofs_and_alike",
     joint("kind: revolute, damping: 1, dofs: [{}]"),
     {"bad.yaml:3", "joint 'elbow'", "either once"}},
    {"fixed_with_data",
     joint("kind: fixed, damping: 1"),
     {"bad.yaml:3", "joint 'elbow'", "no freedom"}},
    {"dof_key",
     joint("kind: revolute, dofs: [{dampng: 1}]"),
     {"bad.yaml:3", "joint 'elbow': dofs", "did you mean 'damping'"}},
    {"mimic_nobody",
     joint("kind: revolute, mimic: {offset: 1}"),
     {"bad.yaml:3", "joint 'elbow': mimic", "'joint' is missing"}},
    {"frame_body",
     "bodies: [{name: a}]\nframes:\n- {name: f}\n",
     {"bad.yaml:3", "'body' is missing"}},
    {"shape_kind",
     "bodies:\n- {name: a, shapes: [{kind: cube}]}\n",
     {"bad.yaml:2", "body 'a': shape", "'cube'", "box"}},
    {"shape_size",
     "bodies:\n- {name: a, shapes: [{kind: box}]}\n",
     {"bad.yaml:2", "body 'a': shape", "size", "missing"}},
    {"shape_count",
     "bodies:\n- {name: a, shapes: [{kind: sphere, size: [1, 2]}]}\n",
     {"bad.yaml:2", "2 entries, 1 expected"}},
    {"shape_role",
     "bodies:\n- {name: a, shapes: [{kind: sphere, size: [1], role: x}]}\n",
     {"bad.yaml:2", "visual nor collision"}},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Yaml, YamlError, testing::ValuesIn(errors), name_of);

TEST(YamlMessages, DeepNestingIsRefused) {
  const std::string text = "convention: standard\njoints: " + std::string(100000, '[');
  expect_words(error_of([&] { parse_yaml(text, "deep.yaml"); }), {"deep.yaml", "YAML"});
}

}  // namespace LIMBER_TEST_FILE
