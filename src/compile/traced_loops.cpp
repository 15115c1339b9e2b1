#include "compile/traced_loops.hpp"

#include <limber/model/joint_space.hpp>

#include "constraint/loop_drift.hpp"
#include "constraint/proximal.hpp"
#include "index.hpp"

namespace limber {

namespace {

BasicModel<Expr> without_gravity(BasicModel<Expr> model) {
  model.gravity = {};
  return model;
}

}  // namespace

TracedLoops::TracedLoops(const BasicModel<Expr>& model)
    : mechanism_(model), weightless_(without_gravity(model)), loops_(mechanism_) {}

TracedLoops::Forward TracedLoops::forward_dynamics(Reading q, Reading v, Reading tau,
                                                   BasicWorkspace<Expr>& ws,
                                                   const Loads<Expr>& loads) {
  const auto rows = at_index(mechanism_.rows);
  Forward out{Values(v.size()), Values(rows), Values(rows)};
  closed_forward_dynamics_proximal<Expr>(mechanism_, 0, q, v, tau, ws, loops_, out.a, out.force,
                                         out.residual, loads);
  return out;
}

TracedLoops::Values TracedLoops::acceleration(Reading q, Reading v, Reading tau,
                                              BasicWorkspace<Expr>& ws, const Loads<Expr>& loads) {
  Values a(v.size());
  const Values wanted(at_index(mechanism_.rows));
  closed_articulated_bodies<Expr>(mechanism_, 0, q, v, tau, wanted, ws, loops_, a, loads);
  return a;
}

TracedLoops::Values TracedLoops::displacement(Reading q, const Values& wanted,
                                              BasicWorkspace<Expr>& ws) {
  const Values zeros(at_index(mechanism_.tree.nv));
  Values x(zeros.size());
  closed_articulated_bodies<Expr>(weightless_, 0, q, zeros, zeros, wanted, ws, loops_, x);
  return x;
}

TracedLoops::State TracedLoops::state_on_loops(const Values& q, const Values& v,
                                               BasicWorkspace<Expr>& ws) {
  const auto rows = at_index(mechanism_.rows);
  State next{q, v, Values(rows), Values(rows)};
  const auto drift = [&] { loop_drift<Expr>(mechanism_, next.q, next.v, ws, next.gap, next.rate); };
  const auto minus = [](Values x) {
    for (Expr& entry : x) entry = -entry;
    return x;
  };
  drift();
  const Values moved = displacement(q, minus(next.gap), ws);
  integrate<Expr>(mechanism_.tree, q, moved, Expr(1), next.q);
  drift();
  const Values change = displacement(next.q, minus(next.rate), ws);
  for (std::size_t k = 0; k < v.size(); ++k) next.v[k] += change[k];
  next.rate = minus(proximal_residual(mechanism_, loops_));
  return next;
}

}  // namespace limber
