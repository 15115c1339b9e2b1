#pragma once
// MotorUnit: motor and amplifier as a drive carries them in a System: their states (current,
// temperatures), what a command makes of them, columns and events. The mechanics are the drive's.
#include <span>
#include <vector>

#include <limber/drive/motor.hpp>
#include <limber/sim/part.hpp>

namespace limber {

class MotorUnit {
 public:
  MotorSettings settings;
  DriveInput input = DriveInput::torque;
  std::string label;  ///< of the freedom, in names of columns and texts of events
  /// Commands are forces although `input` is a voltage or a current: the nominal one that gives
  /// them.
  bool asked_for_forces = false;

  /// The unit of commands; empty: forces.
  std::string command_unit() const {
    return input == DriveInput::voltage ? "V" : input == DriveInput::current ? "A" : "";
  }
  /// Whether supply() is given a torque.
  bool takes_torque() const { return input == DriveInput::torque || asked_for_forces; }

  // --- states: (current if L > 0, winding and housing temperature if thermal) ---
  int states() const { return (has_inductance() ? 1 : 0) + (settings.thermal ? 2 : 0); }
  void initialize(std::span<double> z) const;
  bool has_inductance() const { return settings.inductance > 0; }
  Temperatures temperatures(std::span<const double> z) const {
    if (!settings.thermal) return {};
    const std::size_t first = has_inductance() ? 1 : 0;
    return {z[first], z[first + 1]};
  }
  MotorConstants constants(std::span<const double> z) const {
    return constants_at(settings, temperatures(z));
  }

  /// Current and voltage at a motor speed [rad/s]. `command` is a voltage [V], a current [A], or
  /// the torque that the field shall put on the rotor, C_M i [N m], as `input` and takes_torque()
  /// say. A drive with torque input uses the present constants of its motor; one that turns torques
  /// into volts or amperes uses those of the data sheet.
  Supply supply(double command, double speed, std::span<const double> z) const {
    const MotorConstants now = constants(z);
    Request request{Request::Kind::voltage, command};
    if (input != DriveInput::voltage) request.kind = Request::Kind::current;
    if (input == DriveInput::torque) request.value /= now.torque_constant;
    else if (asked_for_forces) request.value = nominal_input(command, speed);
    if (has_inductance()) return supply_with_inductance(settings, now, speed, z[0], request);
    return supply_at_once(settings, now, speed, request);
  }
  /// The voltage or the current that gives a torque at a speed by the data sheet.
  double nominal_input(double torque, double speed) const {
    const double current = torque / settings.torque_constant;
    if (input == DriveInput::current) return current;
    return settings.resistance * current +
           settings.back_emf_constant.value_or(settings.torque_constant) * speed;
  }
  /// Rates of the states; friction_loss: power that friction takes from the rotor [W].
  void derivative(const Supply& supply, double speed, double friction_loss,
                  std::span<const double> z, std::span<double> z_dot) const {
    if (has_inductance()) {  // (20.63)
      const MotorConstants now = constants(z);
      z_dot[0] =
          (supply.voltage - now.resistance * supply.current - now.back_emf_constant * speed) /
          settings.inductance;
    }
    if (!settings.thermal) return;
    const Temperatures rates =
        heating(*settings.thermal, temperatures(z), supply.copper_loss, friction_loss);
    const std::size_t first = has_inductance() ? 1 : 0;
    z_dot[first] = rates.winding;
    z_dot[first + 1] = rates.housing;
  }

  // --- columns: current, voltage, motor torque and speed, power, saturation, temperatures ---
  void add_columns(std::vector<Column>& columns) const;
  int columns() const { return settings.thermal ? 9 : 6; }
  /// output_torque: M [N m], output torque of the rotor.
  void record(const Supply& supply, double speed, double output_torque, std::span<const double> z,
              std::span<double> values) const;

  // --- events: speed limit, winding limit, where there are such limits ---
  void add_events(std::vector<EventSpec>& events) const;
  void event_values(double speed, std::span<const double> z, std::span<double> values) const;
};

}  // namespace limber
