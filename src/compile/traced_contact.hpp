#pragma once
// Contact with the ground as expressions: limber/compile/step_contact.hpp.
#include <span>
#include <vector>

#include <limber/compile/step_contact.hpp>
#include <limber/dynamics/loads.hpp>
#include <limber/dynamics/tree_factor.hpp>
#include <limber/scalar/expr.hpp>

namespace limber {

/// What contact makes of one step.
struct ContactMotion {
  std::vector<Expr> a;       ///< accelerations that give the velocity after the step (nv)
  std::vector<Expr> forces;  ///< on the candidates, world axes (3 each) [N]
  Expr residual;             ///< the largest [m/s]
};

/// last_forces: of the candidates, world axes (3 each) [N]; empty: zero. v_fixed (nv): the
/// velocity, with what turning axes do to it within the step. rest (nv): forces less bias forces, M
/// a = rest without contact.
ContactMotion traced_contact(const BasicModel<Expr>& model, const StepContact& contact,
                             std::span<const Expr> q, std::span<const Expr> v_fixed,
                             std::span<const Expr> rest, std::span<const Expr> last_forces, Expr h,
                             const Loads<Expr>& loads, BasicWorkspace<Expr>& ws);

}  // namespace limber
