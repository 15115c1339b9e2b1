// Lines and arcs.
#include <limber/control/task_trajectory.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/math/quat.hpp>

#include "control/limits.hpp"
#include "control/task_paths.hpp"

namespace limber {

namespace {

class ConstantPose final : public TaskTrajectory {
 public:
  explicit ConstantPose(const Transform<double>& pose) : pose_(pose) {}
  double duration() const override { return 0; }
  TaskMotion sample(double) const override { return {pose_, {}, {}}; }
  std::vector<double> knots() const override { return {0}; }

 private:
  Transform<double> pose_;
};

/// The shortest turn from one orientation to another, by a path's phase.
class Turn {
 public:
  Turn(const Mat3<double>& from, const Mat3<double>& to)
      : from_(from),
        displacement_(log_quat(to_quat(to * transpose(from)))),
        angle_(norm(displacement_)) {}
  double angle() const { return angle_; }
  void sample(const PathPhase& phase, TaskMotion& motion) const {
    motion.pose.R = to_matrix(exp_quat(displacement_ * phase.s)) * from_;
    motion.velocity.angular = displacement_ * phase.rate;
    motion.acceleration.angular = displacement_ * phase.acceleration;
  }

 private:
  Mat3<double> from_;
  Vec3<double> displacement_;  // rotation vector in world axes
  double angle_;
};

class LineTrajectory final : public TaskTrajectory {
 public:
  LineTrajectory(const Transform<double>& from, const Vec3<double>& displacement, Turn turn,
                 TimeLaw law)
      : from_(from.p), displacement_(displacement), turn_(turn), law_(law) {}
  double duration() const override { return law_.duration(); }
  std::vector<double> knots() const override { return law_.knots(); }
  TaskMotion sample(double t) const override {
    const PathPhase phase = law_.at(t);
    TaskMotion motion;
    turn_.sample(phase, motion);
    motion.pose.p = from_ + displacement_ * phase.s;
    motion.velocity.linear = displacement_ * phase.rate;
    motion.acceleration.linear = displacement_ * phase.acceleration;
    return motion;
  }

 private:
  Vec3<double> from_, displacement_;
  Turn turn_;
  TimeLaw law_;
};

class ArcTrajectory final : public TaskTrajectory {
 public:
  ArcTrajectory(const Transform<double>& from, const Arc& arc, Turn turn, TimeLaw law)
      : arm_(from.p - arc.center), arc_(arc), turn_(turn), law_(law) {}
  double duration() const override { return law_.duration(); }
  std::vector<double> knots() const override { return law_.knots(); }
  TaskMotion sample(double t) const override {
    const PathPhase phase = law_.at(t);
    TaskMotion motion;
    turn_.sample(phase, motion);
    const Vec3<double> arm = rotation(arc_.axis, arc_.angle * phase.s) * arm_;
    const Vec3<double> omega = arc_.axis * (arc_.angle * phase.rate);
    motion.pose.p = arc_.center + arm;
    motion.velocity.linear = cross(omega, arm);
    motion.acceleration.linear = cross(omega, motion.velocity.linear) +
                                 cross(arc_.axis * (arc_.angle * phase.acceleration), arm);
    return motion;
  }

 private:
  Vec3<double> arm_;
  Arc arc_;
  Turn turn_;
  TimeLaw law_;
};

/// The law for a path of this length [m] and this turn [rad].
TimeLaw law_for(const char* what, const TaskMoveSettings& settings, double length, double turn) {
  const struct {
    const char* field;
    double distance, limit;
    bool of_speed;
  } limits[] = {{"speed", length, settings.speed, true},
                {"angular_speed", turn, settings.angular_speed, true},
                {"acceleration", length, settings.acceleration, false},
                {"angular_acceleration", turn, settings.angular_acceleration, false}};
  double rate = HUGE_VAL, acceleration = HUGE_VAL;
  for (const auto& limit : limits) {
    if (!(limit.limit > 0))
      throw Error(fmt::format("{}: {}: {} found, a positive number is needed", what, limit.field,
                              limit.limit));
    if (limit.distance == 0) continue;
    double& bound = limit.of_speed ? rate : acceleration;
    bound = std::min(bound, limit.limit / limit.distance);
  }
  if (settings.duration == 0) {
    if (length + turn > 0 && std::isinf(rate) && std::isinf(acceleration))
      throw Error(fmt::format("{}: nothing says how fast; give a duration, or limits", what));
    return TimeLaw::with_limits(settings.law, rate, acceleration);
  }
  const TimeLaw law = TimeLaw::with_duration(settings.law, settings.duration, settings.ramp);
  for (const auto& limit : limits) {
    const double peak =
        limit.distance * (limit.of_speed ? law.peak_rate() : law.peak_acceleration());
    if (peak > limit.limit * (1 + limit_tolerance))
      throw Error(
          fmt::format("{}: in {} s the {} reaches {:.6g}, its limit is {:.6g}; give more "
                      "time",
                      what, settings.duration, limit.field, peak, limit.limit));
  }
  return law;
}

}  // namespace

void expect_pose(const char* what, const Transform<double>& pose) {
  const Mat3<double> unit = transpose(pose.R) * pose.R;
  double worst = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    size += std::abs(pose.p[i]);
    for (int j = 0; j < 3; ++j) worst = std::max(worst, std::abs(unit.row(i)[j] - (i == j)));
  }
  if (!(worst < 1e-6) || !(determinant(pose.R) > 0) || !std::isfinite(size))
    throw Error(fmt::format("{}: a pose is not a rotation and a point; check its numbers", what));
}

