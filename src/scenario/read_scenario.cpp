// Scenario files: the outermost keys, the run, events, what is recorded and shown.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/plausible.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/value_event.hpp>

#include "io/embedded.hpp"
#include "io/text_file.hpp"
#include "model/nearest.hpp"
#include "scenario/overrides.hpp"
#include "scenario/read_vehicles.hpp"
#include "scenario/water_doubts.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const IntegratorMethod& method : integrator_methods()) all.emplace_back(method.name);
    for (const IntegratorMethod& method : contact_methods()) all.emplace_back(method.name);
    return all;
  }();
  return names;
}

}  // namespace

std::vector<Section> run_sections() {
  static const std::string methods = fmt::format("one of {}", fmt::join(method_names(), ", "));
  return {
      {"scenario",
       "The outermost keys.",
       {{"title", "text", "", "the file's name", "shown on top of the report"},
        {"description", "text", "", "none", "a paragraph for the report"},
        {"duration", "number", "s", "", "how long to simulate"},
        {"gravity", "list of 3 numbers", "m/s²", "that of the (first) robot", "in world axes"},
        {"seed", "number", "", "0", "of all random numbers: the same seed, the same run"},
        {"robots", "list of mappings", "", "", "see *robots*"},
        {"meshes", "list of texts", "", "none",
         "folders, relative to this file, where the meshes of robots are looked for besides the "
         "usual places (docs/robot-files.md#meshes)"},
        {"integrator", "mapping", "", "rk4 with steps of 1 ms", "see *integrator*"},
        {"loops", "mapping or text", "", "project",
         "how loops of closed mechanisms are kept closed, and more of them; see *loops*"},
        {"grasps", "list of mappings", "", "none",
         "loops that are closed for a while, see *grasps*"},
        {"trajectories", "list of mappings", "", "none", "see *trajectories*"},
        {"controllers", "list of mappings", "", "none", "see *controllers*"},
        {"drives", "list of mappings", "", "none",
         "see *drives*; a freedom without a drive takes its controller's command as its force, cut "
         "off at its effort limit"},
        {"friction", "mapping", "", "stick", "see *friction*"},
        {"inputs", "list of mappings", "", "none", "see *inputs*"},
        {"prescribed", "list of mappings", "", "none", "see *prescribed*"},
        {"external_forces", "list of mappings", "", "none", "see *external_forces*"},
        {"force_elements", "list of mappings", "", "none", "see *force_elements*"},
        {"joint_limits", "mapping", "", "bumpers", "see *joint_limits*"},
        {"contact", "mapping", "", "nothing touches", "see *contact*"},
        {"water", "mapping", "", "none: robots are in the air", "see *water*"},
        {"thrusters", "list of mappings", "", "none", "see *thrusters*"},
        {"fins", "list of mappings", "", "none", "see *fins*"},
        {"ballasts", "list of mappings", "", "none", "see *ballasts*"},
        {"tethers", "list of mappings", "", "none", "see *tethers*"},
        {"environments", "list of mappings", "", "none",
         "surfaces and holes that a frame meets, see *environments*"},
        {"events", "list of mappings", "", "none", "see *events*"},
        {"record", "mapping", "", "see there", "see *record*"},
        {"report", "mapping", "", "see there", "see *report*"},
        {"limits", "mapping", "", "see there", "see *run limits*"},
        {"compare", "list of texts", "", "none",
         "scenarios that are run too and drawn beside this one: files beside this file, or names "
         "of "
         "shipped ones"},
        {"analyse", "mapping", "", "none", "for `limber analyse`, see *analyse*"}},
       {}},
      {"integrator",
       "`limber study integrators` compares the methods.",
       {{"method", methods.c_str(), "", "rk4; with `contact` time_stepping", ""},
        {"step", "number", "s", "1e-3", "fixed steps: their length; error control: the first one"},
        {"relative_tolerance", "number", "", "1e-8", "of methods with error control"},
        {"absolute_tolerance", "number", "", "1e-10", "of methods with error control"},
        {"max_step", "number", "s", "0.05", "of methods with error control"},
        {"threads", "number", "", "1",
         "block methods, and islands of contacts with time_stepping: how many work at once"},
        {"event_tolerance", "number", "s", "1e-9",
         "how sharply events are located; a long run needs a larger one"},
        {"speed_limit", "number", "rad/s, m/s", "1e5", "a joint faster than this has diverged"}},
       {}},
      {"run limits",
       "What a run may take: more is refused before it begins, or ends it. Raise them for a run "
       "that "
       "is meant to be longer.",
       {{"records", "number", "", "1e7", "rows of the recording"},
        {"steps", "number", "", "1e9",
         "of the integrator, those that are tried again included; and samples of a controller"}},
       {}},
      {"joint_limits",
       "What happens where a joint, or one that follows another, leaves the range that its file "
       "gives, or begins outside. A bumper is a spring with a damper that pushes back and never "
       "pulls. Unless they are given, its stiffness is ω² times the inertia of the freedom at the "
       "limit (other joints free, rotors included), and its damping half of the critical one, with "
       "a force of at most four times the spring's. ω is 0.2 rad per step of rk4, 0.1 of midpoint, "
       "0.05 of the methods of first order, 0.1 over the points of a block of the "
       "predictor-correctors, and at most 300 rad/s; 300 rad/s with error control. So the method "
       "is stable and resolves the blow, and a joint that arrives with a speed v gives way by less "
       "than v/ω. A joint that begins outside is not thrown: its bumper stands where it begins, "
       "until the joint is back in its range. A run that passed a limit says so in its first line "
       "and on top of the report, with the largest depth.",
       {{"at_limit", "one of watch, stop, bumper, ignore", "", "bumper",
         "the instant is listed; the run ends; a spring and damper push back; nothing"},
        {"stiffness", "number", "N m/rad, N/m", "see above", "of the bumper"},
        {"damping", "number", "N m s/rad, N s/m", "see above",
         "of the bumper while it is pressed"}},
       {}},
      {"events",
       "Instants that are located exactly and listed.",
       {{"value", "text", "", "",
         "JOINT.position, JOINT.velocity (of a joint with several variables `root.x.position`, "
         "`root.wx.velocity`), or FRAME.x, .y, .z (of a frame's origin in the world)"},
        {"crosses", "number", "", "0", "the threshold"},
        {"direction", "one of rising, falling, both", "", "both", ""},
        {"then", "one of watch, stop", "", "watch", "go on, or end the run there"},
        {"text", "text", "", "what crosses what", "how it is called in the report"}},
       {}},
  };
}

