#pragma once
// Closed mechanisms as expressions: forward dynamics with loops, and what brings a state back to
// them after a step.
#include <span>
#include <vector>

#include <limber/constraint/articulated_loops.hpp>
#include <limber/scalar/expr.hpp>

namespace limber {

class TracedLoops {
 public:
  using Values = std::vector<Expr>;
  using Reading = std::span<const Expr>;

  /// Throws Error where the loops cannot be compiled.
  explicit TracedLoops(const BasicModel<Expr>& model);

  struct Forward {
    Values a, force, residual;
  };
  /// With corrections: closed_forward_dynamics_proximal().
  Forward forward_dynamics(Reading q, Reading v, Reading tau, BasicWorkspace<Expr>& ws,
                           const Loads<Expr>& loads);
  /// Accelerations without corrections. What these would change lies across the motions that the
  /// loops allow, and state_on_loops() takes it out.
  Values acceleration(Reading q, Reading v, Reading tau, BasicWorkspace<Expr>& ws,
                      const Loads<Expr>& loads);

  struct State {
    Values q, v;
    Values gap, rate;  ///< of the rows, that are left
  };
  /// One step of Newton's method for the gaps, then the nearest velocity that the loops allow at
  /// the new position; both measured by the mass matrix.
  State state_on_loops(const Values& q, const Values& v, BasicWorkspace<Expr>& ws);

 private:
  /// x of M x = Jᵀ λ, J x = wanted at q.
  Values displacement(Reading q, const Values& wanted, BasicWorkspace<Expr>& ws);

  BasicMechanism<Expr> mechanism_, weightless_;
  BasicArticulatedLoops<Expr> loops_;
};

}  // namespace limber
