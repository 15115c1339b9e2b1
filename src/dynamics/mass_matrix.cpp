#include "dynamics/mass_matrix.ipp"

#include <limber/dynamics/mass_matrix.hpp>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

// M = Gᵀ tree_M G: rows and columns of mimic joints go to their masters
template <class T>
void fold_matrix(const BasicModel<T>& m, BasicWorkspace<T>& ws) {
  for (T& x : ws.M) x = T(0);
  for (int k = 0; k < m.tree_nv; ++k)
    for (int l = k; l >= 0; l = m.column_parent[static_cast<std::size_t>(l)]) {
      const Fold<T>&a = m.v_fold[static_cast<std::size_t>(k)],
            &b = m.v_fold[static_cast<std::size_t>(l)];
      const T x = a.ratio * b.ratio * ws.tree_M[static_cast<std::size_t>(l * m.tree_nv + k)];
      const int row = a.index < b.index ? a.index : b.index,
                column = a.index < b.index ? b.index : a.index;
      // an off-diagonal pair of the tree that lands on one diagonal entry counts for both its
      // halves
      ws.M[static_cast<std::size_t>(row * m.nv + column)] += k != l && row == column ? x + x : x;
    }
}

}  // namespace

template <class T>
SymmetricView<T> mass_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  const T* tree_q = tree_positions(m, "mass_matrix", q, ws);
  composite_bodies(m, tree_q, ws, m.has_mimic() ? ws.tree_M.data() : ws.M.data());
  if (m.has_mimic()) fold_matrix(m, ws);
  ws.computed.mass_matrix = true;
  return {ws.M.data(), m.nv};
}

template <class T>
void factorize_mass_matrix(const BasicModel<T>& m, BasicWorkspace<T>& ws) {
  const char* name = "factorize_mass_matrix";
  check_workspace(name, m, ws);
  check_computed(name, m, ws.computed.mass_matrix, "inertia matrix", "mass_matrix()");
  for (int k = 0; k < m.nv; ++k)
    for (int t = m.path_start[static_cast<std::size_t>(k)];
         t < m.path_end[static_cast<std::size_t>(k)]; ++t) {
      const auto entry = static_cast<std::size_t>(t);
      ws.L[entry] = ws.M[static_cast<std::size_t>(m.path[entry] * m.nv + k)];
    }
  factorize(m, ws.L.data());
  ws.computed.factor = true;
}

template <class T>
void solve_mass_matrix(const BasicModel<T>& m, const BasicWorkspace<T>& ws,
                       std::span<std::type_identity_t<T>> x) {
  const char* name = "solve_mass_matrix";
  check_workspace(name, m, ws);
  check_computed(name, m, ws.computed.factor, "factor of the inertia matrix",
                 "factorize_mass_matrix()");
  check_size(name, "x", x.size(), m.nv, m.name);
  solve_factorized(m, ws.L.data(), x.data());
}

#define LIMBER_MASS_MATRIX(T)                                                             \
  template SymmetricView<T> mass_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&); \
  template void factorize_mass_matrix(const BasicModel<T>&, BasicWorkspace<T>&);          \
  template void solve_mass_matrix(const BasicModel<T>&, const BasicWorkspace<T>&,         \
                                  std::span<std::type_identity_t<T>>);
LIMBER_FOR_EACH_SCALAR(LIMBER_MASS_MATRIX)

}  // namespace limber
