#include "compile/source_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/error.hpp>

#include "compile/identifier.hpp"
#include "compile/parameters.hpp"

namespace limber {

namespace {

std::string range(int first, int count) {
  return count == 1 ? fmt::format("[{}]", first)
                    : fmt::format("[{} to {}]", first, first + count - 1);
}

std::string parameter_comment(const FreeParameter& p, const std::string& where, int first) {
  const std::string place = range(first, size_of(p));
  switch (p.kind) {
    case FreeParameter::Kind::gravity:
      return fmt::format("{} gravity in world axes [m/s²]", place);
    case FreeParameter::Kind::payload:
      return fmt::format(
          "{} payload in the frame '{}': mass [kg], centre of mass (3) [m], inertia about it "
          "xx, yy, zz, xy, xz, yz [kg m²]",
          place, plain_text(where));
    case FreeParameter::Kind::gear:
      return fmt::format("{} gear ratio of the motor of joint '{}'", place, plain_text(where));
    case FreeParameter::Kind::fluid:
      return fmt::format(
          "{} velocity (3) [m/s] and acceleration (3) [m/s²] of the water in world axes", place);
  }
  return "";
}

std::string array_lines(const std::vector<ArrayShape>& arrays, std::string_view prefix,
                        std::string_view direction) {
  std::string text;
  for (const ArrayShape& array : arrays)
    text += fmt::format("{}  {} {}[{}]: {}\n", prefix, direction, array.name, array.size,
                        plain_text(array.meaning));
  return text;
}

}  // namespace

std::string number_text(double value) {
  if (!std::isfinite(value))
    throw Error("a constant of the compiled robot is not finite; check the robot's numbers");
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string heading(const TracedRobot& robot, std::string_view what) {
  std::string text = fmt::format("// Robot '{}': {}\n", plain_text(robot.name), what);
  text +=
      "// Written by `limber compile`; change the robot and write it again instead of editing.\n"
      "// The robot's constants are folded into the statements. SI units; orders, axes and signs "
      "are\n// those of Limber's conventions. Arrays must not overlap.\n";
  text += fmt::format(
      "// Damping, friction and springs of the joints: {}.\n",
      robot.function.passive == Passive::included ? "included" : "left out, but for those of step");
  int first = 0;
  for (std::size_t k = 0; k < robot.parameter_places.size(); ++k) {
    const FreeParameter& p = robot.function.parameters[k];
    text +=
        fmt::format("// parameters{}\n", parameter_comment(p, robot.parameter_places[k], first));
    first += size_of(p);
  }
  return text;
}

std::string function_comment(const Program& program, std::string_view prefix) {
  const ProgramCounts n = program.count();
  return fmt::format(
             "{0}{1}: {2} operations in {3} instructions, sine and cosine of {4} angles, at most "
             "{5} values alive.\n",
             prefix, program.name, n.operations(), n.instructions(), n.sincos, n.largest_live) +
         array_lines(program.shape.inputs, prefix, "in ") +
         array_lines(program.shape.outputs, prefix, "out");
}

std::string parameter_list(const Program& program, std::string_view type) {
  std::vector<std::string> list;
  for (const ArrayShape& array : program.shape.inputs)
    list.push_back(fmt::format("const {}* {}", type, array.name));
  for (const ArrayShape& array : program.shape.outputs)
    list.push_back(fmt::format("{}* {}", type, array.name));
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string argument_list(const Program& program, std::string_view form,
                          std::string_view table_form) {
  std::vector<std::string> list;
  for (const std::vector<ArrayShape>* arrays : {&program.shape.inputs, &program.shape.outputs})
    for (const ArrayShape& array : *arrays)
      list.push_back(fmt::format(fmt::runtime(array.is_table ? table_form : form), array.name));
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string tables_clause(const Program& program) {
  std::vector<std::string> tables;
  for (const ArrayShape& array : program.shape.inputs)
    if (array.is_table) tables.push_back(array.name + "[e]");
  return tables.empty() ? "" : fmt::format(", but {} for all states", fmt::join(tables, ", "));
}

std::string stages_comment(const StagedProgram& staged, std::string_view prefix) {
  if (staged.stages.size() == 1) return "";
  return fmt::format("{}In {} stages; {} values that cross between them wait on the stack.\n",
                     prefix, staged.stages.size(), staged.slots);
}

std::string staged_body(const StagedProgram& staged, std::string_view type, std::string_view array,
                        std::string_view call) {
  std::string text;
  if (staged.slots > 0)
    text = fmt::format("  {};\n  const {}* const from_earlier = for_later;\n",
                       fmt::format(fmt::runtime(array), staged.slots), type);
  for (const Program& stage : staged.stages)
    text += fmt::format("  {}{});\n", fmt::format(fmt::runtime(call), stage.name),
                        argument_list(stage));
  return text;
}

std::string step_arguments(const Program& step) {
  const std::size_t carried = carried_arrays(step.shape);
  std::vector<std::string> all;
  for (std::size_t k = 0; k < step.shape.inputs.size(); ++k)
    all.push_back(step.shape.inputs[k].name + (k < carried ? "_now" : ""));
  for (std::size_t k = 0; k < carried; ++k) all.push_back(step.shape.outputs[k].name);
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string other_results(const Program& step) {
  std::string text;
  for (std::size_t k = carried_arrays(step.shape); k < step.shape.outputs.size(); ++k)
    text += ", " + step.shape.outputs[k].name;
  return text;
}

std::string for_carried(const Program& step, const std::string& form) {
  std::string text;
  for (std::size_t k = 0; k < carried_arrays(step.shape); ++k)
    text += fmt::format(fmt::runtime(form), step.shape.inputs[k].name, step.shape.outputs[k].name,
                        step.shape.inputs[k].size);
  return text;
}

std::vector<std::string> unread_inputs(const Program& program) {
  std::vector<bool> read(program.shape.inputs.size());
  for (const Instruction& i : program.code)
    if (i.op == Op::input || i.op == Op::element) read[static_cast<std::size_t>(i.array)] = true;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < read.size(); ++k)
    if (!read[k]) names.push_back(program.shape.inputs[k].name);
  return names;
}

const Program* find_program(const TracedRobot& robot, RobotFunction function) {
  const auto found = std::find_if(robot.programs.begin(), robot.programs.end(),
                                  [&](const Program& p) { return p.name == name(function); });
  return found == robot.programs.end() ? nullptr : &*found;
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(fmt::format("\"{}\"", plain_text(text)));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

}  // namespace limber
