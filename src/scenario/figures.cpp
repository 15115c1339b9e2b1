#include <limber/scenario/figures.hpp>

#include <algorithm>
#include <array>

namespace limber {

namespace {

struct Entry {
  Figure figure;
  const char* name;
  const char* unit;
  FigureOwner owner;
};

// in the order of the enumeration
constexpr std::array table = {
    Entry{Figure::peak_torque, "peak_torque", "N m or N", FigureOwner::joint},
    Entry{Figure::rms_torque, "rms_torque", "N m or N", FigureOwner::joint},
    Entry{Figure::mean_torque, "mean_torque", "N m or N", FigureOwner::joint},
    Entry{Figure::peak_speed, "peak_speed", "rad/s or m/s", FigureOwner::joint},
    Entry{Figure::mean_speed, "mean_speed", "rad/s or m/s", FigureOwner::joint},
    Entry{Figure::peak_power, "peak_power", "W", FigureOwner::joint},
    Entry{Figure::mean_power, "mean_power", "W", FigureOwner::joint},
    Entry{Figure::energy, "energy", "J", FigureOwner::joint},
    Entry{Figure::returned_energy, "returned_energy", "J", FigureOwner::joint},
    Entry{Figure::tracking_error, "tracking_error", "rad or m", FigureOwner::joint},
    Entry{Figure::motor_torque, "motor_torque", "N m", FigureOwner::motor},
    Entry{Figure::motor_rms_torque, "motor_rms_torque", "N m", FigureOwner::motor},
    Entry{Figure::motor_mean_torque, "motor_mean_torque", "N m", FigureOwner::motor},
    Entry{Figure::motor_speed, "motor_speed", "rad/s", FigureOwner::motor},
    Entry{Figure::current, "current", "A", FigureOwner::motor},
    Entry{Figure::rms_current, "rms_current", "A", FigureOwner::motor},
    Entry{Figure::voltage, "voltage", "V", FigureOwner::motor},
    Entry{Figure::electrical_power, "electrical_power", "W", FigureOwner::motor},
    Entry{Figure::mean_electrical_power, "mean_electrical_power", "W", FigureOwner::motor},
    Entry{Figure::electrical_energy, "electrical_energy", "J", FigureOwner::motor},
    Entry{Figure::recovered_energy, "recovered_energy", "J", FigureOwner::motor},
    Entry{Figure::copper_loss, "copper_loss", "J", FigureOwner::motor},
    Entry{Figure::friction_loss, "friction_loss", "J", FigureOwner::motor},
    Entry{Figure::gear_loss, "gear_loss", "J", FigureOwner::motor},
    Entry{Figure::stored_energy, "stored_energy", "J", FigureOwner::motor},
    Entry{Figure::saturation, "saturation", "", FigureOwner::motor},
    Entry{Figure::winding_temperature, "winding_temperature", "°C", FigureOwner::motor},
    Entry{Figure::final_temperature, "final_temperature", "°C", FigureOwner::motor},
    Entry{Figure::steady_temperature, "steady_temperature", "°C", FigureOwner::motor},
    Entry{Figure::bearing_force, "bearing_force", "N", FigureOwner::bearing},
    Entry{Figure::axial_force, "axial_force", "N", FigureOwner::bearing},
    Entry{Figure::radial_force, "radial_force", "N", FigureOwner::bearing},
    Entry{Figure::tilting_moment, "tilting_moment", "N m", FigureOwner::bearing},
    Entry{Figure::stress, "stress", "Pa", FigureOwner::link},
    Entry{Figure::deflection, "deflection", "m", FigureOwner::link},
    Entry{Figure::twist, "twist", "rad", FigureOwner::link},
};

const Entry& entry(Figure figure) { return table[static_cast<std::size_t>(figure)]; }

}  // namespace

const char* name(Figure figure) { return entry(figure).name; }
const char* unit(Figure figure) { return entry(figure).unit; }
std::string label(Figure figure) {
  std::string words = name(figure);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}
FigureOwner owner(Figure figure) { return entry(figure).owner; }

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
