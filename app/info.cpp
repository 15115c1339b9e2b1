// limber info: what is in a robot file.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include <limber/collision/collision_scene.hpp>
#include <limber/constraint/assemble.hpp>
#include <limber/constraint/loop_analysis.hpp>
#include <limber/io/mesh_files.hpp>
#include <limber/model/plausible.hpp>
#include <limber/model/variables.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "computed_water.hpp"
#include "info_water.hpp"
#include "output.hpp"
#include "robot.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

// rows of a table, and warnings, that people read; of larger robots the rest is counted
constexpr std::size_t most_rows = 200;

struct InfoOptions {
  RobotOptions robot;
  bool json = false;
  bool all = false;
  double water = 0;  ///< density of that which the robot is in [kg/m³]; 0: none
  std::size_t rows() const { return all ? static_cast<std::size_t>(-1) : most_rows; }
};

std::string rest(std::size_t count, std::size_t rows) {
  if (count <= rows) return "";
  return fmt::format("  … and {} more; --all shows them\n", count - rows);
}

// what each body of the model weighs, in the user's body frame: all links that move together,
// rotors on them locked, as the file has them
std::vector<Inertia<double>> body_inertias(const Robot& robot) {
  const Model& model = robot.model;
  std::vector<Inertia<double>> sums(model.parent.size());
  std::unordered_map<std::string, const BasicFrame<double>*> frames;
  for (const auto& frame : model.frames) frames.emplace(frame.name, &frame);
  for (const BodySpec& link : robot.spec.bodies) {
    const auto& frame = *frames.at(link.name);
    const auto body = static_cast<std::size_t>(frame.body);
    sums[body] += apply_inverse(model.body_placement[body], frame.placement) * link.inertia;
  }
  return sums;
}

std::string joint_of(const Model& model, std::size_t body) {
  return body == 0 ? "" : model.joint_name[body];
}

Json joints_to_json(const Robot& robot) {
  Json list = Json::array();
  for (const Joint& joint : robot.joints) {
    Json entry{{"name", joint.name},
               {"kind", name(joint.kind)},
               {"q", {joint.q_start, joint.q_count}},
               {"v", {joint.v_start, joint.v_count}},
               {"parent", joint.parent},
               {"child", joint.child}};
    if (joint.mimic)
      entry["mimic"] = {{"joint", joint.mimic->joint},
                        {"multiplier", joint.mimic->multiplier},
                        {"offset", joint.mimic->offset}};
    list.push_back(std::move(entry));
  }
  return list;
}

