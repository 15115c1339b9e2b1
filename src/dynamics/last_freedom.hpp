#pragma once
// Which freedoms move a body: one of them names them all.
#include <limber/model/tree_matrix.hpp>

namespace limber {

/// The freedom furthest out that moves a body: its path has all others. −1: the body rests.
template <class T>
int last_freedom(const BasicModel<T>& m, const TreePattern& at, int body) {
  int last = -1;
  for (int i = body; i > 0; i = m.parent[i])
    for (int k = m.v_index[i]; k < m.v_index[i] + m.v_count[i]; ++k) {
      const int freedom = m.v_fold[k].index;
      if (last < 0 || at.depth(freedom) > at.depth(last)) last = freedom;
    }
  return last;
}

}  // namespace limber
