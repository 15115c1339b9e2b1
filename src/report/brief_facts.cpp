#include "report/brief_facts.hpp"

#include <fmt/format.h>

namespace limber {

namespace {

// "1 ms", "0.2 ms"
std::string step_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string method_text(const IntegratorSettings& settings) {
  const IntegratorMethod* method = find_integrator_method(settings.method);
  if (method && method->error_control)
    return fmt::format("tolerance {:.3g}", settings.relative_tolerance);
  return step_text(settings.step);
}

// small angles and lengths in thousandths
std::string error_text(const Largest& error) {
  if ((error.unit == "rad" || error.unit == "m") && error.value < 1)
    return fmt::format("{:.2g} m{}", 1e3 * error.value, error.unit);
  return fmt::format("{:.2g} {}", error.value, error.unit);
}

}  // namespace

void add_briefs(const Scenario& scenario, const Run& run, std::vector<Fact>& facts) {
  const IntegratorSettings& method = scenario.simulation.integrator;
  const std::optional<Largest> tracking = largest_of(run, "Tracking error");
  const std::optional<Largest> energy = largest_of(run, "Energy error");
  for (Fact& fact : facts) {
    if (fact.label == "Simulated") fact.brief = {fact.value, "simulated"};
    if (fact.label == "Real-time factor") fact.brief = {fact.value + " ×", "real time"};
    if (fact.label == "Integrator") fact.brief = {method.method, method_text(method)};
    if (fact.label == "Largest tracking error" && tracking)
      fact.brief = {error_text(*tracking), "tracking"};
    if (fact.label == "Largest energy error" && energy)
      fact.brief = {error_text(*energy), "energy error"};
  }
}

}  // namespace limber
