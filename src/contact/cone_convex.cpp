// With De Saxcé's term s = μ |u_t| held, Coulomb's problem is convex: min ½ |z|² + what the cones
// say of u = W z + b + s n. An augmented Lagrangian makes it smooth,
//   ½ |z|² + Σ R/2 |Π(λ̄ − u / R)|²,
// Newton's method with a search along the line finds its minimum from anywhere, and λ̄ = Π(λ̄ − u /
// R) and s follow. It works over the freedoms of the island, of which redundant contacts have fewer
// than rows.
#include "contact/cone_convex.hpp"

#include "contact/cone_block.hpp"
#include "contact/cone_newton.hpp"
#include "dynamics/tree_factor.ipp"
#include "index.hpp"

namespace limber {

namespace {

/// Derivative of the projection on the cone; symmetric.
Sym3<double> projection_slope(const Vec3<double>& y, double mu) {
  const double t = length_of(y.y, y.z);
  if (!(mu > 0)) return Sym3<double>::diagonal(y.x > 0 ? 1 : 0, 0, 0);  // no cone but a ray
  if (t <= mu * y.x) return Sym3<double>::identity();
  if (mu * t <= -y.x) return {};
  const double share = 1 / (1 + mu * mu), n = (y.x + mu * t) * share;
  const double dy = y.y / t, dz = y.z / t, turn = mu * n / t, along = mu * mu * share - turn;
  return {share,           turn + along * dy * dy, turn + along * dz * dz,
          mu * share * dy, mu * share * dz,        along * dy * dz};
}

/// freedom: the numbers of z that the island has, as they come; local of each is 0.
void mark_freedoms(const ContactProblem& problem, const ContactIsland& island, ConeSolver& s) {
  if (s.local.count() < problem.size) s.local.resize(at_index(problem.size), -1);
  s.freedom.clear();
  for (int i = island.first; i < island.first + island.contacts; ++i) {
    const int c = problem.order[i];
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
      if (int& at = s.local[problem.place[e]]; at < 0) {
        at = 0;
        s.freedom.push_back(problem.place[e]);
      }
  }
}
void unmark_freedoms(ConeSolver& s) {
  for (const int k : s.freedom) s.local[k] = -1;
}

struct ConvexIsland {
  ContactProblem& problem;
  const ContactIsland& island;
  ConeSolver& s;
  double softness;  ///< R in units of A_nn
  int n = 0, stride = 0;

  int contact(int i) const { return problem.order[island.first + i]; }
  double R(int c) const { return softness * s.blocks[c].weight; }
  bool is_movable(int c) const { return s.blocks[c].weight > 0; }

  void make_room() {
    mark_freedoms(problem, island, s);
    std::sort(s.freedom.begin(), s.freedom.end());
    n = s.freedom.count();
    for (int k = 0; k < n; ++k) s.local[s.freedom[k]] = k;
    stride = (n + 7) / 8 * 8;
    const std::size_t size = at_index(n) * at_index(stride), contacts = at_index(island.contacts);
    if (s.H.size() < size) s.H.resize(size);
    if (s.z.count() < n) {
      for (List<double>* list : {&s.z, &s.gradient, &s.d}) list->resize(at_index(n));
      s.last.resize(at_index(n));
    }
    if (s.center.size() < contacts) {
      for (List<Vec3<double>>* list : {&s.center, &s.y, &s.Wd, &s.best}) list->resize(contacts);
      s.shift.resize(contacts);
    }
  }
  template <class F>
  void for_entries(int c, F&& f) const {
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
      f(problem.W[e], s.local[problem.place[e]]);
  }
  /// y = λ̄ − u / R at z.
  void find_places() {
    for (int i = 0; i < island.contacts; ++i) {
      const int c = contact(i);
      if (!is_movable(c)) continue;
      Vec3<double> u = problem.b[c];
      u.x += s.shift[i] + problem.law[c].compliance * s.center[i].x;
      for_entries(c, [&](const Vec3<double>& W, int k) { u += W * s.z[k]; });
      s.y[i] = s.center[i] - u / R(c);
    }
  }
  Vec3<double> projected(int i) const {
    return is_movable(contact(i)) ? project_on_cone(s.y[i], problem.law[contact(i)].friction)
                                  : Vec3<double>{};
  }
  /// z − Wᵀ λ; returns its length.
  double find_gradient() {
    for (int k = 0; k < n; ++k) s.gradient[k] = s.z[k];
    for (int i = 0; i < island.contacts; ++i) {
      const Vec3<double> l = projected(i);
      for_entries(contact(i), [&](const Vec3<double>& W, int k) { s.gradient[k] -= dot(W, l); });
    }
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += s.gradient[k] * s.gradient[k];
    return std::sqrt(sum);
  }

