#include <limber/sim/accuracy.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/energy.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/sim/integrator.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr long most_evaluations = 200;  // a step whose repetition takes more is passed over
constexpr double long_wait = 4;         // intervals, after such a step
// below these, rounding is all there is of a motion
constexpr double least_motion = 1e-9;                         // of the largest speed
constexpr double least_speed = 1e-9, least_distance = 1e-12;  // √(kg) m/s, √(kg) m
constexpr double least_balance = 1e-9;  // of the energies: what rounding may leave
constexpr double margin = 0.1;          // of the thresholds, that an advice aims at

IntegratorSettings reference_settings() {
  IntegratorSettings settings;
  settings.method = "dopri5";
  settings.relative_tolerance = 1e-9;
  settings.absolute_tolerance = 1e-12;
  settings.step = settings.max_step = 1e300;  // all of the step that is repeated
  return settings;
}

const IntegratorMethod& method_of(const IntegratorSettings& integrator) {
  if (const IntegratorMethod* method = find_integrator_method(integrator.method)) return *method;
  throw Error(fmt::format("there is no integration method '{}'", integrator.method));
}

constexpr double least_tolerance = 1e-13;  // that is advised

// 1, 2 or 5 times a power of ten, at most x
double round_down(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  const double digit = x / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

// how many times too large the errors are
double excess_of(const RunAccuracy& found) {
  const double energy =
      found.energy_exchanged > 0 ? found.energy_error / found.energy_exchanged : 0;
  return std::max(energy / most_energy_error, found.step_error / most_step_error);
}

std::string advice(const RunAccuracy& found, const IntegratorSettings& integrator) {
  const IntegratorMethod& method = method_of(integrator);
  if (method.error_control) {
    // coarse tolerances are not kept in proportion: another power of ten
    const double finer = std::pow(10, std::floor(std::log10(margin / excess_of(found))) - 1);
    return fmt::format("relative_tolerance {:.0e} and absolute_tolerance {:.0e} would do",
                       std::max(least_tolerance, integrator.relative_tolerance * finer),
                       std::max(least_tolerance, integrator.absolute_tolerance * finer));
  }
  return fmt::format(
      "a step of {:g} s would do with {}, which is of order {}; dopri5 chooses its steps itself",
      advised_step(found, integrator), method.name, method.order);
}

}  // namespace

double advised_step(const RunAccuracy& found, const IntegratorSettings& integrator) {
  const IntegratorMethod& method = method_of(integrator);
  const double excess = excess_of(found);
  if (method.error_control || !(excess > 1)) return 0;
  return round_down(integrator.step * std::pow(margin / excess, 1.0 / method.order));
}

std::string error_of_run(const RunAccuracy& found) {
  std::string text;
  if (found.energy_error > most_energy_error * found.energy_exchanged && found.energy_exchanged > 0)
    text = fmt::format(
        "the energy error of {:.3g} J is {:.3g} % of the {:.3g} J exchanged, more "
        "than {:g} %",
        found.energy_error, 100 * found.energy_error / found.energy_exchanged,
        found.energy_exchanged, 100 * most_energy_error);
  if (found.step_error > most_step_error)
    text += fmt::format("{}steps are wrong by {:.3g} % of what they change, more than {:g} %",
                        text.empty() ? "" : "; ", 100 * found.step_error, 100 * most_step_error);
  return text;
}

std::string inaccuracy(const RunAccuracy& found, const IntegratorSettings& integrator) {
  if (!(excess_of(found) > 1)) return {};
  return fmt::format("{}; {}", error_of_run(found), advice(found, integrator));
}

AccuracyCheck::Repetition::Repetition() : integrator_(make_integrator(reference_settings())) {}

AccuracyCheck::AccuracyCheck(const System& system, double interval, Kind kind)
    : ws_(system.model()),
      error_(at_index(system.velocities())),
      change_(at_index(system.velocities())),
      interval_(interval),
      kind_(kind) {}

void AccuracyCheck::begin(System& system, double t, std::span<const double> x) {
  next_ = (std::floor(t / interval_) + 0.5) * interval_;
  EnergyBalance energy;
  at_beginning_ = balance(system, t, x, energy);
  kinetic_ = energy.kinetic;
  potential_low_ = potential_high_ = energy.potential;
  work_ = energy.work;
}

