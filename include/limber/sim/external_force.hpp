#pragma once
// A force from outside on a frame of the robot, as a function of time.
#include <array>

#include <limber/sim/part.hpp>
#include <limber/sim/signal.hpp>

namespace limber {

/// In which axes a force is given; it acts at the frame's origin in either case.
enum class ForceAxes : std::uint8_t {
  world,  ///< those of the world
  frame   ///< those of the frame: it turns with the body
};

/// A force as a function of time: constant, plus a table, plus a sine, plus signals. Moment about
/// the frame's origin [N m] and force [N].
struct ForceHistory {
  ForceAxes axes = ForceAxes::world;
  Force<double> constant;
  /// The table: values at increasing times [s], straight lines between them. Before the first and
  /// after the last nothing acts.
  std::vector<double> times;
  std::vector<Force<double>> values;
  Force<double> amplitude;  ///< of amplitude · sin(2π frequency t + phase)
  double frequency = 0;     ///< [Hz]
  double phase = 0;         ///< [rad]
  /// One for each component: moment x, y, z, then force x, y, z.
  std::array<Signal, 6> signals;

  /// The force at time t [s], in `axes`. With states of the signals (Signal::begin), one after the
  /// other: as they say.
  Force<double> at(double t) const;
  Force<double> at(double t, std::span<const double> states) const;
  /// The force at time t in world axes, on a frame turned by R_world_frame.
  Force<double> in_world(double t, const Mat3<double>& R) const;
  /// A force in `axes` in world axes.
  Force<double> in_world(const Force<double>& force, const Mat3<double>& R) const;
  /// Throws Error for invalid numbers.
  void check() const;

 private:
  Force<double> without_signals(double t) const;
};

/// A force from outside and the frame at which it acts.
struct ExternalForceSettings {
  std::string name = "external force";
  std::string frame;  ///< of the robot
  ForceHistory force;
};

/// Pushes at the origin of a frame with a force that depends on time.
class ExternalForce final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit ExternalForce(const ExternalForceSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<ExternalForce>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override;
  int discrete_states() const override;
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  /// NAME.fx, … [N] and NAME.mx, … [N m]: force and moment in world axes.
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;
  const ExternalForceSettings& settings() const { return settings_; }

 private:
  Force<double> force_now(const Evaluation& at) const;

  ExternalForceSettings settings_;
  int frame_ = 0;
  std::size_t body_ = 0;
  Transform<double> placement_;  // of the frame in the user's body frame
};

}  // namespace limber
