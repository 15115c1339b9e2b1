#include "dynamics/matrix_functions.hpp"

#include <type_traits>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/tree_factor.hpp>

#include "dynamics/fold.hpp"
#include "dynamics/load_derivatives.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// A part of the rows of results.
template <class T>
MatrixView<T> view(const BasicModel<T>& m, const BasicMatrixWorkspace<T>& mw, int part) {
  return {mw.rows.data() + mw.lead + part * mw.row_stride, m.nv, m.nv, 3 * mw.row_stride};
}

/// Adds the rows of inertia that loads add, and of a fluid.
template <class T>
void add_loads(const char* name, const BasicModel<T>& m, const T* q, const T* v, const T* a,
               const Loads<T>& loads, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  if constexpr (std::is_floating_point_v<T>) add_load_derivatives(name, m, q, v, a, loads, ws, mw);
  else refuse_load_inertia(name);
}

/// Forward dynamics with such loads, from the rows of inverse dynamics.
template <class T>
void solve_loaded(const char* name, const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                  const Loads<T>& loads, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  if constexpr (std::is_floating_point_v<T>) {
    forward_dynamics<T>(m, q, v, tau, ws, loads);
    inverse_dynamics_tangent_derivatives<T>(m, q, v, ws.acceleration, ws, mw, loads);
    solve_columns(m, factorize<T>(m, q, ws, loads), mw);
  } else {
    refuse_load_inertia(name);
  }
}

/// A square result in the caller's memory, row by row; symmetric ones in full.
template <class T, class View>
void copy_square(const BasicModel<T>& m, const View& from, Out<T> to) {
  for (int i = 0; i < m.nv; ++i)
    for (int j = 0; j < m.nv; ++j) to[at_index(i * m.nv + j)] = from(i, j);
}
template <class T>
void check_square(const char* function, const char* argument, const BasicModel<T>& m, Out<T> out) {
  check_size(function, argument, out.size(), m.nv * m.nv, m.name);
}

}  // namespace

template <class T>
InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q,
                                                                   In<T> v, In<T> a,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads) {
  const char* name = "inverse_dynamics_tangent_derivatives";
  check_tree("the derivative of dynamics", m);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  check_workspace(name, m, mw);
  with_matrix_functions(mw, [&](auto functions) {
    functions.inverse_dynamics_derivatives(m, tree_q, tree_v, tree_a, loads, ws, mw);
  });
  if (loads.has_inertia()) add_loads(name, m, tree_q, tree_v, tree_a, loads, ws, mw);
  return {view(m, mw, 0), view(m, mw, 1), {view(m, mw, 2).data, m.nv, 3 * mw.row_stride}};
}
template <class T>
void inverse_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                                          BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw,
                                          Out<T> tau_q, Out<T> tau_v, Out<T> tau_a,
                                          const Loads<T>& loads) {
  const char* name = "inverse_dynamics_tangent_derivatives";
  check_square(name, "tau_q", m, tau_q);
  check_square(name, "tau_v", m, tau_v);
  check_square(name, "tau_a", m, tau_a);
  const auto d = inverse_dynamics_tangent_derivatives(m, q, v, a, ws, mw, loads);
  copy_square(m, d.tau_q, tau_q);
  copy_square(m, d.tau_v, tau_v);
  copy_square(m, d.tau_a, tau_a);
}

template <class T>
ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q,
                                                                   In<T> v, In<T> tau,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads) {
  const char* name = "forward_dynamics_tangent_derivatives";
  check_tree("the derivative of dynamics", m);
  check_size(name, "tau", tau.size(), m.nv, m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  check_workspace(name, m, mw);
  if (loads.has_inertia()) solve_loaded<T>(name, m, q, v, tau, loads, ws, mw);
  else if (!m.singular_reason.empty() || !with_matrix_functions(mw, [&](auto functions) {
             return functions.forward_dynamics_derivatives(m, q, v, tau, tree_q, tree_v, loads, ws,
                                                           mw);
           })) {
    forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads);  // names the cause
    refuse_state(m.name);
  }
  return {ws.acceleration, view(m, mw, 0), view(m, mw, 1), view(m, mw, 2)};
}
template <class T>
void forward_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                          BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw,
                                          Out<T> a, Out<T> a_q, Out<T> a_v, Out<T> a_tau,
                                          const Loads<T>& loads) {
  const char* name = "forward_dynamics_tangent_derivatives";
  check_size(name, "a", a.size(), m.nv, m.name);
  check_square(name, "a_q", m, a_q);
  check_square(name, "a_v", m, a_v);
  check_square(name, "a_tau", m, a_tau);
  const auto d = forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, loads);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = d.a[k];
  copy_square(m, d.a_q, a_q);
  copy_square(m, d.a_v, a_v);
  copy_square(m, d.a_tau, a_tau);
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
void coriolis_matrix(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                     BasicMatrixWorkspace<T>& mw, Out<T> out) {
  check_square("coriolis_matrix", "out", m, out);
  copy_square(m, coriolis_matrix(m, q, v, ws, mw), out);
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
    const In<T> rest(ws.zeros.data(), at_index(m.nv));
    forward_dynamics_by_mass_matrix(m, q, rest, rest, ws);  // names the cause
    throw Error("the mass matrix of robot '" + m.name + "' has no inverse here");
  }
  return view(m, mw, 2);
}
template <class T>
void inverse_mass_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                         BasicMatrixWorkspace<T>& mw, Out<T> out) {
  check_square("inverse_mass_matrix", "out", m, out);
  copy_square(m, inverse_mass_matrix(m, q, ws, mw), out);
}

#define LIMBER_DERIVATIVES(T)                                                                  \
  template InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(                 \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
      const Loads<T>&);                                                                        \
  template ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(                 \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
      const Loads<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_DERIVATIVES)

#define LIMBER_DERIVATIVES_OUT(T)                                                                  \
  template void inverse_dynamics_tangent_derivatives(const BasicModel<T>&, In<T>, In<T>, In<T>,    \
                                                     BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
                                                     Out<T>, Out<T>, Out<T>, const Loads<T>&);     \
  template void forward_dynamics_tangent_derivatives(                                              \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&,     \
      Out<T>, Out<T>, Out<T>, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_NUMBER(LIMBER_DERIVATIVES_OUT)

#define LIMBER_CORIOLIS(T)                                                                       \
  template MatrixView<T> coriolis_matrix(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&, \
                                         BasicMatrixWorkspace<T>&);                              \
  template MatrixView<T> inverse_mass_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&,    \
                                             BasicMatrixWorkspace<T>&);                          \
  template void coriolis_matrix(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,          \
                                BasicMatrixWorkspace<T>&, Out<T>);                               \
  template void inverse_mass_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&,             \
                                    BasicMatrixWorkspace<T>&, Out<T>);
LIMBER_FOR_EACH_NUMBER(LIMBER_CORIOLIS)

}  // namespace limber
