// What differs between two Specs: bodies, joints, frames, and the order of the variables.
#include "model/compare.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "model/canonical.hpp"
#include "model/names.hpp"
#include "model/structure.hpp"

namespace limber {

void Differences::text(const std::string& what, const std::string& a, const std::string& b) {
  if (a != b) result_.structure.push_back({element_, what, a, b});
}

void Differences::numbers(const std::string& what, std::span<const double> a,
                          std::span<const double> b, double least) {
  double largest = least, difference = 0;
  for (const std::span<const double> list : {a, b})
    for (const double x : list)
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) difference = std::max(difference, std::abs(a[i] - b[i]));
  if (a.size() != b.size()) difference = HUGE_VAL;
  if (difference > tolerance_ * largest)
    result_.numbers.push_back(
        {element_, what, {a.begin(), a.end()}, {b.begin(), b.end()}, difference});
}

void Differences::number(const std::string& what, double a, double b, double least) {
  numbers(what, {&a, 1}, {&b, 1}, least);
}

void Differences::vector(const std::string& what, const Vec3<double>& a, const Vec3<double>& b,
                         double least) {
  const double x[] = {a.x, a.y, a.z}, y[] = {b.x, b.y, b.z};
  numbers(what, x, y, least);
}

void Differences::rotation(const std::string& what, const Mat3<double>& a, const Mat3<double>& b) {
  const double x[] = {a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz};
  const double y[] = {b.xx, b.xy, b.xz, b.yx, b.yy, b.yz, b.zx, b.zy, b.zz};
  numbers(what, x, y, 1);
}

void Differences::pose(const std::string& what, const Transform<double>& a,
                       const Transform<double>& b) {
  vector("position of " + what, a.p, b.p, 1);
  rotation("rotation of " + what, a.R, b.R);
}

namespace {

template <class Item>
std::map<std::string, const Item*> by_name(const std::vector<Item>& items) {
  std::map<std::string, const Item*> index;
  for (const Item& item : items) index.emplace(item.name, &item);
  return index;
}

class SpecComparer {
 public:
  SpecComparer(const Spec& a, const Spec& b, Differences& found) : a_(a), b_(b), found_(found) {}

  void run() {
    found_.about("robot");
    found_.text("name", a_.name, b_.name);
    found_.vector("gravity", a_.gravity, b_.gravity, 1);
    found_.number("time step", a_.timestep, b_.timestep);
    compare_bodies();
    compare_joints();
    compare_order();
    compare_frames();
    found_.about("world");
    compare_shapes(a_.world_shapes, b_.world_shapes);
  }

 private:
  void compare_bodies() {
    found_.match("body", a_.bodies, b_.bodies, [&](const BodySpec& a, const BodySpec& b) {
      found_.number("mass", a.inertia.m, b.inertia.m);
      const bool has_com = a.inertia.m != 0 && b.inertia.m != 0;
      if (has_com) found_.vector("centre of mass", a.inertia.com(), b.inertia.com(), 1);
      else found_.vector("first moment", a.inertia.h, b.inertia.h);
      const Sym3<double> x = a.inertia.rotational_about_com(), y = b.inertia.rotational_about_com();
      const double I[] = {x.xx, x.yy, x.zz, x.xy, x.xz, x.yz},
                   J[] = {y.xx, y.yy, y.zz, y.xy, y.xz, y.yz};
      found_.numbers("inertia", I, J);
      compare_hydrodynamics(a.hydrodynamics.value_or(HydrodynamicsSpec{}),
                            b.hydrodynamics.value_or(HydrodynamicsSpec{}));
      found_.text("family", std::to_string(a.family), std::to_string(b.family));
      compare_shapes(a.shapes, b.shapes);
    });
  }

  // numbers that both give; false: only one of them does, or none
  template <class X>
  bool both_give(const char* what, const std::optional<X>& a, const std::optional<X>& b) {
    const auto name = [](const std::optional<X>& x) { return x ? "given" : "from shapes"; };
    found_.text(what, name(a), name(b));
    return a && b;
  }

  void compare_matrix(const char* what, const std::optional<MarineMatrix>& a,
                      const std::optional<MarineMatrix>& b) {
    if (!both_give(what, a, b)) return;
    const bool is_short = is_diagonal(*a) && is_diagonal(*b);
    std::vector<double> x, y;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        if (i == j || !is_short) {
          x.push_back((*a)[i][j]);
          y.push_back((*b)[i][j]);
        }
    found_.numbers(what, x, y);
  }

