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
  explicit Sequence(std::vector<JointSegment> segments) : segments_(std::move(segments)) {
    double begin = 0;
    for (const JointSegment& segment : segments_) {
      begins_.push_back(begin);
      begin += segment.trajectory->duration() + segment.dwell;
    }
    duration_ = begin;
  }
  double duration() const override { return duration_; }
  void sample(double t, std::span<double> q, std::span<double> v,
              std::span<double> a) const override {
    const auto after = std::upper_bound(begins_.begin() + 1, begins_.end(), t);
    const auto i = static_cast<std::size_t>(after - begins_.begin()) - 1;
    segments_[i].trajectory->sample(t - begins_[i], q, v, a);
  }

 private:
  std::vector<JointSegment> segments_;
  std::vector<double> begins_;
  double duration_ = 0;
};

/// Motions must be continuous: `end` and `start` are one instant, the end of segment i and the
/// start of the next.
void expect_continuous(const Model& m, std::size_t i, double t, const JointMotion& end,
                       const JointMotion& start) {
  std::vector<double> gap(static_cast<std::size_t>(m.nv));
  difference(m, end.q, start.q, gap);
  for (std::size_t k = 0; k < gap.size(); ++k) {
    if (!(std::abs(gap[k]) < 1e-6))
      throw Error(
          fmt::format("sequence: at {} s, between segments {} and {}, joint '{}' jumps by {} "
                      "{}; let each begin where the one before it ends",
                      t, i + 1, i + 2, freedom_name(m, k), gap[k], freedom_unit(m, k)));
    if (!(std::abs(start.v[k] - end.v[k]) < 1e-6))
      throw Error(fmt::format(
          "sequence: at {} s, between segments {} and {}, the speed of joint '{}' "
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

JointTrajectoryPointer sequence_trajectory(const Model& m, std::vector<JointSegment> segments) {
  if (segments.empty()) throw Error("sequence: no segments found, at least one is needed");
  double t = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!segments[i].trajectory) throw Error(fmt::format("sequence: segment {} is empty", i + 1));
    if (!(segments[i].dwell >= 0) || !std::isfinite(segments[i].dwell))
      throw Error(fmt::format("sequence: dwell of segment {}: {} s found, at least 0 is needed",
                              i + 1, segments[i].dwell));
    t += segments[i].trajectory->duration();
    if (i + 1 == segments.size() || !segments[i + 1].trajectory) continue;
    JointMotion end = motion(m, *segments[i].trajectory, segments[i].trajectory->duration());
    const JointMotion start = motion(m, *segments[i + 1].trajectory, 0);
    if (segments[i].dwell > 0) {
      JointMotion still = end;
      std::fill(still.v.begin(), still.v.end(), 0.0);
      expect_continuous(m, i, t, end, still);
      end = still;
    }
    t += segments[i].dwell;
    expect_continuous(m, i, t, end, start);
  }
  return std::make_shared<Sequence>(std::move(segments));
}

}  // namespace limber
