#include "constraint/loop_gap.ipp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

/// Rows of Jᵀ are padded for registers of any width.
constexpr int row_padding = 8;

template <class T>
void check_rows(const char* function, const BasicMechanism<T>& m, const BasicLoopRows<T>& rows) {
  check_workspace(function, m.tree, rows);
  if (rows.rows != m.rows) refuse_rows(function, m.tree.name, rows.rows, m.rows);
}

/// J of a coupling, and its bias for the rate of the leader.
template <class T>
void coupling_row(const BasicMechanism<T>& m, int k, In<T> q, const T* v, BasicLoopRows<T>& out) {
  const BasicLoop<T>& loop = m.loops[k];
  const int row = m.closures[k].first_row;
  const CouplingValues<T> value = coupling_values<T>(m, loop, q);
  const auto fold = [&](int body) -> const Fold<T>& { return m.tree.v_fold[m.tree.v_index[body]]; };
  out.jt(fold(loop.joint).index, row) += fold(loop.joint).ratio;
  if (loop.leader < 0) return;
  const Fold<T>& leader = fold(loop.leader);
  out.jt(leader.index, row) -= value.slope * leader.ratio;
  if (v == nullptr) return;
  const T rate = leader.ratio * v[leader.index];
  out.bias[row] = -(value.curvature * rate * rate);
}

/// Targets that move: the rows' rates and accelerations less those of the target.
template <class T>
void subtract_motions(const BasicMechanism<T>& m, const T& t, BasicLoopRows<T>& out) {
  for_moving_targets(m, t, [&](int row, double, double rate, double acceleration) {
    out.drift[row] -= T(rate);
    out.bias[row] -= T(acceleration);
  });
}

template <class T>
void custom_rows(const BasicMechanism<T>& m, const T& t, In<T> q, In<T> v, BasicLoopRows<T>& out) {
  if constexpr (std::is_same_v<T, double>) {
    for (int k = 0; k < m.custom.count(); ++k) {
      const int first = m.custom_first_row[k], count = m.custom[k].rows, nv = m.tree.nv;
      const auto part = [&](List<double>& list) {
        return std::span<double>(list.data() + first, at_index(count));
      };
      const std::span<double> J(out.custom_J.data(), at_index(count * nv));
      const std::span<double> reach = part(out.reach);
      std::fill(reach.begin(), reach.end(), 0.0);
      m.custom[k].compute(t, q, v, {part(out.gap), J, part(out.drift), part(out.bias), reach});
      for (int i = 0; i < count; ++i)
        for (int f = 0; f < nv; ++f) out.jt(f, first + i) = J[at_index(i * nv + f)];
    }
  }
}

/// How far the joints of a loop move its point and turn its bodies, in any direction: sums of
/// squares.
template <class T>
struct LoopReach {
  T slides{}, turns{};
};

/// Entries of a loop's rows in Jᵀ: sign · F · S.
template <class T>
void add_columns(const BasicMechanism<T>& m, int k, int body, int carrier, const T& sign,
                 BasicWorkspace<T>& ws, BasicLoopRows<T>& out, LoopReach<T>& reach) {
  const auto& closure = m.closures[k];
  for_loop_columns(m, body, carrier, out.point[k], out.motion.X_W, ws,
                   [&](int column, const Motion<T>& S) {
                     const Fold<T>& fold = m.tree.v_fold[column];
                     const T factor = sign * fold.ratio;
                     T* const to = &out.jt(fold.index, closure.first_row);
                     for (int r = 0; r < closure.rows; ++r)
                       to[r] += dot(S, out.F[closure.first_row + r]) * factor;
                     if constexpr (!std::is_class_v<T>) {
                       reach.slides += dot(S.linear, S.linear) * factor * factor;
                       reach.turns += dot(S.angular, S.angular) * factor * factor;
                     }
                   });
}

/// The bias of a loop's rows.
template <class T>
void add_loop_bias(const BasicMechanism<T>& m, int k, const LoopPose<T>& pose,
                   BasicLoopRows<T>& out) {
  const BasicLoop<T>& loop = m.loops[k];
  const auto& closure = m.closures[k];
  const BasicAccelerations<T>& bodies = out.motion;
  const Vec3<T>& at = pose.B.p;
  const auto velocity = [&](int body) {
    const Transform<T>& X = bodies.X_W[body];
    return X.R *
           (bodies.v[body].linear + cross(bodies.v[body].angular, transpose_times(X.R, at - X.p)));
  };
  const auto motion_of = [&](int body) {
    return point_motion(bodies.X_W[body], bodies.v[body].angular,
                        classical_acceleration(bodies.a[body], bodies.v[body]), at);
  };
  const RelativeMotion<T> motion = relative_motion(motion_of(loop.body_a), motion_of(loop.body_b),
                                                   velocity(loop.body_b) - velocity(loop.body_a));
  for (int row = closure.first_row; row < closure.first_row + closure.rows; ++row)
    out.bias[row] =
        dot(Motion<T>{motion.w_dot, motion.a}, out.F[row]) + moving_row(m, k, row, pose, motion);
}

