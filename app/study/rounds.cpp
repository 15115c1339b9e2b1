#include "study/rounds.hpp"

#include <algorithm>
#include <chrono>

#include "study/timing.hpp"

namespace limber::app::study {

void Rounds::add(std::function<void(int)> run, std::optional<double>& result) {
  all_.push_back({std::move(run), &result});
}

double Rounds::Runner::seconds() const {
  const double start = thread_seconds();
  run(calls);
  return thread_seconds() - start;
}

void Rounds::measure(double seconds, const std::function<void(double)>& progress) {
  constexpr double shortest_round = 40e-6;  // that is measured at once [s]
  constexpr int fewest_rounds = 3;
  constexpr double taken_quantile = 0.05;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (Runner& runner : all_)
    while (std::min(runner.seconds(), runner.seconds()) < shortest_round) runner.calls *= 2;
  double part = 0;
  for (int round = 1; round <= fewest_rounds || part < 1; ++round) {
    for (Runner& runner : all_) {
      runner.run(1);  // brings code and numbers into the caches
      runner.rounds.push_back(1e9 * runner.seconds() / runner.calls);
    }
    part = std::chrono::duration<double>(Clock::now() - start).count() / seconds;
    progress(std::min(part, 1.0));
  }
  for (Runner& runner : all_) {
    std::sort(runner.rounds.begin(), runner.rounds.end());
    const auto count = static_cast<double>(runner.rounds.size());
    *runner.result = runner.rounds[static_cast<std::size_t>(taken_quantile * count)];
  }
}

}  // namespace limber::app::study