  void compare_hydrodynamics(const HydrodynamicsSpec& a, const HydrodynamicsSpec& b) {
    compare_matrix("added mass", a.added_mass, b.added_mass);
    compare_matrix("linear damping in water", a.linear_damping, b.linear_damping);
    compare_matrix("quadratic damping in water", a.quadratic_damping, b.quadratic_damping);
    if ((a.linear_damping && b.linear_damping) || (a.quadratic_damping && b.quadratic_damping))
      found_.pose("frame of damping in water", a.damping_frame, b.damping_frame);
    if (both_give("displaced volume", a.volume, b.volume))
      found_.number("displaced volume", *a.volume, *b.volume);
    if (both_give("centre of buoyancy", a.center_of_buoyancy, b.center_of_buoyancy))
      found_.vector("centre of buoyancy", *a.center_of_buoyancy, *b.center_of_buoyancy, 1);
    if (both_give("drag coefficient", a.drag_coefficient, b.drag_coefficient))
      found_.number("drag coefficient", *a.drag_coefficient, *b.drag_coefficient);
    found_.text("number of cylinders for drag", std::to_string(a.cylinders.size()),
                std::to_string(b.cylinders.size()));
    for (std::size_t i = 0; i < std::min(a.cylinders.size(), b.cylinders.size()); ++i) {
      const CylinderDragSpec &x = a.cylinders[i], &y = b.cylinders[i];
      const std::string which = fmt::format("drag cylinder {}", i + 1);
      found_.vector("start of " + which, x.start, y.start, 1);
      found_.vector("end of " + which, x.end, y.end, 1);
      found_.number("radius of " + which, x.radius, y.radius);
      const double c[] = {x.drag_coefficient, x.end_coefficient, x.skin_coefficient},
                   d[] = {y.drag_coefficient, y.end_coefficient, y.skin_coefficient};
      found_.numbers("coefficients of " + which, c, d);
    }
  }

  void compare_shapes(const std::vector<ShapeSpec>& a, const std::vector<ShapeSpec>& b) {
    found_.text("number of shapes", std::to_string(a.size()), std::to_string(b.size()));
    if (a.size() != b.size()) return;
    constexpr const char* kinds[] = {"box",       "sphere", "cylinder", "capsule",
                                     "ellipsoid", "mesh",   "plane",    "height field"};
    constexpr const char* roles[] = {"visual", "collision", "both"};
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::string shape = fmt::format("shape {}", i + 1);
      found_.text("kind of " + shape, kinds[static_cast<std::size_t>(a[i].kind)],
                  kinds[static_cast<std::size_t>(b[i].kind)]);
      found_.text("role of " + shape, roles[static_cast<std::size_t>(a[i].role)],
                  roles[static_cast<std::size_t>(b[i].role)]);
      found_.text("file of " + shape, a[i].mesh_file, b[i].mesh_file);
      found_.vector("size of " + shape, a[i].size, b[i].size);
      found_.pose(shape, a[i].placement, b[i].placement);
      found_.numbers("colour of " + shape, a[i].color, b[i].color, 1);
      found_.vector("friction of " + shape, a[i].friction, b[i].friction);
    }
  }

  // the joint that carries each body; none is a weld to the world
  static std::map<std::string, const JointSpec*> carriers(const Spec& spec) {
    std::map<std::string, const JointSpec*> carrier;
    for (const JointSpec& joint : spec.joints) carrier.emplace(joint.child, &joint);
    return carrier;
  }

  void compare_joints() {
    const auto of_a = carriers(a_), of_b = carriers(b_);
    const auto bodies_of_b = by_name(b_.bodies);
    for (const BodySpec& body : a_.bodies) {
      if (!bodies_of_b.contains(body.name)) continue;
      const auto a = of_a.find(body.name), b = of_b.find(body.name);
      const JointSpec weld;
      const JointSpec& first = a == of_a.end() ? weld : *a->second;
      const JointSpec& second = b == of_b.end() ? weld : *b->second;
      const std::string& name = first.name.empty() ? second.name : first.name;
      found_.about("joint '" + name + "'");
      if (!first.name.empty() && !second.name.empty()) found_.text("name", first.name, second.name);
      compare_joint(first, second);
    }
  }

  void compare_joint(const JointSpec& a, const JointSpec& b) {
    found_.text("kind", name(a.kind), name(b.kind));
    found_.text("parent", a.parent.empty() ? "world" : a.parent,
                b.parent.empty() ? "world" : b.parent);
    const auto master = [](const JointSpec& joint) {
      return joint.mimic ? joint.mimic->joint : "";
    };
    found_.text("mimicked joint", master(a), master(b));
    if (a.mimic && b.mimic) {
      found_.number("mimic multiplier", a.mimic->multiplier, b.mimic->multiplier);
      found_.number("mimic offset", a.mimic->offset, b.mimic->offset, 1);
    }
    if (a.kind != b.kind) return;
    found_.pose("the child at rest", a.placement * a.child_placement,
                b.placement * b.child_placement);
    compare_motion(a, b);
    for (int k = 0; k < velocity_count(a.kind); ++k) compare_freedom(a, b, k);
    found_.text("number of actuation forces", std::to_string(a.actuation.size()),
                std::to_string(b.actuation.size()));
    for (std::size_t k = 0; k < std::min(a.actuation.size(), b.actuation.size()); ++k) {
      found_.vector("moment of actuation", a.actuation[k].angular, b.actuation[k].angular);
      found_.vector("force of actuation", a.actuation[k].linear, b.actuation[k].linear);
    }
  }

