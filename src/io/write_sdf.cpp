// Spec to SDF 1.11.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "io/write_hydrodynamics.hpp"
#include "io/write_sdf.hpp"
#include "model/canonical.hpp"
#include "model/structure.hpp"

namespace limber {

namespace {

// no blanks at the ends, which readers take away, no '::', which stands between models, and no
// reserved names
std::string sdf_name(const std::string& name) {
  std::string result = without_placeholders(name);
  for (std::size_t at = 0; (at = result.find("::", at)) != std::string::npos;)
    result.replace(at, 2, "_");
  if (result.starts_with(' ')) result[0] = '_';
  if (result.ends_with(' ')) result.back() = '_';
  const bool is_reserved =
      result == "world" || (result.starts_with("__") && result.ends_with("__"));
  return is_reserved ? result + "_link" : result;
}

class SdfWriter {
 public:
  SdfWriter(const Spec& spec, Losses& losses) : spec_(spec), losses_(losses), names_(spec) {
    for (const JointSpec& joint : spec.joints) {
      carriers_.emplace(joint.child, &joint);
      joints_.emplace(joint.name, &joint);
    }
    check_free_joints();
  }

  std::string write() {
    xml_.open("sdf").attribute("version", "1.11");
    // gravity and time step belong to a world
    const bool has_world = !same_bits(spec_.gravity, Spec{}.gravity) || spec_.timestep > 0;
    if (has_world) {
      xml_.open("world").attribute("name", "default");
      xml_.leaf("gravity", format_numbers(spec_.gravity));
      if (spec_.timestep > 0) {
        xml_.open("physics").attribute("name", "default").attribute("type", "ode");
        xml_.leaf("max_step_size", spec_.timestep).close();
      }
    }
    xml_.open("model").attribute("name", spec_.name.empty() ? "robot" : spec_.name);
    const auto collides = [](const BodySpec& body) { return body.family == 0; };
    all_collide_ = std::all_of(spec_.bodies.begin(), spec_.bodies.end(), collides);
    if (all_collide_) xml_.leaf("self_collide", "true");
    for (const BodySpec& body : spec_.bodies) write_link(body);
    // what is welded comes first among the variables
    for (const BodySpec& body : spec_.bodies)
      if (!carriers_.contains(body.name)) write_weld(body);
    for (const JointSpec& joint : spec_.joints)
      if (joint.kind != JointKind::free)
        write_joint(joint, joint_type(joint.kind, RobotFormat::sdf));
    for (const LoopSpec& loop : spec_.loops) write_loop(loop);
    for (const FrameSpec& frame : spec_.frames) write_frame(frame);
    for (const BodySpec& body : spec_.bodies)
      write_water_plugins(body, PluginAddedMass::elsewhere, xml_);
    xml_.close();
    if (has_world) xml_.close();
    list_losses();
    return xml_.close().text();
  }

 private:
  // SDF has them only as links that nothing carries
  void check_free_joints() {
    bool after_free = false;
    for (const JointSpec& joint : spec_.joints) {
      if (joint.kind == JointKind::free && !joint.parent.empty())
        throw Error(joint.source,
                    fmt::format("SDF has free links in the world only, and this joint hangs from "
                                "'{}'; write YAML or URDF instead, or let it hang from the world",
                                joint.parent));
      if (joint.kind == JointKind::free) {
        after_free = true;
        losses_.description("joint '" + joint.name + "'",
                            "has no name in SDF, where a link without a joint is free");
      } else if (after_free && joint.parent.empty() && joint.kind != JointKind::fixed) {
        losses_.description("joint '" + joint.name + "'",
                            "its variables come before those of the free links in SDF");
      }
    }
  }

  void write_pose(const Transform<double>& X, const std::string& relative_to = "") {
    write_sdf_pose(X, relative_to, xml_);
  }

  void write_link(const BodySpec& body) {
    xml_.open("link").attribute("name", body.name);
    if (const auto carrier = carriers_.find(body.name); carrier != carriers_.end()) {
      const JointSpec& joint = *carrier->second;
      write_pose(joint.placement * joint.child_placement, joint.parent);
    }
    const ComForm form = to_com_form(body.inertia);
    const Sym3<double>& I = form.inertia;
    xml_.open("inertial");
    write_pose(Transform<double>::translation(form.com));
    xml_.leaf("mass", form.mass);
    xml_.open("inertia").leaf("ixx", I.xx).leaf("iyy", I.yy).leaf("izz", I.zz);
    xml_.leaf("ixy", I.xy).leaf("ixz", I.xz).leaf("iyz", I.yz).close();
    write_fluid_added_mass(body, xml_);
    xml_.close();
    if (body.family == 0 && !all_collide_) xml_.leaf("self_collide", "true");
    const std::string owner = "body '" + body.name + "'";
    if (form.mass == 0)
      losses_.description(owner, "has no mass, which Gazebo refuses; Limber reads it back");
    if (form.mass == 0 && norm(body.inertia.h) != 0)
      losses_.dynamics(owner, "a first moment without mass is left out");
    int number = 0;
    for (const ShapeSpec& shape : body.shapes) {
      ++number;
      if (shape.kind == ShapeSpec::Kind::height_field)
        losses_.description(owner, "a height field is left out, as its size is not known");
      else write_sdf_shapes(shape, number, owner, xml_, losses_);
    }
    xml_.close();
  }

