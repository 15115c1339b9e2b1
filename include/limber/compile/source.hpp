#pragma once
// Source text for one robot: straight-line functions that need neither Limber nor a model, in C++
// (for one state, and for as many as a vector register has lanes), C99 and CUDA.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// What the text is written for.
enum class Target : std::uint8_t {
  cpp,    ///< ROBOT.hpp: C++17, templates for double and float
  lanes,  ///< ROBOT_lanes.hpp: C++17, many states at once in the lanes of vector registers
  c,  ///< ROBOT.h, ROBOT.c: C99, for a microcontroller too: no heap, no static data that changes;
      ///< comments of long functions say how many numbers they keep on the stack
  cuda,  ///< ROBOT.cuh: CUDA kernels with launchers, many states at once on a GPU
};

/// All targets, in the order above.
const std::vector<Target>& targets();
/// "cpp", "lanes", "c", "cuda".
std::string_view name(Target target);
/// Throws Error with the nearest name.
Target target(std::string_view name);

/// What is written for a robot.
struct GenerateOptions {
  std::vector<RobotFunction> functions;  ///< empty: compilable_functions()
  std::vector<Target> targets;           ///< empty: cpp, lanes, c
  FunctionOptions function;              ///< frames, free parameters, passive forces, method
  /// Of the robot in the text; empty: from its name. Characters that identifiers do not have become
  /// underlines, and a word that the languages or their libraries use gets "_robot" behind.
  std::string identifier;
};

/// All functions; without those that solve for accelerations where the robot has none (see
/// Model::singular_reason), and without `step` and the derivatives where a custom joint moves its
/// own positions.
std::vector<RobotFunction> compilable_functions(const Model& model);

/// Throws Error, with the reason, where a function of the robot cannot be compiled.
void check_compilable(const Model& model, RobotFunction function);

/// What a robot's functions have become before they are written in some language.
struct TracedRobot {
  std::string identifier;  ///< namespace, prefix and file name in the text
  std::string name;        ///< as the robot's file has it
  int nq = 0, nv = 0;
  std::vector<std::string> position_names, velocity_names;  ///< "elbow", "root.wx"
  std::vector<std::string> parameter_places;  ///< frame or joint of each free parameter
  std::vector<double> neutral;                ///< neutral position
  FunctionOptions function;
  std::vector<Program> programs;  ///< one per function
  Model model;                    ///< that they were traced from
};

/// Traces the functions. Throws Error for a robot without freedoms, for an unknown frame or joint,
/// and for what cannot be compiled.
TracedRobot trace_robot(const Model& model, const GenerateOptions& options = {});

/// A file to be written beside the others.
struct GeneratedFile {
  std::string name;  ///< without a folder
  std::string text;
};

/// The files of the targets: the same bytes for the same robot and options.
std::vector<GeneratedFile> write_source(const TracedRobot& robot,
                                        const std::vector<Target>& targets);

/// trace_robot and write_source.
std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options = {});

}  // namespace limber
