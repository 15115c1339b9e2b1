// What contacts may do to the energy of the bodies: take of it.
#include <algorithm>
#include <cmath>

#include "index.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

constexpr double rounding_of_energy = 1e-13;
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
  acted_.assign(nv_, 0);
}

// Of a part of the step: what all but contacts has put in, and what contacts took by their impulses
// [J]. Belts and prescribed motions may give any energy.
void TimeStepping::count_energy(double put_in, double lost, Until until) {
  put_in_ += put_in;
  lost_ += lost;
  if (near_.empty() || !mark_acting_islands()) return;
  any_acted_ = true;
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

// The energy of x_ is at most what is allowed, where contacts have acted; what is less is lost in
// them.
void TimeStepping::limit_energy() {
  if (!any_acted_) return;
  if (!counts_energy_) {
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
