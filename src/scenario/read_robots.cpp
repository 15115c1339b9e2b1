// The robots of a scenario: loaded, changed, placed, and made one Spec; their initial state.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/io/load.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/mount.hpp>
#include <limber/model/variables.hpp>

#include "io/yaml_parts.hpp"
#include "model/base.hpp"
#include "model/nearest.hpp"
#include "scenario/loose_body.hpp"
#include "scenario/read.hpp"

namespace limber {

std::vector<Section> robot_sections() {
  return {
      {"robots",
       "A list of robots. Names of joints, links and frames are those of the robot's file; where a "
       "robot has a `name` they are preceded by it and a dot: `left.elbow`.",
       {{"model", "text", "", "this or `body`",
         "a robot file beside the scenario file, or the name of a shipped robot"},
        {"body", "mapping", "", "this or `model`", "one loose body, see *body*"},
        {"copies", "mapping", "", "one", "many of the same, see *copies*"},
        {"name", "text", "", "none", "needed where there are several robots"},
        {"base", "one of fixed, floating", "", "as in the robot's file",
         "fixed: welded to the world, a free joint of the file too; floating: what is welded to "
         "the "
         "world gets a free joint `root`, a robot with a free joint of its own stays as it is"},
        {"loops", "one of open", "", "as in the robot's file",
         "open: the loops that the file closes are left open, and the robot is the tree of its "
         "joints"},
        {"xyz", "list of 3 numbers", "m", "[0, 0, 0]",
         "where the base stands; of a base that floats, by a free joint of the file or by `base: "
         "floating`, where it begins: the initial position of that joint, as it is recorded"},
        {"rpy", "list of 3 numbers", "rad", "[0, 0, 0]", "its roll, pitch and yaw"},
        {"initial", "mapping", "", "at rest in the neutral position", "see *initial state*"},
        {"frames", "list of mappings", "", "none",
         "frames that the file does not have, see *frames*"},
        {"payload", "list of mappings", "", "none", "see *payload*"},
        {"changes", "list of mappings", "", "none", "see *changes*"}},
       {}},
      {"body",
       "A homogeneous solid that moves freely, joint `root`, link `body`, slides along a line, or "
       "stands fast with `base: fixed`. Its shape is seen and touched.",
       {{"kind", "one of box, sphere, cylinder, capsule, ellipsoid", "", "", ""},
        {"size", "list of numbers", "m", "",
         "box: edges; sphere: radius; cylinder, capsule: radius, length along z; ellipsoid: "
         "semi-axes"},
        {"mass", "number", "kg", "", ""},
        {"slide", "list of 3 numbers", "", "it moves freely",
         "the axis of the joint `slide`, which takes the place of `root`"},
        {"color", "list of 4 numbers", "", "grey", "red, green, blue, opacity"}},
       {}},
      {"copies",
       "As many robots as the grid has places, named NAME1, NAME2, … along x, then y, then z, each "
       "placed `spacing` from the last one, from `xyz` on.",
       {{"count", "list of 3 numbers", "", "", "along x, y, z"},
        {"spacing", "list of 3 numbers", "m", "", ""},
        {"most", "number", "", "all", "how many of them there are"},
        {"jitter", "number", "m", "0",
         "each is moved by up to so much along each axis, at random (`seed`)"}},
       {}},
      {"initial state",
       "Positions and velocities by joint name, a number or a list of the joint's variables each; "
       "joints that are left out are neutral and at rest. A list stands for all variables in "
       "order. Expressions like `-pi/2` are numbers.",
       {{"state", "text", "", "none",
         "a named state of the robot's file (`limber info` lists them), where the robot begins but "
         "for the joints that `position` and `velocity` name"},
        {"position", "mapping or list", "rad, m", "neutral, or of the `state`", "of each joint"},
        {"velocity", "mapping or list", "rad/s, m/s", "0, or of the `state`", "of each joint"}},
       {}},
      {"changes",
       "What is different from the robot's file.",
       {{"link", "text", "", "this or `joint`", "the link that is changed"},
        {"mass", "number", "kg", "as in the file",
         "its mass; inertia scales with it, the centre stays"},
        {"mass_factor", "number", "", "1", "multiplies its mass and inertia"},
        {"joint", "text", "", "this or `link`", "the joint that is changed"},
        {"gear_ratio", "number", "", "as in the file", ""},
        {"rotor_inertia", "number", "kg m²", "as in the file", "motor side"},
        {"damping", "number", "N m s/rad", "as in the file", "viscous friction"},
        {"friction", "number", "N m", "as in the file", "Coulomb friction, both directions"},
        {"stiffness", "number", "N m/rad", "as in the file", "spring of the joint"},
        {"spring_reference", "number", "rad", "as in the file", "where the spring is relaxed"},
        {"lower", "number", "rad", "as in the file", "position limit"},
        {"upper", "number", "rad", "as in the file", "position limit"},
        {"velocity_limit", "number", "rad/s", "as in the file", ""},
        {"effort_limit", "number", "N m", "as in the file", ""}},
       {}},
  };
}

namespace {

struct OneRobot {
  std::string prefix;  ///< "" or "left."
  Spec spec, nominal;
  Base base = Base::as_described;
  Transform<double> placement;
  bool is_placed = false;  ///< `xyz` or `rpy` is given
  YamlNode initial;
  Source source;
};

}  // namespace

BodySpec& find_link(Spec& spec, const YamlMap& map, const std::string& key) {
  const std::string name = map.text(key);
  std::vector<std::string> names;
  for (BodySpec& body : spec.bodies) {
    if (body.name == name) return body;
    names.push_back(body.name);
  }
  throw map.error(key,
                  fmt::format("the robot has no link '{}'{}", name, did_you_mean(name, names)));
}

namespace {

JointSpec& find_joint(Spec& spec, const YamlMap& map, const std::string& key) {
  const std::string name = map.text(key);
  std::vector<std::string> names;
  for (JointSpec& joint : spec.joints) {
    if (joint.name == name) return joint;
    names.push_back(joint.name);
  }
  throw map.error(key,
                  fmt::format("the robot has no joint '{}'{}", name, did_you_mean(name, names)));
}

void change_link(Spec& spec, const YamlMap& map) {
  BodySpec& body = find_link(spec, map, "link");
  double factor = map.number("mass_factor", 1);
  if (map.has("mass")) {
    if (body.inertia.m == 0) throw map.error("mass", "the link has no mass that could be changed");
    factor *= map.number("mass") / body.inertia.m;
  }
  if (!(factor > 0) || !std::isfinite(factor * body.inertia.m))
    throw map.error(map.has("mass") ? "mass" : "mass_factor", "must be positive and finite");
  body.inertia.m *= factor;
  body.inertia.h = body.inertia.h * factor;
  body.inertia.J = body.inertia.J * factor;
}

void change_joint(Spec& spec, const YamlMap& map) {
  JointSpec& joint = find_joint(spec, map, "joint");
  joint.dof();  // there is at least one
  for (DofSpec& dof : joint.dofs) {
    dof.gear_ratio = map.number("gear_ratio", dof.gear_ratio);
    if (dof.gear_ratio == 0)
      throw map.error("gear_ratio", "is zero; give motor turns per joint turn, 1 without a gear");
    dof.rotor_inertia = map.magnitude("rotor_inertia", dof.rotor_inertia);
    dof.damping = map.magnitude("damping", dof.damping);
    dof.friction_positive = map.magnitude("friction", dof.friction_positive);
    dof.friction_negative = map.magnitude("friction", dof.friction_negative);
    dof.stiffness = map.magnitude("stiffness", dof.stiffness);
    dof.spring_reference = map.number("spring_reference", dof.spring_reference);
    dof.lower = map.number("lower", dof.lower);
    dof.upper = map.number("upper", dof.upper);
    dof.velocity_limit = map.magnitude("velocity_limit", dof.velocity_limit);
    dof.effort_limit = map.magnitude("effort_limit", dof.effort_limit);
    if (dof.lower > dof.upper)
      throw map.error(map.has("lower") ? "lower" : "upper",
                      fmt::format("lower limit {} is above upper limit {}; exchange them",
                                  dof.lower, dof.upper));
  }
}

void change(Spec& spec, const YamlMap& map) {
  if (map.has("link") == map.has("joint"))
    throw Error(map.source(), "a change names either a `link` or a `joint`");
  if (map.has("link")) {
    change_link(spec, map);
  } else {
    change_joint(spec, map);
  }
}

// true for the name of a shipped robot and for a path that exists only from the current folder;
// `in_folder` is the same name within the folder of the scenario
bool is_outside_scenario_folder(const std::string& model, const std::string& in_folder) {
  std::error_code ignored;  // names that no file can have
  if (std::filesystem::exists(in_folder, ignored)) return false;
  return model.find_first_of("./\\") == std::string::npos ||
         std::filesystem::exists(model, ignored);
}

Spec read_model(const YamlMap& map, const Reading& reading) {
  if (map.has("model") == map.has("body"))
    throw Error(map.source(), "a robot has either a `model` or a `body`; add `model: …`");
  if (map.has("body")) return read_loose_body(map.map("body", keys_of("body")));
  const std::string model = map.text("model");
  const std::string file = path_relative_to_file(reading, model);
  return with_location(map, [&] {
    return load_spec(is_outside_scenario_folder(model, file) ? model : file,
                     {reading.scenario.mesh_folders});
  });
}

OneRobot read_robot(const YamlNode& node, Reading& reading, bool alone) {
  const YamlMap map = open(node, reading.file, "robots", "robots");
  OneRobot robot;
  robot.source = map.source();
  robot.spec = read_model(map, reading);
  if (!alone && !map.has("name"))
    throw Error(map.source(), "there are several robots; give each a `name`");
  if (map.has("name")) robot.prefix = map.text("name") + ".";
  if (map.has("loops")) {
    choice(map, "loops", {"open"});
    open_loops(robot.spec);
  }
  if (map.has("base"))
    robot.base = choice(map, "base", {"fixed", "floating"}) ? Base::floating : Base::fixed;
  robot.placement = read_pose(map);
  robot.is_placed = map.has("xyz") || map.has("rpy");
  for (const YamlNode& entry : map.list("changes"))
    change(robot.spec, open(entry, reading.file, "changes", "changes"));
  read_frames(map, reading, robot.spec);
  robot.nominal = robot.spec;
  for (const YamlNode& entry : map.list("payload"))
    read_payload(open(entry, reading.file, "payload", "payload"), robot.prefix, robot.spec,
                 robot.nominal, reading);
  if (map.has("initial")) robot.initial = map.node("initial");
  return robot;
}

// the robot, or those of its grid
void add_copies(const YamlMap& map, OneRobot robot, const Reading& reading,
                std::vector<OneRobot>& robots) {
  if (!map.has("copies")) {
    robots.push_back(std::move(robot));
    return;
  }
  const YamlMap grid = map.map("copies", keys_of("copies"));
  if (!map.has("name")) throw Error(grid.source(), "copies need a `name` of the robot");
  const std::vector<double> count = grid.numbers("count", {3});
  double all = 1;
  for (const double n : count) {
    if (!(n >= 1) || n != std::floor(n)) throw grid.error("count", "whole numbers are expected");
    all *= n;
  }
  constexpr double most_copies = 20000;
  if (count.empty() || all > most_copies)
    throw grid.error(
        "count", fmt::format("three numbers are expected, {} robots in all at most", most_copies));
  const Vec3<double> spacing = grid.vec3("spacing", {});
  const double jitter = grid.magnitude("jitter", 0);
  std::mt19937_64 random(reading.scenario.simulation.seed);
  const auto shift = [&] {  // the same on every machine
    return jitter * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
  };
  const int most = whole_number(grid, "most", static_cast<int>(all));
  int number = 0;
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0] && number < most; ++x) {
        OneRobot copy = robot;
        copy.prefix = fmt::format("{}{}.", map.text("name"), ++number);
        const double dx = x * spacing.x + shift(), dy = y * spacing.y + shift(),
                     dz = z * spacing.z + shift();
        copy.placement.p += Vec3<double>{dx, dy, dz};
        copy.is_placed = true;
        robots.push_back(std::move(copy));
      }
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// what hangs on the world hangs on the placed base instead; what floats is placed by its positions
void place_base(Spec& spec, const Transform<double>& placement, const std::string& prefix) {
  const FloatingBase floating = floating_base(spec);
  std::set<std::string> carried;
  for (JointSpec& joint : spec.joints) {
    carried.insert(joint.child);
    const bool floats =
        holds(floating.joints, joint.name) || holds(floating.world_stand_ins, joint.child);
    if (joint.parent.empty() && !floats) joint.placement = placement * joint.placement;
  }
  if (!floating.is_all) move_world(spec, "", placement);
  std::vector<std::string> roots;
  for (const BodySpec& body : spec.bodies)
    if (!carried.contains(body.name)) roots.push_back(body.name);
  for (const std::string& root : roots)  // by joints, so that robots keep their order
    spec.add_joint(fmt::format("{}placement of {}", prefix, root), JointKind::fixed, "", root,
                   {0, 0, 1},
                   holds(floating.world_stand_ins, root) ? Transform<double>{} : placement);
}

Spec place_robot(Spec spec, const OneRobot& robot) {
  set_base(spec, robot.base);
  if (!robot.prefix.empty()) add_prefix(spec, robot.prefix);
  place_base(spec, robot.placement, robot.prefix);
  return spec;
}

// A base that floats begins where the robot is placed. A free joint whose place in the file is X
// begins at placement X in the world, which is X⁻¹ placement X from there.
void place_floating(const Model& model, const OneRobot& robot,
                    const std::vector<std::string>& joints, std::vector<double>& q) {
  for (const std::string& joint : joints) {
    const auto b = static_cast<std::size_t>(model.body_of_joint(joint));
    const auto k =
        static_cast<std::size_t>(model.q_fold[static_cast<std::size_t>(model.q_index[b])].index);
    const Transform<double>& X = model.step[b].placement;
    const Transform<double> start = apply_inverse(X, robot.placement * X);
    const Quat<double> turn = to_quat(start.R);
    const Vec3<double> p = start.p;
    const double values[] = {p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w};
    std::copy(std::begin(values), std::end(values), q.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

// `joint` of the robot, without its prefix, floats and is placed by `xyz` already
void expect_one_place(const YamlMap& map, const OneRobot& robot, const std::string& joint) {
  if (!robot.is_placed || !map.has("position")) return;
  if (!map.has_list("position") && !map.node("position").find(joint).is_defined()) return;
  throw map.error(
      "position",
      fmt::format("joint '{0}' floats: `xyz` and `rpy` of the robot say where it begins, "
                  "and so does its position here; leave one of them out",
                  joint));
}

// the turns of joints with quaternions, which are normalised afterwards
void check_quaternions(const YamlMap& map, const Model& model, std::span<const double> q) {
  constexpr double most_off = 0.01;  // numbers that were rounded to two digits
  for (const JointPlace& joint : joint_places(model)) {
    if (joint.quaternion < 0) continue;
    const std::span<const double> turn = q.subspan(static_cast<std::size_t>(joint.quaternion), 4);
    const double length = std::hypot(std::hypot(turn[0], turn[1]), std::hypot(turn[2], turn[3]));
    if (!(std::abs(length - 1) <= most_off))
      throw map.error(
          "position",
          fmt::format("the quaternion [{}, {}, {}, {}] of joint '{}' has length {:.4g}; "
                      "a turn is a quaternion of length 1 (x, y, z, w): divide it by "
                      "its length, or give [0, 0, 0, 1] for none",
                      turn[0], turn[1], turn[2], turn[3],
                      model.joint_name[static_cast<std::size_t>(joint.body)], length));
  }
}

}  // namespace

std::vector<JointSlice> slices(const std::vector<Variable>& variables, const std::string& prefix) {
  std::vector<JointSlice> all;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (!variables[k].joint.starts_with(prefix)) continue;
    const std::string name = variables[k].joint.substr(prefix.size());
    if (all.empty() || all.back().name != name) all.push_back({name, k, 0});
    ++all.back().count;
  }
  return all;
}

void read_joint_values(const YamlMap& map, const std::string& key,
                       const std::vector<JointSlice>& joints, std::vector<double>& out) {
  if (!map.has(key) || joints.empty()) return;
  if (map.has_list(key)) {
    const std::size_t count = joints.back().start + joints.back().count - joints.front().start;
    const std::vector<double> values = map.numbers(key, {count});
    std::copy(values.begin(), values.end(),
              out.begin() + static_cast<std::ptrdiff_t>(joints.front().start));
    return;
  }
  std::vector<std::string> names;
  for (const JointSlice& joint : joints) names.push_back(joint.name);
  const YamlMap values = map.map(key, names);
  for (const JointSlice& joint : joints) {
    if (!values.has(joint.name)) continue;
    const std::vector<double> numbers = values.has_list(joint.name)
                                            ? values.numbers(joint.name, {joint.count})
                                            : std::vector<double>{values.number(joint.name)};
    if (numbers.size() != joint.count)
      throw values.error(joint.name,
                         fmt::format("one number is found, a list of {} expected", joint.count));
    std::copy(numbers.begin(), numbers.end(),
              out.begin() + static_cast<std::ptrdiff_t>(joint.start));
  }
}

namespace {

// The robot's share of a named state. floating: joints that `xyz` places, if the scenario has it.
void begin_in_state(const YamlMap& map, const OneRobot& robot,
                    const std::vector<std::string>& floating, Scenario& scenario) {
  const std::string wanted = map.text("state");
  const auto take = [&](const std::vector<Variable>& variables, const std::vector<double>& from,
                        std::vector<double>& to, const std::vector<std::string>& left_out) {
    for (const JointSlice& joint : slices(variables, robot.prefix))
      if (!holds(left_out, robot.prefix + joint.name))
        std::copy_n(&from[joint.start], joint.count, &to[joint.start]);
  };
  std::vector<std::string> names;
  for (const Keyframe& state : scenario.model.keyframes) {
    if (!state.name.starts_with(robot.prefix)) continue;
    names.push_back(state.name.substr(robot.prefix.size()));
    if (names.back() != wanted) continue;
    take(position_variables(scenario.model), state.q, scenario.q,
         robot.is_placed ? floating : std::vector<std::string>{});
    take(velocity_variables(scenario.model), state.v, scenario.v, {});
    return;
  }
  throw map.error("state", names.empty()
                               ? "the robot's file has no named states"
                               : fmt::format("the robot has no state '{}', it has {}{}", wanted,
                                             fmt::join(names, ", "), did_you_mean(wanted, names)));
}

// the joints that a list or a mapping of the initial state names
void add_named(const YamlMap& map, const std::string& key, const Model& model,
               const std::string& prefix, std::vector<std::string>& joints) {
  if (!map.has(key)) return;
  for (const JointSlice& joint : slices(velocity_variables(model), prefix))
    if (map.has_list(key) || map.node(key).find(joint.name).is_defined())
      joints.push_back(prefix + joint.name);
}

}  // namespace

void read_robots(const YamlMap& root, Reading& reading) {
  const std::vector<YamlNode> nodes = root.list("robots");
  if (nodes.empty())
    throw Error(root.source(), "no robots; add `robots: [{model: puma560}]` or a list of your own");
  std::vector<OneRobot> robots;
  for (const YamlNode& node : nodes) {
    OneRobot one = read_robot(node, reading, nodes.size() == 1);
    add_copies(open(node, reading.file, "robots", "robots"), std::move(one), reading, robots);
  }
  Scenario& scenario = reading.scenario;
  Spec nominal;
  for (const OneRobot& robot : robots) {
    append(scenario.spec, place_robot(robot.spec, robot));
    append(nominal, place_robot(robot.nominal, robot));
  }
  const Vec3<double> gravity = root.vec3("gravity", robots.front().spec.gravity);
  for (Spec* spec : {&scenario.spec, &nominal}) {
    spec->name = robots.size() == 1 ? robots.front().spec.name : scenario.title;
    spec->gravity = gravity;
    spec->source = robots.front().source;
  }
  read_closures(root, reading);
  scenario.model = build(scenario.spec);
  scenario.nominal = build(nominal);
  scenario.q = neutral_position(scenario.model);
  scenario.v.assign(static_cast<std::size_t>(scenario.model.nv), 0);
  for (const OneRobot& robot : robots) {
    const std::vector<std::string> floating = floating_base(place_robot(robot.spec, robot)).joints;
    place_floating(scenario.model, robot, floating, scenario.q);
    LoopSettings& loops = scenario.simulation.loops;
    if (robot.is_placed)
      loops.chosen_positions.insert(loops.chosen_positions.end(), floating.begin(), floating.end());
    if (!robot.initial.is_defined() || robot.initial.is_null()) continue;
    const YamlMap map = open(robot.initial, reading.file, "initial", "initial state");
    for (const std::string& joint : floating)
      expect_one_place(map, robot, joint.substr(robot.prefix.size()));
    if (map.has("state")) begin_in_state(map, robot, floating, scenario);
    read_joint_values(map, "position", slices(position_variables(scenario.model), robot.prefix),
                      scenario.q);
    read_joint_values(map, "velocity", slices(velocity_variables(scenario.model), robot.prefix),
                      scenario.v);
    for (const auto& [key, chosen] : {std::pair{"position", &loops.chosen_positions},
                                      std::pair{"velocity", &loops.chosen_velocities}})
      add_named(map, key, scenario.model, robot.prefix, *chosen);
    check_quaternions(map, scenario.model, scenario.q);
  }
  normalize(scenario.model, scenario.q);
}

}  // namespace limber
