#pragma once
// Symmetric positive definite systems, dense: factor and solve.
#include <array>
#include <cstddef>

namespace limber {

/// A = L D Lᵀ in place (row by row, `stride` apart; the lower triangle becomes L, the diagonal D).
/// Returns the first row whose pivot is not above `least`, or n.
template <class T>
std::size_t factorize_symmetric(T* A, std::size_t n, std::size_t stride, const T& least) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k)
        A[i * stride + j] -= A[i * stride + k] * A[j * stride + k] * A[k * stride + k];
      A[i * stride + j] = A[i * stride + j] / A[j * stride + j];
    }
    for (std::size_t k = 0; k < i; ++k)
      A[i * stride + i] -= A[i * stride + k] * A[i * stride + k] * A[k * stride + k];
    if (!(A[i * stride + i] > least)) return i;
  }
  return n;
}

/// x := A⁻¹ x with the factor of factorize_symmetric().
template <class T>
void solve_symmetric(const T* A, std::size_t n, std::size_t stride, T* x) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) x[i] -= A[i * stride + k] * x[k];
  for (std::size_t i = 0; i < n; ++i) x[i] = x[i] / A[i * stride + i];
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= A[k * stride + i] * x[k];
}

}  // namespace limber
