#pragma once
// Robot: a loaded robot with what the command needs: the description, the model, and where each
// joint's numbers stand in q and v.
#include <optional>
#include <string>
#include <vector>

#include <limber/io/load.hpp>

namespace limber::app {

class Command;

/// MODEL, --floating, --open-loops, --gravity and --meshes.
struct RobotOptions {
  std::string model;
  bool floating = false;
  bool open_loops = false;
  std::optional<std::string> gravity;  ///< as written
  std::vector<std::string> meshes;     ///< folders
};
void add_robot_options(Command& command, RobotOptions& options);

/// The three numbers of an option, separated by commas. `example`: for the message. Throws Error.
Vec3<double> parse_vector(const std::string& option, const std::string& text,
                          const std::string& example);

/// One movable joint of the robot, in the order of q and v.
struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  int q_start = 0, q_count = 0;  ///< a mimic joint: where its master's variable stands, and 0
  int v_start = 0, v_count = 0;
  std::string parent, child;       ///< links as the file names them
  std::optional<MimicSpec> mimic;  ///< the joint that it follows
};

struct Robot {
  Spec spec;
  Model model;
  std::vector<Joint> joints;
  std::vector<std::string> mesh_folders;
  std::vector<std::string> files;  ///< that it was read from
};
Robot load_robot(const RobotOptions& options);

}  // namespace limber::app
