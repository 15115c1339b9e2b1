#pragma once
// The methods of forward dynamics with loops, behind one function. All give the same accelerations;
// where rows depend on each other all give the forces of the same smallest norm (row_solver.hpp).
#include <limber/constraint/closed_dynamics.hpp>
#include <limber/reference/dense.hpp>

namespace limber {

/// How accelerations with loops are computed.
enum class ClosedMethod {
  automatic,      ///< articulated bodies or cross-inertias, which is cheaper and can, else rows
  articulated,    ///< articulated bodies that carry the rows: articulated_loops.hpp
  cross_inertia,  ///< inertias of two bodies at once, for long ladders: cross_inertia.hpp
  rows,           ///< rows on the factor of the tree's mass matrix: closed_dynamics.hpp
  dense,          ///< the whole system of accelerations and forces at once; [RDA] (9.17)
  null_space,     ///< a = a₀ + N z with an orthonormal basis N of what the rows allow
  embedding       ///< a = G ÿ + g with independent freedoms y; [RDA] §9.2, constraint embedding
};
const char* name(ClosedMethod method);

/// The method, and what it needs.
struct ClosedMethodSettings {
  ClosedMethod method = ClosedMethod::automatic;
  /// Embedding: the freedoms that move the others, as many as the mobility; empty: they are chosen
  /// at each position.
  std::vector<int> independent;
};

/// closed_forward_dynamics() by the method of your choice; the results stand in `closed` as after
/// that function, but closed.rows, which articulated bodies and cross-inertias do not need. All
/// methods but these, the latter from their second call on, and `rows` allocate, and cost O((nv +
/// rows)³). Embedding throws Error where the independent freedoms do not determine the others,
/// `articulated` and `cross_inertia` where plan.reason of theirs says why, and where rows nearly
/// depend on each other.
std::span<const double> closed_forward_dynamics(const Mechanism& mechanism, double t, In<double> q,
                                                In<double> v, In<double> tau,
                                                const ClosedMethodSettings& settings,
                                                ClosedDynamics& closed,
                                                const Loads<double>& loads = {});

/// closed_velocity() in the same way.
std::span<const double> closed_velocity(const Mechanism& mechanism, double t, In<double> q,
                                        In<double> v, const ClosedMethodSettings& settings,
                                        ClosedDynamics& closed, const Loads<double>& loads = {});

/// v = G ẏ for the velocities that loops without moving targets allow: G (nv × independent), with
/// the independent freedoms' rows of the identity. Throws Error where they do not determine the
/// others.
reference::Matrix<double> embedding_matrix(const Mechanism& mechanism, double t,
                                           std::span<const double> q,
                                           const std::vector<int>& independent);

}  // namespace limber
