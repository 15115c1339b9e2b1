#include <limber/control/follow.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "control/frame_solver.hpp"
#include "control/limits.hpp"
#include "control/spline_trajectory.hpp"
#include "control/task_paths.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr int most_points = 1'000'000;  // of a path that are solved exactly

/// Exact points on the way of a frame, and the trajectory through them.
class Follower {
 public:
  Follower(const Model& m, const std::string& frame, const TaskTrajectory& task,
           std::vector<double> start, const FollowSettings& settings)
      : model_(m),
        frame_(frame),
        task_(task),
        settings_(settings),
        solver_(m, frame, settings),
        q_(std::move(start)) {
    solve_position(0);
  }

  /// The whole way with intervals of at most `interval`.
  Spline run(double interval) {
    const std::vector<double> knots = task_.knots();
    times_ = {0};
    begins_.clear();
    ends_.clear();
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      const double length = knots[i + 1] - knots[i];
      const int count = std::max(1, static_cast<int>(std::ceil(length / interval - 1e-9)));
      for (int k = 0; k < count; ++k)
        advance(times_.back(), k + 1 == count ? knots[i + 1] : knots[i] + length * (k + 1) / count);
    }
    return Spline::through_motions(times_, begins_, ends_);
  }
  const std::vector<double>& position() const { return q_; }
  void restart(const std::vector<double>& q) { q_ = q; }

  /// How far the frame is from its path in the middle between exact points.
  double worst_miss(const JointTrajectory& trajectory) {
    std::vector<double> q(q_.size()), v(static_cast<std::size_t>(model_.nv)), a(v);
    double worst = 0;
    for (std::size_t i = 0; i + 1 < times_.size(); ++i) {
      const double t = (times_[i] + times_[i + 1]) / 2;
      trajectory.sample(t, q, v, a);
      worst = std::max(worst, solver_.left(task_.sample(t).pose, q).norm());
    }
    return worst;
  }

 private:
  void solve_position(double t) {
    const Transform<double> pose = task_.sample(t).pose;
    if (solver_.solve(pose, q_)) return;
    const InverseKinematicsResult found = solver_.result(pose, q_);
    const std::string limit = solver_.joint_at_limit(q_);
    throw Error(fmt::format(
        "impossible task: at {:.6g} s frame '{}' of robot '{}' stays {:.3g} m and {:.3g} rad from "
        "its path: {}; move the path",
        t, frame_, model_.name, found.distance_left, found.turn_left,
        limit.empty() ? "it is out of reach" : fmt::format("joint '{}' is at its limit", limit)));
  }

  FrameSolver::Rates rates(double t, const TaskMotion& motion, std::span<const double> q) {
    FrameSolver::Rates found = solver_.rates(motion, q);
    if (found.smallest_singular_value < settings_.smallest_singular_value)
      throw Error(fmt::format(
          "impossible task: at {:.6g} s frame '{}' of robot '{}' comes to a singular position "
          "(smallest singular value {:.3g}); move the path, or begin it otherwise",
          t, frame_, model_.name, found.smallest_singular_value));
    const double speed = norm(motion.velocity.linear) + norm(motion.velocity.angular);
    if (found.missed > 1e-7 * (1 + speed))
      throw Error(
          fmt::format("impossible task: at {:.6g} s the joints of robot '{}' cannot give "
                      "frame '{}' the velocity it needs; {:.3g} m/s or rad/s are missing",
                      t, model_.name, frame_, found.missed));
    return found;
  }

  /// One step by Runge and Kutta along the least velocities, then exactly onto the path.
  void advance(double t, double end) {
    const double h = end - t;
    const TaskMotion begin = task_.sample(t), middle = task_.sample(t + h / 2),
                     arrival =
                         task_.sample(std::nextafter(end, 0.0));  // before any jump at the end
    const FrameSolver::Rates first = rates(t, begin, q_);
    begins_.push_back(coordinates(model_, q_, first.v, first.a));
    std::vector<double> trial(q_.size());
    integrate(model_, q_, first.v, h / 2, trial);
    const std::vector<double> v2 = rates(t + h / 2, middle, trial).v;
    integrate(model_, q_, v2, h / 2, trial);
    const std::vector<double> v3 = rates(t + h / 2, middle, trial).v;
    integrate(model_, q_, v3, h, trial);
    std::vector<double> mean = rates(end, arrival, trial).v;
    for (std::size_t k = 0; k < mean.size(); ++k)
      mean[k] = (first.v[k] + 2 * v2[k] + 2 * v3[k] + mean[k]) / 6;
    integrate(model_, q_, mean, h, trial);
    q_ = trial;
    expect_position_limits(
        model_, fmt::format("impossible task: at {:.6g} s on the path of frame '{}'", end, frame_),
        q_);
    solve_position(end);
    const FrameSolver::Rates last = rates(end, arrival, q_);
    ends_.push_back(coordinates(model_, q_, last.v, last.a));
    align(begins_.back(), ends_.back());
    times_.push_back(end);
  }

  /// Quaternions of both ends of a piece on the same side.
  void align(const std::vector<Coordinate>& begin, std::vector<Coordinate>& end) const {
    for (const JointPlace& joint : joint_places(model_)) {
      if (joint.quaternion < 0) continue;
      const std::size_t first = at_index(joint.quaternion);
      double along = 0;
      for (std::size_t i = first; i < first + 4; ++i) along += begin[i].value * end[i].value;
      if (along >= 0) continue;
      for (std::size_t i = first; i < first + 4; ++i)
        end[i] = {-end[i].value, -end[i].rate, -end[i].acceleration};
    }
  }

  const Model& model_;
  std::string frame_;
  const TaskTrajectory& task_;
  FollowSettings settings_;
  FrameSolver solver_;
  std::vector<double> q_, times_;
  std::vector<std::vector<Coordinate>> begins_, ends_;
};

}  // namespace

JointTrajectoryPointer follow(const Model& m, const std::string& frame, const TaskTrajectory& task,
                              std::span<const double> start, const FollowSettings& settings) {
  expect_coordinates(m, "follow");
  if (!(settings.interval > 0) || !(settings.path_tolerance > 0))
    throw Error("follow: interval and path_tolerance must be positive");
  Follower follower(m, frame, task, checked_position(m, "follow: start", start), settings);
  const std::vector<double> first = follower.position();
  if (task.duration() == 0) return constant_trajectory(m, first);
  const int most_halvings = 6;
  double interval = settings.interval;
  for (int i = 0;; ++i, interval /= 2) {
    if (!(task.duration() / interval <= most_points))
      throw Error(
          fmt::format("follow: a path of {:.6g} s has {:.3g} points {:.3g} s apart, more than {}; "
                      "make it shorter, or the interval longer",
                      task.duration(), task.duration() / interval, interval, most_points));
    follower.restart(first);
    auto trajectory = std::make_shared<SplineTrajectory>(m, follower.run(interval));
    const double miss = follower.worst_miss(*trajectory);
    if (miss <= settings.path_tolerance) {
      expect_within_limits(m, *trajectory, interval / 2);
      return trajectory;
    }
    if (i == most_halvings)
      throw Error(
          fmt::format("follow: with intervals of {:.3g} s frame '{}' is still {:.3g} m or rad "
                      "from its path between them; it turns too sharply for the robot",
                      interval, frame, miss));
  }
}

}  // namespace limber
