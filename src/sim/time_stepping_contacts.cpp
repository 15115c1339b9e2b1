// Contacts of one instant of a step: their rows, impacts, and where bodies move.
#include <algorithm>
#include <cmath>

#include "contact/held_freedoms.hpp"
#include "index.hpp"
#include "sim/point_velocity.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

constexpr double touching = 1e-9;           // gaps below are none where an impact is located [m]
constexpr double most_gravity = 50;         // accelerations that gaps are looked for with [m/s²]
constexpr double fastest_push = 1;          // of bodies that overlap [m/s]
constexpr double fastest_lift = 1e-3;       // where contacts that last have left some depth [m/s]
constexpr double roughness = 0.03;          // of the slop
constexpr double least_step = 1e-5;         // in which a gap that lasts is closed [s]
constexpr double fading = 20;               // of gaps of contacts that last, within the slop [1/s]
constexpr double resting_change = 0.1;      // what touches with so much times h [m/s²]
constexpr double rounding_of_work = 1e-12;  // [J]
constexpr double sticks = 1e-9;             // a slip that is none [m/s]
// of one impact; contacts that contradict each other would take all there are
constexpr int sweeps_of_impact = 5, most_collisions = 1000;

bool comes_before(const KeptContact& one, const std::pair<int, int>& shapes) {
  return std::pair{one.shape_a, one.shape_b} < shapes;
}

}  // namespace

void TimeStepping::find_contacts(double h) {
  near_.clear();
  if (!contacts_) return;
  place_bodies();
  double fastest = 0;
  for (std::size_t b = 1; b < reach_.size(); ++b)
    fastest = std::max(fastest, norm(motion_.v[b].linear) + reach_[b] * norm(motion_.v[b].angular));
  margin_ = contacts_->settings().slop + 2 * h * fastest + h * h * most_gravity;
  const auto contacts_of = [&](int body) {  // in the last step
    const int tree = rows_.tree_of_body(body);
    return tree < 0 ? 0 : touches_[at_index(tree)];
  };
  for (const SceneContact& found : contacts_->find(motion_, margin_)) {
    Near one{found, contacts_->material(found.shape_a, found.shape_b),
             contacts_->belt(found, motion_)};
    const Vec3<double>&p = found.at.point, &n = found.at.normal;
    const Vec3<double> u =
        point_velocity(motion_, found.body_a, p) - point_velocity(motion_, found.body_b, p);
    one.before = u;
    one.approach = dot(u, n);
    one.last = last_impulse(found);
    const int already = std::max(contacts_of(found.body_a), contacts_of(found.body_b));
    const bool stands = found.body_a <= 0 || found.body_b <= 0;
    one.begins_at_rest = stands && already == 0 &&
                         std::abs(one.gap()) <= contacts_->settings().slop &&
                         std::abs(one.approach) <= resting_change * h;
    if (one.begins_at_rest) one.last.rests = one.last.lasts = true;
    one.is_alone = one.last.lasts && already <= 1;
    // of what lasts as the last step left it, free of what the method is off by
    one.slip =
        one.lasts() && !one.begins_at_rest ? one.last.slip : norm(u + one.belt - n * one.approach);
    near_.push_back(one);
  }
}

KeptContact TimeStepping::last_impulse(const SceneContact& contact) const {
  const std::pair<int, int> shapes{contact.shape_a, contact.shape_b};
  auto at = std::lower_bound(before_.begin(), before_.end(), shapes, comes_before);
  for (; at != before_.end() && std::pair{at->shape_a, at->shape_b} == shapes; ++at)
    if (at->feature == contact.at.feature) return *at;
  return {};
}

