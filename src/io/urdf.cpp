// URDF: the file as a whole.
#include "io/urdf.hpp"

#include <unordered_set>

#include <fmt/format.h>

#include <limber/io/load.hpp>

#include "io/text_file.hpp"

namespace limber {

namespace {

void expect_robot(const tinyxml2::XMLElement& root, const std::string& file) {
  const std::string_view tag = root.Name();
  if (tag == "robot") return;
  const char* const other = tag == "mujoco" ? ": this is MJCF; load_spec() and read_mjcf() read it"
                            : tag == "sdf"  ? ": this is SDF; load_spec() and read_sdf() read it"
                                            : "";
  throw Error({file, root.GetLineNum(), ""},
              fmt::format("the root element is <{}>, a URDF file has <robot>{}", tag, other));
}

// the parser takes any declaration; a misspelt one points to a file edited by hand
void check_declaration(const tinyxml2::XMLDocument& document, XmlContext& context) {
  const tinyxml2::XMLNode* first = document.FirstChild();
  const tinyxml2::XMLDeclaration* declaration = first ? first->ToDeclaration() : nullptr;
  if (declaration &&
      std::string_view(declaration->Value()).find("version") == std::string_view::npos)
    context.warn({context.file(), declaration->GetLineNum(), ""},
                 fmt::format("XML declaration <?{}?> has no version; write <?xml version=\"1.0\"?>",
                             declaration->Value()));
}

// a joint or link in another program's namespace would leave a hole in the tree if it were skipped
void refuse_foreign_parts(const XmlElement& robot) {
  for (const XmlElement& element : robot.children()) {
    const std::string_view tag = element.tag();
    if (tag.starts_with("xacro:") || !(tag.ends_with(":joint") || tag.ends_with(":link"))) continue;
    throw element.error(fmt::format(
        "<{} name=\"{}\" type=\"{}\"> is an extension that URDF does not have, and the robot would "
        "fall apart without it; describe this robot in Limber's YAML format or in C++, which have "
        "spherical, universal, helical and custom joints",
        tag, element.optional_name(), element.attribute("type").value_or("")));
  }
}

std::string robot_name(const XmlElement& robot, const std::string& file) {
  const std::string name = robot.optional_name();
  if (!name.empty()) return name;
  robot.warn("<robot> has no name; the file name is taken instead");
  return stem(file);
}

// <frame name link xyz rpy>: a named place on a link, as Drake writes it
FrameSpec read_frame(const XmlElement& element) {
  FrameSpec frame;
  frame.name = element.name();
  const XmlElement owner = element.owned_by("frame '" + frame.name + "'");
  owner.expect_attributes({"name", "link", "xyz", "rpy"});
  frame.body = owner.name("link");
  frame.placement = owner.pose();
  frame.source = owner.source();
  return frame;
}

// `world` need not be declared: it is then the world itself
void resolve_world(const XmlElement& robot, Spec& spec) {
  std::unordered_set<std::string> declared;
  for (const BodySpec& body : spec.bodies) declared.insert(body.name);
  if (declared.contains("world")) return;
  bool used = false;
  for (LoopSpec& loop : spec.loops)
    for (std::string* body : {&loop.body_a, &loop.body_b})
      if (*body == "world") body->clear();
  for (JointSpec& joint : spec.joints)
    if (joint.parent == "world") {
      joint.parent.clear();
      used = true;
    }
  if (used)
    robot.warn(
        "link 'world' is used as a parent but not declared; it is taken as the world itself, "
        "declare <link name=\"world\"/> to be clear");
}

void read_robot(const XmlElement& robot, Spec& spec) {
  robot.expect_attributes({"name"}, {"version"});
  refuse_foreign_parts(robot);
  robot.expect_children(
      {"link", "joint", "material", "transmission", "frame", "loop", "loop_joint", "coupling",
       "gazebo", "ros2_control", "hydrodynamics"},
      {"sensor", "mujoco", "group", "group_state", "disable_collisions", "static", "plugin"});
  UrdfMaterials materials;
  for (const XmlElement& link : robot.children("link")) {
    const XmlElement owner = link.owned_by("link '" + link.name() + "'");
    for (const XmlElement& visual : owner.children("visual"))
      for (const XmlElement& material : visual.children("material")) materials.read(material);
  }
  for (const XmlElement& material : robot.children("material")) materials.read(material);

  const std::vector<XmlElement> links = robot.children("link"), joints = robot.children("joint");
  spec.bodies.reserve(links.size());
  spec.joints.reserve(joints.size());
  UrdfIndex index;
  for (const XmlElement& link : links) {
    spec.bodies.push_back(read_urdf_link(link, materials));
    index.links.emplace(spec.bodies.back().name, spec.bodies.size() - 1);
  }
  for (const XmlElement& joint : joints) {
    spec.joints.push_back(read_urdf_joint(joint));
    index.joints.emplace(spec.joints.back().name, spec.joints.size() - 1);
    index.carriers.emplace(spec.joints.back().child, spec.joints.size() - 1);
  }
  for (const XmlElement& transmission : robot.children("transmission"))
    read_urdf_transmission(transmission, spec, index);
  for (const XmlElement& gazebo : robot.children("gazebo")) read_urdf_gazebo(gazebo, spec, index);
  if (const std::optional<XmlElement> hydrodynamics = robot.child("hydrodynamics"))
    read_urdf_hydrodynamics(*hydrodynamics, spec, index);
  for (const XmlElement& control : robot.children("ros2_control"))
    read_ros2_control(control, spec, index);
  for (const XmlElement& frame : robot.children("frame")) spec.frames.push_back(read_frame(frame));
  for (const char* tag : {"loop", "loop_joint"})
    for (const XmlElement& loop : robot.children(tag)) spec.loops.push_back(read_urdf_loop(loop));
  for (const XmlElement& coupling : robot.children("coupling"))
    spec.loops.push_back(read_urdf_coupling(coupling, spec, index));
  resolve_world(robot, spec);
}

}  // namespace

Spec parse_urdf(std::string_view text, const std::string& file) {
  expect_text(text, file, "URDF");
  tinyxml2::XMLDocument document;
  const tinyxml2::XMLElement& root = parse_xml(text, file, document);
  expect_robot(root, file);

  Spec spec;
  XmlContext context(file);
  check_declaration(document, context);
  const XmlElement robot(root, context, "");
  spec.name = robot_name(robot, file);
  spec.source = {file, root.GetLineNum(), "robot '" + spec.name + "'"};
  read_robot(robot.owned_by(spec.source.element), spec);
  if (spec.bodies.empty())
    throw Error(spec.source, "there is no <link> in this robot; a URDF file needs at least one");
  spec.warnings = context.warnings();
  spec.ignored = context.ignored();
  spec.format = "URDF " + robot.attribute("version").value_or("1.0");
  return spec;
}

Spec read_urdf(const std::string& file) {
  return read_or_explain(file, [&] { return parse_urdf_of_file(read_text_file(file), file); });
}

}  // namespace limber
