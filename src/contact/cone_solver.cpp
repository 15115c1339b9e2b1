#include <limber/contact/cone_solver.hpp>

#include <utility>

#include "contact/cone_block.hpp"
#include "contact/cone_convex.hpp"
#include "contact/cone_newton.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr int most_convex_rounds = 30;
/// Above this Newton's method on the rows costs too much.
constexpr int most_dense_rows = 200;

Sym3<double> own_block(std::span<const Vec3<double>> W) {
  Sym3<double> A;
  for (const Vec3<double>& w : W) A += square(w);
  return A;
}

void fill_block(const ContactProblem& problem, int c, ConeSolver::Block& block) {
  const std::size_t first = at_index(problem.first[c]);
  const std::size_t entries = at_index(problem.first[c + 1]) - first;
  block = {};
  Sym3<double>& A = block.A;
  A = own_block(std::span(problem.W).subspan(first, entries));
  A.xx += problem.law[c].compliance;
  block.weight = A.xx > 1e-12 * trace(A) ? A.xx : 0;
  if (!(block.weight > 0)) A.xx = 0;  // nothing can move along the normal
  const double inverse = A.xx > 0 ? 1 / A.xx : 0;
  const Across s = diagonal_axes(A.yy - A.xy * A.xy * inverse, A.yz - A.xy * A.xz * inverse,
                                 A.zz - A.xz * A.xz * inverse, 1e-13 * trace(A) + 1e-300);
  block.s1 = s.s1, block.s2 = s.s2, block.e_x = s.x, block.e_y = s.y;
  if (!problem.turns(c)) return;
  Sym3<double>& T = block.A_turn;
  T = own_block(std::span(problem.W_turn).subspan(at_index(problem.turn[c]), entries));
  const Across r = diagonal_axes(T.yy, T.yz, T.zz, 1e-13 * trace(T) + 1e-300);
  block.roll1 = r.s1, block.roll2 = r.s2, block.roll_x = r.x, block.roll_y = r.y;
  block.turn_weight = trace(T) / 3;
}

/// W z of a contact: two sums, so that they need not wait for each other.
Vec3<double> response(const ContactProblem& problem, int c) {
  const int count = problem.first[c + 1] - problem.first[c];
  const Vec3<double>* W = problem.W.data() + problem.first[c];
  const int* place = problem.place.data() + problem.first[c];
  const double* z = problem.z.data();
  Vec3<double> even, odd;
  int e = 0;
  for (; e + 1 < count; e += 2) {
    even += W[e] * z[place[e]];
    odd += W[e + 1] * z[place[e + 1]];
  }
  if (e < count) even += W[e] * z[place[e]];
  return even + odd;
}

/// λ and z change together.
void change_impulse(ContactProblem& problem, int c, const Vec3<double>& change) {
  problem.impulse[c] += change;
  const int count = problem.first[c + 1] - problem.first[c];
  const Vec3<double>* W = problem.W.data() + problem.first[c];
  const int* place = problem.place.data() + problem.first[c];
  double* z = problem.z.data();
  for (int e = 0; e < count; ++e) z[place[e]] += dot(W[e], change);
}
void change_turn_impulse(ContactProblem& problem, int c, const Vec3<double>& change) {
  problem.turn_impulse[c] += change;
  for (int e = problem.first[c], t = problem.turn[c]; e < problem.first[c + 1]; ++e, ++t)
    problem.z[problem.place[e]] += dot(problem.W_turn[t], change);
}

