#include "compile/example.hpp"

#include <map>

#include <fmt/format.h>

#include "compile/parameters.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

std::vector<double> sample_parameters(const FunctionOptions& options) {
  std::vector<double> values;
  for (const FreeParameter& p : options.parameters) {
    std::vector<double> own(static_cast<std::size_t>(size_of(p)));
    if (p.kind == FreeParameter::Kind::gravity) own = {0, 0, -9.81};
    if (p.kind == FreeParameter::Kind::payload) own = {1, 0, 0, 0, 0.01, 0.01, 0.01, 0, 0, 0};
    if (p.kind == FreeParameter::Kind::gear) own = {100};
    if (p.kind == FreeParameter::Kind::fluid) own = {0.3, 0.1, 0, 0, 0, 0};
    values.insert(values.end(), own.begin(), own.end());
  }
  return values;
}

}  // namespace

std::vector<double> sample_input(const TracedRobot& robot, const ArrayShape& array) {
  static const std::map<std::string, double, std::less<>> one{
      {"v", 0.1}, {"a", 0.2}, {"tau", 0.3}, {"target", 0},
      {"kp", 10}, {"kd", 1},  {"h", 0.001}, {"last_forces", 0}};
  if (array.name == "q") return robot.neutral;
  if (array.name == "parameters") return sample_parameters(robot.function);
  return std::vector<double>(static_cast<std::size_t>(array.size), one.at(array.name));
}

std::string number_list(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(number_text(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string example_blocks(const TracedRobot& robot, const std::string& type,
                           const std::string& prefix) {
  std::string text;
  for (const Program& program : robot.programs) {
    text += "  {\n";
    for (const ArrayShape& array : program.shape.inputs)
      text += fmt::format("    {}const {} {}[{}] = {{{}}};\n", array.is_table ? "static " : "",
                          type, array.name, array.size,
                          array.is_table ? "0" : number_list(sample_input(robot, array)));
    for (const ArrayShape& array : program.shape.outputs)
      text += fmt::format("    {} {}[{}];\n", type, array.name, array.size);
    text += fmt::format("    {}{}({});\n", prefix, program.name, argument_list(program));
    for (const ArrayShape& array : program.shape.outputs)
      text += fmt::format("    print(\"{}: {}\", {}, {});\n", program.name, array.name, array.name,
                          array.size);
    text += "  }\n";
  }
  return text;
}

}  // namespace limber
