// External forces, forces between frames, and open-loop inputs of a scenario.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/sim/force_plugin.hpp>
#include <limber/sim/frame_force.hpp>

#include "io/numbers.hpp"
#include "scenario/read.hpp"

namespace limber {

std::vector<Section> force_sections() {
  return {
      {"inputs",
       "Open-loop inputs: what a joint is commanded as a function of time. They add to what "
       "controllers command. Each entry has one of `torque`, `force`, `voltage`, `current` and "
       "`command`. A joint without a drive takes a torque where it turns and a force where it "
       "slides, cut off at its effort limit; a drive takes what its `input` says, a linear "
       "actuator a `command`. Recorded as `JOINT.input`.",
       {{"joint", "text or list of texts", "", "", "joints with one freedom, or `joint.freedom`"},
        {"torque", "signal", "N m", "none", "of the joint, see *signal*"},
        {"force", "signal", "N", "none", "of the joint"},
        {"voltage", "signal", "V", "none", "of the motor"},
        {"current", "signal", "A", "none", "of the motor"},
        {"command", "signal", "", "none", "u of a linear actuator"}},
       {}},
      {"signal",
       "A function of time: a number, an expression of the time `t` [s] such as "
       "`5*sin(2*pi*t)` or `12*step(t-0.5)`, or a mapping with the keys of a table. Expressions "
       "have + - * / ^ ( ), `pi`, and the functions sin, cos, tan, asin, acos, atan, atan2, exp, "
       "log, sqrt, abs, min, max, and step(x), which is 1 where x is 0 or more, else 0. Within "
       "[ ] or { } put expressions with a comma in quotes. Integration steps end where step() or "
       "a table with `hold` jumps.",
       {{"times", "list of numbers", "s", "this or `file`",
         "the first value holds before the first time, the last one after the last"},
        {"values", "list of numbers", "", "this or `file`", "one for each time"},
        {"file", "text", "", "none",
         "a CSV file beside the scenario file: a first line with `time` and names, then numbers"},
        {"column", "text", "", "the only one besides `time`", "of the file"},
        {"interpolation", "one of linear, hold, cubic", "", "linear",
         "straight lines; the last value holds; the natural cubic spline"}},
       {}},
      {"external_forces",
       "Forces on frames: constant or signals, plus a table over time, plus a sine.",
       {{"frame", "text", "", "", "where it acts: at the origin of this frame"},
        {"name", "text", "", "external force", ""},
        {"axes", "one of world, frame", "", "world", "in which axes the numbers are meant"},
        {"force", "list of 3 signals", "N", "0", "numbers, expressions or tables, see *signal*"},
        {"moment", "list of 3 signals", "N m", "0", "likewise"},
        {"times", "list of numbers", "s", "none", "of the table"},
        {"forces", "list of lists of 3 numbers", "N", "0", "one for each time; straight between"},
        {"moments", "list of lists of 3 numbers", "N m", "0", "one for each time"},
        {"amplitude", "list of 3 numbers", "N", "0", "of a sine"},
        {"frequency", "number", "Hz", "0", "of the sine"},
        {"phase", "number", "rad", "0", "of the sine"}},
       {}},
      {"force_elements",
       "Forces that depend on the state. docs/forces.md has the equations.",
       {{"kind", "one of line, plugin", "", "line",
         "a force along the line between two frames; one of your own from a shared library"},
        {"name", "text", "", "the kind", "in messages and names of columns"}},
       {}},
      {"force_elements: line",
       "A spring, a damper, or any law, between points of two frames of any robots. The force is "
       "a tension: where it is positive the points are pulled together. What is given adds up.",
       {{"to", "text", "", "", "a frame"},
        {"from", "text", "", "world", "the other frame"},
        {"to_point", "list of 3 numbers", "m", "[0, 0, 0]", "in the axes of `to`, from its origin"},
        {"from_point", "list of 3 numbers", "m", "[0, 0, 0]", "in the axes of `from`"},
        {"stiffness", "number", "N/m", "0", "times length − `rest_length`; stores energy"},
        {"rest_length", "number", "m", "0", ""},
        {"damping", "number", "N s/m", "0", "times the rate of the length"},
        {"force", "text", "N", "none",
         "an expression of `length` [m], `rate` [m/s] and `t` [s] with the functions of *signal*, "
         "e.g. `-20*max(0, 0.3-length)^1.5`; does work"},
        {"lengths", "list of numbers", "m", "none", "of a table, increasing"},
        {"forces", "list of numbers", "N", "none",
         "one for each length, straight between, constant beyond the ends; stores energy"}},
       {"force_elements"}},
      {"force_elements: plugin",
       "A part of your own from a shared library, see docs/forces.md.",
       {{"file", "text", "", "", "the library, beside the scenario file"},
        {"settings", "mapping", "", "none", "numbers and texts for its constructor"}},
       {"force_elements"}},
  };
}

void read_plugin_values(const YamlMap& map, PluginValues& settings) {
  if (!map.has("settings")) return;
  if (!map.node("settings").is_mapping())
    throw map.error("settings", "numbers and texts by name are expected");
  for (const auto& [key, value] : map.node("settings").entries()) {
    if (!key.is_word() || !value.is_word())
      throw map.error("settings", "numbers and texts by name are expected");
    if (settings.values.contains(key.text()))
      throw map.error("settings", fmt::format("'{}' is given twice", key.text()));
    const std::optional<double> number = parse_expression(value.text());
    if (number) settings.values[key.text()] = *number;
    else settings.values[key.text()] = value.text();
  }
}

namespace {

Signal read_table(const YamlMap& map, const Reading& reading) {
  const auto interpolation = static_cast<Interpolation>(
      choice(map, "interpolation", {"linear", "hold", "cubic"}, "linear"));
  if (map.has("file") == map.has("times"))
    throw Error(map.source(), "a table has either `times` and `values`, or a `file`");
  if (map.has("file"))
    return with_location(map, [&] {
      return csv_signal(path_relative_to_file(reading, map.text("file")), map.text("column", ""),
                        interpolation);
    });
  for (const char* key : {"times", "values"})
    if (!map.has(key))
      throw Error(map.source(), fmt::format("key '{0}' is missing; add `{0}: […]`", key));
  return with_location(map, [&] {
    return Signal::table(map.numbers("times", {map.list("times").size()}),
                         map.numbers("values", {map.list("values").size()}), interpolation);
  });
}

std::vector<Vec3<double>> read_vectors(const YamlMap& map, const std::string& key,
                                       std::size_t count) {
  std::vector<Vec3<double>> all;
  for (const YamlNode& node : map.list(key)) {
    const YamlNode wrapped = YamlNode::mapping(key, node);
    all.push_back(YamlMap(wrapped, map.file(), map.source().element, {key}).vec3(key, {}));
  }
  if (!all.empty() && all.size() != count)
    throw map.error(key, fmt::format("the list has {} entries, `times` {}", all.size(), count));
  all.resize(count);
  return all;
}

void read_external_force(const YamlNode& node, Reading& reading) {
  const YamlMap map = open(node, reading.file, "external_forces", "external_forces");
  ExternalForceSettings settings;
  settings.name = map.text("name", settings.name);
  settings.frame = map.text("frame");
  ForceHistory& force = settings.force;
  force.axes =
      choice(map, "axes", {"world", "frame"}, "world") ? ForceAxes::frame : ForceAxes::world;
  const std::array<Signal, 3> moment = read_signals(map, "moment", reading),
                              push = read_signals(map, "force", reading);
  for (std::size_t i = 0; i < 3; ++i) {
    force.signals[i] = moment[i];
    force.signals[i + 3] = push[i];
  }
  force.times =
      map.has("times") ? map.numbers("times", {map.list("times").size()}) : std::vector<double>{};
  const std::vector<Vec3<double>> forces = read_vectors(map, "forces", force.times.size());
  const std::vector<Vec3<double>> moments = read_vectors(map, "moments", force.times.size());
  for (std::size_t k = 0; k < force.times.size(); ++k)
    force.values.push_back({moments[k], forces[k]});
  force.amplitude = {{}, map.vec3("amplitude", {})};
  force.frequency = map.magnitude("frequency", 0);
  force.phase = map.number("phase", 0);
  reading.forces[settings.name] = std::make_shared<const ForceHistory>(force);
  add_part(reading, map,
           with_location(map, [&] { return std::make_shared<const ExternalForce>(settings); }));
}

std::shared_ptr<const Part> read_line_force(const YamlMap& map) {
  FrameForceSettings settings;
  settings.name = map.text("name", "line");
  settings.from = map.text("from", settings.from);
  settings.to = map.text("to");
  settings.from_point = map.vec3("from_point", {});
  settings.to_point = map.vec3("to_point", {});
  settings.stiffness = map.magnitude("stiffness", 0);
  settings.rest_length = map.magnitude("rest_length", 0);
  settings.damping = map.magnitude("damping", 0);
  if (map.has("force")) {
    try {
      settings.law = frame_force_law(map.paragraph("force"));
    } catch (const Error& error) {
      throw map.error("force", error.what());
    }
  }
  settings.lengths = map.numbers("lengths", {map.list("lengths").size()});
  settings.tensions = map.numbers("forces", {map.list("forces").size()});
  return with_location(map, [&] { return std::make_shared<const FrameForce>(settings); });
}

void read_force_element(const YamlNode& node, Reading& reading) {
  const std::vector<std::string> kinds = {"line", "plugin"};
  std::string kind = "line";
  if (node.is_mapping() && node.find("kind").is_word()) kind = node.find("kind").text();
  const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  const YamlMap map =
      open(node, reading.file, "force_elements", "force_elements: " + (known ? kind : "line"));
  choice(map, "kind", kinds, "line");
  if (kind == "line") return add_part(reading, map, read_line_force(map));
  ForcePluginSettings settings;
  settings.name = map.text("name", "plugin");
  read_plugin_values(map, settings);
  add_part(reading, map, with_location(map, [&] {
             return std::shared_ptr<const Part>(
                 load_force(path_relative_to_file(reading, map.text("file")), settings));
           }));
}

// what the entry gives; exactly one of the five
InputQuantity quantity_of(const YamlMap& map) {
  std::vector<InputQuantity> found;
  for (const InputQuantity quantity :
       {InputQuantity::torque, InputQuantity::force, InputQuantity::voltage, InputQuantity::current,
        InputQuantity::command})
    if (map.has(name(quantity))) found.push_back(quantity);
  if (found.size() != 1)
    throw Error(map.source(),
                fmt::format("{} inputs found; give one of torque, force, voltage, current, command",
                            found.size()));
  return found[0];
}

// the drive of the freedom takes this quantity
void check_input(const YamlMap& map, const std::string& joint, int k, InputQuantity quantity,
                 const Reading& reading) {
  const std::string joint_name =
      velocity_variables(reading.scenario.model)[static_cast<std::size_t>(k)].joint;
  const auto& prescribed = reading.prescribed;
  if (std::find(prescribed.begin(), prescribed.end(), joint_name) != prescribed.end())
    throw map.error("joint", fmt::format("the motion of '{}' is prescribed, so an input has no "
                                         "effect; remove one of them",
                                         joint));
  const bool mechanical = quantity == InputQuantity::torque || quantity == InputQuantity::force;
  const auto drive = reading.driven.find(k);
  if (drive == reading.driven.end()) {
    if (mechanical) return;
    throw map.error(name(quantity),
                    fmt::format("joint '{}' has no drive; give it one in `drives`, or a torque or "
                                "force here",
                                joint));
  }
  const InputQuantity takes = drive->second.quantity;
  if (takes == quantity || (takes == InputQuantity::torque && mechanical)) return;
  throw map.error(name(quantity),
                  fmt::format("the drive of '{}' in line {} takes a {}; give it a "
                              "{} here{}",
                              joint, drive->second.line, name(takes), name(takes),
                              takes == InputQuantity::command || mechanical ||
                                      quantity == InputQuantity::command
                                  ? ""
                                  : fmt::format(", or write `input: {}` there", name(quantity))));
}

void read_open_loop(const YamlNode& node, Reading& reading, std::vector<int>& taken) {
  const YamlMap map = open(node, reading.file, "inputs", "inputs");
  const InputQuantity quantity = quantity_of(map);
  const Signal signal = read_signal(map, name(quantity), map.node(name(quantity)), reading);
  const std::vector<std::string> joints = words(map, "joint");
  if (joints.empty()) throw Error(map.source(), "key 'joint' is missing; add `joint: …`");
  for (const std::string& joint : joints) {
    const int k = with_location(map, [&] { return freedom(reading.scenario.model, joint); });
    if (std::find(taken.begin(), taken.end(), k) != taken.end())
      throw map.error("joint",
                      fmt::format("'{}' has an input already; add both in one expression", joint));
    taken.push_back(k);
    check_input(map, joint, k, quantity, reading);
    add_part(reading, map,
             std::make_shared<const OpenLoop>(OpenLoopSettings{joint, quantity, signal}));
  }
}

}  // namespace

Signal read_signal(const YamlMap& map, const std::string& key, const YamlNode& node,
                   const Reading& reading) {
  if (node.is_mapping()) {
    const std::string element = map.source().element + ": " + key;
    return read_table(open(node, reading.file, element, "signal"), reading);
  }
  if (!node.is_word())
    throw map.error(key, "a number, an expression of t, or a table `{times: …}` is expected");
  if (const std::optional<double> number = parse_expression(node.text())) return *number;
  try {
    return Signal::expression(node.text());
  } catch (const Error& error) {
    throw Error({map.file(), node.line(), map.source().element}, key + ": " + error.what());
  }
}

std::array<Signal, 3> read_signals(const YamlMap& map, const std::string& key,
                                   const Reading& reading) {
  std::array<Signal, 3> all;
  const std::vector<YamlNode> nodes = map.list(key);
  if (map.has(key) && nodes.size() != all.size())
    throw map.error(key, fmt::format("the list has {} entries, 3 expected", nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) all[i] = read_signal(map, key, nodes[i], reading);
  return all;
}

void read_forces(const YamlMap& root, Reading& reading) {
  for (const YamlNode& node : root.list("external_forces")) read_external_force(node, reading);
  for (const YamlNode& node : root.list("force_elements")) read_force_element(node, reading);
}

void read_inputs(const YamlMap& root, Reading& reading) {
  std::vector<int> taken;
  for (const YamlNode& node : root.list("inputs")) read_open_loop(node, reading, taken);
}

}  // namespace limber
