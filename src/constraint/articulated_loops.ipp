#pragma once
// Rows of loops carried along by the articulated-body recursion. The rows of a loop lie side by
// side in eight places, so that a vector register has all of them: half a register where four do.
#include <limber/constraint/articulated_loops.hpp>

#include "constraint/loop_rows.ipp"
#include "dynamics/articulated_bodies.ipp"
#include "dynamics/tree_factor.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

inline constexpr int row_places = 8;

/// Calls f(lanes, groups): the vectors that hold `rows` rows, and how many it takes of them.
template <class T, class F>
[[gnu::always_inline]] inline void with_lanes(int rows, F&& f) {
  constexpr int widest = lane_count<T>;
  if constexpr (widest == 8) {
    if (rows <= 4) f(Lanes<T, 4>{}, 1);
    else f(Lanes<T, 8>{}, 1);
  } else {
    f(Lanes<T>{}, (rows + widest - 1) / widest);
  }
}
template <class L>
inline constexpr int width_of = 0;
template <class T, int N, bool C>
inline constexpr int width_of<Lanes<T, N, C>> = N;

/// Calls f with the number of rows as a constant, so that what it does is unrolled.
template <class F>
[[gnu::always_inline]] inline auto with_rows(int rows, F&& f) {
  switch (rows) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    default:
      return f(std::integral_constant<int, 6>{});
  }
}

template <class T>
[[gnu::always_inline]] inline void clear_rows(T* x, int count) {
  for (int i = 0; i < count * row_places; i += lane_count<T>) Lanes<T>(T(0)).store(x + i);
}

/// The forces of a loop's rows at one of its ends, a vector at a time.
template <class T>
struct RowForces {
  T* x;
  template <class L>
  [[gnu::always_inline]] Force<L> load(int group) const {
    const auto at = [&](int c) { return L::load(x + c * row_places + group * width_of<L>); };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }
  template <class L>
  [[gnu::always_inline]] void store(int group, const Force<L>& f) const {
    const L values[6] = {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
    for (int c = 0; c < 6; ++c) values[c].store(x + c * row_places + group * width_of<L>);
  }
  void put(int row, const Force<T>& f) const {
    for (int c = 0; c < 3; ++c)
      x[c * row_places + row] = f.angular[c], x[(c + 3) * row_places + row] = f.linear[c];
  }
};

// --- the same number in every lane ---

template <class L, class T>
[[gnu::always_inline]] inline Vec3<L> spread(const Vec3<T>& u) {
  return {L(u.x), L(u.y), L(u.z)};
}
template <class L, class T>
[[gnu::always_inline]] inline Mat3<L> spread(const Mat3<T>& A) {
  return Mat3<L>::from_columns(spread<L>(A.column(0)), spread<L>(A.column(1)),
                               spread<L>(A.column(2)));
}
template <class L, int A, class T>
[[gnu::always_inline]] inline Screw<A, L> spread(const Screw<A, T>& X) {
  return {L(X.c), L(X.s), L(X.d)};
}

/// Forces from a joint's body to its parent, of a step of screws in two parts.
template <class Joint, class L>
[[gnu::always_inline]] inline Force<L> rows_before_turn(const Joint& joint, const Force<L>& f) {
  return limber::to_parent(spread<L>(joint.z()), f);
}
template <class Joint, class L>
[[gnu::always_inline]] inline Force<L> constant_rows_to_parent(const Joint& joint, Force<L> f) {
  const auto& s = joint.step();
  if (s.has_y) f = limber::to_parent(spread<L>(s.y), f);
  f = limber::to_parent(spread<L>(s.x), f);
  return s.has_z0 ? limber::to_parent(spread<L>(s.z0), f) : f;
}
template <class Joint, class L>
[[gnu::always_inline]] inline Force<L> rows_to_parent(const Joint& joint, const Force<L>& f) {
  if constexpr (requires { joint.z(); }) {
    return constant_rows_to_parent(joint, rows_before_turn(joint, f));
  } else {
    const Mat3<L> R = spread<L>(joint.pose().R);
    const Vec3<L> l = R * f.linear;
    return {R * f.angular + cross(spread<L>(joint.pose().p), l), l};
  }
}

/// Directions from the axes of a joint's body to those of its parent, and back.
template <class Joint, class L>
[[gnu::always_inline]] inline Vec3<L> axes_to_parent(const Joint& joint, Vec3<L> u) {
  if constexpr (requires { joint.z(); }) {
    const auto& s = joint.step();
    u = limber::to_parent(spread<L>(joint.z()), u);
    if (s.has_y) u = limber::to_parent(spread<L>(s.y), u);
    u = limber::to_parent(spread<L>(s.x), u);
    return s.has_z0 ? limber::to_parent(spread<L>(s.z0), u) : u;
  } else {
    return spread<L>(joint.pose().R) * u;
  }
}
template <class Joint, class L>
[[gnu::always_inline]] inline Vec3<L> axes_to_child(const Joint& joint, Vec3<L> u) {
  if constexpr (requires { joint.z(); }) {
    const auto& s = joint.step();
    if (s.has_z0) u = limber::to_child(spread<L>(s.z0), u);
    u = limber::to_child(spread<L>(s.x), u);
    if (s.has_y) u = limber::to_child(spread<L>(s.y), u);
    return limber::to_child(spread<L>(joint.z()), u);
  } else {
    return transpose_times(spread<L>(joint.pose().R), u);
  }
}

/// Sᵀ K of all rows.
template <int K, class L>
[[gnu::always_inline]] inline L column_rows(Axis<K> S, const Force<L>& f) {
  return dot(S, f);
}
template <class T, class L>
[[gnu::always_inline]] inline L column_rows(const Motion<T>& S, const Force<L>& f) {
  return dot(spread<L>(S.angular), f.angular) + dot(spread<L>(S.linear), f.linear);
}

/// What coupled joints add to e at their own columns.
template <class T>
T coupled_part(const BasicLoop<T>& loop, int body, const T& slope) {
  if (body == loop.joint) return T(1);
  return body == loop.leader ? -slope : T(0);
}

/// What (Sᵀ K)² of all rows could be in other directions.
template <int K, class L>
[[gnu::always_inline]] inline L row_reach(Axis<K>, const Force<L>& f) {
  return K < 3 ? dot(f.angular, f.angular) : dot(f.linear, f.linear);
}
template <class T, class L>
[[gnu::always_inline]] inline L row_reach(const Motion<T>& S, const Force<L>& f) {
  return dot(f.angular, f.angular) * L(dot(S.angular, S.angular)) +
         dot(f.linear, f.linear) * L(dot(S.linear, S.linear));
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