std::vector<int> rows_of(TaskRows rows) {
  if (rows == TaskRows::position) return {3, 4, 5};
  if (rows == TaskRows::orientation) return {0, 1, 2};
  return {0, 1, 2, 3, 4, 5};
}

Motion<double> pose_error(const Transform<double>& actual, const Transform<double>& wanted) {
  return {log_quat(to_quat(wanted.R * transpose(actual.R))), wanted.p - actual.p};
}

namespace {

class SeenFrom final : public TaskTrajectory {
 public:
  SeenFrom(const Transform<double>& pose, TaskTrajectoryPointer of)
      : to_frame_(inverse(pose)), of_(std::move(of)) {}
  double duration() const override { return of_->duration(); }
  std::vector<double> knots() const override { return of_->knots(); }
  TaskMotion sample(double t) const override {
    const TaskMotion x = of_->sample(t);
    const auto turned = [&](const Motion<double>& m) {
      return Motion<double>{to_frame_.R * m.angular, to_frame_.R * m.linear};
    };
    return {to_frame_ * x.pose, turned(x.velocity), turned(x.acceleration)};
  }

 private:
  Transform<double> to_frame_;
  TaskTrajectoryPointer of_;
};

}  // namespace

TaskTrajectoryPointer seen_from(const Transform<double>& pose, TaskTrajectoryPointer trajectory) {
  expect_pose("seen from", pose);
  return std::make_shared<SeenFrom>(pose, std::move(trajectory));
}

TaskTrajectoryPointer constant_pose(const Transform<double>& pose) {
  expect_pose("constant pose", pose);
  return std::make_shared<ConstantPose>(pose);
}

TaskTrajectoryPointer line_trajectory(const Transform<double>& from, const Transform<double>& to,
                                      const TaskMoveSettings& settings) {
  expect_pose("line, from", from);
  expect_pose("line, to", to);
  const Turn turn(from.R, to.R);
  const Vec3<double> displacement = to.p - from.p;
  const TimeLaw law = law_for("line", settings, norm(displacement), turn.angle());
  return std::make_shared<LineTrajectory>(from, displacement, turn, law);
}

Arc arc_through(const Vec3<double>& from, const Vec3<double>& through, const Vec3<double>& to) {
  // the centre is where the bisecting planes of both chords meet the plane of the three points
  const Vec3<double> a = through - from, b = to - from, normal = cross(a, b);
  const double n2 = dot(normal, normal), size = std::max(norm(a), norm(b));
  if (!(std::sqrt(n2) > 1e-9 * size * size))
    throw Error("arc: its three points lie on a line; use a straight line, or move one of them");
  const Vec3<double> center =
      from + (cross(normal, a) * dot(b, b) + cross(b, normal) * dot(a, a)) * (0.5 / n2);
  const Vec3<double> axis = normal / std::sqrt(n2), start = from - center, end = to - center;
  double angle = std::atan2(dot(cross(start, end), axis), dot(start, end));
  if (angle <= 0) angle += 2 * std::acos(-1.0);
  return {center, axis, angle};
}

TaskTrajectoryPointer arc_trajectory(const Transform<double>& from, const Arc& arc,
                                     const Mat3<double>& end_rotation,
                                     const TaskMoveSettings& settings) {
  expect_pose("arc, from", from);
  expect_pose("arc, end_rotation", Transform<double>::rotation(end_rotation));
  const double length = norm(arc.axis);
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(arc.angle) ||
      !std::isfinite(norm(arc.center)))
    throw Error("arc: centre, axis and angle must be finite numbers and the axis not zero");
  const Arc unit{arc.center, arc.axis / length, arc.angle};
  const double radius = norm(cross(unit.axis, from.p - arc.center));
  const Turn turn(from.R, end_rotation);
  const TimeLaw law = law_for("arc", settings, radius * std::abs(arc.angle), turn.angle());
  return std::make_shared<ArcTrajectory>(from, unit, turn, law);
}

}  // namespace limber
