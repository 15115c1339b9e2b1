#include <limber/contact/contact_derivatives.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"

namespace limber {

namespace {

/// A few equations for many right-hand sides, by elimination with the largest pivot of all; what
/// depends on the rest is left at zero.
void eliminate_all(std::vector<double>& G, int n, std::vector<double>& R, int columns) {
  std::vector<int> row(at_index(n)), column(at_index(n));
  for (int i = 0; i < n; ++i) row[at_index(i)] = column[at_index(i)] = i;
  const auto g = [&](int i, int j) -> double& {
    return G[at_index(row[at_index(i)] * n + column[at_index(j)])];
  };
  const auto r = [&](int i, int c) -> double& {
    return R[at_index(row[at_index(i)] * columns + c)];
  };
  int rank = 0;
  double largest = 0;
  for (; rank < n; ++rank) {
    int best_i = rank, best_j = rank;
    for (int i = rank; i < n; ++i)
      for (int j = rank; j < n; ++j)
        if (std::abs(g(i, j)) > std::abs(g(best_i, best_j))) best_i = i, best_j = j;
    std::swap(row[at_index(rank)], row[at_index(best_i)]);
    std::swap(column[at_index(rank)], column[at_index(best_j)]);
    const double pivot = g(rank, rank);
    if (rank == 0) largest = std::abs(pivot);
    if (!(std::abs(pivot) > 1e-11 * largest)) break;
    for (int i = rank + 1; i < n; ++i) {
      const double factor = g(i, rank) / pivot;
      if (factor == 0) continue;
      for (int j = rank; j < n; ++j) g(i, j) -= factor * g(rank, j);
      for (int c = 0; c < columns; ++c) r(i, c) -= factor * r(rank, c);
    }
  }
  std::vector<double> x(at_index(n * columns));
  for (int k = rank - 1; k >= 0; --k)
    for (int c = 0; c < columns; ++c) {
      double sum = r(k, c);
      for (int j = k + 1; j < rank; ++j)
        sum -= g(k, j) * x[at_index(column[at_index(j)] * columns + c)];
      x[at_index(column[at_index(k)] * columns + c)] = sum / g(k, k);
    }
  R = std::move(x);
}

struct ModeOfContact {
  ContactMode mode;
  double border;  ///< how far from another one [m/s]
};
ModeOfContact mode_of(const Vec3<double>& u, const Vec3<double>& l, double mu, double weight,
                      double tolerance) {
  const double normal = l.x * weight, slip = std::hypot(u.y, u.z);
  if (normal <= tolerance) return {ContactMode::open, std::max(u.x, 0.0)};
  if (slip > tolerance) return {ContactMode::sliding, std::min(normal, slip)};
  return {ContactMode::sticking, std::min(normal, (mu * l.x - std::hypot(l.y, l.z)) * weight)};
}

}  // namespace

ContactDerivatives contact_derivatives(const ContactRows& rows, double tolerance) {
  const ContactProblem& problem = rows.problem;
  const int nv = problem.size, count = problem.contacts();
  ContactDerivatives out;
  std::vector<int> place(at_index(count), -1), closed;
  double nearest = tolerance;
  for (int c = 0; c < count; ++c) {
    if (problem.law[c].has_slip())
      throw Error(
          fmt::format("contact_derivatives: contact {} has a slip that is given, whose "
                      "derivatives are not offered",
                      c));
    if (problem.turns(c))
      throw Error(
          fmt::format("contact_derivatives: contact {} has torsion or rolling, whose "
                      "derivatives are not offered; leave both at zero",
                      c));
    double weight = problem.law[c].compliance;
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
      weight += problem.W[e].x * problem.W[e].x;
    const auto [mode, border] = mode_of(problem.velocity(c), problem.impulse[c],
                                        problem.law[c].friction, weight, tolerance);
    out.mode.push_back(mode);
    if (border < nearest) nearest = border, out.at_border = c;
    if (mode == ContactMode::open) continue;
    place[at_index(c)] = 3 * static_cast<int>(closed.size());
    closed.push_back(c);
  }
  // how the rows' velocities and v⁺ follow the free velocity, loops kept
  ContactRows linear = rows;
  const int n = 3 * static_cast<int>(closed.size());
  std::vector<double> r(at_index(n * nv)), unit(at_index(nv)), start(at_index(nv)), v(at_index(nv));
  std::fill(linear.problem.z.begin(), linear.problem.z.end(), 0.0);
  linear.set_free_velocity(unit);
  linear.velocity(start);
  const List<Vec3<double>> b = linear.problem.b;
  out.velocity.resize(at_index(nv * nv));
  for (int k = 0; k < nv; ++k) {
    unit[at_index(k)] = 1;
    linear.set_free_velocity(unit);
    linear.velocity(v);
    for (int f = 0; f < nv; ++f) out.velocity[f * nv + k] = v[at_index(f)] - start[at_index(f)];
    for (const int c : closed)
      for (int i = 0; i < 3; ++i)
        r[at_index((place[at_index(c)] + i) * nv + k)] = linear.problem.b[c][i] - b[c][i];
    unit[at_index(k)] = 0;
  }
  // A of the closed contacts, and r as the equations have it
  std::vector<double> A(at_index(n * n)), G(at_index(n * n)), right(at_index(n * nv));
  List<Vec3<double>> spread(at_index(nv));
  for (const int c : closed) {
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
      spread[problem.place[e]] = problem.W[e];
    for (const int d : closed)
      for (int e = problem.first[d]; e < problem.first[d + 1]; ++e)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            A[at_index((place[at_index(c)] + i) * n + place[at_index(d)] + j)] +=
                spread[problem.place[e]][i] * problem.W[e][j];
    A[at_index(place[at_index(c)] * (n + 1))] += problem.law[c].compliance;
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e) spread[problem.place[e]] = {};
  }
  for (const int c : closed) {
    const int at = place[at_index(c)];
    const Vec3<double> u = problem.velocity(c), l = problem.impulse[c];
    const double mu = problem.law[c].friction, slip = std::hypot(u.y, u.z);
    // equation `to`: Σ factors · (A dλ + r) + own · dλ = 0
    const auto equation = [&](int to, const Vec3<double>& factors, const Vec3<double>& own) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < n; ++j)
          G[at_index(to * n + j)] += factors[i] * A[at_index((at + i) * n + j)];
        for (int k = 0; k < nv; ++k)
          right[at_index(to * nv + k)] -= factors[i] * r[at_index((at + i) * nv + k)];
        G[at_index(to * n + at + i)] += own[i];
      }
    };
    equation(at, {1, 0, 0}, {});
    if (out.mode[c] == ContactMode::sticking) {
      equation(at + 1, {0, 1, 0}, {});
      equation(at + 2, {0, 0, 1}, {});
      continue;
    }
    const double e[2] = {u.y / slip, u.z / slip};
    const double weight = A[at_index(at * (n + 1))], share = mu * l.x / slip;
    for (int i = 0; i < 2; ++i) {
      const double across[2] = {(i == 0 ? 1 : 0) - e[i] * e[0], (i == 1 ? 1 : 0) - e[i] * e[1]};
      Vec3<double> own{mu * e[i] * weight, 0, 0};
      own[i + 1] += weight;
      equation(at + 1 + i, Vec3<double>{0, across[0], across[1]} * (share * weight), own);
    }
  }
  eliminate_all(G, n, right, nv);
  // v⁺: what the impulses add
  for (int k = 0; k < nv; ++k) {
    std::fill(linear.problem.z.begin(), linear.problem.z.end(), 0.0);
    for (const int c : closed) {
      Vec3<double> change;
      for (int i = 0; i < 3; ++i) change[i] = right[at_index((place[at_index(c)] + i) * nv + k)];
      for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
        linear.problem.z[problem.place[e]] += dot(problem.W[e], change);
    }
    linear.set_free_velocity(unit);
    linear.velocity(v);
    for (int f = 0; f < nv; ++f) out.velocity[f * nv + k] += v[at_index(f)] - start[at_index(f)];
  }
  return out;
}

}  // namespace limber
