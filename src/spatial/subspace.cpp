#include <cmath>
#include <utility>

#include <limber/error.hpp>
#include <limber/spatial/subspace.hpp>

namespace limber {

namespace {

using Matrix = std::array<Coordinates, 6>;  // of which r rows and columns are used

template <class V>
Coordinates components(const V& a) {
  return {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z};
}
template <class V>
V from_components(const Coordinates& x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

double product(const Coordinates& a, const Coordinates& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
  return sum;
}
double size(const Coordinates& a) { return std::sqrt(product(a, a)); }

// a + b s
Coordinates add_scaled(Coordinates a, const Coordinates& b, double s) {
  for (std::size_t k = 0; k < 6; ++k) a[k] += b[k] * s;
  return a;
}

// columns scaled to size one, with their sizes
struct UnitColumns {
  Matrix column{};
  Coordinates length{};
  std::size_t count = 0;
};
template <class V>
UnitColumns unit_columns(const Basis<V>& S) {
  UnitColumns u;
  for (const V& s : S) {
    const Coordinates x = components(s);
    u.length[u.count] = size(x);
    u.column[u.count] = add_scaled({}, x, 1 / u.length[u.count]);
    ++u.count;
  }
  return u;
}

// Solves A x = b in place for r unknowns with complete pivoting; false if a pivot is not above the
// tolerance, which NaN is not either. A has entries of size one.
bool solve(Matrix A, Coordinates& b, std::size_t r, double tolerance) {
  std::array<std::size_t, 6> unknown{0, 1, 2, 3, 4, 5};
  for (std::size_t k = 0; k < r; ++k) {
    // bring the largest remaining entry to the diagonal
    std::size_t row = k, column = k;
    for (std::size_t i = k; i < r; ++i)
      for (std::size_t j = k; j < r; ++j)
        if (std::abs(A[i][j]) > std::abs(A[row][column])) row = i, column = j;
    if (!(std::abs(A[row][column]) > tolerance)) return false;
    std::swap(A[k], A[row]);
    std::swap(b[k], b[row]);
    for (std::size_t i = 0; i < r; ++i) std::swap(A[i][k], A[i][column]);
    std::swap(unknown[k], unknown[column]);
    for (std::size_t i = k + 1; i < r; ++i) {
      const double factor = A[i][k] / A[k][k];
      A[i] = add_scaled(A[i], A[k], -factor);
      b[i] -= factor * b[k];
    }
  }
  Coordinates x{};
  for (std::size_t k = r; k-- > 0;) {
    double rest = b[k];
    for (std::size_t j = k + 1; j < r; ++j) rest -= A[k][j] * x[unknown[j]];
    x[unknown[k]] = rest / A[k][k];
  }
  b = x;
  return true;
}

// a without its parts along the first `count` orthonormal columns, done twice for full accuracy
Coordinates outside(Coordinates a, const Matrix& orthonormal, std::size_t count) {
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t i = 0; i < count; ++i)
      a = add_scaled(a, orthonormal[i], -product(a, orthonormal[i]));
  return a;
}

// of the six unit vectors the one farthest from the span of the first `count` orthonormal columns
Coordinates farthest_unit_vector(const Matrix& orthonormal, std::size_t count) {
  std::size_t best = 0;
  double smallest = 2;
  for (std::size_t k = 0; k < 6; ++k) {
    double inside = 0;
    for (std::size_t i = 0; i < count; ++i) inside += orthonormal[i][k] * orthonormal[i][k];
    if (inside < smallest) smallest = inside, best = k;
  }
  Coordinates e{};
  e[best] = 1;
  return e;
}

}  // namespace

template <class V>
void Basis<V>::add(const V& column) {
  if (size_ == 6)
    throw Error(
        "a basis of spatial vectors has at most 6 columns; a 7th was added: leave out the "
        "columns that depend on the others");
  columns_[static_cast<std::size_t>(size_++)] = column;
}

template <class V>
V operator*(const Basis<V>& S, const Coordinates& x) {
  V sum{};
  for (int i = 0; i < S.size(); ++i) sum += S[i] * x[static_cast<std::size_t>(i)];
  return sum;
}

template <class V>
Coordinates transpose_times(const Basis<V>& S, const Opposite<V>& a) {
  Coordinates products{};
  for (int i = 0; i < S.size(); ++i)
    products[static_cast<std::size_t>(i)] = product(components(S[i]), components(a));
  return products;
}

template <class V>
std::optional<Basis<Opposite<V>>> orthogonal_complement(const Basis<V>& S, double tolerance) {
  // orthonormal columns for S, then as many more as fit beside them
  const UnitColumns unit = unit_columns(S);
  Matrix Q{};
  Basis<Opposite<V>> complement;
  for (std::size_t k = 0; k < 6; ++k) {
    const bool given = k < unit.count;
    const Coordinates x = outside(given ? unit.column[k] : farthest_unit_vector(Q, k), Q, k);
    if (!(size(x) > tolerance)) return std::nullopt;
    Q[k] = outside(add_scaled({}, x, 1 / size(x)), Q, k);
    if (!given) complement.add(from_components<Opposite<V>>(Q[k]));
  }
  return complement;
}

template <class V>
std::optional<Resolved<V>> resolve(const V& a, const Basis<V>& S, const Basis<Opposite<V>>& T,
                                   double tolerance) {
  if (S.size() != T.size()) return std::nullopt;
  const UnitColumns s = unit_columns(S), t = unit_columns(T);
  Matrix TtS{};
  Coordinates x{};
  for (std::size_t i = 0; i < t.count; ++i) {
    for (std::size_t j = 0; j < s.count; ++j) TtS[i][j] = product(t.column[i], s.column[j]);
    x[i] = product(t.column[i], components(a));
  }
  if (!solve(TtS, x, s.count, tolerance)) return std::nullopt;
  for (std::size_t j = 0; j < s.count; ++j) x[j] /= s.length[j];
  const V within = S * x;
  return Resolved<V>{x, within, a - within};
}

template <class V>
std::optional<Basis<Opposite<V>>> reciprocal_basis(const Basis<V>& E, double tolerance) {
  if (E.size() != 6) return std::nullopt;
  const UnitColumns e = unit_columns(E);
  Basis<Opposite<V>> F;
  for (std::size_t j = 0; j < 6; ++j) {
    Coordinates f{};
    f[j] = 1 / e.length[j];
    if (!solve(e.column, f, 6, tolerance)) return std::nullopt;
    F.add(from_components<Opposite<V>>(f));
  }
  return F;
}

std::optional<MotionBasis> inertia_orthogonal_basis(const MotionBasis& S,
                                                    const ArticulatedInertia<double>& I,
                                                    double tolerance) {
  MotionBasis orthogonal;
  for (const Motion<double>& column : S) {
    Motion<double> s = column;
    for (int pass = 0; pass < 2; ++pass)  // the second pass removes what rounding left
      for (const Motion<double>& b : orthogonal) s -= b * (dot(s, I * b) / dot(b, I * b));
    if (!(dot(s, I * s) > tolerance * tolerance * dot(column, I * column))) return std::nullopt;
    orthogonal.add(s);
  }
  return orthogonal;
}

std::optional<InverseInertia<double>> apparent_inverse_inertia(const MotionBasis& S,
                                                               const ArticulatedInertia<double>& I,
                                                               double tolerance) {
  const std::optional<MotionBasis> orthogonal = inertia_orthogonal_basis(S, I, tolerance);
  if (!orthogonal) return std::nullopt;
  InverseInertia<double> sum;
  for (const Motion<double>& s : *orthogonal) sum += dyad(s, 1 / dot(s, I * s));
  return sum;
}

#define LIMBER_SUBSPACE(V)                                                                   \
  template class Basis<V>;                                                                   \
  template V operator*(const Basis<V>&, const Coordinates&);                                 \
  template Coordinates transpose_times(const Basis<V>&, const Opposite<V>&);                 \
  template std::optional<Basis<Opposite<V>>> orthogonal_complement(const Basis<V>&, double); \
  template std::optional<Resolved<V>> resolve(const V&, const Basis<V>&,                     \
                                              const Basis<Opposite<V>>&, double);            \
  template std::optional<Basis<Opposite<V>>> reciprocal_basis(const Basis<V>&, double);
LIMBER_SUBSPACE(Motion<double>)
LIMBER_SUBSPACE(Force<double>)
#undef LIMBER_SUBSPACE

}  // namespace limber
