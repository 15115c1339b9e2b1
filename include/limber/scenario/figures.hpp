#pragma once
// Figures: the numbers that an analysis finds, by name; each can be limited.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace limber {

/// What a figure belongs to.
enum class FigureOwner : std::uint8_t {
  joint,    ///< a freedom, on the joint's side of its gear
  motor,    ///< the motor of a freedom, on its own shaft
  bearing,  ///< a joint
  link      ///< a link that is analysed as a beam
};

/// The numbers that a design analysis finds, and that limits can be put on.
enum class Figure : std::uint8_t {
  peak_torque,            ///< largest |torque|, of a slide: force [N m or N]
  rms_torque,             ///< [N m or N]
  mean_torque,            ///< mean of |torque| [N m or N]
  peak_speed,             ///< [rad/s or m/s]
  mean_speed,             ///< mean of |speed| [rad/s or m/s]
  peak_power,             ///< largest |torque · speed| [W]
  mean_power,             ///< mean of torque · speed [W]
  energy,                 ///< put into the joint while power is positive [J]
  returned_energy,        ///< given back by the joint [J]
  tracking_error,         ///< largest |reference − position| [rad or m]
  motor_torque,           ///< largest |C_M i| [N m]
  motor_rms_torque,       ///< [N m]
  motor_mean_torque,      ///< mean of |C_M i| [N m]
  motor_speed,            ///< largest [rad/s]
  current,                ///< largest [A]
  rms_current,            ///< [A]
  voltage,                ///< largest [V]
  electrical_power,       ///< largest |u i| [W]
  mean_electrical_power,  ///< mean of u i [W]
  electrical_energy,      ///< drawn while u i is positive [J]
  recovered_energy,       ///< given back to the supply [J]
  copper_loss,            ///< [J]
  friction_loss,          ///< of rotor and joint [J]
  gear_loss,              ///< elastic drives: with what the springs hold at the end [J]
  stored_energy,          ///< change of the energy of rotor and inductance [J]
  saturation,             ///< share of the time at a limit of the drive, 0 to 1
  winding_temperature,    ///< largest [°C]
  final_temperature,      ///< of the winding at the end [°C]
  steady_temperature,     ///< of the winding if the task is repeated for ever [°C]
  bearing_force,          ///< largest [N]
  axial_force,            ///< along the joint's axis [N]
  radial_force,           ///< across it [N]
  tilting_moment,         ///< across it [N m]
  stress,                 ///< von Mises [Pa]
  deflection,             ///< of the outer end, across the axis [m]
  twist                   ///< of the outer end, about the axis [rad]
};

/// "peak_torque", …
const char* name(Figure figure);
/// For people: "peak torque", …
std::string label(Figure figure);
/// "N m or N", …; empty: a plain number.
const char* unit(Figure figure);
FigureOwner owner(Figure figure);
/// All of them, in order.
std::span<const Figure> all_figures();

/// The value of a figure, and when it was reached where there is such an instant [s].
struct Measured {
  double value = 0;
  std::optional<double> time{};
};
using Figures = std::map<Figure, Measured>;

}  // namespace limber
