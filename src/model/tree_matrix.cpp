#include <limber/model/tree_matrix.hpp>

#include <algorithm>

#include "model/checks.hpp"
#include "model/memory.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
void expect_matrix(const BasicModel<T>& m, const List<int>& parent) {
  const double entries = TreePattern::entries(parent);
  expect_memory("the mass matrix along the tree", m.name, parent.count(), entries,
                entries * static_cast<double>(2 * sizeof(T) + sizeof(int)));
}

}  // namespace

template <class T>
BasicTreeMatrix<T>::BasicTreeMatrix(const BasicModel<T>& m) {
  expect_matrix(m, m.dof_parent);
  pattern = TreePattern(m.dof_parent);
  values.resize(pattern.path.size(), T(0));
  if (!m.has_mimic()) return;
  expect_matrix(m, m.column_parent);
  tree_pattern = TreePattern(m.column_parent);
  tree_values.resize(tree_pattern.path.size(), T(0));
  for (int k = 0; k < m.tree_nv; ++k)
    for (int t = tree_pattern.start[k]; t < tree_pattern.end[k]; ++t) {
      const int l = tree_pattern.path[t];
      const Fold<T>&a = m.v_fold[k], &b = m.v_fold[l];
      const int low = std::min(a.index, b.index), high = std::max(a.index, b.index);
      // an off-diagonal pair of the tree that lands on one diagonal entry counts for both halves
      const T halves(k != l && low == high ? 2.0 : 1.0);
      folded.push_back({t, pattern.entry(low, high), a.ratio * b.ratio * halves});
    }
}

template <class T>
BasicTreeFactor<T>::BasicTreeFactor(const BasicModel<T>& m)
    : model(m.identity), robot(m.name), M(m) {
  check_built("TreeFactor", m);
  L.resize(M.values.size(), T(0));
}

#define LIMBER_TREE_MATRIX(T)         \
  template struct BasicTreeMatrix<T>; \
  template struct BasicTreeFactor<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_TREE_MATRIX)

}  // namespace limber