double AccuracyCheck::balance(System& system, double t, std::span<const double> x,
                              EnergyBalance& energy) const {
  if (system.evaluate(t, x) == Evaluated::failed) return at_beginning_;
  energy = system.energy(x);
  return energy.total() - energy.work;
}

void AccuracyCheck::look_at_energy(System& system, double t, std::span<const double> x) {
  EnergyBalance energy{kinetic_, potential_low_, work_};
  largest_error_ =
      std::max(largest_error_, std::abs(balance(system, t, x, energy) - at_beginning_));
  kinetic_ = std::max(kinetic_, energy.kinetic);
  potential_low_ = std::min(potential_low_, energy.potential);
  potential_high_ = std::max(potential_high_, energy.potential);
  // what a machine takes from its motors and gives to the ground may be nothing in the end
  work_flow_ += std::abs(energy.work - work_);
  work_ = energy.work;
}

// False: it cannot be repeated, or only by very many evaluations: it is stiff, or friction changes
// its sign within it.
bool AccuracyCheck::repeat_step(System& system, double t0, std::span<const double> x0, double t1) {
  const long most = reference_->cost().evaluations + most_evaluations;
  reference_->start(system, t0, x0);
  for (const double end : {t0 + 0.5 * (t1 - t0), t1})
    while (reference_->t() < end)
      if (reference_->cost().evaluations > most || reference_->step(end) != StepStatus::ok)
        return false;
  return true;
}

// √(xᵀ M x) at the reference's positions
double AccuracyCheck::length(const Model& m, std::span<const double> x) {
  const std::span<const double> q = reference_->x().first(at_index(m.nq));
  return std::sqrt(2 * std::max(0.0, kinetic_energy<double>(m, q, x, ws_)));
}

void AccuracyCheck::check_step(System& system, double t0, std::span<const double> x0, double t1,
                               std::span<const double> x1) {
  next_ = (std::floor(t1 / interval_) + 1.5) * interval_;
  look_at_energy(system, t1, x1);
  if (kind_ == Kind::energy) return system.forget_failure();
  if (repeat_step(system, t0, x0, t1)) {
    const Model& m = system.model_with_payloads();
    const std::size_t nq = at_index(m.nq), nv = at_index(m.nv);
    const std::span<const double> x = reference_->x();
    difference(m, x.first(nq), x1.first(nq), error_);
    difference(m, x0.first(nq), x.first(nq), change_);
    positions_.error += length(m, error_);
    positions_.change += length(m, change_);
    for (std::size_t k = 0; k < nv; ++k) {
      error_[k] = x1[nq + k] - x[nq + k];
      change_[k] = x[nq + k] - x0[nq + k];
    }
    velocities_.error += length(m, error_);
    velocities_.change += length(m, change_);
    ++checked_;
  } else {
    next_ += (long_wait - 1) * interval_;
  }
  system.forget_failure();
}

void AccuracyCheck::note_jump(System& system, double t, std::span<const double> before,
                              std::span<const double> after) {
  const std::size_t moving = at_index(system.positions() + system.velocities());
  if (std::equal(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(moving),
                 before.begin()))
    return;
  EnergyBalance ignored;
  at_beginning_ += balance(system, t, after, ignored) - balance(system, t, before, ignored);
}

RunAccuracy AccuracyCheck::result() const {
  RunAccuracy found;
  found.steps_checked = checked_;
  const double speed = std::sqrt(2 * kinetic_), count = std::max(1, checked_);
  const double least_way = std::max(least_motion * speed * interval_, least_distance);
  const double least_change = std::max(least_motion * speed, least_speed);
  found.step_error =
      std::max(positions_.ratio(count * least_way), velocities_.ratio(count * least_change));
  found.energy_exchanged = std::max({kinetic_, potential_high_ - potential_low_, work_flow_});
  const double rounding = least_balance * std::max({kinetic_, std::abs(potential_low_),
                                                    std::abs(potential_high_), work_flow_});
  found.energy_error = largest_error_ > rounding ? largest_error_ : 0;
  return found;
}

}  // namespace limber
