// URDF: loops, by elements of the file and by a YAML file beside it.
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/io/load.hpp>

#include "io/text_file.hpp"
#include "io/urdf.hpp"
#include "io/yaml.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// one side of <loop> (<predecessor link><origin/></predecessor>) or <loop_joint> (<link1 link xyz
// rpy/>)
void read_side(const XmlElement& loop, const char* tag, std::string& body,
               Transform<double>& placement) {
  const std::optional<XmlElement> side = loop.child(tag);
  if (!side)
    throw loop.error(fmt::format("<{0}> has no <{1}>; add <{1} link=\"…\"/>", loop.tag(), tag));
  side->expect_attributes({"link", "xyz", "rpy"});
  side->expect_children({"origin"});
  body = side->name("link");
  placement = side->child("origin") ? side->origin() : side->pose();
}

void set_loop_kind(const XmlElement& element, LoopSpec& loop) {
  const std::string type = element.required("type");
  if (type == "fixed") {
    loop.kind = LoopSpec::Kind::weld;
  } else if (type == "ball" || type == "spherical") {
    loop.kind = LoopSpec::Kind::connect;
  } else if (type == "revolute" || type == "continuous" || type == "prismatic") {
    loop.kind = LoopSpec::Kind::joint;
    loop.joint_kind = type == "prismatic" ? JointKind::prismatic : JointKind::revolute;
  } else {
    const std::vector<std::string> known{"revolute",  "continuous", "prismatic",
                                         "spherical", "ball",       "fixed"};
    throw element.error(fmt::format("type=\"{}\" cannot close a loop; known are {}{}",
                                    printable(type), fmt::join(known, ", "),
                                    did_you_mean(type, known)));
  }
}

// the joint that carries a link, for a coupling
const JointSpec& carrier(const XmlElement& coupling, const std::string& link, const Spec& spec,
                         const UrdfIndex& index) {
  const auto found = index.carriers.find(link);
  if (found == index.carriers.end())
    throw coupling.error(fmt::format("no joint carries link '{}'", link));
  return spec.joints[found->second];
}

// words of a list
std::vector<std::string> words(const YamlMap& map, const std::string& key) {
  std::vector<std::string> all;
  for (const YamlNode& node : map.list(key)) {
    if (!node.is_word())
      throw Error({map.file(), node.line(), map.source().element},
                  fmt::format("{}: a list of names is expected", key));
    expect_name({map.file(), node.line(), ""}, "name", node.text());
    all.push_back(node.text());
  }
  return all;
}

class ClosureReader {
 public:
  ClosureReader(const YamlMap& map, Spec& spec) : map_(map), spec_(spec) {
    for (std::size_t k = 0; k < spec.joints.size(); ++k) joints_.emplace(spec.joints[k].name, k);
    for (const BodySpec& body : spec.bodies) frames_.insert(body.name);
    for (const FrameSpec& frame : spec.frames) frames_.insert(frame.name);
  }

  void read() {
    change_joints();
    add_loops();
    for (const std::string& name : words(map_, "name_mot")) {
      ActuatorSpec& motor = spec_.actuators.emplace_back();
      motor.name = motor.joint = joint("name_mot", name).name;
      motor.kind = "motor";
      motor.source = {map_.file(), map_.node("name_mot").line(), "motor '" + name + "'"};
    }
  }

 private:
  JointSpec& joint(const std::string& key, const std::string& name) {
    const auto found = joints_.find(name);
    if (found != joints_.end()) return spec_.joints[found->second];
    std::vector<std::string> known;
    for (const auto& [one, index] : joints_) known.push_back(one);
    throw map_.error(key, fmt::format("joint '{}' does not exist in {}{}", name, spec_.source.file,
                                      did_you_mean(name, known)));
  }

  // kinds that URDF does not have
  void change_joints() {
    const std::vector<std::string> names = words(map_, "joint_name"),
                                   types = words(map_, "joint_type");
    if (names.size() != types.size())
      throw map_.error("joint_type", fmt::format("has {}, joint_name has {}; give one type for "
                                                 "each joint",
                                                 count_of(types.size(), "type"), names.size()));
    for (std::size_t k = 0; k < names.size(); ++k) change(joint("joint_name", names[k]), types[k]);
  }

  void change(JointSpec& joint, const std::string& type) {
    constexpr std::string_view cross = "UJOINT_", axes = "XYZ";
    const auto unit = [&](char letter) {
      Vec3<double> axis;
      axis[static_cast<int>(axes.find(letter))] = 1;
      return axis;
    };
    if (type == "SPHERICAL") {
      joint.kind = JointKind::spherical;
    } else if (type == "FIXED") {
      joint.kind = JointKind::fixed;
      joint.dofs.clear();
    } else if (type.size() == cross.size() + 2 && type.starts_with(cross) &&
               axes.find(type[7]) != axes.npos && axes.find(type[8]) != axes.npos &&
               type[7] != type[8]) {
      joint.kind = JointKind::universal;
      joint.axis = unit(type[7]);
      joint.axis2 = unit(type[8]);
    } else {
      throw map_.error("joint_type",
                       fmt::format("'{}' is not known; known are SPHERICAL, FIXED and UJOINT_XY "
                                   "with any two letters of X, Y and Z",
                                   type));
    }
    // the limits were those of the one turn that stood for the joint
    for (DofSpec& dof : joint.dofs) dof.lower = -HUGE_VAL, dof.upper = HUGE_VAL;
  }

