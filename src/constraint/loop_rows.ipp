#pragma once
// The rows of loops: forces in the world, Jacobian by the columns of the joints within each loop,
// bias by the relative acceleration of the two bodies, all at the origin of frame b.
#include <limber/constraint/loop_rows.hpp>

#include "constraint/carrier.hpp"
#include "dynamics/kinematics.ipp"
#include "index.hpp"

namespace limber {

/// The two frames of a loop in the world.
template <class T>
struct LoopPose {
  Transform<T> A, B;
  Mat3<T> axes;  ///< directions of the rows: the basis of frame a, in the world
};

template <class T>
LoopPose<T> loop_pose(const BasicMechanism<T>& m, int k, const List<Transform<T>>& X_W) {
  const BasicLoop<T>& loop = m.loops[k];
  LoopPose<T> pose{X_W[loop.body_a] * loop.placement_a, X_W[loop.body_b] * loop.placement_b, {}};
  pose.axes = pose.A.R * m.closures[k].basis;
  return pose;
}

/// A wheel on the ground: direction from the ground to the axle across the axle, and the place of
/// the point that touches, from the centre.
template <class T>
struct WheelContact {
  Vec3<T> normal, axle, up;  ///< of the ground; of the wheel; in the wheel's plane, unit vectors
  T sine;                    ///< of the angle between axle and normal
  Vec3<T> arm;               ///< from the centre to the point
};

template <class T>
[[gnu::always_inline]] inline WheelContact<T> wheel_contact(const BasicLoop<T>& loop,
                                                            const LoopPose<T>& pose) {
  WheelContact<T> w;
  w.normal = pose.A.R.column(2);
  w.axle = pose.B.R.column(2);
  const Vec3<T> across = w.normal - w.axle * dot(w.normal, w.axle);
  w.sine = norm(across);
  if (known_zero(loop.radius)) {
    w.up = w.normal;  // a ball
    w.arm = -(w.normal * loop.rim);
  } else {
    w.up = across / w.sine;
    w.arm = -(w.up * loop.radius + w.normal * loop.rim);
  }
  return w;
}

/// Calls f(row, F): the forces of a loop's rows on body b, in world axes about the origin of
/// frame b.
template <class T, class F>
void for_row_forces(const BasicMechanism<T>& m, int k, const LoopPose<T>& pose, F&& f) {
  const BasicLoop<T>& loop = m.loops[k];
  const auto& closure = m.closures[k];
  int row = closure.first_row;
  if (loop.kind == LoopSpec::Kind::distance) {
    const Vec3<T> d = pose.B.p - pose.A.p;
    return f(row, Force<T>{{}, d / norm(d)});
  }
  if (loop.kind == LoopSpec::Kind::rolling) {
    const Vec3<T> arm = wheel_contact(loop, pose).arm;
    for (int i = 0; i < 3; ++i, ++row) {
      const Vec3<T> e = pose.axes.column(i);
      f(row, Force<T>{cross(arm, e), e});
    }
    return;
  }
  // two turns are free: the moment across both axes, of which one moves with frame b
  if (closure.turns == 1) f(row++, Force<T>{cross(pose.B.R * loop.axis2, pose.axes.column(2)), {}});
  else
    for (int i = 0; i < closure.turns; ++i) f(row++, Force<T>{pose.axes.column(i), {}});
  // one displacement is held: along the axis; otherwise those across the axis come first
  const int first = closure.slides == 1 ? 2 : 0;
  for (int i = first; i < first + closure.slides; ++i) {
    const Vec3<T> e = pose.axes.column(i);
    const bool screw = i == 2 && closure.turns == 2 && !known_zero(loop.pitch);
    f(row++, Force<T>{screw ? -(e * loop.pitch) : Vec3<T>{}, e});
  }
}

/// Motion of a body's point that is at `at`, in the axes in which X is given: angular velocity and
/// acceleration, classical acceleration of the point.
template <class T>
struct ClosurePointMotion {
  Vec3<T> w, w_dot, a;
};
/// w, a: of the body, in its own axes; a: classical, of its origin.
template <class T>
ClosurePointMotion<T> point_motion(const Transform<T>& X, const Vec3<T>& w, const Motion<T>& a,
                                   const Vec3<T>& at) {
  const Vec3<T> arm = at - X.p;
  ClosurePointMotion<T> m;
  m.w = X.R * w;
  m.w_dot = X.R * a.angular;
  m.a = X.R * a.linear + cross(m.w_dot, arm) + cross(m.w, cross(m.w, arm));
  return m;
}

/// How frame b moves against frame a, as an observer on body a sees it.
template <class T>
struct RelativeMotion {
  Vec3<T> w, v, w_dot, a;
};
/// v: of b's point against a's.
template <class T>
RelativeMotion<T> relative_motion(const ClosurePointMotion<T>& a, const ClosurePointMotion<T>& b,
                                  const Vec3<T>& v) {
  RelativeMotion<T> m;
  m.w = b.w - a.w;
  m.v = v;
  m.w_dot = b.w_dot - a.w_dot - cross(a.w, m.w);
  m.a = b.a - a.a - cross(a.w, v) * T(2);
  return m;
}

/// What the rows of a loop change by themselves while the bodies move: Ḟ · (relative velocity),
/// seen from body a.
template <class T>
T moving_row(const BasicMechanism<T>& m, int k, int row, const LoopPose<T>& pose,
             const RelativeMotion<T>& motion) {
  const BasicLoop<T>& loop = m.loops[k];
  const auto& closure = m.closures[k];
  if (loop.kind == LoopSpec::Kind::distance) {
    const Vec3<T> d = pose.B.p - pose.A.p;
    const T length = norm(d), along = dot(d, motion.v) / length;
    return (dot(motion.v, motion.v) - along * along) / length;
  }
  if (loop.kind == LoopSpec::Kind::rolling) {
    if (known_zero(loop.radius)) return T(0);
    const WheelContact<T> w = wheel_contact(loop, pose);
    const Vec3<T> axle_rate = cross(motion.w, w.axle);
    const Vec3<T> across_rate =
        -(w.axle * dot(w.normal, axle_rate) + axle_rate * dot(w.normal, w.axle));
    const Vec3<T> up_rate = (across_rate - w.up * dot(w.up, across_rate)) / w.sine;
    const Vec3<T> slip_rate = cross(motion.w, up_rate * -loop.radius);
    return dot(pose.axes.column(row - closure.first_row), slip_rate);
  }
  if (closure.turns == 1 && row == closure.first_row) {
    const Vec3<T> axis2_rate = cross(motion.w, pose.B.R * loop.axis2);
    return dot(cross(axis2_rate, pose.axes.column(2)), motion.w);
  }
  return T(0);
}

/// Calls f(column, S) for the joints from `body` to `end`, which carries it: S about `point`, in
/// the axes in which the poses X are given.
template <class T, class F>
void for_loop_columns(const BasicMechanism<T>& m, int body, int end, const Vec3<T>& point,
                      const List<Transform<T>>& X, BasicWorkspace<T>& ws, F&& f) {
  for (int i = body; i != end; i = m.tree.parent[i])
    with_joint(m.tree, ws, i, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int column) {
        Motion<T> unit;
        unit += S * T(1);
        const Vec3<T> w = X[i].R * unit.angular;
        f(column, Motion<T>{w, X[i].R * unit.linear + cross(w, point - X[i].p)});
      });
    });
}

