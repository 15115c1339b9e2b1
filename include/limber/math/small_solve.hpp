#pragma once
// Small dense systems of equations, without allocation.
#include <type_traits>
#include <utility>

namespace limber {

/// Solves A x = b for a dense n × n matrix (row by row) by elimination with exchange of rows. A is
/// destroyed and b becomes x. False if A is singular: no pivot above 1e-12 (float: 1e-6) of the
/// largest entry of A, or an entry that is not a number.
template <class T>
bool solve_small(T* A, T* b, int n) {
  const T zero(0), smallest = static_cast<T>(std::is_same_v<T, float> ? 1e-6 : 1e-12);
  auto size = [&](const T& x) { return x < zero ? -x : x; };
  T largest(0);
  for (int k = 0; k < n * n; ++k)
    if (largest < size(A[k])) largest = size(A[k]);
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (size(A[pivot * n + k]) < size(A[i * n + k])) pivot = i;
    if (!(size(A[pivot * n + k]) > smallest * largest)) return false;
    for (int j = 0; j < n; ++j) std::swap(A[pivot * n + j], A[k * n + j]);
    std::swap(b[pivot], b[k]);
    for (int i = k + 1; i < n; ++i) {
      const T factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= A[k * n + j] * b[j];
    b[k] = b[k] / A[k * n + k];
  }
  return true;
}

}  // namespace limber
