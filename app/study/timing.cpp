#include "study/timing.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <deque>

namespace limber::app::study {

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

constexpr int states_per_chain = 4;
constexpr double slice = 40e-6;  // shortest time that is measured at once [s]
constexpr int fewest_rounds = 3;
constexpr double quantile = 0.05;  // of the rounds: next to the fastest, without lone outliers

struct Robot {
  explicit Robot(int n) : chain(n) {
    for (int k = 0; k < states_per_chain; ++k) states.push_back(state_of<double>(n, k));
  }
  Chain<double> chain;
  std::vector<State<double>> states;
};

// one formulation on one chain
struct Runner {
  const Formulation* formulation;
  Robot* robot;
  Sample* sample;
  int calls = 1;
  std::vector<double> rounds{};  // nanoseconds per call

  double seconds(int count) const {
    const double start = thread_seconds();
    for (int k = 0; k < count; ++k)
      formulation->compute(robot->chain,
                           robot->states[static_cast<std::size_t>(k % states_per_chain)]);
    return thread_seconds() - start;
  }
  // the first calls, which do not count, bring code and numbers into the caches
  void run_round() {
    seconds(std::min(calls, states_per_chain));
    rounds.push_back(1e9 * seconds(calls) / calls);
  }
  double nanoseconds() {
    std::sort(rounds.begin(), rounds.end());
    return rounds[static_cast<std::size_t>(quantile * static_cast<double>(rounds.size()))];
  }
};

std::vector<Runner> runners(Results& results, std::deque<Robot>& robots) {
  std::vector<Runner> all;
  for (int n = 1; n <= most_links; ++n) {
    Robot& robot = robots.emplace_back(n);
    for (Series& series : results.series) {
      if (n > series.formulation->timed_up_to) continue;
      Runner runner{series.formulation, &robot, &series.samples[static_cast<std::size_t>(n - 1)]};
      // twice: the first call of all is no measure
      while (std::min(runner.seconds(runner.calls), runner.seconds(runner.calls)) < slice)
        runner.calls *= 2;
      all.push_back(runner);
    }
  }
  return all;
}

}  // namespace

void measure_times(Results& results, double seconds, const std::function<void(double)>& progress) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::deque<Robot> robots;  // which do not move when more are added
  std::vector<Runner> all = runners(results, robots);
  double part = 0;
  for (int round = 1; round <= fewest_rounds || part < 1; ++round) {
    for (Runner& runner : all) runner.run_round();
    results.rounds = round;
    part = std::chrono::duration<double>(Clock::now() - start).count() / seconds;
    progress(std::min(part, 1.0));
  }
  for (Runner& runner : all) runner.sample->nanoseconds = runner.nanoseconds();
  results.timed = true;
}

}  // namespace limber::app::study
