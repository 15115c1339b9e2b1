#include "compile/regroup.hpp"

#include <algorithm>
#include <cmath>

#include <limber/dynamics/kinematics.hpp>
#include <limber/model/joint_space.hpp>

#include "model/column_groups.hpp"

namespace limber {

namespace {

/// What is below the rounding of a body's largest moment is an intended zero.
void drop_rounding(Inertia<double>& I) {
  const double largest = std::max({std::fabs(I.J.xx), std::fabs(I.J.yy), std::fabs(I.J.zz)});
  for (double* x : {&I.J.xx, &I.J.yy, &I.J.zz, &I.J.xy, &I.J.xz, &I.J.yz})
    if (std::fabs(*x) < 1e-15 * largest) *x = 0;
  const double longest = std::max({std::fabs(I.h.x), std::fabs(I.h.y), std::fabs(I.h.z)});
  for (double* x : {&I.h.x, &I.h.y, &I.h.z})
    if (std::fabs(*x) < 1e-15 * longest) *x = 0;
}

}  // namespace

Model regroup(const Model& model) {
  Model m = model;
  // any position will do: what moves inward does not notice the joint
  Workspace ws(m);
  const Poses& bodies = forward_kinematics<double>(m, neutral_position(m), ws);
  for (std::size_t b = m.parent.size(); b-- > 1;) {
    Inertia<double>& own = m.inertia[b];
    Inertia<double> moving;
    if (m.form[b] == JointForm::revolute) {
      moving.m = own.m;
      moving.h.z = own.h.z;
      moving.J.zz = own.J.zz;
    } else if (m.form[b] == JointForm::prismatic) {
      moving.J = own.J;
    } else {
      drop_rounding(own);
      continue;
    }
    own = own - moving;
    drop_rounding(own);
    const auto p = static_cast<std::size_t>(m.parent[b]);
    m.inertia[p] += inverse(bodies.X_W[p]) * bodies.X_W[b] * moving;
  }
  m.together = find_column_groups(m);
  return m;
}

}  // namespace limber
