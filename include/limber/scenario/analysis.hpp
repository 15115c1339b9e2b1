#pragma once
// The design report of a scenario, `limber analyse`: what its task asks of motors, bearings and
// links, held against limits. docs/analysis.md has the equations. [HB] 20.4.1
#include <limber/control/joint_trajectory.hpp>
#include <limber/scenario/beam.hpp>
#include <limber/scenario/scenario.hpp>

namespace limber {

/// A link whose section is to be looked at: a straight beam of uniform section. What the link
/// weighs beyond the beam (motors, flanges) rests at one of its ends.
struct LinkSettings {
  enum class Rest : std::uint8_t { outer, inner };
  std::string link;
  Vec3<double> from, to;  ///< ends of the axis, inner end first, in the link's frame [m]
  Vec3<double> up;        ///< direction of a box's height, in the link's frame
  SectionSettings section;
  Material material;
  double mass = 0;          ///< of the beam, uniform along its axis [kg]
  Rest rest = Rest::outer;  ///< where the link's other mass is attached
  int stations = 21;        ///< cuts along the axis, ends included
};

/// What can be limited. Figures of joints are those of the joint's side; figures of motors belong
/// to the motor's shaft.
enum class Figure : std::uint8_t {
  peak_torque,          ///< [N m or N]
  rms_torque,           ///< [N m or N]
  peak_speed,           ///< [rad/s or m/s]
  peak_power,           ///< mechanical [W]
  energy,               ///< mechanical, put into the joint [J]
  tracking_error,       ///< [rad or m]
  motor_torque,         ///< peak [N m]
  motor_rms_torque,     ///< [N m]
  motor_speed,          ///< peak [rad/s]
  current,              ///< peak [A]
  rms_current,          ///< [A]
  voltage,              ///< peak [V]
  electrical_power,     ///< peak [W]
  electrical_energy,    ///< drawn from the supply [J]
  saturation,           ///< share of the time at a limit of the drive, 0 to 1
  winding_temperature,  ///< peak [°C]
  steady_temperature,   ///< of the winding if the task is repeated for ever [°C]
  axial_force,          ///< of a bearing, peak [N]
  radial_force,         ///< of a bearing, peak [N]
  tilting_moment,       ///< of a bearing, peak [N m]
  stress,               ///< von Mises, of a link [Pa]
  deflection,           ///< of a link's outer end [m]
  twist                 ///< of a link's outer end [rad]
};
/// "peak_torque", …, and their units: "N m or N", …
const char* name(Figure figure);
const char* unit(Figure figure);
/// All of them, in order.
std::span<const Figure> all_figures();

/// A figure must not be larger than `at_most`.
struct LimitSettings {
  Figure figure = Figure::peak_torque;
  std::vector<std::string> of;  ///< freedoms, joints or links; empty: all that have this figure
  double at_most = 0;
  Source source;  ///< for messages
};

/// A parameter that is tried with several values.
struct ScanSettings {
  std::string name;                 ///< for people
  std::string path;                 ///< as in Override
  std::vector<std::string> values;  ///< YAML text
};

/// Most points that a scan may have.
constexpr std::size_t most_scan_points = 2000;

struct AnalysisSettings {
  double interval = 1e-3;  ///< time between the instants that are looked at [s]
  /// The motion to look at; none: that of the simulation.
  JointTrajectoryPointer reference;
  std::vector<LinkSettings> links;
  std::vector<LimitSettings> limits;
  std::vector<ScanSettings> scan;
};

}  // namespace limber
