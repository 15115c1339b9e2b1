#include "study_legs/measure.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

#include <limber/batch/star_team.hpp>

#include "study/rounds.hpp"
#include "study_legs/walker.hpp"

namespace limber::app::study_legs {

namespace {

using Progress = std::function<void(double)>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// the totals of tables 12 and 16; of the latter the land vehicle
Cost thesis_composite(long m, long n) {
  return {m * (n * n * n + 105 * n * n + 1052 * n + 210) / 6 + 102,
          m * (n * n * n + 78 * n * n + 989 * n + 186) / 6 + 62};
}
Cost thesis_articulated(long m, long n) {
  return {224 * m * n + 59 * m + 99, 205 * m * n + 63 * m + 68};
}

Cost count_way(const Model& plain, Way way) {
  Counted::start();
  Walker<Counted> walker(plain);
  walker.compute(way);
  const OperationCount count = Counted::needed_for(walker.a);
  return {count.multiplications, count.additions};
}

void count_operations(Study& study, const Progress& progress) {
  for (const int legs : leg_counts)
    for (int joints = fewest_joints; joints <= most_joints; ++joints) {
      Size size;
      size.legs = legs, size.joints = joints;
      const Model model = build(walker_spec(legs, joints));
      for (const WayFacts& facts : all_ways)
        size.counted[static_cast<std::size_t>(facts.way)] = count_way(model, facts.way);
      size.thesis_composite = thesis_composite(legs, joints);
      size.thesis_articulated = thesis_articulated(legs, joints);
      study.sizes.push_back(size);
      progress(static_cast<double>(study.sizes.size()) /
               static_cast<double>(leg_counts.size() * most_joints));
    }
}

// processor time of one thread, all sizes and ways in turn
void measure_times(Study& study, double seconds, const Progress& progress) {
  std::deque<Walker<double>> walkers;
  study::Rounds rounds;
  for (Size& size : study.sizes) {
    Walker<double>& walker = walkers.emplace_back(build(walker_spec(size.legs, size.joints)));
    for (const WayFacts& facts : all_ways)
      rounds.add(
          [&walker, way = facts.way](int calls) {
            for (int k = 0; k < calls; ++k) walker.compute(way);
          },
          size.nanoseconds[static_cast<std::size_t>(facts.way)]);
  }
  rounds.measure(seconds, progress);
}

double team_nanoseconds(StarTeam& team, Walker<double>& walker, StarMethod method, double seconds) {
  constexpr int calls = 50;
  double best = HUGE_VAL;
  const Clock::time_point start = Clock::now();
  do {
    const Clock::time_point round = Clock::now();
    for (int k = 0; k < calls; ++k)
      team.forward_dynamics(walker.q, walker.v, walker.tau, method, walker.a);
    best = std::min(best, 1e9 * seconds_since(round) / calls);
  } while (seconds_since(start) < seconds);
  return best;
}

// legs on threads: not more threads than cores, which would show waiting alone
void measure_teams(Study& study, double seconds, const Progress& progress) {
  const int most = static_cast<int>(std::min(study.cores, static_cast<unsigned>(team_legs)));
  for (int joints = fewest_joints; joints <= most_joints; ++joints) {
    const Model model = build(walker_spec(team_legs, joints));
    Walker<double> walker(model);
    for (int threads = 1; threads <= most; ++threads) {
      if (team_legs % threads != 0) continue;
      StarTeam team(model, threads);
      study.team.push_back(
          {joints, threads, team_nanoseconds(team, walker, StarMethod::composite_bodies, seconds),
           team_nanoseconds(team, walker, StarMethod::articulated_bodies, seconds)});
    }
    progress(static_cast<double>(joints) / most_joints);
  }
}

// the first number of joints from which on the second value is below the first
template <class Values>
std::optional<int> cheaper_from(const Study& study, int legs, Values values) {
  std::optional<int> from;
  for (const Size& size : study.sizes) {
    if (size.legs != legs) continue;
    const auto [first, second] = values(size);
    if (second >= first) from.reset();
    else if (!from) from = size.joints;
  }
  return from;
}

void find_crossovers(Study& study) {
  for (const int legs : leg_counts) {
    Crossover found;
    found.legs = legs;
    found.thesis = cheaper_from(study, legs, [](const Size& s) {
      return std::pair(s.thesis_composite.both(), s.thesis_articulated.both());
    });
    found.counted = cheaper_from(study, legs, [](const Size& s) {
      return std::pair(s.counted[0].both(), s.counted[1].both());
    });
    if (study.timed)
      found.timed = cheaper_from(study, legs, [](const Size& s) {
        return std::pair(s.nanoseconds[0].value_or(0), s.nanoseconds[1].value_or(0));
      });
    study.crossovers.push_back(found);
  }
}

}  // namespace

Study examine(Effort effort, const Progress& progress) {
  Study study;
  study.quick = effort == Effort::quick;
  study.timed = effort != Effort::counts_only;
  study.cores = std::max(1U, std::thread::hardware_concurrency());
  const auto within = [&](double begin, double end) {
    return [&progress, begin, end](double part) { progress(begin + (end - begin) * part); };
  };
  count_operations(study, within(0, study.timed ? 0.1 : 1));
  if (study.timed) {
    measure_times(study, study.quick ? 0.5 : 12, within(0.1, 0.7));
    measure_teams(study, study.quick ? 0.005 : 0.1, within(0.7, 1));
  }
  find_crossovers(study);
  return study;
}

}  // namespace limber::app::study_legs
