#pragma once
// What a scenario's `analyse` says: motion, links, limits and scans of a design analysis.
#include <limber/control/joint_trajectory.hpp>
#include <limber/error.hpp>
#include <limber/scenario/beam_section.hpp>
#include <limber/scenario/figures.hpp>

namespace limber {

/// A link that is analysed as a straight beam of uniform section. The mass of the link beyond that
/// of the beam (motors, flanges) is attached at one of its ends.
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
/// How many combinations there are. Throws Error if they are too many.
std::size_t scan_size(std::span<const ScanSettings> parameters);

/// What a design analysis covers: motion, links, limits, scans.
struct AnalysisSettings {
  double interval = 1e-3;  ///< time between the analysed instants [s]
  /// The motion to analyse; none: that of the simulation.
  JointTrajectoryPointer reference;
  std::vector<LinkSettings> links;
  std::vector<LimitSettings> limits;
  std::vector<ScanSettings> scan;
};

}  // namespace limber
