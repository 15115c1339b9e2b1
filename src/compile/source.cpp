#include <limber/compile/source.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <limber/constraint/articulated_loops.hpp>
#include <limber/error.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "compile/identifier.hpp"
#include "compile/source_text.hpp"
#include "compile/traced_water.hpp"
#include "model/checks.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

constexpr std::array<std::string_view, 4> target_names{"cpp", "lanes", "c", "cuda"};

/// Functions that divide by inertias.
bool solves(RobotFunction function) {
  return function == RobotFunction::mass_matrix_factor ||
         function == RobotFunction::forward_dynamics ||
         function == RobotFunction::forward_dynamics_derivatives || function == RobotFunction::step;
}

/// Functions for which positions move, as expressions.
bool moves_positions(RobotFunction function) {
  return function == RobotFunction::inverse_dynamics_derivatives ||
         function == RobotFunction::forward_dynamics_derivatives || function == RobotFunction::step;
}

bool moves_its_own_positions(const Model& model) {
  return std::any_of(model.custom.begin(), model.custom.end(),
                     [](const CustomJoint& joint) { return joint.integrate != nullptr; });
}

/// Functions that close the loops of a robot, or are those of its tree.
bool knows_loops(RobotFunction function) {
  return function != RobotFunction::inverse_dynamics &&
         function != RobotFunction::inverse_dynamics_derivatives &&
         function != RobotFunction::forward_dynamics_derivatives;
}

/// Functions in which loops act.
bool closes_loops(RobotFunction function) {
  return function == RobotFunction::forward_dynamics || function == RobotFunction::step;
}

/// Why the loops of a robot cannot be compiled; empty: they can.
std::string loops_reason(const Model& model) {
  return model.loops.empty() ? std::string() : LoopPlan(Mechanism(model)).reason;
}

std::vector<std::string> names_of(const std::vector<Variable>& variables) {
  std::vector<std::string> names;
  for (const Variable& variable : variables) names.push_back(variable.name());
  return names;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all{Target::cpp, Target::lanes, Target::c, Target::cuda};
  return all;
}

std::string_view name(Target target) { return target_names[static_cast<std::size_t>(target)]; }

Target target(std::string_view wanted) {
  const std::vector<std::string> known(target_names.begin(), target_names.end());
  for (const Target t : targets())
    if (name(t) == wanted) return t;
  throw Error(fmt::format("no target is called '{}'{}; there are: {}", wanted,
                          did_you_mean(wanted, known), fmt::join(known, ", ")));
}

std::vector<RobotFunction> compilable_functions(const Model& model) {
  std::vector<RobotFunction> functions;
  for (const RobotFunction f : robot_functions()) {
    if (solves(f) && !model.singular_reason.empty()) continue;
    if (moves_positions(f) && moves_its_own_positions(model)) continue;
    if (!model.loops.empty() && !knows_loops(f)) continue;
    if (closes_loops(f) && !loops_reason(model).empty()) continue;
    functions.push_back(f);
  }
  return functions;
}

void check_compilable(const Model& model, RobotFunction function) {
  if (model.nv == 0)
    throw Error(fmt::format(
        "robot '{}' has no joint that moves, so there is nothing to compile; give it a joint, or "
        "let its base float",
        model.name));
  if (!knows_loops(function)) check_tree("this compiled function", model);
  if (const std::string reason = loops_reason(model); closes_loops(function) && !reason.empty())
    throw Error(fmt::format("robot '{}': the loops cannot be compiled: {}", model.name, reason));
  if (solves(function) && !model.singular_reason.empty())
    throw Error(fmt::format("robot '{}': {} cannot be compiled: {}", model.name, name(function),
                            model.singular_reason));
  for (std::size_t b = 1; b < model.custom_index.size(); ++b) {
    const int index = model.custom_index[b];
    if (index < 0 || model.custom[static_cast<std::size_t>(index)].kinematics_expr) continue;
    throw Error(
        fmt::format("robot '{}': joint '{}' has no function for expressions; make it by "
                    "custom_joint() from one "
                    "generic function",
                    model.name, model.joint_name[b]));
  }
}

TracedRobot trace_robot(const Model& model, const GenerateOptions& options) {
  TracedRobot robot;
  robot.identifier = robot_identifier(options.identifier.empty() ? model.name : options.identifier);
  robot.name = model.name;
  robot.nq = model.nq;
  robot.nv = model.nv;
  robot.position_names = names_of(position_variables(model));
  robot.velocity_names = names_of(velocity_variables(model));
  robot.neutral = neutral_position(model);
  robot.function = options.function;
  for (const FreeParameter& p : options.function.parameters)
    robot.parameter_places.push_back(p.where);
  robot.model = model;
  const std::vector<RobotFunction> functions =
      options.functions.empty() ? compilable_functions(model) : options.functions;
  for (const RobotFunction f : functions) {
    if (find_program(robot, f)) continue;  // named twice
    if (options.functions.empty() && options.function.water.exists() && !knows_water(f)) continue;
    check_compilable(model, f);
    robot.programs.push_back(trace(model, f, options.function));
  }
  return robot;
}

void remove_names(TracedRobot& robot) {
  robot.name = robot.identifier;
  auto number = [](std::vector<std::string>& names, const char* letter) {
    for (std::size_t k = 0; k < names.size(); ++k) names[k] = fmt::format("{}{}", letter, k);
  };
  number(robot.position_names, "q");
  number(robot.velocity_names, "v");
  number(robot.parameter_places, "place");
  for (Program& program : robot.programs) {
    if (program.name != name(RobotFunction::kinematics) &&
        program.name != name(RobotFunction::jacobians))
      continue;
    for (std::size_t k = 0; k < program.shape.outputs.size(); ++k) {
      program.shape.outputs[k].name = fmt::format("frame{}", k);
      program.shape.outputs[k].meaning = "";
    }
  }
}

std::vector<GeneratedFile> write_source(const TracedRobot& robot,
                                        const std::vector<Target>& targets) {
  std::vector<GeneratedFile> files;
  auto add = [&](std::vector<GeneratedFile> more) {
    for (GeneratedFile& file : more) files.push_back(std::move(file));
  };
  for (const Target t : targets) {
    switch (t) {
      case Target::cpp:
        add(cpp_files(robot));
        break;
      case Target::lanes:
        add(lanes_files(robot));
        break;
      case Target::c:
        add(c_files(robot));
        break;
      case Target::cuda:
        add(cuda_files(robot));
        break;
    }
  }
  return files;
}

std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options) {
  const std::vector<Target> wanted = options.targets.empty()
                                         ? std::vector{Target::cpp, Target::lanes, Target::c}
                                         : options.targets;
  return write_source(trace_robot(model, options), wanted);
}

}  // namespace limber
