#include <limber/drive/motor_unit.hpp>

#include <algorithm>

namespace limber {

void MotorUnit::initialize(std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  if (settings.thermal) std::fill(z.end() - 2, z.end(), settings.thermal->ambient);
}

void MotorUnit::add_columns(std::vector<Column>& columns) const {
  columns.push_back({label + ".current", "A", "Currents"});
  columns.push_back({label + ".voltage", "V", "Voltages"});
  columns.push_back({label + ".motor_torque", "N m", "Motor torques"});
  columns.push_back({label + ".motor_speed", "rad/s", "Motor speeds"});
  columns.push_back({label + ".electrical_power", "W", "Motor power"});
  columns.push_back({label + ".saturated", "", "Saturation"});
  if (!settings.thermal) return;
  columns.push_back({label + ".winding_temperature", "degC", "Temperatures"});
  columns.push_back({label + ".housing_temperature", "degC", "Temperatures"});
  columns.push_back({label + ".too_hot", "", "Saturation"});
}

void MotorUnit::record(const Supply& supply, double speed, double output_torque,
                       std::span<const double> z, std::span<double> values) const {
  values[0] = supply.current;
  values[1] = supply.voltage;
  values[2] = output_torque;
  values[3] = speed;
  values[4] = supply.voltage * supply.current;
  values[5] = supply.saturated ? 1 : 0;
  if (!settings.thermal) return;
  const Temperatures now = temperatures(z);
  values[6] = now.winding;
  values[7] = now.housing;
  values[8] = now.winding > settings.thermal->winding_limit ? 1 : 0;
}

void MotorUnit::add_events(std::vector<EventSpec>& events) const {
  const auto rising = EventSpec::Crossing::rising;
  if (std::isfinite(settings.speed_limit))
    events.push_back({"motor of '" + label + "' exceeds its speed limit", rising});
  if (settings.thermal && std::isfinite(settings.thermal->winding_limit))
    events.push_back(
        {"winding of the motor of '" + label + "' exceeds its temperature limit", rising});
}

void MotorUnit::event_values(double speed, std::span<const double> z,
                             std::span<double> values) const {
  std::size_t next = 0;
  if (std::isfinite(settings.speed_limit)) values[next++] = std::abs(speed) - settings.speed_limit;
  if (settings.thermal && std::isfinite(settings.thermal->winding_limit))
    values[next] = temperatures(z).winding - settings.thermal->winding_limit;
}

}  // namespace limber
