#pragma once
// Trajectories in joint space: positions, velocities and accelerations of a whole robot as
// functions of time. The functions below make them and throw Error for motions that the robot
// cannot do. A trajectory is immutable and may be shared by controllers and threads. Units: rad or
// m, their rates, s.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <limber/control/time_law.hpp>
#include <limber/model/model.hpp>

namespace limber {

/// The motion of a whole robot over time: positions, velocities and accelerations of all joints.
class JointTrajectory {
 public:
  virtual ~JointTrajectory() = default;
  virtual double duration() const = 0;  ///< [s]
  /// Writes q (nq), v (nv) and a (nv) at time t [s]: v and a belong to q as docs/conventions.md
  /// says. Before 0 and after the duration: at rest where the trajectory begins and ends. No
  /// allocation.
  virtual void sample(double t, std::span<double> q, std::span<double> v,
                      std::span<double> a) const = 0;
};
using JointTrajectoryPointer = std::shared_ptr<const JointTrajectory>;

/// A robot's motion at one instant. Empty v or a: zero.
struct JointMotion {
  std::vector<double> q, v, a;
};

/// Rests at q.
JointTrajectoryPointer constant_trajectory(const Model& model, std::span<const double> q);

/// How to go from one position to another. Limits: none (empty), one for all freedoms, or one for
/// each (nv) [rad/s or m/s; rad/s² or m/s²].
struct MoveSettings {
  Law law = Law::trapezoidal;
  double duration = 0;                      ///< [s]; 0: as short as the limits allow
  double ramp = 0.25;                       ///< see TimeLaw; used with a duration
  std::vector<double> velocity_limits;      ///< empty: those of the model
  std::vector<double> acceleration_limits;  ///< empty: none
};

/// From rest to rest, all joints by one time law: they begin and end together and the robot runs
/// along a straight line of its joint space, ball joints along the shortest turn, free joints along
/// a screw. Throws Error naming the joint for positions outside its limits and for a duration that
/// is too short for a limit.
JointTrajectoryPointer point_to_point(const Model& model, std::span<const double> from,
                                      std::span<const double> to, const MoveSettings& settings);

/// The polynomial of fifth degree that takes positions, velocities and accelerations of both ends,
/// for each position variable. The four numbers of a quaternion are interpolated, then normalised.
JointTrajectoryPointer quintic_trajectory(const Model& model, const JointMotion& from,
                                          const JointMotion& to, double duration);

/// Degree of the polynomials between two points.
enum class SplineDegree : std::uint8_t {
  cubic,   ///< continuous acceleration
  quintic  ///< continuous up to the fourth derivative
};
/// What is given at the ends of a spline.
enum class SplineEnds : std::uint8_t {
  clamped,  ///< begins and ends with the given velocities; quintic: and without acceleration
  natural   ///< cubic: no acceleration at the ends; quintic: no third and fourth derivative
};
/// Smoothness and ends of spline_trajectory().
struct SplineSettings {
  SplineDegree degree = SplineDegree::cubic;
  SplineEnds ends = SplineEnds::clamped;
  std::vector<double> start_velocity, end_velocity;  ///< clamped: (nv); empty: zero
};

/// Through way-points (nq numbers each) at the given times [s], of which the first must be 0.
/// The four numbers of a quaternion are interpolated, then normalised. Throws Error naming joint,
/// time and limit where times do not increase or the curve leaves the limits of position or speed
/// (checked at sixteen times between way-points).
JointTrajectoryPointer spline_trajectory(const Model& model, std::span<const double> times,
                                         const std::vector<std::vector<double>>& way_points,
                                         const SplineSettings& settings = {});

/// From a CSV file: the first line names the columns: `time` [s] and position variables, in any
/// order, by the names of limber/model/variables.hpp ("elbow", "root.x"). Variables that are not in
/// the file stay as in `rest` (nq). Empty lines and lines that begin with # are skipped. A spline
/// goes through the lines, whose first time counts as 0. Throws Error with the line.
JointTrajectoryPointer csv_trajectory(const Model& model, const std::string& file,
                                      std::span<const double> rest,
                                      const SplineSettings& settings = {});

/// Any function of time; it must not allocate if it runs in a simulation, and its v and a must be
/// the derivatives of its q.
using JointFunction =
    std::function<void(double t, std::span<double> q, std::span<double> v, std::span<double> a)>;
JointTrajectoryPointer function_trajectory(const Model& model, double duration,
                                           JointFunction function);

/// One of several trajectories in a row, and how long to rest at its end.
struct JointSegment {
  JointTrajectoryPointer trajectory;
  double dwell = 0;  ///< [s]
};
/// One after the other. Throws Error naming joint and time where one does not begin where the one
/// before it ends, or where the velocity jumps.
JointTrajectoryPointer sequence_trajectory(const Model& model, std::vector<JointSegment> segments);

/// Throws Error naming joint, time and limit if the trajectory, sampled every `interval` [s], is
/// outside the model's limits of position or speed or is not finite.
void expect_within_limits(const Model& model, const JointTrajectory& trajectory, double interval);

}  // namespace limber
