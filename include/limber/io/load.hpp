#pragma once
// Robot files to Spec and Model. A robot is named by a file (URDF, SDF, MJCF, or YAML with a DH
// table or with lists of bodies and joints), or by the name under which it ships with Limber. The
// kind of file is found by its root element.
#include <string>
#include <string_view>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// How the robot is attached to the world. The same in C++, for `--floating` and for `base` in
/// scenarios:
/// - as_described: as the file has it; links that no joint carries are welded to the world.
/// - fixed: welded; a free joint between robot and world becomes a fixed joint at its place.
/// - floating: free to move; what is welded to the world (by being a root link or by a fixed joint)
///   gets a free joint there, see float_base. A free joint of the file is not doubled.
enum class Base { as_described, fixed, floating };

/// Changes the base of a robot. Throws Error where this is impossible: a robot on a joint with
/// freedoms cannot float; and where a free joint starts from links with mass that are welded to the
/// world, the base is ambiguous.
void set_base(Spec& spec, Base base);

/// What else there is to say about where a robot is read from.
struct LoadOptions {
  /// Folders where meshes are looked for besides the usual places, see find_mesh() in
  /// limber/io/mesh_files.hpp.
  std::vector<std::string> mesh_folders{};
};

/// Reads a robot by file name or by the name of a shipped robot. Meshes are read only where masses
/// come from them. Throws Error with file, line, element.
Spec load_spec(const std::string& model, const LoadOptions& options = {});

/// load_spec, set_base and build.
Model load(const std::string& model, Base base = Base::as_described);

/// URDF from a file, or from text (`file` is then only used in messages).
Spec read_urdf(const std::string& file);
Spec parse_urdf(std::string_view text, const std::string& file = "<text>");

/// MJCF, MuJoCo's format, by MuJoCo's rules, from a file with what it includes, or from text, which
/// cannot include files. See docs/robot-files.md.
Spec read_mjcf(const std::string& file);
Spec parse_mjcf(std::string_view text, const std::string& file = "<text>");

/// SDF 1.4 to 1.11, Gazebo's format, by its own rules, from a file with what it includes, or from
/// text, which cannot include files. See docs/robot-files.md.
Spec read_sdf(const std::string& file);
Spec parse_sdf(std::string_view text, const std::string& file = "<text>");

/// A robot in YAML, see docs/robot-files.md: a DH or MDH table, or lists of bodies and joints.
Spec read_yaml(const std::string& file);
Spec parse_yaml(std::string_view text, const std::string& file = "<text>");

/// Names of the robots that ship with Limber, sorted.
std::vector<std::string> shipped_robots();

}  // namespace limber
