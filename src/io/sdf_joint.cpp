// SDF: joints.
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "index.hpp"
#include "io/sdf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

class SdfJointReader {
 public:
  SdfJointReader(int index, const SdfTree& tree, const SdfFrames& frames)
      : tree_(tree),
        frames_(frames),
        node_(tree.nodes[at_index(index)]),
        element_(*node_.element),
        pose_(frames.pose[at_index(index)]) {
    result_.node = index;
  }

  SdfJoint read(Spec& spec) {
    JointSpec& joint = result_.joint;
    joint.name = tree_.shown(node_.name);
    joint.source = element_.source();
    element_.expect_attributes({"name", "type"});
    element_.expect_children(
        {"parent", "child", "pose", "axis", "axis2", "gearbox_ratio", "gearbox_reference_body",
         "thread_pitch", "screw_thread_pitch", "sensor"},
        {"physics", "frame"});
    read_ends();
    read_kind();
    read_sdf_sensors(element_, "joint", joint.name, spec);
    return std::move(result_);
  }

 private:
  std::string name_of(int body) const {
    return body == 0 ? "" : tree_.shown(tree_.nodes[at_index(body)].name);
  }

  // the node that a child element names
  int find(const char* tag) const {
    const std::optional<XmlElement> end = element_.child(tag);
    if (!end || end->text().empty())
      throw element_.error(fmt::format("<joint> has no <{0}>; add <{0}>…</{0}>", tag));
    return tree_.find(*end, node_.scope, end->text());
  }

  void read_ends() {
    const int parent = find("parent");
    result_.parent = frames_.body[at_index(parent)];
    result_.child = frames_.body[at_index(result_.node)];
    if (result_.child == 0)
      throw element_.error(
          "the child is attached to the world, which does not move; exchange parent and child");
    if (result_.parent == result_.child)
      throw element_.error(
          fmt::format("parent and child are the same body, '{}'; a joint "
                      "connects two",
                      name_of(result_.child)));
    JointSpec& joint = result_.joint;
    joint.parent = name_of(result_.parent);
    joint.child = name_of(result_.child);
    joint.placement = apply_inverse(frames_.pose[at_index(result_.parent)], pose_);
    joint.child_placement = apply_inverse(pose_, frames_.pose[at_index(result_.child)]);
    const SdfNode& end = tree_.nodes[at_index(parent)];
    if (end.kind == SdfNode::Kind::frame && norm(frames_.pose[at_index(parent)].p - pose_.p) > 1e-9)
      element_.warn(
          fmt::format("the joint is not where its parent frame '{}' is: SDF takes from that frame "
                      "only the link; the joint is where its own <pose> puts it, by default at "
                      "the child",
                      tree_.shown(end.name)));
  }

  void read_kind() {
    JointSpec& joint = result_.joint;
    const std::string type = element_.required("type");
    if (type == "fixed") {
      joint.kind = JointKind::fixed;
    } else if (type == "ball") {
      joint.kind = JointKind::spherical;
      if (element_.child("axis")) element_.ignore("<axis> of a ball joint");
    } else if (type == "revolute" || type == "continuous" || type == "prismatic") {
      joint.kind = type == "prismatic" ? JointKind::prismatic : JointKind::revolute;
      joint.axis = read_axis("axis", joint.dof());
      if (type == "continuous") joint.dof().lower = -HUGE_VAL, joint.dof().upper = HUGE_VAL;
    } else if (type == "screw") {
      joint.kind = JointKind::helical;
      joint.axis = read_axis("axis", joint.dof());
      joint.pitch = read_pitch();
    } else if (type == "universal" || type == "revolute2") {
      read_two_axes(type == "revolute2");
    } else if (type == "gearbox") {
      read_gearbox();
    } else {
      const std::vector<std::string> known{"revolute", "continuous", "prismatic",
                                           "ball",     "universal",  "revolute2",
                                           "screw",    "gearbox",    "fixed"};
      throw element_.error(fmt::format("type=\"{}\" is not an SDF joint type; known are {}{}", type,
                                       fmt::join(known, ", "), did_you_mean(type, known)));
    }
  }

  // the axis in the joint frame
  Vec3<double> read_axis(const char* tag, DofSpec& dof) {
    const std::optional<XmlElement> axis = element_.child(tag);
    if (!axis) {
      element_.warn(fmt::format("the joint has no <{}>; z of the joint frame is taken", tag));
      return {0, 0, 1};
    }
    axis->expect_children({"xyz", "limit", "dynamics", "use_parent_model_frame", "mimic"},
                          {"initial_position"});
    read_limits(*axis, dof);
    read_dynamics(*axis, dof);
    if (const std::optional<XmlElement> mimic = axis->child("mimic")) read_mimic(*mimic, tag);
    return transpose(pose_.R) * direction(*axis);
  }

  // in world axes
  Vec3<double> direction(const XmlElement& axis) const {
    const Vec3<double> xyz = sdf_vec3(axis, "xyz", {0, 0, 1});
    const SdfScope& scope = tree_.scope_of(node_);
    int base = result_.node;
    std::string expressed_in;
    if (const std::optional<XmlElement> vector = axis.child("xyz")) {
      vector->expect_attributes({"expressed_in"});
      expressed_in = vector->attribute("expressed_in").value_or("");
    }
    // until 1.4 axes are in the frame of the model, in 1.5 and 1.6 by choice
    if (scope.version <= 4) base = scope.model;
    if (sdf_flag(axis, "use_parent_model_frame", false)) {
      if (scope.version >= 7)
        axis.warn(
            "<use_parent_model_frame> is no part of SDF 1.7 and later and is not read; write <xyz "
            "expressed_in=\"__model__\">");
      else base = scope.model;
    }
    if (!expressed_in.empty()) base = tree_.find(axis, node_.scope, expressed_in);
    return frames_.pose[at_index(base)].R * xyz;
  }

