#pragma once
// Dense matrices for the textbooks' formulations, for any scalar: they are counted as well as
// computed.
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <limber/error.hpp>

namespace limber::reference {

/// A dense matrix, kept row by row; zeros to begin with.
template <class T>
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<T> data;

  Matrix() = default;
  Matrix(int rows, int columns)
      : rows(rows),
        columns(columns),
        data(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}
  T& operator()(int i, int j) { return data[index(i, j)]; }
  const T& operator()(int i, int j) const { return data[index(i, j)]; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(j);
  }
};

/// Throws Error unless a matrix has as many columns as the matrix on its right has rows.
inline void require_matching(int columns, std::size_t rows) {
  if (static_cast<std::size_t>(columns) != rows)
    throw Error("reference: a matrix of " + std::to_string(columns) + " columns times " +
                std::to_string(rows) + " rows");
}

/// A B
template <class T>
Matrix<T> operator*(const Matrix<T>& A, const Matrix<T>& B) {
  require_matching(A.columns, static_cast<std::size_t>(B.rows));
  Matrix<T> C(A.rows, B.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int k = 0; k < A.columns; ++k)
      for (int j = 0; j < B.columns; ++j) C(i, j) += A(i, k) * B(k, j);
  return C;
}
/// A x
template <class T>
std::vector<T> operator*(const Matrix<T>& A, const std::vector<T>& x) {
  require_matching(A.columns, x.size());
  std::vector<T> y(static_cast<std::size_t>(A.rows));
  for (int i = 0; i < A.rows; ++i)
    for (int k = 0; k < A.columns; ++k)
      y[static_cast<std::size_t>(i)] += A(i, k) * x[static_cast<std::size_t>(k)];
  return y;
}
template <class T>
Matrix<T> transpose(const Matrix<T>& A) {
  Matrix<T> B(A.columns, A.rows);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) B(j, i) = A(i, j);
  return B;
}

/// Throws Error unless `pivot`, met while solving for `what`, is a positive finite number.
template <class T>
void require_positive(const T& pivot, const std::string& what) {
  if (pivot > T(0) && pivot < T(HUGE_VAL)) return;
  throw Error(what +
              ": a pivot is not a positive number; a motion has no inertia (check the masses "
              "that it moves), or an input is not finite");
}

/// A = L D Lᵀ of a symmetric positive definite matrix, of which the lower triangle is read; no
/// square roots ([McM] §2.4: n³/6 + n²/2 − 2n/3 multiplications, and n² to solve).
template <class T>
class Ldlt {
 public:
  Ldlt() = default;
  /// Throws Error, naming `what` A is, when A is not positive definite or not finite.
  Ldlt(Matrix<T> A, const std::string& what) : L_(std::move(A)) {
    require_matching(L_.columns, static_cast<std::size_t>(L_.rows));
    for (int j = 0; j < L_.rows; ++j) {
      require_positive(L_(j, j), what);
      for (int i = j + 1; i < L_.rows; ++i) {
        const T l = L_(i, j) / L_(j, j);
        for (int k = i; k < L_.rows; ++k) L_(k, i) -= l * L_(k, j);
      }
      for (int i = j + 1; i < L_.rows; ++i) L_(i, j) = L_(i, j) / L_(j, j);
    }
  }

  const T& pivot(int k) const { return L_(k, k); }

  /// x = L⁻¹ x, for numbers or for vectors that can be scaled by T.
  template <class X>
  void solve_lower(std::vector<X>& x) const {
    require_matching(L_.columns, x.size());
    for (int i = 0; i < L_.rows; ++i)
      for (int j = 0; j < i; ++j) at(x, i) -= at(x, j) * L_(i, j);
  }
  /// x = A⁻¹ x
  void solve(std::vector<T>& x) const {
    solve_lower(x);
    for (int i = 0; i < L_.rows; ++i) at(x, i) = at(x, i) / L_(i, i);
    for (int i = L_.rows - 1; i >= 0; --i)
      for (int j = i + 1; j < L_.rows; ++j) at(x, i) -= L_(j, i) * at(x, j);
  }

 private:
  template <class X>
  static X& at(std::vector<X>& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }

  Matrix<T> L_;  // D on the diagonal, L below it
};

}  // namespace limber::reference
