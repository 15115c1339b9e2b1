// libFuzzer target: any text is either the saved state of a run, from which the run goes on, or an
// Error; the same for a recording in CSV. The first character chooses the method of integration.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <limber/report/recording_files.hpp>
#include <limber/scenario/run.hpp>

#include "fuzz/watchdog.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr int most_steps = 50;

// states of all sorts: of samples with delay and integral, of a motor with friction, of events
const char* const text = R"(title: resumed
duration: 0.1
robots: [{model: double_pendulum, initial: {position: [0.1, 0.2]}}]
trajectories: [{name: swing, segments: [{kind: swing, amplitude: [0.1, 0.1], frequency: 5}]}]
controllers:
  - {kind: pid, trajectory: swing, joints: [elbow], kp: 10, kd: 1, ki: 5, sample_time: 0.004, delay: 1}
drives:
  - {joint: shoulder, motor: {torque_constant: 0.1, resistance: 1, inductance: 1e-3, friction: 0.01}}
events: [{value: elbow.position, crosses: 0.2}]
record: {interval: 0.005}
)";

std::vector<limber::Scenario> scenarios() {
  std::vector<limber::Scenario> all;
  for (const limber::IntegratorMethod& method : limber::integrator_methods())
    all.push_back(limber::parse_scenario(
        text, "fuzz.yaml",
        std::vector<limber::Override>{{"integrator.method", std::string(method.name)}}));
  return all;
}
const std::vector<limber::Scenario>& each_method() {
  static const std::vector<limber::Scenario> all = scenarios();
  return all;
}

// an honest saved run of each method, as an input
std::vector<std::string> honest_inputs() {
  std::vector<std::string> all;
  for (const limber::Scenario& scenario : each_method()) {
    limber::Scenario half = scenario;
    half.simulation.duration /= 2;
    all.push_back(static_cast<char>('a' + all.size()) +
                  limber::saved_run_text(half, limber::run_scenario(half).end));
  }
  return all;
}

void go_on_from(const limber::Scenario& scenario, std::string_view saved_text) {
  const limber::SavedRun saved = limber::parse_saved_run(scenario, saved_text, "fuzz");
  limber::RunHooks hooks;
  hooks.resume = &saved;
  hooks.go_on = limber::fuzz::Watchdog(most_steps);
  limber::run_scenario(scenario, hooks);
}

// a file in memory
void read_recording(std::string_view content) {
  static const int file = memfd_create("recording", 0);
  static const std::string name = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, content.data(), content.size(), 0) < 0) return;
  limber::read_csv_recording(name);
}

template <class F>
void try_to(F&& f) {
  try {
    f();
  } catch (const limber::Error&) {
    // a refusal is an answer
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t method = (data[0] - 'a') % each_method().size();
  try_to([&] { go_on_from(each_method()[method], content); });
  try_to([&] { read_recording(content); });
  return 0;
}

namespace {

// puts a number that hurts in the place of one of the text's numbers
std::size_t exchange_number(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  static const std::array<std::string, 12> hurting{"-1",
                                                   "0",
                                                   "1",
                                                   "0.05",
                                                   "1e300",
                                                   "-1e300",
                                                   "1e-320",
                                                   "1e17",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "null",
                                                   "[]"};
  const char* const numeral = "+-.0123456789eE";
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t start = text.find_first_of("-0123456789", seed / hurting.size() % size);
  if (start == std::string::npos) return size;
  const std::size_t end = std::min(text.find_first_not_of(numeral, start), size);
  const std::string changed =
      text.substr(0, start) + hurting[seed % hurting.size()] + text.substr(end);
  if (changed.size() > most) return size;
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace

// random bytes would hardly find a saved run: now and then a real one is taken to begin with
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  static const std::vector<std::string> honest = honest_inputs();
  if (size < 2 || seed % 256 == 0) {
    const std::string& one = honest[seed / 256 % honest.size()];
    if (one.size() <= most) {
      std::memcpy(data, one.data(), one.size());
      size = one.size();
    }
  }
  if (size > 0 && seed % 4 != 3) return exchange_number(data, size, most, seed / 4);
  return LLVMFuzzerMutate(data, size, most);
}
