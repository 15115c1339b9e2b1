#pragma once
// Functional coordinates of a task: where a frame of the robot is with respect to what it works on,
// a surface or a hole that may move. [HB] 20.5.2, (20.83) to (20.87)
//
//   s = s(q, t),   ṡ = J q̇ + ∂s/∂t,   s̈ = J q̈ + A(q, q̇, t)
//
// The six numbers are x, y, z, the origin of the robot's frame in the axes of the environment's
// frame [m], then roll, pitch and yaw [rad], which take these axes to those of the robot's frame:
// R = Rz(yaw) Ry(pitch) Rx(roll). Some of them are constrained, s_c = 0; the others are free.
//
//   surface   z along the outward normal: s_c = (z); free: x, y, roll, pitch, yaw
//   hole      z along the axis, into the hole: s_c = (x, y, roll, pitch); free: z, yaw
#include <array>
#include <functional>

#include <limber/constraint/mechanism.hpp>
#include <limber/model/workspace.hpp>

namespace limber {

/// The six functional coordinates, in their order.
enum class Functional : std::uint8_t { x, y, z, roll, pitch, yaw };
/// "x", …, "yaw".
const char* name(Functional coordinate);
/// Those that a surface and a hole constrain.
std::vector<Functional> surface_constraint();
std::vector<Functional> hole_constraint();

/// The given motion of an environment that the robot does not affect: pose in the world, velocity
/// and acceleration (ω and the origin's, and their derivatives; world axes). [m, rad, s]
struct EnvironmentMotion {
  Transform<double> pose;
  Motion<double> velocity{}, acceleration{};
};

/// Which frames, and which of the six coordinates are constrained.
struct FunctionalSettings {
  std::string frame;    ///< of the robot: the pen's tip, the peg's end
  std::string surface;  ///< frame that carries the environment; empty: the world
  /// The environment's frame in `surface`: origin and axes.
  Transform<double> placement;
  /// The environment's motion instead of `surface` and `placement`; none: it rests there.
  std::function<EnvironmentMotion(double t)> motion{};
  std::vector<Functional> constrained = surface_constraint();
};

/// The coordinates at one instant. Made for a model; scratch and results, one per thread.
class FunctionalCoordinates {
 public:
  /// Throws Error for frames that do not exist, for the same body on both sides, for coordinates
  /// that are listed twice, and where none is constrained or none is free.
  FunctionalCoordinates(const Model& model, FunctionalSettings settings);

  /// Everything below, at time t [s], q (nq), v (nv). No allocation. Throws Error where roll and
  /// yaw do not exist: at a pitch of ±90°.
  void compute(const Model& model, double t, std::span<const double> q, std::span<const double> v,
               Workspace& ws);
  /// s alone; the others keep what they were. At a pitch of ±90° roll and yaw are any that fit.
  void place(const Model& model, double t, std::span<const double> q, Workspace& ws);

  std::array<double, 6> s{};      ///< [m, rad]
  std::array<double, 6> rate{};   ///< ṡ [m/s, rad/s]
  std::array<double, 6> drift{};  ///< ∂s/∂t: the part of ṡ that is not J q̇
  std::array<double, 6> bias{};   ///< A: s̈ at q̈ = 0 [m/s², rad/s²]
  std::vector<double> J;          ///< ∂s/∂q, 6 × nv, row by row
  std::span<const double> row(int coordinate) const {
    return std::span(J).subspan(static_cast<std::size_t>(coordinate) * nv_, nv_);
  }

  /// Indices into s, ascending.
  std::span<const int> constrained() const { return constrained_; }
  std::span<const int> free() const { return free_; }
  const FunctionalSettings& settings() const { return settings_; }

 private:
  void find_pose(const Model& model, double t, const Poses& bodies);

  FunctionalSettings settings_;
  int frame_ = 0, surface_ = -1;  // −1: none, or a given motion
  std::size_t nv_ = 0;
  std::vector<int> constrained_, free_;
  // scratch
  Transform<double> tool_, environment_;
  EnvironmentMotion given_;
  double cos_pitch_ = 1, sin_pitch_ = 0, cos_yaw_ = 1, sin_yaw_ = 0;
  std::vector<double> J_tool_, J_environment_;
};

/// s_c = 0 as a constraint of a Mechanism, for all solvers of this room. The constraint keeps a
/// workspace and coordinates of its own; its copies share them, so it belongs to one thread.
CustomConstraint functional_constraint(const Model& model, const FunctionalSettings& settings,
                                       std::string constraint_name);

}  // namespace limber
