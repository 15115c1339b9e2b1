#pragma once
// Workspace: all scratch of one model for one scalar type, allocated once. One per thread. The
// functions of dynamics/ write it and return views into it; a view is valid until the next call
// that writes it. What one function leaves for another is a value with a name of its own (Poses,
// Velocities, Accelerations, JointForces, TreeFactor), which the other takes: no function finds
// something in the workspace that an earlier call happened to leave. All throw Error when they are
// given the workspace of another model. Functions with an `out` write into the caller's memory,
// which must not overlap the inputs; where they throw, it is left half written.
#include <limber/model/body_motion.hpp>
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

/// The fields belong to the functions; a program needs none of them.
template <class T>
struct BasicWorkspace {
  /// Throws Error for a Model that build() has not made, or that was moved away.
  explicit BasicWorkspace(const BasicModel<T>& model);

  ModelIdentity model;  ///< whose scratch this is

  // Each group is named after what writes it; what a public function has left there no other one
  // reads. Fields are in the bodies' canonical frames unless said otherwise; (n): number of
  // entries.

  // --- tree_positions(), tree_rates(): the variables of the tree, of models with mimic joints ---
  List<T> tree_q, tree_v, tree_a;
  List<T> zeros;  ///< never written (tree_nv)

  // --- place_joints(): positions; the first thing that a recursion does ---
  List<T> angle, sine, cosine;  ///< of the screw with the joint variable (bodies, padded)
  List<T> slide;                ///< its displacement (bodies)
  List<Transform<T>> X;         ///< general steps: pose in the parent's frame (bodies)
  List<Motion<T>> S;            ///< columns of general joints, body axes (tree_nv)
  std::uint64_t placings = 0;   ///< how often joints were placed

  // --- forward_kinematics(): its result ---
  BasicAccelerations<T> kinematics;

  // --- energies, momenta, centroidal quantities, the regressor, operational space, J̇ v: the same
  // for themselves ---
  BasicAccelerations<T> motion;

  // --- inverse dynamics and the articulated-body recursion ---
  List<Vec3<T>> w;  ///< angular velocity (bodies)
  /// Classical acceleration, with gravity's −g; in forward dynamics of `double` in a fluid or with
  /// added inertia spatial acceleration (bodies)
  List<Motion<T>> a;
  List<Motion<T>> load_v;  ///< velocities where loads add inertia to bodies (bodies)
  List<Vec3<T>> load_g;    ///< gravity there (bodies)
  List<ArticulatedInertia<T>> load_inertia;  ///< Loads::body_inertia, canonical frames (bodies)

  // --- inverse dynamics: newton_euler(); tree_tau and tau by the derivatives, too ---
  List<Mat3<T>> gradient;         ///< Ω of the acceleration field (bodies)
  List<Force<T>> f;               ///< force through the joint, on the body (bodies)
  std::uint64_t force_count = 0;  ///< how often f was computed
  List<T> tree_tau, tau;  ///< generalised forces of the tree's columns (tree_nv); result (nv)

  // --- forward and hybrid dynamics: articulated_bodies() ---
  List<Sym3<T>> centripetal;        ///< the part of Ω from ω alone (bodies)
  List<Motion<T>> c;                ///< bias acceleration of the step, classical (bodies)
  List<Force<T>> p;                 ///< bias force pA of the articulated body (bodies)
  List<ArticulatedInertia<T>> IA;   ///< articulated inertia (bodies)
  List<Force<T>> U;                 ///< IA S (tree_nv)
  List<T> D_inverse, u;             ///< 1 / (Sᵀ U + armature); tau − Sᵀ pA (tree_nv)
  List<PendingColumns<T>> pending;  ///< per column of a group, then per group (tree_nv + nv)
  List<Inertia<T>> locked_inertia;  ///< models with groups: bodies with their rotors (bodies)
  // models with groups of columns, of each column of the tree (tree_nv): what is given, forces,
  // accelerations
  List<Known> column_known;
  List<T> tree_force, tree_acceleration;
  List<T> acceleration, force;  ///< q̈ and the generalised forces that belong to it (nv)

  // --- mass_matrix(), factorize(), floating_base_inverse_dynamics() ---
  List<Inertia<T>> Ic;                    ///< composite inertia (bodies)
  List<ArticulatedInertia<T>> loaded_Ic;  ///< the same where loads add to it (bodies)
  /// Ic S of every column, in the frame that the recursion has reached (tree_nv)
  List<Force<T>> F;
  /// Mass matrix and factor. Of long chains (above a million numbers) the first function that needs
  /// it makes the room, so that inverse and forward dynamics need memory in proportion to bodies.
  BasicTreeFactor<T> factor;
  void make_factor(const BasicModel<T>& model);  ///< room for it

  // --- jacobian() ---
  List<T> tree_J, J;  ///< unfolded and folded (6 × n)

  // --- centroidal_momentum_matrix() ---
  List<Inertia<T>> Ic_W;  ///< composite inertia in world coordinates (bodies)
  List<T> A_G;            ///< result (6 × nv)

  // --- generalized_momentum(), momentum_observer_bias() ---
  List<Force<T>> h;  ///< momentum of the subtree (bodies)
};

using Workspace = BasicWorkspace<double>;

}  // namespace limber