  // where the joint turns and slides, seen from the child at rest
  void compare_motion(const JointSpec& a, const JointSpec& b) {
    if (a.kind == JointKind::fixed || a.kind == JointKind::custom) return;
    const Transform<double> in_a = inverse(a.child_placement), in_b = inverse(b.child_placement);
    // about or along one line
    const bool one_axis = facts(a.kind).axes == 1 && velocity_count(a.kind) <= 2;
    const bool turns = mobility(a.kind).turns > 0;
    if (!one_axis) {
      found_.rotation("axes", in_a.R * joint_axes(a), in_b.R * joint_axes(b));
      if (turns) found_.vector("place of the joint", in_a.p, in_b.p, 1);
      return;
    }
    const Vec3<double> x = in_a.R * (a.axis / norm(a.axis)), y = in_b.R * (b.axis / norm(b.axis));
    found_.vector("axis", x, y, 1);
    // of a line, the moment says where it lies
    if (turns) found_.vector("place of the axis", cross(in_a.p, x), cross(in_b.p, y), 1);
    if (has_pitch(a.kind)) found_.number("pitch", a.pitch, b.pitch);
  }

  static DofSpec freedom(const JointSpec& joint, int k) {
    if (joint.dofs.empty()) return {};
    return joint.dofs[joint.dofs.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  }

  void compare_freedom(const JointSpec& joint_a, const JointSpec& joint_b, int k) {
    const DofSpec a = freedom(joint_a, k), b = freedom(joint_b, k);
    const std::string which =
        velocity_count(joint_a.kind) == 1
            ? ""
            : fmt::format(" of {}",
                          facts(joint_a.kind).velocities[static_cast<std::size_t>(k)].label);
    const auto number = [&](const char* what, double x, double y, double least = 0) {
      found_.number(what + which, x, y, least);
    };
    number("lower limit", a.lower, b.lower, 1);
    number("upper limit", a.upper, b.upper, 1);
    number("velocity limit", a.velocity_limit, b.velocity_limit);
    number("effort limit", a.effort_limit, b.effort_limit);
    number("damping", a.damping, b.damping);
    number("friction while v > 0", a.friction_positive, b.friction_positive);
    number("friction while v < 0", a.friction_negative, b.friction_negative);
    number("reflected rotor inertia", a.gear_ratio * a.gear_ratio * a.rotor_inertia,
           b.gear_ratio * b.gear_ratio * b.rotor_inertia);
    number("gear ratio", a.gear_ratio, b.gear_ratio);
    found_.text("rotor mount" + which, a.rotor_mount, b.rotor_mount);
    if (!a.rotor_mount.empty() && !b.rotor_mount.empty())
      found_.vector("rotor axis" + which, a.rotor_axis / norm(a.rotor_axis),
                    b.rotor_axis / norm(b.rotor_axis), 1);
    number("stiffness", a.stiffness, b.stiffness);
    number("spring reference", a.spring_reference, b.spring_reference, 1);
  }

  // the joints that move, in the order of the variables; of those that both robots have
  void compare_order() {
    const auto moving = [](const Spec& spec) {
      std::vector<std::string> names;
      for (const MovingBody& body : find_structure(spec).bodies)
        if (body.joint >= 0)
          names.push_back(spec.joints[static_cast<std::size_t>(body.joint)].name);
      return names;
    };
    const auto common = [](const std::vector<std::string>& names, std::vector<std::string> others) {
      std::sort(others.begin(), others.end());
      std::vector<std::string> result;
      for (const std::string& one : names)
        if (std::binary_search(others.begin(), others.end(), one)) result.push_back(one);
      return result;
    };
    const std::vector<std::string> all_a = moving(a_), all_b = moving(b_);
    const std::vector<std::string> a = common(all_a, all_b), b = common(all_b, all_a);
    found_.about("robot");
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (differ.first != a.end() && differ.second != b.end())
      found_.text("order of joints", fmt::format("'{}' before '{}'", *differ.first, *differ.second),
                  fmt::format("'{}' before '{}'", *differ.second, *differ.first));
  }

  void compare_frames() {
    found_.match("frame", a_.frames, b_.frames, [&](const FrameSpec& a, const FrameSpec& b) {
      found_.text("body", a.body.empty() ? "world" : a.body, b.body.empty() ? "world" : b.body);
      found_.pose("the frame", a.placement, b.placement);
    });
  }

  const Spec& a_;
  const Spec& b_;
  Differences& found_;
};

}  // namespace

RobotDifferences compare(const Spec& a, const Spec& b, double tolerance) {
  RobotDifferences result;
  Differences found(tolerance, result);
  SpecComparer(a, b, found).run();
  compare_extras(a, b, found);
  return result;
}

}  // namespace limber
