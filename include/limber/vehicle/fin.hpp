#pragma once
// Fin: a rudder, stern plane or wing that a command turns, and that the flow pushes.
//
// Its angle follows the command with a lag and within a rate. Lift and drag are those of a
// LiftingSurface (fluid/hydrodynamics.hpp) at the origin of the frame, turned by the angle about
// the span, in the water's flow relative to that point; so a fin damps turns, too.
#include <limber/fluid/hydrodynamics.hpp>
#include <limber/vehicle/frame_actuator.hpp>

namespace limber {

/// The command is the angle [rad], positive about the span.
struct FinSettings : FrameActuatorSettings {
  Vec3<double> chord{1, 0, 0};  ///< unit vector in the frame: the leading edge, at angle zero
  Vec3<double> span{0, 0, 1};   ///< unit vector in the frame: the axis of its shaft
  double area = 0;              ///< [m²]
  double slope = 0;             ///< dC_L/dα [1/rad]
  double drag_coefficient = 0;  ///< C_D0
  double induced_drag = 0;      ///< k in C_D0 + k C_L²
  double most_lift = HUGE_VAL;  ///< |C_L| where it stalls
  double rate = HUGE_VAL;       ///< of the angle; needs a lag [rad/s]
};

class Fin final : public FrameActuator {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit Fin(const FinSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Fin>(*this); }
  void apply(Evaluation& at) override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  /// NAME.command, NAME.angle [rad]; NAME.lift, NAME.drag [N]; NAME.fx, .fy, .fz [N]: the force in
  /// world axes.
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

  const FinSettings& settings() const { return settings_; }
  /// Force in the axes of the frame at an angle, for a velocity of its origin relative to the
  /// water. [N]
  Vec3<double> force(const Vec3<double>& velocity, double angle) const;

 protected:
  const FrameActuatorSettings& common() const override { return settings_; }

 private:
  double angle(const Evaluation& at) const;

  FinSettings settings_;
};

}  // namespace limber