/// Moments of torsion and rolling of one contact; returns how much its turning changed.
double visit_turning(ContactProblem& problem, int c, ConeSolver::Block& block) {
  const ContactLaw& law = problem.law[c];
  const double normal = problem.impulse[c].x;
  const Vec3<double> old = problem.turn_impulse[c];
  const Sym3<double>& A = block.A_turn;
  double moved = 0;
  if (A.xx > 0) {
    const double rate = problem.turn_velocity(c).x, most = law.torsion * normal;
    const double m = std::clamp(old.x - rate / A.xx, -most, most);
    change_turn_impulse(problem, c, {m - old.x, 0, 0});
    moved = A.xx * std::abs(m - old.x);
  }
  const Vec3<double> w = problem.turn_velocity(c);
  const Vec3<double> c_w{0, w.y - A.yy * old.y - A.yz * old.z, w.z - A.yz * old.y - A.zz * old.z};
  Vec3<double> m;
  solve_rolling(block, c_w, law.rolling * normal, m);
  const Vec3<double> change{0, m.y - old.y, m.z - old.z};
  change_turn_impulse(problem, c, change);
  return std::max(moved, norm(A * change));
}

/// One contact with the others as they are; returns how much its velocity changed.
double visit(ContactProblem& problem, int c, FrictionShape shape, ConeSolver::Block& block) {
  const Vec3<double> old = problem.impulse[c];
  // compliance is in A, and goes with the rest of λ's own share
  Vec3<double> alone = problem.b[c] + response(problem, c) - block.A * old;
  alone.x += problem.law[c].compliance * old.x;
  const double mu = problem.law[c].friction, least = problem.law[c].least;
  const Vec3<double> found =
      problem.law[c].has_slip()      ? solve_one_sliding(block, alone, problem.law[c])
      : least > 0                    ? solve_one_above(block, alone, mu, least)
      : shape == FrictionShape::cone ? solve_one(block, alone, mu)
                                     : solve_one_pyramid(block, alone, mu, old);
  const Vec3<double> change = found - old;
  double moved = 0;
  if (dot(change, change) != 0) {  // an open contact stays open; NaN passes
    change_impulse(problem, c, change);
    moved = norm(block.A * change);
  }
  return problem.turns(c) ? std::max(moved, visit_turning(problem, c, block)) : moved;
}

/// All contacts once, upward and downward in turn; returns the largest change of a velocity.
double sweep(ContactProblem& problem, const ContactIsland& island, FrictionShape shape, int number,
             ConeSolver& solver) {
  double largest = 0;
  for (int i = 0; i < island.contacts; ++i) {
    const int place = number % 2 == 0 ? i : island.contacts - 1 - i;
    const int c = problem.order[island.first + place];
    const double moved = visit(problem, c, shape, solver.blocks[c]);
    if (!(moved <= largest)) largest = moved;
  }
  return largest;
}

/// What the contacts of an island have besides Coulomb's cone.
struct IslandLaws {
  bool slip = false;  ///< which makes A unsymmetric
  bool least = false, turning = false, cold = true;
  int rows = 0;  ///< that something holds

  IslandLaws(const ContactProblem& problem, const ContactIsland& island) {
    for (int i = island.first; i < island.first + island.contacts; ++i) {
      const int c = problem.order[i];
      slip = slip || problem.law[c].has_slip();
      least = least || problem.law[c].least > 0;
      turning = turning || problem.turns(c);
      rows += problem.law[c].friction > 0 ? 3 : 1;
      if (problem.impulse[c].x > 0) cold = false;
    }
  }
  bool has_newton() const { return !least && !turning; }
  bool has_convex_problems() const { return !slip; }
  bool takes_no_energy() const { return !slip && !least; }
};

/// After how many sweeps Newton's methods take the island; −1: never. Where the last step's
/// impulses tell which contacts stick and slide they come first.
int sweeps_before_newton(const IslandLaws& laws, const ContactIsland& island,
                         const ConeSettings& settings) {
  constexpr int few = 8;
  if (settings.shape != FrictionShape::cone || island.contacts > settings.newton_contacts ||
      !(laws.has_newton() || laws.has_convex_problems()))
    return -1;
  return laws.cold || !laws.has_newton() || island.contacts > settings.newton_first ? few : 0;
}

