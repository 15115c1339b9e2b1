// Payloads of a scenario: what they weigh, what they look like, when they are carried.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/numbers.hpp"
#include "io/yaml_parts.hpp"
#include "model/nearest.hpp"
#include "scenario/equivalent_box.hpp"
#include "scenario/read.hpp"

namespace limber {

std::vector<Section> payload_sections() {
  return {
      {"payload",
       "What the robot carries, welded to one of its links, all the time or for a limited time. "
       "The "
       "replay shows a payload that is not carried where it is gripped or was released. It has "
       "the velocity of its link at once: what that takes counts as work.",
       {{"link", "text", "", "", "the link that carries it"},
        {"mass", "number", "kg", "", ""},
        {"com", "list of 3 numbers", "m", "[0, 0, 0]", "centre of mass in the link's frame"},
        {"inertia", "list of 3 or 6 numbers", "kg m²", "0",
         "about the centre of mass: xx, yy, zz [, xy, xz, yz]"},
        {"name", "text", "", "payload and its number", "for the replay and in messages"},
        {"from", "number or text", "s", "the beginning",
         "when it is gripped: a time, or the name of a trajectory's segment that begins then"},
        {"until", "number or text", "s", "the end", "when it is released, given likewise"},
        {"shapes", "list of mappings", "", "a box of equal inertia",
         "what it looks like, in the link's frame; see docs/robot-files.md"},
        {"hidden", "yes or no", "", "no", "left out of the controllers' model"}},
       {}},
  };
}

namespace {

void weld_payload(Spec& spec, const std::string& name, const std::string& link,
                  const Inertia<double>& inertia, const Source& source) {
  BodySpec load;
  load.name = name;
  load.inertia = inertia;
  load.source = source;
  spec.bodies.push_back(load);
  spec.add_joint(name, JointKind::fixed, link, name).source = source;
}

CarriedLoad load_of(const YamlMap& map, const std::string& name, const std::string& frame,
                    const Inertia<double>& inertia) {
  CarriedLoad load;
  load.name = name;
  load.frame = frame;
  load.inertia = inertia;
  load.shapes = read_shapes(map);
  if (load.shapes.empty()) {
    load.shapes = {equivalent_box(inertia)};
    load.shapes.front().color = {0.12, 0.37, 0.82, 1.0};
  }
  return load;
}

}  // namespace

double instant_of(const YamlMap& map, const std::string& key, const std::vector<Phase>& phases,
                  double fallback) {
  if (!map.has(key)) return fallback;
  const YamlNode& node = map.node(key);
  if (node.is_word() && parse_expression(node.text())) return map.number(key);
  const std::string name = map.text(key);
  std::vector<std::string> names;
  for (const Phase& phase : phases) names.push_back(phase.name);
  const auto count = std::count(names.begin(), names.end(), name);
  if (count == 0)
    throw map.error(key,
                    fmt::format("no segment of a trajectory has the name '{}'{}; give a time or "
                                "the `name` of a segment",
                                name, did_you_mean(name, names)));
  if (count > 1)
    throw map.error(key, fmt::format("{} segments have the name '{}'; give the one that is meant a "
                                     "name of its own",
                                     count, name));
  return phases[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                         names.begin())]
      .from;
}

void read_payload(const YamlMap& map, const std::string& prefix, Spec& robot, Spec& nominal,
                  Reading& reading) {
  std::vector<CarriedLoad>& loads = reading.scenario.payloads;
  const auto before = std::count_if(loads.begin(), loads.end(), [&](const CarriedLoad& load) {
    return load.name.starts_with(prefix);
  });
  const std::string name = map.text("name", fmt::format("payload {}", before + 1));
  const std::string link = find_link(robot, map, "link").name;
  if (!(map.number("mass") > 0)) throw map.error("mass", "must be positive");
  const Inertia<double> inertia = read_inertia(map);
  const bool hidden = flag(map, "hidden", false);
  loads.push_back(load_of(map, prefix + name, prefix + link, inertia));
  if (map.has("from") || map.has("until")) {
    reading.payloads.push_back(
        {map, {prefix + name, prefix + link, inertia}, loads.size() - 1, hidden});
    return;
  }
  weld_payload(robot, name, link, inertia, map.source());
  if (!hidden) weld_payload(nominal, name, link, inertia, map.source());
}

void read_timed_payloads(Reading& reading) {
  Scenario& scenario = reading.scenario;
  for (TimedPayload& payload : reading.payloads) {
    const YamlMap& map = payload.map;
    payload.settings.from = instant_of(map, "from", scenario.phases, 0);
    payload.settings.until = instant_of(map, "until", scenario.phases, HUGE_VAL);
    scenario.parts.push_back(
        with_location(map, [&] { return std::make_shared<const Payload>(payload.settings); }));
    with_location(map, [&] { return carried_inertia(payload.settings, scenario.model); });
    scenario.payloads[payload.load].from = payload.settings.from;
    scenario.payloads[payload.load].until = payload.settings.until;
  }
}

}  // namespace limber
