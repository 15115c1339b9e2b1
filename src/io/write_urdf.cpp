// Spec to URDF.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/write_hydrodynamics.hpp"
#include "io/write.hpp"
#include "io/xml_writer.hpp"

namespace limber {

namespace {

// what stands for "no limit" where URDF must have one
constexpr double urdf_infinity = 1e9;

class UrdfWriter {
 public:
  UrdfWriter(const Spec& spec, Losses& losses) : spec_(spec), losses_(losses) {}

  std::string write() {
    xml_.open("robot").attribute("name", spec_.name.empty() ? "robot" : spec_.name);
    if (!root_link().empty()) {
      xml_.open("link").attribute("name", root_);
      for (const ShapeSpec& shape : spec_.world_shapes) write_shapes(shape, "world");
      xml_.close();
    }
    for (const BodySpec& body : spec_.bodies) write_link(body);
    if (!root_.empty()) write_welds();
    for (const JointSpec& joint : spec_.joints) write_joint(joint);
    for (const JointSpec& joint : spec_.joints) write_transmission(joint);
    for (const LoopSpec& loop : spec_.loops) write_loop(loop);
    for (const JointSpec& joint : spec_.joints) write_spring(joint);
    for (const BodySpec& body : spec_.bodies) write_collision(body);
    for (const BodySpec& body : spec_.bodies) write_water(body);
    for (const FrameSpec& frame : spec_.frames) {
      xml_.open("frame").attribute("name", frame.name);
      xml_.attribute("link", frame.body.empty() ? root_ : frame.body);
      put_pose_attributes(frame.placement);
      xml_.close();
    }
    list_losses();
    return xml_.close().text();
  }

 private:
  // URDF has one root. With several, or with something that hangs from the world, it is a link that
  // stands for the world; its name, or ""
  const std::string& root_link() {
    std::set<std::string> carried, names;
    bool uses_world = !spec_.world_shapes.empty();
    for (const JointSpec& joint : spec_.joints) {
      carried.insert(joint.child);
      uses_world = uses_world || joint.parent.empty();
    }
    for (const LoopSpec& loop : spec_.loops)
      uses_world = uses_world || (loop.kind != LoopSpec::Kind::coupling &&
                                  (loop.body_a.empty() || loop.body_b.empty()));
    for (const FrameSpec& frame : spec_.frames) {
      names.insert(frame.name);
      uses_world = uses_world || frame.body.empty();
    }
    for (const BodySpec& body : spec_.bodies) {
      names.insert(body.name);
      if (!carried.contains(body.name)) roots_.push_back(body.name);
    }
    if (roots_.size() > 1 || uses_world) {
      root_ = "world";
      while (names.contains(root_)) root_ += "_root";
    }
    return root_;
  }

  // before other joints, as the variables of what is welded come first
  void write_welds() {
    FreshNames names;
    for (const JointSpec& joint : spec_.joints) names.take(joint.name);
    for (const std::string& root : roots_) {
      const std::string name = names(root + "_fixed");
      xml_.open("joint").attribute("name", name).attribute("type", "fixed");
      xml_.open("parent").attribute("link", root_).close();
      xml_.open("child").attribute("link", root).close();
      xml_.close();
    }
  }

  void put_pose_attributes(const Transform<double>& X) {
    const Vec3<double> rpy = to_rpy(X.R).rpy;
    xml_.attribute("xyz", X.p).attribute("rpy", rpy);
  }
  void write_origin(const Transform<double>& X) {
    if (is_identity(X)) return;
    xml_.open("origin");
    put_pose_attributes(X);
    xml_.close();
  }

  void write_link(const BodySpec& body) {
    xml_.open("link").attribute("name", body.name);
    if (!is_massless(body.inertia)) {
      const ComForm form = to_com_form(body.inertia);
      const Sym3<double>& I = form.inertia;
      xml_.open("inertial");
      xml_.open("origin").attribute("xyz", form.com).close();
      xml_.open("mass").attribute("value", form.mass).close();
      xml_.open("inertia").attribute("ixx", I.xx).attribute("ixy", I.xy).attribute("ixz", I.xz);
      xml_.attribute("iyy", I.yy).attribute("iyz", I.yz).attribute("izz", I.zz).close();
      xml_.close();
      if (form.mass == 0 && norm(body.inertia.h) != 0)
        losses_.dynamics("body '" + body.name + "'", "a first moment without mass is left out");
    }
    for (const ShapeSpec& shape : body.shapes) write_shapes(shape, "body '" + body.name + "'");
    xml_.close();
  }

