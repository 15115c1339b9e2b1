#pragma once
// Newton's method for the contacts of one island.
#include <limber/contact/cone_solver.hpp>

namespace limber {

/// Improves the impulses of an island until its residual is at most the tolerance; leaves what was
/// best. Returns the number of steps. No rows of turning.
int improve_by_newton(ContactProblem& problem, const ContactIsland& island, double tolerance,
                      ConeSolver& solver);

/// The largest residual of the island's contacts, with z as it is.
ConeResult island_residual(const ContactProblem& problem, const ContactIsland& island,
                           FrictionShape shape, const List<ConeSolver::Block>& blocks);

}  // namespace limber
