// The derivative of a System: what the parts contribute, the dynamics of the robot, the rates.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/momentum_observer.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/sim/system.hpp>

#include "dynamics/fold.hpp"
#include "index.hpp"
#include "sim/part_error.hpp"

namespace limber {

namespace {

bool all_zero(const Force<double>& f) {
  return f.angular.x == 0 && f.angular.y == 0 && f.angular.z == 0 && f.linear.x == 0 &&
         f.linear.y == 0 && f.linear.z == 0;
}

bool same_bits(std::span<const Inertia<double>> a, std::span<const Inertia<double>> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

void System::set_instant(double t, std::span<const double> x) {
  std::copy_n(x.begin(), place_.size(), place_.begin());
  if (any_quaternion_) normalize(*model_, q_);
  at_->round = 0;
  prescribe(t, {q_, v_, known_, given_});
  if (loops_ && loops_->settings.drift == Drift::independent &&
      hold_loops(t, q_, v_) == Evaluated::failed)
    throw Error(failure_);
  at_->t = t;
  at_->a = at_->joint_forces = {};
  at_->felt = {};
  at_->loops = loops_.get();
  at_->known = prescribing_.empty() ? std::span<const Known>() : std::span<const Known>(known_);
  at_->closed = loops_ && loops_->any_closed() ? &loops_->closed() : nullptr;
  at_->seed = seed;
  at_->placed_ = at_->accelerated_ = false;
  at_->more_current = {};
  for (const std::size_t k : streaming_)
    guarded(*parts_[k], [&] { at_->more_current += parts_[k]->more_current(instant(k, t)); });
  clear_contributions();
}

PartInstant System::instant(std::size_t k, double t) const {
  const Place& place = places_[k];
  return {t,
          {discrete_.data() + place.d, place.d_count},
          {inputs_.data() + place.input, place.input_count},
          at_->step,
          decisions_stand_ || at_->round > 0};
}

// what the discrete states determine: closed loops and payloads
void System::find_carried() {
  if (carried_known_) return;
  if (loops_) find_closed_loops();
  if (!carrying_.empty()) find_payloads();
  carried_known_ = true;
}

// Models are constant: when something else is carried, another one takes the place of the last.
void System::find_payloads() {
  std::copy(model_->inertia.begin(), model_->inertia.end(), inertia_.begin());
  for (const std::size_t k : carrying_)
    guarded(*parts_[k], [&] { parts_[k]->add_inertia(instant(k, 0), inertia_); });
  if (!same_bits(inertia_, at_->model.inertia)) {
    std::shared_ptr<Model> loaded;
    if (!same_bits(inertia_, model_->inertia)) {
      loaded = std::make_shared<Model>(*model_);
      std::copy(inertia_.begin(), inertia_.end(), loaded->inertia.begin());
    }
    compute_with(std::move(loaded));
  }
}

// null: the robot itself. The instant stays the same.
void System::compute_with(std::shared_ptr<const Model> loaded) {
  auto next = std::make_unique<Evaluation>(loaded ? *loaded : *model_);
  next->t = at_->t;
  next->a = at_->a;
  next->joint_forces = at_->joint_forces;
  next->seed = at_->seed;
  next->round = at_->round;
  next->step = at_->step;
  next->decides_later = at_->decides_later;
  at_ = std::move(next);
  loaded_ = std::move(loaded);
  connect();
  if (loops_) loops_->set_tree(at_->model);
}

void System::prescribe(double t, const GivenMotion& motion) {
  find_carried();
  if (prescribing_.empty()) return;
  std::fill(known_.begin(), known_.end(), Known::force);
  for (const std::size_t k : prescribing_)
    guarded(*parts_[k], [&] { parts_[k]->prescribe(instant(k, t), motion); });
}

void System::clear_contributions() {
  std::fill(contributions_.begin(), contributions_.end(), 0.0);
  if (at_->pushed_) std::fill(body_forces_.begin(), body_forces_.end(), Force<double>{});
  if (at_->weighted_)
    std::fill(body_inertia_.begin(), body_inertia_.end(), ArticulatedInertia<double>{});
  at_->pushed_ = at_->weighted_ = false;
}

void System::set_part(std::size_t k, std::span<const double> x) const {
  const Place& place = places_[k];
  at_->z = {x.data() + place.z, place.z_count};
  at_->d = {discrete_.data() + place.d, place.d_count};
  at_->inputs = {inputs_.data() + place.input, place.input_count};
  at_->own_channels = at_->channels.subspan(place.channel, place.channel_count);
}

void System::collect_contributions(std::span<const double> x) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].get() == left_out_) continue;
    set_part(k, x);
    guarded(*parts_[k], [&] { parts_[k]->apply(*at_); });
  }
  for (const int k : undriven_) {
    const double limit = model_->dof[at_index(k)].effort_limit;
    at_->tau[at_index(k)] += std::clamp(at_->command[at_index(k)], -limit, limit);
  }
  if (damped_step_ > 0)
    for (const Loss& loss : losses_)
      at_->inertia[loss.freedom] += damped_step_ * loss.damping * loss.ratio * loss.ratio;
  inertia_added_ = std::any_of(at_->inertia.begin(), at_->inertia.end(),
                               [](double added) { return added != 0; });
}