  /// H = 1 + Σ Wᵀ DΠ W / R and d = −H⁻¹ gradient.
  void find_direction() {
    std::fill(s.H.begin(), s.H.begin() + n * stride, 0.0);
    for (int k = 0; k < n; ++k) {
      s.H[k * stride + k] = 1;
      s.last[k] = k;
      s.d[k] = -s.gradient[k];
    }
    for (int i = 0; i < island.contacts; ++i) {
      const int c = contact(i);
      if (!is_movable(c)) continue;
      const Sym3<double> slope = projection_slope(s.y[i], problem.law[c].friction) * (1 / R(c));
      if (!(slope.xx > 0)) continue;
      for_entries(c, [&](const Vec3<double>& W, int k) {
        const Vec3<double> left = slope * W;
        double* row = s.H.data() + k * stride;
        for_entries(c, [&](const Vec3<double>& V, int l) {
          if (l < k) return;
          row[l] += dot(left, V);
          if (l > s.last[k]) s.last[k] = l;
        });
      });
    }
    constexpr int lanes = lane_count<double>;
    for (int k = 0; k < n; ++k) {
      const double* row = s.H.data() + k * stride;
      const double inverse = 1 / row[k];
      for (int i = k + 1; i <= s.last[k]; ++i) {
        if (row[i] == 0) continue;
        const double factor = row[i] * inverse;
        const int first = i / lanes * lanes;
        subtract_scaled(s.H.data() + i * stride + first, row + first, factor,
                        s.last[k] + 1 - first);
        if (s.last[k] > s.last[i]) s.last[i] = s.last[k];
        s.d[i] -= factor * s.d[k];
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      const double* row = s.H.data() + k * stride;
      double sum = s.d[k];
      for (int i = k + 1; i <= s.last[k]; ++i) sum -= row[i] * s.d[i];
      s.d[k] = sum / row[k];
    }
  }

  /// Derivative of the function along d.
  double slope_at(double share) const {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += s.d[k] * (s.z[k] + share * s.d[k]);
    for (int i = 0; i < island.contacts; ++i) {
      const int c = contact(i);
      if (!is_movable(c)) continue;
      sum -=
          dot(s.Wd[i], project_on_cone(s.y[i] - s.Wd[i] * (share / R(c)), problem.law[c].friction));
    }
    return sum;
  }
  /// How far to go along d: where the slope is a tenth of what it was, at most the whole way.
  double search() {
    for (int i = 0; i < island.contacts; ++i) {
      s.Wd[i] = {};
      for_entries(contact(i), [&](const Vec3<double>& W, int k) { s.Wd[i] += W * s.d[k]; });
    }
    double low = 0, high = 1, low_slope = slope_at(0), high_slope = slope_at(1);
    const double enough = 0.1 * std::abs(low_slope);
    if (!(high_slope > enough)) return 1;
    for (int i = 0; i < 30; ++i) {
      const double share = i % 3 == 2 ? 0.5 * (low + high)
                                      : low - low_slope * (high - low) / (high_slope - low_slope);
      const double found = slope_at(share);
      if (std::abs(found) <= enough) return share;
      if (found < 0) low = share, low_slope = found;
      else high = share, high_slope = found;
    }
    return low;
  }

  /// The minimum for the λ̄ and s that are there. Returns the number of steps.
  int minimise(double accuracy) {
    int steps = 0;
    find_places();
    while (find_gradient() > accuracy && steps < 15) {
      find_direction();
      const double share = search();
      for (int k = 0; k < n; ++k) s.z[k] += share * s.d[k];
      find_places();
      ++steps;
      if (!(share > 1e-9)) break;
    }
    return steps;
  }
};

}  // namespace

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
      for (int i = 0; i < island.contacts; ++i) solver.best[i] = problem.impulse[convex.contact(i)];
    }
    if (found <= goal || round >= rounds || !(found < HUGE_VAL)) break;
    if (round % patience == patience - 1) {
      if (best > 0.5 * mark) break;
      mark = best;
    }
    for (int k = 0; k < convex.n; ++k) solver.z[k] = problem.z[solver.freedom[k]];
    for (int i = 0; i < island.contacts; ++i) {
      const int c = convex.contact(i);
      const Vec3<double> u = problem.velocity(c);
      solver.center[i] = problem.impulse[c];
      solver.shift[i] = problem.law[c].friction * length_of(u.y, u.z);
    }
    // in z velocities are divided by the root of A: the goal in its units, and some of what is left
    double weight = HUGE_VAL;
    for (int i = 0; i < island.contacts; ++i)
      if (convex.is_movable(convex.contact(i)))
        weight = std::min(weight, solver.blocks[convex.contact(i)].weight);
    const double accuracy =
        weight < HUGE_VAL ? 0.03 * std::max(found * 0.1, goal) / std::sqrt(weight) : 0;
    steps += convex.minimise(accuracy);
    for (int i = 0; i < island.contacts; ++i)
      problem.impulse[convex.contact(i)] = convex.projected(i);
    problem.fill_response(island);
  }
  for (int i = 0; i < island.contacts; ++i) problem.impulse[convex.contact(i)] = solver.best[i];
  problem.fill_response(island);
  unmark_freedoms(solver);
  return steps;
}

}  // namespace limber