// The least normal velocity at the end of a step. Gaps may close within it. What touches already is
// taken to its place: at once beyond the slop, and slowly within it, where nothing shall be thrown.
// What is no further off than surfaces are rough is there: so both ends of a wheel whose file has
// π/2 with six digits bear a load.
double TimeStepping::least_velocity(const Near& one, double h) const {
  if (h == 0) return 0;
  if (!one.follows) return -std::max(one.gap(), 0.0) / h;
  const double slop = contacts_->settings().slop, rough = roughness * slop;
  const double off = one.gap() < 0 ? one.gap() : std::max(one.gap() - rough, 0.0);
  const double within = one.is_alone ? std::clamp(off, -slop, slop) : 0;
  return std::min(-(off - within) / std::max(h, least_step) - within * std::min(fading, 1 / h),
                  fastest_lift);
}

// In the middle of the step, for the velocity at its end. h = 0: an impact of contacts that have no
// gap.
void TimeStepping::make_rows(double h, double restitution) {
  const ContactSettings& s = contacts_->settings();
  row_contacts_.clear();
  for (const Near& one : near_) {
    RowContact row;
    row.body_a = one.found.body_a;
    row.body_b = one.found.body_b;
    row.point = h > 0 ? one.point : one.found.at.point;
    row.normal = h > 0 ? one.normal : one.found.at.normal;
    row.law.friction =
        friction_of(one.material.friction, one.material.sliding_friction, one.slip, s.stick_speed);
    row.law.softness = one.material.softness;
    row.law.torsion = one.material.torsion;
    row.law.rolling = one.material.rolling;
    row.drift = one.belt;
    row.target = least_velocity(one, h);
    if (one.bounces) row.target = -restitution * one.material.restitution * one.approach;

    if (h > 0 && one.last.rests) {  // the impulse of an impact says nothing about this step
      row.start = one.last.force * h;
      row.start_turn = one.last.moment * h;
      row.start_is_shared = one.last.shared;
    }
    row_contacts_.push_back(row);
  }
}

// the free velocity keeps its rates: it belongs to the end of the step, where loops are closed
void TimeStepping::keep_loop_rates(const ContactRows& rows, std::span<const double> v_free) {
  loop_rates_.assign(at_index(rows.loops.rows), 0.0);
  for (int i = 0; i < rows.loops.rows; ++i) {
    loop_rates_[at_index(i)] = rows.loops.drift[i];
    for (std::size_t k = 0; k < nv_; ++k)
      loop_rates_[at_index(i)] += rows.loops.jt(static_cast<int>(k), i) * v_free[k];
  }
}

void TimeStepping::solve(double t, double h, std::span<const double> v_free, double restitution) {
  if (near_.empty()) {
    std::copy(v_free.begin(), v_free.end(), v_after_.begin());
    return;
  }
  const System::FreeMotion free = system_->free_motion();
  const ConeSettings& settings = contacts_->settings().solver;
  factorize<double>(free.model, middle(), *ws_, *factor_, free.loads, free.known);
  hold_known(*factor_, free.known);
  make_rows(h, restitution);
  rows_.place(*mechanism_, t + h / 2, middle(), *factor_, row_contacts_, *ws_);
  look_ahead();
  keep_loop_rates(rows_, v_free);
  rows_.set_free_velocity(v_free, loop_rates_);
  if (team_) {
    results_.assign(at_index(rows_.problem.islands.count()), {});
    cone_ = &settings;
    team_->run();
    result_ = {};
    for (const ConeResult& one : results_) {
      if (one.residual > result_.residual) {
        result_.residual = one.residual;
        result_.contact = one.contact;
      }
      result_.sweeps = std::max(result_.sweeps, one.sweeps);
      result_.newton_steps = std::max(result_.newton_steps, one.newton_steps);
      result_.converged = result_.converged && one.converged;
    }
  } else {
    result_ = solve_contacts(rows_.problem, settings, solvers_[0]);
  }
  rows_.velocity(v_after_);
  totals_.residual = std::max(totals_.residual, result_.residual);
  totals_.worst_residual = std::max(totals_.worst_residual, result_.residual);
  totals_.iterations += result_.sweeps + result_.newton_steps;
  totals_.not_converged += !result_.converged;
}

