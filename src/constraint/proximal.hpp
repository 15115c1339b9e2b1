#pragma once
// Scalars whose values are not known while the recursion runs (expressions, many robots at once)
// cannot tell which rows depend on others. Their rows are solved with a small weight,
//   K a + A λ + W (λ − λ₀) = wanted,   W = w · what each row could have,
// so that no pivot vanishes. λ₀ is zero at first, and the forces before in each correction, whose
// error becomes smaller by W / (A + W): redundant rows or not, forces stay small and accelerations
// converge. The weight must stand out of rounding, so it depends on the precision.
#include <vector>

#include <limber/constraint/articulated_loops.hpp>
#include <limber/scalar/expr_graph.hpp>

#include "index.hpp"

namespace limber {

/// Passes after the first one.
inline constexpr int proximal_corrections = 1;

template <class T>
T proximal_weight() {
  constexpr double in_double = 1e-8, in_float = 1e-5;
  if constexpr (std::is_same_v<T, Expr>) return by_precision(in_double, in_float);
  else if constexpr (std::is_class_v<T>)
    return T(sizeof(typename T::Number) < sizeof(double) ? in_float : in_double);
  else return T(0);  // they pivot
}

/// Calls f(row, place): each row of the loops, and its place among what the recursion leaves.
template <class T, class F>
void for_loop_places(const BasicMechanism<T>& m, F&& f) {
  constexpr int places = 8;
  for (int k = 0; k < m.loops.count(); ++k)
    for (int r = 0; r < m.closures[k].rows; ++r)
      f(at_index(m.closures[k].first_row + r), k * places + r);
}

/// What is left of the rows after a pass that began with no forces: wanted less K a + A λ.
template <class T>
std::vector<T> proximal_residual(const BasicMechanism<T>& m, const BasicArticulatedLoops<T>& d) {
  std::vector<T> left(at_index(m.rows));
  for_loop_places(m, [&](std::size_t row, int at) {
    left[row] = proximal_weight<T>() * d.scale[at] * d.force[row];
  });
  return left;
}

}  // namespace limber
