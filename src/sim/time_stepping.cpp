#include "sim/time_stepping.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "index.hpp"
#include "sim/methods.hpp"

namespace limber {

namespace {

constexpr std::size_t most_located_contacts = 64;  // above, impacts happen within steps
constexpr double least_part = 1e-12;               // of a step that is worth being computed
constexpr int most_decisions = 10;                 // rounds of what sticks, in one part of a step
// of the way to an impact
constexpr double speed_reserve = 1.5;  // over the speeds at both ends of the step
constexpr double seen_part = 0.2;      // of the thinner shape: how deep a part of the way may end
constexpr int most_parts = 10000;

std::vector<int> closed_loops(const System& system) {
  std::vector<int> closed;
  if (const LoopSet* loops = system.loops())
    for (int k = 0; k < loops->all().loops.count(); ++k)
      if (loops->is_closed(k)) closed.push_back(k);
  return closed;
}

// how far the shapes of each body reach from its origin
std::vector<double> reaches(const Model& model, const CollisionScene& scene) {
  std::vector<double> reach(at_index(model.bodies()), 0);
  for (const SceneShape& one : scene.shapes()) {
    if (one.body <= 0) continue;
    const Bounds box = one.shape.bounds(one.placement);
    const Vec3<double> corner{std::max(std::abs(box.lower.x), std::abs(box.upper.x)),
                              std::max(std::abs(box.lower.y), std::abs(box.upper.y)),
                              std::max(std::abs(box.lower.z), std::abs(box.upper.z))};
    const double size = norm(corner);
    if (std::isfinite(size)) reach[at_index(one.body)] = std::max(reach[at_index(one.body)], size);
  }
  return reach;
}

// the least extent of what has a far side; of what has none, how far is deep
double thickness(const Shape& shape) {
  constexpr double deep = 0.1;  // [m]
  const Bounds box = shape.bounds({});
  const Vec3<double> edges = box.upper - box.lower;
  double least = deep;
  for (const double edge : {edges.x, edges.y, edges.z})
    if (edge > 0) least = std::min(least, edge);
  return least;
}

}  // namespace

void TimeStepping::bind(Ode& ode) {
  OneStep::bind(ode);
  auto* system = dynamic_cast<System*>(&ode);
  if (!system)
    throw Error(
        "the method time_stepping needs a System, whose parts know contacts; these equations are "
        "general ones: choose rk4 or dopri5");
  if (system == system_ && mechanism_ && closed_ == closed_loops(*system)) return;
  system_ = system;
  contacts_ = nullptr;
  for (const auto& part : system->parts())
    if (auto* contacts = dynamic_cast<Contacts*>(part.get());
        contacts && contacts->settings().method == ContactMethod::stepping)
      contacts_ = contacts;
  choose_mechanism();
  if (!system->loops()) system->decide_in_steps();  // with loops, dry friction has events
  const Model& model = system->model();
  nq_ = at_index(model.nq);
  nv_ = at_index(model.nv);
  ws_ = std::make_unique<Workspace>(model);
  factor_ = std::make_unique<TreeFactor>(model);
  motion_ = Velocities(model);
  motion_known_ = energy_known_ = false;
  moved_ = Poses(model);
  end_motion_ = Velocities(model);
  middle_motion_ = Accelerations(model);
  floating_.clear();
  rows_ = ContactRows(*mechanism_, 64);
  push_rows_ = ContactRows(*mechanism_, 64);
  if (contacts_) reach_ = reaches(model, contacts_->scene());
  for (auto* values : {&w_, &w_dot_, &w_free_, &w_there_, &v_there_, &w_after_, &w_move_, &v_free_,
                       &v_after_, &v_mean_, &v_begin_, &w_found_, &push_, &impulse_})
    values->assign(nv_, 0.0);
  for (auto* values : {&rates_, &x_middle_}) values->resize(at_index(system->size()));
  q_there_.resize(nq_);
  solvers_.resize(at_index(threads_));
  team_.reset();
  if (threads_ > 1)
    team_ = std::make_unique<ThreadTeam>(threads_, [this](int member) {
      const int islands = rows_.problem.islands.count();
      for (int k = member; k < islands; k += threads_)
        results_[at_index(k)] = solve_island(rows_.problem, k, *cone_, solvers_[at_index(member)]);
    });
}

// the tree, and the loops that are closed now
void TimeStepping::choose_mechanism() {
  closed_ = closed_loops(*system_);
  mechanism_ = system_->loops() ? std::make_unique<Mechanism>(system_->loops()->closed())
                                : std::make_unique<Mechanism>(system_->model());
}

void TimeStepping::start(Ode& ode, double t, std::span<const double> x) {
  bind(ode);
  OneStep::start(ode, t, x);
}

StepStatus TimeStepping::take(double t, double h, std::span<const double> from,
                              std::span<double> to) {
  std::copy(from.begin(), from.end(), x_before_.begin());
  const StepStatus status = advance(t, h);
  if (status != StepStatus::ok) return status;
  if (!all_finite(x_) || system_->stabilise(t + h, x_) == Evaluated::failed)
    return StepStatus::not_computable;
  std::copy(x_.begin(), x_.end(), to.begin());
  return StepStatus::ok;
}

// A step that is too long for what rolls and rocks on contacts that last is taken in parts.
StepStatus TimeStepping::advance(double t, double h) {
  std::copy(x_before_.begin(), x_before_.end(), x_.begin());
  const auto begin_totals = [&] {
    if (!contacts_) return;
    totals_ = contacts_->totals(system_->discrete_of(*contacts_));
    totals_.residual = totals_.iterations = 0;
  };
  begin_totals();
  parts_ = 0;
  is_resolved_ = true;
  StepStatus status = go(t, h);
  if (status != StepStatus::ok || parts_ <= 1) return status;
  begin_totals();
  whole_.clear();
  const int parts = parts_;
  for (int k = 0; k < parts && status == StepStatus::ok; ++k) {
    status = go(t + k * h / parts, h / parts);
    add_to_whole(1.0 / parts);
  }
  if (whole_.size() > at_index(contacts_->most_contacts()))
    std::erase_if(whole_, [](const KeptContact& one) { return !one.rests; });
  contacts_->keep(system_->discrete_of(*contacts_), whole_);
  return status;
}

// The whole step, or one of parts_ parts of it. Where it finds first how many there should be it
// says that in parts_, and has not gone.
StepStatus TimeStepping::go(double t, double h) {
  sums_.clear();
  before_.clear();
  if (contacts_) {
    const std::span<const double> d = system_->discrete_of(*contacts_);
    for (int k = 0; k < contacts_->kept_count(d); ++k) before_.push_back(contacts_->kept(d, k));
  }
  find_touched();
  if (floating_.empty()) find_floating();
  begin_sleep();
  begin_energy();
  double done = 0;
  impacts_are_solved_ = true;
  end_found_ = false;
  for (int impacts = 0, round = 0; h - done > least_part * h;) {
    const double left = h - done;
    const System::Decisions decisions =
        round == 0 ? System::Decisions::anew : System::Decisions::stand;
    if (!all_finite(x_) || !find_free_motion(t + done, left, decisions))
      return StepStatus::not_computable;
    find_contacts(left);
    leave_sleeping();
    find_rates(left);
    const bool few = near_.size() <= most_located_contacts;
    // where impacts accumulate, the rest of a step has none
    // and where contacts contradict each other none is looked for again
    const bool locates =
        contacts_ && few && impacts_are_solved_ && impacts < contacts_->settings().located_impacts;
    if (locates && jump(t + done)) {
      forget_last_step();
      parts_ = 1;
      end_found_ = false;
      ++impacts;
      round = 0;
      continue;
    }
    for (Near& one : near_)
      one.bounces = !few && one.gap() <= 0 && !one.last.rests && one.material.restitution > 0 &&
                    one.approach < -least_bounce(left);
    solve_bouncing(t + done, left, v_free_);
    if (round < most_decisions && !decide(left)) {
      ++round;
      continue;
    }
    if (!end_found_ && begins_at_rest()) {
      end_found_ = true;
      continue;
    }
    if (parts_ == 0) {
      parts_ = needed_parts(left);
      if (parts_ > 1) return StepStatus::ok;
    }
    if ((locates || !few) && find_arriving(locates ? 0 : left)) {
      solve_bouncing(t + done, left, v_free_);
      const double part = locates ? locate(left) : left;
      if (part < left) {
        go_to(part, left);
        forget_last_step();
        if (system_->any_decisions()) system_->take_step();
        done += part;
        ++impacts;
        round = 0;
        continue;
      }
    }
    push_out(t + done, left);
    finish(left);
    if (system_->any_decisions()) system_->take_step();
    done = h;
  }
  if (!all_finite(x_)) return StepStatus::not_computable;
  limit_energy();
  if (contacts_) keep(h);
  return StepStatus::ok;
}

// freedoms of what touched something in the last step
void TimeStepping::find_touched() {
  touched_.assign(nv_, Touch::none);
  const Model& model = system_->model();
  std::vector<Touch>& trees = touched_trees_;
  trees.assign(at_index(rows_.trees()), Touch::none);
  touches_.assign(trees.size(), 0);
  for (const KeptContact& one : before_)
    for (const int shape : {one.shape_a, one.shape_b})
      if (const int tree = rows_.tree_of_body(contacts_->scene().shapes()[at_index(shape)].body);
          tree >= 0) {
        Touch& touch = trees[at_index(tree)];
        ++touches_[at_index(tree)];
        const bool strikes = one.rests && !one.lasts;
        touch = strikes || touch == Touch::some ? Touch::some : Touch::lasting;
      }
  for (std::size_t k = 0; k < model.v_fold.size(); ++k)
    if (const int tree = rows_.tree_of_body(model.column_body[k]); tree >= 0)
      touched_[at_index(model.v_fold[k].index)] = trees[at_index(tree)];
  for (StepRates* kept : {&contact_rates_, &last_rates_})
    kept->mean.resize(nv_), kept->slope.resize(nv_);
  w_owed_.resize(nv_);
  if (!contacts_) return;
  std::span<double> rates = contacts_->rates(system_->discrete_of(*contacts_));
  for (StepRates* kept : {&contact_rates_, &last_rates_})
    for (std::vector<double>* values : {&kept->mean, &kept->slope}) {
      values->assign(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(nv_));
      rates = rates.subspan(nv_);
    }
  std::copy_n(rates.begin(), nv_, w_owed_.begin());
  last_step_ = rates[nv_];
  const std::span<double> debts = contacts_->debts(system_->discrete_of(*contacts_));
  owed_.assign(debts.begin(), debts.end());
}

// after an impact nothing goes on as it did
void TimeStepping::forget_last_step() {
  for (Touch& one : touched_)
    if (one == Touch::lasting) one = Touch::some;
}

// The acceleration without contact in the middle of the step, and the velocity after h: of second
// order. Until there contacts that last do what they did in the last step; what others have touched
// does not fall: where they touched all, and parts have no states, the rates at the beginning say
// nothing.
bool TimeStepping::find_free_motion(double t, double h, System::Decisions decisions) {
  const auto rate_at = [&](double time, std::span<const double> x) {
    ++cost_.evaluations;
    const Evaluated result = system_->free_rate(time, x, h, contacts_, rates_, decisions);
    decisions = System::Decisions::stand;
    return result == Evaluated::ok;
  };
  const std::span<const double> a = std::span<const double>(rates_).subspan(nq_, nv_);
  const bool all_struck =
      std::all_of(touched_.begin(), touched_.end(), [](Touch one) { return one == Touch::some; });
  const bool needs_beginning = !all_struck || x_.size() > nq_ + nv_ + 1;
  if (needs_beginning && !rate_at(t, x_)) return false;
  system_->to_fixed_axes(q(), v(), w_);
  if (needs_beginning) system_->fixed_axes_rate(q(), v(), a, w_dot_);
  for (std::size_t k = 0; k < nv_; ++k) {
    double change = touched_[k] == Touch::some ? 0 : h / 2 * w_dot_[k];
    if (touched_[k] == Touch::lasting) change += h / 2 * expected(contact_rates_, k, h / 2);
    if (end_found_ && touched_[k] == Touch::none) change = (w_found_[k] - w_[k]) / 2;
    w_after_[k] = w_[k] + change;
    w_move_[k] = w_[k] + change / 2;
  }
  const std::span<double> there(x_middle_);
  system_->move(q(), w_move_, h / 2, middle());
  system_->from_fixed_axes(middle(), w_after_, there.subspan(nq_, nv_));
  if (needs_beginning)
    for (std::size_t k = nq_ + nv_; k < x_.size(); ++k) there[k] = x_[k] + h / 2 * rates_[k];
  else there.back() = x_.back();
  if (!rate_at(t + h / 2, there)) return false;
  system_->fixed_axes_rate(middle(), there.subspan(nq_, nv_), a, w_dot_);
  for (std::size_t k = 0; k < nv_; ++k) w_free_[k] = w_[k] + h * w_dot_[k] + w_owed_[k];
  system_->from_fixed_axes(middle(), w_free_, v_free_);
  return true;
}

// whether what sticks and what slips is as this part of the step has it
bool TimeStepping::decide(double h) {
  if (!system_->any_decisions()) return true;
  if (near_.empty()) std::fill(impulse_.begin(), impulse_.end(), 0.0);
  else rows_.generalized_impulse(impulse_);
  return system_->decide(x_, v_free_, v_after_, impulse_, h);
}

// Of the pair of shapes, after dt with the present acceleration: the velocities w and rates w_dot_.
double TimeStepping::gap_at(const Near& contact, double dt) {
  for (std::size_t k = 0; k < nv_; ++k) w_move_[k] = w_[k] + dt / 2 * w_dot_[k];
  system_->move(q(), w_move_, dt, q_there_);
  forward_kinematics<double>(system_->model(), q_there_, *ws_, moved_);
  const auto pose = [&](const SceneShape& shape) {
    return moved_.X_W[shape.body] * shape.placement;
  };
  const std::span<const SceneShape> shapes = contacts_->scene().shapes();
  const SceneShape &a = shapes[at_index(contact.found.shape_a)],
                   &b = shapes[at_index(contact.found.shape_b)];
  return distance(a.shape, pose(a), b.shape, pose(b)).distance;
}

// A bound on how fast the two shapes of a contact come nearer to each other within h, with the
// rates w_dot_: by their speeds at both ends of the step [m/s].
double TimeStepping::closing_speed(const Near& contact, double h) {
  const auto speed_of = [&](const Velocities& bodies, int body) {
    if (body <= 0) return 0.0;
    const Motion<double>& v = bodies.v[body];
    return norm(v.linear) + reach_[at_index(body)] * norm(v.angular);
  };
  if (!end_known_) {
    for (std::size_t k = 0; k < nv_; ++k) w_move_[k] = w_[k] + h / 2 * w_dot_[k];
    system_->move(q(), w_move_, h, q_there_);
    system_->from_fixed_axes(q_there_, w_after_, v_mean_);
    forward_kinematics<double>(system_->model(), q_there_, v_mean_, *ws_, end_motion_);
    end_known_ = true;
  }
  place_bodies();
  double sum = 0;
  for (const int body : {contact.found.body_a, contact.found.body_b})
    sum += std::max(speed_of(motion_, body), speed_of(end_motion_, body));
  return speed_reserve * sum;
}

// When the first of the contacts that were left out is reached; h: none of them is. With what all
// the others do, velocities change uniformly. The way is gone in parts in which nothing can be
// passed, whatever is thin or fast.
double TimeStepping::locate(double h) {
  system_->to_fixed_axes(middle(), v_after_, w_after_);
  for (std::size_t k = 0; k < nv_; ++k) w_dot_[k] = (w_after_[k] - w_[k]) / h;
  end_known_ = false;
  double first = h;
  for (const Near& one : passed_) {
    const double speed = closing_speed(one, h);
    if (!(speed > 0)) continue;
    const std::span<const SceneShape> shapes = contacts_->scene().shapes();
    const double seen = seen_part * std::min(thickness(shapes[at_index(one.found.shape_a)].shape),
                                             thickness(shapes[at_index(one.found.shape_b)].shape));
    double low = 0, high = 0, gap_low = std::max(one.gap(), 0.0), gap_high = gap_low;
    for (int part = 0; gap_high >= 0 && high < first && part < most_parts; ++part) {
      low = high, gap_low = gap_high;
      high = std::min(first, low + (gap_low + seen) / speed);
      gap_high = gap_at(one, high);
    }
    if (gap_high >= 0) continue;
    // a zero of the gap, by halving and by secants in turn (Illinois)
    for (int round = 0; round < 80 && high - low > 1e-16 * h; ++round) {
      const double middle =
          round % 3 == 2 ? (low + high) / 2 : low + (high - low) * gap_low / (gap_low - gap_high);
      const double gap = gap_at(one, middle);
      (gap < 0 ? high : low) = middle;
      (gap < 0 ? gap_high : gap_low) = gap;
      if (gap == 0) break;
    }
    first = gap_low < -gap_high ? low : high;
  }
  return first;
}

// a part of a step that ends at an impact
void TimeStepping::go_to(double dt, double h) {
  const double share = dt / h;
  is_pushed_ = false;
  for (std::size_t k = 0; k < nv_; ++k) {
    w_after_[k] = w_[k] + dt * w_dot_[k];
    w_move_[k] = w_[k] + dt / 2 * w_dot_[k];
  }
  system_->from_fixed_axes(middle(), w_move_, v_mean_);
  const double work = work_on_bodies();
  const double free_work = dt * system_->free_power(x_, v_mean_) - share * work_of_added_inertia();
  x_.back() += free_work + share * work;
  count_energy(free_work, share * dissipation(work), Until::impact);
  add_impulses(share, Until::impact);
  system_->move(q(), w_move_, dt, q_there_);
  std::copy(q_there_.begin(), q_there_.end(), x_.begin());
  system_->from_fixed_axes(q(), w_after_, v());
  for (std::size_t k = nq_ + nv_; k + 1 < x_.size(); ++k) x_[k] += dt * rates_[k];
}

void TimeStepping::finish(double h) {
  find_mean();
  double work = work_on_bodies(), pushed = 0;
  const double free_work = h * system_->free_power(x_, v_mean_) - work_of_added_inertia();
  x_.back() += free_work + work;
  add_impulses(1, Until::end);
  system_->move(q(), w_move_, h, q_there_);
  // bodies lie elsewhere: a matter of position alone, of weights and of what stores energy
  const auto move_elsewhere = [&] {
    const double before = system_->energy_at(x_, q_there_);
    system_->move(q(), w_move_, h, q_there_);
    const double put_in = system_->energy_at(x_, q_there_) - before;
    x_.back() += put_in;
    return put_in;
  };
  if (choose_motion(h)) work += move_elsewhere();
  if (add_push()) totals_.corrected += pushed = move_elsewhere();
  count_energy(free_work + std::max(pushed, 0.0), dissipation(work), Until::end);
  keep_rates(h);
  keep_momentum(h);
  settle_debts();
  std::copy(q_there_.begin(), q_there_.end(), x_.begin());
  system_->from_fixed_axes(q(), w_after_, v());
  for (std::size_t k = nq_ + nv_; k + 1 < x_.size(); ++k) x_[k] += h * rates_[k];
}

// what the part of the step that was the last has left, as a share of the whole
void TimeStepping::add_to_whole(double share) {
  for (KeptContact& one : whole_) one.rests = one.lasts = false;
  for (const KeptContact& one : sums_) {
    auto at = std::find_if(whole_.begin(), whole_.end(),
                           [&](const KeptContact& other) { return is_same_contact(one, other); });
    Vec3<double> force = one.force * share, moment = one.moment * share;
    if (at != whole_.end()) force += at->force, moment += at->moment;
    else at = whole_.insert(at, one);
    *at = one;
    at->force = force, at->moment = moment;
  }
  sort_contacts(whole_);
}

void TimeStepping::keep(double h) {
  for (KeptContact& one : sums_) {
    one.force *= 1 / h;
    one.moment *= 1 / h;
  }
  for (const KeptContact& one : before_)
    if (any_asleep_ && is_left_alone(one.shape_a, one.shape_b)) sums_.push_back(one);
  if (any_asleep_) sort_contacts(sums_);
  watch_rest(h);
  const std::span<double> d = system_->discrete_of(*contacts_);
  contacts_->set_totals(d, totals_);
  contacts_->keep(d, sums_);
  auto rates = contacts_->rates(d).begin();
  for (const StepRates* kept : {&contact_rates_, &last_rates_})
    for (const std::vector<double>* values : {&kept->mean, &kept->slope})
      rates = std::copy(values->begin(), values->end(), rates);
  rates = std::copy(w_owed_.begin(), w_owed_.end(), rates);
  *rates = last_step_;
  std::copy(owed_.begin(), owed_.end(), contacts_->debts(d).begin());
}

std::unique_ptr<Integrator> make_time_stepping(const IntegratorSettings& settings) {
  return std::make_unique<TimeStepping>(settings);
}

}  // namespace limber
