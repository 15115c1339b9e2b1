#include "study_arms/measure.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

#include "study/timing.hpp"
#include "study_arms/teams.hpp"

namespace limber::app::study_arms {

namespace {

constexpr double shortest = 40e-6;  // that is measured at once [s]
constexpr int fewest_rounds = 3;
constexpr double quantile = 0.05;  // of the rounds: next to the fastest, without lone outliers

struct Runner {
  ChainTeam<double>* team;
  Way way;
  std::optional<double>* result;
  int calls = 1;
  std::vector<double> rounds{};  // nanoseconds per call

  double seconds(int count) const {
    const double start = study::thread_seconds();
    for (int k = 0; k < count; ++k) team->compute(way);
    return study::thread_seconds() - start;
  }
  // the first call, which does not count, brings code and numbers into the caches
  void run_round() {
    team->compute(way);
    rounds.push_back(1e9 * seconds(calls) / calls);
  }
  double nanoseconds() {
    std::sort(rounds.begin(), rounds.end());
    return rounds[static_cast<std::size_t>(quantile * static_cast<double>(rounds.size()))];
  }
};

// the first number of joints from which on `second` is below `first`
template <class Value>
std::optional<int> crossover(const Study& study, Value value) {
  std::optional<int> from;
  for (const Size& size : study.sizes) {
    const auto [first, second] = value(size);
    if (second >= first) from.reset();
    else if (!from) from = size.joints;
  }
  return from;
}

}  // namespace

void measure_times(Study& study, double seconds, const std::function<void(double)>& progress) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::deque<ChainTeam<double>> teams;
  std::vector<Runner> all;
  for (Size& size : study.sizes) {
    teams.emplace_back(size.joints);
    for (const WayFacts& facts : all_ways()) {
      Runner runner{&teams.back(), facts.way, &size.nanoseconds[static_cast<int>(facts.way)]};
      while (std::min(runner.seconds(runner.calls), runner.seconds(runner.calls)) < shortest)
        runner.calls *= 2;
      all.push_back(runner);
    }
  }
  double part = 0;
  for (int round = 1; round <= fewest_rounds || part < 1; ++round) {
    for (Runner& runner : all) runner.run_round();
    part = std::chrono::duration<double>(Clock::now() - start).count() / seconds;
    progress(std::min(part, 1.0));
  }
  for (Runner& runner : all) *runner.result = runner.nanoseconds();
  study.timed = true;
}

void find_crossovers(Study& study) {
  constexpr int first = static_cast<int>(Way::operational_space),
                second = static_cast<int>(Way::articulated);
  study.crossovers.thesis = crossover(study, [](const Size& s) {
    return std::pair(static_cast<double>(s.thesis_operational.both()),
                     static_cast<double>(s.thesis_articulated.both()));
  });
  study.crossovers.counted = crossover(study, [](const Size& s) {
    return std::pair(static_cast<double>(s.counted[first].both()),
                     static_cast<double>(s.counted[second].both()));
  });
  if (study.timed)
    study.crossovers.timed = crossover(study, [](const Size& s) {
      return std::pair(s.nanoseconds[first].value_or(0), s.nanoseconds[second].value_or(0));
    });
}

Study examine(Effort effort, const std::function<void(double)>& progress) {
  Study study;
  study.quick = effort == Effort::quick;
  study.cores = std::max(1U, std::thread::hardware_concurrency());
  const auto within = [&](double begin, double end) {
    return [&progress, begin, end](double part) { progress(begin + (end - begin) * part); };
  };
  const bool counts_only = effort == Effort::counts_only;
  count_operations(study, within(0, counts_only ? 1 : 0.1));
  sweep_to_singularity(study);
  if (!counts_only) {
    measure_times(study, study.quick ? 0.5 : 10, within(0.1, 0.5));
    measure_runs(study, study.quick ? 0.02 : 0.4, within(0.5, 1));
  }
  find_crossovers(study);
  return study;
}

}  // namespace limber::app::study_arms
