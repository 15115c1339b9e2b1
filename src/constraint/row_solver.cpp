#include <limber/constraint/row_solver.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraint/row_size.hpp"
#include "dynamics/fold.hpp"
#include "dynamics/symmetric_factor.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Y := L⁻ᵀ (Jᵀ | M x₀).
template <class T>
void half_solve_all(const BasicTreeFactor<T>& factor, const BasicLoopRows<T>& rows,
                    std::span<const T> Mx, BasicRowSolver<T>& s) {
  const TreePattern& at = factor.M.pattern;
  std::copy(rows.JT.begin(), rows.JT.end(), s.Y.begin());
  for (int k = 0; k < s.freedoms; ++k) s.Y[k * s.stride + s.rows] = Mx[at_index(k)];
  for (int k = s.freedoms - 1; k >= 0; --k)
    for (int t = at.start[k]; t < at.end[k] - 1; ++t)
      subtract_scaled(&s.Y[at.path[t] * s.stride], &s.Y[k * s.stride], factor.L[t], s.stride);
}

/// A := Yᵀ D⁻¹ Y, upper triangle, and its right-hand side c − J x₀.
template <class T>
void fill_system(const BasicTreeFactor<T>& factor, const BasicLoopRows<T>& rows,
                 std::span<const T> c, BasicRowSolver<T>& s) {
  constexpr int lanes = lane_count<T>;
  std::fill(s.A.begin(), s.A.end(), T(0));
  for (int k = 0; k < s.freedoms; ++k) {
    const T* y = &s.Y[k * s.stride];
    const T& D_inverse = inverse_pivot(factor, k);
    for (int i = 0; i < s.rows; ++i) {
      if (known_zero(y[i])) continue;
      const int first = i / lanes * lanes;
      subtract_scaled(&s.A[i * s.stride + first], y + first, -(y[i] * D_inverse), s.stride - first);
    }
  }
  for (int i = 0; i < s.rows; ++i) {
    T& right = s.A[i * s.stride + s.rows];
    right = c[at_index(i)] - right;
    s.right[i] = right;
    s.size[i] = size_of_row(rows, i, s.A[i * (s.stride + 1)]);
  }
}

/// λ by A = Uᵀ D U, the right-hand side eliminated with it. False: a pivot is too small.
template <class T>
bool eliminate(BasicRowSolver<T>& s) {
  constexpr int lanes = lane_count<T>;
  const T least = T(std::is_same_v<T, float> ? 1e-3 : 1e-6);
  for (int k = 0; k < s.rows; ++k) {
    const T* row = &s.A[k * s.stride];
    if constexpr (!std::is_class_v<T>)
      if (!(row[k] > least * s.size[k])) return false;
    const T inverse = T(1) / row[k];
    for (int i = k + 1; i < s.rows; ++i) {
      if (known_zero(row[i])) continue;
      const int first = i / lanes * lanes;
      subtract_scaled(&s.A[i * s.stride + first], row + first, row[i] * inverse, s.stride - first);
    }
  }
  for (int k = s.rows - 1; k >= 0; --k) {
    const T* row = &s.A[k * s.stride];
    T sum = row[s.rows];
    for (int i = k + 1; i < s.rows; ++i) sum -= row[i] * s.force[i];
    s.force[k] = sum / row[k];
  }
  return true;
}

/// x = L⁻¹ D⁻¹ (z + Y λ)
template <class T>
void accelerate(const BasicTreeFactor<T>& factor, BasicRowSolver<T>& s, std::span<T> x) {
  for (int k = 0; k < s.freedoms; ++k) {
    const T* y = &s.Y[k * s.stride];
    T sum = y[s.rows];
    for (int i = 0; i < s.rows; ++i) sum += y[i] * s.force[i];
    x[at_index(k)] = sum;
  }
  finish_solve_rows(factor.M.pattern, factor.L.data(), x.data());
}

// --- rows that depend on each other: columns of D^-½ Y by reflections ---

