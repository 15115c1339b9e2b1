#pragma once
// Inverse dynamics with loops: efforts of actuators for a given motion, and the forces of the
// loops. M a + bias = E u + Jᵀ λ, with the actuated freedoms E. Whatever the loops leave free must
// be driven: with the motions N that they allow, Nᵀ E u = Nᵀ (M a + bias). [RDA] §9.6
#include <vector>

#include <limber/constraint/closed_dynamics.hpp>

namespace limber {

/// Which freedoms are driven, and how efforts are chosen.
struct ActuationSettings {
  std::vector<int> actuated;  ///< freedoms that have actuators; empty: all
  /// Of u² of each of them, positive: more actuators than the motion needs share it so that Σ w u²
  /// is smallest. Empty: 1.
  std::vector<double> weight;
  /// The smallest and the largest effort of each; empty: without limits. [N m or N]
  std::vector<double> lower, upper;
  /// What the motion may miss the loops by, and what the efforts may miss the forces by, each
  /// relative to the sizes that they are made of.
  double tolerance = 1e-8;
};

/// What inverse dynamics with loops found.
struct ClosedEfforts {
  std::vector<double> tau;         ///< (nv), zero where nothing is actuated [N m or N]
  std::vector<double> loop_force;  ///< λ (rows) [N or N m]
  bool is_determinate = true;      ///< the efforts are the only ones possible
  std::vector<std::uint8_t> is_force_determinate;  ///< of each entry of loop_force
  std::vector<int> at_limit;                       ///< freedoms whose effort is one of its limits
};

/// Efforts for accelerations a at (q, v), which must satisfy the loops. Throws Error where they do
/// not (naming the row), where the actuators cannot produce the motion (naming the freedom that
/// misses most) and where their limits do not let them.
ClosedEfforts closed_inverse_dynamics(const Mechanism& mechanism, double t, In<double> q,
                                      In<double> v, In<double> a, const ActuationSettings& settings,
                                      ClosedDynamics& closed, const Loads<double>& loads = {});

/// Accelerations and forces of all freedoms and loops.
struct ClosedHybrid {
  std::vector<double> a, tau;      ///< (nv)
  std::vector<double> loop_force;  ///< (rows)
  bool is_determinate = true;      ///< tau is the only one possible
};

/// Of each freedom either the force or the acceleration is given, see hybrid_dynamics(). More
/// accelerations than the mechanism has freedoms must agree with the loops (otherwise Error, naming
/// the row or the freedom); the efforts are then the smallest, in the measure of row_solver.hpp.
ClosedHybrid closed_hybrid_dynamics(const Mechanism& mechanism, double t, In<double> q,
                                    In<double> v, std::span<const Known> known, In<double> given,
                                    ClosedDynamics& closed, const Loads<double>& loads = {});

}  // namespace limber
