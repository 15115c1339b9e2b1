#pragma once
// The design report of a scenario, `limber analyse`: the loads of motors, bearings and
// links, compared with limits. docs/analysis.md has the equations. [HB] 20.4.1
#include <limber/analysis/beam.hpp>
#include <limber/drive/motor.hpp>
#include <limber/report/report.hpp>
#include <limber/scenario/analysis_settings.hpp>

namespace limber {

/// The analysed motion and the external forces: one row for each instant.
struct AnalysedMotion {
  std::vector<double> times;               ///< [s]
  std::vector<double> q, v, a;             ///< nq, nv, nv numbers in each row
  std::vector<Force<double>> body_forces;  ///< as in Loads, one for each body in each row
};

/// The load of a freedom and its drive. The torque (of a slide: force) is the one that reaches
/// the link: inverse dynamics with the joint's own damping and springs, without the torque that
/// accelerates the rotor.
struct JointAnalysis {
  std::string name;         ///< of the freedom
  std::string torque_unit;  ///< "N m" or "N"
  std::string speed_unit;   ///< "rad/s" or "m/s"
  int freedom = 0;          ///< index into v
  Figures figures;
  std::vector<double> torques, speeds;  ///< at each instant
  DofSpec limits;                       ///< of the robot's file
};

/// A motor at each instant.
struct MotorSeries {
  std::vector<double> current, voltage;  ///< [A, V]
  std::vector<double> speed;             ///< [rad/s]
  std::vector<double> output_torque;     ///< M: output torque of the rotor [N m]
  std::vector<double> saturated;         ///< 1 at a limit of the drive, else 0
  std::vector<double> winding, housing;  ///< temperatures [°C]; empty: not modelled
};

/// What one motor does in the motion: figures, and curves over time.
struct MotorAnalysis {
  std::string name;  ///< of the freedom it drives
  MotorSettings motor;
  Figures figures;
  MotorSeries series;
  std::vector<double> torques;  ///< C_M i at each instant [N m]
  /// If the task is repeated for ever; infinite if the heat cannot leave.
  std::optional<Temperatures> steady;
};

/// The load of a joint's bearing: joint_reaction() in the joint's frame as it moves with the child.
/// `axis` is the joint's; a joint without one bears everything across.
struct BearingAnalysis {
  std::string name;  ///< of the joint
  std::optional<Vec3<double>> axis;
  Figures figures;
  std::vector<Force<double>> loads;            ///< at each instant, about the joint's origin
  std::vector<double> axial, radial, tilting;  ///< at each instant [N, N, N m]
};

/// A link as a beam.
struct LinkAnalysis {
  std::string name;
  double length = 0;                    ///< [m]
  double beam_mass = 0, link_mass = 0;  ///< of the beam, and of the whole link [kg]
  double yield_strength = 0;            ///< [Pa]
  Figures figures;
  /// Along the link at the instant of the largest stress.
  std::vector<double> places;  ///< from the inner end [m]
  std::vector<SectionForces> forces;
  std::vector<Stress> stresses;
};

/// A limit, and what was found.
struct LimitCheck {
  Figure figure = Figure::peak_torque;
  std::string of;
  Measured found;
  double limit = 0;
  std::string from;  ///< what sets it: "scenario", "motor", "robot", "material"
  /// Rounding is no violation.
  bool violated() const { return !(found.value <= limit * (1 + 1e-9)); }
  /// Of the limit that is left; negative: exceeded by.
  double margin() const { return 1 - found.value / limit; }
};

/// The result of a design analysis.
struct Analysis {
  Run run;  ///< of the simulation; without rows where the motion is a reference
  AnalysedMotion motion;
  std::vector<JointAnalysis> joints;
  std::vector<MotorAnalysis> motors;
  std::vector<BearingAnalysis> bearings;
  std::vector<LinkAnalysis> links;
  std::vector<LimitCheck> checks;
  std::vector<std::string> warnings;

  std::size_t violations() const;
};

/// Runs the scenario, or takes its reference motion, and analyses it as its key `analyse` says.
/// `go_on` is called after every step; false ends the run. Throws Error if the run cannot begin.
Analysis analyse(const Scenario& scenario, const std::function<bool(double t)>& go_on = {});

/// The figures of one owner, by the freedom's, joint's or link's name; null if there is none.
const Figures* find_figures(const Analysis& analysis, FigureOwner owner, std::string_view name);

/// The figures that a scan compares: of the joint, motor or link where each is largest; energies of
/// all together.
Figures key_figures(const Analysis& analysis);

/// One combination of a scan's values.
struct ScanPoint {
  std::vector<std::string> values;  ///< of each parameter
  RunStatus status = RunStatus::running;
  std::string message;  ///< what went wrong; without figures: the scenario could not be run
  Figures figures;      ///< key_figures()
  std::size_t violations = 0;
  std::vector<LimitCheck> checks = {};
};

/// Reads the scenario with some values replaced.
using ScenarioReader = std::function<Scenario(std::span<const Override>)>;

/// How a scan is run, watched and ended.
struct ScanHooks {
  int threads = 0;  ///< 0: one for each core
  /// Called after each point, by one thread at a time.
  std::function<void(std::size_t done, std::size_t count)> on_point;
  /// Called by all threads after every step; false ends the scan.
  std::function<bool()> go_on;
};

/// Analyses every combination of the values, the last parameter changing fastest; the result does
/// not depend on the number of threads. Throws Error if there are too many, or if none can be read.
std::vector<ScanPoint> run_scan(const std::vector<ScanSettings>& parameters,
                                const ScenarioReader& read, const ScanHooks& hooks = {});

/// Diagrams, tables and summary, as report_page() takes them.
Report analysis_report(const Scenario& scenario, const Analysis& analysis,
                       const std::vector<ScanPoint>& scan = {});

}  // namespace limber
