#include <limber/constraint/closed_method.hpp>

#include <algorithm>
#include <cmath>

#include <limber/constraint/loop_analysis.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include <fmt/format.h>

#include "constraint/dense_system.hpp"
#include "dynamics/checks.hpp"

namespace limber {

namespace {

/// x with M x − Jᵀ λ = r, J x = c, to `x` and the results of the solver.
void solve_by_method(const Mechanism& m, double t, In<double> q, const Numbers& r, const Numbers& c,
                     const ClosedMethodSettings& settings, ClosedDynamics& closed,
                     const Loads<double>& loads, List<double>& x) {
  const DenseSystem system(m, q, closed, loads);
  DenseSystem::Solution found;
  switch (settings.method) {
    case ClosedMethod::dense:
      found = system.solve_whole(r, c);
      break;
    case ClosedMethod::embedding:
      found = system.solve_embedded(
          r, c,
          settings.independent.empty() ? analyse_loops(m, t, q).independent : settings.independent);
      break;
    default:
      found = system.solve(r, c);
  }
  RowSolver& solver = closed.solver;
  solver.rank = system.rank();
  solver.inconsistency = 0;
  solver.inconsistent_row = -1;
  const Numbers rates = system.J() * found.x;
  for (const int row : system.redundant()) {
    const double left = std::abs(rates[at_index(row)] - c[at_index(row)]);
    if (solver.inconsistent_row < 0 || left > solver.inconsistency)
      solver.inconsistency = left, solver.inconsistent_row = row;
  }
  const std::vector<std::uint8_t> determinate = system.determinate();
  std::copy(determinate.begin(), determinate.end(), solver.is_determinate.begin());
  std::copy(found.force.begin(), found.force.end(), solver.force.begin());
  std::copy(found.x.begin(), found.x.end(), x.begin());
}

/// What a method without rows has found.
template <class Found>
void take_results(const Found& found, RowSolver& solver) {
  solver.rank = found.rank;
  solver.inconsistency = found.inconsistency;
  solver.inconsistent_row = found.inconsistent_row;
  std::copy(found.force.begin(), found.force.end(), solver.force.begin());
  std::copy(found.is_determinate.begin(), found.is_determinate.end(),
            solver.is_determinate.begin());
}

/// Made at the first use.
CrossInertia& cross_of(const Mechanism& m, ClosedDynamics& closed) {
  if (closed.cross.IA.empty()) closed.cross = CrossInertia(m);
  return closed.cross;
}

/// By articulated bodies; false: they cannot, or more care is needed.
bool accelerate_articulated(const Mechanism& m, double t, In<double> q, In<double> v,
                            In<double> tau, ClosedDynamics& closed, const Loads<double>& loads) {
  ArticulatedLoops& loops = closed.articulated;
  if (!loops.plan.reason.empty() || closed.decay_rate != 0) return false;
  if (!closed_articulated_bodies<double>(m, t, q, v, tau, closed.wanted, closed.ws, loops,
                                         closed.acceleration, loads))
    return false;
  take_results(loops, closed.solver);
  return true;
}

/// Multiplications of articulated bodies with loops, about.
double cost_of(const LoopPlan& plan, int bodies) {
  double cost = 400.0 * bodies + 250.0 * plan.passing.count() + 40.0 * plan.products.count();
  for (const LoopPlan::Loop& loop : plan.loops) {
    const double coupled = loop.last_pair - loop.first_pair;
    cost += 200 + 250 * coupled * (coupled + 1);
  }
  return cost;
}

/// Whether cross-inertias are cheaper. With a correction and the search for forces without effect
/// a call costs twice its recursion.
bool prefers_cross(const Mechanism& m, ClosedDynamics& closed) {
  const LoopPlan& plan = closed.articulated.plan;
  constexpr int few_pairs = 4;  // articulated bodies win without a look
  if (plan.reason.empty() && plan.pairs.count() <= few_pairs * plan.loops.count()) return false;
  const CrossPlan& cross = cross_of(m, closed).plan;
  return cross.reason.empty() &&
         (!plan.reason.empty() || 2 * cross.cost < cost_of(plan, m.tree.bodies()));
}

/// By cross-inertias; false: they cannot, or more care is needed.
bool accelerate_by_cross(const Mechanism& m, double t, In<double> q, In<double> v, In<double> tau,
                         ClosedDynamics& closed, const Loads<double>& loads, int most_null) {
  CrossInertia& cross = cross_of(m, closed);
  if (!cross.plan.reason.empty() || closed.decay_rate != 0) return false;
  if (!cross_inertia_dynamics(m, t, q, v, tau, closed.wanted, closed.ws, cross, closed.acceleration,
                              most_null, loads))
    return false;
  take_results(cross, closed.solver);
  return true;
}

[[noreturn]] void refuse_method(const Mechanism& m, const char* method, const std::string& reason,
                                const ClosedDynamics& closed) {
  throw Error(fmt::format(
      "the loops of robot '{}' cannot be eliminated by {}: {}; use the method rows or automatic",
      m.tree.name, method,
      !reason.empty()          ? reason
      : closed.decay_rate != 0 ? std::string("Baumgarte's method needs the rows")
                               : std::string("rows nearly depend on each other at this position")));
}

}  // namespace

const char* name(ClosedMethod method) {
  switch (method) {
    case ClosedMethod::automatic:
      return "automatic";
    case ClosedMethod::articulated:
      return "articulated";
    case ClosedMethod::cross_inertia:
      return "cross_inertia";
    case ClosedMethod::rows:
      return "rows";
    case ClosedMethod::dense:
      return "dense";
    case ClosedMethod::null_space:
      return "null_space";
    case ClosedMethod::embedding:
      return "embedding";
  }
  return "";
}

std::span<const double> closed_forward_dynamics(const Mechanism& m, double t, In<double> q,
                                                In<double> v, In<double> tau,
                                                const ClosedMethodSettings& settings,
                                                ClosedDynamics& closed,
                                                const Loads<double>& loads) {
  const char* function = "closed_forward_dynamics";
  check_workspace(function, m.tree, closed);
  const bool is_automatic = settings.method == ClosedMethod::automatic;
  if (settings.method == ClosedMethod::cross_inertia ||
      (is_automatic && prefers_cross(m, closed))) {
    const int most_null = is_automatic ? few_null_forces : m.rows;
    if (accelerate_by_cross(m, t, q, v, tau, closed, loads, most_null)) return closed.acceleration;
    if (!is_automatic) refuse_method(m, "cross-inertias", closed.cross.plan.reason, closed);
  } else if (is_automatic || settings.method == ClosedMethod::articulated) {
    if (accelerate_articulated(m, t, q, v, tau, closed, loads)) return closed.acceleration;
    if (!is_automatic)
      refuse_method(m, "articulated bodies", closed.articulated.plan.reason, closed);
  }
  if (is_automatic || settings.method == ClosedMethod::rows)
    return closed_forward_dynamics<double>(m, t, q, v, tau, closed, loads);
  check_size(function, "tau", tau.size(), m.tree.nv, m.tree.name);
  check_regular(m.tree.name, m.tree.singular_reason);
  const std::span<const double> bias = bias_forces<double>(m.tree, q, v, closed.ws, loads);
  Numbers r(tau.begin(), tau.end()), c(at_index(m.rows));
  for (std::size_t k = 0; k < r.size(); ++k) r[k] -= bias[k];
  loop_rows<double>(m, t, q, v, closed.ws, closed.rows);
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = closed.wanted[i] - closed.rows.bias[i];
  check_result<double>(m.tree, "dynamics with closed loops", q, v, "tau", tau, r);
  solve_by_method(m, t, q, r, c, settings, closed, loads, closed.acceleration);
  check_result<double>(m.tree, "dynamics with closed loops", q, v, "tau", tau, closed.acceleration);
  return closed.acceleration;
}

std::span<const double> closed_velocity(const Mechanism& m, double t, In<double> q, In<double> v,
                                        const ClosedMethodSettings& settings,
                                        ClosedDynamics& closed, const Loads<double>& loads) {
  if (settings.method <= ClosedMethod::rows)  // these have no other way for velocities
    return closed_velocity<double>(m, t, q, v, closed, loads);
  const char* function = "closed_velocity";
  check_workspace(function, m.tree, closed);
  check_size(function, "v", v.size(), m.tree.nv, m.tree.name);
  check_regular(m.tree.name, m.tree.singular_reason);
  loop_jacobian<double>(m, t, q, closed.ws, closed.rows);
  Dense M(m.tree.nv, m.tree.nv);
  mass_matrix<double>(m.tree, q, closed.ws, M.data, loads);
  Numbers c(at_index(m.rows));
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = -closed.rows.drift[i];
  const Numbers r = M * Numbers(v.begin(), v.end());
  check_result<double>(m.tree, "dynamics with closed loops", q, v, "v", v, r);
  solve_by_method(m, t, q, r, c, settings, closed, loads, closed.velocity);
  return closed.velocity;
}

reference::Matrix<double> embedding_matrix(const Mechanism& m, double t, std::span<const double> q,
                                           const std::vector<int>& independent) {
  Workspace ws(m.tree);
  LoopRows rows(m);
  loop_jacobian<double>(m, t, q, ws, rows);
  Dense J(m.rows, m.tree.nv);
  for (int i = 0; i < m.rows; ++i)
    for (int k = 0; k < m.tree.nv; ++k) J(i, k) = rows.jt(k, i);
  for (const int k : independent)
    if (k < 0 || k >= m.tree.nv)
      throw Error("embedding_matrix: an independent freedom is not one of robot '" + m.tree.name +
                  "'");
  return Embedding(J, independent, m.tree.name).G;
}

}  // namespace limber
