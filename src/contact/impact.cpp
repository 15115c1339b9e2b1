#include <limber/contact/impact.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"

namespace limber {

namespace {

/// An impact of all contacts of a problem.
struct ImpactWork {
  ContactProblem& problem;
  std::span<double> e;  ///< restitution
  const ImpactSettings& settings;
  ImpactSolver& s;
  ImpactResult& result;
  ConeResult worst{};  ///< of the problems of the last try

  int count() const { return problem.contacts(); }

  void solve() {
    ConeSettings cone;
    cone.tolerance = settings.tolerance;
    cone.most_sweeps = settings.most_sweeps;
    const ConeResult found = solve_contacts(problem, cone, s.cone);
    if (!(found.residual <= worst.residual)) worst.residual = found.residual;
    worst.converged = worst.converged && found.converged;
  }
  /// What was found counts.
  void accept(double energy) {
    result.energy += energy;
    if (!(worst.residual <= result.residual)) result.residual = worst.residual;
    result.converged = result.converged && worst.converged;
  }
  void start_at_zero() {
    for (int c = 0; c < count(); ++c) problem.impulse[c] = problem.turn_impulse[c] = {};
  }
  /// z for the impulses that are there, and velocities with it.
  void find_velocities(List<Vec3<double>>& u, List<Vec3<double>>& w) {
    for (const ContactIsland& island : problem.islands) problem.fill_response(island);
    for (int c = 0; c < count(); ++c) {
      u[c] = problem.velocity(c);
      u[c].x -= problem.law[c].compliance * problem.impulse[c].x;
      w[c] = problem.turns(c) ? problem.turn_velocity(c) : Vec3<double>{};
    }
  }
  /// Work of the impulses in the problem from the velocities before to those after.
  double work() {
    problem.b = s.before;
    problem.b_turn = s.before_turn;
    find_velocities(s.after, s.after_turn);
    double sum = 0;
    for (int c = 0; c < count(); ++c)
      sum += 0.5 * (dot(problem.impulse[c], s.before[c] + s.after[c]) +
                    dot(problem.turn_impulse[c], s.before_turn[c] + s.after_turn[c]));
    return sum;
  }

  /// Newton's law with a share of the coefficients.
  void newton(double share) {
    start_at_zero();
    for (int c = 0; c < count(); ++c) {
      const double u = s.before[c].x;
      problem.b[c] = s.before[c];
      if (u < -settings.rest_speed) problem.b[c].x += share * e[at_index(c)] * u;
    }
    solve();
  }

  void compress() {
    start_at_zero();
    problem.b = s.before;
    problem.b_turn = s.before_turn;
    solve();
    s.compressed = problem.impulse;
    s.compressed_turn = problem.turn_impulse;
  }
  /// What the impulses e · compression must be multiplied by to give back e² of the work.
  double energetic_scale() {
    find_velocities(s.after, s.after_turn);
    double back = 0;
    for (int c = 0; c < count(); ++c) {
      const double lost = -0.5 * s.compressed[c].x * (s.before[c].x + s.after[c].x);
      back += e[at_index(c)] * e[at_index(c)] * lost;
    }
    for (int c = 0; c < count(); ++c) {
      problem.impulse[c] = {e[at_index(c)] * s.compressed[c].x, 0, 0};
      problem.turn_impulse[c] = {};
    }
    for (const ContactIsland& island : problem.islands) problem.fill_response(island);
    double given = 0;  // ½ γᵀ C γ
    for (int c = 0; c < count(); ++c) {
      double along = 0;
      for (int k = problem.first[c]; k < problem.first[c + 1]; ++k)
        along += problem.W[k].x * problem.z[problem.place[k]];
      given += 0.5 * problem.impulse[c].x * along;
    }
    problem.impulse = s.compressed;
    problem.turn_impulse = s.compressed_turn;
    double largest = 0;
    for (int c = 0; c < count(); ++c) largest = std::max(largest, e[at_index(c)]);
    // friction that jams gives nothing back, whatever the normal impulse: at most ten times that of
    // compression
    return given > 0 && back > 0 ? std::min(std::sqrt(back / given), 10 / largest) : 0;
  }
  /// From the end of compression with `share` of e · compression; impulses of both phases together.
  void decompress(double share) {
    problem.impulse = s.compressed;
    problem.turn_impulse = s.compressed_turn;
    problem.b = s.before;
    problem.b_turn = s.before_turn;
    find_velocities(s.after, s.after_turn);
    problem.b = s.after;
    problem.b_turn = s.after_turn;
    for (int c = 0; c < count(); ++c) {
      problem.law[c].least = share * e[at_index(c)] * s.compressed[c].x;
      problem.impulse[c] = {problem.law[c].least, 0, 0};
      problem.turn_impulse[c] = {};
    }
    solve();
    for (int c = 0; c < count(); ++c) {
      problem.law[c].least = 0;
      problem.impulse[c] += s.compressed[c];
      problem.turn_impulse[c] += s.compressed_turn[c];
    }
  }

