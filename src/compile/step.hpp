#pragma once
// One integration step of the free robot with damping and PD control, as expressions.
#include <map>
#include <span>
#include <string>
#include <vector>

#include <limber/compile/function.hpp>
#include <limber/model/workspace.hpp>
#include <limber/scalar/expr.hpp>

#include "compile/forward.hpp"

namespace limber {

struct StepValues {
  std::vector<Expr> q, v;
  std::vector<Expr> gap, rate;         ///< of the loops' rows, that are left
  std::vector<Expr> forces, residual;  ///< of contact
};

/// With loops: accelerations with them closed, and after the step the state is brought back to
/// them (TracedLoops::state_on_loops()). in: q, v, tau, target, kp, kd, h. centers:
/// fixed_axes_center() of each body. loads: with passive forces. With contact: step_contact.hpp.
/// Throws Error for joints whose positions are moved by a function of numbers.
StepValues traced_step(const BasicModel<Expr>& model, std::span<const Vec3<double>> centers,
                       const std::map<std::string, std::vector<Expr>, std::less<>>& in,
                       const FunctionOptions& options, const Loads<Expr>& loads, ForwardWay way,
                       BasicWorkspace<Expr>& ws);

}  // namespace limber
