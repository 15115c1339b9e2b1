#pragma once
// Subspaces of motions and forces: what a joint or a contact allows and what it withstands. [RDA]
// §3.10
//
// A subspace is given by r independent columns, 0 ≤ r ≤ 6; nothing is allocated. Functions that
// need independence return nothing when it fails: a column counts as dependent when its part
// outside the span of the others is smaller than `tolerance` times its size (columns are compared
// by their six components, in SI units).
#include <array>
#include <initializer_list>
#include <optional>

#include <limber/spatial/inverse_inertia.hpp>

namespace limber {

/// The other kind of spatial vector.
template <class V>
struct OppositeOf;
template <>
struct OppositeOf<Motion<double>> {
  using type = Force<double>;
};
template <>
struct OppositeOf<Force<double>> {
  using type = Motion<double>;
};
template <class V>
using Opposite = typename OppositeOf<V>::type;

/// Up to six numbers; only as many as the basis has columns count.
using Coordinates = std::array<double, 6>;

/// Columns of one kind: a 6×r matrix, or the subspace that they span.
template <class V>
class Basis {
 public:
  Basis() = default;
  /// Throws Error for more than six columns, as add() does.
  Basis(std::initializer_list<V> columns) {
    for (const V& column : columns) add(column);
  }
  void add(const V& column);
  int size() const { return size_; }
  const V& operator[](int i) const { return columns_[static_cast<std::size_t>(i)]; }
  const V* begin() const { return columns_.data(); }
  const V* end() const { return columns_.data() + size_; }

 private:
  std::array<V, 6> columns_{};
  int size_ = 0;
};
/// Bases of motions and of forces.
using MotionBasis = Basis<Motion<double>>;
using ForceBasis = Basis<Force<double>>;

/// Columns of length one count as dependent where a pivot or a remainder is smaller than this.
inline constexpr double independence_tolerance = 1e-10;

/// S x: the vector with coordinates x.
template <class V>
V operator*(const Basis<V>& S, const Coordinates& x);
/// Sᵀ a: the products of all columns with a vector of the other kind.
template <class V>
Coordinates transpose_times(const Basis<V>& S, const Opposite<V>& a);

/// S⊥: 6 − r columns of the other kind with Sᵀ S⊥ = 0. [RDA] (3.25)
/// For a joint's motions these are its reaction forces. Nothing if S is dependent.
template <class V>
std::optional<Basis<Opposite<V>>> orthogonal_complement(const Basis<V>& S,
                                                        double tolerance = independence_tolerance);

/// a = S α + T⊥ β, where T has as many columns as S. [RDA] (3.26), (3.27)
template <class V>
struct Resolved {
  Coordinates alpha;  ///< α
  V within;           ///< S α
  V rest;  ///< T⊥ β, orthogonal to T; β itself is the alpha of resolve(a, T⊥, S⊥)
};
/// Nothing if Tᵀ S is not square or is singular.
template <class V>
std::optional<Resolved<V>> resolve(const V& a, const Basis<V>& S, const Basis<Opposite<V>>& T,
                                   double tolerance = independence_tolerance);

/// F with eᵢᵀ fⱼ = δᵢⱼ for six columns eᵢ; coordinates in E are then Fᵀ a. [RDA] (3.28), (3.29)
/// Nothing if E has fewer than six columns or dependent ones.
template <class V>
std::optional<Basis<Opposite<V>>> reciprocal_basis(const Basis<V>& E,
                                                   double tolerance = independence_tolerance);

/// Another basis of the same subspace with sᵢᵀ I sⱼ = 0 for i ≠ j (Gram and Schmidt, not
/// normalized). [RDA] §3.10.3. Nothing if S is dependent or has a motion without inertia.
std::optional<MotionBasis> inertia_orthogonal_basis(const MotionBasis& S,
                                                    const ArticulatedInertia<double>& I,
                                                    double tolerance = independence_tolerance);

/// Φ = S (Sᵀ I S)⁻¹ Sᵀ: acceleration per force of a body that can only move in S; rank r, zero on
/// S⊥. [RDA] §3.10.2 ex. 3, §3.10.4 ex. 4. Nothing in the same cases.
std::optional<InverseInertia<double>> apparent_inverse_inertia(
    const MotionBasis& S, const ArticulatedInertia<double>& I,
    double tolerance = independence_tolerance);

}  // namespace limber
