#pragma once
// The columns of a frame's Jacobian.
#include "dynamics/kinematics.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Calls f(k, column) for every column k of the tree that moves a frame: the frame's velocity, in
/// the reference, for a unit velocity of the column. Joints must be placed, as for the poses X_W.
template <class T, class F>
void for_frame_columns(const BasicModel<T>& m, int frame, Reference reference,
                       BasicWorkspace<T>& ws, const List<Transform<T>>& X_W, F&& f) {
  const BasicFrame<T>& at = m.frames[frame];
  const Transform<T> X_WF = X_W[at.body] * at.placement;
  for (int i = at.body; i > 0; i = m.parent[i])
    with_joint(m, ws, i, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int k) {
        Motion<T> column;
        column += S * T(1);
        column = X_W[i] * column;
        if (reference == Reference::body) column = apply_inverse(X_WF, column);
        if (reference == Reference::world_aligned) column.linear -= cross(X_WF.p, column.angular);
        f(k, column);
      });
    });
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
