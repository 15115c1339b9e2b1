#include "dynamics/matrix_functions.hpp"

#include <limber/dynamics/forward_dynamics.hpp>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

/// A part of the rows of results.
template <class T>
MatrixView<T> view(const BasicModel<T>& m, const BasicMatrixWorkspace<T>& mw, int part) {
  return {mw.rows.data() + mw.lead + part * mw.row_stride, m.nv, m.nv, 3 * mw.row_stride};
}

/// Inertia of the loads is not in the strips.
template <class T>
void refuse_added_inertia(const char* function, const Loads<T>& loads) {
  if (loads.has_inertia()) refuse_load_inertia(function);
}

}  // namespace

template <class T>
InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q,
                                                                   In<T> v, In<T> a,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads) {
  const char* name = "inverse_dynamics_tangent_derivatives";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  check_workspace(name, m, mw);
  refuse_added_inertia(name, loads);
  with_matrix_functions(mw, [&](auto functions) {
    functions.inverse_dynamics_derivatives(m, tree_q, tree_v, tree_a, loads, ws, mw);
  });
  return {view(m, mw, 0), view(m, mw, 1), {view(m, mw, 2).data, m.nv, 3 * mw.row_stride}};
}

template <class T>
ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q,
                                                                   In<T> v, In<T> tau,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads) {
  const char* name = "forward_dynamics_tangent_derivatives";
  check_size(name, "tau", tau.size(), m.nv, m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  check_workspace(name, m, mw);
  refuse_added_inertia(name, loads);
  if (!m.singular_reason.empty() || !with_matrix_functions(mw, [&](auto functions) {
        return functions.forward_dynamics_derivatives(m, q, v, tau, tree_q, tree_v, loads, ws, mw);
      })) {
    forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads);  // names the cause
    refuse_state(m.name);
  }
  return {ws.acceleration, view(m, mw, 0), view(m, mw, 1), view(m, mw, 2)};
}

template <class T>
MatrixView<T> coriolis_matrix(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                              BasicMatrixWorkspace<T>& mw) {
  const char* name = "coriolis_matrix";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  check_workspace(name, m, mw);
  with_matrix_functions(
      mw, [&](auto functions) { functions.coriolis_matrix(m, tree_q, tree_v, ws, mw); });
  return view(m, mw, 0);
}

template <class T>
MatrixView<T> inverse_mass_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                                  BasicMatrixWorkspace<T>& mw) {
  const char* name = "inverse_mass_matrix";
  const T* tree_q = tree_positions(m, name, q, ws);
  check_workspace(name, m, mw);
  if (!m.singular_reason.empty() || !with_matrix_functions(mw, [&](auto functions) {
        return functions.inverse_mass_matrix(m, tree_q, ws, mw);
      })) {
    const In<T> rest(ws.zeros.data(), static_cast<std::size_t>(m.nv));
    forward_dynamics_by_mass_matrix(m, q, rest, rest, ws);  // names the cause
    throw Error("the inertia matrix of robot '" + m.name + "' has no inverse here");
  }
  return view(m, mw, 2);
}

#define LIMBER_DERIVATIVES(T)                                                                  \
  template InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(                 \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
      const Loads<T>&);                                                                        \
  template ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(                 \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
      const Loads<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_DERIVATIVES)

#define LIMBER_CORIOLIS(T)                                                                       \
  template MatrixView<T> coriolis_matrix(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&, \
                                         BasicMatrixWorkspace<T>&);                              \
  template MatrixView<T> inverse_mass_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&,    \
                                             BasicMatrixWorkspace<T>&);
LIMBER_FOR_EACH_NUMBER(LIMBER_CORIOLIS)

}  // namespace limber