std::string path_relative_to_file(const Reading& reading, const std::string& path) {
  const fs::path given(path);
  const std::string file = given.is_absolute() ? path : (fs::path(reading.folder) / given).string();
  reading.scenario.files.push_back(file);
  return file;
}

std::vector<double> numbers_for(const YamlMap& map, const std::string& key,
                                const std::vector<std::string>& names, double fallback) {
  std::vector<double> values(names.size(), fallback);
  if (!map.has(key)) return values;
  if (map.has_list(key)) return map.numbers(key, {names.size()});
  if (map.node(key).is_mapping()) {
    const YamlMap by_name = map.map(key, names);
    for (std::size_t k = 0; k < names.size(); ++k) values[k] = by_name.number(names[k], fallback);
    return values;
  }
  std::fill(values.begin(), values.end(), map.number(key));
  return values;
}

std::vector<std::string> words(const YamlMap& map, const std::string& key) {
  if (!map.has(key)) return {};
  if (!map.has_list(key)) return {map.text(key)};
  std::vector<std::string> all;
  for (const YamlNode& node : map.list(key)) {
    if (!node.is_word()) throw map.error(key, "a list of words is expected");
    all.push_back(node.text());
  }
  return all;
}

void add_part(Reading& reading, const YamlMap& map, std::shared_ptr<const Part> part) {
  std::vector<std::shared_ptr<const Part>>& parts = reading.scenario.parts;
  for (const auto& other : parts)
    if (other->name() == part->name())
      throw Error(map.source(), fmt::format("'{}' is the name of another part of this scenario; "
                                            "give this one a `name` of its own",
                                            part->name()));
  with_location(map, [&] {  // errors get this line
    Model copy = reading.scenario.model;
    copy.loops.clear();
    part->clone()->attach(copy);
    return 0;
  });
  parts.push_back(std::move(part));
}

int whole_number(const YamlMap& map, const std::string& key, int fallback) {
  const double value = map.magnitude(key, fallback);
  if (value != std::floor(value) || value > 1e9)
    throw map.error(key, "a whole number up to 1e9 is expected");
  return static_cast<int>(value);
}