Loads<double> System::present_loads() const {
  Loads<double> loads;
  loads.passive = Passive::included;
  if (at_->pushed_) loads.body_forces = body_forces_;
  if (inertia_added_) loads.joint_inertia = at_->inertia;
  loads.body_inertia = body_inertia();
  return loads;
}

void System::run_dynamics() {
  at_->accelerated_ = false;
  const Loads<double> loads = present_loads();
  const bool all_free = prescribing_.empty() || std::find(known_.begin(), known_.end(),
                                                          Known::acceleration) == known_.end();
  const bool closed = loops_ && loops_->any_closed();
  if (all_free && closed) {
    const Hybrid<double> result = loops_->dynamics(at_->t, q_, v_, {}, at_->tau, loads);
    at_->a = result.a;
    at_->joint_forces = at_->tau;
    return;
  }
  if (all_free) {
    at_->a = forward_dynamics<double>(at_->model, q_, v_, at_->tau, ws_, loads);
    at_->joint_forces = at_->tau;
    return;
  }
  for (std::size_t k = 0; k < known_.size(); ++k)
    if (known_[k] == Known::force) given_[k] = at_->tau[k];
  const Hybrid<double> result =
      closed ? loops_->dynamics(at_->t, q_, v_, known_, given_, loads)
             : hybrid_dynamics<double>(at_->model, q_, v_, known_, given_, ws_, loads);
  at_->a = result.a;
  at_->joint_forces = result.tau;
}

bool System::everybody_settled(std::span<const double> x) {
  bool all = true;
  for (const std::size_t k : settling_) {
    set_part(k, x);
    all = guarded(*parts_[k], [&] { return parts_[k]->settled(*at_); }) && all;
  }
  return all;
}

// power that the joints' damping and friction take away; their springs are potential energy
double System::passive_loss() const {
  double sum = 0;
  for (const Loss& loss : losses_) {
    const double rate = loss.ratio * v_[loss.freedom];
    sum += loss.damping * rate * rate + (rate > 0 ? loss.forward * rate : -loss.backward * rate);
  }
  return sum;
}

// what is added to the mass matrix in apply() counts as a force that resists: the robot's
// kinetic energy has only what belongs to the model
double System::applied_power() {
  double power = dot(at_->joint_forces, v_) - passive_loss();
  if (loops_ && loops_->any_closed()) power += loops_->power();
  if (inertia_added_)
    for (std::size_t k = 0; k < v_.size(); ++k) power -= at_->inertia[k] * at_->a[k] * v_[k];
  if (at_->weighted_) power -= inertia_power();
  if (!at_->pushed_) return power;
  for (std::size_t b = 1; b < body_forces_.size(); ++b)
    if (!all_zero(body_forces_[b]))
      power += dot(at_->kinematics().v[b], model_->body_placement[b] * body_forces_[b]);
  return power;
}

// events, records and the first stage of a step ask for the same instant in turn: it is computed
// once
Evaluated System::evaluate(double t, std::span<const double> x) try {
  constexpr int most_rounds = 32;
  check_state("System::evaluate", x);
  if (evaluated_ && t == evaluated_t_ && std::equal(x.begin(), x.end(), evaluated_x_.begin()))
    return Evaluated::ok;
  evaluated_ = false;
  set_instant(t, x);
  collect_contributions(x);
  run_dynamics();
  if (loops_ && close_redundant_loops(t)) {
    clear_contributions();
    collect_contributions(x);
    run_dynamics();
  }
  while (!everybody_settled(x)) {
    if (++at_->round == most_rounds)
      throw Error("the drives do not agree on which way power flows");
    if (at_->step > 0) prescribe(t, {q_, v_, known_, given_});
    clear_contributions();
    collect_contributions(x);
    run_dynamics();
  }
  const bool shares = loops_ && loops_->any_closed() && at_->step == 0;
  if (shares && find_held(x)) share_holding_forces();
  if (!felt_.empty()) find_felt(x);
  power_ = damped_step_ > 0 ? 0 : applied_power() + stored(x).rate;  // free_rate() needs none
  std::copy(x.begin(), x.end(), evaluated_x_.begin());
  evaluated_t_ = t;
  evaluated_ = true;
  return Evaluated::ok;
} catch (...) {
  note_exception();
  blame_part(t, x);
  return Evaluated::failed;
}

Evaluated System::derivative(double t, std::span<const double> x, std::span<double> x_dot) try {
  check_state("System::derivative", x_dot);
  if (evaluate(t, x) == Evaluated::failed) return Evaluated::failed;
  const std::size_t nq = q_.size();
  // at x itself: the rate keeps the length of a quaternion, whatever it is; free_rate() needs none
  if (damped_step_ > 0) std::fill_n(x_dot.begin(), nq, 0.0);
  else if (any_quaternion_) position_rate(*model_, x.first(nq), v_, x_dot.first(nq));
  else std::copy(v_.begin(), v_.end(), x_dot.begin());
  std::copy(at_->a.begin(), at_->a.end(), x_dot.begin() + static_cast<std::ptrdiff_t>(nq));
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (places_[k].z_count == 0) continue;
    set_part(k, x);
    const std::span<double> z_dot = x_dot.subspan(places_[k].z, places_[k].z_count);
    guarded(*parts_[k], [&] { parts_[k]->derivative(*at_, z_dot); });
  }
  x_dot.back() = power_;
  return rates_are_finite(t, x, x_dot) ? Evaluated::ok : Evaluated::failed;
} catch (...) {
  note_exception();
  return Evaluated::failed;
}