/// F and Jᵀ; with v also the bias. The bodies are in out.motion.
template <class T>
void fill_rows(const BasicMechanism<T>& m, In<T> q, const T* v, BasicWorkspace<T>& ws,
               BasicLoopRows<T>& out) {
  std::fill(out.JT.begin(), out.JT.end(), T(0));
  std::fill(out.drift.begin(), out.drift.end(), T(0));
  std::fill(out.bias.begin(), out.bias.end(), T(0));
  for (int k = 0; k < m.loops.count(); ++k) {
    const BasicLoop<T>& loop = m.loops[k];
    if (loop.kind == LoopSpec::Kind::coupling) {
      coupling_row<T>(m, k, q, v, out);
      continue;
    }
    const LoopPose<T> pose = loop_pose(m, k, out.motion.X_W);
    out.point[k] = pose.B.p;
    for_row_forces(m, k, pose, [&](int row, const Force<T>& F) { out.F[row] = F; });
    const int carrier = common_carrier(m.tree, loop.body_a, loop.body_b);
    LoopReach<T> reach;
    add_columns(m, k, loop.body_b, carrier, T(1), ws, out, reach);
    add_columns(m, k, loop.body_a, carrier, T(-1), ws, out, reach);
    if constexpr (!std::is_class_v<T>)
      for (int row = m.closures[k].first_row, i = 0; i < m.closures[k].rows; ++i, ++row)
        out.reach[row] = reach.slides * dot(out.F[row].linear, out.F[row].linear) +
                         reach.turns * dot(out.F[row].angular, out.F[row].angular);
    if (v != nullptr) add_loop_bias(m, k, pose, out);
  }
}

}  // namespace

template <class T>
BasicLoopRows<T>::BasicLoopRows(const BasicMechanism<T>& m)
    : model(m.tree.identity), rows(m.rows), motion(m.tree) {
  stride = (rows + 1 + row_padding - 1) / row_padding * row_padding;
  const auto nv = at_index(m.tree.nv);
  F.resize(at_index(rows));
  point.resize(m.loops.size());
  JT.resize(nv * at_index(stride));
  for (List<T>* list : {&drift, &bias, &gap, &reach}) list->resize(at_index(rows));
  zeros.resize(nv);
  int most = 0;
  for (const CustomConstraint& one : m.custom) most = std::max(most, one.rows);
  custom_J.resize(at_index(most) * nv);
  spare.resize(3 * at_index(most));
}

template <class T>
void loop_rows(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q, In<T> v,
               BasicWorkspace<T>& ws, BasicLoopRows<T>& out) {
  check_rows("loop_rows", m, out);
  forward_kinematics<T>(m.tree, q, v, out.zeros, ws, out.motion);
  fill_rows<T>(m, q, v.data(), ws, out);
  custom_rows<T>(m, t, q, v, out);
  subtract_motions(m, t, out);
}

template <class T>
void loop_jacobian(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                   BasicWorkspace<T>& ws, BasicLoopRows<T>& out) {
  check_rows("loop_jacobian", m, out);
  forward_kinematics<T>(m.tree, q, ws, out.motion);
  fill_rows<T>(m, q, nullptr, ws, out);
  custom_rows<T>(m, t, q, out.zeros, out);
  subtract_motions(m, t, out);
}

template <class T>
std::span<const T> loop_gaps(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                             BasicWorkspace<T>& ws, BasicLoopRows<T>& out) {
  check_rows("loop_gaps", m, out);
  forward_kinematics<T>(m.tree, q, ws, out.motion);
  for (int k = 0; k < m.loops.count(); ++k) {
    T* gap = out.gap.data() + m.closures[k].first_row;
    if (m.loops[k].kind == LoopSpec::Kind::coupling)
      *gap = coupling_values<T>(m, m.loops[k], q).gap;
    else loop_gap(m, k, loop_pose(m, k, out.motion.X_W), gap);
  }
  if constexpr (std::is_same_v<T, double>) {
    for (int k = 0; k < m.custom.count(); ++k) {
      const auto count = at_index(m.custom[k].rows);
      const std::span<double> spare(out.spare);
      m.custom[k].compute(
          t, q, out.zeros,
          {std::span(out.gap).subspan(at_index(m.custom_first_row[k]), count),
           std::span(out.custom_J).first(count * at_index(m.tree.nv)), spare.first(count),
           spare.subspan(count, count), spare.subspan(2 * count, count)});
    }
  }
  for_moving_targets(m, T(t),
                     [&](int row, double value, double, double) { out.gap[row] -= T(value); });
  return out.gap;
}

#define LIMBER_LOOP_ROWS(T)                                                                \
  template struct BasicLoopRows<T>;                                                        \
  template void loop_rows(const BasicMechanism<T>&, std::type_identity_t<T>, In<T>, In<T>, \
                          BasicWorkspace<T>&, BasicLoopRows<T>&);                          \
  template void loop_jacobian(const BasicMechanism<T>&, std::type_identity_t<T>, In<T>,    \
                              BasicWorkspace<T>&, BasicLoopRows<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_LOOP_ROWS)
#define LIMBER_LOOP_GAPS(T)                                                                       \
  template std::span<const T> loop_gaps(const BasicMechanism<T>&, std::type_identity_t<T>, In<T>, \
                                        BasicWorkspace<T>&, BasicLoopRows<T>&);
LIMBER_FOR_EACH_NUMBER(LIMBER_LOOP_GAPS)

}  // namespace limber
