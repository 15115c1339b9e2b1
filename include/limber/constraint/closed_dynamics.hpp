#pragma once
// Dynamics of closed mechanisms on the factor of the tree's mass matrix. [RDA] §9.3, §9.4
#include <limber/constraint/row_solver.hpp>

namespace limber {

/// Scratch and results of one mechanism; one per thread. Made after the last loop was added.
template <class T>
struct BasicClosedDynamics {
  explicit BasicClosedDynamics(const BasicMechanism<T>& mechanism);

  ModelIdentity model;
  BasicWorkspace<T> ws;       ///< of the tree
  BasicTreeFactor<T> factor;  ///< of the tree's mass matrix
  BasicLoopRows<T> rows;      ///< at the last call
  BasicRowSolver<T> solver;   ///< rank, forces of the rows, which of them are determinate
  /// What the accelerations of the rows shall be instead of zero (rows): stabilisation. Zero unless
  /// you write it.
  List<T> wanted;

  List<T> acceleration;  ///< result of closed_forward_dynamics() (nv)
  List<T> velocity;      ///< result of closed_velocity() (nv)
  List<T> right;         ///< scratch: c (rows)
  List<T> moved;         ///< scratch of close_loops(): q (nq)
};
using ClosedDynamics = BasicClosedDynamics<double>;

/// Accelerations with all loops closed: M a + bias = tau + Jᵀ λ, J a + J̇ v = wanted. [RDA] (9.17)
/// solver.force: λ, the forces of the loops [N or N m]; where rows depend on each other the
/// accelerations are those of all of them that can be satisfied together, and solver.rank,
/// is_determinate and inconsistency say what else is known. q and v should satisfy the loops. No
/// allocation. Throws Error as forward_dynamics() does. Returns a view of nv numbers in `closed`.
template <class T>
std::span<const T> closed_forward_dynamics(const BasicMechanism<T>& mechanism,
                                           std::type_identity_t<T> t, In<T> q, In<T> v, In<T> tau,
                                           BasicClosedDynamics<T>& closed,
                                           const Loads<T>& loads = {});

/// The velocity nearest to v, measured by kinetic energy, that satisfies the loops: what v becomes
/// when the loops are closed suddenly. solver.force: the impulses of the rows [N s or N m s].
/// [RDA] (9.63)
template <class T>
std::span<const T> closed_velocity(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                                   In<T> q, In<T> v, BasicClosedDynamics<T>& closed,
                                   const Loads<T>& loads = {});

/// What close_loops() found.
struct ClosedPosition {
  double gap = 0;      ///< the largest one left [m or rad]
  int row = -1;        ///< where
  int iterations = 0;  ///< of Newton's method
  bool is_closed = false;
};

/// Moves q to the nearest position (measured by the mass matrix) that closes all loops: for small
/// gaps, as integration leaves them. Stops below `tolerance` [m or rad], or after 20 iterations.
/// q is left as it was where the gap did not become smaller.
template <class T>
ClosedPosition close_loops(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t, Out<T> q,
                           BasicClosedDynamics<T>& closed,
                           std::type_identity_t<T> tolerance = T(1e-12));

}  // namespace limber
