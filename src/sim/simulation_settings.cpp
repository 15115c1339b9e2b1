// Settings of a simulation are checked before it begins: against each other, against what a double
// resolves at the end of the run, and against the limits of what a run may take.
#include <limber/sim/simulation_settings.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <limber/sim/contacts.hpp>
#include <limber/sim/system.hpp>

#include "sim/clock.hpp"
#include "sim/part_error.hpp"

namespace limber {

namespace {

using Fault = std::optional<SettingFault>;

constexpr double shortest_duration = 1e-9;  // [s], so that the clock tells its parts apart
constexpr double ticks_per_period = 10;     // of the clock's resolution
constexpr double ticks_per_event = 4;       // of a double at the end of the run
constexpr double usual_decay = 0.2;         // of gaps of loops, per step
constexpr double greatest_tolerance = 1;    // above, nothing of a robot's motion is controlled

// the distance of neighbouring doubles there
double ulp(double t) { return std::nextafter(t, HUGE_VAL) - t; }

// where the clock of a run is coarsest; an endless one ends where its steps are no longer resolved
double latest(double duration) { return std::isfinite(duration) ? duration : 0; }

Fault number_fault(const char* setting, double value) {
  if (value > 0 && std::isfinite(value)) return std::nullopt;
  return SettingFault{setting, fmt::format("{} found, a positive number is needed", value)};
}

Fault limit_fault(const char* setting, double value) {
  if (value >= 1) return std::nullopt;
  return SettingFault{setting, fmt::format("{} found, a limit of at least 1 is needed", value)};
}

Fault duration_fault(double duration) {
  if (duration == HUGE_VAL) return std::nullopt;
  if (Fault fault = number_fault("duration", duration)) return fault;
  if (duration >= shortest_duration) return std::nullopt;
  return SettingFault{
      "duration", fmt::format("{} s found, at least {} s is needed", duration, shortest_duration)};
}

Fault period(const char* setting, double value, double duration) {
  std::string reason = period_fault(value, duration);
  if (reason.empty()) return std::nullopt;
  return SettingFault{setting, std::move(reason)};
}

Fault event_fault(const SimulationSettings& settings) {
  const double tolerance = settings.event_tolerance, duration = settings.duration;
  if (Fault fault = number_fault("event_tolerance", tolerance)) return fault;
  if (duration == HUGE_VAL) return std::nullopt;
  const double least = ticks_per_event * ulp(duration);
  if (tolerance >= least && tolerance <= duration) return std::nullopt;
  return SettingFault{"event_tolerance",
                      fmt::format("{} s found; a run that ends at t = {} s needs {:.2g} s, which "
                                  "its clock still resolves there, up to its duration",
                                  tolerance, duration, least)};
}

bool has_error_control(const std::string& method) {
  const IntegratorMethod* found = find_integrator_method(method);
  return found && found->error_control;
}

Fault error_control_fault(const IntegratorSettings& method, double duration) {
  for (const auto& [setting, value] : {std::pair{"relative_tolerance", method.relative_tolerance},
                                       std::pair{"absolute_tolerance", method.absolute_tolerance}})
    if (value > greatest_tolerance)
      return SettingFault{setting, fmt::format("{} found, a tolerance of at most {} is needed",
                                               value, greatest_tolerance)};
  return period("max_step", method.max_step, duration);
}

double records_of(const SimulationSettings& settings) {
  return std::ceil(settings.duration / settings.record_interval) + 1;
}

double steps_of(const SimulationSettings& settings) {
  return std::ceil(settings.duration / usual_step(settings.integrator));
}

Fault too_many(const char* setting, double count, const char* what, double limit,
               const char* limit_name, double duration) {
  if (count <= limit || !std::isfinite(duration)) return std::nullopt;
  return SettingFault{setting, fmt::format("{:.9g} {} in a run of {} s are more than the limit of "
                                           "{:.3g}; choose a longer time, or raise limits.{}",
                                           count, what, duration, limit, limit_name)};
}

double sample_time_of(const Part& part) {
  return guarded(part, [&] { return part.sample_time(); });
}

Fault sample_fault(const Part& part, const SimulationSettings& settings) {
  const double sample_time = sample_time_of(part);
  if (sample_time == 0) return std::nullopt;
  Fault fault = period("sample_time", sample_time, settings.duration);
  if (!fault)
    fault = too_many("sample_time", settings.duration / sample_time, "samples",
                     settings.limits.steps, "steps", settings.duration);
  if (fault) fault->reason = fmt::format("part '{}': {}", part.name(), fault->reason);
  return fault;
}

// of gaps, per step: two equal roots on the negative real axis
double stable_decay(const std::string& method) {
  if (has_error_control(method)) return HUGE_VAL;
  for (const IntegratorMethod& one : integrator_methods())
    if (one.name == method && one.block > 1) return 0.2;
  return 0.8;
}

Fault loop_fault(const SimulationSettings& settings) {
  const LoopSettings& loops = settings.loops;
  if (Fault fault = number_fault("tolerance", loops.tolerance)) return fault;
  if (Fault fault = number_fault("largest_gap", loops.largest_gap)) return fault;
  if (!(loops.rate >= 0) || !std::isfinite(loops.rate))
    return SettingFault{"rate", fmt::format("{} found, a positive number is needed, or 0 for one "
                                            "that follows from the step",
                                            loops.rate)};
  const IntegratorSettings& method = settings.integrator;
  const double largest_decay = stable_decay(method.method);
  if (loops.drift == Drift::baumgarte && loops.rate * method.step > largest_decay)
    return SettingFault{
        "rate", fmt::format("{} 1/s found; with steps of {} s rates above {:.3g} 1/s are not "
                            "stable",
                            loops.rate, method.step, largest_decay / method.step)};
  return std::nullopt;
}

// the implicit midpoint rule goes on from its own momenta, and its iteration does not converge with
// a stiff decay
Fault loop_fault(const SimulationSettings& settings, const System& system) {
  if (!system.loops() || settings.integrator.method != "midpoint" ||
      settings.loops.drift == Drift::project)
    return std::nullopt;
  return SettingFault{"drift",
                      "the method midpoint keeps loops closed by `project` only; use that, or "
                      "another method"};
}

// what contact between events does not go with
Fault switched_contact_fault(const SimulationSettings& settings, const System& system) {
  bool prescribes = false, closes = false, is_switched = false;
  for (const auto& part : system.parts()) {
    const auto* contacts = dynamic_cast<const Contacts*>(part.get());
    is_switched = is_switched || (contacts && contacts->settings().method == ContactMethod::event);
    prescribes = prescribes || !part->prescribed().empty();
    closes = closes || !part->loops().empty();
  }
  if (!is_switched) return std::nullopt;
  if (steps_over_contact(settings.integrator.method))
    return SettingFault{"method", fmt::format("contacts with the method `event` act between "
                                              "events, and {} has none; choose dopri5",
                                              settings.integrator.method)};
  if (closes)
    return SettingFault{"method",
                        "contacts with the method `event` do not go with parts that close loops "
                        "(grasps); use the contact method `stepping`"};
  if (prescribes && system.loops())
    return SettingFault{"method",
                        "contacts with the method `event` do not go with joints of a closed "
                        "mechanism that are held or prescribed; use the contact method `stepping`"};
  return std::nullopt;
}

// hard contact acts only where steps solve it
Fault contact_fault(const SimulationSettings& settings, const System& system) {
  if (Fault fault = switched_contact_fault(settings, system)) return fault;
  if (steps_over_contact(settings.integrator.method)) return std::nullopt;
  for (const auto& part : system.parts())
    if (const auto* contacts = dynamic_cast<const Contacts*>(part.get());
        contacts && contacts->settings().method == ContactMethod::stepping)
      return SettingFault{"method", fmt::format("the hard contacts of part '{}' are solved by the "
                                                "method time_stepping, not by {}; choose that, or "
                                                "compliant contact",
                                                part->name(), settings.integrator.method)};
  return std::nullopt;
}

}  // namespace

LoopSettings loop_settings(const SimulationSettings& settings) {
  LoopSettings loops = settings.loops;
  const IntegratorSettings& method = settings.integrator;
  if (loops.rate == 0)
    loops.rate = has_error_control(method.method) ? 1 / method.max_step : usual_decay / method.step;
  return loops;
}

double usual_step(const IntegratorSettings& method) {
  return has_error_control(method.method) ? method.max_step : method.step;
}

std::string period_fault(double period, double duration) {
  if (!(period > 0) || !std::isfinite(period))
    return fmt::format("{} s found, a positive time is needed", period);
  const double least = ticks_per_period * resolution(latest(duration));
  if (period >= least) return {};
  return fmt::format(
      "{} s found; a run that ends at t = {} s needs at least {:.2g} s, which its clock still "
      "resolves there",
      period, duration, least);
}

std::optional<SettingFault> find_fault(const SimulationSettings& settings) {
  const double duration = settings.duration;
  const IntegratorSettings& method = settings.integrator;
  if (Fault fault = duration_fault(duration)) return fault;
  if (Fault fault = find_fault(method)) return fault;
  if (Fault fault = period("step", method.step, duration)) return fault;
  if (has_error_control(method.method))
    if (Fault fault = error_control_fault(method, duration)) return fault;
  if (Fault fault = period("record_interval", settings.record_interval, duration)) return fault;
  if (Fault fault = event_fault(settings)) return fault;
  if (Fault fault = number_fault("speed_limit", settings.speed_limit)) return fault;
  if (Fault fault = loop_fault(settings)) return fault;
  if (Fault fault = limit_fault("records", settings.limits.records)) return fault;
  if (Fault fault = limit_fault("steps", settings.limits.steps)) return fault;
  if (Fault fault = too_many("record_interval", records_of(settings), "records",
                             settings.limits.records, "records", duration))
    return fault;
  return too_many(has_error_control(method.method) ? "max_step" : "step", steps_of(settings),
                  "steps", settings.limits.steps, "steps", duration);
}

std::optional<SettingFault> find_fault(const SimulationSettings& settings, const System& system) {
  if (Fault fault = find_fault(settings)) return fault;
  if (Fault fault = loop_fault(settings, system)) return fault;
  if (Fault fault = contact_fault(settings, system)) return fault;
  for (const auto& part : system.parts())
    if (Fault fault = sample_fault(*part, settings)) return fault;
  return std::nullopt;
}

RunEstimate estimate_run(const SimulationSettings& settings, const System& system) {
  RunEstimate all{records_of(settings), steps_of(settings)};
  for (const auto& part : system.parts())
    if (const double sample_time = sample_time_of(*part); sample_time > 0)
      all.steps += settings.duration / sample_time;
  return all;
}

}  // namespace limber
