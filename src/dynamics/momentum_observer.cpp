#include <limber/dynamics/momentum_observer.hpp>

#include "dynamics/absolute.ipp"
#include "dynamics/kinematics.ipp"
#include "model/joint_partials.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Velocities, ws.motion.v, and the momenta of the bodies, ws.h. Returns the tree velocities.
template <class T>
const T* body_momenta(const BasicModel<T>& m, const char* name, In<T> q, In<T> v,
                      BasicWorkspace<T>& ws) {
  place_joints(m, tree_positions(m, name, q, ws), ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  body_velocities(m, tree_v, ws, ws.motion.v);
  for (std::size_t i = 1; i < ws.h.size(); ++i) ws.h[i] = m.inertia[i] * ws.motion.v[i];
  return tree_v;
}

/// Inward: f(joint, i) where ws.h[i] has become the momentum of the subtree, in the body's frame.
template <class T, class F>
void with_subtree_momenta(const BasicModel<T>& m, BasicWorkspace<T>& ws, F&& f) {
  for (int i = m.bodies() - 1; i > 0; --i)
    with_joint(m, ws, i, [&](const auto& joint) {
      f(joint, i);
      if (const int p = m.parent[i]) ws.h[p] += joint.to_parent(ws.h[i]);
    });
}

/// Component-wise rate of the joint's columns dotted with a force: add(what, k) for each column.
template <class T, class Add>
void add_column_rates(const BasicModel<T>& m, int i, const T* q, const T* v, const Force<T>& f,
                      const BasicWorkspace<T>& ws, Add&& add) {
  const auto b = at_index(i), nv = at_index(m.v_count[b]);
  if (has_constant_columns(m.kind[b])) return;
  const int first = m.v_index[b];
  JointPartials<T> d;
  joint_partials(m, i, q, v, ws.S.data() + first, d);
  for (std::size_t k = 0; k < nv; ++k)
    for (std::size_t l = 0; l < nv; ++l)
      add(dot(d.S[k][l], f) * v[at_index(first) + l], first + static_cast<int>(k));
}

}  // namespace

template <class T>
void generalized_momentum(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                          Out<T> out) {
  const char* name = "generalized_momentum";
  check_size(name, "out", out.size(), m.nv, m.name);
  const T* tree_v = body_momenta(m, name, q, v, ws);
  T* const p = tree_forces<T>(m, ws, out);
  with_subtree_momenta(m, ws, [&](const auto& joint, int i) {
    joint.for_columns(
        [&](const auto& S, int k) { p[k] = dot(S, ws.h[i]) + m.armature[k] * tree_v[k]; });
  });
  fold_forces<T>(m, ws, out);
}

template <class T>
void momentum_observer_bias(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                            Out<T> out) {
  const char* name = "momentum_observer_bias";
  check_size(name, "out", out.size(), m.nv, m.name);
  gravity_forces(m, q, ws, out);
  for (T& x : out) x = -x;
  // Cᵀ v = Σ J_iᵀ B_iᵀ v_i + J̇_iᵀ I_i v_i, where B_iᵀ v_i = 0
  const T* tree_v = body_momenta(m, name, q, v, ws);
  const T* tree_q = tree_positions(m, name, q, ws);
  auto add = [&](const T& force, int k) {
    out[at_index(m.v_fold[k].index)] += m.v_fold[k].ratio * force;
  };
  with_subtree_momenta(m, ws, [&](const auto& joint, int i) {
    const Force<T> f = cross(ws.motion.v[i], ws.h[i]);  // (v ×̂ S) · h = −S · (v ×̂ h)
    joint.for_columns([&](const auto& S, int k) { add(-dot(S, f), k); });
    add_column_rates(m, i, tree_q, tree_v, ws.h[i], ws, add);
  });
}

template <class T>
JointForces<T> static_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws, Out<T> out,
                             const Loads<T>& loads) {
  const In<T> rest(ws.zeros.data(), at_index(m.nv));
  return bias_forces(m, q, rest, ws, out, loads);
}
template <class T>
JointForces<T> static_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                             const Loads<T>& loads) {
  const In<T> rest(ws.zeros.data(), at_index(m.nv));
  return bias_forces(m, q, rest, ws, loads);
}

#define LIMBER_MOMENTUM_OBSERVER(T)                                                              \
  template void generalized_momentum(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,     \
                                     Out<T>);                                                    \
  template void momentum_observer_bias(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,   \
                                       Out<T>);                                                  \
  template JointForces<T> static_forces(const BasicModel<T>&, In<T>, BasicWorkspace<T>&,         \
                                        const Loads<T>&);                                        \
  template JointForces<T> static_forces(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, Out<T>, \
                                        const Loads<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_MOMENTUM_OBSERVER)

}  // namespace limber
