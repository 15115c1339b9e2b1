#include "compile/generated_program.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <limber/model/generate.hpp>

namespace limber::test {

Folder::Folder() : path_(testing::TempDir() + "limber_compile_XXXXXX") {
  if (!mkdtemp(path_.data())) throw std::runtime_error("no temporary folder");
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ + "/" + name) << text;
}
void Folder::write(const std::vector<GeneratedFile>& files) const {
  for (const GeneratedFile& file : files) write(file.name, file.text);
}

ShellResult run_in(const std::string& folder, const std::string& command) {
  ShellResult result;
  FILE* pipe = popen(("cd '" + folder + "' && { " + command + "; } 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    result.output.append(buffer.data(), count);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::vector<double> ShellResult::numbers() const {
  std::istringstream stream(output);
  std::vector<double> values;
  for (double value = 0; stream >> value;) values.push_back(value);
  return values;
}

Arrays random_inputs(const Model& model, const FunctionShape& shape, std::uint64_t seed,
                     const std::vector<double>& parameters) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(-1, 1), positive(0.1, 1);
  Arrays inputs;
  for (const ArrayShape& array : shape.inputs) {
    std::vector<double>& values = inputs.emplace_back();
    if (array.name == "q") {
      values = generate_state(model, seed).q;
    } else if (array.name == "parameters") {
      values = parameters;
    } else {
      const bool is_positive = array.name == "kp" || array.name == "kd";
      for (int i = 0; i < array.size; ++i)
        values.push_back(array.name == "h" ? 0.01 : is_positive ? positive(random) : any(random));
    }
  }
  return inputs;
}

Arrays evaluated(const Program& program, const Arrays& inputs) {
  Arrays outputs;
  for (const ArrayShape& array : program.shape.outputs)
    outputs.emplace_back(static_cast<std::size_t>(array.size));
  const std::vector<std::span<const double>> in(inputs.begin(), inputs.end());
  const std::vector<std::span<double>> out(outputs.begin(), outputs.end());
  evaluate(program, in, out);
  return outputs;
}

std::vector<double> joined(const Arrays& arrays) {
  std::vector<double> all;
  for (const std::vector<double>& array : arrays) all.insert(all.end(), array.begin(), array.end());
  return all;
}

double relative_error(std::span<const double> found, std::span<const double> expected) {
  if (found.size() != expected.size()) return HUGE_VAL;
  double scale = 1, error = 0;
  for (const double x : expected) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) return HUGE_VAL;
    error = std::max(error, std::abs(found[i] - expected[i]));
  }
  return error / scale;
}

std::string list(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : ",", x);
  return text;
}

Case::Case(Model m, const std::vector<RobotFunction>& functions, const FunctionOptions& options,
           const std::vector<double>& parameters)
    : model(std::move(m)) {
  GenerateOptions wanted;
  wanted.functions = functions;
  wanted.function = options;
  wanted.identifier = "robot";
  robot = trace_robot(model, wanted);
  for (const Program& program : robot.programs) {
    inputs.push_back(random_inputs(model, program.shape, 11, parameters));
    const std::vector<double> results = joined(evaluated(program, inputs.back()));
    expected.insert(expected.end(), results.begin(), results.end());
  }
}

const std::vector<std::string>& compilers() {
  static const std::vector<std::string> all{LIMBER_TEST_COMPILERS};
  return all;
}

std::string calls(const TracedRobot& robot, const std::vector<Arrays>& inputs,
                  const std::string& type, const std::string& prefix) {
  std::string text;
  for (std::size_t p = 0; p < robot.programs.size(); ++p) {
    const Program& program = robot.programs[p];
    std::string arguments;
    text += "{\n";
    for (std::size_t k = 0; k < program.shape.inputs.size(); ++k) {
      text += fmt::format("const {} x{}[] = {{{}}};\n", type, k, list(inputs[p][k]));
      arguments += fmt::format("x{}, ", k);
    }
    for (std::size_t k = 0; k < program.shape.outputs.size(); ++k) {
      text += fmt::format("{} y{}[{}];\n", type, k, program.shape.outputs[k].size);
      arguments += fmt::format("{}y{}", k ? ", " : "", k);
    }
    text += fmt::format("{}{}({});\n", prefix, program.name, arguments);
    for (std::size_t k = 0; k < program.shape.outputs.size(); ++k)
      text += fmt::format("for (int i = 0; i < {}; ++i) printf(\"%.17g\\n\", (double)y{}[i]);\n",
                          program.shape.outputs[k].size, k);
    text += "}\n";
  }
  return text;
}

std::string main_text(const std::string& include, const std::string& body) {
  return fmt::format("#include <stdio.h>\n#include \"{}\"\nint main(void) {{\n{}return 0;\n}}\n",
                     include, body);
}

void expect_output(const Folder& folder, const std::string& compile, const Case& c,
                   double tolerance) {
  const ShellResult built = run_in(folder.path(), compile);
  ASSERT_EQ(built.status, 0) << compile << "\n" << built.output.substr(0, 2000);
  const ShellResult ran = run_in(folder.path(), "./main");
  ASSERT_EQ(ran.status, 0) << ran.output;
  EXPECT_LT(relative_error(ran.numbers(), c.expected), tolerance) << compile;
}

Model body_in_ground(StepContact& contact) {
  Spec body;
  body.add_body("body", 1, {}, {0.1, 0.2, 0.2, 0, 0, 0});
  body.add_joint("root", JointKind::free, "", "body");
  contact.candidates = {{"body", {0.1, 0, -0.3}, 0.1}, {"body", {-0.1, 0.2, -0.3}, 0}};
  contact.sweeps = 3;
  return build(body);
}

}  // namespace limber::test
