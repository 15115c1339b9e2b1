// Loops of a scenario: how they are kept closed, further ones, and those that are closed for a
// while.
#include <fmt/format.h>

#include <limber/sim/grasp.hpp>

#include "io/yaml_parts.hpp"
#include "scenario/read.hpp"

namespace limber {

namespace {

const std::vector<std::string> drift_names{"project", "baumgarte", "independent"};

}  // namespace

std::vector<Section> loop_sections() {
  return {
      {"loops",
       "Loops that a robot's file closes are kept closed, whatever the integrator does. A word "
       "stands for `drift` alone: `loops: baumgarte`. Where a run begins, small gaps are closed, "
       "larger ones assembled, and velocities changed so that they stay closed, with a warning "
       "that says what was moved. Joints that `initial` names keep their position and velocity "
       "where the loops can be closed so; where they cannot, some of them move, the first ones "
       "last. What a projection changes of the energy is part of the energy error.",
       {{"drift", "one of project, baumgarte, independent", "", "project",
         "project: after each step positions and velocities are brought to the nearest ones "
         "(measured by the mass matrix) that close the loops; baumgarte: gaps decay as those of a "
         "critically damped spring; independent: the loops determine as many freedoms as they can "
         "by the others, at every evaluation, and only these others are integrated. `midpoint` "
         "goes "
         "with project only"},
        {"rate", "number", "1/s", "0.2/step; with error control 1/max_step",
         "of baumgarte: the frequency of the spring, at most 0.8/step, of block methods 0.2/step"},
        {"tolerance", "number", "m, rad", "1e-12", "gap that projections may leave"},
        {"largest_gap", "number", "m, rad", "1e-3",
         "that is closed without assembling where the run begins, and where a grasp is closed"},
        {"start", "one of assemble, as_given", "", "assemble",
         "where the run begins with larger gaps: assemble finds a position that closes all loops, "
         "on the branch of the robot's own pose where it can; as_given refuses the start"},
        {"closures", "list of mappings", "", "none",
         "further loops, of several robots too, as `loops` in robot files (docs/robot-files.md); "
         "links and joints by the names that they have in the scenario. Models of controllers "
         "leave "
         "them open"}},
       {}},
      {"grasps",
       "Loops that are closed for a while: a grasp, a weld, a latch. When one is closed, "
       "velocities "
       "change at once as in a collision without restitution; the event is listed with its impulse "
       "and the energy that is lost, which counts as work.",
       {{"closure", "mapping", "", "", "the loop, as `loops` in robot files, with its `name`"},
        {"place", "one of as_they_are, as_described", "",
         "as_they_are; for distance, coupling, rolling as_described",
         "as_they_are: frame a is moved to where frame b is when it is closed; as_described: the "
         "frames stay, and the gap must be small then"},
        {"from", "number or text", "s", "the beginning",
         "when it is closed: a time, or the name of a trajectory's segment that begins then"},
        {"until", "number or text", "s", "the end", "when it is opened, given likewise"},
        {"closes", "mapping", "", "none",
         "closed where a value crosses a threshold, from `from` on; see *grasp events*"},
        {"opens", "mapping", "", "none", "opened where a value crosses a threshold"}},
       {}},
      {"grasp events",
       "Instants at which a grasp is closed or opened, as in *events*.",
       {{"value", "text", "", "", "JOINT.position, JOINT.velocity, or FRAME.x, .y, .z"},
        {"crosses", "number", "", "0", "the threshold"},
        {"direction", "one of rising, falling, both", "", "both", ""}},
       {}},
  };
}

void read_loops(const YamlMap& root, Scenario& scenario) {
  if (!root.has("loops")) return;
  LoopSettings& loops = scenario.simulation.loops;
  if (!root.node("loops").is_mapping()) {
    loops.drift = static_cast<Drift>(choice(root, "loops", drift_names));
    return;
  }
  const YamlMap map = root.map("loops", keys_of("loops"));
  loops.drift = static_cast<Drift>(choice(map, "drift", drift_names, "project"));
  if (map.has("rate") && loops.drift != Drift::baumgarte)
    throw map.error("rate", "belongs to `drift: baumgarte`");
  loops.rate = map.number("rate", loops.rate);
  loops.tolerance = map.number("tolerance", loops.tolerance);
  loops.largest_gap = map.number("largest_gap", loops.largest_gap);
  loops.start = static_cast<LoopStart>(choice(map, "start", {"assemble", "as_given"}, "assemble"));
}

void read_closures(const YamlMap& root, Reading& reading) {
  if (!root.has("loops") || !root.node("loops").is_mapping()) return;
  for (const YamlNode& node : root.map("loops", keys_of("loops")).list("closures"))
    reading.scenario.spec.loops.push_back(read_loop(node, reading.file));
}

namespace {

std::optional<GraspSettings::When> read_when(const YamlMap& grasp, const std::string& key,
                                             const Model& model) {
  if (!grasp.has(key)) return std::nullopt;
  const YamlMap map = grasp.map(key, keys_of("grasp events"));
  GraspSettings::When when;
  try {
    when.value = named_value(model, map.text("value"));
  } catch (const Error& error) {
    throw map.error("value", error.what());
  }
  when.threshold = map.number("crosses", 0);
  when.crossing = static_cast<EventSpec::Crossing>(
      choice(map, "direction", {"rising", "falling", "both"}, "both"));
  return when;
}

}  // namespace

void read_grasps(const YamlMap& root, Reading& reading) {
  const Scenario& scenario = reading.scenario;
  for (const YamlNode& node : root.list("grasps")) {
    const YamlMap map = open(node, reading.file, "grasps", "grasps");
    if (!map.has("closure")) throw map.error("closure", "a grasp needs the loop that it closes");
    GraspSettings settings;
    settings.loop = read_loop(map.node("closure"), reading.file);
    const auto kind = settings.loop.kind;
    const bool fixed = kind == LoopSpec::Kind::distance || kind == LoopSpec::Kind::coupling ||
                       kind == LoopSpec::Kind::rolling;
    settings.place = static_cast<GraspPlace>(choice(map, "place", {"as_they_are", "as_described"},
                                                    fixed ? "as_described" : "as_they_are"));
    settings.from = instant_of(map, "from", scenario.phases, 0);
    settings.until = instant_of(map, "until", scenario.phases, HUGE_VAL);
    settings.closes = read_when(map, "closes", scenario.model);
    settings.opens = read_when(map, "opens", scenario.model);
    add_part(reading, map,
             with_location(map, [&] { return std::make_shared<const Grasp>(settings); }));
  }
}

}  // namespace limber
