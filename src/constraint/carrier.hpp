#pragma once
// Where the two ends of a loop meet in the tree.
#include <limber/model/model.hpp>

namespace limber {

/// The nearest body that carries both.
template <class T>
int common_carrier(const BasicModel<T>& m, int a, int b) {
  while (a != b) (a > b ? a : b) = m.parent[a > b ? a : b];
  return a;
}

}  // namespace limber
