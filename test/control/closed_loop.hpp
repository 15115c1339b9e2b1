#pragma once
// Runs a System with tight error control and looks at it at equal intervals.
#include <limber/sim/simulation.hpp>

#include "support/near.hpp"

namespace limber::test {

/// A run that ends at `duration`; f(t, q, v) is called every `interval`.
template <class F>
void run_closed_loop(System& system, const std::vector<double>& q, const std::vector<double>& v,
                     double duration, double interval, F&& f) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.record_interval = interval;
  settings.seed = system.seed;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = 1e-12;
  settings.integrator.absolute_tolerance = 1e-13;
  Simulation simulation(system, settings, q, v);
  simulation.on_record = [&](const System&, double t, std::span<const double> x) {
    f(t, x.first(q.size()), x.subspan(q.size(), v.size()));
  };
  simulation.run();
  EXPECT_EQ(simulation.status(), RunStatus::finished) << simulation.message();
}

/// Solution of ë + 2ζω ė + ω² e = 0 with ζ < 1.
inline double oscillation(double omega, double zeta, double e0, double v0, double t) {
  const double damped = omega * std::sqrt(1 - zeta * zeta);
  return std::exp(-zeta * omega * t) *
         (e0 * std::cos(damped * t) + (v0 + zeta * omega * e0) / damped * std::sin(damped * t));
}

}  // namespace limber::test
