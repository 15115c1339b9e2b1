// The answers of sliding contacts, by going through all sets of those that may carry. [RDA] §9.7
// does so for frictionless contact, as the plainest way.
#include <limber/contact/sliding_contact.hpp>

#include <algorithm>
#include <cmath>

#include "index.hpp"

namespace limber {

namespace {

constexpr double definite_limit = 1e-9;  // of the symmetric part, whose rows are scaled to 1
constexpr double pivot_limit = 1e-10;
constexpr double answer_limit = 1e-8;  // of the accelerations

/// One island: its sliding contacts over the numbers of z.
struct SlidingIsland {
  const ContactProblem& problem;
  const ContactIsland& island;
  SlidingAnswers& s;
  std::size_t z = 0;  ///< numbers of z
  int count = 0;      ///< of sliding contacts
  int held = 0;       ///< rows of Q

  double* row(std::vector<double>& of, int i) const { return of.data() + at_index(i) * z; }
  static double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
  }
  void take_out_held(double* x) {
    for (int pass = 0; pass < 2; ++pass)
      for (int h = 0; h < held; ++h) {
        const double* q = row(s.Q, h);
        const double along = dot(q, x, z);
        for (std::size_t k = 0; k < z; ++k) x[k] -= along * q[k];
      }
  }
  /// W of a contact along (n, t1, t2), over all numbers of z.
  void spread(int c, const Vec3<double>& along, double* to) const {
    std::fill(to, to + z, 0.0);
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
      to[problem.place[e]] +=
          along.x * problem.W[e].x + along.y * problem.W[e].y + along.z * problem.W[e].z;
  }

  /// Directions that contacts without a given slip keep, orthonormal.
  void hold(int c) {
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
      if (axis.x == 0 && !(problem.law[c].friction > 0)) continue;
      s.Q.resize(at_index(held + 1) * z);
      double* q = row(s.Q, held);
      spread(c, axis, q);
      const double before = dot(q, q, z);
      take_out_held(q);
      const double after = dot(q, q, z);
      if (!(after > pivot_limit * before)) continue;
      for (std::size_t k = 0; k < z; ++k) q[k] /= std::sqrt(after);
      ++held;
    }
  }

  void fill(Solved solved) {
    for (int i = island.first; i < island.first + island.contacts; ++i)
      if (const int c = problem.order[i]; !problem.law[c].has_slip() && problem.impulse[c].x > 0)
        hold(c);
    s.rows.assign(at_index(count) * z, 0.0);
    s.force_rows.assign(at_index(count) * z, 0.0);
    s.N.resize(at_index(count * count));
    s.r.resize(at_index(count));
    for (int i = 0; i < count; ++i) {
      const int c = s.sliding[at_index(i)];
      const ContactLaw& law = problem.law[c];
      spread(c, {1, 0, 0}, row(s.rows, i));
      spread(c, {1, -law.friction * law.slip_1, -law.friction * law.slip_2}, row(s.force_rows, i));
      take_out_held(row(s.rows, i));
      take_out_held(row(s.force_rows, i));
    }
    // what nothing can move along its normal, or the others hold, has one acceleration
    constexpr double held_share = 1e-10;
    for (int i = 0; i < count; ++i) {
      double own = 0;
      const int c = s.sliding[at_index(i)];
      for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
        own += limber::dot(problem.W[e], problem.W[e]);
      if (dot(row(s.rows, i), row(s.rows, i), z) > held_share * own) continue;
      std::fill(row(s.rows, i), row(s.rows, i) + z, 0.0);
      std::fill(row(s.force_rows, i), row(s.force_rows, i) + z, 0.0);
    }
    for (int i = 0; i < count; ++i) {
      const int c = s.sliding[at_index(i)];
      double& r = s.r[at_index(i)];
      r = solved == Solved::yes ? problem.velocity(c).x : problem.b[c].x;
      for (int j = 0; j < count; ++j) {
        double& entry = s.N[at_index(i * count + j)];
        entry = dot(row(s.rows, i), row(s.force_rows, j), z);
        if (solved == Solved::yes) r -= entry * problem.impulse[s.sliding[at_index(j)]].x;
      }
    }
  }