  static void read_limits(const XmlElement& axis, DofSpec& dof) {
    const std::optional<XmlElement> limit = axis.child("limit");
    if (!limit) return;
    limit->expect_children({"lower", "upper", "effort", "velocity"}, {"stiffness", "dissipation"});
    dof.lower = sdf_limit(*limit, "lower", -HUGE_VAL);
    dof.upper = sdf_limit(*limit, "upper", HUGE_VAL);
    // negative: none
    const double effort = sdf_limit(*limit, "effort", -1),
                 velocity = sdf_limit(*limit, "velocity", -1);
    if (effort >= 0) dof.effort_limit = effort;
    if (velocity >= 0) dof.velocity_limit = velocity;
  }

  static void read_dynamics(const XmlElement& axis, DofSpec& dof) {
    const std::optional<XmlElement> dynamics = axis.child("dynamics");
    if (!dynamics) return;
    dynamics->expect_children({"damping", "friction", "spring_reference", "spring_stiffness"});
    dof.damping = sdf_number(*dynamics, "damping", 0);
    dof.friction_positive = dof.friction_negative = sdf_number(*dynamics, "friction", 0);
    dof.spring_reference = sdf_number(*dynamics, "spring_reference", 0);
    dof.stiffness = sdf_number(*dynamics, "spring_stiffness", 0);
  }

  // follower = multiplier (leader − reference) + offset
  void read_mimic(const XmlElement& mimic, std::string_view tag) {
    mimic.expect_attributes({"joint", "axis"});
    mimic.expect_children({"multiplier", "offset", "reference"});
    const int leader = tree_.find(mimic, node_.scope, mimic.name("joint"));
    const SdfNode& node = tree_.nodes[at_index(leader)];
    if (node.kind != SdfNode::Kind::joint)
      throw mimic.error(fmt::format("'{}' is no joint", tree_.shown(node.name)));
    if (tag != "axis" || mimic.attribute("axis").value_or("axis") != "axis")
      throw mimic.error(
          "<mimic> of a second axis is not read; only joints with one freedom can follow");
    const double multiplier = sdf_number(mimic, "multiplier", 1);
    result_.joint.mimic = {
        tree_.shown(node.name), multiplier,
        sdf_number(mimic, "offset", 0) - multiplier * sdf_number(mimic, "reference", 0)};
  }

  // [m/rad]
  double read_pitch() const {
    constexpr double turn = 2 * std::numbers::pi;
    const bool is_new = element_.child("screw_thread_pitch").has_value(),
               is_old = element_.child("thread_pitch").has_value();
    if (!is_new && !is_old)
      element_.warn("a screw joint without <screw_thread_pitch>; 1 m per turn is taken");
    // metres per turn, right-handed
    if (is_new || !is_old) return sdf_number(element_, "screw_thread_pitch", 1) / turn;
    // radians per metre, left-handed
    const double old = sdf_number(element_, "thread_pitch", 1);
    if (old == 0) throw element_.error("<thread_pitch> is zero; it is in radians per metre");
    return -1 / old;
  }

  void read_two_axes(bool any_angle) {
    JointSpec& joint = result_.joint;
    std::array<DofSpec, 2> dofs;
    joint.axis = read_axis("axis", dofs[0]);
    joint.axis2 = read_axis("axis2", dofs[1]);
    if (joint.mimic)
      throw element_.error("<mimic> in a joint with two axes; only joints with one can follow");
    const double lengths = norm(joint.axis) * norm(joint.axis2);
    if (!any_angle || std::abs(dot(joint.axis, joint.axis2)) <= 1e-6 * lengths) {
      joint.kind = JointKind::universal;
      joint.dofs = {dofs[0], dofs[1]};
      return;
    }
    // two turns in series, with a body without mass between them
    joint.kind = JointKind::revolute;
    joint.dofs = {dofs[0]};
    JointSpec second = joint;
    second.name = joint.name + ":2";
    second.parent = joint.child + ":" + joint.name;
    second.placement = {};
    second.axis = joint.axis2;
    second.dofs = {dofs[1]};
    joint.child = second.parent;
    joint.child_placement = {};
    result_.second = std::move(second);
  }

  // angle of the child = −ratio · angle of the parent, both against the reference body
  void read_gearbox() {
    result_.is_gearbox = true;
    DofSpec unused;
    result_.joint.axis = pose_.R * read_axis("axis", unused);
    result_.joint.axis2 =
        element_.child("axis2") ? pose_.R * read_axis("axis2", unused) : result_.joint.axis;
    result_.ratio = sdf_number(element_, "gearbox_ratio", 1);
    result_.reference = frames_.body[at_index(find("gearbox_reference_body"))];
  }

  const SdfTree& tree_;
  const SdfFrames& frames_;
  const SdfNode& node_;
  const XmlElement element_;
  const Transform<double>& pose_;
  SdfJoint result_;
};

}  // namespace

SdfJoint read_sdf_joint(int node, const SdfTree& tree, const SdfFrames& frames, Spec& spec) {
  return SdfJointReader(node, tree, frames).read(spec);
}

}  // namespace limber
