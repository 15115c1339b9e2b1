#pragma once
// Spec to robot files: URDF, MJCF, SDF, and Limber's own YAML. What a format cannot hold is listed,
// each thing by name.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <limber/model/spec.hpp>

namespace limber {

/// A kind of robot file.
enum class RobotFormat : std::uint8_t { urdf, mjcf, sdf, yaml };

/// "urdf", "mjcf", "sdf", "yaml"
const char* name(RobotFormat format);
/// The format with this name, or of a file with this extension (.urdf; .xml, .mjcf; .sdf; .yaml,
/// .yml). Throws Error.
RobotFormat robot_format(std::string_view name);
RobotFormat robot_format_of_file(const std::string& file);

/// Something of the robot that the written file does not hold, or holds in another way.
struct Loss {
  enum class Kind : std::uint8_t {
    description,  ///< the robot moves in the same way
    dynamics      ///< the written robot moves in another way, or has other constraints
  };
  Kind kind = Kind::description;
  std::string element;  ///< "joint 'elbow'"
  std::string what;     ///< what is lost, and what stands in the file instead
};

/// A robot as the text of a file, and what the text does not hold.
struct WrittenRobot {
  std::string text;
  std::vector<Loss> losses;
};

/// The robot as text of a file. Numbers are written with as many digits as it takes to read them
/// back bit for bit. YAML holds all of a Spec but its custom joints. Throws Error if the Spec is no
/// robot, and if it has a joint that the format cannot hold, nor a chain of other joints with the
/// same dynamics. See docs/robot-files.md.
WrittenRobot write_robot(const Spec& spec, RobotFormat format);

}  // namespace limber
