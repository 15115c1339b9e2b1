// A serial arm from a table of Denavit-Hartenberg parameters in YAML.
#include <fmt/format.h>

#include "io/text_file.hpp"
#include "io/yaml_parts.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

enum class Convention { standard, modified };

Convention read_convention(const YamlMap& robot) {
  const std::vector<std::string> known{"standard", "modified"};
  const std::string text = robot.text("convention");
  if (text == known[0]) return Convention::standard;
  if (text == known[1]) return Convention::modified;
  throw robot.error("convention", fmt::format("'{}' is neither standard nor modified (Craig){}",
                                              text, did_you_mean(text, known)));
}

// turn about and slide along one axis
Transform<double> screw(const Vec3<double>& axis, double angle, double slide) {
  return {rotation(axis, angle), axis * slide};
}

// joint i and link i of the table; `parent` is the link before
void read_row(YamlMap row, std::size_t number, Convention convention, const std::string& parent,
              Spec& spec) {
  JointSpec joint;
  joint.name = row.text("name", fmt::format("joint{}", number));
  row.rename("joint '" + joint.name + "'");
  joint.source = row.source();
  joint.parent = parent;
  joint.child = row.text("link", fmt::format("link{}", number));
  const std::string kind = row.text("kind", "revolute");
  if (kind != "revolute" && kind != "prismatic")
    throw row.error("kind",
                    fmt::format("'{}' is neither revolute nor prismatic; the joints of a DH table "
                                "are, other kinds need the format with bodies and joints",
                                kind));
  const bool turns = kind == "revolute";
  joint.kind = turns ? JointKind::revolute : JointKind::prismatic;

  // everything along z commutes with the joint, so it may stand before it
  const double offset = row.number("offset", 0);
  const Transform<double> along_z = screw({0, 0, 1}, row.number("theta", 0) + (turns ? offset : 0),
                                          row.number("d", 0) + (turns ? 0 : offset));
  const Transform<double> along_x = screw({1, 0, 0}, row.number("alpha", 0), row.number("a", 0));
  if (convention == Convention::standard) {
    joint.placement = along_z;
    joint.child_placement = along_x;
  } else {
    joint.placement = along_x * along_z;
  }
  joint.dofs = {read_dof(row)};

  BodySpec body;
  body.name = joint.child;
  body.inertia = read_inertia(row);
  body.shapes = read_shapes(row);
  body.hydrodynamics = read_hydrodynamics(row, spec.warnings);
  body.source = row.source();
  body.source.element = "link '" + body.name + "'";
  spec.bodies.push_back(std::move(body));
  spec.joints.push_back(std::move(joint));
}

// frame 0 of the table: a body of its own, so that it can be given mass or set free
void read_base(const YamlMap& robot, Spec& spec) {
  BodySpec base;
  base.name = "base";
  base.source = robot.source();
  if (robot.has("base")) {
    const YamlMap map = robot.map(
        "base", std::vector<std::string>{"name", "shapes", "hydrodynamics"} + inertia_keys());
    base.name = map.text("name", base.name);
    base.inertia = read_inertia(map);
    base.shapes = read_shapes(map);
    base.hydrodynamics = read_hydrodynamics(map, spec.warnings);
    base.source = map.source();
  }
  base.source.element = "link '" + base.name + "'";
  spec.bodies.push_back(std::move(base));
}

}  // namespace

Spec read_dh_table(const YamlNode& root, const std::string& file) {
  const YamlMap robot(root, file, "", {"name", "convention", "gravity", "base", "joints", "tool"});
  Spec spec;
  spec.name = robot.text("name", stem(file));
  spec.source = {file, robot.source().line, "robot '" + spec.name + "'"};
  spec.gravity = robot.vec3("gravity", spec.gravity);
  const Convention convention = read_convention(robot);
  read_base(robot, spec);

  const std::vector<std::string> known =
      std::vector<std::string>{"name", "link",  "kind",   "theta",  "d",
                               "a",    "alpha", "offset", "shapes", "hydrodynamics"} +
      inertia_keys() + dof_keys();
  const std::vector<YamlNode> rows = robot.list("joints");
  if (rows.empty()) throw robot.error("joints", "the table has no rows; list at least one joint");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string parent = spec.bodies.back().name;
    read_row({rows[i], file, fmt::format("joint {}", i + 1), known}, i + 1, convention, parent,
             spec);
  }
  if (robot.has("tool")) {
    FrameSpec tool = read_frame(robot.map("tool", std::vector<std::string>{"name"} + pose_keys()));
    tool.body = spec.bodies.back().name;
    spec.frames.push_back(std::move(tool));
  }
  return spec;
}

}  // namespace limber
