#include "dynamics/inverse_dynamics.ipp"

#include "dynamics/passive.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

// The two forms of each function share these texts, which are part of both: a call more takes 2 %
// of the time of inverse dynamics of an arm.

// what the drives must supply for the motion of the tree; a: empty for none
template <class T>
[[gnu::always_inline]] inline JointForces<T> joint_forces(const BasicModel<T>& m, In<T> q, In<T> v,
                                                          In<T> a, const T* tree_q, const T* tree_v,
                                                          const T* tree_a, BasicWorkspace<T>& ws,
                                                          Out<T> out, const Loads<T>& loads) {
  newton_euler(m, tree_q, tree_v, tree_a, ws, loads, tree_forces<T>(m, ws, out));
  fold_forces<T>(m, ws, out);
  if (!a.empty()) add_joint_inertia<T>(loads, a, out.data());
  if (loads.passive == Passive::included) add_passive_forces(m, q, v, T(1), out.data());
  return {out, ws};
}

template <class T>
[[gnu::always_inline]] inline JointForces<T> forces_of_motion(const BasicModel<T>& m, In<T> q,
                                                              In<T> v, In<T> a,
                                                              BasicWorkspace<T>& ws, Out<T> out,
                                                              const Loads<T>& loads) {
  const char* name = "inverse_dynamics";
  check_tree("inverse dynamics", m);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  check_size(name, "out", out.size(), m.nv, m.name);
  return joint_forces<T>(m, q, v, a, tree_q, tree_v, tree_a, ws, out, loads);
}

template <class T>
[[gnu::always_inline]] inline JointForces<T> forces_of_rates(const BasicModel<T>& m, In<T> q,
                                                             In<T> v, BasicWorkspace<T>& ws,
                                                             Out<T> out, const Loads<T>& loads) {
  const char* name = "bias_forces";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  check_size(name, "out", out.size(), m.nv, m.name);
  return joint_forces<T>(m, q, v, {}, tree_q, tree_v, ws.zeros.data(), ws, out, loads);
}

template <class T>
[[gnu::always_inline]] inline JointForces<T> forces_of_weight(const BasicModel<T>& m, In<T> q,
                                                              BasicWorkspace<T>& ws, Out<T> out) {
  const char* name = "gravity_forces";
  const T* tree_q = tree_positions(m, name, q, ws);
  check_size(name, "out", out.size(), m.nv, m.name);
  const T* const rest = ws.zeros.data();
  return joint_forces<T>(m, q, {}, {}, tree_q, rest, rest, ws, out, {});
}

}  // namespace

template <class T>
JointForces<T> inverse_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                                BasicWorkspace<T>& ws, Out<T> out, const Loads<T>& loads) {
  return forces_of_motion<T>(m, q, v, a, ws, out, loads);
}
template <class T>
JointForces<T> inverse_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                                BasicWorkspace<T>& ws, const Loads<T>& loads) {
  check_workspace("inverse_dynamics", m, ws);
  return forces_of_motion<T>(m, q, v, a, ws, ws.tau, loads);
}

template <class T>
JointForces<T> bias_forces(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                           Out<T> out, const Loads<T>& loads) {
  return forces_of_rates<T>(m, q, v, ws, out, loads);
}
template <class T>
JointForces<T> bias_forces(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                           const Loads<T>& loads) {
  check_workspace("bias_forces", m, ws);
  return forces_of_rates<T>(m, q, v, ws, ws.tau, loads);
}

template <class T>
JointForces<T> gravity_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws, Out<T> out) {
  return forces_of_weight<T>(m, q, ws, out);
}
template <class T>
JointForces<T> gravity_forces(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  check_workspace("gravity_forces", m, ws);
  return forces_of_weight<T>(m, q, ws, ws.tau);
}

template <class T>
Force<T> joint_reaction(const BasicModel<T>& m, const JointForces<T>& forces, int body) {
  check_reaction("joint_reaction", m, forces, body);
  return apply_inverse(m.body_placement[body], forces.ws->f[body]);
}

template <class T>
void passive_forces(const BasicModel<T>& m, In<T> q, In<T> v, Out<T> out) {
  const char* name = "passive_forces";
  check_size(name, "q", q.size(), m.nq, m.name);
  check_size(name, "v", v.size(), m.nv, m.name);
  check_size(name, "out", out.size(), m.nv, m.name);
  for (T& x : out) x = T(0);
  add_passive_forces(m, q, v, T(1), out.data());
}

#define LIMBER_INVERSE_DYNAMICS(T)                                                                 \
  template JointForces<T> inverse_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>,              \
                                           BasicWorkspace<T>&, const Loads<T>&);                   \
  template JointForces<T> inverse_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>,              \
                                           BasicWorkspace<T>&, Out<T>, const Loads<T>&);           \
  template JointForces<T> bias_forces(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,      \
                                      const Loads<T>&);                                            \
  template JointForces<T> bias_forces(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,      \
                                      Out<T>, const Loads<T>&);                                    \
  template JointForces<T> gravity_forces(const BasicModel<T>&, In<T>, BasicWorkspace<T>&);         \
  template JointForces<T> gravity_forces(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, Out<T>); \
  template Force<T> joint_reaction(const BasicModel<T>&, const JointForces<T>&, int);              \
  template void passive_forces(const BasicModel<T>&, In<T>, In<T>, Out<T>);
LIMBER_FOR_EACH_SCALAR(LIMBER_INVERSE_DYNAMICS)

}  // namespace limber
