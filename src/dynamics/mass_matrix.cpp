#include "dynamics/mass_matrix.ipp"

#include <limber/dynamics/mass_matrix.hpp>

#include "dynamics/fold.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

template <class T>
TreeMatrixView<T> mass_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                              const Loads<T>& loads) {
  const T* tree_q = tree_positions(m, "mass_matrix", q, ws);
  BasicTreeFactor<T>& own = own_factor(m, ws);
  fill_matrix(m, tree_q, ws, own.M, loads);
  own.holds = BasicTreeFactor<T>::Holds::matrix;
  return own.M.view();
}

template <class T>
void mass_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws, Out<T> out,
                 const Loads<T>& loads) {
  const int nv = m.nv;
  check_size("mass_matrix", "out", out.size(), nv * nv, m.name);
  const TreePattern& at = *mass_matrix(m, q, ws, loads).pattern;
  const T* const M = own_factor(m, ws).M.values.data();
  for (T& x : out) x = T(0);
  for (int k = 0; k < nv; ++k)
    for (int t = at.start[k]; t < at.end[k]; ++t)
      out[at_index(at.path[t] * nv + k)] = out[at_index(k * nv + at.path[t])] = M[t];
}

#define LIMBER_MASS_MATRIX(T)                                                             \
  template TreeMatrixView<T> mass_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, \
                                         const Loads<T>&);                                \
  template void mass_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, Out<T>,      \
                            const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_MASS_MATRIX)

}  // namespace limber
