#pragma once
// Robot files to Spec and Model. MODEL is a URDF file, a DH-table YAML file, or the name of a robot that
// ships with Limber (`limber info` lists them).
#include <string>
#include <string_view>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// The base of the robot: welded to the world where the file leaves it, or free to move.
enum class Base { fixed, floating };

/// Reads a robot by file name or by the name of a shipped robot. Throws Error with file, line, element.
Spec load_spec(const std::string& model);

/// load_spec, float_base if asked for, and build.
Model load(const std::string& model, Base base = Base::fixed);

/// URDF from a file, or from text (`file` is then only used in messages).
Spec read_urdf(const std::string& file);
Spec parse_urdf(std::string_view text, const std::string& file = "<text>");

/// A DH or MDH table in YAML, see docs/robot-files.md.
Spec read_dh(const std::string& file);
Spec parse_dh(std::string_view text, const std::string& file = "<text>");

/// Names of the robots that ship with Limber, sorted.
std::vector<std::string> shipped_robots();

}  // namespace limber
