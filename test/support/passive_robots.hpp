#pragma once
// Random robots whose joints have springs, damping and friction of their own.
#include "support/random_robots.hpp"

namespace limber::test {

/// Gives every joint damping and friction, and most of them springs.
inline Spec with_passive_joints(Spec spec) {
  Random random(23);
  for (JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::fixed) continue;
    if (joint.dofs.empty()) joint.dofs.emplace_back();
    const bool plain = joint.kind != JointKind::spherical && joint.kind != JointKind::free &&
                       joint.kind != JointKind::custom;
    for (DofSpec& dof : joint.dofs) {
      dof.damping = random.uniform(0, 0.5);
      dof.friction_positive = random.uniform(0, 0.2);
      dof.friction_negative = random.uniform(0, 0.2);
      if (!plain) continue;
      dof.stiffness = random.uniform(0, 3);
      dof.spring_reference = random.uniform();
    }
  }
  return spec;
}

}  // namespace limber::test
