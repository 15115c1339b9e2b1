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
  Expr sinks = 0.0;  ///< 1: with the mean of both velocities something would sink in; else 0
};

/// Of a step whose rows are those of its middle. Contacts that had a force in the last step hold
/// the velocity at its end; others close their gap by then.
struct ContactMiddle {
  std::vector<Expr> v_begin;      ///< at the beginning, in the axes of the middle (nv)
  std::vector<Vec3<Expr>> rates;  ///< of the candidates' velocities if nothing acted, world axes
};

/// Forces on the candidates as generalised forces (nv). forces: world axes (3 each) [N].
std::vector<Expr> generalized_contact_forces(const BasicModel<Expr>& model,
                                             const StepContact& contact, std::span<const Expr> q,
                                             std::span<const Expr> forces,
                                             BasicWorkspace<Expr>& ws);
/// How fast the velocities of the points where candidates touch change with the accelerations a,
/// world axes; what touches with a radius touches at the bottom of it all the time.
std::vector<Vec3<Expr>> contact_rates(const BasicModel<Expr>& model, const StepContact& contact,
                                      std::span<const Expr> q, std::span<const Expr> v,
                                      std::span<const Expr> a, BasicWorkspace<Expr>& ws);

/// last_forces: of the candidates, world axes (3 each) [N]; empty: zero. v_fixed (nv): the
/// velocity, with what turning axes do to it within the step. rest (nv): forces less bias forces, M
/// a = rest without contact.
ContactMotion traced_contact(const BasicModel<Expr>& model, const StepContact& contact,
                             std::span<const Expr> q, std::span<const Expr> v_fixed,
                             std::span<const Expr> rest, std::span<const Expr> last_forces, Expr h,
                             const Loads<Expr>& loads, BasicWorkspace<Expr>& ws,
                             const ContactMiddle* middle = nullptr);

}  // namespace limber