/// λ·b and |z|² of an island: at a solution λ·u = λ·b + |z|² is what friction takes, and not
/// positive.
struct ImpulsePower {
  double driving = 0, response = 0;
  bool gives() const { return !(driving + response <= 0); }
};
ImpulsePower power_of(const ContactProblem& problem, const ContactIsland& island) {
  ImpulsePower power;
  for (int i = island.first; i < island.first + island.contacts; ++i) {
    const int c = problem.order[i];
    const Vec3<double>& l = problem.impulse[c];
    power.driving += dot(l, problem.b[c]);
    Vec3<double> own = problem.velocity(c) - problem.b[c];
    power.response += dot(l, own);
    if (!problem.turns(c)) continue;
    const Vec3<double>& m = problem.turn_impulse[c];
    power.driving += dot(m, problem.b_turn[c]);
    power.response += dot(m, problem.turn_velocity(c) - problem.b_turn[c]);
  }
  return power;
}

/// Contacts that contradict each other have no solution: impulses grow and grow.
bool diverges(const ContactProblem& problem, const ContactIsland& island) {
  const ImpulsePower power = power_of(problem, island);
  return !(power.response <= 4 * std::abs(power.driving));
}

/// Impulses that are no solution are made smaller until they give no energy.
void tame(ContactProblem& problem, const ContactIsland& island) {
  const ImpulsePower power = power_of(problem, island);
  if (!power.gives()) return;
  double share = power.driving < 0 ? -power.driving / power.response : 0;
  if (!(share > 0 && share < 1)) share = 0;
  for (int i = island.first; i < island.first + island.contacts; ++i) {
    const int c = problem.order[i];
    problem.impulse[c] = share > 0 ? problem.impulse[c] * share : Vec3<double>{};
    problem.turn_impulse[c] = share > 0 ? problem.turn_impulse[c] * share : Vec3<double>{};
  }
  problem.fill_response(island);
}

/// The worse of two: residuals that are no numbers count as worst.
void keep_worst(ConeResult& worst, const ConeResult& one) {
  if (!(one.residual <= worst.residual) || worst.contact < 0)
    worst.residual = one.residual, worst.contact = one.contact;
  worst.sweeps = std::max(worst.sweeps, one.sweeps);
  worst.newton_steps = std::max(worst.newton_steps, one.newton_steps);
  worst.converged = worst.converged && one.converged;
}

/// The impulses with the smallest residual of those that were looked at.
struct BestImpulses {
  ContactProblem& problem;
  const ContactIsland& island;
  ConeSolver& s;
  double residual = HUGE_VAL;
  double mark = HUGE_VAL;  ///< what it was at the sweep `marked`
  int marked = 0;

  /// Sweeps have not helped for long.
  bool is_stuck(int sweeps) {
    const int patience = std::min(16 + 2 * island.contacts, 64);
    if (sweeps < marked + patience) return false;
    const bool stuck = !(residual < 0.9 * mark);
    mark = residual;
    marked = sweeps;
    return stuck;
  }
  void look(double found) {
    if (!(found < residual)) return;
    residual = found;
    s.kept.resize(problem.law.size());
    s.kept_turn.resize(problem.law.size());
    for (int i = island.first; i < island.first + island.contacts; ++i) {
      s.kept[problem.order[i]] = problem.impulse[problem.order[i]];
      s.kept_turn[problem.order[i]] = problem.turn_impulse[problem.order[i]];
    }
  }
  void give_back() {
    for (int i = island.first; i < island.first + island.contacts; ++i) {
      const int c = problem.order[i];
      problem.impulse[c] = residual < HUGE_VAL ? s.kept[c] : Vec3<double>{};
      problem.turn_impulse[c] = residual < HUGE_VAL ? s.kept_turn[c] : Vec3<double>{};
    }
    problem.fill_response(island);
  }
};

}  // namespace

ConeSolver::ConeSolver(int contacts) { blocks.reserve(at_index(contacts)); }