// Newton's law with friction may create energy: then contacts bounce less
void TimeStepping::solve_bouncing(double t, double h, std::span<const double> v_free) {
  const bool any =
      std::any_of(near_.begin(), near_.end(), [](const Near& one) { return one.bounces; });
  for (double restitution = 1;; restitution = restitution > 0.1 ? restitution * 0.75 : 0) {
    solve(t, h, v_free, restitution);
    if (!any || restitution == 0) return;
    find_mean();
    if (dissipation(work_on_bodies()) >= -rounding_of_work) return;
  }
}

// the impacts of this instant
bool TimeStepping::jump(double t) {
  const ContactSettings& s = contacts_->settings();
  is_pushed_ = false;
  restitution_.clear();
  const auto bounces = [&](const Near& one) {
    return one.gap() <= touching && !one.last.rests && one.material.restitution > 0 &&
           one.approach < -least_bounce(0);
  };
  if (std::none_of(near_.begin(), near_.end(), bounces)) return false;
  passed_ = near_;  // to go on with where there is no impact
  std::erase_if(near_, [&](const Near& one) { return one.gap() > s.slop; });
  for (const Near& one : near_) restitution_.push_back(one.material.restitution);
  const System::FreeMotion free = system_->free_motion();
  factorize<double>(free.model, q(), *ws_, *factor_, free.loads, free.known);
  hold_known(*factor_, free.known);
  make_rows(0, 1);
  rows_.place(*mechanism_, t, q(), *factor_, row_contacts_, *ws_);
  ImpactSettings settings;
  settings.law = s.impact_law;
  settings.order = s.impact_order;
  settings.rest_speed = least_bounce(0);
  settings.tolerance = s.solver.tolerance;
  settings.most_sweeps = sweeps_of_impact * s.solver.most_sweeps;
  settings.most_collisions = most_collisions;
  const ImpactResult result = impact(rows_, v(), restitution_, settings, impact_solver_, v_after_);
  totals_.residual = std::max(totals_.residual, result.residual);
  totals_.worst_residual = std::max(totals_.worst_residual, result.residual);
  totals_.not_converged += !result.converged;
  impacts_are_solved_ = impacts_are_solved_ && result.converged;
  totals_.limited += result.would_create_energy;
  // impulses that rounding has got hold of: no restitution in this step
  const auto energy = [&](std::span<const double> velocities) {
    return kinetic_energy<double>(free.model, q(), velocities, *ws_, free.loads);
  };
  if (counts_energy() && !(energy(v_after_) <= (1 + 1e-9) * energy(v()))) {
    totals_.not_converged += result.converged;
    impacts_are_solved_ = false;
    near_ = passed_;
    return false;
  }
  ++totals_.impacts;
  v_free_.assign(v().begin(), v().end());
  for (std::size_t k = 0; k < nv_; ++k) v_mean_[k] = (v()[k] + v_after_[k]) / 2;
  const double work = work_on_bodies(), added = work_of_added_inertia();
  x_.back() += work - added;
  count_energy(-added, dissipation(work), Until::impact);
  add_impulses(1, Until::impact);
  std::copy(v_after_.begin(), v_after_.end(), v().begin());
  return true;
}

// Contacts that act in the solution although they begin within the step, and bounce: within a step
// of h. h = 0: they are left out, to be located.
bool TimeStepping::find_arriving(double h) {
  bool any = false;
  for (std::size_t k = 0; k < near_.size(); ++k) {
    Near& one = near_[k];
    const bool acts = rows_.problem.impulse[k].x > 0 && !one.bounces && one.gap() > touching;
    if (!acts || one.last.rests || one.material.restitution == 0 ||
        one.approach >= -least_bounce(h))
      continue;
    (h > 0 ? one.bounces : one.is_passed) = any = true;
  }
  passed_.clear();
  if (any && h == 0) {
    for (const Near& one : near_)
      if (one.is_passed) passed_.push_back(one);
    std::erase_if(near_, [](const Near& one) { return one.is_passed; });
  }
  return any;
}

