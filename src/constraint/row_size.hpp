#pragma once
// What a row of a loop is small against.
#include <limber/constraint/loop_rows.hpp>

namespace limber {

/// A_ii of a row, enlarged to what it would be if its entries in J were as large as they can be:
/// a row that nearly vanishes, as in a singular position or across the plane of a planar mechanism,
/// is small against this and not against itself.
template <class T>
T size_of_row(const BasicLoopRows<T>& rows, int i, const T& A_ii) {
  if constexpr (std::is_class_v<T>) return A_ii;
  T own(0);
  for (int k = 0; k < static_cast<int>(rows.JT.size()) / rows.stride; ++k)
    own += rows.jt(k, i) * rows.jt(k, i);
  return own > T(0) && rows.reach[i] > own ? A_ii * (rows.reach[i] / own) : A_ii;
}

}  // namespace limber
