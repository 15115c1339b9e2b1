#pragma once
// The functions of the scenario reader. Each file has its reader and the keys that it reads.
#include <array>
#include <map>

#include <limber/control/open_loop.hpp>
#include <limber/fluid/water_loads.hpp>
#include <limber/model/variables.hpp>
#include <limber/scenario/scenario.hpp>
#include <limber/sim/external_force.hpp>
#include <limber/sim/payload.hpp>
#include <limber/sim/plugin_values.hpp>

#include "scenario/schema.hpp"

namespace limber {

/// A payload of limited time; its times may be names of segments, which are known
/// later.
struct TimedPayload {
  YamlMap map;
  PayloadSettings settings;
  std::size_t load = 0;  ///< among Scenario::payloads
  bool hidden = false;
};

/// What the readers share while a scenario is read.
struct Reading {
  Scenario& scenario;
  const std::string& file;  ///< as the user gave it
  std::string folder;       ///< where files named in it are looked for; "" for shipped scenarios
  std::vector<std::string> prescribed{};  ///< joints whose motion is given
  std::map<std::string, std::shared_ptr<const ForceHistory>> forces{};  ///< external ones
  std::vector<TimedPayload> payloads{};
  /// Freedoms that have a drive: what it takes, and where it stands.
  struct DriveInputs {
    InputQuantity quantity;
    int line;
  };
  std::map<int, DriveInputs> driven{};
};

/// loops → simulation.loops; and its closures → spec.loops.
void read_loops(const YamlMap& root, Scenario& scenario);
void read_closures(const YamlMap& root, Reading& reading);
/// grasps → parts. When phases are known.
void read_grasps(const YamlMap& root, Reading& reading);
/// A time, or when the segment of this name begins.
double instant_of(const YamlMap& map, const std::string& key, const std::vector<Phase>& phases,
                  double fallback);
/// robots → spec, model, nominal, q, v.
void read_robots(const YamlMap& root, Reading& reading);
/// The payloads of limited time, when phases are known → parts.
void read_timed_payloads(Reading& reading);
/// water → water, water_part, parts. After the robots; before what thrusts and steers in it.
void read_water(const YamlMap& root, Reading& reading);
/// `links` of the water: changes of what shapes give, and links that have none. robots: names.
struct WetLinks {
  std::vector<LinkHydrodynamics> links;
  std::vector<std::string> notes;  ///< what was assumed
  std::size_t by_shape = 0;        ///< links whose numbers are those of their shapes alone
};
WetLinks read_wet_links(const YamlMap& water, const YamlMap& root, double density,
                        const Reading& reading);
/// external_forces and force_elements → parts, forces.
void read_forces(const YamlMap& root, Reading& reading);
/// trajectories, controllers, prescribed → parts. After the forces.
void read_control(const YamlMap& root, Reading& reading);
/// drives and friction → parts, driven.
void read_drives(const YamlMap& root, Reading& reading);
/// record → record, record_interval.
void read_record(const YamlMap& root, Scenario& scenario);
/// Without a key: records of a sampled controller come with its samples, where these are not many.
void choose_record_interval(const YamlMap& root, Scenario& scenario);
/// Throws Error for frames and joints that do not exist.
void check_recorded(const YamlMap& root, const Scenario& scenario);
/// report → report.
void read_report(const YamlMap& root, Reading& reading);
/// inputs → parts. After the drives.
void read_inputs(const YamlMap& root, Reading& reading);
/// analyse → analysis.
void read_analysis(const YamlMap& root, Reading& reading);

/// frames of a robot → spec; environments → parts. After the robots.
void read_frames(const YamlMap& robot, const Reading& reading, Spec& spec);
void read_environments(const YamlMap& root, Reading& reading);
/// contact → contacts, parts. After the robots.
void read_contact(const YamlMap& root, Reading& reading);
/// Shapes that are inside each other where the run begins: one text each.
std::vector<std::string> overlaps_at_start(const Scenario& scenario);

/// The link of a robot that a key names. Throws Error with the nearest name.
BodySpec& find_link(Spec& spec, const YamlMap& map, const std::string& key);
/// A payload of a robot: welded to the robot and, unless it is hidden, to the model of the
/// controllers; or noted in `reading` if its time is limited.
void read_payload(const YamlMap& map, const std::string& prefix, Spec& robot, Spec& nominal,
                  Reading& reading);

/// The path of a file that the scenario names: relative to the folder of the scenario unless it is
/// absolute. Adds it to Scenario::files.
std::string path_relative_to_file(const Reading& reading, const std::string& path);

/// Numbers for a group of names: one number for all, a list in their order, or a mapping from name
/// to number (others keep `fallback`). `names` are what the entries are called in messages.
std::vector<double> numbers_for(const YamlMap& map, const std::string& key,
                                const std::vector<std::string>& names, double fallback);

/// The variables of one joint among q or v.
struct JointSlice {
  std::string name;
  std::size_t start = 0, count = 0;
};
/// Those of the joints whose names begin with `prefix`, which is left out of the names.
std::vector<JointSlice> slices(const std::vector<Variable>& variables, const std::string& prefix);
/// Values by joint name (a number, or a list of the joint's variables), or a list of them all; what
/// is left out stays.
void read_joint_values(const YamlMap& map, const std::string& key,
                       const std::vector<JointSlice>& joints, std::vector<double>& out);

/// Throws Error for a frame that the robot does not have.
void check_frames(const YamlMap& map, const std::string& key, const Model& model,
                  const std::vector<std::string>& frames);

/// A list of words; a single word is a list too. Empty without the key.
std::vector<std::string> words(const YamlMap& map, const std::string& key);
int whole_number(const YamlMap& map, const std::string& key, int fallback);

/// Adds a part to the scenario. Throws Error with the place of the mapping for a name that is taken
/// and for what does not fit the robot.
void add_part(Reading& reading, const YamlMap& map, std::shared_ptr<const Part> part);
/// A number, an expression of t, or a table (section *signal*).
Signal read_signal(const YamlMap& map, const std::string& key, const YamlNode& node,
                   const Reading& reading);
/// A list of three of them; zero without the key.
std::array<Signal, 3> read_signals(const YamlMap& map, const std::string& key,
                                   const Reading& reading);
/// `settings` of a plug-in.
void read_plugin_values(const YamlMap& map, PluginValues& settings);

/// Calls f. An Error without a location is thrown again with file and line of the mapping.
template <class F>
auto with_location(const YamlMap& map, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(map.file())) throw;
    throw Error(map.source(), error.what());
  }
}

}  // namespace limber
