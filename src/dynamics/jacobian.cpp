#include <limber/dynamics/jacobian.hpp>

#include "dynamics/fold.hpp"
#include "dynamics/kinematics.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

// J of a frame, columns of the tree's variables: each column is S of a joint that carries the body
template <class T>
void tree_jacobian(const BasicModel<T>& m, int frame, Reference reference, BasicWorkspace<T>& ws,
                   T* J) {
  const BasicFrame<T>& f = m.frames[static_cast<std::size_t>(frame)];
  const Transform<T> X_WF = ws.X_W[static_cast<std::size_t>(f.body)] * f.placement;
  const int nv = m.tree_nv;
  for (int k = 0; k < 6 * nv; ++k) J[k] = T(0);
  for (int i = f.body; i > 0; i = m.parent[static_cast<std::size_t>(i)])
    with_joint(m, ws, i, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int k) {
        Motion<T> column;
        column += S * T(1);
        column = ws.X_W[static_cast<std::size_t>(i)] * column;
        if (reference == Reference::body) column = apply_inverse(X_WF, column);
        if (reference == Reference::world_aligned) column.linear -= cross(X_WF.p, column.angular);
        for (int row = 0; row < 3; ++row) {
          J[row * nv + k] = column.angular[row];
          J[(row + 3) * nv + k] = column.linear[row];
        }
      });
    });
}

}  // namespace

template <class T>
MatrixView<T> jacobian(const BasicModel<T>& m, In<T> q, int frame, Reference reference,
                       BasicWorkspace<T>& ws) {
  check_frame("jacobian", m, frame);
  body_poses(m, tree_positions(m, "jacobian", q, ws), ws);
  if (!m.has_mimic()) {
    tree_jacobian(m, frame, reference, ws, ws.J.data());
    return {ws.J.data(), 6, m.nv};
  }
  tree_jacobian(m, frame, reference, ws, ws.tree_J.data());
  for (T& x : ws.J) x = T(0);
  for (int row = 0; row < 6; ++row)
    for (int k = 0; k < m.tree_nv; ++k) {
      const Fold<T>& fold = m.v_fold[static_cast<std::size_t>(k)];
      ws.J[static_cast<std::size_t>(row * m.nv + fold.index)] +=
          fold.ratio * ws.tree_J[static_cast<std::size_t>(row * m.tree_nv + k)];
    }
  return {ws.J.data(), 6, m.nv};
}

template <class T>
Motion<T> jacobian_dot_times_v(const BasicModel<T>& m, In<T> q, In<T> v, int frame,
                               Reference reference, BasicWorkspace<T>& ws) {
  const char* name = "jacobian_dot_times_v";
  check_frame(name, m, frame);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  body_poses(m, tree_q, ws);
  body_velocities(m, tree_v, ws);
  body_accelerations(m, tree_q, tree_v, ws.zeros.data(), ws);
  return reference == Reference::world_aligned
             ? frame_classical_acceleration(m, ws, frame, reference)
             : frame_acceleration(m, ws, frame, reference);
}

#define LIMBER_JACOBIAN(T)                                                                    \
  template MatrixView<T> jacobian(const BasicModel<T>&, In<T>, int, Reference,                \
                                  BasicWorkspace<T>&);                                        \
  template Motion<T> jacobian_dot_times_v(const BasicModel<T>&, In<T>, In<T>, int, Reference, \
                                          BasicWorkspace<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_JACOBIAN)

}  // namespace limber
