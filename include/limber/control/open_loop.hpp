#pragma once
// Open-loop inputs: the command of a freedom as a function of time, whatever the robot does.
#include <limber/sim/part.hpp>
#include <limber/sim/signal.hpp>

namespace limber {

/// What the signal is. Torques and forces go to freedoms without a drive and to drives that take a
/// torque (DriveInput::torque), voltages and currents to drives that take those, `command` to
/// linear actuators and to custom joints.
enum class InputQuantity : std::uint8_t { torque, force, voltage, current, command };

/// "torque", … and "N m", "N", "V", "A", "".
const char* name(InputQuantity quantity);
const char* unit(InputQuantity quantity);

/// What an open-loop input does to which freedom.
struct OpenLoopSettings {
  std::string freedom;  ///< a joint with one freedom, or "joint.freedom"
  InputQuantity quantity = InputQuantity::torque;
  Signal signal;
  std::string name{};  ///< empty: "input of FREEDOM"
};

/// Adds to the command of its freedom, like a controller. A signal that is not a finite number ends
/// the run.
class OpenLoop final : public Part {
 public:
  explicit OpenLoop(const OpenLoopSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<OpenLoop>(*this); }
  Role role() const override { return Role::control; }
  /// Throws Error for a freedom that does not exist, torques where it slides, forces where it
  /// turns.
  void attach(Model& model) override;
  /// The freedom that it commands, and whether by a force [N m or N] or in the drive's own unit.
  std::span<const int> commanded() const override { return {&freedom_, 1}; }
  bool commands_forces() const override {
    return settings_.quantity == InputQuantity::torque ||
           settings_.quantity == InputQuantity::force;
  }
  int discrete_states() const override { return settings_.signal.states(); }
  /// `offset`, which is added to the signal: zero, unless Simulation::change() sets it.
  std::vector<InputSpec> inputs() const override { return {{"offset", unit(settings_.quantity)}}; }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  /// FREEDOM.input, with the unit of its quantity.
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

 private:
  double value(const Evaluation& at) const;

  OpenLoopSettings settings_;
  int freedom_ = 0;
};

}  // namespace limber
