// Trajectories in a row.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/control/joint_trajectory.hpp>
#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"

namespace limber {

namespace {

class Sequence final : public JointTrajectory {
 public:
  explicit Sequence(std::vector<JointSequenceStep> steps) : steps_(std::move(steps)) {
    double begin = 0;
    for (const JointSequenceStep& step : steps_) {
      begins_.push_back(begin);
      begin += step.trajectory->duration() + step.dwell;
    }
    duration_ = begin;
  }
  double duration() const override { return duration_; }
  void sample(double t, std::span<double> q, std::span<double> v,
              std::span<double> a) const override {
    const auto after = std::upper_bound(begins_.begin() + 1, begins_.end(), t);
    const auto i = static_cast<std::size_t>(after - begins_.begin()) - 1;
    steps_[i].trajectory->sample(t - begins_[i], q, v, a);
  }

 private:
  std::vector<JointSequenceStep> steps_;
  std::vector<double> begins_;
  double duration_ = 0;
};

/// Motions must meet: `end` and `start` are one instant, the end of step i and the start of the
/// next.
void expect_continuous(const Model& m, std::size_t i, double t, const JointMotion& end,
                       const JointMotion& start) {
  std::vector<double> gap(static_cast<std::size_t>(m.nv));
  difference(m, end.q, start.q, gap);
  for (std::size_t k = 0; k < gap.size(); ++k) {
    if (!(std::abs(gap[k]) < 1e-6))
      throw Error(
          fmt::format("sequence: at {} s, between steps {} and {}, joint '{}' jumps by {} "
                      "{}; let each begin where the one before it ends",
                      t, i + 1, i + 2, freedom_name(m, k), gap[k], freedom_unit(m, k)));
    if (!(std::abs(start.v[k] - end.v[k]) < 1e-6))
      throw Error(fmt::format(
          "sequence: at {} s, between steps {} and {}, the speed of joint '{}' "
          "jumps from {} to {} {}/s",
          t, i + 1, i + 2, freedom_name(m, k), end.v[k], start.v[k], freedom_unit(m, k)));
  }
}

JointMotion motion(const Model& m, const JointTrajectory& trajectory, double t) {
  JointMotion result;
  result.q.resize(static_cast<std::size_t>(m.nq));
  result.v.resize(static_cast<std::size_t>(m.nv));
  result.a.resize(static_cast<std::size_t>(m.nv));
  trajectory.sample(t, result.q, result.v, result.a);
  return result;
}

}  // namespace

JointTrajectoryPointer sequence_trajectory(const Model& m, std::vector<JointSequenceStep> steps) {
  if (steps.empty()) throw Error("sequence: no steps found, at least one is needed");
  double t = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].trajectory) throw Error(fmt::format("sequence: step {} is empty", i + 1));
    if (!(steps[i].dwell >= 0) || !std::isfinite(steps[i].dwell))
      throw Error(fmt::format("sequence: dwell of step {}: {} s found, at least 0 is needed", i + 1,
                              steps[i].dwell));
    t += steps[i].trajectory->duration();
    if (i + 1 == steps.size() || !steps[i + 1].trajectory) continue;
    JointMotion end = motion(m, *steps[i].trajectory, steps[i].trajectory->duration());
    const JointMotion start = motion(m, *steps[i + 1].trajectory, 0);
    if (steps[i].dwell > 0) {
      JointMotion still = end;
      std::fill(still.v.begin(), still.v.end(), 0.0);
      expect_continuous(m, i, t, end, still);
      end = still;
    }
    t += steps[i].dwell;
    expect_continuous(m, i, t, end, start);
  }
  return std::make_shared<Sequence>(std::move(steps));
}

}  // namespace limber
