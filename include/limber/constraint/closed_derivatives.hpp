#pragma once
// Derivatives of forward dynamics with loops, and the linear system near a state that satisfies
// them. Implicit differentiation of M a + bias = tau + Jᵀ λ, J a + J̇ v = wanted: the same matrices
// for other right-hand sides. What the tree adds is analytic; how the rows of the loops change with
// q and v is differenced to sixth order (a relative error of about 1e-11), custom constraints
// included. Derivatives with respect to q are in tangent space, see dynamics/derivatives.hpp.
#include <string>
#include <vector>

#include <limber/constraint/closed_dynamics.hpp>
#include <limber/reference/dense.hpp>

namespace limber {

/// Derivatives of forward dynamics with loops.
struct ClosedDerivatives {
  using Matrix = reference::Matrix<double>;
  std::vector<double> a, force;        ///< accelerations (nv) and forces of the rows
  Matrix a_q, a_v, a_tau;              ///< (nv × nv)
  Matrix force_q, force_v, force_tau;  ///< (rows × nv)
};

/// closed_forward_dynamics() and its derivatives. Where rows depend on each other, those with
/// respect to q and v hold for displacements that keep the loops closed, and the forces are those
/// of the smallest norm of the linear system; at singular positions, where the rank changes, there
/// are none. `wanted` in `closed` stays constant. Allocates; O(nv · (nv + rows)²). Throws Error as
/// closed_forward_dynamics() does.
ClosedDerivatives closed_forward_dynamics_derivatives(const Mechanism& mechanism, double t,
                                                      In<double> q, In<double> v, In<double> tau,
                                                      ClosedDynamics& closed,
                                                      const Loads<double>& loads = {});

/// Freedoms whose departures describe the state; empty: they are chosen.
struct LinearizationSettings {
  std::vector<int> positions;   ///< as many as positions may be chosen
  std::vector<int> velocities;  ///< as many as velocities may be chosen; fewer where wheels roll
};

/// x = (departures of the chosen positions, of the chosen velocities), ẋ = A x + B δtau.
struct ClosedLinearization {
  using Matrix = reference::Matrix<double>;
  std::vector<int> positions, velocities;  ///< freedoms
  std::vector<std::string> states;         ///< names: "lean", …, then "lean rate", …
  Matrix A;                                ///< (states × states)
  Matrix B;                                ///< (states × nv)
  /// All displacements and departures of velocities: T_q ξ, and T_v η + T_vq ξ.
  Matrix T_q, T_v, T_vq;
};

/// The linear system near (q, v, tau) on the manifold of the loops. Positions and velocities are
/// reduced apart: rolling holds velocities that leave positions free. Exact in time where the state
/// is an equilibrium or a steady motion; elsewhere it is that of this instant. Throws Error where q
/// or v do not satisfy the loops, and where the chosen freedoms do not determine the others.
ClosedLinearization linearize(const Mechanism& mechanism, double t, In<double> q, In<double> v,
                              In<double> tau, const LinearizationSettings& settings,
                              ClosedDynamics& closed, const Loads<double>& loads = {});

}  // namespace limber
