// Poses by splines, and task trajectories in a row.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/math/quat.hpp>

#include "control/spline.hpp"
#include "control/task_paths.hpp"

namespace limber {

namespace {

/// A pose moves like a free joint's child, but its velocities are wanted in world axes.
class TaskSpline final : public TaskTrajectory {
 public:
  explicit TaskSpline(Spline spline) : spline_(std::move(spline)) {}
  double duration() const override { return spline_.duration(); }
  std::vector<double> knots() const override { return spline_.times(); }
  TaskMotion sample(double t) const override {
    const double clock = std::clamp(t, 0.0, duration());
    const std::size_t piece = spline_.piece(clock);
    std::array<Coordinate, 7> c;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = spline_.at(piece, i, clock);
    double q[4], v[3], a[3];
    const JointPlace ball{.q_count = 4, .v_count = 3, .quaternion = 0, .adds = false};
    motion_from_coordinates(ball, std::span(c).subspan(3), q, v, a);
    TaskMotion motion;
    motion.pose = {to_matrix(Quat<double>{q[0], q[1], q[2], q[3]}),
                   {c[0].value, c[1].value, c[2].value}};
    if (t < 0 || t > duration()) return motion;
    // ω = R ω', and its rate is R ω̇', as ω × ω = 0
    motion.velocity = {motion.pose.R * Vec3<double>{v[0], v[1], v[2]},
                       {c[0].rate, c[1].rate, c[2].rate}};
    motion.acceleration = {motion.pose.R * Vec3<double>{a[0], a[1], a[2]},
                           {c[0].acceleration, c[1].acceleration, c[2].acceleration}};
    return motion;
  }

 private:
  Spline spline_;
};

class TaskSequence final : public TaskTrajectory {
 public:
  explicit TaskSequence(std::vector<TaskSegment> segments) : segments_(std::move(segments)) {
    for (const TaskSegment& segment : segments_) {
      begins_.push_back(duration_);
      duration_ += segment.trajectory->duration() + segment.dwell;
    }
  }
  double duration() const override { return duration_; }
  TaskMotion sample(double t) const override {
    const auto after = std::upper_bound(begins_.begin() + 1, begins_.end(), t);
    const auto i = static_cast<std::size_t>(after - begins_.begin()) - 1;
    return segments_[i].trajectory->sample(t - begins_[i]);
  }
  std::vector<double> knots() const override {
    std::vector<double> all;
    for (std::size_t i = 0; i < segments_.size(); ++i)
      for (const double knot : segments_[i].trajectory->knots()) {
        const double t = begins_[i] + knot;
        if (all.empty() || t > all.back()) all.push_back(t);
      }
    if (duration_ > all.back()) all.push_back(duration_);
    return all;
  }

 private:
  std::vector<TaskSegment> segments_;
  std::vector<double> begins_;
  double duration_ = 0;
};

void expect_continuous(std::size_t i, const TaskMotion& end, const TaskMotion& start) {
  const Motion<double> gap = pose_error(end.pose, start.pose);
  const Motion<double> kick = start.velocity - end.velocity;
  const double distance = norm(gap.linear) + norm(gap.angular);
  if (!(distance < 1e-6))
    throw Error(
        fmt::format("task sequence: segment {} ends {:.3g} m and {:.3g} rad from where segment "
                    "{} begins; make them continuous",
                    i + 1, norm(gap.linear), norm(gap.angular), i + 2));
  if (!(norm(kick.linear) + norm(kick.angular) < 1e-6))
    throw Error(
        fmt::format("task sequence: between segments {} and {} the velocity jumps by {:.3g} "
                    "m/s and {:.3g} rad/s; let both rest there",
                    i + 1, i + 2, norm(kick.linear), norm(kick.angular)));
}

}  // namespace

TaskTrajectoryPointer task_spline(std::span<const double> times,
                                  const std::vector<Transform<double>>& poses,
                                  const SplineSettings& settings) {
  expect_times("task spline", times);
  if (times.size() != poses.size())
    throw Error(fmt::format("task spline: {} times for {} poses; one for each is needed",
                            times.size(), poses.size()));
  if (!settings.start_velocity.empty() || !settings.end_velocity.empty())
    throw Error("task spline: start_velocity and end_velocity are for joint splines; leave them");
  std::vector<SplineTrack> tracks(7);
  Quat<double> before;
  for (const Transform<double>& pose : poses) {
    expect_pose("task spline", pose);
    Quat<double> q = to_quat(pose.R);
    const double along = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
    if (along < 0) q = {-q.x, -q.y, -q.z, -q.w};  // the nearer of the two that mean this turn
    before = q;
    const double numbers[7] = {pose.p.x, pose.p.y, pose.p.z, q.x, q.y, q.z, q.w};
    for (std::size_t i = 0; i < 7; ++i) tracks[i].values.push_back(numbers[i]);
  }
  return std::make_shared<TaskSpline>(
      Spline::through(times, tracks, settings.degree, settings.ends));
}

TaskTrajectoryPointer task_sequence(std::vector<TaskSegment> segments) {
  if (segments.empty()) throw Error("task sequence: no segments found, at least one is needed");
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!segments[i].trajectory)
      throw Error(fmt::format("task sequence: segment {} is empty", i + 1));
    if (!(segments[i].dwell >= 0) || !std::isfinite(segments[i].dwell))
      throw Error(
          fmt::format("task sequence: dwell of segment {}: {} s found, at least 0 is needed", i + 1,
                      segments[i].dwell));
  }
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    TaskMotion end = segments[i].trajectory->sample(segments[i].trajectory->duration());
    if (segments[i].dwell > 0) {
      expect_continuous(i, end, {end.pose, {}, {}});
      end.velocity = {};
    }
    expect_continuous(i, end, segments[i + 1].trajectory->sample(0));
  }
  return std::make_shared<TaskSequence>(std::move(segments));
}

}  // namespace limber
