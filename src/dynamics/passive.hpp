#pragma once
// Damping, friction and springs of the joints.
#include "dynamics/fold.hpp"
#include "scalar/registers.hpp"
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Force that column k of the tree offers to its motion. Sizes must have been checked.
template <class T>
T passive_force(const BasicModel<T>& m, In<T> q, In<T> v, std::size_t k) {
  const T zero(0);
  const DofSpec& dof = m.column_dof[k];
  const Fold<T>& fold = m.v_fold[k];
  const T rate = fold.ratio * v[at_index(fold.index)];
  const T friction = select(rate > zero, T(dof.friction_positive), T(-dof.friction_negative));
  T force = T(dof.damping) * rate + select(rate == zero, zero, friction);
  if (m.column_q[k] >= 0) {
    const Fold<T>& place = m.q_fold[m.column_q[k]];
    const T position = place.ratio * q[at_index(place.index)] + place.offset;
    force += T(dof.stiffness) * (position - T(dof.spring_reference));
  }
  return force;
}

/// out += scale · passive forces, joint by joint: mimic joints with what is theirs, which goes to
/// their masters.
template <class T>
void add_passive_forces(const BasicModel<T>& m, In<T> q, In<T> v, const T& scale, T* out) {
  for (std::size_t k = 0; k < m.column_dof.size(); ++k) {
    const Fold<T>& fold = m.v_fold[k];
    out[fold.index] += scale * fold.ratio * passive_force<T>(m, q, v, k);
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