namespace {

void read_integrator(const YamlMap& root, Scenario& scenario) {
  if (root.has("contact") && root.node("contact").is_mapping()) {
    const YamlNode method = root.node("contact").find("method");
    if (method.is_word() && method.text() == "event")
      scenario.simulation.integrator.method = "dopri5";
    else if (!method.is_word() || method.text() != "compliant")
      scenario.simulation.integrator.method = contact_methods().front().name;
  }
  if (!root.has("integrator")) return;
  const YamlMap map = root.map("integrator", keys_of("integrator"));
  SimulationSettings& run = scenario.simulation;
  IntegratorSettings& settings = run.integrator;
  settings.method = method_names()[choice(map, "method", method_names(), settings.method)];
  settings.step = map.number("step", settings.step);
  settings.relative_tolerance = map.number("relative_tolerance", settings.relative_tolerance);
  settings.absolute_tolerance = map.number("absolute_tolerance", settings.absolute_tolerance);
  settings.max_step = map.number("max_step", settings.max_step);
  settings.threads = whole_number(map, "threads", settings.threads);
  run.event_tolerance = map.number("event_tolerance", run.event_tolerance);
  run.speed_limit = map.number("speed_limit", run.speed_limit);
}

void read_limits(const YamlMap& root, Scenario& scenario) {
  if (!root.has("limits")) return;
  const YamlMap map = root.map("limits", keys_of("run limits"));
  RunLimits& limits = scenario.simulation.limits;
  limits.records = map.number("records", limits.records);
  limits.steps = map.number("steps", limits.steps);
}

// the place in the file where a setting stands or could stand
Error error_at(const YamlMap& root, const SettingFault& fault) {
  if (fault.setting == "duration") return root.error("duration", fault.reason);
  std::string section = "integrator", key = fault.setting;
  if (key == "record_interval") section = "record", key = "interval";
  if (key == "records" || key == "steps") section = "limits";
  if (key == "sample_time") section = "controllers";
  if (key == "drift" || key == "rate" || key == "tolerance" || key == "largest_gap")
    section = "loops";
  if (!root.has(section) || !root.node(section).is_mapping())
    return root.error(section, key + ": " + fault.reason);
  return root.map(section, keys_of(section == "limits" ? "run limits" : section))
      .error(key, fault.reason);
}

void read_joint_limits(const YamlMap& root, Scenario& scenario) {
  JointLimitSettings settings;
  settings.frequency = bumper_frequency(scenario.simulation.integrator);
  std::size_t kind = static_cast<std::size_t>(settings.at_limit);
  if (root.has("joint_limits")) {
    const YamlMap map = root.map("joint_limits", keys_of("joint_limits"));
    kind = choice(map, "at_limit", {"watch", "stop", "bumper", "ignore"}, "bumper");
    if (map.has("stiffness")) settings.stiffness = map.number("stiffness");
    if (map.has("damping")) settings.damping = map.number("damping");
  }
  if (kind == 3) return;
  settings.at_limit = static_cast<AtLimit>(kind);
  try {
    scenario.parts.push_back(std::make_shared<JointLimits>(settings));
  } catch (const Error& error) {
    throw root.error("joint_limits", error.what());
  }
}

// limits that the scenario ignores are none
Model with_enforced_limits(const Scenario& scenario) {
  Model model = scenario.model;
  const auto is_limits = [](const auto& part) {
    return dynamic_cast<const JointLimits*>(part.get()) != nullptr;
  };
  if (std::none_of(scenario.parts.begin(), scenario.parts.end(), is_limits))
    for (DofSpec& dof : model.column_dof) {
      dof.lower = -HUGE_VAL;
      dof.upper = HUGE_VAL;
    }
  return model;
}

void add_plausibility_warnings(Scenario& scenario) {
  const auto add = [&](const std::vector<std::string>& found, const char* where) {
    for (const std::string& one : found) scenario.warnings.push_back(where + one);
  };
  add(suspicious_inertias(scenario.spec), "");
  add(suspicious_state(with_enforced_limits(scenario), scenario.q, scenario.v),
      "where the run begins: ");
  add(overlaps_at_start(scenario), "where the run begins: ");
  add(wet_start_doubts(scenario), "where the run begins: ");
}

void read_events(const YamlMap& root, Reading& reading) {
  for (const YamlNode& node : root.list("events")) {
    const YamlMap map = open(node, reading.file, "events", "events");
    const std::string value = map.text("value");
    const double threshold = map.number("crosses", 0);
    const auto crossing = static_cast<EventSpec::Crossing>(
        choice(map, "direction", {"rising", "falling", "both"}, "both"));
    const auto then = static_cast<Then>(choice(map, "then", {"watch", "stop"}, "watch"));
    const std::string text = map.text("text", fmt::format("{} crosses {}", value, threshold));
    try {
      reading.scenario.parts.push_back(std::make_shared<ValueEvent>(
          text, named_value(reading.scenario.model, value), threshold, crossing, then));
    } catch (const Error& error) {
      throw map.error("value", error.what());
    }
  }
}

// another scenario: beside this one, with or without its extension, or one that ships with Limber
std::string other_scenario(const YamlMap& root, const Reading& reading, const std::string& name) {
  const std::vector<std::string> shipped = shipped_scenarios();
  const std::string here = path_relative_to_file(reading, name);
  std::error_code ignored;  // names that no file can have
  for (const std::string& path : {here, path_relative_to_file(reading, name + ".yaml")})
    if (fs::is_regular_file(path, ignored)) return path;
  if (std::find(shipped.begin(), shipped.end(), name) != shipped.end() ||
      fs::is_regular_file(name, ignored))
    return name;
  throw root.error("compare",
                   fmt::format("there is no file '{}', and no shipped scenario of this "
                               "name; shipped are {}{}",
                               here, fmt::join(shipped, ", "), did_you_mean(name, shipped)));
}

Scenario read_document(const YamlNode& document, const std::string& file,
                       const std::string& folder) {
  const YamlMap root = open(document, file, "", "scenario");
  Scenario scenario;
  scenario.file = file;
  scenario.files = {file};
  scenario.title = root.text("title", stem(file));
  scenario.description = root.paragraph("description");
  scenario.simulation.duration = root.number("duration");
  if (!(scenario.simulation.duration > 0) || !std::isfinite(scenario.simulation.duration))
    throw root.error("duration", "must be positive and finite");
  read_integrator(root, scenario);
  read_limits(root, scenario);
  read_loops(root, scenario);
  read_record(root, scenario);
  if (const auto fault = find_fault(scenario.simulation)) throw error_at(root, *fault);
  scenario.simulation.seed = static_cast<std::uint64_t>(whole_number(root, "seed", 0));
  Reading reading{scenario, file, folder};
  for (const std::string& meshes : words(root, "meshes"))
    scenario.mesh_folders.push_back(fs::path(meshes).is_absolute() || folder.empty()
                                        ? meshes
                                        : (fs::path(folder) / meshes).string());
  read_robots(root, reading);
  read_water(root, reading);
  read_vehicles(root, reading);
  read_forces(root, reading);
  read_contact(root, reading);
  read_environments(root, reading);
  read_control(root, reading);
  read_grasps(root, reading);
  choose_record_interval(root, scenario);
  read_drives(root, reading);
  read_inputs(root, reading);
  read_joint_limits(root, scenario);
  read_events(root, reading);
  check_recorded(root, scenario);
  read_report(root, reading);
  for (const std::string& other : words(root, "compare"))
    scenario.compare.push_back(other_scenario(root, reading, other));
  read_analysis(root, reading);
  scenario.warnings = scenario.model.warnings;
  add_plausibility_warnings(scenario);
  scenario.warnings.insert(scenario.warnings.end(), scenario.water_notes.begin(),
                           scenario.water_notes.end());
  // several robots of one file have its warnings once
  std::set<std::string> said;
  std::erase_if(scenario.warnings,
                [&](const std::string& one) { return !said.insert(one).second; });
  const System system = scenario.make_system();  // says what does not fit together
  if (const auto fault = find_fault(scenario.simulation, system)) throw error_at(root, *fault);
  return scenario;
}

}  // namespace

