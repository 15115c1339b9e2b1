// What contacts may do to the energy of the bodies: take of it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/added_inertia.hpp"
#include "index.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

constexpr double rounding_of_energy = 1e-13;
constexpr double most_paid = 1e-4;  // of the speed, in one step
}  // namespace

// velocities and places of the bodies at x_: motion_
void TimeStepping::place_bodies() {
  const std::size_t count = nq_ + nv_;
  if (motion_known_ && std::equal(motion_x_.begin(), motion_x_.end(), x_.begin())) return;
  forward_kinematics<double>(system_->model(), q(), v(), *ws_, motion_);
  motion_x_.assign(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(count));
  motion_known_ = true;
  energy_known_ = false;
}

double TimeStepping::energy_of_bodies() {
  place_bodies();
  if (energy_known_) return energy_;
  energy_ = system_->total_energy_at(x_, motion_);
  energy_known_ = !system_->stores_energy();  // what parts keep has a time of its own
  return energy_;
}

void TimeStepping::begin_energy() {
  energy_before_ = contacts_ ? energy_of_bodies() : 0;
  put_in_ = lost_ = 0;
  any_acted_ = false;
  counts_energy_ = true;
  switched_ = false;
  acted_.assign(nv_, 0);
}

// Of a part of the step: what all but contacts has put in, and what contacts took by their impulses
// [J]. Belts and prescribed motions may give any energy.
void TimeStepping::count_energy(double put_in, double lost, Until until) {
  put_in_ += put_in;
  lost_ += lost;
  if (near_.empty() || !mark_acting_islands()) return;
  any_acted_ = true;
  switched_ = switched_ || until == Until::impact || is_pushed_ ||
              std::find(begins_.begin(), begins_.end(), 1) != begins_.end();
  if (until == Until::impact) add_acted();
  counts_energy_ = counts_energy_ && counts_energy();
}

bool TimeStepping::counts_energy() const {
  return system_->free_motion().known.empty() &&
         std::none_of(near_.begin(), near_.end(),
                      [](const Near& one) { return dot(one.belt, one.belt) > 0; });
}

// acted_: the freedoms of the islands that are marked, too
void TimeStepping::add_acted() {
  const std::vector<std::uint8_t>& marked = freedoms_of(islands_after_);
  for (std::size_t k = 0; k < nv_; ++k) acted_[k] |= marked[k];
}

// islands whose contacts act, or move bodies out of each other: islands_after_. True: there are
// any.
bool TimeStepping::mark_acting_islands() {
  const ContactProblem& problem = rows_.problem;
  std::vector<std::uint8_t>& islands = islands_after_;
  islands.assign(at_index(problem.islands.count()), 0);
  for (int k = 0; k < problem.islands.count(); ++k) {
    const ContactIsland& island = problem.islands[k];
    for (int i = island.first; i < island.first + island.contacts; ++i)
      if (const int c = problem.order[i];
          problem.impulse[c].x > 0 || (is_pushed_ && push_rows_.problem.impulse[c].x > 0))
        islands[at_index(k)] = 1;
  }
  return std::find(islands.begin(), islands.end(), 1) != islands.end();
}

