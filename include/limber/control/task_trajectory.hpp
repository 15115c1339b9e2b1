#pragma once
// Trajectories in task space: the pose of a frame in the world as a function of time. Made once by
// the functions below, then immutable and shared. Units: m, rad, s.
#include <memory>
#include <span>
#include <vector>

#include <limber/control/joint_trajectory.hpp>
#include <limber/control/task_rows.hpp>
#include <limber/control/time_law.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

/// A frame's motion at one instant. Velocity as Reference::world_aligned: ω and the velocity of the
/// frame's origin in world axes; the acceleration is the derivative of these six numbers (the
/// classical acceleration).
struct TaskMotion {
  Transform<double> pose;  ///< X_world_frame
  Motion<double> velocity, acceleration;
};

/// The motion of a frame over time: pose, velocity and acceleration in the world.
class TaskTrajectory {
 public:
  virtual ~TaskTrajectory() = default;
  virtual double duration() const = 0;  ///< [s]
  /// Before 0 and after the duration: at rest where the trajectory begins and ends. No allocation.
  virtual TaskMotion sample(double t) const = 0;
  /// Times [s] between which the motion is smooth, both ends included: at the others acceleration
  /// or jerk may jump.
  virtual std::vector<double> knots() const = 0;
};
using TaskTrajectoryPointer = std::shared_ptr<const TaskTrajectory>;

/// How fast a frame may run along its path: a duration, or limits (HUGE_VAL: none). Both: the
/// limits are checked.
struct TaskMoveSettings {
  Law law = Law::trapezoidal;
  double duration = 0;                     ///< [s]; 0: as short as the limits allow
  double ramp = 0.25;                      ///< see TimeLaw; used with a duration
  double speed = HUGE_VAL;                 ///< of the origin along its path [m/s]
  double acceleration = HUGE_VAL;          ///< along its path [m/s²]
  double angular_speed = HUGE_VAL;         ///< [rad/s]
  double angular_acceleration = HUGE_VAL;  ///< [rad/s²]
};

/// Rests at a pose.
TaskTrajectoryPointer constant_pose(const Transform<double>& pose);

/// Along a straight line; the orientation takes the shortest turn, by the same time law.
TaskTrajectoryPointer line_trajectory(const Transform<double>& from, const Transform<double>& to,
                                      const TaskMoveSettings& settings);

/// A circle's arc, begun at the pose where the motion begins.
struct Arc {
  Vec3<double> center;         ///< [m]
  Vec3<double> axis{0, 0, 1};  ///< of any length
  double angle = 0;            ///< [rad]; any number of turns, either sign
};
/// The arc from one point through another to a third. Throws Error if they lie on a line.
Arc arc_through(const Vec3<double>& from, const Vec3<double>& through, const Vec3<double>& to);

/// Along an arc; the orientation takes the shortest turn to `end_rotation`, by the same time law.
TaskTrajectoryPointer arc_trajectory(const Transform<double>& from, const Arc& arc,
                                     const Mat3<double>& end_rotation,
                                     const TaskMoveSettings& settings);

/// Through poses at the given times [s], the first of which must be 0. Positions are interpolated
/// by splines, orientations by splines of their quaternions, normalised. Clamped ends rest;
/// velocities in the settings are refused.
TaskTrajectoryPointer task_spline(std::span<const double> times,
                                  const std::vector<Transform<double>>& poses,
                                  const SplineSettings& settings = {});

/// One of several trajectories in a row, and how long to rest at its end.
struct TaskSegment {
  TaskTrajectoryPointer trajectory;
  double dwell = 0;  ///< [s]
};
/// One after the other. Throws Error where one does not begin where the one before it ends, or with
/// another velocity.
TaskTrajectoryPointer task_sequence(std::vector<TaskSegment> segments);

/// The same motion in the axes and from the origin of a frame that rests at `pose` in the world.
TaskTrajectoryPointer seen_from(const Transform<double>& pose, TaskTrajectoryPointer trajectory);

/// The motion that takes a frame from `actual` to `wanted`: a turn (rotation vector, world axes, at
/// most π) and a shift. [rad, m]
Motion<double> pose_error(const Transform<double>& actual, const Transform<double>& wanted);

}  // namespace limber