System Scenario::make_system() const {
  System system(model);
  for (const auto& part : parts) system.add(part->clone());
  return system;
}

Scenario parse_scenario(std::string_view text, const std::string& file,
                        std::span<const Override> overrides) {
  expect_text(text, file, "scenario (YAML)");
  const YamlNode document = parse_yaml_document(text, file);
  for (const Override& one : overrides) apply(one, document);
  try {
    return read_document(document, file, fs::path(file).parent_path().string());
  } catch (const Error& error) {
    if (overrides.empty()) throw;
    std::vector<std::string> changes;
    for (const Override& one : overrides) changes.push_back(one.path + "=" + one.value);
    throw Error(fmt::format("{} (with {})", error.what(), fmt::join(changes, ", ")));
  }
}

Scenario read_scenario(const std::string& file, std::span<const Override> overrides) {
  const bool is_file =
      file.ends_with(".yaml") || file.ends_with(".yml") || fs::is_regular_file(file);
  if (is_file)
    return read_or_explain(file,
                           [&] { return parse_scenario(read_text_file(file), file, overrides); });
  for (const EmbeddedFile& shipped : embedded_scenarios())
    if (shipped.name == file)
      return parse_scenario(shipped.text, std::string(shipped.file), overrides);
  const std::vector<std::string> names = shipped_scenarios();
  throw Error(
      fmt::format("'{}' is neither a scenario file (.yaml) nor a shipped scenario; shipped "
                  "are {}{}",
                  file, fmt::join(names, ", "), did_you_mean(file, names)));
}

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> names;
  for (const EmbeddedFile& shipped : embedded_scenarios()) names.emplace_back(shipped.name);
  return names;
}

}  // namespace limber
