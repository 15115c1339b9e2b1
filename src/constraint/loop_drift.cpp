#include "constraint/loop_drift.hpp"

#include <vector>

#include "constraint/loop_gap.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

/// Poses of a loop's bodies in the frame of the body that carries it.
template <class T>
void place_in_carrier(const BasicMechanism<T>& m, int k, int carrier, BasicWorkspace<T>& ws,
                      List<Transform<T>>& X) {
  X[carrier] = {};
  for (const int end : {m.loops[k].body_a, m.loops[k].body_b}) {
    std::vector<int> path;
    for (int i = end; i != carrier; i = m.tree.parent[i]) path.push_back(i);
    for (std::size_t at = path.size(); at-- > 0;)
      with_joint(m.tree, ws, path[at], [&](const auto& joint) {
        X[path[at]] = joint.pose_after(X[m.tree.parent[path[at]]]);
      });
  }
}

/// The rates of a loop's rows.
template <class T>
void loop_rates(const BasicMechanism<T>& m, int k, int carrier, const LoopPose<T>& pose, In<T> v,
                const List<Transform<T>>& X, BasicWorkspace<T>& ws, Out<T> rate) {
  Motion<T> motion;
  const auto add = [&](int body, const T& sign) {
    for_loop_columns(m, body, carrier, pose.B.p, X, ws, [&](int column, const Motion<T>& S) {
      motion += S * (sign * v[at_index(column)]);
    });
  };
  add(m.loops[k].body_b, T(1));
  add(m.loops[k].body_a, T(-1));
  for_row_forces(m, k, pose,
                 [&](int row, const Force<T>& F) { rate[at_index(row)] = dot(motion, F); });
}

}  // namespace

template <class T>
void loop_drift(const BasicMechanism<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws, Out<T> gap,
                Out<T> rate) {
  forward_kinematics<T>(m.tree, q, ws);  // places the joints
  List<Transform<T>> X;
  X.resize(at_index(m.tree.bodies()));
  for (int k = 0; k < m.loops.count(); ++k) {
    const BasicLoop<T>& loop = m.loops[k];
    const int first = m.closures[k].first_row;
    if (loop.kind == LoopSpec::Kind::coupling) {
      const CouplingValues<T> value = coupling_values<T>(m, loop, q);
      const auto speed = [&](int body) { return v[at_index(m.tree.v_index[body])]; };
      gap[at_index(first)] = value.gap;
      rate[at_index(first)] = speed(loop.joint);
      if (loop.leader >= 0) rate[at_index(first)] -= value.slope * speed(loop.leader);
      continue;
    }
    const int carrier = common_carrier(m.tree, loop.body_a, loop.body_b);
    place_in_carrier(m, k, carrier, ws, X);
    const LoopPose<T> pose = loop_pose(m, k, X);
    loop_gap(m, k, pose, &gap[at_index(first)]);
    loop_rates<T>(m, k, carrier, pose, v, X, ws, rate);
  }
}

#define LIMBER_LOOP_DRIFT(T)                                                                   \
  template void loop_drift(const BasicMechanism<T>&, In<T>, In<T>, BasicWorkspace<T>&, Out<T>, \
                           Out<T>);
LIMBER_FOR_EACH_SCALAR(LIMBER_LOOP_DRIFT)

}  // namespace limber
