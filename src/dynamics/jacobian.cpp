#include <limber/dynamics/jacobian.hpp>

#include "dynamics/fold.hpp"
#include "dynamics/kinematics.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Calls f(i) for the bodies that carry `body`, from the world on, itself last: of those between
/// them, whole subtrees are passed over.
template <class T, class F>
void for_path(const BasicModel<T>& m, int body, F&& f) {
  for (int i = 1; i <= body;) {
    const int end = m.subtree_end[i];
    if (end > body) f(i++);
    else i = end;
  }
}

/// A joint column in the world, for a body with pose X.
template <class T, int K>
Motion<T> world_column(const Transform<T>& X, Axis<K>) {
  const Vec3<T> axis = X.R.column(K % 3);
  if constexpr (K < 3) return {axis, cross(X.p, axis)};
  else return {{}, axis};
}
template <class T>
Motion<T> world_column(const Transform<T>& X, const Motion<T>& S) {
  return X * S;
}

/// Column k of a matrix with six rows of n.
template <class T>
Motion<T> get(const T* J, int n, int k) {
  return {{J[k], J[n + k], J[2 * n + k]}, {J[3 * n + k], J[4 * n + k], J[5 * n + k]}};
}
template <class T>
void put(T* J, int n, int k, const Motion<T>& column) {
  J[k] = column.angular.x, J[n + k] = column.angular.y, J[2 * n + k] = column.angular.z;
  J[3 * n + k] = column.linear.x, J[4 * n + k] = column.linear.y, J[5 * n + k] = column.linear.z;
}

/// Calls f(k) for the tree's variables that move a body.
template <class T, class F>
void for_path_columns(const BasicModel<T>& m, int body, F&& f) {
  for (int k = m.v_index[body] + m.v_count[body] - 1; k >= 0; k = m.column_parent[k]) f(k);
}

/// place_joints() of the joints that carry a body. q: tree variables.
template <class T>
void place_path(const BasicModel<T>& m, const T* q, int body, BasicWorkspace<T>& ws) {
  ++ws.placings;
  constexpr int together = std::is_same_v<T, double> ? 8 : 1;  // sines that cost as much as one
  int first = 0, end = 0;                                      // angles whose sines are missing
  auto place_angles = [&] {
    sincos_all(&ws.angle[first], &ws.sine[first], &ws.cosine[first], end - first);
  };
  for_path(m, body, [&](int i) {
    const JointForm form = m.form[i];
    const bool is_screw =
        form != JointForm::free && form != JointForm::spherical && form != JointForm::general;
    if (is_screw && i >= end) {
      place_angles();
      first = i / together * together, end = first + together;
    }
    if (form == JointForm::revolute || form == JointForm::screw)
      ws.angle[i] = m.rest_angle[i] + q[m.q_index[i]];
    if (form != JointForm::revolute)
      with_joint(m, ws, i, [&](const auto& joint) { joint.place(q); });
  });
  place_angles();
}

/// Pose of a body in the world, and S of the joints that carry it in the world's coordinates, as
/// columns of J. Joints must be placed.
template <class T>
Transform<T> world_columns(const BasicModel<T>& m, int body, BasicWorkspace<T>& ws, T* J) {
  Transform<T> X;
  for_path(m, body, [&](int i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      X = joint.pose_after(X);
      joint.for_columns([&](const auto& S, int k) { put(J, m.tree_nv, k, world_column(X, S)); });
    });
  });
  return X;
}

/// J of a frame, written to the columns of the tree's variables that move it. [RDA] §2.3.2
template <class T>
void path_jacobian(const BasicModel<T>& m, const T* q, int frame, Reference reference,
                   BasicWorkspace<T>& ws, T* J) {
  const BasicFrame<T>& f = m.frames[frame];
  place_path(m, q, f.body, ws);
  const Transform<T> X_WF = world_columns(m, f.body, ws, J) * f.placement;
  if (reference == Reference::world) return;
  for_path_columns(m, f.body, [&](int k) {
    Motion<T> column = get(J, m.tree_nv, k);
    if (reference == Reference::body) column = apply_inverse(X_WF, column);
    else column.linear -= cross(X_WF.p, column.angular);
    put(J, m.tree_nv, k, column);
  });
}

}  // namespace

template <class T>
void jacobian(const BasicModel<T>& m, In<T> q, int frame, Reference reference,
              BasicWorkspace<T>& ws, Out<T> out) {
  const char* name = "jacobian";
  check_frame(name, m, frame);
  check_size(name, "out", out.size(), 6 * m.nv, m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  for (T& x : out) x = T(0);
  if (!m.has_mimic()) return path_jacobian(m, tree_q, frame, reference, ws, out.data());
  path_jacobian(m, tree_q, frame, reference, ws, ws.tree_J.data());
  for_path_columns(m, m.frames[frame].body, [&](int k) {
    const Fold<T>& fold = m.v_fold[k];
    for (int row = 0; row < 6; ++row)
      out[at_index(row * m.nv + fold.index)] += fold.ratio * ws.tree_J[row * m.tree_nv + k];
  });
}

template <class T>
MatrixView<T> jacobian(const BasicModel<T>& m, In<T> q, int frame, Reference reference,
                       BasicWorkspace<T>& ws) {
  check_workspace("jacobian", m, ws);
  jacobian(m, q, frame, reference, ws, ws.J);
  return {ws.J.data(), 6, m.nv};
}

template <class T>
Motion<T> jacobian_dot_times_v(const BasicModel<T>& m, In<T> q, In<T> v, int frame,
                               Reference reference, BasicWorkspace<T>& ws) {
  const char* name = "jacobian_dot_times_v";
  check_frame(name, m, frame);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  move_bodies(m, tree_q, tree_v, ws.zeros.data(), ws, ws.motion);
  return reference == Reference::world_aligned
             ? frame_classical_acceleration(m, ws.motion, frame, reference)
             : frame_acceleration(m, ws.motion, frame, reference);
}

#define LIMBER_JACOBIAN(T)                                                                         \
  template MatrixView<T> jacobian(const BasicModel<T>&, In<T>, int, Reference,                     \
                                  BasicWorkspace<T>&);                                             \
  template void jacobian(const BasicModel<T>&, In<T>, int, Reference, BasicWorkspace<T>&, Out<T>); \
  template Motion<T> jacobian_dot_times_v(const BasicModel<T>&, In<T>, In<T>, int, Reference,      \
                                          BasicWorkspace<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_JACOBIAN)

}  // namespace limber
