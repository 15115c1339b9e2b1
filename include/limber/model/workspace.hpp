#pragma once
// Workspace: all scratch of one model for one scalar type, allocated once. One per thread. The
// functions of dynamics/ write it and return views into it; a view is valid until the next call
// that writes it. They throw Error when they are given the workspace of another model, and when
// they are asked for a result that nothing has computed.
#include <limber/model/tree_matrix.hpp>

namespace limber {

/// Row-major view of a dense matrix.
template <class T>
struct MatrixView {
  const T* data = nullptr;
  int rows = 0, columns = 0;
  int stride = columns;  ///< distance between rows
  const T& operator()(int i, int j) const { return data[i * stride + j]; }
};

/// View of a symmetric matrix of which the upper triangle is kept, row by row (size × size
/// numbers).
template <class T>
struct SymmetricView {
  const T* data = nullptr;
  int size = 0;
  int stride = size;  ///< distance between rows
  const T& operator()(int i, int j) const {
    return i < j ? data[i * stride + j] : data[j * stride + i];
  }
};

/// Columns of a group that forward dynamics has met and not yet eliminated, at the body that it has
/// reached: unit acceleration of the freedom takes the force H on the body beside D on the freedom.
template <class T>
struct PendingColumns {
  Force<T> H;
  T D = T(0);             ///< of a group, once eliminated: 1/D
  T u = T(0);             ///< force at zero acceleration; once eliminated: what is left of tau
  bool is_known = false;  ///< a group: its acceleration is given
  bool waits = false;     ///< a group: its columns are eliminated together
};

template <class T>
struct BasicWorkspace {
  /// Throws Error for a Model that build() has not made, or that was moved away.
  explicit BasicWorkspace(const BasicModel<T>& model);

  ModelIdentity model;  ///< whose scratch this is
  /// Which results are there to be asked for.
  struct Computed {
    bool poses = false;          ///< X_W
    bool velocities = false;     ///< v
    bool accelerations = false;  ///< a, as forward_kinematics() leaves it
    bool forces = false;         ///< f, as inverse_dynamics() leaves it
  };
  Computed computed;

  // Fields are in the bodies' canonical frames unless said otherwise; (n): number of entries.

  // --- written by place_joints(): positions ---
  List<T> angle, sine, cosine;     ///< of the screw with the joint variable (bodies, padded)
  List<T> slide;                   ///< its displacement (bodies)
  List<Transform<T>> X;            ///< general steps: pose in the parent's frame (bodies)
  List<Motion<T>> S;               ///< columns of general joints, body axes (tree_nv)
  List<T> tree_q, tree_v, tree_a;  ///< unfolded variables of models with mimic joints
  List<T> zeros;                   ///< never written (tree_nv)

  // --- velocities and accelerations ---
  List<Vec3<T>> w;            ///< angular velocity (bodies)
  List<Motion<T>> v;          ///< spatial velocity (bodies): kinematics only
  List<Motion<T>> a;          ///< acceleration, classical; with gravity's −g in dynamics (bodies)
  List<Motion<T>> c;          ///< bias acceleration of the step, classical (bodies)
  List<Mat3<T>> gradient;     ///< Ω of the acceleration field (bodies)
  List<Sym3<T>> centripetal;  ///< its part from ω alone (bodies)
  List<Transform<T>> X_W;     ///< pose in the world (bodies)

  List<Motion<T>> load_v;  ///< velocities where loads add inertia to bodies (bodies)
  List<Vec3<T>> load_g;    ///< gravity there (bodies)

  // --- forces and inertias ---
  List<Force<T>> f;                ///< force through the joint, on the body (bodies)
  List<Force<T>> p;                ///< bias force pA of the articulated body (bodies)
  List<Inertia<T>> Ic;             ///< composite inertia (bodies)
  List<ArticulatedInertia<T>> IA;  ///< articulated inertia (bodies)
  List<Force<T>>
      F;  ///< Ic S of every column, in the frame that the recursion has reached (tree_nv)
  List<Force<T>> U;      ///< IA S (tree_nv)
  List<T> D_inverse, u;  ///< 1 / (Sᵀ U + armature); tau − Sᵀ pA (tree_nv)

  List<PendingColumns<T>> pending;  ///< per column of a group, then per group (tree_nv + nv)
  List<Known> column_known;         ///< models with groups: what is given of each column (tree_nv)

  // --- results that views point into ---
  List<T> tree_tau, tau;  ///< generalised forces (tree_nv, nv)
  List<T> acceleration;   ///< q̈ (nv)
  /// Mass matrix and factor. Of long chains (above a million numbers) the first function that needs
  /// it makes the room, so that inverse and forward dynamics need memory in proportion to bodies.
  BasicTreeFactor<T> factor;
  void make_factor(const BasicModel<T>& model);  ///< room for it
  List<T> tree_J, J;                             ///< Jacobian unfolded and folded (6 × n)
};

using Workspace = BasicWorkspace<double>;

}  // namespace limber
