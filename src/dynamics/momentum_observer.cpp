#include <limber/dynamics/momentum_observer.hpp>

#include "dynamics/absolute.ipp"
#include "dynamics/kinematics.ipp"
#include "model/joint_partials.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

/// Velocities, and the momenta of the subtrees through the joints, ws.f. Returns the tree
/// velocities.
template <class T>
const T* subtree_momenta(const BasicModel<T>& m, const char* name, In<T> q, In<T> v,
                         BasicWorkspace<T>& ws) {
  place_joints(m, tree_positions(m, name, q, ws), ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  body_velocities(m, tree_v, ws);
  for (std::size_t i = 1; i < ws.f.size(); ++i) ws.f[i] = m.inertia[i] * ws.v[i];
  ws.computed.forces = false;
  return tree_v;
}

/// Inward sum over the joints: forces of each body's subtree, in its own frame.
template <class T>
void add_to_parents(const BasicModel<T>& m, BasicWorkspace<T>& ws, List<Force<T>>& f) {
  for (int i = m.bodies() - 1; i > 0; --i)
    if (const int p = m.parent[i])
      with_joint(m, ws, i, [&](const auto& joint) { f[p] += joint.to_parent(f[i]); });
}

/// Folds ws.tree_tau and copies it.
template <class T>
void write_folded(const BasicModel<T>& m, const char* name, BasicWorkspace<T>& ws,
                  std::span<T> out) {
  check_size(name, "out", out.size(), m.nv, m.name);
  const std::span<const T> folded = fold_forces(m, ws);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = folded[k];
}

/// Component-wise rate of the joint's columns dotted with a force: added to ws.tree_tau.
template <class T>
void add_column_rates(const BasicModel<T>& m, int i, const T* q, const T* v, const Force<T>& f,
                      BasicWorkspace<T>& ws) {
  const auto b = static_cast<std::size_t>(i), nv = static_cast<std::size_t>(m.v_count[b]);
  if (has_constant_columns(m.kind[b])) return;
  const int first = m.v_index[b];
  JointPartials<T> d;
  joint_partials(m, i, q, v, ws.S.data() + first, d);
  for (std::size_t k = 0; k < nv; ++k)
    for (std::size_t l = 0; l < nv; ++l)
      ws.tree_tau[static_cast<std::size_t>(first) + k] +=
          dot(d.S[k][l], f) * v[static_cast<std::size_t>(first) + l];
}

}  // namespace

template <class T>
void generalized_momentum(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                          std::span<std::type_identity_t<T>> out) {
  const char* name = "generalized_momentum";
  const T* tree_v = subtree_momenta(m, name, q, v, ws);
  add_to_parents(m, ws, ws.f);
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int k) {
        const auto c = static_cast<std::size_t>(k);
        ws.tree_tau[c] = dot(S, ws.f[i]) + m.armature[c] * tree_v[k];
      });
    });
  write_folded<T>(m, name, ws, out);
}

template <class T>
void momentum_observer_bias(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                            std::span<std::type_identity_t<T>> out) {
  const char* name = "momentum_observer_bias";
  gravity_forces(m, q, ws);
  for (std::size_t k = 0; k < ws.u.size(); ++k) ws.u[k] = ws.tree_tau[k];
  // Cᵀ v = Σ J_iᵀ B_iᵀ v_i + J̇_iᵀ I_i v_i: subtree sums of Bᵀ v and of the momentum
  const T* tree_v = subtree_momenta(m, name, q, v, ws);
  const T* tree_q = tree_positions(m, name, q, ws);
  for (std::size_t i = 1; i < ws.p.size(); ++i)
    ws.p[i] = {transpose_times(velocity_coupling(m.inertia[i], ws.v[i]), ws.v[i]), {}};
  add_to_parents(m, ws, ws.f);
  add_to_parents(m, ws, ws.p);
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      const Force<T> f = ws.p[b] - cross(ws.v[b], ws.f[b]);  // (v ×̂ S) · h = −S · (v ×̂ h)
      joint.for_columns([&](const auto& S, int k) { ws.tree_tau[k] = dot(S, f) - ws.u[k]; });
      add_column_rates(m, i, tree_q, tree_v, ws.f[b], ws);
    });
  write_folded<T>(m, name, ws, out);
}

template <class T>
std::span<const T> static_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                                 const Loads<T>& loads) {
  const In<T> rest(ws.zeros.data(), static_cast<std::size_t>(m.nv));
  return bias_forces(m, q, rest, ws, loads);
}

#define LIMBER_MOMENTUM_OBSERVER(T)                                                            \
  template void generalized_momentum(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,   \
                                     std::span<std::type_identity_t<T>>);                      \
  template void momentum_observer_bias(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&, \
                                       std::span<std::type_identity_t<T>>);                    \
  template std::span<const T> static_forces(const BasicModel<T>&, In<T>, BasicWorkspace<T>&,   \
                                            const Loads<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_MOMENTUM_OBSERVER)

}  // namespace limber