// The forces of contacts that last are those of the middle of the step, which along the mean
// velocity do a little more or less than the contacts take: of third order in the step, and always
// to the same side on some ways. What an island has got so it owes, and pays with its speed, in one
// proportion: what sticks goes on sticking. Only where it stands on the world, whose momentum
// nobody counts, and nothing drives it, so that nobody counts its own. The energy balance shows it
// all the same, as the error of the method that it is.
void TimeStepping::settle_debts() {
  if (near_.empty()) return;
  const ContactProblem& problem = rows_.problem;
  const Model& model = system_->model();
  const System::FreeMotion free = system_->free_motion();
  if (!free.known.empty() || free.loads.fluid) return;
  debts_.assign(at_index(problem.islands.count()), {});
  bool any = false;
  islands_after_.assign(debts_.size(), 0);
  mark_driven(islands_after_);
  for (int k = 0; k < problem.islands.count(); ++k) {
    Debt& debt = debts_[at_index(k)];
    bool stands = false, is_smooth = !islands_after_[at_index(k)];
    for (int i = problem.islands[k].first, last = i + problem.islands[k].contacts; i < last; ++i) {
      const int c = problem.order[i];
      const Near& one = near_[at_index(c)];
      if (!(problem.impulse[c].x > 0)) continue;
      stands = stands || one.found.body_a <= 0 || one.found.body_b <= 0;
      is_smooth = is_smooth && one.last.lasts && one.is_same && dot(one.belt, one.belt) == 0;
      if (is_smooth) debt.energy += rows_.work(c, v_mean_) - work_of(c);
    }
    debt.is_paid = stands && is_smooth;
    any = any || debt.is_paid;
  }
  if (!any) return;
  const auto debt_of = [&](int tree) -> Debt* {
    const int island = tree < 0 ? -1 : rows_.island_of_tree(tree);
    return island >= 0 && debts_[at_index(island)].is_paid ? &debts_[at_index(island)] : nullptr;
  };
  for (int b = 1; b < model.bodies(); ++b)
    if (Debt* debt = debt_of(rows_.tree_of_body(b))) {
      const Motion<double>& v = end_motion_.v[b];
      debt->twice_kinetic += twice_kinetic_energy(free.model.inertia[at_index(b)], v);
      if (free.loads.adds_to_bodies())
        debt->twice_kinetic += dot(v, body_load(free.model, free.loads, b) * v);
    }
  for (std::size_t k = 0; k < model.v_fold.size(); ++k)
    if (Debt* debt = debt_of(rows_.tree_of_body(model.column_body[k]))) {
      const double rate = model.v_fold[k].ratio * v_after_[at_index(model.v_fold[k].index)];
      debt->twice_kinetic += model.armature[k] * rate * rate;
    }
  for (int tree = 0; tree < rows_.trees(); ++tree)
    if (Debt* debt = debt_of(tree)) {
      debt->energy += std::exchange(owed_[at_index(tree)], 0.0);
      debt->tree = tree;
    }
  for (Debt& debt : debts_) {
    if (!debt.is_paid || debt.tree < 0) continue;
    const double wanted = debt.twice_kinetic > 0 ? debt.energy / debt.twice_kinetic : 0;
    debt.share = std::clamp(wanted, -most_paid, most_paid);
    const double paid = debt.share * (1 - debt.share / 2) * debt.twice_kinetic;
    owed_[at_index(debt.tree)] = debt.energy - paid;
    x_.back() -= paid;
    put_in_ -= paid;
  }
  w_paid_ = w_after_;
  for (std::size_t k = 0; k < model.v_fold.size(); ++k)
    if (const Debt* debt = debt_of(rows_.tree_of_body(model.column_body[k]))) {
      const std::size_t freedom = at_index(model.v_fold[k].index);
      w_after_[freedom] = (1 - debt->share) * w_paid_[freedom];
    }
}

const std::vector<std::uint8_t>& TimeStepping::freedoms_of(
    const std::vector<std::uint8_t>& islands) {
  const Model& model = system_->model();
  marked_.assign(nv_, 0);
  for (std::size_t k = 0; k < model.v_fold.size(); ++k) {
    const int tree = rows_.tree_of_body(model.column_body[k]);
    const int island = tree < 0 ? -1 : rows_.island_of_tree(tree);
    if (island >= 0 && islands[at_index(island)]) marked_[at_index(model.v_fold[k].index)] = 1;
  }
  return marked_;
}

// Inertia that parts add to joints is a force to the bodies. What it does when contacts change the
// velocity from v_free_ to v_after_, at v_mean_ [J].
double TimeStepping::work_of_added_inertia() {
  const Loads<double> loads = system_->free_motion().loads;
  double sum = 0;
  for (std::size_t k = 0; k < loads.joint_inertia.size(); ++k)
    sum += loads.joint_inertia[k] * (v_after_[k] - v_free_[k]) * v_mean_[k];
  return sum;
}

// Where contacts have begun to act, the energy of x_ is at most what is allowed, and what is less
// is lost in them. Contacts that last take what their impulses do; what remains is the method's
// error, of second order in the step.
void TimeStepping::limit_energy() {
  if (!any_acted_) return;
  if (!counts_energy_ || !switched_) {
    totals_.dissipated += lost_;
    return;
  }
  const double allowed = energy_before_ + put_in_;
  normalize(system_->model(), q());
  double energy = energy_of_bodies();
  const double found = energy;
  const Model& model = system_->free_motion().model;
  // twice, because what parts store is not all proportional to the square of velocities
  for (int round = 0; round < 2; ++round) {
    const double gained = energy - allowed;
    if (!(gained > rounding_of_energy * (std::abs(energy) + std::abs(allowed)))) break;
    if (round == 0 && !near_.empty() && mark_acting_islands()) add_acted();
    still_.assign(v().begin(), v().end());
    for (std::size_t k = 0; k < nv_; ++k)
      if (acted_[k]) still_[k] = 0;
    const double touching = kinetic_energy<double>(model, q(), v(), *ws_) -
                            kinetic_energy<double>(model, q(), still_, *ws_);
    const double scale = touching > gained ? std::sqrt(1 - gained / touching) : 0;
    for (std::size_t k = 0; k < nv_; ++k)
      if (acted_[k]) v()[k] *= scale;
    energy = energy_of_bodies();
  }
  x_.back() += energy - found;
  totals_.dissipated += allowed - energy;
}

}  // namespace limber
