#pragma once
// Symmetric systems of a team of arms: at most six rows, factorised and inverted with few
// operations, and many rows that may depend on each other.
#include <algorithm>
#include <utility>

#include <limber/constraint/arm_team.hpp>

#include "index.hpp"

namespace limber {

/// A = L D Lᵀ of the first n rows in place, of which the lower triangle is read: D on the diagonal,
/// L below. False, and left half done, where a pivot is not above its `least`. [McM] §2.4: 50
/// multiplications, 35 additions for n = 6
template <class T>
bool factorize_small(Small6<T>& A, int n, const std::array<T, 6>& least) {
  for (int j = 0; j < n; ++j) {
    if (!(A(j, j) > least[at_index(j)])) return false;
    for (int i = j + 1; i < n; ++i) {
      const T l = A(i, j) / A(j, j);
      for (int k = i; k < n; ++k) A(k, i) -= l * A(k, j);
      A(i, j) = l;  // not needed any more
    }
  }
  return true;
}

/// x := A⁻¹ x with such a factor: 36 multiplications, 30 additions for n = 6.
template <class T>
void solve_small(const Small6<T>& L, int n, std::array<T, 6>& x) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) x[at_index(i)] -= L(i, j) * x[at_index(j)];
  for (int i = 0; i < n; ++i) x[at_index(i)] = x[at_index(i)] / L(i, i);
  for (int i = n - 1; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) x[at_index(i)] -= L(j, i) * x[at_index(j)];
}

/// The lower triangle of A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹ from such a factor.
template <class T>
Small6<T> inverse_small(const Small6<T>& L, int n) {
  Small6<T> K;  // L⁻¹ below the diagonal of ones
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      K(i, j) = -L(i, j);
      for (int k = j + 1; k < i; ++k) K(i, j) -= L(i, k) * K(k, j);
    }
  Small6<T> r;
  for (int k = 0; k < n; ++k) {
    const T D_inverse = T(1) / L(k, k);
    for (int i = 0; i < k; ++i) {
      const T scaled = D_inverse * K(k, i);
      for (int j = 0; j <= i; ++j) r(i, j) += scaled * K(k, j);
      r(k, i) = scaled;
    }
    r(k, k) = D_inverse;
  }
  return r;
}

/// Entry of a symmetric matrix of which the lower triangle is kept.
template <class T>
const T& symmetric(const Small6<T>& A, int i, int j) {
  return i < j ? A(j, i) : A(i, j);
}

/// Both triangles.
template <class T>
Small6<T> full(const Small6<T>& A) {
  Small6<T> r;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) r(i, j) = symmetric(A, i, j);
  return r;
}

/// A x of a symmetric matrix: 36 multiplications, 30 additions for n = 6.
template <class T>
std::array<T, 6> times(const Small6<T>& A, int n, const std::array<T, 6>& x) {
  std::array<T, 6> y{};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) y[at_index(i)] += symmetric(A, i, j) * x[at_index(j)];
  return y;
}

/// C A Cᵀ of a symmetric A of n rows, C: 6 × n; lower triangle.
template <class T>
Small6<T> outer_congruence(const Small6<T>& C, const Small6<T>& A, int n) {
  Small6<T> CA, r;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) CA(i, j) += C(i, k) * symmetric(A, k, j);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < n; ++k) r(i, j) += CA(i, k) * C(j, k);
  return r;
}

/// Cᵀ A D of a symmetric A of six rows; C: 6 × n, D: 6 × k.
template <class T>
Small6<T> inner_product(const Small6<T>& C, int n, const Small6<T>& A, const Small6<T>& D, int k) {
  Small6<T> AD, r;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < k; ++j)
      for (int l = 0; l < 6; ++l) AD(i, j) += symmetric(A, i, l) * D(l, j);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j)
      for (int l = 0; l < 6; ++l) r(i, j) += C(l, i) * AD(l, j);
  return r;
}