  void expect_frame(const YamlNode& node) const {
    if (!frames_.contains(node.text()))
      throw Error({map_.file(), node.line(), ""},
                  fmt::format("closed_loop: link '{}' does not exist in {}{}",
                              printable(node.text()), spec_.source.file,
                              did_you_mean(node.text(), {frames_.begin(), frames_.end()})));
  }

  void add_loops() {
    const std::vector<YamlNode> pairs = map_.list("closed_loop");
    const std::vector<std::string> types = words(map_, "type");
    if (!types.empty() && types.size() != pairs.size())
      throw map_.error("type", fmt::format("has {}, closed_loop has {}; give one type for each",
                                           count_of(types.size(), "type"), pairs.size()));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const std::vector<YamlNode>& ends = pairs[k].items();
      if (!pairs[k].is_list() || ends.size() != 2 || !ends[0].is_word() || !ends[1].is_word())
        throw Error({map_.file(), pairs[k].line(), ""},
                    "closed_loop: a pair of links is expected, [A, B]");
      const std::string type = types.empty() ? "6d" : types[k];
      const bool point = type == "3d" || type == "3D";
      if (!point && type != "6d" && type != "6D")
        throw map_.error("type", fmt::format("'{}' is neither 3d nor 6d", type));
      for (const YamlNode& end : ends) expect_frame(end);
      LoopSpec loop;
      loop.kind = point ? LoopSpec::Kind::connect : LoopSpec::Kind::weld;
      loop.body_a = ends[0].text();
      loop.body_b = ends[1].text();
      loop.name = fmt::format("{} {} {}", point ? "connect" : "weld", loop.body_a, loop.body_b);
      loop.source = {map_.file(), pairs[k].line(), "loop '" + loop.name + "'"};
      spec_.loops.push_back(std::move(loop));
    }
  }

  const YamlMap& map_;
  Spec& spec_;
  std::map<std::string, std::size_t, std::less<>> joints_;
  std::set<std::string, std::less<>> frames_;  // links and frames
};

}  // namespace

LoopSpec read_urdf_loop(const XmlElement& element) {
  LoopSpec loop;
  loop.name = element.name();
  const XmlElement owner = element.owned_by("loop '" + loop.name + "'");
  loop.source = owner.source();
  owner.expect_attributes({"name", "type"});
  set_loop_kind(owner, loop);
  const bool old = owner.tag() == "loop_joint";
  if (old) owner.expect_children({"link1", "link2", "axis"}, {"limit", "dynamics"});
  else owner.expect_children({"predecessor", "successor", "axis"}, {"limit", "dynamics"});
  read_side(owner, old ? "link1" : "predecessor", loop.body_a, loop.placement_a);
  read_side(owner, old ? "link2" : "successor", loop.body_b, loop.placement_b);
  loop.axis = {1, 0, 0};
  if (const std::optional<XmlElement> axis = owner.child("axis"))
    loop.axis = axis->vec3("xyz", loop.axis);
  return loop;
}

LoopSpec read_urdf_coupling(const XmlElement& element, const Spec& spec, const UrdfIndex& index) {
  LoopSpec loop;
  loop.name = element.name();
  const XmlElement owner = element.owned_by("coupling '" + loop.name + "'");
  loop.source = owner.source();
  loop.kind = LoopSpec::Kind::coupling;
  owner.expect_attributes({"name", "type"});
  owner.expect_children({"predecessor", "successor", "ratio"});
  std::string leader, follower;
  Transform<double> unused;
  read_side(owner, "predecessor", leader, unused);
  read_side(owner, "successor", follower, unused);
  const JointSpec &first = carrier(owner, leader, spec, index),
                  &second = carrier(owner, follower, spec, index);
  if (first.parent != second.parent)
    throw owner.error(
        fmt::format("links '{}' and '{}' do not hang from one link; a coupling of the angles of "
                    "several joints is not read",
                    leader, follower));
  loop.leader = first.name;
  loop.joint = second.name;
  if (const std::optional<XmlElement> ratio = owner.child("ratio"))
    loop.polynomial[1] = ratio->number("value", 1);
  return loop;
}

namespace {

constexpr std::string_view closures_extension = ".closed_loops.yaml";

}  // namespace

void read_urdf_closures(std::string_view text, const std::string& file, Spec& spec) {
  const YamlNode root = parse_yaml_document(text, file);
  const YamlMap map(root, file, "",
                    {"closed_loop", "type", "name_mot", "joint_name", "joint_type"});
  ClosureReader(map, spec).read();
}

Spec parse_urdf_of_file(std::string_view text, const std::string& file) {
  Spec spec = parse_urdf(text, file);
  std::filesystem::path beside = file;
  beside.replace_extension(closures_extension);
  std::error_code missing;
  if (std::filesystem::exists(beside, missing))
    spec.warnings.push_back(
        fmt::format("{}: the loops and joint kinds of '{}' beside it are left out; give that file "
                    "as the robot to have them",
                    file, beside.filename().string()));
  return spec;
}

bool is_closures_file(const std::string& file) {
  return file.size() > closures_extension.size() && file.ends_with(closures_extension);
}

Spec read_urdf_with_closures(const std::string& file) {
  const std::string robot = file.substr(0, file.size() - closures_extension.size()) + ".urdf";
  Spec spec = read_or_explain(robot, [&] { return parse_urdf(read_text_file(robot), robot); });
  read_or_explain(file, [&] { read_urdf_closures(read_text_file(file), file, spec); });
  spec.format += ", with loops of " + std::filesystem::path(file).filename().string();
  return spec;
}

}  // namespace limber
