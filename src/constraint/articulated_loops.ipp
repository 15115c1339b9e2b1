#pragma once
// Rows of loops carried along by the articulated-body recursion: what happens to them at a joint
// and where a loop is eliminated. The rows of a loop lie side by side in eight places, so that a
// vector register has all of them.
#include <limber/constraint/articulated_loops.hpp>

#include "constraint/loop_rows.ipp"
#include "dynamics/articulated_bodies.ipp"
#include "dynamics/tree_factor.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

inline constexpr int row_places = 8;

template <class T>
constexpr int row_groups(int rows) {
  return (rows + lane_count<T> - 1) / lane_count<T>;
}

template <class T>
[[gnu::always_inline]] inline void clear_rows(T* x, int count) {
  for (int i = 0; i < count * row_places; i += lane_count<T>) Lanes<T>(T(0)).store(x + i);
}

/// The forces of a loop's rows at one of its ends, a register full at a time.
template <class T>
struct RowForces {
  T* x;
  Force<Lanes<T>> load(int group) const {
    const auto at = [&](int c) {
      return Lanes<T>::load(x + c * row_places + group * lane_count<T>);
    };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }
  void store(int group, const Force<Lanes<T>>& f) const {
    const Lanes<T> values[6] = {f.angular.x, f.angular.y, f.angular.z,
                                f.linear.x,  f.linear.y,  f.linear.z};
    for (int c = 0; c < 6; ++c) values[c].store(x + c * row_places + group * lane_count<T>);
  }
  void put(int row, const Force<T>& f) const {
    for (int c = 0; c < 3; ++c)
      x[c * row_places + row] = f.angular[c], x[(c + 3) * row_places + row] = f.linear[c];
  }
  Force<T> get(int row) const {
    const auto at = [&](int c) { return x[c * row_places + row]; };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }
};

// --- the same number in every lane ---

template <class T>
[[gnu::always_inline]] inline Vec3<Lanes<T>> spread(const Vec3<T>& u) {
  return {Lanes<T>(u.x), Lanes<T>(u.y), Lanes<T>(u.z)};
}
template <class T>
[[gnu::always_inline]] inline Mat3<Lanes<T>> spread(const Mat3<T>& A) {
  return Mat3<Lanes<T>>::from_columns(spread(A.column(0)), spread(A.column(1)),
                                      spread(A.column(2)));
}
template <int A, class T>
[[gnu::always_inline]] inline Screw<A, Lanes<T>> spread(const Screw<A, T>& X) {
  return {Lanes<T>(X.c), Lanes<T>(X.s), Lanes<T>(X.d)};
}
template <class T>
[[gnu::always_inline]] inline Force<Lanes<T>> spread(const Force<T>& f) {
  return {spread(f.angular), spread(f.linear)};
}

/// Forces from a joint's body to its parent.
template <class Joint, class T>
[[gnu::always_inline]] inline Force<Lanes<T>> rows_to_parent(const Joint& joint,
                                                             const Force<Lanes<T>>& f, const T&) {
  if constexpr (requires { joint.z(); }) {
    const StepConstants<T>& s = joint.step();
    Force<Lanes<T>> r = limber::to_parent(spread(joint.z()), f);
    if (s.has_y) r = limber::to_parent(spread(s.y), r);
    r = limber::to_parent(spread(s.x), r);
    if (s.has_z0) r = limber::to_parent(spread(s.z0), r);
    return r;
  } else {
    const Mat3<Lanes<T>> R = spread(joint.pose().R);
    const Vec3<Lanes<T>> l = R * f.linear;
    return {R * f.angular + cross(spread(joint.pose().p), l), l};
  }
}

/// Forces about `point`, in the axes in which X is given, in the frame of a body with the pose X.
template <class T>
[[gnu::always_inline]] inline Force<Lanes<T>> rows_in_body(const Transform<T>& X,
                                                           const Vec3<T>& point,
                                                           const Force<Lanes<T>>& f) {
  const Mat3<Lanes<T>> R = spread(X.R);
  return {transpose_times(R, f.angular + cross(spread(point - X.p), f.linear)),
          transpose_times(R, f.linear)};
}

/// Sᵀ K of all rows.
template <int K, class T>
[[gnu::always_inline]] inline Lanes<T> column_rows(Axis<K> S, const Force<Lanes<T>>& f) {
  return dot(S, f);
}
template <class T>
[[gnu::always_inline]] inline Lanes<T> column_rows(const Motion<T>& S, const Force<Lanes<T>>& f) {
  const Vec3<Lanes<T>> w = spread(S.angular), v = spread(S.linear);
  return dot(w, f.angular) + dot(v, f.linear);
}

/// What coupled joints add to e at their own columns.
template <class T>
T coupled_part(const BasicLoop<T>& loop, int body, const T& slope) {
  if (body == loop.joint) return T(1);
  return body == loop.leader ? -slope : T(0);
}

template <class T>
[[gnu::always_inline]] inline void add_to_scale(T* scale, const Lanes<T>& squares) {
  (Lanes<T>::load(scale) + squares).store(scale);
}

/// Adds e eᵀ D⁻¹ of one column to A, own block and those of loops at the same joint.
template <class T>
[[gnu::always_inline]] inline void add_row_products(const T* e_first, const T* e_second, int rows,
                                                    int groups, const T& D_inverse, T* block) {
  for (int r = 0; r < rows; ++r) {
    if (known_zero(e_first[r])) continue;
    const Lanes<T> factor(e_first[r] * D_inverse);
    for (int g = 0; g < groups; ++g) {
      T* const to = block + r * row_places + g * lane_count<T>;
      (Lanes<T>::load(to) + factor * Lanes<T>::load(e_second + g * lane_count<T>)).store(to);
    }
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
