#pragma once
// One integration step of the free robot with damping and PD control, as expressions.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <limber/compile/function.hpp>
#include <limber/model/workspace.hpp>
#include <limber/scalar/expr.hpp>

namespace limber {

struct StepValues {
  std::vector<Expr> q, v;
};

/// in: q, v, tau, target, kp, kd, h. Throws Error for joints whose positions are moved by a
/// function of numbers.
StepValues traced_step(const BasicModel<Expr>& model,
                       const std::map<std::string, std::vector<Expr>, std::less<>>& in,
                       StepMethod method, BasicWorkspace<Expr>& ws);

}  // namespace limber
