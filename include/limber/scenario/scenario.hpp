#pragma once
// Scenario: a simulation described by a YAML file: robots, what acts on them, how long, what is
// kept. docs/scenario.md lists every key.
#include <array>

#include <limber/model/spec.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/simulation.hpp>

namespace limber {

/// A place or a thing in the world that the replay shows; nothing collides with it.
struct Marker {
  enum class Kind : std::uint8_t {
    point,
    area,  ///< a flat rectangle
    box,
    bin  ///< a box that is open above
  };
  std::string name;
  Kind kind = Kind::point;
  Vec3<double> position;                               ///< in the world: its centre, below [m]
  double yaw = 0;                                      ///< about the vertical [rad]
  Vec3<double> size;                                   ///< edges; not of a point [m]
  std::array<double, 4> color{0.88, 0.54, 0.04, 1.0};  ///< red, green, blue, opacity, each 0 to 1
};

/// What the report shows besides the plots.
struct ReportSettings {
  enum class Ground : std::uint8_t { automatic, given, none };
  std::vector<std::string> trails;  ///< frames whose paths are drawn
  std::vector<Marker> markers;
  Ground ground = Ground::automatic;
  double ground_height = 0;  ///< where it is given [m]
};

/// What a robot carries, as the replay shows it.
struct CarriedLoad {
  std::string name;
  std::string frame;        ///< the link that carries it
  Inertia<double> inertia;  ///< about the origin and in the axes of this frame
  std::vector<ShapeSpec> shapes;
  double from = 0, until = HUGE_VAL;  ///< while it is carried [s]

  bool is_timed() const { return from > 0 || until < HUGE_VAL; }
};

/// A named segment of a trajectory.
struct Phase {
  std::string name;
  double from = 0, to = 0;  ///< [s]
};

struct AnalysisSettings;
class Contacts;
class WaterPart;
struct Water;

struct Scenario {
  std::string file, title, description;
  std::vector<std::string> files;  ///< `file` and every file that it names; not all need exist
  std::vector<std::string> mesh_folders;  ///< where meshes are looked for besides, see find_mesh()
  Spec spec;                              ///< all robots in one
  Model model;                            ///< of `spec`
  Model nominal;                          ///< for controllers: without hidden payloads
  std::vector<double> q, v;               ///< initial state
  SimulationSettings simulation;
  RecordChoice record;
  ReportSettings report;
  std::vector<CarriedLoad> payloads;
  std::vector<Phase> phases;         ///< of all trajectories, in the order of the file
  std::vector<std::string> compare;  ///< scenarios whose curves are drawn beside this one's
  std::vector<std::shared_ptr<const Part>> parts;
  std::shared_ptr<const Contacts> contacts;     ///< one of the parts; null: nothing touches
  std::vector<std::string> contact_left_out;    ///< what cannot touch although it is there, and why
  std::shared_ptr<const Water> water;           ///< null: there is none
  std::shared_ptr<const WaterPart> water_part;  ///< one of the parts: what it does to links
  std::size_t links_by_shape = 0;               ///< in the water, with the numbers of their shapes
  std::vector<std::string> water_notes;         ///< what was assumed of them; among the warnings
  std::vector<std::string> warnings;
  std::shared_ptr<const AnalysisSettings> analysis;  ///< for `limber analyse`

  /// The system that the scenario describes; a new one with every call.
  System make_system() const;
};

/// A value that replaces what the file says: a path of keys, list entries by number (from 0) or by
/// their `name` or `joint`, e.g. "integrator.step" or "drives.elbow.gear.ratio", and YAML text.
struct Override {
  std::string path, value;
};

/// Reads a scenario by file name or by the name under which it ships with Limber. Robot files are
/// looked for beside the scenario file. Throws Error with file, line, element and the remedy.
Scenario read_scenario(const std::string& file, std::span<const Override> overrides = {});
/// From text; `file` is used in messages and to find robot files.
Scenario parse_scenario(std::string_view text, const std::string& file,
                        std::span<const Override> overrides = {});

/// Names of the scenarios that ship with Limber, sorted.
std::vector<std::string> shipped_scenarios();

/// docs/scenario.md: every key, from the table that the reader checks against.
std::string scenario_document();

}  // namespace limber
