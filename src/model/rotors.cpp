#include "model/rotors.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "model/nearest.hpp"

namespace limber {

namespace {

constexpr std::size_t no_carrier = static_cast<std::size_t>(-1);  // the world

// finds the bodies that carry rotors by name
class Carriers {
 public:
  explicit Carriers(const Spec& spec) {
    for (const BodySpec& body : spec.bodies) index_.emplace(body.name, index_.size());
  }

  std::size_t find(const JointSpec& joint, const std::string& mount) const {
    if (const auto found = index_.find(mount); found != index_.end()) return found->second;
    if (mount == "world") return no_carrier;
    std::vector<std::string> names{"world"};
    for (const auto& [name, index] : index_) names.push_back(name);
    throw Error(joint.source,
                fmt::format("the rotor is mounted on body '{}', which does not exist{}", mount,
                            did_you_mean(mount, names)));
  }

 private:
  std::map<std::string, std::size_t> index_;
};

void add_rotor(Spec& spec, const std::string& name, const DofSpec& dof, const Source& source,
               std::size_t carrier) {
  const Vec3<double> axis = dof.rotor_axis / norm(dof.rotor_axis);
  const Inertia<double> rotor{
      0, {}, Inertia<double>::second_moment(square(axis) * dof.rotor_inertia)};
  std::string parent;
  if (carrier != no_carrier) {
    spec.bodies[carrier].inertia = spec.bodies[carrier].inertia - rotor;
    parent = spec.bodies[carrier].name;
  }
  BodySpec& body = spec.add_body(name, 0);
  body.inertia = rotor;
  body.source = source;
  spec.add_joint(name, JointKind::revolute, parent, name, axis).source = source;
}

}  // namespace

bool has_mounted_rotors(const Spec& spec) {
  for (const JointSpec& joint : spec.joints)
    for (const DofSpec& dof : joint.dofs)
      if (!dof.rotor_mount.empty()) return true;
  return false;
}

std::vector<RotorJoint> mount_rotors(Spec& spec) {
  std::vector<RotorJoint> rotors;
  const Carriers carriers(spec);
  const std::size_t count = spec.joints.size();
  for (std::size_t j = 0; j < count; ++j) {
    const JointSpec joint = spec.joints[j];  // a copy: the list grows
    const int nv = joint.kind == JointKind::custom ? joint.custom.nv : velocity_count(joint.kind);
    for (int k = 0; k < nv && !joint.dofs.empty(); ++k) {
      const DofSpec& dof = joint.dofs[joint.dofs.size() == 1 ? 0 : static_cast<std::size_t>(k)];
      if (dof.rotor_mount.empty()) continue;
      const std::size_t carrier = carriers.find(joint, dof.rotor_mount);
      if (dof.rotor_inertia == 0) continue;
      const std::string number = nv == 1 ? "" : fmt::format(" {}", k + 1);
      add_rotor(spec, joint.name + " rotor" + number, dof, joint.source, carrier);
      rotors.push_back(
          {static_cast<int>(spec.joints.size()) - 1, static_cast<int>(j), k, dof.gear_ratio});
    }
  }
  return rotors;
}

void couple_rotors(const Spec& spec, const std::vector<RotorJoint>& rotors, Structure& structure) {
  for (const RotorJoint& rotor : rotors) {
    const ResolvedMimic& driven = structure.mimic[static_cast<std::size_t>(rotor.driven)];
    const bool follows = driven.master >= 0;
    const double ratio = follows ? rotor.gear_ratio * driven.multiplier : rotor.gear_ratio;
    if (!std::isfinite(ratio * ratio))
      throw Error(spec.joints[static_cast<std::size_t>(rotor.driven)].source,
                  "gear ratio times mimic multiplier is too large");
    structure.mimic[static_cast<std::size_t>(rotor.joint)] = {
        .master = follows ? driven.master : rotor.driven,
        .multiplier = ratio,
        .freedom = follows ? 0 : rotor.freedom,
        .rotor = true};
  }
}

}  // namespace limber
