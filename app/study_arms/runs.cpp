// The lift on threads, [McM] tables 3 to 6, and the way to a singular position.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <limber/constraint/arm_rivals.hpp>
#include <limber/limber.hpp>
#include <limber/sim/team_run.hpp>

#include "study_arms/lift.hpp"
#include "study_arms/measure.hpp"

namespace limber::app::study_arms {

namespace {

constexpr double required = 1e-6;  // the thesis's [m]
constexpr long reference_steps = 4004;
constexpr Partition partitions[] = {{1, 1, 1}, {2, 1, 1}, {4, 1, 1},  // B1PC5
                                    {1, 1, 2}, {1, 2, 2}, {2, 1, 2}, {2, 2, 2},
                                    {4, 1, 2}, {4, 2, 2},  // B2PC5
                                    {1, 1, 4}, {1, 2, 4}, {2, 1, 4}, {1, 4, 4},
                                    {2, 2, 4}, {4, 1, 4}, {2, 4, 4}, {4, 2, 4}};  // B4PC5

double wall_clock() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// four steps to begin with, then whole blocks
long blocks_of(long steps, int block) { return (steps - 4 + block - 1) / block; }
TeamRunSettings settings_of(const Partition& p, long steps) {
  const long whole = 4 + blocks_of(steps, p.block) * p.block;
  return {Lift::duration / static_cast<double>(whole), p.block, p.arm_parts, p.time_parts};
}

class Lifting {
 public:
  Lifting(const Lift& lift, const Partition& p, long steps)
      : lift_(lift),
        blocks_(blocks_of(steps, p.block)),
        run_(lift.team(), settings_of(p, steps),
             [&lift](int, double t, std::span<double> tau) { lift.drive(t, tau); }) {}
  Vec3<double> end() {
    run_.start(lift_.q(), lift_.v(), lift_.object());
    run_.advance(blocks_);
    return run_.object().pose.p;
  }
  // the best of as many as fit; the first four steps, which threads do not share, are left out
  double best_seconds(double timing) {
    const double begin = wall_clock();
    double best = HUGE_VAL;
    do {
      run_.start(lift_.q(), lift_.v(), lift_.object());
      const double start = wall_clock();
      run_.advance(blocks_);
      best = std::min(best, wall_clock() - start);
    } while (wall_clock() - begin < timing);
    return best;
  }
  const TeamRun& run() const { return run_; }
  long blocks() const { return blocks_; }

 private:
  const Lift& lift_;
  long blocks_;
  TeamRun run_;
};

// the fewest steps with which a block method has the required error, to two in a hundred
long steps_needed(const Lift& lift, int block, const Vec3<double>& reference) {
  const auto is_good = [&](long steps) {
    return norm(Lifting(lift, {1, 1, block}, steps).end() - reference) <= required;
  };
  long enough = 16;
  while (!is_good(enough)) enough *= 2;
  for (long too_few = enough / 2; enough - too_few > std::max(1L, enough / 50);) {
    const long middle = (enough + too_few) / 2;
    (is_good(middle) ? enough : too_few) = middle;
  }
  return enough;
}

MeetingRow meetings_of(const Lift& lift, const Partition& p) {
  Lifting lifting(lift, p, 40);
  lifting.end();
  const TeamRunCount& count = lifting.run().counts()[0];
  MeetingRow row{p, count.meetings / lifting.blocks(), count.objects / lifting.blocks(), {}, {}};
  if (p.threads() >= 4 && thesis_run(p)) {  // the rule behind the table
    row.thesis_meetings = (p.arm_parts > 1 ? 2 : 0) + (p.time_parts > 1 ? 3 : 0);
    row.thesis_objects = 2 * p.block / p.time_parts;
  }
  return row;
}

// largest to smallest eigenvalue of a symmetric matrix, by Jacobi's rotations
double condition_of(const Small6<double>& lower) {
  double A[6][6];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) A[i][j] = lower(std::max(i, j), std::min(i, j));
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < 6; ++p)
      for (int q = p + 1; q < 6; ++q) {
        const double angle = std::atan2(2 * A[p][q], A[q][q] - A[p][p]) / 2;
        const double c = std::cos(angle), s = std::sin(angle);
        for (int k = 0; k < 6; ++k) {
          const double x = A[k][p], y = A[k][q];
          A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 6; ++k) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
      }
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < 6; ++i) {
    least = std::min(least, std::abs(A[i][i]));
    most = std::max(most, A[i][i]);
  }
  return most / least;
}

}  // namespace

void measure_runs(Study& study, double seconds, const std::function<void(double)>& progress) {
  const Lift lift;
  const Vec3<double> reference = Lifting(lift, {1, 1, 1}, reference_steps).end();
  study.required_error = required;
  double alone = 0, first = 0;  // seconds of this block method, and of B1PC5, on one thread
  long steps = 0;
  for (const Partition& p : partitions) {
    study.meetings.push_back(meetings_of(lift, p));
    if (p.threads() == 1) steps = steps_needed(lift, p.block, reference);
    Lifting lifting(lift, p, steps);
    RunRow row{p, 4 + lifting.blocks() * p.block, norm(lifting.end() - reference)};
    row.seconds = lifting.best_seconds(seconds);
    if (p.threads() == 1) alone = row.seconds;
    if (first == 0) first = row.seconds;
    row.parallel_gain = alone / row.seconds;
    row.algorithm_gain = first / alone;
    row.total_gain = first / row.seconds;
    study.runs.push_back(row);
    progress(static_cast<double>(study.runs.size()) / std::size(partitions));
  }
}

void sweep_to_singularity(Study& study) {
  const Lift lift;
  const ArmTeam& team = lift.team();
  TeamMotion motion(team), block(team);
  auto accelerations = [](const TeamMotion& of) {
    std::vector<double> all;
    for (const auto& arm : of.arms)
      all.insert(all.end(), arm.acceleration.begin(), arm.acceleration.end());
    for (int i = 0; i < 3; ++i)
      all.push_back(of.object.acceleration.angular[i]),
          all.push_back(of.object.acceleration.linear[i]);
    return all;
  };
  auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference += (a[i] - b[i]) * (a[i] - b[i]);
      size += b[i] * b[i];
    }
    return std::sqrt(difference / size);
  };
  // every arm at rest at the beginning of the lift, the wrist of the first one bent by so much
  auto move = [&](double bend) {
    std::vector<std::vector<double>> q = lift.q();
    q[0][4] = bend;
    std::vector<ArmState<double>> states;
    std::vector<double> tau(6);
    lift.drive(0.3, tau);
    for (std::size_t k = 0; k < q.size(); ++k) states.push_back({q[k], lift.v()[k], tau, {}});
    team_dynamics<double>(team, states, lift.object(), motion);
    block_team_dynamics<double>(team, states, lift.object(), block);
  };
  move(0);
  const std::vector<double> at_singularity = accelerations(motion);
  for (const double bend : {0.3, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    move(bend);
    study.sweep.push_back({bend, condition_of(motion.arms[0].mobility), motion.arms[0].is_regular,
                           distance(accelerations(motion), at_singularity),
                           distance(accelerations(motion), accelerations(block))});
  }
}

}  // namespace limber::app::study_arms
