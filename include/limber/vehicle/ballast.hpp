#pragma once
// Ballast: mass that a command changes: a tank that a pump fills, a weight that is dropped, a
// bladder.
//
// The mass follows the command, which is the wanted mass, with a lag and within the pump's rate. It
// is a point at the origin of the frame. What comes in has the velocity of the frame, so pumping
// itself pushes nothing; the energy that it brings counts as work.
#include <limber/vehicle/frame_actuator.hpp>

namespace limber {

/// What the mass does.
enum class BallastActs : std::uint8_t {
  mass,   ///< it is moved with the vehicle and weighs
  weight  ///< it only weighs: of a bladder, which changes the displaced volume, or a simple model
};

/// What a ballast is, and what its command may be: the wanted mass [kg].
struct BallastSettings : FrameActuatorSettings {
  BallastSettings() { lag = 1; }
  double initial = 0;      ///< at the beginning [kg]
  double rate = HUGE_VAL;  ///< of the pump [kg/s]
  BallastActs acts = BallastActs::mass;
};

class Ballast final : public FrameActuator {
 public:
  /// Throws Error naming the field for invalid settings; the lag must be positive, and the limits
  /// of a mass must not be negative (without a lower limit, 0 is it).
  explicit Ballast(const BallastSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Ballast>(*this); }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  bool stores_energy() const override { return true; }
  StoredEnergy stored_energy(Evaluation& at) override;
  /// NAME.command, NAME.mass [kg], NAME.flow [kg/s].
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;
  const BallastSettings& settings() const { return settings_; }

 protected:
  const FrameActuatorSettings& common() const override { return settings_; }

 private:
  double flow(const Evaluation& at) const;

  BallastSettings settings_;
};

}  // namespace limber
