#pragma once
// How far the rows of a loop are from closed. Turns are rotation vectors in built-in numbers, and
// sines of them in scalars whose values are not known: the same for small gaps, without a branch.
#include <cmath>
#include <type_traits>

#include <limber/math/quat.hpp>

#include "constraint/loop_rows.ipp"

namespace limber {

template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R) {
  if constexpr (std::is_class_v<T>) return Vec3<T>{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy} * T(0.5);
  else return log_quat(to_quat(R));
}

/// The turn from direction a to direction b; `across` is perpendicular to a, for b = −a.
template <class T>
Vec3<T> turn_between(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& across) {
  const Vec3<T> turn = cross(a, b);
  if constexpr (std::is_class_v<T>) {
    return turn;
  } else {
    const T sine = norm(turn), cosine = dot(a, b), angle = std::atan2(sine, cosine);
    if (sine > T(0)) return turn * (angle / sine);
    return cosine < T(0) ? across * angle : Vec3<T>{};
  }
}

/// What is wrong with the turn of frame b against frame a, in the basis of the rows.
template <class T>
void turn_gaps(const typename BasicMechanism<T>::Closure& closure, const BasicLoop<T>& loop,
               const LoopPose<T>& pose, T* gap) {
  if (closure.turns == 3) {
    const Vec3<T> turn = rotation_vector(pose.B.R * transpose(pose.A.R));
    for (int i = 0; i < 3; ++i) gap[i] = dot(pose.axes.column(i), turn);
  } else if (closure.turns == 2) {  // between the axis on both bodies
    const Vec3<T> turn =
        turn_between(pose.axes.column(2), pose.B.R * loop.axis, pose.axes.column(0));
    for (int i = 0; i < 2; ++i) gap[i] = dot(pose.axes.column(i), turn);
  } else if (closure.turns == 1) {
    gap[0] = dot(pose.axes.column(2), pose.B.R * loop.axis2);
  }
}

/// How far a screw is from the nearest thread.
template <class T>
T screw_gap(const BasicLoop<T>& loop, const LoopPose<T>& pose, const T& slide) {
  const Mat3<T> turn = pose.B.R * transpose(pose.A.R);
  const Vec3<T> x = pose.axes.column(0), y = pose.axes.column(1);
  const Vec3<T> tx = turn * x, ty = turn * y;
  const T sine = dot(y, tx) - dot(x, ty), cosine = dot(x, tx) + dot(y, ty);  // twice
  if constexpr (std::is_class_v<T>) {
    T s, c;
    sincos(slide / loop.pitch, s, c);
    return loop.pitch * (s * cosine - c * sine) * T(0.5);
  } else {
    const T lead = T(2 * M_PI) * loop.pitch;
    const T gap = slide - loop.pitch * std::atan2(sine, cosine);
    return gap - lead * std::round(gap / lead);
  }
}

/// The gaps of a loop's rows.
template <class T>
void loop_gap(const BasicMechanism<T>& m, int k, const LoopPose<T>& pose, T* gap) {
  const BasicLoop<T>& loop = m.loops[k];
  const auto& closure = m.closures[k];
  const Vec3<T> d = pose.B.p - pose.A.p;
  if (loop.kind == LoopSpec::Kind::distance) {
    gap[0] = norm(d) - loop.distance;
    return;
  }
  if (loop.kind == LoopSpec::Kind::rolling) {
    gap[0] = gap[1] = T(0);
    gap[2] = dot(pose.axes.column(2), d + wheel_contact(loop, pose).arm);
    return;
  }
  turn_gaps<T>(closure, loop, pose, gap);
  gap += closure.turns;
  const int first = closure.slides == 1 ? 2 : 0;
  for (int i = 0; i < closure.slides; ++i) {
    gap[i] = dot(pose.axes.column(first + i), d);
    if (first + i == 2 && closure.turns == 2 && !known_zero(loop.pitch))
      gap[i] = screw_gap(loop, pose, gap[i]);
  }
}

}  // namespace limber
