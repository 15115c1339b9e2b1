// Newton's method on the gaps of the loops, in the metric of the mass matrix.
#include <limber/constraint/closed_dynamics.hpp>

#include <algorithm>
#include <cmath>

#include <limber/model/joint_space.hpp>

#include "constraint/held_freedoms.ipp"
#include "dynamics/fold.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

template <class T>
void find_largest_gap(std::span<const T> gaps, ClosedPosition& found) {
  found.gap = 0;
  found.row = -1;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const double size = std::abs(static_cast<double>(gaps[i]));
    if (!(size <= found.gap)) found.gap = size, found.row = static_cast<int>(i);
  }
}

}  // namespace

template <class T>
ClosedPosition close_loops(const BasicMechanism<T>& m, std::type_identity_t<T> t, Out<T> q,
                           BasicClosedDynamics<T>& closed, std::type_identity_t<T> tolerance,
                           std::span<const Known> known) {
  const char* name = "close_loops";
  check_workspace(name, m.tree, closed);
  check_size(name, "q", q.size(), m.tree.nq, m.tree.name);
  constexpr int most_iterations = 20;
  ClosedPosition found;
  find_largest_gap<T>(loop_gaps<T>(m, t, q, closed.ws, closed.rows), found);
  std::copy(q.begin(), q.end(), closed.moved.begin());
  while (found.gap > tolerance && found.iterations < most_iterations) {
    ++found.iterations;
    factorize<T>(m.tree, closed.moved, closed.ws, closed.factor, {}, known);
    loop_jacobian<T>(m, t, closed.moved, closed.ws, closed.rows);
    for (int i = 0; i < m.rows; ++i) closed.right[i] = -closed.rows.gap[i];
    std::fill(closed.velocity.begin(), closed.velocity.end(), T(0));
    take_held_to_right<T>(m, known, closed.velocity, closed);
    solve_rows<T>(closed.factor, closed.rows, closed.right, closed.solver, closed.velocity);
    integrate<T>(m.tree, closed.moved, closed.velocity, T(1), closed.moved);
    ClosedPosition next = found;
    find_largest_gap<T>(loop_gaps<T>(m, t, closed.moved, closed.ws, closed.rows), next);
    if (!(next.gap < found.gap)) break;
    found = next;
    std::copy(closed.moved.begin(), closed.moved.end(), q.begin());
  }
  found.is_closed = found.gap <= tolerance;
  return found;
}

#define LIMBER_CLOSE_LOOPS(T)                                                                    \
  template ClosedPosition close_loops(const BasicMechanism<T>&, std::type_identity_t<T>, Out<T>, \
                                      BasicClosedDynamics<T>&, std::type_identity_t<T>,          \
                                      std::span<const Known>);
LIMBER_FOR_EACH_NUMBER(LIMBER_CLOSE_LOOPS)

}  // namespace limber