  /// All contacts at once; the velocities before are in s.before. False: not with all of the
  /// restitution, which contradicts the contacts.
  bool together() {
    const bool is_newton = settings.law == RestitutionLaw::newton;
    double scale = 1;
    ConeResult compression;
    worst = {};
    if (!is_newton) {
      compress();
      if (settings.law == RestitutionLaw::energetic) scale = energetic_scale();
      compression = worst;
    }
    const auto restore = [&](double share) {
      worst = compression;
      is_newton ? newton(share) : decompress(scale * share);
      return work();
    };
    const double found = restore(1);
    const double size = energy_size();
    const bool agrees = worst.converged && std::isfinite(found);
    const bool creates = agrees && found > 1e-12 * size;
    if (creates) {
      result.would_create_energy = true;
      result.energy_created += found;
    }
    if (agrees && !(creates && settings.gain == EnergyGain::limited)) {
      accept(found);
      return true;
    }
    const double share = largest_share(restore, found, size);
    accept(restore(share));
    result.restitution_share = std::min(result.restitution_share, share);
    return agrees;
  }
  /// The largest share of the restitution that creates no energy, `created` being what the whole of
  /// it does; where the whole contradicts the contacts, a half or nothing of it.
  template <class Restore>
  double largest_share(const Restore& restore, double created, double size) {
    double low = 0, high = 1, high_work = created;
    if (!worst.converged || !std::isfinite(created)) {
      high = 0.5;
      high_work = restore(high);
      if (!worst.converged) return 0;
      if (!(high_work > 0)) return high;
    }
    double low_work = restore(0);
    if (!(low_work < 0)) return 0;
    // by chords, and by halves where they do not help
    for (int i = 0; i < 60 && low_work < -1e-14 * size && high - low > 1e-15; ++i) {
      const double chord = low - low_work * (high - low) / (high_work - low_work);
      const double middle =
          i % 3 == 2 || !(chord > low && chord < high) ? 0.5 * (low + high) : chord;
      const double found = restore(middle);
      if (found > 0 || !worst.converged) high = middle, high_work = found;
      else low = middle, low_work = found;
    }
    return low;
  }
  double energy_size() const {
    double sum = 0;
    for (int c = 0; c < count(); ++c) sum += norm(problem.impulse[c]) * norm(s.before[c]);
    return sum;
  }

  /// One contact after the other, the others as if they were not there.
  void one_by_one() {
    s.islands = problem.islands;
    s.order = problem.order;
    s.total.assign(problem.law.size(), {});
    s.total_turn.assign(problem.law.size(), {});
    const List<Vec3<double>> first = s.before, first_turn = s.before_turn;
    for (;;) {
      int fastest = -1;
      for (const int c : s.order)
        if (s.before[c].x < -settings.rest_speed &&
            (fastest < 0 || s.before[c].x < s.before[fastest].x))
          fastest = c;
      if (fastest < 0) break;
      result.ended_together = result.collisions >= settings.most_collisions;
      if (!result.ended_together) {
        problem.order.assign(1, fastest);
        problem.islands.assign(1, {0, 1});
        ++result.collisions;
      }
      if (result.ended_together) std::fill(e.begin(), e.end(), 0.0);
      // what contradicts other contacts or itself (jamming) does not bounce in this impact
      if (!together()) e[at_index(fastest)] = 0;
      for (const int c : problem.order) {
        s.total[c] += problem.impulse[c];
        s.total_turn[c] += problem.turn_impulse[c];
      }
      problem.islands = s.islands;
      problem.order = s.order;
      problem.impulse = s.total;
      problem.turn_impulse = s.total_turn;
      problem.b = first;
      problem.b_turn = first_turn;
      find_velocities(s.before, s.before_turn);
      if (result.ended_together) break;
    }
    s.before = first;
    s.before_turn = first_turn;
    problem.impulse = s.total;
    problem.turn_impulse = s.total_turn;
  }
};

}  // namespace

ImpactResult solve_impact(ContactProblem& problem, std::span<const double> restitution,
                          const ImpactSettings& settings, ImpactSolver& s) {
  if (restitution.size() != problem.law.size())
    throw Error(fmt::format("impact: {} contacts and {} coefficients of restitution",
                            problem.law.size(), restitution.size()));
  for (std::size_t c = 0; c < restitution.size(); ++c)
    if (!(restitution[c] >= 0 && restitution[c] <= 1))
      throw Error(
          fmt::format("impact: the coefficient of restitution of contact {} is {}; it is "
                      "between 0 and 1",
                      c, restitution[c]));
  ImpactResult result;
  s.before = problem.b;
  s.before_turn = problem.b_turn;
  s.after.resize(problem.law.size());
  s.after_turn.resize(problem.law.size());
  s.restitution.assign(restitution.begin(), restitution.end());
  ImpactWork work{problem, s.restitution, settings, s, result};
  int approaching = 0;
  for (const int c : problem.order) approaching += s.before[c].x < -settings.rest_speed ? 1 : 0;
  if (settings.order == ImpactOrder::sequential) {
    work.one_by_one();
  } else {
    work.together();
    result.collisions = approaching;
  }
  problem.b = s.before;
  problem.b_turn = s.before_turn;
  for (const ContactIsland& island : problem.islands) problem.fill_response(island);
  return result;
}

ImpactResult impact(ContactRows& rows, In<double> v, std::span<const double> restitution,
                    const ImpactSettings& settings, ImpactSolver& solver, Out<double> v_after) {
  rows.set_free_velocity(v);
  const ImpactResult result = solve_impact(rows.problem, restitution, settings, solver);
  rows.velocity(v_after);
  return result;
}

void apply_impulse(ContactRows& rows, const TreeFactor& factor, In<double> v, In<double> impulse,
                   Out<double> v_after) {
  std::copy(impulse.begin(), impulse.end(), v_after.begin());
  solve(factor, v_after);
  for (std::size_t k = 0; k < v.size(); ++k) v_after[k] += v[k];
  for (int c = 0; c < rows.problem.contacts(); ++c)
    rows.problem.impulse[c] = rows.problem.turn_impulse[c] = {};
  for (const ContactIsland& island : rows.problem.islands) rows.problem.fill_response(island);
  rows.set_free_velocity(v_after);
  rows.velocity(v_after);
}

}  // namespace limber