template <class T>
T dot_of(const T* a, const T* b, int n) {
  T sum(0);
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// The columns in units of their sizes, and the right-hand side in their units.
template <class T>
void scale_columns(const BasicTreeFactor<T>& factor, BasicRowSolver<T>& s) {
  for (int i = 0; i < s.rows; ++i) {
    T* column = &s.columns[i * s.freedoms];
    s.scale[i] = s.size[i] > T(0) ? std::sqrt(s.size[i]) : T(1);
    for (int k = 0; k < s.freedoms; ++k)
      column[k] = s.Y[k * s.stride + i] * std::sqrt(inverse_pivot(factor, k)) / s.scale[i];
    s.right[i] /= s.scale[i];
    s.order[i] = i;
  }
}

/// Reflections that make the columns, in the order chosen, an upper triangle: R. Returns the rank.
template <class T>
int triangulate(BasicRowSolver<T>& s) {
  const int n = s.freedoms;
  T largest(0);
  int k = 0;
  for (; k < std::min(s.rows, n); ++k) {
    int best = k;
    T best_norm(-1);
    for (int j = k; j < s.rows; ++j) {
      const T* column = &s.columns[s.order[j] * n];
      const T norm = dot_of(column + k, column + k, n - k);
      if (norm > best_norm) best = j, best_norm = norm;
    }
    std::swap(s.order[k], s.order[best]);
    T* pivot = &s.columns[s.order[k] * n];
    const T length = std::sqrt(best_norm);
    if (k == 0) largest = length;
    if (!(length > s.rank_tolerance * largest)) break;
    // v = column + sign · length · e: the column becomes −sign · length · e
    const T head = pivot[k] < T(0) ? -length : length;
    s.reflector[2 * k] = pivot[k] + head;
    s.reflector[2 * k + 1] = T(1) / (head * s.reflector[2 * k]);  // 2 / (v · v)
    const T above = pivot[k];
    pivot[k] = s.reflector[2 * k];
    for (int j = k + 1; j < s.rows; ++j) {
      T* column = &s.columns[s.order[j] * n];
      const T factor = dot_of(pivot + k, column + k, n - k) * s.reflector[2 * k + 1];
      for (int i = k; i < n; ++i) column[i] -= factor * pivot[i];
    }
    pivot[k] = above;  // v's first entry is kept in `reflector`
    s.reflector[2 * k] = above + head;
    s.y[k] = -head;  // the diagonal of R
  }
  return k;
}

/// y := Q y, for y that is zero beyond the rank.
template <class T>
void reflect_back(BasicRowSolver<T>& s, std::span<T> y) {
  const int n = s.freedoms;
  for (int k = s.rank - 1; k >= 0; --k) {
    const T* v = &s.columns[s.order[k] * n];
    T sum = s.reflector[2 * k] * y[at_index(k)];
    for (int i = k + 1; i < n; ++i) sum += v[i] * y[at_index(i)];
    sum *= s.reflector[2 * k + 1];
    y[at_index(k)] -= sum * s.reflector[2 * k];
    for (int i = k + 1; i < n; ++i) y[at_index(i)] -= sum * v[i];
  }
}

/// R⁻¹ b in place; the diagonal of R is given apart.
template <class T>
void solve_upper(const BasicRowSolver<T>& s, const T* diagonal, T* b) {
  for (int k = s.rank - 1; k >= 0; --k) {
    for (int j = k + 1; j < s.rank; ++j) b[k] -= s.columns[s.order[j] * s.freedoms + k] * b[j];
    b[k] /= diagonal[k];
  }
}

/// Of all forces with the same effect, those of the smallest norm; and which are the only ones.
template <class T>
void choose_forces(BasicRowSolver<T>& s, const T* diagonal, T* particular) {
  const int missing = s.rows - s.rank;
  // null: columns W = R₁₁⁻¹ R₁₂; the null space of the columns is (−W; 1)
  for (int j = 0; j < missing; ++j) {
    T* W = &s.null[j * s.rows];
    for (int k = 0; k < s.rank; ++k) W[k] = s.columns[s.order[s.rank + j] * s.freedoms + k];
    solve_upper(s, diagonal, W);
  }
  // in the units of the forces: the k-th of a column is that of row order[k], divided by its scale
  const auto unit = [&](int k) { return T(1) / s.scale[s.order[k]]; };
  for (int k = 0; k < s.rank; ++k) {
    particular[k] *= unit(k);
    for (int j = 0; j < missing; ++j) s.null[j * s.rows + k] *= unit(k);
  }
  T* weight = &s.null[missing * s.rows];
  for (int i = 0; i < missing; ++i) {
    weight[i] = -dot_of(&s.null[i * s.rows], particular, s.rank);
    const T own = unit(s.rank + i);
    for (int j = 0; j < missing; ++j)
      s.gram[i * missing + j] =
          dot_of(&s.null[i * s.rows], &s.null[j * s.rows], s.rank) + (i == j ? own * own : T(0));
  }
  factorize_symmetric(s.gram.data(), at_index(missing), at_index(missing), T(0));
  solve_symmetric(s.gram.data(), at_index(missing), at_index(missing), weight);
  for (int k = 0; k < s.rank; ++k) {
    T length(0);
    for (int j = 0; j < missing; ++j) {
      particular[k] += s.null[j * s.rows + k] * weight[j];
      const T scaled = s.null[j * s.rows + k] / unit(k);
      length += scaled * scaled;
    }
    s.is_determinate[s.order[k]] = length < T(1e-14) ? 1 : 0;
    s.force[s.order[k]] = particular[k];
  }
  for (int j = 0; j < missing; ++j) {
    s.is_determinate[s.order[s.rank + j]] = 0;
    s.force[s.order[s.rank + j]] = -weight[j] * unit(s.rank + j);
  }
}

/// x and λ where rows depend on each other, or nearly so.
template <class T>
void solve_dependent(const BasicTreeFactor<T>& factor, BasicRowSolver<T>& s, std::span<T> x) {
  s.is_dependent = true;
  scale_columns(factor, s);
  s.rank = triangulate(s);
  T* const diagonal = s.y.data();
  T* const y1 = s.y.data() + s.rows;
  // R₁₁ᵀ y = c: the first rows decide
  for (int k = 0; k < s.rank; ++k) {
    T sum = s.right[s.order[k]];
    for (int j = 0; j < k; ++j) sum -= s.columns[s.order[k] * s.freedoms + j] * y1[j];
    y1[k] = sum / diagonal[k];
  }
  for (int j = s.rank; j < s.rows; ++j) {
    const int row = s.order[j];
    const T left = dot_of(&s.columns[row * s.freedoms], y1, s.rank) - s.right[row];
    if (s.inconsistent_row < 0 || std::abs(left) * s.scale[row] > s.inconsistency)
      s.inconsistency = std::abs(left) * s.scale[row], s.inconsistent_row = row;
  }
  for (int k = 0; k < s.freedoms; ++k) x[at_index(k)] = k < s.rank ? y1[k] : T(0);
  reflect_back(s, x);
  for (int k = 0; k < s.freedoms; ++k)
    x[at_index(k)] =
        x[at_index(k)] / std::sqrt(inverse_pivot(factor, k)) + s.Y[k * s.stride + s.rows];
  finish_solve_rows(factor.M.pattern, factor.L.data(), x.data());
  solve_upper(s, diagonal, y1);
  choose_forces(s, diagonal, y1);
}

}  // namespace

