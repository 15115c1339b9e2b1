#pragma once
// Dynamics of closed mechanisms on the factor of the tree's mass matrix. [RDA] §9.3, §9.4
#include <limber/constraint/articulated_loops.hpp>
#include <limber/constraint/cross_inertia.hpp>
#include <limber/constraint/row_solver.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>

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
  /// Baumgarte's method: gaps and rates of the rows decay as those of a critically damped spring of
  /// this frequency [1/s]. Zero: rates stay as they are, and errors grow slowly. In built-in
  /// numbers only.
  T decay_rate = T(0);

  List<T> acceleration;  ///< result of closed_forward_dynamics() and closed_hybrid_dynamics() (nv)
  List<T> joint_force;   ///< result of closed_hybrid_dynamics() (nv)
  List<T> velocity;      ///< result of closed_velocity() (nv)
  List<T> right;         ///< scratch: c (rows)
  List<T> moved;         ///< scratch of close_loops(): q (nq)
  BasicArticulatedLoops<T> articulated;  ///< for ClosedMethod::articulated
  CrossInertia cross;        ///< for ClosedMethod::cross_inertia, made when it is first used
  AlignedVector<T> held_JT;  ///< scratch: Jᵀ with the freedoms that are known (as rows.JT)
};
/// In double precision.
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

/// The same where the accelerations of some freedoms are known instead of their forces: known and
/// given (nv) as in hybrid_dynamics(). solver.rank is that of the other freedoms' columns; where
/// the known accelerations contradict the loops, solver.inconsistency is not small. Views of nv
/// numbers each in `closed`.
template <class T>
Hybrid<T> closed_hybrid_dynamics(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                                 In<T> q, In<T> v, std::span<const Known> known, In<T> given,
                                 BasicClosedDynamics<T>& closed, const Loads<T>& loads = {});

/// The velocity nearest to v, measured by kinetic energy, that satisfies the loops: what v becomes
/// when the loops are closed suddenly. solver.force: the impulses of the rows [N s or N m s].
/// [RDA] (9.63). known (nv, or empty: none): freedoms with Known::acceleration keep their velocity.
template <class T>
std::span<const T> closed_velocity(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                                   In<T> q, In<T> v, BasicClosedDynamics<T>& closed,
                                   const Loads<T>& loads = {}, std::span<const Known> known = {});

/// What close_loops() found.
struct ClosedPosition {
  double gap = 0;      ///< the largest one left [m or rad]
  int row = -1;        ///< where
  int iterations = 0;  ///< of Newton's method
  bool is_closed = false;
};

/// Moves q to the nearest position (measured by the mass matrix) that closes all loops: for small
/// gaps, as integration leaves them. Stops below `tolerance` [m or rad], or after 20 iterations.
/// q is left as it was where the gap did not become smaller. known (nv, or empty: none): freedoms
/// with Known::acceleration stay where they are.
template <class T>
ClosedPosition close_loops(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t, Out<T> q,
                           BasicClosedDynamics<T>& closed,
                           std::type_identity_t<T> tolerance = T(1e-12),
                           std::span<const Known> known = {});

}  // namespace limber
