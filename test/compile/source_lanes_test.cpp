// Generated code for many states in lanes, compiled by the system's compilers and run, against the
// interpreter of programs.
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/compile/source.hpp>
#include <limber/io/load.hpp>

#include "compile/generated_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Prints state by state what a batch of `count` states, all different, gives for one function.
std::string batch_main(const Program& program, const std::vector<Arrays>& states,
                       const std::string& type) {
  const std::size_t count = states.size(), stride = count + 3;
  std::string text = "#include <cstdio>\n#include \"robot_lanes.hpp\"\nint main() {\n", arguments;
  for (std::size_t k = 0; k < program.shape.inputs.size(); ++k) {
    std::vector<double> by_variable;
    if (program.shape.inputs[k].is_table) by_variable = states[0][k];
    else
      for (std::size_t e = 0; e < states[0][k].size(); ++e)
        for (std::size_t i = 0; i < stride; ++i)
          by_variable.push_back(i < count ? states[i][k][e] : NAN);
    std::string values = list(by_variable);
    for (std::size_t at = 0; (at = values.find("nan", at)) != std::string::npos;)
      values.replace(at, 3, "NAN");
    text += fmt::format("static const {} x{}[] = {{{}}};\n", type, k, values);
    arguments += fmt::format(", x{}", k);
  }
  for (std::size_t k = 0; k < program.shape.outputs.size(); ++k) {
    text +=
        fmt::format("static {} y{}[{}];\n", type, k, program.shape.outputs[k].size * int(stride));
    arguments += fmt::format(", y{}", k);
  }
  text +=
      fmt::format("robot::{}_batch<{}>({}, {}{});\n", program.name, type, count, stride, arguments);
  text += fmt::format("for (int i = 0; i < {}; ++i) {{\n", stride);
  for (std::size_t k = 0; k < program.shape.outputs.size(); ++k)
    text += fmt::format(
        "for (int e = 0; e < {}; ++e) std::printf(\"%.17g\\n\", double(y{}[e * {} + i]));\n",
        program.shape.outputs[k].size, k, stride);
  return text + "}\n}\n";
}

/// `count` states in lanes against the interpreter; behind the last state nothing may be written.
void expect_lanes(const Case& c, std::size_t count, const std::string& type,
                  const std::string& compile, double tolerance) {
  const Program& program = c.robot.programs.front();
  std::vector<Arrays> states;
  std::vector<double> expected;
  for (std::size_t i = 0; i < count; ++i) {
    states.push_back(random_inputs(c.model, program.shape, 20 + i));
    for (std::size_t k = 0; k < program.shape.inputs.size(); ++k)
      if (program.shape.inputs[k].is_table) states[i][k] = states[0][k];
    const std::vector<double> results = joined(evaluated(program, states.back()));
    expected.insert(expected.end(), results.begin(), results.end());
  }
  expected.resize(expected.size() / count * (count + 3));  // untouched zeros
  const Folder folder;
  folder.write(write_source(c.robot, {Target::lanes}));
  folder.write("main.cpp", batch_main(program, states, type));
  const ShellResult built = run_in(folder.path(), compile + " main.cpp -o main");
  ASSERT_EQ(built.status, 0) << built.output.substr(0, 2000);
  EXPECT_LT(relative_error(run_in(folder.path(), "./main").numbers(), expected), tolerance);
}

TEST(GeneratedLanes, BatchesOfAnySize) {
  const Case c(load("every_joint"), {RobotFunction::inverse_dynamics});
  for (const std::string& compiler : compilers())
    expect_lanes(c, 19, "double", fmt::format("{} -std=c++17 -march=native {}", compiler, warnings),
                 1e-12);
  const Case arm(load("puma560"), {RobotFunction::inverse_dynamics});
  expect_lanes(arm, 3, "double", "c++ -std=c++17 -O1", 1e-12);
  expect_lanes(arm, 37, "float", "c++ -std=c++17 -O1 -march=native", 1e-5);
}

TEST(GeneratedLanes, ClosedMechanisms) {
  for (const RobotFunction f : {RobotFunction::forward_dynamics, RobotFunction::step}) {
    const Case c(load("four_bar"), {f});
    for (const std::string& compiler : compilers())
      expect_lanes(c, 5, "double",
                   fmt::format("{} -std=c++17 -march=native {}", compiler, warnings), 1e-9);
    expect_lanes(c, 5, "float", "c++ -std=c++17 -O1 -march=native", 1e-3);
  }
}

TEST(GeneratedLanes, Stages) {
  const Model model = load("puma560");
  FunctionOptions options;
  options.frames = {"link6"};
  options.longest_function = 50;
  std::size_t next = 0;
  for (const RobotFunction f : compilable_functions(model)) {
    const std::string& compiler = compilers()[next++ % compilers().size()];
    expect_lanes(Case(model, {f}, options), 11, "double",
                 fmt::format("{} -std=c++17 -march=native {}", compiler, warnings), 1e-12);
  }
}

// states on the same heights, some of them beside these, in one piece and in stages
TEST(GeneratedLanes, HeightFields) {
  FunctionOptions options;
  const Model body = body_in_ground(options.contact);
  options.contact.candidates[1].point.x = -4;
  options.contact.field = hills;
  for (const int longest : {2000, 40}) {
    options.longest_function = longest;
    const Case c(body, {RobotFunction::step}, options);
    const std::string& compiler = longest == 40 ? compilers().front() : compilers().back();
    expect_lanes(c, 13, "double", fmt::format("{} -std=c++17 -march=native {}", compiler, warnings),
                 1e-9);
    if (longest == 40) expect_lanes(c, 13, "float", "c++ -std=c++17", 1e-2);
  }
}

// each folder has its own copy of Pack's headers
TEST(GeneratedLanes, TwoRobotsInOneProgram) {
  const Folder folder;
  for (const std::string robot : {"pendulum", "double_pendulum"}) {
    std::filesystem::create_directory(folder.path() + "/" + robot);
    GenerateOptions options;
    options.functions = {RobotFunction::bias_forces};
    options.targets = {Target::lanes};
    for (const GeneratedFile& file : generate(load(robot), options))
      folder.write(robot + "/" + file.name, file.text + "// " + robot + "\n");
  }
  folder.write(
      "main.cpp",
      "#include \"pendulum/pendulum_lanes.hpp\"\n"
      "#include \"double_pendulum/double_pendulum_lanes.hpp\"\n"
      "int main() { return pendulum::lanes::nv == 1 && double_pendulum::lanes::nv == 2 ? 0 "
      ": 1; }\n");
  const ShellResult ran = run_in(folder.path(), "c++ -std=c++17 main.cpp -o main && ./main");
  EXPECT_EQ(ran.status, 0) << ran.output;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