// what a part throws here it throws again where x is evaluated
void System::project(double t, std::span<double> x) { stabilise(t, x); }

Evaluated System::stabilise(double t, std::span<double> x) {
  check_state("System::project", x);
  try {
    const std::span<double> q = x.first(q_.size()), v = x.subspan(q_.size(), v_.size());
    if (any_quaternion_) normalize(*model_, q);
    prescribe(t, {q, v, known_, given_});
    return loops_ && loops_->settings.drift != Drift::baumgarte ? hold_loops(t, q, v)
                                                                : Evaluated::ok;
  } catch (...) {
    note_exception();
    return Evaluated::failed;
  }
}

void System::to_fixed_axes(std::span<const double> q, std::span<const double> v,
                           std::span<double> w) {
  if (turns_freely_) limber::to_fixed_axes(at_->model, q, v, w);
  else MechanicalOde::to_fixed_axes(q, v, w);
}

void System::from_fixed_axes(std::span<const double> q, std::span<const double> w,
                             std::span<double> v) {
  if (turns_freely_) limber::from_fixed_axes(at_->model, q, w, v);
  else MechanicalOde::from_fixed_axes(q, w, v);
}

void System::fixed_axes_rate(std::span<const double> q, std::span<const double> v,
                             std::span<const double> a, std::span<double> w_dot) {
  if (turns_freely_) limber::fixed_axes_rate(at_->model, q, v, a, w_dot);
  else MechanicalOde::fixed_axes_rate(q, v, a, w_dot);
}

void System::move(std::span<const double> q, std::span<const double> w, double dt,
                  std::span<double> result) {
  if (turns_freely_) integrate_fixed_axes(at_->model, q, w, dt, result);
  else integrate(at_->model, q, w, dt, result);
}

// momenta are those of the model alone: what parts add to the inertia is a force to them
void System::momenta(std::span<const double> x, std::span<double> p) {
  check_state("System::momenta", x);
  evaluated_ = false;
  const std::span<const double> q = x.first(q_.size());
  generalized_momentum<double>(at_->model, q, x.subspan(q_.size(), v_.size()), ws_, p);
  if (turns_freely_) momenta_to_fixed_axes(at_->model, q, p);
}

Evaluated System::velocities_from_momenta(std::span<const double> x, std::span<const double> p,
                                          std::span<double> v) {
  const char* name = "System::velocities_from_momenta";
  check_state(name, x);
  check_size(name, "p", p.size(), model_->nv, model_->name);
  check_size(name, "v", v.size(), model_->nv, model_->name);
  try {
    evaluated_ = false;
    const std::span<const double> q = x.first(q_.size());
    const TreeFactor& factor = factorize<double>(at_->model, q, ws_);
    std::copy(p.begin(), p.end(), v.begin());
    if (turns_freely_) momenta_from_fixed_axes(at_->model, q, v);
    solve(factor, v);
  } catch (...) {
    note_exception();
    return Evaluated::failed;
  }
  const bool fine = std::all_of(v.begin(), v.end(), [](double x_k) { return std::isfinite(x_k); });
  return fine ? Evaluated::ok : Evaluated::failed;
}

// ṗ = M a + Ṁ v = (M a + C v + g) + (Cᵀ v − g)
Evaluated System::momentum_rate(double t, std::span<const double> x, std::span<double> p_dot,
                                std::span<double> z_dot) {
  const char* name = "System::momentum_rate";
  check_size(name, "p_dot", p_dot.size(), model_->nv, model_->name);
  check_size(name, "z_dot", z_dot.size(), size_ - model_->nq - model_->nv, model_->name);
  if (derivative(t, x, x_dot_) == Evaluated::failed) return Evaluated::failed;
  std::copy(x_dot_.end() - static_cast<std::ptrdiff_t>(z_dot.size()), x_dot_.end(), z_dot.begin());
  const std::span<const double> tau =
      inverse_dynamics<double>(at_->model, q_, v_, at_->a, at_->scratch);
  std::copy(tau.begin(), tau.end(), p_dot.begin());
  momentum_observer_bias<double>(at_->model, q_, v_, at_->scratch, momentum_);
  for (std::size_t k = 0; k < p_dot.size(); ++k) p_dot[k] += momentum_[k];
  if (!turns_freely_) return Evaluated::ok;
  generalized_momentum<double>(at_->model, q_, v_, at_->scratch, momentum_);
  momentum_rate_to_fixed_axes(at_->model, q_, v_, momentum_, p_dot);
  return Evaluated::ok;
}

}  // namespace limber
