#pragma once
// Robot files to Spec and Model. A robot is named by a URDF file, a YAML file (a DH table, or lists
// of bodies and joints), or the name under which it ships with Limber.
#include <string>
#include <string_view>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// The base of the robot: welded to the world where the file leaves it, or free to move.
enum class Base { fixed, floating };

/// Reads a robot by file name or by the name of a shipped robot. Throws Error with file, line,
/// element.
Spec load_spec(const std::string& model);

/// load_spec, float_base if asked for, and build. A robot whose file already lets its base move
/// freely stays as it is; one whose file ties it to the world by a joint cannot float and throws
/// Error.
Model load(const std::string& model, Base base = Base::fixed);

/// URDF from a file, or from text (`file` is then only used in messages).
Spec read_urdf(const std::string& file);
Spec parse_urdf(std::string_view text, const std::string& file = "<text>");

/// A robot in YAML, see docs/robot-files.md: a DH or MDH table, or lists of bodies and joints.
Spec read_yaml(const std::string& file);
Spec parse_yaml(std::string_view text, const std::string& file = "<text>");

/// Names of the robots that ship with Limber, sorted.
std::vector<std::string> shipped_robots();

}  // namespace limber
