// The water of a scenario: what it is, how it moves, whom it wets.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/sim/water_part.hpp>

#include "scenario/read_water_checks.hpp"
#include "scenario/water_doubts.hpp"

namespace limber {

std::vector<Section> water_sections() {
  return {
      {"water",
       "All robots are in it, or those that `robots` names, with added mass, buoyancy and drag "
       "(docs/water.md). Unless the robot's file or `links` says otherwise these come from the "
       "shapes of the links. `water: {}` is sea water without end. z must point up.",
       {{"density", "number", "kg/m³", "1025", "fresh water: 1000"},
        {"viscosity", "number", "m²/s", "1.2e-6", "kinematic; for Reynolds numbers"},
        {"level", "number", "m", "no surface", "height of the mean surface"},
        {"depth", "number", "m", "very deep",
         "of the sea bed below the mean surface: waves feel it, the replay shows it; to stand on "
         "it, give `contact` a ground at this height"},
        {"current", "list of 3 signals, or mapping", "m/s", "none",
         "the same everywhere, world axes; see *water current*"},
        {"profile", "list of mappings", "", "none",
         "currents at depths, constant in time, added to the former: {depth: 5, velocity: [0.3, 0, "
         "0]}; straight between the depths, which rise, and constant beyond"},
        {"waves", "mapping", "", "none", "see *water waves*; they need a `level`"},
        {"drag_coefficient", "number", "", "1", "of all shapes"},
        {"skin_coefficient", "number", "", "0",
         "of friction along all shapes; a smooth hull of some metres: 0.003"},
        {"strips", "one of four, exact", "", "exact",
         "how the drag of cylinders is summed up along them: to 1e-9, or at four points, as "
         "compiled code does, off by up to 2 % where the flow across turns round"},
        {"robots", "list of texts", "", "all", "names of the robots that are in the water"},
        {"exclude", "list of texts", "", "none", "robots or links that stay dry"},
        {"links", "list of mappings", "", "none",
         "numbers that take the place of those of shapes, see *water links*"}},
       {}},
      {"water current",
       "Signals without jumps: a current that jumps would push with an infinite force. During a "
       "run the inputs `water.current.x`, `.y` and `.z` add to it.",
       {{"velocity", "list of 3 signals", "m/s", "[0, 0, 0]",
         "numbers, expressions such as `0.3*sin(2*pi*t/20)`, or tables, see *signal*"},
        {"gauss_markov", "mapping", "", "none",
         "a current that wanders about `velocity` at random, see *water gauss_markov*"}},
       {}},
      {"water gauss_markov",
       "V' = −V/T + white noise in each direction, exact at samples, straight between them.",
       {{"deviation", "list of 3 numbers", "m/s", "", "standard deviation in x, y, z"},
        {"time_constant", "number", "s", "60", "T"},
        {"interval", "number", "s", "1", "between samples"},
        {"seed", "number", "", "that of the scenario", ""}},
       {}},
      {"water profile",
       "",
       {{"depth", "number", "m", "", "below the mean surface, or below z = 0 without one"},
        {"velocity", "list of 3 numbers", "m/s", "", "world axes"}},
       {}},
      {"water waves",
       "Linear waves. What is given adds up.",
       {{"regular", "list of mappings", "", "none", "see *water waves: regular*"},
        {"sea", "mapping", "", "none", "irregular waves, see *water waves: sea*"}},
       {}},
      {"water waves: regular",
       "",
       {{"height", "number", "m", "", "from trough to crest"},
        {"period", "number", "s", "", ""},
        {"direction", "number", "rad", "0", "where it goes to, from x towards y"},
        {"phase", "number", "rad", "0", "0: a crest over the origin at the beginning"}},
       {}},
      {"water waves: sea",
       "A spectrum: JONSWAP, or Pierson-Moskowitz with a peak enhancement of 1.",
       {{"significant_height", "number", "m", "", "mean of the highest third"},
        {"peak_period", "number", "s", "", "of the strongest waves"},
        {"peak_enhancement", "number", "", "3.3", ""},
        {"direction", "number", "rad", "0", "mean direction"},
        {"spread", "number", "rad", "0", "directions differ by up to so much"},
        {"components", "number", "", "40", "how many waves it is made of"},
        {"seed", "number", "", "that of the scenario", ""}},
       {}},
  };
}

namespace {

// of lists: beyond them a run would take for ever, whatever was meant
constexpr std::size_t most_depths = 10000, most_waves = 1000;
constexpr double whole_turn = 2 * std::numbers::pi;

std::uint64_t water_seed(const YamlMap& map, const Reading& reading) {
  return static_cast<std::uint64_t>(
      whole_number(map, "seed", static_cast<int>(reading.scenario.simulation.seed)));
}

double positive_number(const YamlMap& map, const std::string& key, double fallback) {
  const double value = map.number(key, fallback);
  if (!(value > 0) || !std::isfinite(value))
    throw map.error(key, fmt::format("{} is found; it must be positive and finite", value));
  return value;
}

std::shared_ptr<const GaussMarkovCurrent> read_gauss_markov(const YamlMap& map,
                                                            const Reading& reading) {
  GaussMarkovSettings settings;
  if (!map.has("deviation"))
    throw Error(map.source(), "key 'deviation' is missing; add `deviation: [0.1, 0.1, 0]`");
  settings.deviation = map.vec3("deviation", {});
  for (int i = 0; i < 3; ++i)
    if (!(settings.deviation[i] >= 0))
      throw map.error("deviation", "a standard deviation must not be negative");
  settings.time_constant = map.number("time_constant", settings.time_constant);
  settings.interval = map.number("interval", settings.interval);
  settings.duration = reading.scenario.simulation.duration;
  settings.seed = water_seed(map, reading);
  return with_location(map, [&] { return std::make_shared<const GaussMarkovCurrent>(settings); });
}

void read_current(const YamlMap& water, const Reading& reading, Water& result) {
  if (!water.has("current")) return;
  std::array<Signal, 3> velocity;
  std::shared_ptr<const GaussMarkovCurrent> wandering;
  const auto read_velocity = [&](const YamlMap& map, const std::string& key) {
    velocity = read_signals(map, key, reading);
    for (const Signal& one : velocity)
      if (one.states() > 0)
        throw map.error(key,
                        "a current must not jump: its acceleration pushes; write a ramp, such as "
                        "`max(0, min(1, t-5))`, for step(t-5), and linear for hold");
  };
  if (water.has_list("current")) {
    read_velocity(water, "current");
  } else {
    const YamlMap map = water.map("current", keys_of("water current"));
    read_velocity(map, "velocity");
    if (map.has("gauss_markov"))
      wandering =
          read_gauss_markov(map.map("gauss_markov", keys_of("water gauss_markov")), reading);
  }
  result.current = [velocity, wandering](double t) {
    Flow flow = wandering ? (*wandering)(t) : Flow{};
    for (int i = 0; i < 3; ++i) {
      const Signal& signal = velocity[static_cast<std::size_t>(i)];
      flow.velocity[i] += signal.at(t);
      flow.acceleration[i] += signal.rate(t);
    }
    return flow;
  };
}

void read_profile(const YamlMap& water, const Reading& reading, Water& result) {
  for (const YamlNode& node : list_up_to(water, "profile", most_depths)) {
    const YamlMap map = open(node, reading.file, "water profile", "water profile");
    if (!map.has("velocity"))
      throw Error(map.source(), "key 'velocity' is missing; add `velocity: [0.3, 0, 0]`");
    result.profile.push_back({map.number("depth"), map.vec3("velocity", {})});
  }
}

void read_waves(const YamlMap& water, const Reading& reading, Water& result) {
  if (!water.has("waves")) return;
  const YamlMap waves = water.map("waves", keys_of("water waves"));
  if (!result.level)
    throw water.error("waves", "waves need a surface; add `level: 0`, the height of the water");
  for (const YamlNode& node : list_up_to(waves, "regular", most_waves)) {
    const YamlMap map = open(node, reading.file, "water waves: regular", "water waves: regular");
    Wave wave = with_location(map, [&] {
      return regular_wave(map.number("height"), map.number("period"),
                          read_angle(map, "direction", 0, whole_turn), result.depth,
                          result.gravity);
    });
    wave.phase = read_angle(map, "phase", 0, whole_turn);
    result.waves.push_back(wave);
  }
  if (!waves.has("sea")) return;
  const YamlMap map = waves.map("sea", keys_of("water waves: sea"));
  SeaState sea;
  sea.significant_height = map.number("significant_height");
  sea.peak_period = map.number("peak_period");
  sea.peak_enhancement = map.number("peak_enhancement", sea.peak_enhancement);
  sea.direction = read_angle(map, "direction", sea.direction, whole_turn);
  sea.spread = map.magnitude("spread", sea.spread);
  refuse_degrees(map, "spread", sea.spread, std::numbers::pi);
  sea.components = whole_number(map, "components", sea.components);
  if (sea.components > static_cast<int>(most_waves))
    throw map.error("components", fmt::format("{} waves are asked for, the most are {}",
                                              sea.components, most_waves));
  sea.seed = water_seed(map, reading);
  const std::vector<Wave> irregular =
      with_location(map, [&] { return irregular_waves(sea, result.depth, result.gravity); });
  result.waves.insert(result.waves.end(), irregular.begin(), irregular.end());
}

// a surface lies across gravity
void check_upright(const YamlMap& water, const Vec3<double>& g) {
  if (std::hypot(g.x, g.y) <= 1e-9 * std::abs(g.z) && g.z < 0) return;
  throw water.error("level", fmt::format("the surface of the water is where gravity points down, "
                                         "against z; here it is [{}, {}, {}] m/s²",
                                         g.x, g.y, g.z));
}

}  // namespace

void read_water(const YamlMap& root, Reading& reading) {
  if (!root.has("water")) return;
  const YamlMap map = root.map("water", keys_of("water"));
  refuse_huge(map, "water");
  Scenario& scenario = reading.scenario;
  auto water = std::make_shared<Water>();
  water->density = positive_number(map, "density", water->density);
  water->viscosity = positive_number(map, "viscosity", water->viscosity);
  if (map.has("level")) {
    check_upright(map, scenario.model.gravity);
    water->level = map.number("level");
    water->gravity = norm(scenario.model.gravity);
  }
  if (map.has("depth") && !water->level)
    throw map.error("depth", "the depth is that below the surface; add `level: 0`, its height");
  water->depth = positive_number(map, "depth", water->depth);
  read_current(map, reading, *water);
  read_profile(map, reading, *water);
  read_waves(map, reading, *water);
  WetLinks wet = read_wet_links(map, root, water->density, reading);
  scenario.water = water;
  scenario.links_by_shape = wet.by_shape;
  scenario.water_part =
      with_location(map, [&] { return std::make_shared<const WaterPart>(water, wet.links); });
  // what is suspicious about the numbers
  with_location(map, [&] {
    const WaterLoads loads(scenario.model, wet.links);
    wet.notes.insert(wet.notes.end(), loads.warnings().begin(), loads.warnings().end());
    return 0;
  });
  const std::vector<std::string> doubts = water_doubts(scenario, wet.links);
  wet.notes.insert(wet.notes.end(), doubts.begin(), doubts.end());
  for (const std::string& note : wet.notes) scenario.water_notes.push_back("water: " + note);
  add_part(reading, map, scenario.water_part);
}

}  // namespace limber
