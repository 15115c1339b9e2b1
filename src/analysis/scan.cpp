// Parameter scans: the same analysis for many values.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include <limber/analysis/analysis.hpp>

namespace limber {

namespace {

template <class Owner>
void keep_largest(const std::vector<Owner>& owners, std::initializer_list<Figure> wanted,
                  Figures& kept) {
  for (const Owner& one : owners)
    for (const Figure figure : wanted) {
      const auto found = one.figures.find(figure);
      if (found == one.figures.end()) continue;
      const auto [place, is_new] = kept.try_emplace(figure, found->second);
      if (!is_new && found->second.value > place->second.value) place->second = found->second;
    }
}

template <class Owner>
void add_sum(const std::vector<Owner>& owners, Figure figure, Figures& kept) {
  if (owners.empty()) return;
  Measured& sum = kept[figure];
  for (const Owner& one : owners) sum.value += one.figures.at(figure).value;
}

// the overrides of the combination with this number
std::vector<Override> overrides_of(std::span<const ScanSettings> parameters, std::size_t number) {
  std::vector<Override> overrides(parameters.size());
  for (std::size_t k = parameters.size(); k-- > 0;) {
    const std::vector<std::string>& values = parameters[k].values;
    overrides[k] = {parameters[k].path, values[number % values.size()]};
    number /= values.size();
  }
  return overrides;
}

ScanPoint run_point(std::span<const Override> overrides, const ScenarioReader& read,
                    const ScanHooks& hooks) {
  ScanPoint point;
  for (const Override& one : overrides) point.values.push_back(one.value);
  point.status = RunStatus::interrupted;
  if (hooks.go_on && !hooks.go_on()) return point;
  try {
    const Analysis analysis =
        analyse(read(overrides), [&](double) { return !hooks.go_on || hooks.go_on(); });
    point.status = analysis.run.status;
    point.message = analysis.run.message;
    point.figures = key_figures(analysis);
    point.violations = analysis.violations();
    point.checks = analysis.checks;
  } catch (const std::exception& error) {  // no exception may leave a thread
    point.status = RunStatus::running;     // it never began
    point.message = error.what();
  }
  return point;
}

std::size_t thread_count(int wanted, std::size_t points) {
  if (wanted < 0)
    throw Error(
        fmt::format("the scan: {} threads; expected 0 (one for each core) or more", wanted));
  const std::size_t threads =
      wanted > 0 ? static_cast<std::size_t>(wanted) : std::thread::hardware_concurrency();
  return std::clamp<std::size_t>(threads, 1, points);
}

}  // namespace

Figures key_figures(const Analysis& analysis) {
  Figures kept;
  keep_largest(
      analysis.joints,
      {Figure::peak_torque, Figure::rms_torque, Figure::peak_speed, Figure::tracking_error}, kept);
  add_sum(analysis.joints, Figure::energy, kept);
  keep_largest(analysis.motors,
               {Figure::motor_torque, Figure::motor_speed, Figure::rms_current, Figure::saturation,
                Figure::winding_temperature, Figure::steady_temperature},
               kept);
  add_sum(analysis.motors, Figure::electrical_energy, kept);
  keep_largest(analysis.links, {Figure::stress, Figure::deflection}, kept);
  return kept;
}

std::vector<ScanPoint> run_scan(const std::vector<ScanSettings>& parameters,
                                const ScenarioReader& read, const ScanHooks& hooks) {
  std::vector<ScanPoint> points(scan_size(parameters));
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t k = next++; k < points.size(); k = next++) {
      points[k] = run_point(overrides_of(parameters, k), read, hooks);
      const std::lock_guard lock(telling);
      ++done;
      if (hooks.on_point) hooks.on_point(done, points.size());
    }
  };
  std::vector<std::jthread> team;
  for (std::size_t k = 1; k < thread_count(hooks.threads, points.size()); ++k)
    team.emplace_back(work);
  work();
  team.clear();  // waits for them
  const auto failed = [](const ScanPoint& point) { return point.status == RunStatus::running; };
  if (std::all_of(points.begin(), points.end(), failed))
    throw Error("the scan: " + points.front().message);
  return points;
}

}  // namespace limber