// what contacts took away, belts included, where they did this work on the bodies [J]
double TimeStepping::dissipation(double work) {
  double sum = -work;
  for (std::size_t k = 0; k < near_.size(); ++k)
    sum -= dot(rows_.impulse(static_cast<int>(k)), near_[k].belt);
  return sum;
}

// What contacts did to the bodies, whose mean velocity is v_mean_: impulses times the mean of the
// velocities before and after [J]. In islands in which all contacts last it is friction alone, by
// the slips at both ends of the step: what sticks or rolls takes nothing, and what the bodies have
// got beside that is the method's error.
double TimeStepping::work_on_bodies() {
  if (near_.empty()) return 0;
  find_begins();
  double sum = 0;
  for (std::size_t k = 0; k < near_.size(); ++k) sum += work_of(static_cast<int>(k));
  return sum;
}

// Where contacts begin or strike, in this step or the last one, which leaves some of it: begins_.
void TimeStepping::find_begins() {
  const ContactProblem& problem = rows_.problem;
  begins_.assign(at_index(problem.islands.count()), 0);
  for (int k = 0; k < problem.islands.count(); ++k)
    for (int i = problem.islands[k].first, last = i + problem.islands[k].contacts; i < last; ++i)
      if (const int c = problem.order[i];
          problem.impulse[c].x > 0 && !near_[at_index(c)].last.lasts)
        begins_[at_index(k)] = 1;
}

bool TimeStepping::all_last(int c) const {
  const SceneContact& at = near_[at_index(c)].found;
  const int tree = rows_.tree_of_body(at.body_a > 0 ? at.body_a : at.body_b);
  const int island = tree < 0 ? -1 : rows_.island_of_tree(tree);
  return near_[at_index(c)].last.lasts && island >= 0 && !begins_[at_index(island)];
}

double TimeStepping::work_of(int c) {
  const Near& one = near_[at_index(c)];
  if (!all_last(c)) return rows_.work(c, v_mean_);
  const Vec3<double>& n = one.found.at.normal;
  const Vec3<double> after = rows_.slip(c), along = after - n * dot(after, n);
  const double turning = rows_.turn_work(c, v_mean_);
  if (one.slip < contacts_->settings().stick_speed && norm(along) < 10 * result_.residual + sticks)
    return turning - dot(rows_.impulse(c), one.belt);
  const Vec3<double> slip = (one.before - n * one.approach + along - one.belt) * 0.5;
  return dot(rows_.impulse(c), slip) + turning;
}

void TimeStepping::add_impulses(double share, Until until) {
  const std::size_t already = sums_.size();
  for (std::size_t k = 0; k < near_.size(); ++k) {
    Near& one = near_[k];
    const int c = static_cast<int>(k);
    const Vec3<double> impulse = rows_.impulse(c) * share, turn = rows_.turn_impulse(c) * share;
    const bool rests = one.gap() <= contacts_->settings().slop;
    if (!(rows_.problem.impulse[c].x > 0) && !rests) continue;
    const bool rests_after = until == Until::end && rows_.problem.impulse[c].x > 0;
    const Vec3<double>& n = one.found.at.normal;
    const Vec3<double>& u = one.after = rows_.slip(c);
    const double slip = norm(u - n * dot(u, n));
    std::size_t i = 0;
    while (i < already &&
           (sums_[i].shape_a != one.found.shape_a || sums_[i].shape_b != one.found.shape_b ||
            sums_[i].feature != one.found.at.feature))
      ++i;
    if (i == already) {
      sums_.push_back({one.found.shape_a, one.found.shape_b, one.found.at.feature,
                       until == Until::end ? one.point : one.found.at.point, n, impulse, turn,
                       one.found.at.depth, slip, rests_after, rests_after && one.lasts(),
                       rows_.problem.shared[c] != 0});
      continue;
    }
    sums_[i].force += impulse;
    sums_[i].moment += turn;
    sums_[i].slip = slip;
    sums_[i].rests = rests_after;
    sums_[i].lasts = false;
    sums_[i].shared = rows_.problem.shared[c] != 0;
  }
  if (already > 0) sort_contacts(sums_);
}

