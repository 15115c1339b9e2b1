#pragma once
// Transform X_ab: takes b coordinates to a coordinates; the pose of frame b in frame a. [RDA] §2.5
//   X * value          b to a: motions, forces, inertias, articulated inertias, transforms
//   apply_inverse(X, value)   a to b, without forming the inverse
#include <limber/spatial/articulated.hpp>

namespace limber {

template <class T>
struct Transform {
  Mat3<T> R = Mat3<T>::identity();  ///< rotation: coordinates in b to coordinates in a
  Vec3<T> p;                        ///< position of b's origin in a [m]

  static constexpr Transform translation(const Vec3<T>& p) { return {Mat3<T>::identity(), p}; }
  static constexpr Transform rotation(const Mat3<T>& R) { return {R, {}}; }
};

/// R A Rᵀ for an orthogonal R: the trace stays, so one diagonal entry comes from the other two.
template <class T>
constexpr Sym3<T> rotated(const Mat3<T>& R, const Sym3<T>& A) {
  const Vec3<T> x = A * R.row(0), y = A * R.row(1);
  const T xx = dot(R.row(0), x), yy = dot(R.row(1), y);
  return {xx, yy, trace(A) - xx - yy, dot(R.row(0), y), dot(R.row(2), x), dot(R.row(2), y)};
}

/// X_ab * X_bc = X_ac
template <class T>
constexpr Transform<T> operator*(const Transform<T>& X, const Transform<T>& Y) {
  return {X.R * Y.R, X.p + X.R * Y.p};
}
template <class T>
constexpr Transform<T> inverse(const Transform<T>& X) {
  return {transpose(X.R), -transpose_times(X.R, X.p)};
}
/// inverse(X) * Y
template <class T>
constexpr Transform<T> apply_inverse(const Transform<T>& X, const Transform<T>& Y) {
  return inverse(X) * Y;
}
/// Coordinates of a point: b to a.
template <class T>
constexpr Vec3<T> transform_point(const Transform<T>& X, const Vec3<T>& r) {
  return X.p + X.R * r;
}

template <class T>
constexpr Motion<T> operator*(const Transform<T>& X, const Motion<T>& v) {
  const Vec3<T> w = X.R * v.angular;
  return {w, X.R * v.linear + cross(X.p, w)};
}
template <class T>
constexpr Motion<T> apply_inverse(const Transform<T>& X, const Motion<T>& v) {
  return {transpose_times(X.R, v.angular), transpose_times(X.R, v.linear - cross(X.p, v.angular))};
}
template <class T>
constexpr Force<T> operator*(const Transform<T>& X, const Force<T>& f) {
  const Vec3<T> l = X.R * f.linear;
  return {X.R * f.angular + cross(X.p, l), l};
}
template <class T>
constexpr Force<T> apply_inverse(const Transform<T>& X, const Force<T>& f) {
  return {transpose_times(X.R, f.angular - cross(X.p, f.linear)), transpose_times(X.R, f.linear)};
}

/// Moments about the origin that lies at −p: the frame moved by −p, axes kept.
template <class T>
constexpr Inertia<T> shifted(const Inertia<T>& I, const Vec3<T>& p) {
  const Vec3<T> h = I.h + p * I.m, &k = I.h;
  // J + k pᵀ + p kᵀ + m p pᵀ = J + p kᵀ + h pᵀ
  return {I.m, h,
          Sym3<T>{I.J.xx + p.x * (k.x + h.x), I.J.yy + p.y * (k.y + h.y),
                  I.J.zz + p.z * (k.z + h.z), I.J.xy + p.x * k.y + h.x * p.y,
                  I.J.xz + p.x * k.z + h.x * p.z, I.J.yz + p.y * k.z + h.y * p.z}};
}

/// Articulated inertia about the origin that lies at −p, axes kept. [RDA] T8-3 with symmetry used
template <class T>
constexpr ArticulatedInertia<T> shifted(const ArticulatedInertia<T>& A, const Vec3<T>& p) {
  const Mat3<T>& H = A.H;
  const Mat3<T> G = H + cross(p, to_mat3(A.M));  // coupling about the new origin
  return {Sym3<T>{A.I.xx + p.y * (H.xz + G.xz) - p.z * (H.xy + G.xy),
                  A.I.yy + p.z * (H.yx + G.yx) - p.x * (H.yz + G.yz),
                  A.I.zz + p.x * (H.zy + G.zy) - p.y * (H.zx + G.zx),
                  A.I.xy + p.y * H.yz + p.z * (G.xx - H.yy) - p.x * G.xz,
                  A.I.xz - p.z * H.zy + p.y * (H.zz - G.xx) + p.x * G.xy,
                  A.I.yz + p.z * H.zx + p.x * (G.yy - H.zz) - p.y * G.yx},
          G, A.M};
}

template <class T>
constexpr Inertia<T> operator*(const Transform<T>& X, const Inertia<T>& I) {
  return shifted(Inertia<T>{I.m, X.R * I.h, rotated(X.R, I.J)}, X.p);
}
template <class T>
constexpr Inertia<T> apply_inverse(const Transform<T>& X, const Inertia<T>& I) {
  const Inertia<T> moved = shifted(I, -X.p);
  const Mat3<T> Rt = transpose(X.R);
  return {moved.m, Rt * moved.h, rotated(Rt, moved.J)};
}
template <class T>
constexpr ArticulatedInertia<T> operator*(const Transform<T>& X, const ArticulatedInertia<T>& A) {
  return shifted(
      ArticulatedInertia<T>{rotated(X.R, A.I), X.R * A.H * transpose(X.R), rotated(X.R, A.M)}, X.p);
}
template <class T>
constexpr ArticulatedInertia<T> apply_inverse(const Transform<T>& X,
                                              const ArticulatedInertia<T>& A) {
  const ArticulatedInertia<T> moved = shifted(A, -X.p);
  const Mat3<T> Rt = transpose(X.R);
  return {rotated(Rt, moved.I), Rt * moved.H * X.R, rotated(Rt, moved.M)};
}

template <class U, class T>
constexpr Transform<U> cast(const Transform<T>& X) {
  return {cast<U>(X.R), cast<U>(X.p)};
}

}  // namespace limber