Json bodies_to_json(const Robot& robot) {
  const Model& model = robot.model;
  const std::vector<Inertia<double>> inertias = body_inertias(robot);
  Json list = Json::array();
  for (std::size_t body = 0; body < model.parent.size(); ++body) {
    if (model.is_rotor[body]) continue;
    const Inertia<double>& inertia = inertias[body];
    const Sym3<double> I = inertia.rotational_about_com();
    Json entry{{"name", model.body_name[body]}, {"mass", inertia.m}};
    entry["com"] = inertia.m > 0 ? to_json(inertia.com()) : Json();
    entry["inertia"] = to_json(to_mat3(I));
    if (body > 0) {
      entry["parent"] = model.body_name[static_cast<std::size_t>(model.parent[body])];
      entry["joint"] = model.joint_name[body];
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json frames_to_json(const Model& model) {
  Json list = Json::array();
  for (const auto& frame : model.frames)
    list.push_back(
        {{"name", frame.name}, {"body", model.body_name[static_cast<std::size_t>(frame.body)]}});
  return list;
}

std::vector<std::string> warnings_of(const Robot& robot) {
  std::vector<std::string> all = robot.model.warnings;
  const std::vector<std::string> warnings = suspicious_inertias(robot.spec);
  all.insert(all.end(), warnings.begin(), warnings.end());
  return all;
}

const char* kind_of(const LoopSpec& loop) {
  if (loop.kind == LoopSpec::Kind::joint) return name(loop.joint_kind);
  return name(loop.kind);
}

// what a loop ties: "foot and rod", "foot and the world", "finger to thumb"
std::string ends_of(const LoopSpec& loop) {
  const auto end = [](const std::string& text) { return text.empty() ? "the world" : text; };
  if (loop.kind != LoopSpec::Kind::coupling)
    return fmt::format("{} and {}", end(loop.body_a), end(loop.body_b));
  return loop.leader.empty() ? loop.joint : fmt::format("{} to {}", loop.joint, loop.leader);
}

// what the loops do at the robot's own pose; of very large robots it is not computed
constexpr int most_analysed = 1000;
struct Loops {
  explicit Loops(const Model& model)
      : mechanism(model), pose(model_pose(mechanism)), found(analyse_loops(mechanism, 0, pose)) {}
  Mechanism mechanism;
  std::vector<double> pose;
  LoopAnalysis found;
};
bool is_analysed(const Model& model) { return !model.loops.empty() && model.nv <= most_analysed; }

Json mobility_to_json(const Model& model) {
  const Loops loops(model);
  Json redundant = Json::array(), gaps = Json::object();
  for (const int row : loops.found.redundant_rows)
    redundant.push_back(loops.mechanism.row_name(row));
  for (int row = 0; row < loops.mechanism.rows; ++row)
    gaps[loops.mechanism.row_name(row)] = loops.found.gap[static_cast<std::size_t>(row)];
  return {{"mobility", loops.found.mobility}, {"position_mobility", loops.found.position_mobility},
          {"rows", loops.mechanism.rows},     {"rank", loops.found.rank},
          {"redundant", redundant},           {"gaps", gaps}};
}

std::string mobility_to_text(const Model& model, std::size_t rows) {
  if (!is_analysed(model)) return "";
  const Loops loops(model);
  std::vector<std::string> lines = describe(loops.mechanism, loops.found);
  std::string text;
  for (const std::string& line : std::span(lines).first(std::min(rows, lines.size())))
    text += line + "\n";
  return text + rest(lines.size(), rows);
}

// loops, actuators, sensors and named states
void add_extras(const Spec& spec, Json& info) {
  info["loops"] = info["actuators"] = info["sensors"] = info["keyframes"] = Json::array();
  for (const LoopSpec& loop : spec.loops)
    info["loops"].push_back({{"name", loop.name},
                             {"kind", kind_of(loop)},
                             {"ties", ends_of(loop)},
                             {"active", loop.is_active}});
  for (const ActuatorSpec& actuator : spec.actuators)
    info["actuators"].push_back({{"name", actuator.name},
                                 {"kind", actuator.kind},
                                 {"joint", actuator.joint},
                                 {"gear", actuator.gear[0]},
                                 {"gain", actuator.gain},
                                 {"bias", actuator.bias}});
  for (const SensorSpec& sensor : spec.sensors)
    info["sensors"].push_back({{"name", sensor.name},
                               {"kind", sensor.kind},
                               {"object", sensor.object},
                               {"object_kind", sensor.object_kind}});
  for (const KeyframeSpec& key : spec.keyframes) info["keyframes"].push_back(key.name);
}

std::string notes_to_text(const char* title, const std::vector<std::string>& notes,
                          std::size_t rows) {
  if (notes.empty()) return "";
  std::string text = fmt::format("\n{}:\n", title);
  for (const std::string& note : std::span(notes).first(std::min(rows, notes.size())))
    text += "  " + note + "\n";
  return text + rest(notes.size(), rows);
}

// a mesh that the file names, and the file that it is
struct NamedMesh {
  std::string name;
  FoundMesh found;
};

// each once
std::vector<NamedMesh> meshes_of(const Robot& robot) {
  std::map<std::string, std::string> names;  // and the robot file
  for (const BodySpec& body : robot.spec.bodies)
    for (const ShapeSpec& shape : body.shapes)
      if (!shape.mesh_file.empty()) names.emplace(shape.mesh_file, body.source.file);
  for (const ShapeSpec& shape : robot.spec.world_shapes)
    if (!shape.mesh_file.empty()) names.emplace(shape.mesh_file, robot.spec.source.file);
  std::vector<NamedMesh> meshes;
  for (const auto& [name, file] : names)
    meshes.push_back({name, find_mesh(name, mesh_search(file, robot.mesh_folders))});
  return meshes;
}

Json meshes_to_json(const Robot& robot) {
  Json list = Json::array();
  for (const NamedMesh& mesh : meshes_of(robot)) {
    list.push_back({{"name", mesh.name}});
    if (mesh.found.file.empty()) list.back()["missing"] = describe(mesh.found);
    else list.back()["file"] = mesh.found.file;
  }
  return list;
}

std::string meshes_to_text(const Robot& robot, std::size_t rows) {
  const std::vector<NamedMesh> meshes = meshes_of(robot);
  std::vector<std::string> missing;
  for (const NamedMesh& mesh : meshes)
    if (mesh.found.file.empty())
      missing.push_back(fmt::format("{}: {}", mesh.name, describe(mesh.found)));
  if (meshes.empty()) return "";
  std::string text = fmt::format("\nmeshes: {} of {} files are there\n",
                                 meshes.size() - missing.size(), meshes.size());
  return text + (missing.empty() ? ""
                                 : notes_to_text("missing meshes (--meshes FOLDER names a folder "
                                                 "that has them)",
                                                 missing, rows));
}

Json to_json(const Robot& robot, double water) {
  const Model& model = robot.model;
  Json info = {{"name", model.name},
               {"format", robot.spec.format},
               {"nq", model.nq},
               {"nv", model.nv},
               {"mass", model.mass()},
               {"joints", joints_to_json(robot)},
               {"bodies", bodies_to_json(robot)},
               {"frames", frames_to_json(model)},
               {"meshes", meshes_to_json(robot)},
               {"water", water_to_json(robot.spec)},
               {"contacts_left_out", contacts_left_out(robot.spec, model)},
               {"ignored", robot.spec.ignored},
               {"warnings", warnings_of(robot)}};
  add_extras(robot.spec, info);
  if (water > 0) info["in_water"] = computed_water_to_json(robot, water);
  if (is_analysed(model)) info["closure"] = mobility_to_json(model);
  return info;
}

std::string place(int start, int count) {
  if (count == 0) return "-";
  return count == 1 ? fmt::format("{}", start) : fmt::format("{}-{}", start, start + count - 1);
}

// the limits of a joint, or the joint that it mimics
std::string remarks(const Robot& robot, const std::vector<Variable>& variables,
                    const Joint& joint) {
  if (joint.mimic)
    return fmt::format("= {} {} {:+}", joint.mimic->multiplier, joint.mimic->joint,
                       joint.mimic->offset);
  if (joint.v_count != 1) return "";
  const DofSpec& dof = robot.model.dof[static_cast<std::size_t>(joint.v_start)];
  if (!std::isfinite(dof.lower) && !std::isfinite(dof.upper)) return "";
  return fmt::format("{:.4g} to {:.4g} {}", dof.lower, dof.upper,
                     variables[static_cast<std::size_t>(joint.v_start)].unit);
}

std::string joints_to_text(const Robot& robot, std::size_t rows) {
  constexpr auto left = Table::Align::left;
  Table table({{"joint", left},
               {"kind", left},
               {"q"},
               {"v"},
               {"parent", left},
               {"child", left},
               {"range", left}});
  const std::vector<Variable> variables = velocity_variables(robot.model);
  for (const Joint& joint : std::span(robot.joints).first(std::min(rows, robot.joints.size())))
    table.add({joint.name, name(joint.kind), place(joint.q_start, joint.q_count),
               place(joint.v_start, joint.v_count), joint.parent, joint.child,
               remarks(robot, variables, joint)});
  return table.text() + rest(robot.joints.size(), rows);
}

std::string bodies_to_text(const Robot& robot, std::size_t rows) {
  const Model& model = robot.model;
  constexpr auto left = Table::Align::left;
  Table table({{"body", left},
               {"carried by", left},
               {"mass [kg]"},
               {"com x [m]"},
               {"y"},
               {"z"},
               {"links", left}});
  const std::vector<Inertia<double>> inertias = body_inertias(robot);
  std::vector<std::vector<std::string>> links(model.parent.size());
  for (const auto& frame : model.frames)
    if (const auto body = static_cast<std::size_t>(frame.body); frame.name != model.body_name[body])
      links[body].push_back(frame.name);
  std::size_t count = 0;
  for (std::size_t body = 0; body < model.parent.size(); ++body) {
    if (model.is_rotor[body] || ++count > rows) continue;
    const Inertia<double>& inertia = inertias[body];
    const Vec3<double> com = inertia.m > 0 ? inertia.com() : Vec3<double>{};
    table.add({model.body_name[body], joint_of(model, body), readable(inertia.m), readable(com.x),
               readable(com.y), readable(com.z), fmt::format("{}", fmt::join(links[body], ", "))});
  }
  return table.text() + rest(count, rows);
}

// "name, name, name"; of many the first
template <class List>
std::string names_of(const char* what, const List& list, std::size_t rows) {
  if (list.empty()) return "";
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name.empty() ? entry.kind : entry.name);
  const std::size_t shown = std::min(rows, names.size());
  return fmt::format("{}: {}\n{}", what, fmt::join(std::span(names).first(shown), ", "),
                     rest(names.size(), rows));
}

std::string loops_to_text(const Spec& spec, std::size_t rows) {
  if (spec.loops.empty()) return "";
  constexpr auto left = Table::Align::left;
  Table table({{"loop", left}, {"kind", left}, {"ties", left}, {"", left}});
  for (const LoopSpec& loop : std::span(spec.loops).first(std::min(rows, spec.loops.size())))
    table.add({loop.name, kind_of(loop), ends_of(loop), loop.is_active ? "" : "not active"});
  return "\n" + table.text() + rest(spec.loops.size(), rows);
}

std::string keyframes_to_text(const Spec& spec) {
  std::vector<std::string> names;
  for (const KeyframeSpec& key : spec.keyframes) names.push_back(key.name);
  return names.empty() ? "" : fmt::format("named states: {}\n", fmt::join(names, ", "));
}

std::string to_text(const Robot& robot, double water, std::size_t rows) {
  const Spec& spec = robot.spec;
  const Model& model = robot.model;
  std::string text =
      fmt::format("{}: nv = {} degrees of freedom, nq = {} position numbers, {} kg\nread as {}\n\n",
                  model.name, model.nv, model.nq, readable(model.mass()), spec.format);
  text += joints_to_text(robot, rows) + "\n" + bodies_to_text(robot, rows);
  text += loops_to_text(spec, rows) + mobility_to_text(model, rows);
  const std::string extras = names_of("actuators", spec.actuators, rows) +
                             names_of("sensors", spec.sensors, rows) + keyframes_to_text(spec);
  if (!extras.empty()) text += "\n" + extras;
  text += water > 0 ? computed_water_to_text(robot, water, rows) : water_to_text(spec, rows);
  text += meshes_to_text(robot, rows);
  text += notes_to_text("do not touch each other", contacts_left_out(spec, model), rows);
  text += notes_to_text("not read", spec.ignored, rows);
  text += notes_to_text("warnings", warnings_of(robot), rows);
  if (!model.singular_reason.empty()) text += "\nforward dynamics: " + model.singular_reason + "\n";
  return text;
}

// without the world and the rotors
int moving_bodies(const Model& model) {
  int count = model.bodies() - 1;
  for (const std::uint8_t rotor : model.is_rotor) count -= rotor;
  return count;
}

void list_shipped_robots(bool json) {
  const std::vector<std::string> names = shipped_robots();
  if (json) return write_line({{"robots", names}});
  Table table({{"robot", Table::Align::left}, {"freedoms"}, {"bodies"}, {"mass [kg]"}});
  for (const std::string& robot : names) {
    const Model model = load(robot);
    table.add({robot, fmt::format("{}", model.nv), fmt::format("{}", moving_bodies(model)),
               readable(model.mass())});
  }
  write("Robots that ship with Limber:\n" + table.text() +
        "`limber info ROBOT` shows one of them.\n");
}

void run_info(const InfoOptions& options) {
  if (options.robot.model.empty()) return list_shipped_robots(options.json);
  const Robot robot = load_robot(options.robot);
  if (options.json) write_line(to_json(robot, options.water));
  else write(to_text(robot, options.water, options.rows()));
}

}  // namespace

void add_info_command(Command& limber) {
  auto options = std::make_shared<InfoOptions>();
  Command& command = *limber.add_subcommand(
      "info", "What is in a robot file: joints, bodies, sizes, masses, warnings");
  add_robot_options(command, options->robot);
  command.add_flag("--json", options->json, "Print one line of JSON instead of tables");
  add_density_option(command, options->water,
                     "Also what water of this density [kg/m³] does to the links: added mass, drag "
                     "and buoyancy, from the file or from shapes and meshes");
  command.add_flag("--all", options->all,
                   "Print every row; without it tables end after 200 rows and say how many follow");
  command.footer(
      R"(Links joined by fixed joints are one body; the others stay as frames. A joint's `q` and `v`
are the places of its numbers in q and v, counted from 0 (JSON: [start, count]). Of robots with loops: the
mobility, rows of loops that others imply, and the largest gap, at the neutral position or the first named state,
whichever is nearer to closed (JSON: `closure`); `limber assemble` closes gaps.

Examples:
  limber info                    the robots that ship with Limber
  limber info puma560
  limber info go2.urdf --floating --json
  limber info cassie.xml         MJCF: with loops, actuators, sensors, named states
  limber info rov.sdf --water 1025   added mass, drag and buoyancy of its links, how it floats)");
  command.callback([options] { run_info(*options); });
}

}  // namespace limber::app
