#include "study_integrators/measure.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>

#include <limber/error.hpp>

#include "study_integrators/benchmarks.hpp"
#include "study_integrators/claims.hpp"

namespace limber::app::study_integrators {

namespace {

using Clock = double (*)();  // [s]

double wall_clock() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}
// processor time of this thread: other programs on the machine hardly count
double thread_clock() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// how much is done
struct Budget {
  double run;           // one run at most [s]
  double timing;        // of each run: as often as fits, at least once [s]
  double block_timing;  // the same for the rows of the block table [s]
};
constexpr Budget full{0.25, 0.03, 0.5}, quick{0.01, 0.004, 0.03};

constexpr double accurate_enough = 1e-11, far_off = 1;  // [m]
constexpr std::array required_errors{1e-6, 1e-9};       // the thesis's first [m]
constexpr int first_steps_per_second = 25;
constexpr double tight = 1e-13;

// carries a benchmark from its beginning to its end; false where a step fails
bool carry(Integrator& integrator, Benchmark& benchmark) {
  integrator.start(*benchmark.system, 0, benchmark.start);
  while (integrator.t() < benchmark.duration)
    if (integrator.step(benchmark.duration) != StepStatus::ok) return false;
  return true;
}

std::vector<double> final_state(Benchmark& benchmark, const IntegratorSettings& settings) {
  const auto integrator = make_integrator(settings);
  if (!carry(*integrator, benchmark))
    throw Error("the reference of the study cannot be computed with " + settings.method);
  return {integrator->x().begin(), integrator->x().end()};
}

std::vector<double> reference_of(Benchmark& benchmark) {
  return final_state(benchmark, {"dopri5", 1e-3, tight, tight, 0.01, 1});
}

// the best of as many ways as fit into `timing`
double best_seconds(Integrator& integrator, Benchmark& benchmark, Clock clock, double timing) {
  const double begin = wall_clock();
  double best = HUGE_VAL;
  do {
    const double start = clock();
    carry(integrator, benchmark);
    best = std::min(best, clock() - start);
  } while (wall_clock() - begin < timing);
  return best;
}

// nothing where the method fails
std::optional<Run> try_run(Benchmark& benchmark, std::span<const double> reference,
                           const IntegratorSettings& settings, double timing) {
  const auto integrator = make_integrator(settings);
  if (!carry(*integrator, benchmark)) return std::nullopt;
  Run run{settings.step, integrator->cost(), 0, hand_error(benchmark, integrator->x(), reference)};
  if (!(run.error < far_off)) return std::nullopt;
  run.seconds = best_seconds(*integrator, benchmark, thread_clock, timing);
  return run;
}

// setting number k, from coarse to fine
IntegratorSettings setting(const IntegratorMethod& method, const Benchmark& benchmark, int k) {
  IntegratorSettings settings;
  settings.method = method.name;
  if (method.error_control) {
    settings.relative_tolerance = settings.absolute_tolerance = 1e-2 * std::pow(10., -k);
    settings.max_step = benchmark.duration;
  } else {
    settings.step = 1 / (first_steps_per_second * std::pow(2., k));
  }
  return settings;
}

// runs with finer and finer settings until the error is small enough or a run would take too long
Series refine(const IntegratorMethod& method, Benchmark& benchmark,
              std::span<const double> reference, double good_enough, const Budget& budget) {
  const int most_settings = method.error_control ? 12 : 20;
  Series series{&method, {}};
  for (int k = 0; k < most_settings; ++k) {
    const IntegratorSettings settings = setting(method, benchmark, k);
    std::optional<Run> run = try_run(benchmark, reference, settings, budget.timing);
    if (!run) continue;
    if (method.error_control) run->setting = settings.relative_tolerance;
    series.runs.push_back(*run);
    if (run->error < good_enough || 2 * run->seconds > budget.run) break;
  }
  return series;
}

double evaluation_seconds(Benchmark& benchmark) {
  std::vector<double> rate(benchmark.start.size());
  double best = HUGE_VAL;
  for (int round = 0; round < 20; ++round) {
    const double start = thread_clock();
    // another instant each time: one that was just evaluated is not computed again
    for (int k = 0; k < 100; ++k) benchmark.system->derivative(1e-6 * k, benchmark.start, rate);
    best = std::min(best, (thread_clock() - start) / 100);
  }
  return best;
}

IntegratorSettings block_settings(int block, long steps, double duration, int threads) {
  IntegratorSettings settings;
  settings.method = "pece_b" + std::to_string(block);
  settings.step = duration / static_cast<double>(steps);
  settings.threads = threads;
  return settings;
}

// the fewest steps with which a block method has the required error, to two in a hundred
long steps_needed(Benchmark& benchmark, std::span<const double> reference, int block,
                  double required) {
  const auto good = [&](long steps) {
    const auto integrator = make_integrator(block_settings(block, steps, benchmark.duration, 1));
    return carry(*integrator, benchmark) &&
           hand_error(benchmark, integrator->x(), reference) <= required;
  };
  long enough = 16;
  while (!good(enough)) enough *= 2;
  for (long too_few = enough / 2; enough - too_few > std::max(1L, enough / 50);) {
    const long middle = (enough + too_few) / 2;
    (good(middle) ? enough : too_few) = middle;
  }
  return enough;
}

BlockRow measure_block(Benchmark& benchmark, std::span<const double> reference, int block,
                       int threads, long steps, double timing) {
  const auto integrator =
      make_integrator(block_settings(block, steps, benchmark.duration, threads));
  carry(*integrator, benchmark);
  BlockRow row{block, threads, steps, hand_error(benchmark, integrator->x(), reference)};
  row.seconds = best_seconds(*integrator, benchmark, wall_clock, timing);
  return row;
}

// threads divide the block, as in the thesis: all have equal work
std::vector<BlockRow> measure_blocks(Benchmark& benchmark, std::span<const double> reference,
                                     double required, double timing,
                                     const std::function<void()>& next) {
  std::vector<BlockRow> rows;
  for (int block = 1; block <= 4; ++block) {
    const long steps = steps_needed(benchmark, reference, block, required);
    double alone = 0;
    for (int threads = 1; threads <= block; ++threads) {
      if (block % threads != 0) continue;
      BlockRow row = measure_block(benchmark, reference, block, threads, steps, timing);
      if (threads == 1) alone = row.seconds;
      const double serial = rows.empty() ? row.seconds : rows.front().seconds;
      row.parallel_gain = alone / row.seconds;
      row.algorithm_gain = serial / alone;
      row.total_gain = serial / row.seconds;
      rows.push_back(row);
      next();
    }
  }
  return rows;
}

constexpr double rows_in_block_table = 8;

BenchmarkResult measure_methods(Benchmark& benchmark, std::span<const double> reference,
                                const Budget& budget, const std::function<void()>& next) {
  const std::vector<double> other =
      final_state(benchmark, {"cvode_adams", 1e-3, tight, tight, 0.01, 1});
  const double doubt = hand_error(benchmark, other, reference);
  BenchmarkResult result{
      benchmark.key, benchmark.title, benchmark.duration, doubt, evaluation_seconds(benchmark), {}};
  for (const IntegratorMethod& method : integrator_methods()) {
    result.series.push_back(
        refine(method, benchmark, reference, std::max(accurate_enough, 3 * doubt), budget));
    next();
  }
  return result;
}

}  // namespace

Study examine(Effort effort, const std::function<void(double)>& progress) {
  const Budget& budget = effort == Effort::full ? full : quick;
  const double tasks = 2 * static_cast<double>(integrator_methods().size()) +
                       rows_in_block_table * static_cast<double>(required_errors.size());
  double done = 0;
  const auto next = [&] { progress(++done / tasks); };

  Benchmark pendulum = double_pendulum(), arms = four_arms();
  const std::vector<double> arms_reference = reference_of(arms);
  Study study;
  study.quick = effort == Effort::quick;
  study.cores = std::max(1U, std::thread::hardware_concurrency());
  study.benchmarks.push_back(measure_methods(pendulum, reference_of(pendulum), budget, next));
  study.benchmarks.push_back(measure_methods(arms, arms_reference, budget, next));
  for (const double required : required_errors)
    study.block_tables.push_back(
        {required, measure_blocks(arms, arms_reference, required, budget.block_timing, next)});
  study.claims = judge_claims(study);
  return study;
}

}  // namespace limber::app::study_integrators
