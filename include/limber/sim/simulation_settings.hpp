#pragma once
// SimulationSettings: how long a Simulation runs, by which method, what it records; whether a run
// with such settings can be computed, and what it will take.
#include <limber/sim/integrator.hpp>
#include <limber/sim/loop_settings.hpp>

namespace limber {

class System;

/// What a run may take. A run that is meant to be longer raises them; HUGE_VAL: no limit. An
/// endless run has only one: it lists no more events than `records`.
struct RunLimits {
  double records = 1e7;  ///< rows of the recording, and listed events
  double steps = 1e9;    ///< of the integrator, tried ones included; and samples of the parts
};

struct SimulationSettings {
  double duration = 1;  ///< [s]; HUGE_VAL: endless
  IntegratorSettings integrator;
  LoopSettings loops;             ///< of closed mechanisms
  double record_interval = 0.01;  ///< records are due at its multiples, and at the end [s]
  double event_tolerance = 1e-9;  ///< how sharply the instants of events are located [s]
  double speed_limit = 1e5;       ///< a freedom faster than this has diverged [rad/s or m/s]
  std::uint64_t seed = 0;
  /// At most so many steps are checked, see Simulation::accuracy(); of an endless run one in 400,
  /// or none if this is 0.
  int accuracy_checks = 64;
  RunLimits limits;
};

/// An estimate of a run from its settings, before it begins.
struct RunEstimate {
  double records = 0;
  double steps = 0;  ///< samples included; with error control there may be more, never fewer
};
RunEstimate estimate_run(const SimulationSettings& settings, const System& system);

/// The first setting with which no run can be computed: a number that makes no sense, a time
/// shorter than the clock resolves at the end of the run, more records or steps than the limits
/// allow. With a System, the sample times of its parts too, and what does not go with its loops.
std::optional<SettingFault> find_fault(const SimulationSettings& settings);
std::optional<SettingFault> find_fault(const SimulationSettings& settings, const System& system);

/// The length of fixed steps; with error control the longest one [s].
double usual_step(const IntegratorSettings& method);

/// How loops are kept closed, with the rate of Baumgarte's method where none is given.
LoopSettings loop_settings(const SimulationSettings& settings);

/// Why nothing can be done every `period` [s] in a run of this duration [s]; empty: it can.
std::string period_fault(double period, double duration);

}  // namespace limber
