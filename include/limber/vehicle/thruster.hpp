#pragma once
// Thruster: a propeller that pushes a vehicle along an axis of a frame.
//
// Its speed s follows the command with a first-order lag. In still water it pushes with
//   F = k (s |s| − d |d|)   beyond its dead band ±d, zero inside; k differs forward and backward,
// or as a table says. Water that comes towards it weakens it: with the speed V at which the frame
// moves through the water in the direction of F,
//   F ← F (1 − (1 − w) V / (p |s|)) for V > 0,
// which is the linear law K_T(J) = K_T0 (1 − J/J_0) of a propeller; p s is the speed at which it
// pushes no more. The hull behind it takes away a share of it, (1 − deduction) F.
#include <limber/vehicle/frame_actuator.hpp>

namespace limber {

/// What the command of a thruster is.
enum class ThrusterInput : std::uint8_t {
  speed,  ///< of the propeller [rad/s]
  ratio,  ///< a plain number, usually from −1 to 1, that takes the place of the speed
  force   ///< on the vehicle in still water [N], made a speed by the inverse of the curve
};

/// Which way a propeller turns that pushes along its axis, seen from behind.
enum class Turning : std::uint8_t { right, left };

/// What a thruster is, and what its command means.
struct ThrusterSettings : FrameActuatorSettings {
  Vec3<double> axis{1, 0, 0};  ///< in the frame: a positive speed pushes the vehicle this way
  ThrusterInput input = ThrusterInput::speed;
  /// k of positive and negative speeds [N s²/rad², or N]. Both zero and no table: the force is the
  /// command, which needs `input` force.
  double forward = 0, backward = 0;
  double dead_band = 0;  ///< d [rad/s or plain]
  /// The table, instead of k and d: force [N] at rising speeds, straight lines between them, the
  /// last beyond; the forces must not fall.
  std::vector<double> speeds, forces;
  double advance = 0;    ///< p [m/rad, or m/s for a ratio]; 0: inflow does nothing
  double wake = 0;       ///< w: part of the vehicle's speed that the water has at the propeller
  double deduction = 0;  ///< of thrust
  /// Moment on the shaft per squared speed, and p in it; 0: none, inflow does nothing [N m s²/rad²,
  /// m/rad]. The vehicle feels the opposite one.
  double torque = 0, torque_advance = 0;
  Turning turning = Turning::right;
  /// Of the propeller, over which it goes out of the water. 0: at once where the frame does. [m]
  double diameter = 0;
};

/// What a propeller is in the handbooks: force ρ D⁴ K_T n², moment ρ D⁵ K_Q n², with K linear in
/// J = V/(n D), n in turns per second.
struct PropellerCoefficients {
  double diameter = 0;            ///< D [m]
  double thrust = 0, moment = 0;  ///< K_T and K_Q for J = 0
  double advance = 0;             ///< J at which the following hold
  double thrust_then = 0, moment_then = 0;
};
/// Sets forward, backward, advance, torque, torque_advance and diameter. Throws Error for numbers
/// that are not positive and coefficients that do not fall. density: [kg/m³]
void set_propeller(const PropellerCoefficients& propeller, double density,
                   ThrusterSettings& settings);

class Thruster final : public FrameActuator {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit Thruster(const ThrusterSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Thruster>(*this); }
  void apply(Evaluation& at) override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  /// NAME.command; NAME.speed or NAME.ratio; NAME.force [N]: along the axis, and NAME.fx, .fy, .fz
  /// [N]: in world axes; NAME.power [W] of the shaft, where its moment and speed are known.
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

  const ThrusterSettings& settings() const { return settings_; }
  /// Force on the vehicle at a speed in still water [N].
  double still_force(double speed) const;
  /// The command for which still_force() is this [N], without limits.
  double command_for(double force) const;
  /// The forces on the vehicle in still water that its limits leave [N].
  double least_force() const;
  double most_force() const;

 protected:
  const FrameActuatorSettings& common() const override { return settings_; }

 private:
  struct State {
    double speed = 0;   // or ratio, or force without a curve
    double force = 0;   // along the axis, on the vehicle
    double moment = 0;  // on the shaft
    Mat3<double> R;     // of the frame
  };
  State now(Evaluation& at) const;
  bool is_direct() const;
  double wanted_speed(double command) const;
  double speed_for(double force) const;

  ThrusterSettings settings_;
};

}  // namespace limber