  void write_weld(const BodySpec& body) {
    const std::string name = names_(body.name + "_fixed");
    xml_.open("joint").attribute("name", name).attribute("type", "fixed");
    xml_.leaf("parent", "world").leaf("child", body.name).close();
  }

  void write_joint(const JointSpec& joint, const char* type) {
    xml_.open("joint").attribute("name", joint.name).attribute("type", type);
    write_pose(inverse(joint.child_placement));
    xml_.leaf("parent", joint.parent.empty() ? "world" : joint.parent);
    xml_.leaf("child", joint.child);
    if (has_pitch(joint.kind))
      xml_.leaf("screw_thread_pitch", joint.pitch * (2 * std::numbers::pi));
    const int axes = facts(joint.kind).axes;
    for (int k = 0; k < axes; ++k) write_axis(joint, k);
    xml_.close();
    list_freedoms(joint, axes);
  }

  void write_axis(const JointSpec& joint, int k) {
    const Vec3<double>& axis = k == 0 ? joint.axis : joint.axis2;
    const double length = norm(axis);
    xml_.open(k == 0 ? "axis" : "axis2");
    xml_.leaf("xyz", format_numbers(std::abs(length - 1) < 1e-12 ? axis : axis / length));
    const DofSpec dof = dof_of(joint, k);
    const bool has_limits = std::isfinite(dof.lower) || std::isfinite(dof.upper) ||
                            std::isfinite(dof.velocity_limit) || std::isfinite(dof.effort_limit);
    if (has_limits) {
      xml_.open("limit");
      if (std::isfinite(dof.lower)) xml_.leaf("lower", dof.lower);
      if (std::isfinite(dof.upper)) xml_.leaf("upper", dof.upper);
      if (std::isfinite(dof.velocity_limit)) xml_.leaf("velocity", dof.velocity_limit);
      if (std::isfinite(dof.effort_limit)) xml_.leaf("effort", dof.effort_limit);
      xml_.close();
    }
    const double friction = (dof.friction_positive + dof.friction_negative) / 2;
    if (dof.damping != 0 || friction != 0 || dof.stiffness != 0 || dof.spring_reference != 0) {
      xml_.open("dynamics").leaf("damping", dof.damping).leaf("friction", friction);
      xml_.leaf("spring_reference", dof.spring_reference);
      xml_.leaf("spring_stiffness", dof.stiffness).close();
    }
    if (joint.mimic) {
      xml_.open("mimic").attribute("joint", joint.mimic->joint);
      xml_.leaf("multiplier", joint.mimic->multiplier).leaf("offset", joint.mimic->offset);
      xml_.leaf("reference", 0.0).close();
    }
    xml_.close();
  }

  // what SDF has no place for; `axes`: of how many freedoms it has one
  void list_freedoms(const JointSpec& joint, int axes) {
    const std::string owner = "joint '" + joint.name + "'";
    for (const DofSpec& dof : joint.dofs) {
      if (joint.kind == JointKind::fixed) break;
      if (dof.rotor_inertia != 0) losses_.dynamics(owner, "its rotor is left out: SDF has none");
      if (dof.gear_ratio != 1) losses_.description(owner, "its gear ratio is left out");
      if (dof.friction_positive != dof.friction_negative)
        losses_.dynamics(owner, "SDF has one friction for both directions: the mean is written");
      if (axes > 0) continue;
      if (dof.damping != 0 || dof.friction_positive != 0 || dof.stiffness != 0)
        losses_.dynamics(owner, "its damping, friction or spring is left out: SDF has none here");
      if (std::isfinite(dof.lower) || std::isfinite(dof.upper) ||
          std::isfinite(dof.velocity_limit) || std::isfinite(dof.effort_limit))
        losses_.description(owner, "its limits are left out: SDF has none here");
    }
    if (!joint.actuation.empty())
      losses_.description(owner, "its actuation is left out: SDF has no place for it");
  }

  void write_frame(const FrameSpec& frame) {
    if (frame.body.empty())
      return losses_.description("frame '" + frame.name + "'",
                                 "left out: a model of SDF has no frames on the world");
    xml_.open("frame").attribute("name", frame.name).attribute("attached_to", frame.body);
    write_pose(frame.placement);
    xml_.close();
  }

  // of a body while all joints are at zero
  Transform<double> pose_at_rest(const std::string& body) const {
    Transform<double> pose;
    for (auto carrier = carriers_.find(body); carrier != carriers_.end();
         carrier = carriers_.find(carrier->second->parent))
      pose = carrier->second->placement * carrier->second->child_placement * pose;
    return pose;
  }

  // angles of two turns from one body that are in proportion: a gearbox; false: the loop is none
  std::string name_of(const LoopSpec& loop) {
    const std::string name = sdf_name(loop.name);
    return names_.take(name) ? name : names_(name + "_loop");
  }