  void write_shapes(const ShapeSpec& shape, const std::string& owner) {
    using Kind = ShapeSpec::Kind;
    if (shape.kind == Kind::ellipsoid || shape.kind == Kind::plane ||
        shape.kind == Kind::height_field)
      return losses_.description(owner, fmt::format("a shape is left out: URDF has no {}",
                                                    shape.kind == Kind::ellipsoid ? "ellipsoid"
                                                    : shape.kind == Kind::plane   ? "plane"
                                                                                : "height field"));
    const ShapeSpec plain;
    has_surfaces_ = has_surfaces_ || shape.friction.y != plain.friction.y ||
                    shape.friction.z != plain.friction.z || shape.collides_as != 1 ||
                    shape.collides_with != 1 || shape.group != 0;
    has_materials_ = has_materials_ || !shape.material.empty();
    if (shape.role != ShapeSpec::Role::collision) write_shape(shape, "visual");
    if (shape.role != ShapeSpec::Role::visual) write_shape(shape, "collision");
  }

  void write_shape(const ShapeSpec& shape, const char* tag) {
    using Kind = ShapeSpec::Kind;
    xml_.open(tag);
    if (!shape.name.empty()) xml_.attribute("name", shape.name);
    write_origin(shape.placement);
    xml_.open("geometry");
    if (shape.kind == Kind::box) xml_.open("box").attribute("size", shape.size);
    if (shape.kind == Kind::sphere) xml_.open("sphere").attribute("radius", shape.size.x);
    if (shape.kind == Kind::cylinder || shape.kind == Kind::capsule)
      xml_.open(shape.kind == Kind::cylinder ? "cylinder" : "capsule")
          .attribute("radius", shape.size.x)
          .attribute("length", shape.size.y);
    if (shape.kind == Kind::mesh)
      xml_.open("mesh").attribute("filename", shape.mesh_file).attribute("scale", shape.size);
    xml_.close().close();
    if (shape.color != ShapeSpec{}.color) {
      const std::string color = format_numbers(shape.color);
      xml_.open("material").attribute("name", shape.material.empty() ? color : shape.material);
      xml_.open("color").attribute("rgba", format_numbers(shape.color)).close();
      xml_.close();
    }
    xml_.close();
  }

  static const char* type_of(const JointSpec& joint) {
    const DofSpec dof = dof_of(joint, 0);
    const bool has_range = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    if (joint.kind == JointKind::revolute && !has_range) return "continuous";
    return joint_type(joint.kind, RobotFormat::urdf);
  }

  void write_joint(const JointSpec& joint) {
    xml_.open("joint").attribute("name", joint.name).attribute("type", type_of(joint));
    write_origin(joint.placement);
    xml_.open("parent").attribute("link", joint.parent.empty() ? root_ : joint.parent).close();
    xml_.open("child").attribute("link", joint.child).close();
    if (joint.kind != JointKind::fixed) {
      if (joint.kind != JointKind::free) {
        const double length = norm(joint.axis);
        const bool is_unit = std::abs(length - 1) < 1e-12;
        xml_.open("axis").attribute("xyz", is_unit ? joint.axis : joint.axis / length).close();
      }
      write_limits(joint);
      write_friction(joint);
    }
    if (joint.mimic && joint.kind != JointKind::fixed) {
      xml_.open("mimic").attribute("joint", joint.mimic->joint);
      xml_.attribute("multiplier", joint.mimic->multiplier);
      xml_.attribute("offset", joint.mimic->offset).close();
    }
    xml_.close();
  }

  // a finite number; what has no limit is told
  double limit(const JointSpec& joint, const char* what, double value) {
    if (std::isfinite(value)) return value;
    losses_.description("joint '" + joint.name + "'",
                        fmt::format("no {} limit, where URDF must have one: {} is written", what,
                                    value < 0 ? "-1e9" : "1e9"));
    return value < 0 ? -urdf_infinity : urdf_infinity;
  }

