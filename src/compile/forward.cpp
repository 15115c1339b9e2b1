#include "compile/forward.hpp"

#include <limber/dynamics/forward_dynamics.hpp>

namespace limber {

std::vector<Expr> traced_forward_dynamics(const BasicModel<Expr>& model, std::span<const Expr> q,
                                          std::span<const Expr> v, std::span<const Expr> tau,
                                          BasicWorkspace<Expr>& ws, const Loads<Expr>& loads,
                                          ForwardWay way) {
  std::span<const Expr> a;
  if (way == ForwardWay::mass_matrix) {
    a = forward_dynamics_by_mass_matrix<Expr>(model, q, v, tau, ws, loads);
  } else {
    const std::span<const Expr> bias = bias_forces<Expr>(model, q, v, ws, loads);
    std::vector<Expr> rest(tau.begin(), tau.end());
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= bias[k];
    BasicModel<Expr> weightless = model;
    weightless.gravity = {};
    const std::vector<Expr> at_rest(v.size());
    // of a fluid at rest only its added mass is left
    FluidLoad<Expr> still;
    Loads<Expr> inertia;
    if (loads.fluid) still = FluidLoad<Expr>(loads.fluid->bodies()), inertia.fluid = &still;
    a = forward_dynamics<Expr>(weightless, q, at_rest, rest, ws, inertia);
  }
  return {a.begin(), a.end()};
}

}  // namespace limber