  bool write_gearbox(const LoopSpec& loop) {
    const auto joint = joints_.find(loop.joint), leader = joints_.find(loop.leader);
    if (loop.kind != LoopSpec::Kind::coupling || joint == joints_.end() || leader == joints_.end())
      return false;
    const JointSpec &follower = *joint->second, &master = *leader->second;
    const double ratio = loop.polynomial[1];
    const bool fits = follower.kind == JointKind::revolute && master.kind == JointKind::revolute &&
                      follower.parent == master.parent &&
                      loop.polynomial == std::array<double, 5>{0, ratio, 0, 0, 0} &&
                      loop.joint_reference == ratio * loop.leader_reference;
    if (!fits) return false;
    const std::string name = name_of(loop);
    xml_.open("joint").attribute("name", name).attribute("type", "gearbox");
    xml_.leaf("parent", master.child).leaf("child", follower.child);
    // the child turns against the parent: SDF has the sign the other way round
    xml_.leaf("gearbox_ratio", -ratio);
    xml_.leaf("gearbox_reference_body", master.parent.empty() ? "world" : master.parent);
    const auto axis = [&](const char* tag, const JointSpec& of) {
      xml_.open(tag).leaf("xyz", format_numbers(of.axis / norm(of.axis)), "expressed_in", of.name);
      xml_.close();
    };
    axis("axis", master);
    axis("axis2", follower);
    xml_.close();
    return true;
  }

  // SDF has joints that close loops; they hold what is together while all joints are at zero
  void write_loop(const LoopSpec& loop) {
    const std::string owner = "loop '" + loop.name + "'";
    const bool by_joint = loop.kind == LoopSpec::Kind::joint && !loop.body_b.empty() &&
                          *joint_type(loop.joint_kind, RobotFormat::sdf) != '\0' &&
                          loop.joint_kind != JointKind::free;
    const bool has_ends =
        by_joint || loop.kind == LoopSpec::Kind::connect || loop.kind == LoopSpec::Kind::weld;
    if (loop.is_active && write_gearbox(loop)) return;
    if (!has_ends || (loop.body_a.empty() && loop.body_b.empty()))
      return losses_.dynamics(owner, "left open: SDF has no joint of this kind");
    if (!loop.is_active)
      return losses_.description(owner, "left out: it is not active, which SDF cannot say");
    const Transform<double> a = pose_at_rest(loop.body_a) * loop.placement_a,
                            b = pose_at_rest(loop.body_b) * loop.placement_b;
    const Mat3<double> turn = a.R - b.R;
    double gap = norm(a.p - b.p);
    if (loop.kind != LoopSpec::Kind::connect)
      for (int i = 0; i < 3; ++i) gap = std::max(gap, norm(turn.row(i)));
    if (!(gap < 1e-9))
      return losses_.dynamics(owner,
                              "left open: its ends are apart while all joints are at zero, and SDF "
                              "joins what is together then");
    JointSpec joint;
    joint.name = name_of(loop);
    const bool swapped = loop.body_b.empty();
    joint.parent = swapped ? loop.body_b : loop.body_a;
    joint.child = swapped ? loop.body_a : loop.body_b;
    joint.child_placement = inverse(swapped ? loop.placement_a : loop.placement_b);
    if (by_joint) joint.kind = loop.joint_kind;
    joint.axis = loop.axis;
    joint.axis2 = loop.axis2;
    joint.pitch = loop.pitch;
    joint.dofs = loop.dofs;
    write_joint(joint, by_joint ? joint_type(joint.kind, RobotFormat::sdf)
                       : loop.kind == LoopSpec::Kind::connect ? "ball"
                                                              : "fixed");
  }

  void list_losses() {
    for (const BodySpec& body : spec_.bodies)
      list_lost_hydrodynamics(body, WaterPlugins::written, "SDF", losses_);
    for (const JointSpec& joint : spec_.joints)
      if (joint.kind == JointKind::free) list_freedoms(joint, 0);
    if (!spec_.world_shapes.empty())
      losses_.description("world", "its shapes are left out: a model of SDF does not have them");
    Spec rest = spec_;
    rest.timestep = 0;  // is written
    list_lost_extras(rest, "SDF", losses_);
  }

  const Spec& spec_;
  Losses& losses_;
  XmlWriter xml_;
  std::map<std::string, const JointSpec*> carriers_, joints_;
  FreshNames names_;
  bool all_collide_ = false;  // no body is of a family
};

}  // namespace

std::string write_sdf(Spec spec, Losses& losses) {
  expand_joints(spec, RobotFormat::sdf, losses);
  settle_child_frames(
      spec, [](const JointSpec& joint) { return joint.kind == JointKind::free; }, losses);
  resolve_world_link(spec, "SDF", losses);
  lump_massless_links(spec, losses);
  rename_parts(spec, NameScope::all_together, sdf_name, "SDF", losses);
  return SdfWriter(spec, losses).write();
}

}  // namespace limber
