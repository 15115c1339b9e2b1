#include "constraint/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "index.hpp"

namespace limber {

RankedQr::RankedQr(Dense A, double tolerance)
    : A_(std::move(A)),
      order_(at_index(A_.columns)),
      diagonal_(at_index(A_.columns)),
      factor_(at_index(A_.columns)) {
  std::iota(order_.begin(), order_.end(), 0);
  double largest = 0;
  for (; rank_ < std::min(A_.rows, A_.columns); ++rank_) {
    const int k = rank_;
    int best = k;
    double best_square = -1;
    for (int j = k; j < A_.columns; ++j) {
      double square = 0;
      for (int i = k; i < A_.rows; ++i) square += A_(i, j) * A_(i, j);
      if (square > best_square * (1 + 1e-9)) best = j, best_square = square;  // equal: the first
    }
    const double length = std::sqrt(best_square);
    if (k == 0) largest = length;
    if (!(length > tolerance * largest)) break;
    std::swap(order_[at_index(k)], order_[at_index(best)]);
    for (int i = 0; i < A_.rows; ++i) std::swap(A_(i, k), A_(i, best));
    const double head = std::copysign(length, A_(k, k));
    A_(k, k) += head;
    diagonal_[at_index(k)] = -head;
    factor_[at_index(k)] = 1 / (head * A_(k, k));
    for (int j = k + 1; j < A_.columns; ++j) {
      double sum = 0;
      for (int i = k; i < A_.rows; ++i) sum += A_(i, k) * A_(i, j);
      sum *= factor_[at_index(k)];
      for (int i = k; i < A_.rows; ++i) A_(i, j) -= sum * A_(i, k);
    }
  }
  if (rank_ == A_.columns) return;
  Dense RT(A_.columns, rank_);
  for (int k = 0; k < rank_; ++k) {
    RT(k, k) = diagonal_[at_index(k)];
    for (int j = k + 1; j < A_.columns; ++j) RT(j, k) = A_(k, j);
  }
  transposed_ = std::make_shared<const RankedQr>(std::move(RT), 0);
}

void RankedQr::reflect(int k, Numbers& x) const {
  double sum = 0;
  for (int i = k; i < A_.rows; ++i) sum += A_(i, k) * x[at_index(i)];
  sum *= factor_[at_index(k)];
  for (int i = k; i < A_.rows; ++i) x[at_index(i)] -= sum * A_(i, k);
}

Numbers RankedQr::times_Q(Numbers x) const {
  for (int k = rank_ - 1; k >= 0; --k) reflect(k, x);
  return x;
}

Numbers RankedQr::solve(Numbers b) const {
  reference::require_matching(A_.rows, b.size());
  for (int k = 0; k < rank_; ++k) reflect(k, b);
  Numbers y(order_.size());
  if (rank_ == A_.columns) {
    for (int k = rank_ - 1; k >= 0; --k) {
      double sum = b[at_index(k)];
      for (int j = k + 1; j < rank_; ++j) sum -= A_(k, j) * y[at_index(j)];
      y[at_index(k)] = sum / diagonal_[at_index(k)];
    }
  } else {  // (R₁₁ R₁₂) y = b has many solutions: the shortest one
    b.resize(at_index(rank_));
    y = transposed_->solve_transposed(b);
  }
  Numbers x(order_.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[at_index(order_[k])] = y[k];
  return x;
}

Numbers RankedQr::solve_transposed(const Numbers& c) const {
  reference::require_matching(A_.columns, c.size());
  Numbers y(at_index(A_.rows));
  for (int k = 0; k < rank_; ++k) {
    double sum = c[at_index(order_[at_index(k)])];
    for (int j = 0; j < k; ++j) sum -= A_(j, k) * y[at_index(j)];
    y[at_index(k)] = sum / diagonal_[at_index(k)];
  }
  return times_Q(std::move(y));
}

Dense RankedQr::complement() const {
  Dense N(A_.rows, A_.rows - rank_);
  for (int j = 0; j < N.columns; ++j) {
    Numbers unit(at_index(A_.rows));
    unit[at_index(rank_ + j)] = 1;
    const Numbers column = times_Q(std::move(unit));
    for (int i = 0; i < N.rows; ++i) N(i, j) = column[at_index(i)];
  }
  return N;
}

Dense RankedQr::kernel() const {
  Dense Z(A_.columns, A_.columns - rank_);
  for (int j = 0; j < Z.columns; ++j) {
    Numbers y(at_index(rank_));
    for (int k = rank_ - 1; k >= 0; --k) {
      double sum = -A_(k, rank_ + j);
      for (int i = k + 1; i < rank_; ++i) sum -= A_(k, i) * y[at_index(i)];
      y[at_index(k)] = sum / diagonal_[at_index(k)];
      Z(order_[at_index(k)], j) = y[at_index(k)];
    }
    Z(order_[at_index(rank_ + j)], j) = 1;
  }
  return Z;
}

double determinant(Dense A) {
  double product = 1;
  for (int k = 0; k < A.rows; ++k) {
    int best = k;
    for (int i = k + 1; i < A.rows; ++i)
      if (std::abs(A(i, k)) > std::abs(A(best, k))) best = i;
    if (A(best, k) == 0) return 0;
    if (best != k) {
      product = -product;
      for (int j = 0; j < A.columns; ++j) std::swap(A(k, j), A(best, j));
    }
    product *= A(k, k);
    for (int i = k + 1; i < A.rows; ++i) {
      const double share = A(i, k) / A(k, k);
      for (int j = k; j < A.columns; ++j) A(i, j) -= share * A(k, j);
    }
  }
  return product;
}

double largest_of(const Numbers& x) {
  double largest = 0;
  for (const double value : x)
    if (!(std::abs(value) <= largest)) largest = std::abs(value);
  return largest;
}

double norm_of(const Numbers& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

Numbers column_of(const Dense& A, int column) {
  Numbers x(at_index(A.rows));
  for (int i = 0; i < A.rows; ++i) x[at_index(i)] = A(i, column);
  return x;
}

Numbers transposed_times(const Dense& A, const Numbers& x) {
  reference::require_matching(A.rows, x.size());
  Numbers y(at_index(A.columns));
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) y[at_index(j)] += A(i, j) * x[at_index(i)];
  return y;
}

}  // namespace limber
