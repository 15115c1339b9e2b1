// From a Spec to the handbook's vectors. [HB] §20.1.2 and appendix
#include <algorithm>
#include <cmath>

#include <limber/model/model.hpp>
#include <limber/reference/handbook.hpp>

namespace limber::reference {

namespace {

[[noreturn]] void refuse(const Spec& spec, const std::string& reason) {
  throw Error("handbook_chain: robot '" + spec.name + "': " + reason +
              "; the handbook's model is one serial chain of revolute and prismatic joints");
}

const BodySpec& body(const Spec& spec, const std::string& name) {
  return *std::find_if(spec.bodies.begin(), spec.bodies.end(),
                       [&](const BodySpec& b) { return b.name == name; });
}

// the joints from the world to the tip
std::vector<const JointSpec*> in_order(const Spec& spec) {
  std::vector<const JointSpec*> chain;
  std::string parent;
  while (chain.size() < spec.joints.size()) {
    const JointSpec* next = nullptr;
    for (const JointSpec& joint : spec.joints) {
      if (joint.parent != parent) continue;
      if (next) refuse(spec, "joints '" + next->name + "' and '" + joint.name + "' branch");
      next = &joint;
    }
    if (!next)
      refuse(spec, parent.empty()
                       ? "no joint starts from the world"
                       : "the chain ends at body '" + parent + "' before its last joint");
    chain.push_back(next);
    parent = next->child;
  }
  if (chain.size() != spec.bodies.size())
    refuse(spec, "it has " + std::to_string(spec.bodies.size()) + " bodies but " +
                     std::to_string(chain.size()) + " joints");
  return chain;
}

Vec3<double> centre(const Inertia<double>& I) { return I.m > 0 ? I.com() : Vec3<double>{}; }

// the part of r across the unit axis e
Vec3<double> perpendicular_part(const Vec3<double>& e, const Vec3<double>& r) {
  return r - e * dot(e, r);
}

// r, or where it is along the axis a unit vector across it
Vec3<double> unspecific(const Vec3<double>& e, const Vec3<double>& r) {
  if (norm(perpendicular_part(e, r)) > 1e-6 * std::max(1.0, norm(r))) return r;
  const Vec3<double> other = std::abs(e.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  return perpendicular_part(e, other) / norm(perpendicular_part(e, other));
}

// the angle about the axis from the extended position to our zero: our rotation takes the link's
// extended direction ã to cos a + sin b, where a, b = e × a are the ones of the link before
double angle_from_extended(const HandbookLink& link, const Mat3<double>& R) {
  const Vec3<double> a = -perpendicular_part(link.e_before, link.r_star_before);
  const Vec3<double> found = R * perpendicular_part(link.e, link.r_star);
  return std::atan2(dot(cross(link.e_before, a), found), dot(a, found));
}

HandbookLink link_of(const Spec& spec, const JointSpec& joint) {
  if (joint.kind != JointKind::revolute && joint.kind != JointKind::prismatic)
    refuse(spec, "joint '" + joint.name + "' is " + name(joint.kind));
  if (joint.mimic) refuse(spec, "joint '" + joint.name + "' follows another");
  const BodySpec& own = body(spec, joint.child);
  const Vec3<double> centre_before =
      joint.parent.empty() ? Vec3<double>{} : centre(body(spec, joint.parent).inertia);
  const Vec3<double> axis = joint.axis / norm(joint.axis);
  const Transform<double> from_child = inverse(joint.child_placement);

  HandbookLink link;
  const bool turns = joint.kind == JointKind::revolute;
  link.joint = turns ? HandbookLink::Joint::revolute : HandbookLink::Joint::linear;
  link.e = from_child.R * axis;
  link.e_before = joint.placement.R * axis;
  link.r = centre(own.inertia) - from_child.p;
  link.r_before = centre_before - joint.placement.p;
  link.r_star = unspecific(link.e, link.r);
  link.r_star_before = unspecific(link.e_before, link.r_before);
  link.mass = own.inertia.m;
  link.J = own.inertia.rotational_about_com();
  const double angle = angle_from_extended(link, joint.placement.R * joint.child_placement.R);
  (turns ? link.offset : link.alpha) = angle;
  if (!joint.dofs.empty()) {
    const DofSpec& dof = joint.dofs.front();
    link.armature = dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia;
  }
  return link;
}

}  // namespace

HandbookChain handbook_chain(const Spec& spec) {
  build(spec);  // refuses unusable data: axes, inertias, names, cycles
  HandbookChain chain;
  chain.name = spec.name;
  chain.gravity = spec.gravity;
  for (const JointSpec* joint : in_order(spec)) chain.links.push_back(link_of(spec, *joint));
  return chain;
}

}  // namespace limber::reference
