#include "dynamics/tree_factor.ipp"

#include <algorithm>

#include "dynamics/fold.hpp"
#include "dynamics/mass_matrix.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

template <class T>
void check_factor(const char* function, const BasicTreeFactor<T>& factor, std::span<T> X) {
  if (factor.holds != BasicTreeFactor<T>::Holds::factor) refuse_unfactored(function);
  const std::size_t nv = factor.M.pattern.start.size();
  if (nv == 0 ? !X.empty() : X.size() % nv != 0)
    refuse_columns(function, X.size(), nv, factor.robot);
}

template <class T>
int columns(const BasicTreeFactor<T>& factor, std::span<T> X) {
  return X.empty() ? 0 : static_cast<int>(X.size()) / factor.M.pattern.variables();
}

// rows and columns of known accelerations as those of the identity: the zeros of the tree stay
template <class T>
void leave_out(const TreePattern& at, std::span<const Known> known, T* L) {
  for (int k = 0; k < at.variables(); ++k)
    for (int t = at.start[k]; t < at.end[k]; ++t) {
      const int l = at.path[t];
      if (known[at_index(k)] == Known::acceleration || known[at_index(l)] == Known::acceleration)
        L[t] = T(k == l ? 1.0 : 0.0);
    }
}

}  // namespace

template <class T>
void factorize(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws, BasicTreeFactor<T>& factor,
               const Loads<T>& loads, std::span<const Known> known) {
  const char* name = "factorize";
  check_workspace(name, m, factor);
  fill_matrix(m, tree_positions(m, name, q, ws), ws, factor.M, loads);
  factor.holds = BasicTreeFactor<T>::Holds::matrix;
  if (!known.empty()) check_size(name, "known", known.size(), m.nv, m.name);
  factorize(factor, known);
}

template <class T>
void factorize(BasicTreeFactor<T>& factor, std::span<const Known> known) {
  if (factor.holds == BasicTreeFactor<T>::Holds::nothing) refuse_without_matrix();
  std::copy(factor.M.values.begin(), factor.M.values.end(), factor.L.begin());
  if (!known.empty()) leave_out(factor.M.pattern, known, factor.L.data());
  factorize_rows(factor.M.pattern, factor.L.data());
  factor.holds = BasicTreeFactor<T>::Holds::factor;
}

template <class T>
const BasicTreeFactor<T>& factorize(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                                    const Loads<T>& loads) {
  check_workspace("factorize", m, ws);
  BasicTreeFactor<T>& factor = own_factor(m, ws);
  factorize(m, q, ws, factor, loads);
  return factor;
}

template <class T>
bool has_regular_pivots(const BasicTreeFactor<T>& factor) {
  for (int k = 0; k < factor.M.pattern.variables(); ++k)
    if (!is_regular_pivot(inverse_pivot(factor, k))) return false;
  return true;
}

template <class T>
void solve(const BasicTreeFactor<T>& factor, std::span<T> X) {
  check_factor("solve", factor, X);
  const TreePattern& at = factor.M.pattern;
  if (const int n = columns(factor, X); n == 1) {
    half_solve_rows(at, factor.L.data(), X.data());
    finish_solve_rows(at, factor.L.data(), X.data());
  } else {
    half_solve_rows(at, factor.L.data(), X.data(), n);
    finish_solve_rows(at, factor.L.data(), X.data(), n);
  }
}

template <class T>
void half_solve(const BasicTreeFactor<T>& factor, std::span<T> X) {
  check_factor("half_solve", factor, X);
  half_solve_rows(factor.M.pattern, factor.L.data(), X.data(), columns(factor, X));
}

template <class T>
void finish_solve(const BasicTreeFactor<T>& factor, std::span<T> X) {
  check_factor("finish_solve", factor, X);
  finish_solve_rows(factor.M.pattern, factor.L.data(), X.data(), columns(factor, X));
}

#define LIMBER_TREE_FACTOR(T)                                                                   \
  template void factorize(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, BasicTreeFactor<T>&, \
                          const Loads<T>&, std::span<const Known>);                             \
  template const BasicTreeFactor<T>& factorize(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, \
                                               const Loads<T>&);                                \
  template void factorize(BasicTreeFactor<T>&, std::span<const Known>);                         \
  template bool has_regular_pivots(const BasicTreeFactor<T>&);                                  \
  template void solve(const BasicTreeFactor<T>&, std::span<T>);                                 \
  template void half_solve(const BasicTreeFactor<T>&, std::span<T>);                            \
  template void finish_solve(const BasicTreeFactor<T>&, std::span<T>);
LIMBER_FOR_EACH_SCALAR(LIMBER_TREE_FACTOR)

}  // namespace limber
