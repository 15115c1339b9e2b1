// A robot in YAML as lists of bodies and joints: every joint kind that needs no code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/joint_kind.hpp>

#include "io/text_file.hpp"
#include "io/yaml_parts.hpp"
#include "model/canonical.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

BodySpec read_body(YamlMap map, std::vector<std::string>& warnings) {
  BodySpec body;
  body.name = map.text("name");
  map.rename("body '" + body.name + "'");
  if (body.name == "world" && !read_flag(map, "is_link"))
    throw map.error("name",
                    "'world' is the world itself; choose another name, or write `is_link: true` if "
                    "this is a link that is called so");
  body.is_between_joints = read_flag(map, "between_joints");
  body.family = read_whole(map, "family", 0);
  body.hydrodynamics = read_hydrodynamics(map, warnings);
  body.source = map.source();
  body.inertia = read_inertia(map);
  body.shapes = read_shapes(map);
  return body;
}

// data for all freedoms alike beside the other keys, or a list with one entry for each freedom
std::vector<DofSpec> read_dofs(const YamlMap& map, JointKind kind) {
  bool alike = false;
  for (const std::string& key : dof_keys()) alike = alike || map.has(key);
  if (!map.has("dofs")) {
    if (alike && kind == JointKind::fixed)
      throw map.error("kind",
                      "a fixed joint has no freedom; limits, friction and the like do not belong "
                      "to it");
    return alike ? std::vector<DofSpec>{read_dof(map)} : std::vector<DofSpec>{};
  }
  if (alike)
    throw map.error("dofs",
                    "stands beside limits, friction or the like; give these either once for all "
                    "freedoms or in `dofs`, one entry for each");
  std::vector<DofSpec> dofs;
  for (const YamlNode& node : map.list("dofs"))
    dofs.push_back(read_dof({node, map.file(), map.source().element + ": dofs", dof_keys()}));
  const auto freedoms = static_cast<std::size_t>(velocity_count(kind));
  if (dofs.size() != freedoms)
    throw map.error("dofs", fmt::format("has {} entries, a {} joint has {} freedoms", dofs.size(),
                                        name(kind), freedoms));
  return dofs;
}

// the actuators of a joint: a list of {moment, force}, one for each freedom
std::vector<Force<double>> read_actuation(const YamlMap& map) {
  std::vector<Force<double>> actuation;
  for (const YamlNode& node : map.list("actuation")) {
    const YamlMap entry(node, map.file(), map.source().element + ": actuation",
                        {"moment", "force"});
    actuation.push_back({entry.vec3("moment", {}), entry.vec3("force", {})});
  }
  if (map.has("actuation") && actuation.empty())
    throw map.error(
        "actuation",
        "the list is empty; give one {moment, force} for each freedom, or leave it out");
  return actuation;
}

JointSpec read_joint(YamlMap map) {
  JointSpec joint;
  joint.name = map.text("name");
  map.rename("joint '" + joint.name + "'");
  joint.source = map.source();
  joint.kind = read_joint_kind(map, "kind");
  joint.parent = map.text("parent");
  joint.child = map.text("child");
  joint.placement = read_pose(map);
  joint.child_placement = read_pose(map, "child_");
  joint.axis = map.vec3("axis", joint.axis);
  joint.axis2 = map.vec3("axis2", joint.axis2);
  if (map.has("axis2") && facts(joint.kind).axes < 2)
    throw map.error("axis2", "only a universal joint has a second axis");
  if (has_pitch(joint.kind)) joint.pitch = map.number("pitch");
  else if (map.has("pitch")) throw map.error("pitch", "only a helical joint has a pitch");
  joint.dofs = read_dofs(map, joint.kind);
  joint.actuation = read_actuation(map);
  if (map.has("mimic")) {
    const YamlMap mimic = map.map("mimic", {"joint", "multiplier", "offset"});
    joint.mimic = {mimic.text("joint"), mimic.number("multiplier", 1), mimic.number("offset", 0)};
  }
  return joint;
}

// `world` is the world, unless a link has this name
void resolve_world(Spec& spec) {
  for (const BodySpec& body : spec.bodies)
    if (body.name == "world") return;
  const auto resolve = [](std::string& name) {
    if (name == "world") name.clear();
  };
  for (JointSpec& joint : spec.joints) resolve(joint.parent);
  for (FrameSpec& frame : spec.frames) resolve(frame.body);
  for (LoopSpec& loop : spec.loops) {
    resolve(loop.body_a);
    resolve(loop.body_b);
  }
}

}  // namespace

JointKind read_joint_kind(const YamlMap& map, const std::string& key) {
  const std::string kind = map.text(key);
  std::vector<std::string> known;
  for (int i = 0; i < static_cast<int>(JointKind::custom); ++i) {
    known.push_back(name(static_cast<JointKind>(i)));
    if (kind == known.back()) return static_cast<JointKind>(i);
  }
  if (kind == name(JointKind::custom))
    throw map.error(key,
                    "a custom joint is given by functions and cannot come from a file; load the "
                    "rest as a Spec and add it in C++ with add_joint and custom_joint");
  throw map.error(key, fmt::format("'{}' is not a joint kind; known are {}{}", kind,
                                   fmt::join(known, ", "), did_you_mean(kind, known)));
}

Spec read_tree(const YamlNode& root, const std::string& file) {
  const YamlMap robot(
      root, file, "",
      std::vector<std::string>{"name", "gravity", "bodies", "joints", "frames"} + extra_keys());
  Spec spec;
  spec.name = robot.text("name", stem(file));
  spec.source = {file, robot.source().line, "robot '" + spec.name + "'"};
  spec.gravity = robot.vec3("gravity", spec.gravity);

  const std::vector<std::string> body_keys =
      std::vector<std::string>{"name",   "shapes",        "is_link",   "between_joints",
                               "family", "hydrodynamics", "added_mass"} +
      inertia_keys();
  const std::vector<std::string> joint_keys =
      std::vector<std::string>{"name",      "kind",      "parent",        "child", "axis",
                               "axis2",     "pitch",     "dofs",          "mimic", "actuation",
                               "child_xyz", "child_rpy", "child_rotation"} +
      pose_keys() + dof_keys();
  const std::vector<YamlNode> bodies = robot.list("bodies"), joints = robot.list("joints");
  spec.bodies.reserve(bodies.size());
  spec.joints.reserve(joints.size());
  for (const YamlNode& node : bodies)
    spec.bodies.push_back(read_body({node, file, "body", body_keys}, spec.warnings));
  for (const YamlNode& node : joints)
    spec.joints.push_back(read_joint({node, file, "joint", joint_keys}));
  for (const YamlNode& node : robot.list("frames")) {
    const YamlMap map(node, file, "frame", std::vector<std::string>{"name", "body"} + pose_keys());
    FrameSpec frame = read_frame(map);
    frame.body = map.text("body");
    spec.frames.push_back(std::move(frame));
  }
  read_extras(robot, spec);
  resolve_world(spec);
  if (spec.bodies.empty())
    throw robot.error("bodies", "the list is empty; describe at least one body");
  return spec;
}

}  // namespace limber
