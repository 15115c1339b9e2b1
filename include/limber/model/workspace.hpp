#pragma once
// Workspace: all scratch of one model for one scalar type, allocated once. One per thread. The
// functions of dynamics/ write it and return views into it; a view is valid until the next call
// that writes it. They throw Error when they are given the workspace of another model, and when
// they are asked for a result that nothing has computed.
#include <new>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// Numbers that begin at a cache line.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

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
    bool mass_matrix = false;    ///< M
    bool factor = false;         ///< L, of the whole matrix
  };
  Computed computed;

  // Fields are in the bodies' canonical frames unless said otherwise; (n): number of entries.

  // --- written by place_joints(): positions ---
  std::vector<T> angle, sine, cosine;     ///< of the screw with the joint variable (bodies, padded)
  std::vector<T> slide;                   ///< its displacement (bodies)
  std::vector<Transform<T>> X;            ///< general steps: pose in the parent's frame (bodies)
  std::vector<Motion<T>> S;               ///< columns of general joints, body axes (tree_nv)
  std::vector<T> tree_q, tree_v, tree_a;  ///< unfolded variables of models with mimic joints
  std::vector<T> zeros;                   ///< never written (tree_nv)

  // --- velocities and accelerations ---
  std::vector<Vec3<T>> w;    ///< angular velocity (bodies)
  std::vector<Motion<T>> v;  ///< spatial velocity (bodies): kinematics only
  std::vector<Motion<T>> a;  ///< acceleration, classical; with gravity's −g in dynamics (bodies)
  std::vector<Motion<T>> c;  ///< bias acceleration of the step, classical (bodies)
  std::vector<Mat3<T>> gradient;     ///< Ω of the acceleration field (bodies)
  std::vector<Sym3<T>> centripetal;  ///< its part from ω alone (bodies)
  std::vector<Transform<T>> X_W;     ///< pose in the world (bodies)

  // --- forces and inertias ---
  std::vector<Force<T>> f;                ///< force through the joint, on the body (bodies)
  std::vector<Force<T>> p;                ///< bias force pA of the articulated body (bodies)
  std::vector<Inertia<T>> Ic;             ///< composite inertia (bodies)
  std::vector<ArticulatedInertia<T>> IA;  ///< articulated inertia (bodies)
  std::vector<Force<T>>
      F;  ///< Ic S of every column, in the frame that the recursion has reached (tree_nv)
  std::vector<Force<T>> U;      ///< IA S (tree_nv)
  std::vector<T> D_inverse, u;  ///< 1 / (Sᵀ U + armature); tau − Sᵀ pA (tree_nv)

  // --- results that views point into ---
  std::vector<T> tree_tau, tau;  ///< generalised forces (tree_nv, nv)
  std::vector<T> acceleration;   ///< q̈ (nv)
  std::vector<T> tree_M, M;      ///< inertia matrix unfolded and folded (n × n, upper)
  AlignedVector<T> L;            ///< its factor, row by row along model.path
  std::vector<T> tree_J, J;      ///< Jacobian unfolded and folded (6 × n)
};

using Workspace = BasicWorkspace<double>;

}  // namespace limber