ConeResult island_residual(const ContactProblem& problem, const ContactIsland& island,
                           FrictionShape shape, const List<ConeSolver::Block>& blocks) {
  ConeResult worst;
  for (int i = island.first; i < island.first + island.contacts; ++i) {
    const int c = problem.order[i];
    const ContactLaw& law = problem.law[c];
    const Vec3<double>& l = problem.impulse[c];
    const ConeSolver::Block& block = blocks[c];
    const Vec3<double> u = problem.velocity(c);
    double r = law.has_slip()  ? sliding_residual(u, l, law, block.weight)
               : law.least > 0 ? least_residual(u, l, law.friction, block.weight, law.least)
               : shape == FrictionShape::cone ? cone_residual(u, l, law.friction, block.weight)
                                              : pyramid_residual(u, l, law.friction, block.weight);
    if (problem.turns(c))
      r = std::max(r, turn_residual(problem.turn_velocity(c), problem.turn_impulse[c],
                                    law.torsion * l.x, law.rolling * l.x, block.turn_weight));
    if (!(r <= worst.residual) || worst.contact < 0) worst.residual = r, worst.contact = c;
  }
  return worst;
}

namespace {

/// Newton's methods, that with fewer equations first. True: they have solved it. The result counts
/// their steps.
template <class IsSolved>
bool solve_by_newton(ContactProblem& problem, const ContactIsland& island, const IslandLaws& laws,
                     double tolerance, const IsSolved& is_solved, ConeResult& result,
                     ConeSolver& solver) {
  const auto by_convex_problems = [&] {
    if (result.sweeps > 0 && laws.has_convex_problems())
      result.newton_steps +=
          improve_by_convex_problems(problem, island, tolerance, most_convex_rounds, solver);
  };
  if (!laws.has_newton() || 3 * island.contacts > most_dense_rows) {
    by_convex_problems();
    return is_solved();
  }
  const bool is_redundant = 2 * count_freedoms(problem, island, solver) <= 3 * island.contacts;
  if (is_redundant) by_convex_problems();
  result.newton_steps += improve_by_newton(problem, island, tolerance, solver);
  if (is_solved()) return true;
  if (is_redundant) return false;
  by_convex_problems();
  return is_solved();
}

}  // namespace

namespace {

ConeResult solve_laws(ContactProblem& problem, const ContactIsland& island,
                      const ConeSettings& settings, ConeSolver& solver) {
  constexpr int sweeps_between_looks = 16;
  if (solver.blocks.count() < problem.contacts()) solver.blocks.resize(problem.law.size());
  for (int i = island.first; i < island.first + island.contacts; ++i)
    fill_block(problem, problem.order[i], solver.blocks[problem.order[i]]);
  problem.fill_response(island);
  const IslandLaws laws(problem, island);
  int next_newton = sweeps_before_newton(laws, island, settings);
  ConeResult result;
  const auto is_solved = [&] {
    const int sweeps = result.sweeps, steps = result.newton_steps;
    result = island_residual(problem, island, settings.shape, solver.blocks);
    result.sweeps = sweeps;
    result.newton_steps = steps;
    return result.converged = result.residual <= settings.tolerance;
  };
  if (is_solved()) return result;
  BestImpulses best{problem, island, solver};
  best.look(result.residual);
  // From nothing, where there is a choice: convex problems, whose way begins at zero, treat alike
  // what is alike. Sweeps would load some and leave others.
  if (laws.cold && next_newton >= 0 && laws.has_convex_problems() &&
      island.contacts <= settings.shared_contacts &&
      laws.rows > count_freedoms(problem, island, solver)) {
    result.newton_steps +=
        improve_by_convex_problems(problem, island, settings.tolerance, most_convex_rounds, solver);
    if (laws.has_newton() && 3 * island.contacts <= most_dense_rows)
      result.newton_steps += improve_by_newton(problem, island, 0.01 * settings.tolerance, solver);
    if (is_solved()) return result;
    best.give_back();
  }
  for (;;) {
    if (next_newton >= 0 && result.sweeps >= next_newton) {
      if (solve_by_newton(problem, island, laws, settings.tolerance, is_solved, result, solver))
        return result;
      best.look(result.residual);
      next_newton = 2 * result.sweeps + 8;
    }
    if (result.sweeps >= settings.most_sweeps) break;
    const double moved = sweep(problem, island, settings.shape, result.sweeps, solver);
    ++result.sweeps;
    const bool looks = result.sweeps % sweeps_between_looks == 0;
    if ((moved <= settings.tolerance || looks) && is_solved()) return result;
    if (!looks) continue;
    best.look(result.residual);
    if (laws.takes_no_energy() && diverges(problem, island)) break;
    if (best.is_stuck(result.sweeps)) break;
  }
  problem.fill_response(island);  // without what rounding has left
  if (is_solved()) return result;
  const bool gives = laws.takes_no_energy() && power_of(problem, island).gives();
  if (gives || !(result.residual < 100 * best.residual)) best.give_back();
  if (laws.takes_no_energy()) tame(problem, island);
  is_solved();
  return result;
}

/// Whether a contact that stuck with the impulses of the start has broken loose or opened.
bool breaks_loose(const ContactProblem& problem, const ContactIsland& island, double tolerance,
                  const List<Vec3<double>>& start) {
  for (int i = 0; i < island.contacts; ++i) {
    const int c = problem.order[island.first + i];
    const Vec3<double>& from = start[i];
    const double bears = problem.law[c].friction * from.x;
    if (!(length_of(from.y, from.z) < 0.999 * bears)) continue;
    const Vec3<double> u = problem.velocity(c);
    if (length_of(u.y, u.z) > 10 * tolerance || !(problem.impulse[c].x > 0.01 * from.x))
      return true;
  }
  return false;
}

}  // namespace

