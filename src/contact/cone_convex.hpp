#pragma once
// Coulomb's problem as a sequence of convex problems.
#include <limber/contact/cone_solver.hpp>

namespace limber {

/// Improves the impulses of an island until its residual is at most the goal, for at most so many
/// rounds; leaves what was best. Returns the number of Newton steps.
int improve_by_convex_problems(ContactProblem& problem, const ContactIsland& island, double goal,
                               int rounds, ConeSolver& solver);

/// Of an island that is solved to the tolerance: where other forces do the same, those of least
/// Σ softness |λ|². Velocities stay. Returns the number of Newton steps.
int share_loads(ContactProblem& problem, const ContactIsland& island, double tolerance,
                ConeSolver& solver);

/// How many numbers of z the island's contacts share.
int count_freedoms(const ContactProblem& problem, const ContactIsland& island, ConeSolver& solver);

}  // namespace limber
