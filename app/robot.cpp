#include "robot.hpp"

#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "command_line.hpp"
#include "io/text_file.hpp"

namespace limber::app {

void add_robot_options(Command& command, RobotOptions& options) {
  command.add_option(
      "MODEL", options.model,
      "A URDF, SDF, MJCF or YAML file, or a shipped robot (`limber info` lists them)");
  command.add_flag(
      "--floating", options.floating,
      "Free the base: what is welded to the world gets a joint 'root' of six freedoms; "
      "a robot whose file has a free joint already stays as it is");
  command.add_flag(
      "--open-loops", options.open_loops,
      "Leave the loops that the file closes open: the robot is the tree of its joints");
  command
      .add_option("--gravity", options.gravity,
                  "Gravity in world axes [m/s²]; by default the file's, or 0,0,-9.81")
      ->type_name("X,Y,Z");
  command
      .add_option("--meshes", options.meshes,
                  "A folder where meshes are looked for besides the usual places; may be repeated")
      ->type_name("FOLDER")
      ->one_value_each();
}

Vec3<double> parse_vector(const std::string& option, const std::string& text,
                          const std::string& example) {
  Vec3<double> vector;
  const char* begin = text.data();
  const char* const end = begin + text.size();
  for (int k = 0; k < 3; ++k) {
    const auto [rest, error] = std::from_chars(begin, end, vector[k]);
    const bool separated = k == 2 ? rest == end : rest != end && *rest == ',';
    if (error != std::errc{} || !std::isfinite(vector[k]) || !separated)
      throw Error(
          fmt::format("{}: found '{}', expected three numbers separated by commas, for example {}",
                      option, text, example));
    begin = rest + 1;
  }
  return vector;
}

namespace {

// the joint that carries a body of the model, with its place in the user's q and v
Joint describe_joint(const JointSpec& source, const Model& model, std::size_t body) {
  Joint joint;
  joint.name = source.name;
  joint.kind = source.kind;
  joint.parent = source.parent.empty() ? "world" : source.parent;
  joint.child = source.child;
  joint.mimic = source.mimic;
  joint.q_start = model.q_fold[static_cast<std::size_t>(model.q_index[body])].index;
  joint.v_start = model.v_fold[static_cast<std::size_t>(model.v_index[body])].index;
  joint.q_count = joint.mimic ? 0 : model.q_count[body];
  joint.v_count = joint.mimic ? 0 : model.v_count[body];
  return joint;
}

}  // namespace

Robot load_robot(const RobotOptions& options) {
  if (options.model.empty())
    throw Error(
        "MODEL is missing: name a robot file or a shipped robot (`limber info` lists them)");
  Robot robot;
  const FilesRead files;
  robot.spec = load_spec(options.model, {options.meshes});
  robot.files = files.names();
  robot.mesh_folders = options.meshes;
  if (options.gravity)
    robot.spec.gravity = parse_vector("--gravity", *options.gravity, "0,0,-9.81 or 0,0,0");
  if (options.open_loops) open_loops(robot.spec);
  set_base(robot.spec, options.floating ? Base::floating : Base::as_described);
  robot.model = build(robot.spec);
  // build() takes joint names from the Spec and refuses a name that occurs twice
  std::unordered_map<std::string, const JointSpec*> joints;
  for (const JointSpec& joint : robot.spec.joints) joints.emplace(joint.name, &joint);
  for (std::size_t body = 1; body < robot.model.parent.size(); ++body)
    if (!robot.model.is_rotor[body])
      robot.joints.push_back(
          describe_joint(*joints.at(robot.model.joint_name[body]), robot.model, body));
  return robot;
}

}  // namespace limber::app