/// A joint that follows a polynomial of another: y − y₀ = p(x − x₀).
template <class T>
struct CouplingValues {
  T gap, slope = T(0), curvature = T(0);  ///< y − y₀ − p; p′, p″
};
template <class T>
CouplingValues<T> coupling_values(const BasicMechanism<T>& m, const BasicLoop<T>& loop,
                                  std::span<const T> q) {
  const auto position = [&](int body) {
    const Fold<T>& fold = m.tree.q_fold[m.tree.q_index[body]];
    return fold.ratio * q[at_index(fold.index)] + fold.offset;
  };
  CouplingValues<T> value;
  T p(0);
  if (loop.leader >= 0) {
    const T x = position(loop.leader) - loop.leader_reference;
    for (std::size_t i = loop.polynomial.size(); i-- > 0;) {  // Horner, with two derivatives
      value.curvature = value.curvature * x + value.slope * T(2);
      value.slope = value.slope * x + p;
      p = p * x + loop.polynomial[i];
    }
  } else if (!loop.polynomial.empty()) {
    p = loop.polynomial[0];
  }
  value.gap = position(loop.joint) - loop.joint_reference - p;
  return value;
}

/// Calls f(row, value, rate, acceleration) for the displacements whose target moves.
template <class T, class F>
void for_moving_targets(const BasicMechanism<T>& m, const T& t, F&& f) {
  if constexpr (std::is_same_v<T, double>) {
    for (const LoopMotion& motion : m.motions) {
      double target[9];
      const auto& closure = m.closures[motion.loop];
      motion.compute(t, std::span<double>(target, at_index(3 * closure.slides)));
      for (int i = 0; i < closure.slides; ++i)
        f(closure.first_row + closure.turns + i, target[3 * i], target[3 * i + 1],
          target[3 * i + 2]);
    }
  }
}

}  // namespace limber