/// Cᵀ x and C λ.
template <class T>
std::array<T, 6> rows_of(const Small6<T>& C, int n, const std::array<T, 6>& x) {
  std::array<T, 6> r{};
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < 6; ++l) r[at_index(i)] += C(l, i) * x[at_index(l)];
  return r;
}
template <class T>
std::array<T, 6> columns_of(const Small6<T>& C, int n, const T* lambda) {
  std::array<T, 6> r{};
  for (int l = 0; l < 6; ++l)
    for (int i = 0; i < n; ++i) r[at_index(l)] += C(l, i) * lambda[i];
  return r;
}

/// A symmetric positive semidefinite system whose rows may depend on each other, by elimination
/// with full pivoting. The largest entry of such a matrix lies on its diagonal, so pivots are
/// sought there; each is compared with the diagonal entry that it came from, so that units play no
/// part. A: n × n, rows `stride` apart, lower triangle; the upper one is scratch.
template <class T>
struct PivotedSystem {
  T* A;
  int stride, n;
  int* order;  ///< order[k]: the row of the given matrix that pivot k is of (n)
  T* scale;    ///< scratch (n)

  /// Returns the rank.
  int factorize(const T& least) const {
    for (int i = 0; i < n; ++i) order[i] = i, scale[i] = T(1) / row(i)[i];
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      T largest(0);
      for (int i = k; i < n; ++i) {
        const T part = row(i)[i] * scale[i];
        if (part > largest) largest = part, pivot = i;
      }
      if (!(largest > least)) return k;
      exchange(k, pivot);
      eliminate(k);
    }
    return n;
  }
  /// x := a solution of A x = b, b in x: unknowns beyond the rank are zero. Returns the largest
  /// size by which the equations that were dropped fail.
  T solve(int rank, T* x) const {
    T* const y = scale;
    for (int i = 0; i < n; ++i) {
      y[i] = x[order[i]];
      for (int j = 0; j < std::min(i, rank); ++j) y[i] -= row(i)[j] * y[j];
    }
    T mismatch(0);
    for (int i = rank; i < n; ++i) {
      const T size = y[i] < T(0) ? -y[i] : y[i];
      if (mismatch < size) mismatch = size;
      y[i] = T(0);
    }
    for (int i = 0; i < rank; ++i) y[i] = y[i] / row(i)[i];
    finish(rank, x);
    return mismatch;
  }
  /// x := vector `which` < n − rank of the null space.
  void null_vector(int rank, int which, T* x) const {
    T* const y = scale;
    for (int i = 0; i < n; ++i) y[i] = i < rank ? -row(rank + which)[i] : T(0);
    y[rank + which] = T(1);
    finish(rank, x);
  }

 private:
  T* row(int i) const { return A + i * stride; }
  /// Rows and columns k and p > k change places.
  void exchange(int k, int p) const {
    if (k == p) return;
    std::swap(order[k], order[p]);
    std::swap(scale[k], scale[p]);
    std::swap(row(k)[k], row(p)[p]);
    for (int j = 0; j < k; ++j) std::swap(row(k)[j], row(p)[j]);
    for (int i = k + 1; i < p; ++i) std::swap(row(i)[k], row(p)[i]);
    for (int i = p + 1; i < n; ++i) std::swap(row(i)[k], row(i)[p]);
  }
  /// Column k, once its pivot is in place: it becomes a column of L.
  void eliminate(int k) const {
    T* const l = row(k);  // beyond the diagonal
    for (int i = k + 1; i < n; ++i) l[i] = row(i)[k] / row(k)[k];
    for (int i = k + 1; i < n; ++i) {
      const T a = row(i)[k];
      for (int j = k + 1; j <= i; ++j) row(i)[j] -= a * l[j];
      row(i)[k] = l[i];
    }
  }
  /// x := L⁻ᵀ y in the given order, y in `scale`.
  void finish(int rank, T* x) const {
    for (int i = rank - 1; i >= 0; --i)
      for (int j = i + 1; j < rank; ++j) scale[i] -= row(j)[i] * scale[j];
    for (int i = 0; i < n; ++i) x[order[i]] = scale[i];
  }
};

}  // namespace limber
