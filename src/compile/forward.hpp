#pragma once
// Forward dynamics as expressions, in ways that differ in operations and in values to be kept.
#include <vector>

#include <limber/dynamics/loads.hpp>
#include <limber/model/workspace.hpp>
#include <limber/scalar/expr.hpp>

namespace limber {

/// How the equation M a = tau − bias is solved. The bias forces come first, by inverse dynamics.
enum class ForwardWay : std::uint8_t {
  /// Articulated bodies of the robot at rest: without velocities there is less to carry from the
  /// inward to the outward pass than in the library's own recursion. For long and branched robots.
  articulated_bodies,
  /// The mass matrix, its factor and a solve. For arms.
  mass_matrix,
};

/// a(q, v, tau). Throws Error for a robot that cannot have forward dynamics.
std::vector<Expr> traced_forward_dynamics(const BasicModel<Expr>& model, std::span<const Expr> q,
                                          std::span<const Expr> v, std::span<const Expr> tau,
                                          BasicWorkspace<Expr>& ws, const Loads<Expr>& loads,
                                          ForwardWay way);

}  // namespace limber
