#include "dynamics/inverse_dynamics.ipp"

#include "dynamics/passive.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

// the user's forces, with the passive ones where the loads ask for them
template <class T>
std::span<const T> with_passive(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                                const Loads<T>& loads) {
  if (loads.passive == Passive::included)
    add_passive_forces(m, q, v, T(1), m.has_mimic() ? ws.tau.data() : ws.tree_tau.data());
  return m.has_mimic() ? std::span<const T>(ws.tau) : std::span<const T>(ws.tree_tau);
}

}  // namespace

template <class T>
std::span<const T> inverse_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads) {
  const char* name = "inverse_dynamics";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  newton_euler(m, tree_q, tree_v, tree_a, ws, loads);
  fold_forces(m, ws);
  add_joint_inertia<T>(m, loads, a, ws.tau.data());
  return with_passive<T>(m, q, v, ws, loads);
}

template <class T>
std::span<const T> bias_forces(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                               const Loads<T>& loads) {
  const char* name = "bias_forces";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  newton_euler(m, tree_q, tree_v, ws.zeros.data(), ws, loads);
  fold_forces(m, ws);
  return with_passive<T>(m, q, v, ws, loads);
}

template <class T>
std::span<const T> gravity_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  const T* tree_q = tree_positions(m, "gravity_forces", q, ws);
  newton_euler(m, tree_q, ws.zeros.data(), ws.zeros.data(), ws, {});
  return fold_forces(m, ws);
}

template <class T>
Force<T> joint_reaction(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int body) {
  check_reaction("joint_reaction", m, ws, body);
  const auto b = static_cast<std::size_t>(body);
  return apply_inverse(m.body_placement[b], ws.f[b]);
}

template <class T>
void passive_forces(const BasicModel<T>& m, In<T> q, In<T> v,
                    std::span<std::type_identity_t<T>> out) {
  const char* name = "passive_forces";
  check_size(name, "q", q.size(), m.nq, m.name);
  check_size(name, "v", v.size(), m.nv, m.name);
  check_size(name, "out", out.size(), m.nv, m.name);
  for (T& x : out) x = T(0);
  add_passive_forces(m, q, v, T(1), out.data());
}

#define LIMBER_INVERSE_DYNAMICS(T)                                                                \
  template std::span<const T> inverse_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>,         \
                                               BasicWorkspace<T>&, const Loads<T>&);              \
  template std::span<const T> bias_forces(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&, \
                                          const Loads<T>&);                                       \
  template std::span<const T> gravity_forces(const BasicModel<T>&, In<T>, BasicWorkspace<T>&);    \
  template Force<T> joint_reaction(const BasicModel<T>&, const BasicWorkspace<T>&, int);          \
  template void passive_forces(const BasicModel<T>&, In<T>, In<T>,                                \
                               std::span<std::type_identity_t<T>>);
LIMBER_FOR_EACH_SCALAR(LIMBER_INVERSE_DYNAMICS)

}  // namespace limber