void TimeStepping::sort_contacts(std::vector<KeptContact>& contacts) {
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const KeptContact& a, const KeptContact& b) {
                     return std::pair{a.shape_a, a.shape_b} < std::pair{b.shape_a, b.shape_b};
                   });
}

// Bodies move with the mean of the velocities before and after; but where a contact that begins
// would so be run through or left, all of its island moves with the velocity after, and so does an
// island with such a contact where contacts would do work on the bodies: with the velocity after,
// v⁺, that is λᵀ J v⁺ − ½ (v⁺ − v)ᵀ M (v⁺ − v), which is none. True: some do.
bool TimeStepping::choose_motion(double h) {
  if (near_.empty()) return false;
  const double slop = contacts_->settings().slop,
               tolerance = contacts_->settings().solver.tolerance;
  const ContactProblem& problem = rows_.problem;
  std::vector<std::uint8_t>& after = islands_after_;
  after.assign(at_index(problem.islands.count()), 0);
  for (int k = 0; k < problem.islands.count(); ++k) {
    double given = -rounding_of_work;
    bool begins = false, leaves = false;
    for (int i = problem.islands[k].first, last = i + problem.islands[k].contacts; i < last; ++i) {
      const int c = problem.order[i];
      const Near& one = near_[at_index(c)];
      given += work_of(c) + dot(rows_.impulse(c), one.belt) - tolerance * problem.impulse[c].x;
      if (!(problem.impulse[c].x > 0) || one.last.lasts) continue;
      begins = true;
      const double mean = (one.approach + dot(one.after, one.found.at.normal)) / 2;
      const double end = std::max(one.gap(), 0.0) + h * mean;
      leaves = leaves || !(end >= -slop / 1000 && end <= slop / 100);
    }
    after[at_index(k)] = leaves || (begins && given > 0);
  }
  bool any = false;
  const std::vector<std::uint8_t>& marked = freedoms_of(after);
  for (std::size_t k = 0; k < nv_; ++k) {
    if (!marked[k]) continue;
    w_move_[k] = w_after_[k];
    any = true;
  }
  return any;
}

// and out of what they overlap. True: they do.
bool TimeStepping::add_push() {
  if (near_.empty()) return false;
  bool any = false;
  for (std::size_t k = 0; k < nv_; ++k) {
    w_move_[k] += push_[k];
    any = any || push_[k] != 0;
  }
  return any;
}

// a velocity that takes bodies out of each other and nothing else: push_
void TimeStepping::push_out(double t, double h) {
  is_pushed_ = false;
  std::fill(push_.begin(), push_.end(), 0.0);
  if (near_.empty()) return;
  const ContactSettings& s = contacts_->settings();
  bool any = false;
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const Near& one = near_[k];
    RowContact& row = row_contacts_[k];
    row.law = {};
    row.drift = row.start = row.start_turn = {};
    const double depth = one.found.at.depth - s.slop;
    row.target = depth > 0 ? std::min(s.correction * depth / h, fastest_push)
                           : -std::max(one.gap(), 0.0) / h;
    any = any || depth > 0;
  }
  if (!any || s.correction == 0) return;
  push_rows_.place(*mechanism_, t + h / 2, middle(), *factor_, row_contacts_, *ws_);
  keep_loop_rates(push_rows_, push_);
  push_rows_.set_free_velocity(push_, loop_rates_);
  ConeSettings rough = s.solver;
  rough.tolerance = 1e-6;
  rough.most_sweeps = std::min(rough.most_sweeps, 30);
  rough.newton_contacts = rough.shared_contacts = 0;
  solve_contacts(push_rows_.problem, rough, solvers_[0]);
  push_rows_.velocity(push_);
  system_->to_fixed_axes(middle(), push_, push_);
  is_pushed_ = true;
}

}  // namespace limber