template <class T>
BasicRowSolver<T>::BasicRowSolver(int freedom_count, int row_count)
    : freedoms(freedom_count), rows(row_count) {
  if (std::is_same_v<T, float>) rank_tolerance = T(1e-4);
  stride = (rows + 1 + 7) / 8 * 8;
  const std::size_t n = at_index(freedoms), r = at_index(rows);
  Y.resize(n * at_index(stride));
  A.resize(r * at_index(stride));
  for (List<T>* list : {&force, &size, &scale, &right}) list->resize(r);
  is_determinate.assign(r, 1);
  columns.resize(r * n);
  reflector.resize(2 * r);
  order.resize(r);
  y.resize(2 * r);
  null.resize(r * (r + 1));
  gram.resize(r * r);
}

template <class T>
void solve_rows(const BasicTreeFactor<T>& factor, const BasicLoopRows<T>& rows, In<T> c,
                BasicRowSolver<T>& s, Out<T> x) {
  const char* name = "solve_rows";
  check_size(name, "x", x.size(), s.freedoms, factor.robot);
  check_size(name, "c", c.size(), s.rows, factor.robot);
  check_size(name, "rows", at_index(rows.rows), s.rows, factor.robot);
  half_solve_all<T>(factor, rows, x, s);
  fill_system<T>(factor, rows, c, s);
  s.rank = s.rows;
  s.is_dependent = false;
  s.inconsistency = T(0);
  s.inconsistent_row = -1;
  std::fill(s.is_determinate.begin(), s.is_determinate.end(), std::uint8_t(1));
  if (eliminate(s)) return accelerate<T>(factor, s, x);
  if constexpr (!std::is_class_v<T>) solve_dependent<T>(factor, s, x);
}

#define LIMBER_ROW_SOLVER(T)                                                          \
  template struct BasicRowSolver<T>;                                                  \
  template void solve_rows(const BasicTreeFactor<T>&, const BasicLoopRows<T>&, In<T>, \
                           BasicRowSolver<T>&, Out<T>);
LIMBER_FOR_EACH_SCALAR(LIMBER_ROW_SOLVER)

}  // namespace limber