  void write_limits(const JointSpec& joint) {
    const DofSpec dof = dof_of(joint, 0);
    const std::string_view type = type_of(joint);
    const bool has_range = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    const bool has_rates = std::isfinite(dof.velocity_limit) || std::isfinite(dof.effort_limit);
    if (type == "revolute" || type == "prismatic") {
      xml_.open("limit").attribute("lower", limit(joint, "lower", dof.lower));
      xml_.attribute("upper", limit(joint, "upper", dof.upper));
    } else {
      if (has_range)
        losses_.description("joint '" + joint.name + "'",
                            fmt::format("URDF has no position limits of a {} joint", type));
      if (!has_rates) return;
      xml_.open("limit");
    }
    xml_.attribute("velocity", limit(joint, "velocity", dof.velocity_limit));
    xml_.attribute("effort", limit(joint, "effort", dof.effort_limit)).close();
    for (const DofSpec& other : joint.dofs)
      if (other.velocity_limit != dof.velocity_limit || other.effort_limit != dof.effort_limit ||
          other.lower != dof.lower || other.upper != dof.upper)
        return losses_.description("joint '" + joint.name + "'",
                                   "limits that differ between its freedoms: the first is written");
  }

  void write_friction(const JointSpec& joint) {
    const std::string owner = "joint '" + joint.name + "'";
    std::vector<double> damping, friction;
    for (const DofSpec& dof : joint.dofs) {
      damping.push_back(dof.damping);
      friction.push_back((dof.friction_positive + dof.friction_negative) / 2);
      if (dof.friction_positive != dof.friction_negative)
        losses_.dynamics(owner, "URDF has one friction for both directions: the mean is written");
      if (dof.stiffness != 0 && velocity_count(joint.kind) > 1)
        losses_.dynamics(owner, "its spring is left out: URDF has none at such a joint");
      if (!dof.rotor_mount.empty() && dof.rotor_inertia != 0)
        losses_.dynamics(
            owner,
            "the gyroscopic effect of its rotor is lost: URDF cannot say where a rotor "
            "is mounted");
      if (velocity_count(joint.kind) > 1 && dof.rotor_inertia != 0)
        losses_.dynamics(owner, fmt::format("its rotors are left out: URDF has none at a {} joint",
                                            name(joint.kind)));
    }
    const auto all_zero = [](const std::vector<double>& x) {
      return std::all_of(x.begin(), x.end(), [](double one) { return one == 0; });
    };
    const bool has_damping = !all_zero(damping), has_friction = !all_zero(friction);
    if (!has_damping && !has_friction) return;
    xml_.open("dynamics");
    if (has_damping) xml_.attribute("damping", format_numbers(damping));
    if (has_friction) xml_.attribute("friction", format_numbers(friction));
    xml_.close();
  }

  // the motor that a transmission stands for, if the joint has one
  const ActuatorSpec* motor_of(const JointSpec& joint, const DofSpec& dof) const {
    const ActuatorSpec plain;
    for (const ActuatorSpec& actuator : spec_.actuators)
      if (actuator.joint == joint.name && actuator.kind == "motor" && actuator.gain == plain.gain &&
          actuator.bias == plain.bias && actuator.gear == std::array<double, 6>{dof.gear_ratio} &&
          actuator.time_constant == 0 && std::isinf(actuator.control_lower) &&
          std::isinf(actuator.control_upper) && std::isinf(actuator.force_lower) &&
          std::isinf(actuator.force_upper))
        return &actuator;
    return nullptr;
  }

  void write_transmission(const JointSpec& joint) {
    const DofSpec dof = dof_of(joint, 0);
    if (velocity_count(joint.kind) != 1) return;
    const ActuatorSpec* const motor = motor_of(joint, dof);
    if (!motor && dof.gear_ratio == 1 && dof.rotor_inertia == 0) return;
    if (motor) written_.insert(motor->name);
    xml_.open("transmission").attribute("name", joint.name + "_transmission");
    xml_.leaf("type", "transmission_interface/SimpleTransmission");
    xml_.open("joint").attribute("name", joint.name).close();
    xml_.open("actuator").attribute("name", motor ? motor->name : joint.name + "_motor");
    xml_.leaf("mechanicalReduction", dof.gear_ratio);
    if (dof.rotor_inertia != 0) xml_.leaf("rotorInertia", dof.rotor_inertia);
    xml_.close().close();
  }

