// libFuzzer target: any text is either a scenario that can be run, saved and reported, or an Error.
// No code that a text names is run: dlopen() below takes the place of the real one. Files are
// looked for in a folder that does not exist, and only read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <limber/report/report.hpp>

#include "fuzz/watchdog.hpp"

// a controller may be a shared library
extern "C" void* dlopen(const char*, int) { return nullptr; }

namespace {

constexpr double longest = 0.02;  // [s] of simulated time
constexpr int most_steps = 100;

void run_and_report(std::string_view text) {
  limber::Scenario scenario = limber::parse_scenario(text, "/nowhere/fuzz.yaml");
  scenario.simulation.duration = std::min(scenario.simulation.duration, longest);
  limber::RunHooks hooks;
  hooks.go_on = limber::fuzz::Watchdog(most_steps);
  const limber::Run run = limber::run_scenario(scenario, hooks);
  limber::Report report;
  report.recording = run.recording;
  report.summary = limber::summary_of(scenario, run);
  limber::report_data(scenario, report);
  // what is saved can be read
  if (run.status != limber::RunStatus::diverged)
    limber::parse_saved_run(scenario, limber::saved_run_text(scenario, run.end), "saved");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    run_and_report({reinterpret_cast<const char*>(data), size});
  } catch (const limber::Error&) {
    // a refusal is an answer
  }
  return 0;
}