  /// Whether the symmetric part of N is semidefinite.
  bool is_definite() {
    s.G.resize(at_index(count * count));
    const auto g = [&](int i, int j) -> double& { return s.G[at_index(i * count + j)]; };
    std::vector<double>& scale = s.lambda;
    scale.resize(at_index(count));
    for (int i = 0; i < count; ++i) {
      const double length2 = dot(row(s.rows, i), row(s.rows, i), z);
      scale[at_index(i)] = length2 > 0 ? 1 / std::sqrt(length2) : 0;
    }
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        g(i, j) = 0.5 * (s.N[at_index(i * count + j)] + s.N[at_index(j * count + i)]) *
                      scale[at_index(i)] * scale[at_index(j)] +
                  (i == j ? definite_limit : 0);
    for (int k = 0; k < count; ++k) {
      if (!(g(k, k) > 0)) return false;
      for (int i = k + 1; i < count; ++i) {
        const double factor = g(i, k) / g(k, k);
        for (int j = k; j < count; ++j) g(i, j) -= factor * g(k, j);
      }
    }
    return true;
  }

  /// λ of the contacts of a set such that they keep w = 0. False: their N is singular.
  bool solve_set(unsigned set) {
    int n = 0, member[SlidingAnswers::most_counted];
    for (int i = 0; i < count; ++i)
      if (set >> i & 1U) member[n++] = i;
    s.G.resize(at_index(count * (count + 1)));
    const auto g = [&](int i, int j) -> double& { return s.G[at_index(i * (count + 1) + j)]; };
    double size = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) g(i, j) = s.N[at_index(member[i] * count + member[j])];
      g(i, n) = -s.r[at_index(member[i])];
      size = std::max(size, std::abs(g(i, i)));
    }
    s.lambda.assign(at_index(count), 0.0);
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(g(i, k)) > std::abs(g(best, k))) best = i;
      if (!(std::abs(g(best, k)) > pivot_limit * size)) return false;
      for (int j = k; j <= n && best != k; ++j) std::swap(g(k, j), g(best, j));
      for (int i = k + 1; i < n; ++i) {
        const double factor = g(i, k) / g(k, k);
        for (int j = k; j <= n; ++j) g(i, j) -= factor * g(k, j);
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      double sum = g(k, n);
      for (int j = k + 1; j < n; ++j) sum -= g(k, j) * s.lambda[at_index(member[j])];
      s.lambda[at_index(member[k])] = sum / g(k, k);
    }
    return true;
  }

  /// Where λ obeys the law its accelerations w are kept, unless they are there already.
  void judge(double size) {
    const std::size_t begin = s.answers.size(), n = at_index(count);
    s.answers.resize(begin + n, 0.0);
    double* w = s.answers.data() + begin;
    bool obeys = true;
    for (int i = 0; i < count; ++i) {
      w[i] = s.r[at_index(i)];
      for (int j = 0; j < count; ++j) w[i] += s.N[at_index(i * count + j)] * s.lambda[at_index(j)];
      obeys = obeys && w[i] >= -answer_limit * size && s.lambda[at_index(i)] >= 0;
    }
    for (std::size_t other = 0; other < begin && obeys; other += n) {
      double apart = 0;
      for (std::size_t i = 0; i < n; ++i)
        apart = std::max(apart, std::abs(s.answers[other + i] - w[i]));
      obeys = apart > answer_limit * size;
    }
    if (!obeys) s.answers.resize(begin);
  }

  int count_answers() {
    double size = 0;
    for (int i = 0; i < count; ++i) size = std::max(size, std::abs(s.r[at_index(i)]));
    s.answers.clear();
    s.answers.reserve(at_index(count) << count);
    for (unsigned set = 0; set < 1U << count; ++set)
      if (solve_set(set)) judge(size);
    return static_cast<int>(s.answers.size() / at_index(count));
  }
};

}  // namespace

void sliding_answers(const ContactProblem& problem, Solved solved, SlidingAnswers& out) {
  out.status = ContactStatus::unique;
  out.count = out.contact = -1;
  for (const ContactIsland& island : problem.islands) {
    SlidingIsland own{problem, island, out, at_index(problem.size)};
    out.sliding.clear();
    for (int i = island.first; i < island.first + island.contacts; ++i)
      if (const int c = problem.order[i]; problem.law[c].has_slip()) out.sliding.push_back(c);
    own.count = static_cast<int>(out.sliding.size());
    if (own.count == 0) continue;
    own.fill(solved);
    if (own.is_definite()) continue;
    out.contact = out.sliding.front();
    out.status = ContactStatus::not_unique;
    if (own.count > SlidingAnswers::most_counted) return;
    out.count = own.count_answers();
    if (out.count == 1) {
      out.status = ContactStatus::unique;
      continue;
    }
    if (out.count == 0) out.status = ContactStatus::infeasible;
    return;
  }
}

}  // namespace limber
