#include "contact/cone_newton.hpp"

#include "contact/cone_block.hpp"
#include "dynamics/tree_factor.ipp"
#include "index.hpp"

namespace limber {

namespace {

constexpr int newton_padding = 8;

/// Newton's method on one island. Its equations, Alart and Curnier's, with x = λ − ρ u:
///   open (x_n ≤ 0):                λ = 0
///   sticking (|x_t| ≤ μ x_n):      u = 0
///   sliding:                       u_n = 0,  λ_t = μ x_n x_t / |x_t|
///   with a slip s that is given:   u_n = 0,  λ_t = −μ λ_n s
struct IslandNewton {
  ContactProblem& problem;
  const ContactIsland& island;
  ConeSolver& s;
  int stride = 0, size = 0;

  int contact(int i) const { return problem.order[island.first + i]; }
  double* row(AlignedVector<double>& M, int r) const { return M.data() + r * stride; }

  void make_room() {
    stride = (3 * island.contacts + 1 + newton_padding - 1) / newton_padding * newton_padding;
    const std::size_t n = at_index(3 * island.contacts), numbers = n * at_index(stride);
    if (s.A.size() < numbers) s.A.resize(numbers), s.G.resize(numbers);
    if (s.step.size() < n) s.step.resize(n), s.rows.resize(n);
    const std::size_t contacts = at_index(island.contacts);
    if (s.place.size() < contacts) {
      s.place.resize(contacts);
      for (List<Vec3<double>>* list : {&s.u, &s.start}) list->resize(contacts);
    }
    if (s.spread.count() < problem.size) s.spread.resize(at_index(problem.size));
  }

  /// A of all contacts of the island.
  void fill_matrix() {
    for (int i = 0; i < island.contacts; ++i) {
      const int c = contact(i);
      for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
        s.spread[problem.place[e]] = problem.W[e];
      for (int j = i; j < island.contacts; ++j) {
        const int d = contact(j);
        Mat3<double> block;
        for (int e = problem.first[d]; e < problem.first[d + 1]; ++e)
          block += outer(s.spread[problem.place[e]], problem.W[e]);
        for (int k = 0; k < 3; ++k) {
          const Vec3<double> r = block.row(k);
          double* to = row(s.A, 3 * i + k) + 3 * j;
          to[0] = r.x, to[1] = r.y, to[2] = r.z;
          for (int l = 0; l < 3; ++l) row(s.A, 3 * j + l)[3 * i + k] = to[l];
        }
      }
      row(s.A, 3 * i)[3 * i] += problem.law[c].compliance;
      for (int e = problem.first[c]; e < problem.first[c + 1]; ++e) s.spread[problem.place[e]] = {};
    }
  }

  /// Sum of the squares of the residuals.
  double merit() {
    problem.fill_response(island);
    double sum = 0;
    for (int i = 0; i < island.contacts; ++i) {
      const int c = contact(i);
      s.u[i] = problem.velocity(c);
      const ContactLaw& law = problem.law[c];
      const Vec3<double>& l = problem.impulse[c];
      const double r = law.has_slip() ? sliding_residual(s.u[i], l, law, s.blocks[c].weight)
                                      : cone_residual(s.u[i], l, law.friction, s.blocks[c].weight);
      sum += r * r;
    }
    return sum;
  }

  /// Row r of G: a combination of rows of A of the contact i, over the closed contacts. Returns
  /// what those do to it that open, and leave with their impulse.
  double set_row(int r, int i, const Vec3<double>& factors) {
    constexpr int lanes = lane_count<double>;
    double* to = row(s.G, r);
    const double* from = row(s.A, 3 * i);
    for (int j = 0; j < stride; j += lanes)
      (Lanes<double>(factors.x) * Lanes<double>::load(from + j) +
       Lanes<double>(factors.y) * Lanes<double>::load(from + stride + j) +
       Lanes<double>(factors.z) * Lanes<double>::load(from + 2 * stride + j))
          .store(to + j);
    if (size == 3 * island.contacts) return 0;
    double opening = 0;
    for (int j = 0; j < island.contacts; ++j) {
      const double own[3] = {to[3 * j], to[3 * j + 1], to[3 * j + 2]};
      if (s.place[j] >= 0) {
        for (int k = 0; k < 3; ++k) to[s.place[j] + k] = own[k];
      } else {
        const Vec3<double>& l = problem.impulse[contact(j)];
        opening -= own[0] * l.x + own[1] * l.y + own[2] * l.z;
      }
    }
    return opening;
  }

  /// One equation: (factors · A) Δλ + own · Δλ_i = right.
  void equation(int r, int i, const Vec3<double>& factors, const Vec3<double>& own, double right) {
    const double opening = set_row(r, i, factors);
    double* to = row(s.G, r);
    for (int k = 0; k < 3; ++k) to[s.place[i] + k] += own[k];
    to[size] = right - opening;
  }

