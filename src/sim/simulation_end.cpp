// How a run ends before its time: divergence, limits, failures of steps and of parts.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <limber/sim/simulation.hpp>

#include "sim/part_error.hpp"
#include "sim/speed.hpp"

namespace limber {

namespace {

// an event may end a round where it began, but not for ever
constexpr int most_rounds_at_once = 1000;

}  // namespace

bool Simulation::has_diverged() {
  const auto bad =
      std::find_if(x().begin(), x().end(), [](double x_k) { return !std::isfinite(x_k); });
  const System::Speed* most = fastest(x());
  if (bad == x().end() && (!most || speed_of(*most, x()) <= settings_.speed_limit)) return false;
  // what is thrown about may be faster than what throws it, and the last step has gone wild
  std::string source;
  if (system_->evaluate(t(), x_before_) == Evaluated::ok)
    source = system_->place_of_largest_power();
  if (!source.empty()) source = fmt::format(" (the largest power before was that of {})", source);
  std::string what;
  if (bad != x().end())
    what = fmt::format("{} is no longer a finite number",
                       system_->state_name(static_cast<std::size_t>(bad - x().begin())));
  else
    what = fmt::format("{} moves with {:.3g} rad/s or m/s, more than the limit of {:.3g}",
                       most->name, speed_of(*most, x()), settings_.speed_limit);
  end(RunStatus::diverged,
      fmt::format(
          "diverged at t = {:.6g} s: {}{}; try shorter steps, or a method with error control, "
          "and check gains and stiffnesses",
          t(), what, source));
  return true;
}

// the fastest of the joints and of what parts move themselves; nullptr: there is nothing to move
const System::Speed* Simulation::fastest(std::span<const double> x) const {
  const System::Speed* most = nullptr;
  for (const System::Speed& one : speeds_)
    if (!most || speed_of(one, x) > speed_of(*most, x)) most = &one;
  return most;
}

// False: the run has ended, because the clock stands still or the steps are too many.
bool Simulation::has_advanced(double t0) {
  rounds_at_once_ = t() > t0 ? 0 : rounds_at_once_ + 1;
  const IntegratorCost spent = cost();
  if (rounds_at_once_ > most_rounds_at_once)
    end(RunStatus::failed,
        fmt::format("failed at t = {:.9g} s: time does not advance; try longer steps or coarser "
                    "tolerances",
                    t()));
  else if (std::isfinite(settings_.duration) &&
           static_cast<double>(spent.steps + spent.rejected) > settings_.limits.steps)
    end(RunStatus::failed,
        fmt::format("failed at t = {:.6g} s: {} steps, {} of them given up, are more than the "
                    "limit of {:.3g}; try coarser tolerances or cvode_bdf, or raise limits.steps",
                    t(), spent.steps + spent.rejected, spent.rejected, settings_.limits.steps));
  else if (static_cast<double>(events_.size()) > settings_.limits.records)
    end(RunStatus::failed,
        fmt::format("failed at t = {:.6g} s: more events than the limit of {:.3g} records; watch "
                    "fewer, or raise limits.records",
                    t(), settings_.limits.records));
  else return true;
  record_until(t());
  record_here();
  return false;
}

void Simulation::end_in_failure(StepStatus step) {
  std::string reason;
  switch (step) {
    case StepStatus::not_computable:
      reason = system_->failure().empty() ? "a rate is not a finite number" : system_->failure();
      break;
    case StepStatus::step_too_small:
      reason =
          "the steps would have to be shorter than the clock resolves; the tolerances are too "
          "small, or the motion is singular or stiff there (cvode_bdf is made for stiff systems)";
      break;
    case StepStatus::no_convergence:
      reason = "the implicit step does not converge; try shorter steps";
      break;
    case StepStatus::ok:
      break;
  }
  if (step == StepStatus::not_computable && system_->part_threw()) {
    end(RunStatus::failed, fmt::format("failed at t = {:.6g} s: {}", t(), reason));
    return record_here();
  }
  std::string where;
  if (const System::Speed* most = fastest(x()); most && speed_of(*most, x()) > 0)
    where = fmt::format(" (fastest there: {} with {:.3g} rad/s or m/s)", most->name,
                        speed_of(*most, x()));
  end(RunStatus::diverged,
      fmt::format("no step possible from t = {:.6g} s: {}{}", t(), reason, where));
  record_here();
}

// the exception that is being handled comes from a part, or from the robot's own joints; what can
// still be recorded is
void Simulation::end_in_exception() {
  in_hook_ = in_round_ = false;
  end(RunStatus::failed, fmt::format("failed at t = {:.6g} s: {}", t(), text_of_exception()));
  try {
    record_until(t());
    record_here();
  } catch (const PartError&) {
    in_hook_ = false;  // the part cannot be recorded either
  }
}

void Simulation::end(RunStatus status, std::string message) {
  status_ = status;
  message_ = std::move(message);
  if (status == RunStatus::finished || status == RunStatus::stopped)
    accuracy_->end(*system_, t(), x());
}

}  // namespace limber
