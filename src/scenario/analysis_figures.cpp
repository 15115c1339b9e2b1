// The figures of an analysis by name.
#include <algorithm>
#include <array>

#include <limber/scenario/analysis.hpp>

namespace limber {

namespace {

struct Entry {
  Figure figure;
  const char* name;
  const char* unit;
};

constexpr std::array table = {
    Entry{Figure::peak_torque, "peak_torque", "N m or N"},
    Entry{Figure::rms_torque, "rms_torque", "N m or N"},
    Entry{Figure::peak_speed, "peak_speed", "rad/s or m/s"},
    Entry{Figure::peak_power, "peak_power", "W"},
    Entry{Figure::energy, "energy", "J"},
    Entry{Figure::tracking_error, "tracking_error", "rad or m"},
    Entry{Figure::motor_torque, "motor_torque", "N m"},
    Entry{Figure::motor_rms_torque, "motor_rms_torque", "N m"},
    Entry{Figure::motor_speed, "motor_speed", "rad/s"},
    Entry{Figure::current, "current", "A"},
    Entry{Figure::rms_current, "rms_current", "A"},
    Entry{Figure::voltage, "voltage", "V"},
    Entry{Figure::electrical_power, "electrical_power", "W"},
    Entry{Figure::electrical_energy, "electrical_energy", "J"},
    Entry{Figure::saturation, "saturation", ""},
    Entry{Figure::winding_temperature, "winding_temperature", "°C"},
    Entry{Figure::steady_temperature, "steady_temperature", "°C"},
    Entry{Figure::axial_force, "axial_force", "N"},
    Entry{Figure::radial_force, "radial_force", "N"},
    Entry{Figure::tilting_moment, "tilting_moment", "N m"},
    Entry{Figure::stress, "stress", "Pa"},
    Entry{Figure::deflection, "deflection", "m"},
    Entry{Figure::twist, "twist", "rad"},
};

const Entry& entry(Figure figure) { return table[static_cast<std::size_t>(figure)]; }

}  // namespace

const char* name(Figure figure) { return entry(figure).name; }
const char* unit(Figure figure) { return entry(figure).unit; }

std::span<const Figure> all_figures() {
  static const auto figures = [] {
    std::array<Figure, table.size()> all{};
    std::transform(table.begin(), table.end(), all.begin(),
                   [](const Entry& e) { return e.figure; });
    return all;
  }();
  return figures;
}

}  // namespace limber
