#include "dynamics/inverse_dynamics.ipp"

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

void check_size(const char* function, const char* argument, std::size_t found, int expected,
                const std::string& robot) {
  if (found != static_cast<std::size_t>(expected))
    throw Error(fmt::format("{}: {} has {} entries, robot '{}' needs {}", function, argument, found,
                            robot, expected));
}

template <class T>
std::span<const T> inverse_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads) {
  const char* name = "inverse_dynamics";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  newton_euler(m, tree_q, tree_v, tree_a, ws, loads);
  return fold_forces(m, ws);
}

template <class T>
std::span<const T> bias_forces(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                               const Loads<T>& loads) {
  const char* name = "bias_forces";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  newton_euler(m, tree_q, tree_v, ws.zeros.data(), ws, loads);
  return fold_forces(m, ws);
}

template <class T>
std::span<const T> gravity_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  const T* tree_q = tree_positions(m, "gravity_forces", q, ws);
  newton_euler(m, tree_q, ws.zeros.data(), ws.zeros.data(), ws, {});
  return fold_forces(m, ws);
}

template <class T>
Force<T> joint_reaction(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int body) {
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
  const T zero(0);
  for (T& x : out) x = zero;
  // joint by joint, mimic joints with what is theirs; their forces go to their masters
  for (std::size_t k = 0; k < m.column_dof.size(); ++k) {
    const DofSpec& dof = m.column_dof[k];
    const Fold<T>& fold = m.v_fold[k];
    const T rate = fold.ratio * v[static_cast<std::size_t>(fold.index)];
    const T friction = select(rate > zero, T(dof.friction_positive), T(-dof.friction_negative));
    T force = T(dof.damping) * rate + select(rate == zero, zero, friction);
    if (m.column_q[k] >= 0) {
      const Fold<T>& place = m.q_fold[static_cast<std::size_t>(m.column_q[k])];
      const T position = place.ratio * q[static_cast<std::size_t>(place.index)] + place.offset;
      force += T(dof.stiffness) * (position - T(dof.spring_reference));
    }
    out[static_cast<std::size_t>(fold.index)] += fold.ratio * force;
  }
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
