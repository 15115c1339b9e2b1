// What a scenario records, and how often.
#include <algorithm>
#include <cmath>

#include "scenario/read.hpp"

namespace limber {

std::vector<Section> record_sections() {
  return {
      {"record",
       "Every record is a row of the recording.",
       {{"interval", "number", "s",
         "0.01; with a controller that samples faster: its sample time, or in runs of more than "
         "5000 samples "
         "the next multiple of it from 0.01 on",
         "time between records"},
        {"velocities", "yes or no", "", "yes", ""},
        {"accelerations", "yes or no", "", "no", ""},
        {"forces", "yes or no", "", "yes", "of the joints"},
        {"energy", "yes or no", "", "yes", "kinetic, potential, work, error, power"},
        {"momentum", "yes or no", "", "no", "linear, and angular about the centre of mass"},
        {"center_of_mass", "yes or no", "", "no", ""},
        {"loops", "yes or no", "", "yes",
         "forces of loops of closed mechanisms, and the largest gap"},
        {"frames", "list of texts", "", "none", "frames whose positions are recorded"},
        {"frame_velocities", "list of texts", "", "none",
         "frames whose velocities are recorded: of the origin and angular, world axes"},
        {"frame_accelerations", "list of texts", "", "none",
         "frames whose accelerations are recorded, likewise; gravity is no part of them"},
        {"reactions", "list of texts", "", "none",
         "joints whose reactions are recorded, or `all`: force and moment that the joint (bearing "
         "and drive) transmits to the link that it carries, in the axes and about the origin of "
         "this link's frame"}},
       {}},
  };
}

void read_record(const YamlMap& root, Scenario& scenario) {
  if (!root.has("record")) return;
  const YamlMap map = root.map("record", keys_of("record"));
  RecordChoice& record = scenario.record;
  scenario.simulation.record_interval = map.number("interval", 0.01);
  record.velocities = flag(map, "velocities", record.velocities);
  record.accelerations = flag(map, "accelerations", record.accelerations);
  record.forces = flag(map, "forces", record.forces);
  record.energy = flag(map, "energy", record.energy);
  record.momentum = flag(map, "momentum", record.momentum);
  record.center_of_mass = flag(map, "center_of_mass", record.center_of_mass);
  record.loops = flag(map, "loops", record.loops);
  record.frames = words(map, "frames");
  record.frame_velocities = words(map, "frame_velocities");
  record.frame_accelerations = words(map, "frame_accelerations");
  record.reactions = words(map, "reactions");
}

void choose_record_interval(const YamlMap& root, Scenario& scenario) {
  constexpr double most_samples = 5000, usual = 0.01;
  if (root.has("record") && root.map("record", keys_of("record")).has("interval")) return;
  double sample_time = HUGE_VAL;
  for (const auto& part : scenario.parts)
    if (part->sample_time() > 0) sample_time = std::min(sample_time, part->sample_time());
  if (!(sample_time < usual)) return;
  const bool few = scenario.simulation.duration / sample_time <= most_samples;
  const double multiple = few ? 1 : std::ceil(usual / sample_time * (1 - 1e-9));
  scenario.simulation.record_interval = multiple * sample_time;
}

void check_recorded(const YamlMap& root, const Scenario& scenario) {
  if (!root.has("record")) return;
  const YamlMap map = root.map("record", keys_of("record"));
  const RecordChoice& record = scenario.record;
  check_frames(map, "frames", scenario.model, record.frames);
  check_frames(map, "frame_velocities", scenario.model, record.frame_velocities);
  check_frames(map, "frame_accelerations", scenario.model, record.frame_accelerations);
  try {
    reaction_bodies(scenario.model, record.reactions);
  } catch (const Error& error) {
    throw map.error("reactions", error.what());
  }
}

}  // namespace limber
