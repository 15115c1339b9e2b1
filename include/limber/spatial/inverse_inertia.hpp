#pragma once
// InverseInertia: the symmetric map from forces to accelerations, Φ = I⁻¹. [RDA] §3.5
//   ω̇ = A n + Gᵀ f,  a = G n + D f      (n, f: moment and force; 21 numbers)
// It exists for every constrained body, also where the inertia itself does not: its rank is the
// number of freedoms, its null space the reaction forces. With angular and linear parts exchanged
// it moves between frames exactly as an articulated inertia does: D, G, A take the places of I, H,
// M.
#include <limber/spatial/transform.hpp>

namespace limber {

template <class T>
struct InverseInertia {
  Sym3<T> A;  ///< angular acceleration per moment [1/(kg m²)]
  Mat3<T> G;  ///< linear acceleration per moment [1/(kg m)]
  Sym3<T> D;  ///< linear acceleration per force [1/kg]

  /// The same numbers with angular and linear parts exchanged; its own inverse is from_exchanged().
  constexpr ArticulatedInertia<T> exchanged() const { return {D, G, A}; }
  static constexpr InverseInertia from_exchanged(const ArticulatedInertia<T>& a) {
    return {a.M, a.H, a.I};
  }
};

template <class T>
constexpr Motion<T> operator*(const InverseInertia<T>& P, const Force<T>& f) {
  return {P.A * f.angular + transpose_times(P.G, f.linear), P.G * f.angular + P.D * f.linear};
}
template <class T>
constexpr InverseInertia<T> operator+(const InverseInertia<T>& a, const InverseInertia<T>& b) {
  return {a.A + b.A, a.G + b.G, a.D + b.D};
}
template <class T>
constexpr InverseInertia<T>& operator+=(InverseInertia<T>& a, const InverseInertia<T>& b) {
  return a = a + b;
}

/// Frame b to frame a. [RDA] (3.5) for inverse inertias
template <class T>
constexpr InverseInertia<T> operator*(const Transform<T>& X, const InverseInertia<T>& P) {
  return InverseInertia<T>::from_exchanged(X * P.exchanged());
}
template <class T>
constexpr InverseInertia<T> apply_inverse(const Transform<T>& X, const InverseInertia<T>& P) {
  return InverseInertia<T>::from_exchanged(apply_inverse(X, P.exchanged()));
}

/// I⁻¹ of a rigid body; mass and rotational inertia about the centre must be regular. [RDA] (3.14)
template <class T>
constexpr InverseInertia<T> inverse(const Inertia<T>& I) {
  const T per_mass = T(1) / I.m;
  const InverseInertia<T> about_com{
      inverse(I.rotational_about_com()), {}, Sym3<T>::diagonal(per_mass, per_mass, per_mass)};
  return InverseInertia<T>::from_exchanged(shifted(about_com.exchanged(), I.com()));
}

/// (IA)⁻¹ of a positive definite articulated inertia, by the Schur complement of its linear block.
template <class T>
constexpr InverseInertia<T> inverse(const ArticulatedInertia<T>& IA) {
  const Sym3<T> M_inverse = inverse(IA.M);
  const Sym3<T> A = inverse(IA.I - congruence(IA.H, M_inverse));
  const Mat3<T> K = -(to_mat3(M_inverse) * transpose(IA.H));  // a = K ω̇ when f = 0
  return {A, K * to_mat3(A), M_inverse + congruence(K, A)};
}

/// Φ⁻¹ of a regular inverse inertia, e.g. for the harmonic sum inverse(inverse(a) + inverse(b)).
/// [RDA] (3.12)
template <class T>
constexpr ArticulatedInertia<T> inverse(const InverseInertia<T>& P) {
  return inverse(P.exchanged()).exchanged();
}

/// k s sᵀ: a body that moves along s only, with k = 1 / sᵀ I s. [RDA] (3.32)
template <class T>
constexpr InverseInertia<T> dyad(const Motion<T>& s, const T& k) {
  return {square(s.angular) * k, outer(s.linear * k, s.angular), square(s.linear) * k};
}
/// k f fᵀ, a rank-one inertia. [RDA] (3.31)
template <class T>
constexpr ArticulatedInertia<T> dyad(const Force<T>& f, const T& k) {
  return {square(f.angular) * k, outer(f.angular * k, f.linear), square(f.linear) * k};
}

template <class U, class T>
constexpr InverseInertia<U> cast(const InverseInertia<T>& P) {
  return {cast<U>(P.A), cast<U>(P.G), cast<U>(P.D)};
}

}  // namespace limber
