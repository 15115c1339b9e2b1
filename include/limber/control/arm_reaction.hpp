#pragma once
// ArmReaction: the force with which an arm's motion pushes the vehicle that carries it, from
// inverse dynamics with the water's loads. Thrusters that are given it beforehand hold the vehicle
// still.
//
// What the vehicle needs so as not to accelerate is the force through its free joint. It is
// computed twice, with the arm as it moves and with the arm at rest where it was at the beginning;
// the difference is what the arm's motion adds: inertia, Coriolis forces, weight and buoyancy at
// another place, added mass and drag. The vehicle's own trim is not part of it.
#include <memory>
#include <optional>

#include <limber/control/joint_trajectory.hpp>
#include <limber/fluid/water_loads.hpp>

namespace limber {

/// How the reaction of an arm is found.
struct ArmReactionSettings {
  /// Where the arm's motion is taken from: this, or, without it, the measured one, with
  /// accelerations by differences of samples.
  JointTrajectoryPointer trajectory;
  double lead = 0;  ///< the trajectory is read ahead by this, to make up for lags [s]
  /// What the controller knows of the water and the links in it; no links: the arm is in air.
  std::vector<LinkHydrodynamics> links;
  std::shared_ptr<const Water> water;
};

class ArmReaction {
 public:
  /// body: that of the vehicle, on a free joint. Throws Error for what does not fit the robot.
  ArmReaction(const Model& model, int body, const ArmReactionSettings& settings);

  /// Force on the vehicle that makes up for the arm, in the vehicle's body frame, about its origin:
  /// [N m, N]. q, v: of the robot; v_before: a sample of `interval` before; q_start: at the
  /// beginning; more_current: in world axes, as in Water::flow(). No allocation.
  Force<double> force(const Model& model, double t, std::span<const double> q,
                      std::span<const double> v, std::span<const double> v_before, double interval,
                      std::span<const double> q_start, const Vec3<double>& more_current = {});

 private:
  Force<double> needed(const Model& model, double t, const Vec3<double>& more_current);

  ArmReactionSettings settings_;
  int body_ = 0;
  std::size_t q_begin_ = 0, q_end_ = 0, v_begin_ = 0, v_end_ = 0;  // of the vehicle's joint
  Workspace ws_;
  std::optional<WaterLoads> wet_;
  std::vector<double> q_, v_, a_;
};

}  // namespace limber