ConeResult solve_island(ContactProblem& problem, int number, const ConeSettings& settings,
                        ConeSolver& solver) {
  const ContactIsland& island = problem.islands[number];
  const IslandLaws laws(problem, island);
  const bool may_share = island.contacts > 1 && island.contacts <= settings.shared_contacts &&
                         settings.shape == FrictionShape::cone && laws.takes_no_energy();
  bool was_shared = false;
  solver.begun.clear();
  for (int i = island.first; i < island.first + island.contacts && may_share; ++i) {
    solver.begun.push_back(problem.impulse[problem.order[i]]);
    was_shared = was_shared || problem.shared[problem.order[i]];
  }
  ConeResult result = solve_laws(problem, island, settings, solver);
  const auto has_worked = [&] { return result.sweeps + result.newton_steps > 0; };
  // Where a load was shared, one contact may break loose because others bear what it has borne, and
  // that would be a solution. It is none of those that treat alike what is alike, which are found
  // from nothing.
  if (was_shared && island.contacts <= settings.newton_first && result.converged && has_worked() &&
      breaks_loose(problem, island, settings.tolerance, solver.begun)) {
    for (int i = 0; i < island.contacts; ++i) {
      const int c = problem.order[island.first + i];
      solver.begun[i] = std::exchange(problem.impulse[c], {});
    }
    const ConeResult anew = solve_laws(problem, island, settings, solver);
    if (anew.converged) {
      result = anew;
    } else {
      for (int i = 0; i < island.contacts; ++i)
        problem.impulse[problem.order[island.first + i]] = solver.begun[i];
      problem.fill_response(island);
    }
  }
  // a start that is a solution has been shared when it was found
  if (may_share && result.converged && has_worked())
    result.newton_steps += share_loads(problem, island, settings.tolerance, solver);
  return result;
}

ConeResult solve_contacts(ContactProblem& problem, const ConeSettings& settings,
                          ConeSolver& solver) {
  ConeResult worst;
  for (int i = 0; i < problem.islands.count(); ++i)
    keep_worst(worst, solve_island(problem, i, settings, solver));
  return worst;
}

ConeResult contact_residual(ContactProblem& problem, FrictionShape shape) {
  List<ConeSolver::Block> blocks(problem.law.size());
  ConeResult worst;
  for (const ContactIsland& island : problem.islands) {
    for (int i = island.first; i < island.first + island.contacts; ++i)
      fill_block(problem, problem.order[i], blocks[problem.order[i]]);
    problem.fill_response(island);
    keep_worst(worst, island_residual(problem, island, shape, blocks));
  }
  return worst;
}

}  // namespace limber
