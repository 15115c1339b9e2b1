#include <limber/reference/forward_dynamics.hpp>

#include <limber/reference/mass_matrix.hpp>
#include <limber/reference/inverse_dynamics.hpp>

#include "reference/input.hpp"
#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

// Q − C, with C the forces for q̈ = 0. [RDA] (5.3)
template <class T>
std::vector<T> forces_to_accelerate(const Tree<T>& t, std::span<const T> tau) {
  const std::vector<T> C = absolute_inverse_dynamics<T>(t, std::vector<T>(at_index(t.nv)));
  check_input("tau", tau, t.nv, t.name);
  std::vector<T> b;
  for (std::size_t k = 0; k < C.size(); ++k) b.push_back(tau[k] - C[k]);
  return b;
}

template <class T>
T dot(const std::vector<T>& x, const std::vector<T>& y) {
  T sum(0);
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}
// x += s y
template <class T>
void add(std::vector<T>& x, const T& s, const std::vector<T>& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += s * y[k];
}

// a direction p, its product H p and pᵀ H p
template <class T>
struct Direction {
  std::vector<T> p, Hp;
  T curvature;
};

// what is left of r when its parts along earlier directions are taken away
template <class T>
std::vector<T> conjugate_part(std::vector<T> r, const std::vector<Direction<T>>& earlier,
                              Conjugacy conjugacy) {
  const std::size_t count = earlier.size();
  for (std::size_t k = conjugacy == Conjugacy::all || count == 0 ? 0 : count - 1; k < count; ++k)
    add(r, -(dot(r, earlier[k].Hp) / earlier[k].curvature), earlier[k].p);
  return r;
}

}  // namespace

template <class T>
std::vector<T> forward_dynamics_by_mass_matrix(const Tree<T>& t, In<T> tau) {
  std::vector<T> x = forces_to_accelerate<T>(t, tau);
  Ldlt<T>(walker_orin_3(t), "mass matrix of robot '" + t.name + "'").solve(x);
  return x;
}

template <class T>
IterativeSolution<T> walker_orin_4(const Tree<T>& t, In<T> tau, Conjugacy conjugacy) {
  const std::vector<T> b = forces_to_accelerate<T>(t, tau);
  IterativeSolution<T> solution{std::vector<T>(b.size()), 0, T(0)};
  const T size = dot(b, b);
  if (size == T(0)) return solution;
  const T negligible = size * T(1e-32);
  std::vector<Direction<T>> directions;
  std::vector<T> r = b;
  while (solution.iterations < t.nv && dot(r, r) > negligible) {
    Direction<T> d;
    d.p = conjugate_part(r, directions, conjugacy);
    d.Hp = inertia_times<T>(t, d.p);
    d.curvature = dot(d.p, d.Hp);
    require_positive(d.curvature, "walker_orin_4 of robot '" + t.name + "'");
    const T step = dot(d.p, r) / d.curvature;
    add(solution.a, step, d.p);
    add(r, -step, d.Hp);
    directions.push_back(d);
    ++solution.iterations;
  }
  std::vector<T> rest = b;
  add(rest, T(-1), inertia_times<T>(t, solution.a));
  solution.residual = sqrt(dot(rest, rest) / size);
  return solution;
}

#define LIMBER_REFERENCE_FORWARD_DYNAMICS(T)                                      \
  template std::vector<T> forward_dynamics_by_mass_matrix(const Tree<T>&, In<T>); \
  template IterativeSolution<T> walker_orin_4(const Tree<T>&, In<T>, Conjugacy);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_FORWARD_DYNAMICS)

}  // namespace limber::reference
