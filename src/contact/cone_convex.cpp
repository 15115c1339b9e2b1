// With De Saxcé's term s = μ |u_t| held, Coulomb's problem is convex: min ½ |z|² + what the cones
// say of u = W z + b + s n. An augmented Lagrangian makes it smooth,
//   ½ |z|² + Σ R/2 |Π(λ̄ − u / R)|²,
// Newton's method with a search along the line finds its minimum from anywhere, and λ̄ = Π(λ̄ − u /
// R) and s follow. It works over the freedoms of the island, of which redundant contacts have fewer
// than rows.
#include "contact/convex_island.hpp"

namespace limber {

int count_freedoms(const ContactProblem& problem, const ContactIsland& island, ConeSolver& solver) {
  mark_freedoms(problem, island, solver);
  unmark_freedoms(solver);
  return solver.freedom.count();
}

int improve_by_convex_problems(ContactProblem& problem, const ContactIsland& island, double goal,
                               int rounds, ConeSolver& solver) {
  ConvexIsland convex{problem, island, solver, 1e-3};
  convex.make_room();
  problem.fill_response(island);
  constexpr int patience = 6;  // rounds in which the residual must halve
  double best = HUGE_VAL, mark = HUGE_VAL;
  int steps = 0;
  for (int round = 0;; ++round) {
    const double found =
        island_residual(problem, island, FrictionShape::cone, solver.blocks).residual;
    if (found < best) {
      best = found;
      for (int i = 0; i < convex.count(); ++i)
        solver.best[i] = convex.impulse(solver.convex_rows[i]);
    }
    if (found <= goal || round >= rounds || !(found < HUGE_VAL)) break;
    if (round % patience == patience - 1) {
      if (best > 0.5 * mark) break;
      mark = best;
    }
    convex.begin_round();
    // in z velocities are divided by the root of A: the goal in its units, and some of what is left
    double softest = HUGE_VAL;
    for (const ConeSolver::Rows& rows : solver.convex_rows) softest = std::min(softest, rows.R);
    const double weight = softest / convex.softness;
    const double accuracy =
        weight < HUGE_VAL ? 0.03 * std::max(found * 0.1, goal) / std::sqrt(weight) : 0;
    steps += convex.minimise(accuracy);
    for (int i = 0; i < convex.count(); ++i)
      convex.impulse(solver.convex_rows[i]) = convex.project(solver.convex_rows[i], solver.y[i]);
    problem.fill_response(island);
  }
  for (int i = 0; i < convex.count(); ++i) convex.impulse(solver.convex_rows[i]) = solver.best[i];
  problem.fill_response(island);
  unmark_freedoms(solver);
  return steps;
}

}  // namespace limber