  // <loop>, as a few programs have it beyond URDF itself
  void write_loop(const LoopSpec& loop) {
    using Kind = LoopSpec::Kind;
    const std::string owner = "loop '" + loop.name + "'";
    const bool turns = loop.kind == Kind::joint && loop.joint_kind == JointKind::revolute;
    const bool slides = loop.kind == Kind::joint && loop.joint_kind == JointKind::prismatic;
    const bool is_held = loop.kind == Kind::connect || loop.kind == Kind::weld || turns || slides;
    if (!loop.is_active)
      return losses_.description(owner, "left out: it is not active, which URDF cannot say");
    if (!is_held) return losses_.dynamics(owner, "left open: URDF has no loops of this kind");
    losses_.description(owner, "written as <loop>, which Limber and few other programs read");
    const char* const type = turns                        ? "revolute"
                             : slides                     ? "prismatic"
                             : loop.kind == Kind::connect ? "ball"
                                                          : "fixed";
    xml_.open("loop").attribute("name", loop.name).attribute("type", type);
    const auto side = [&](const char* tag, const std::string& body, const Transform<double>& X) {
      xml_.open(tag).attribute("link", body.empty() ? root_ : body);
      write_origin(X);
      xml_.close();
    };
    side("predecessor", loop.body_a, loop.placement_a);
    side("successor", loop.body_b, loop.placement_b);
    if (turns || slides) xml_.open("axis").attribute("xyz", loop.axis).close();
    xml_.close();
    if (!loop.dofs.empty())
      losses_.description(owner, "limits and friction of the joint that closes it are left out");
  }

  // springs, as Gazebo reads them from URDF
  void write_spring(const JointSpec& joint) {
    const DofSpec dof = dof_of(joint, 0);
    if (velocity_count(joint.kind) != 1 || (dof.stiffness == 0 && dof.spring_reference == 0))
      return;
    xml_.open("gazebo").attribute("reference", joint.name);
    xml_.leaf("springStiffness", dof.stiffness).leaf("springReference", dof.spring_reference);
    xml_.close();
  }

  // friction of its shapes, if they share it, and whether the robot collides with itself
  void write_collision(const BodySpec& body) {
    const std::string owner = "body '" + body.name + "'";
    const double usual = ShapeSpec{}.friction.x;
    double friction = usual;
    bool alike = true, found = false;
    for (const ShapeSpec& shape : body.shapes) {
      if (shape.role == ShapeSpec::Role::visual) continue;
      alike = alike && (!found || shape.friction.x == friction);
      friction = shape.friction.x;
      found = true;
    }
    if (!alike) losses_.description(owner, "friction that differs between its shapes is left out");
    const bool has_friction = alike && friction != usual;
    if (body.family > 1) losses_.description(owner, "its family of bodies is called 1 in URDF");
    if (!has_friction && body.family == 0) return;
    xml_.open("gazebo").attribute("reference", body.name);
    if (has_friction) xml_.leaf("mu1", friction);
    if (body.family != 0) xml_.leaf("selfCollide", "false");
    xml_.close();
  }

  // as Gazebo reads it from URDF
  void write_water(const BodySpec& body) {
    list_lost_hydrodynamics(body, WaterPlugins::written, "URDF", losses_);
    if (!needs_water_plugins(body, PluginAddedMass::here)) return;
    xml_.open("gazebo");
    write_water_plugins(body, PluginAddedMass::here, xml_);
    xml_.close();
  }

  void list_losses() {
    if (!same_bits(spec_.gravity, Spec{}.gravity))
      losses_.dynamics("gravity",
                       "left out: URDF has no place for it, readers take 9.81 m/s² down");
    for (const JointSpec& joint : spec_.joints)
      if (!joint.actuation.empty())
        losses_.description("joint '" + joint.name + "'",
                            "its actuation is left out: URDF has no place for it");
    if (has_surfaces_)
      losses_.description("shapes",
                          "rolling and spinning friction, collision bits and groups are left out");
    if (has_materials_)
      losses_.description("shapes", "Limber does not read names of materials back");
    Spec rest = spec_;
    std::erase_if(rest.actuators,
                  [&](const ActuatorSpec& actuator) { return written_.contains(actuator.name); });
    list_lost_extras(rest, "URDF", losses_);
  }

  const Spec& spec_;
  Losses& losses_;
  XmlWriter xml_;
  std::vector<std::string> roots_;
  std::string root_;               // the link that stands for the world
  std::set<std::string> written_;  // actuators
  bool has_surfaces_ = false, has_materials_ = false;
};

}  // namespace

std::string write_urdf(Spec spec, Losses& losses) {
  expand_joints(spec, RobotFormat::urdf, losses);
  settle_child_frames(
      spec, [](const JointSpec&) { return true; }, losses);
  rename_parts(spec, NameScope::bodies_and_joints_apart, without_placeholders, "URDF", losses);
  return UrdfWriter(spec, losses).write();
}

}  // namespace limber