  /// proximal: how much each change of an impulse is held back, in units of A_nn.
  void fill_equations(double proximal) {
    size = 0;
    for (int i = 0; i < island.contacts; ++i) {
      const ConeSolver::Block& block = s.blocks[contact(i)];
      const double x_n = problem.impulse[contact(i)].x * block.weight - s.u[i].x;
      const bool closed = block.weight > 0 && x_n > 0;
      s.place[i] = closed ? size : -1;
      if (closed) size += 3;
    }
    for (int i = 0; i < island.contacts; ++i) {
      if (s.place[i] < 0) continue;
      const int c = contact(i), r = s.place[i];
      const double weight = s.blocks[c].weight, mu = problem.law[c].friction;
      const Vec3<double>&l = problem.impulse[c], &u = s.u[i];
      const Vec3<double> x = l * weight - u;  // in units of velocity
      const double t = length_of(x.y, x.z), own = proximal * weight;
      equation(r, i, {1, 0, 0}, {own, 0, 0}, -u.x);
      if (problem.law[c].has_slip()) {  // friction goes with the normal
        const double slip[2] = {problem.law[c].slip_1, problem.law[c].slip_2};
        for (int k = 0; k < 2; ++k) {
          Vec3<double> on_own{mu * slip[k] * weight, 0, 0};
          on_own[k + 1] += weight;
          equation(r + 1 + k, i, {}, on_own, -weight * (l[k + 1] + mu * slip[k] * l.x));
        }
        continue;
      }
      if (!(mu > 0)) {  // no friction
        equation(r + 1, i, {}, {0, weight, 0}, -weight * l.y);
        equation(r + 2, i, {}, {0, 0, weight}, -weight * l.z);
        continue;
      }
      if (t <= mu * x.x) {
        equation(r + 1, i, {0, 1, 0}, {0, own, 0}, -u.y);
        equation(r + 2, i, {0, 0, 1}, {0, 0, own}, -u.z);
        continue;
      }
      const double d[2] = {x.y / t, x.z / t}, kappa = mu * x.x / t;
      for (int k = 0; k < 2; ++k) {
        const double P[2] = {(k == 0 ? 1.0 : 0.0) - d[k] * d[0],
                             (k == 1 ? 1.0 : 0.0) - d[k] * d[1]};
        const Vec3<double> factors{mu * d[k], kappa * P[0], kappa * P[1]};
        Vec3<double> on_own{-mu * d[k] * weight, -kappa * P[0] * weight, -kappa * P[1] * weight};
        on_own[k + 1] += weight;
        equation(r + 1 + k, i, factors, on_own, -(weight * l[k + 1] - mu * x.x * d[k]));
      }
    }
  }

  /// step := solution of the equations. False: they are singular.
  bool solve_equations() {
    constexpr int lanes = lane_count<double>;
    for (int r = 0; r < size; ++r) s.rows[r] = r;
    for (int k = 0; k < size; ++k) {
      int best = k;
      for (int r = k + 1; r < size; ++r)
        if (std::abs(row(s.G, s.rows[r])[k]) > std::abs(row(s.G, s.rows[best])[k])) best = r;
      std::swap(s.rows[k], s.rows[best]);
      const double* pivot = row(s.G, s.rows[k]);
      if (!(std::abs(pivot[k]) > 0)) return false;
      const double inverse = 1 / pivot[k];
      const int first = k / lanes * lanes;
      for (int r = k + 1; r < size; ++r) {
        double* to = row(s.G, s.rows[r]);
        if (to[k] != 0) subtract_scaled(to + first, pivot + first, to[k] * inverse, stride - first);
      }
    }
    for (int k = size - 1; k >= 0; --k) {
      const double* from = row(s.G, s.rows[k]);
      double sum = from[size];
      for (int j = k + 1; j < size; ++j) sum -= from[j] * s.step[j];
      s.step[k] = sum / from[k];
    }
    return true;
  }

  void move(double share) {
    for (int i = 0; i < island.contacts; ++i) {
      const int r = s.place[i];
      const Vec3<double> change =
          r < 0 ? -s.start[i] : Vec3<double>{s.step[r], s.step[r + 1], s.step[r + 2]};
      problem.impulse[contact(i)] = s.start[i] + change * share;
    }
  }
  void keep(List<Vec3<double>>& to) const {
    for (int i = 0; i < island.contacts; ++i) to[i] = problem.impulse[contact(i)];
  }
  void give_back(const List<Vec3<double>>& from) {
    for (int i = 0; i < island.contacts; ++i) problem.impulse[contact(i)] = from[i];
  }
};

}  // namespace

int improve_by_newton(ContactProblem& problem, const ContactIsland& island, double tolerance,
                      ConeSolver& solver) {
  constexpr int most_steps = 60;
  // contacts that contradict each other have no solution: impulses would grow for little
  constexpr double enough = 0.99;
  constexpr double least_proximal = 1e-9, most_proximal = 1;
  IslandNewton newton{problem, island, solver};
  newton.make_room();
  newton.fill_matrix();
  double merit = newton.merit(), proximal = least_proximal;
  int steps = 0;
  while (steps < most_steps && merit > tolerance * tolerance) {
    newton.keep(solver.start);
    newton.fill_equations(proximal);
    if (!newton.solve_equations()) break;
    ++steps;
    double share = 1, found = 0;
    for (int i = 0; i < 4; ++i, share *= 0.5) {
      newton.move(share);
      found = newton.merit();
      if (found < enough * merit) break;
    }
    if (found < enough * merit) {
      merit = found;
      proximal = std::max(proximal * 1e-2, least_proximal);
      continue;
    }
    // which contacts are closed was wrong: a step that is held back more
    newton.give_back(solver.start);
    newton.merit();
    proximal = std::max(1e-4, proximal * 4);
    if (proximal > most_proximal) break;
  }
  return steps;  // z is that of the impulses
}

}  // namespace limber
