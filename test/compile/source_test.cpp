// Generated C++ and C, compiled by the system's compilers and run, against the library's own
// algorithms and the interpreter of programs.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/compile/source.hpp>
#include <limber/constraint/assemble.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>

#include "compile/generated_program.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Every joint kind that a file can describe, with all kinds of free parameters.
Case every_joint(int longest_function = FunctionOptions{}.longest_function) {
  FunctionOptions options;
  options.longest_function = longest_function;
  options.frames = {"tip", "camera"};
  options.parameters = {free_parameter("gravity"), free_parameter("payload:tip"),
                        free_parameter("gear:turn")};
  options.passive = Passive::included;
  return Case(load("every_joint"),
              {RobotFunction::kinematics, RobotFunction::inverse_dynamics, RobotFunction::step},
              options, {0.3, -0.2, -9.7, 0.8, 0.01, 0.02, 0.03, 0.002, 0.003, 0.004, 0, 0, 0, 40});
}

TEST(GeneratedCpp, EveryJointKindAndParameter) {
  const Case c = every_joint();
  const Folder folder;
  folder.write(write_source(c.robot, {Target::cpp}));
  folder.write("main.cpp", main_text("robot.hpp", calls(c.robot, c.inputs, "double", "robot::")));
  for (const std::string& compiler : compilers())
    expect_output(folder, fmt::format("{} -std=c++17 {} main.cpp -o main", compiler, warnings), c,
                  1e-12);
}

/// Every function of the quadruped in short stages.
Case in_short_stages() {
  FunctionOptions options;
  options.frames = {"trunk"};
  options.longest_function = 150;
  const Model model = load("quadruped");
  return Case(model, compilable_functions(model), options);
}

TEST(GeneratedCpp, Stages) {
  for (const Case& c : {every_joint(60), in_short_stages()}) {
    const Folder folder;
    folder.write(write_source(c.robot, {Target::cpp}));
    folder.write("main.cpp", main_text("robot.hpp", calls(c.robot, c.inputs, "double", "robot::")));
    const ShellResult stages = run_in(folder.path(), "grep -c _stage_0 robot.hpp");
    EXPECT_GT(stages.numbers().at(0), static_cast<double>(c.robot.programs.size()));
    for (const std::string& compiler : compilers())
      expect_output(folder, fmt::format("{} -std=c++17 {} main.cpp -o main", compiler, warnings), c,
                    1e-12);
  }
}

/// The program compares 16 angles at a time with the standard library's long double.
constexpr const char* sincos_main = R"(#include <cstdio>
#include <random>
#include "robot.hpp"
template <class T>
T units(T found, long double expected) {
  const T next = std::nextafter(std::abs(T(expected)), T(2));
  return T(std::abs(found - expected)) / (next - std::abs(T(expected)));
}
int main() {
  std::mt19937_64 random(1);
  double worst = 0;
  for (const double range : {1e-6, 1.0, 1e3, 99999.0, 1e9}) {
    std::uniform_real_distribution<double> angle(-range, range);
    for (int round = 0; round < 20000; ++round) {
      double x[16], s[16], c[16];
      for (double& one : x) one = angle(random);
      robot::detail::sincos<16>(x, s, c);
      for (int i = 0; i < 16; ++i) {
        worst = std::fmax(worst, units(s[i], std::sin((long double)x[i])));
        worst = std::fmax(worst, units(c[i], std::cos((long double)x[i])));
      }
    }
  }
  const double bad[16] = {0.5, NAN, INFINITY};
  double s[16], c[16];
  robot::detail::sincos<16>(bad, s, c);
  std::printf("%.17g %d\n", worst, s[0] == std::sin(0.5) && std::isnan(s[1]) && std::isnan(c[2]));
}
)";

TEST(GeneratedCpp, SineAndCosineOfManyAngles) {
  const Case c(load("puma560"), {RobotFunction::bias_forces});
  const Folder folder;
  folder.write(write_source(c.robot, {Target::cpp}));
  folder.write("main.cpp", sincos_main);
  for (const std::string& compiler : compilers()) {
    const ShellResult built =
        run_in(folder.path(), compiler + " -std=c++17 -O2 -march=native main.cpp -o main");
    ASSERT_EQ(built.status, 0) << built.output;
    const std::vector<double> found = run_in(folder.path(), "./main").numbers();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_LT(found[0], 2);  // units in the last place
    EXPECT_EQ(found[1], 1);
  }
}

TEST(GeneratedCpp, Float) {
  const Case c(load("puma560"), {RobotFunction::inverse_dynamics, RobotFunction::mass_matrix});
  const Folder folder;
  folder.write(write_source(c.robot, {Target::cpp}));
  folder.write("main.cpp", main_text("robot.hpp", calls(c.robot, c.inputs, "float", "robot::")));
  expect_output(folder, "c++ -std=c++17 -march=native -O1 main.cpp -o main", c, 1e-5);
}

TEST(GeneratedCStages, EveryFunction) {
  const Case c = in_short_stages();
  const Folder folder;
  folder.write(write_source(c.robot, {Target::c}));
  folder.write("main.c", main_text("robot.h", calls(c.robot, c.inputs, "robot_real", "robot_")));
  expect_output(folder, fmt::format("cc -std=c99 {} robot.c main.c -lm -o main", warnings), c,
                1e-12);
}

// in one piece, and in stages
class GeneratedC : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(LongestFunction, GeneratedC, testing::Values(2000, 60));
TEST_P(GeneratedC, EveryJointKindAndParameter) {
  const Case c = every_joint(GetParam());
  const Folder folder;
  folder.write(write_source(c.robot, {Target::c}));
  folder.write("main.c", main_text("robot.h", calls(c.robot, c.inputs, "robot_real", "robot_")));
  const std::string line = fmt::format("cc -std=c99 {} robot.c main.c -lm -o main", warnings);
  expect_output(folder, line, c, 1e-12);
  const ShellResult symbols =
      run_in(folder.path(), "cc -std=c99 -fno-pic -c robot.c && nm robot.o");
  ASSERT_EQ(symbols.status, 0) << symbols.output;
  for (const char* changing : {" D ", " d ", " B ", " b ", "malloc"})
    EXPECT_EQ(symbols.output.find(changing), std::string::npos) << changing;
}

TEST(GeneratedCFloat, ByAMacro) {
  const Case c(load("puma560"), {RobotFunction::inverse_dynamics, RobotFunction::step});
  const Folder folder;
  folder.write(write_source(c.robot, {Target::c}));
  folder.write("main.c", main_text("robot.h", calls(c.robot, c.inputs, "robot_real", "robot_")));
  const std::string clean =
      fmt::format("cc -std=c99 -O1 {} -Wdouble-promotion -DROBOT_REAL=float -c robot.c", warnings);
  expect_output(folder, clean + " && cc -std=c99 -DROBOT_REAL=float main.c robot.o -lm -o main", c,
                1e-5);
}

class GeneratedSteps : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(LongestFunction, GeneratedSteps, testing::Values(2000, 10));
/// others: arrays of results beside the state
void expect_rollout(const Case& c, const std::vector<std::string>& others) {
  const Program& step = c.robot.programs.front();
  Arrays state = c.inputs.front();
  for (int k = 0; k < 50; ++k) {
    const Arrays next = evaluated(step, state);
    state[0] = next[0], state[1] = next[1];
  }
  const std::vector<double> expected = joined({state[0], state[1]});
  const Folder folder;
  folder.write(write_source(c.robot, {Target::cpp, Target::lanes, Target::c}));
  std::string arrays, more;
  for (const std::string& name : others)
    arrays += fmt::format("double {}[8];\n", name), more += ", " + name;
  std::string names;
  for (std::size_t k = 0; k < step.shape.inputs.size(); ++k) {
    const std::string& name = step.shape.inputs[k].name;
    arrays += fmt::format("double {}[] = {{{}}};\n", name, list(c.inputs.front()[k]));
    names += name + ", ";
  }
  const std::string rest = fmt::format(
      "{0}q, v{1});\n"  // in place
      "for (int i = 0; i < {2}; ++i) printf(\"%.17g\\n\", q[i]);\n"
      "for (int i = 0; i < {3}; ++i) printf(\"%.17g\\n\", v[i]);\n",
      names, more, c.model.nq, c.model.nv);
  auto expect = [&](const std::string& header, const std::string& call, const std::string& line) {
    folder.write("main" + line.substr(0, line.find(' ')), main_text(header, arrays + call + rest));
    const ShellResult built = run_in(folder.path(), line.substr(line.find(' ') + 1));
    ASSERT_EQ(built.status, 0) << built.output;
    EXPECT_LT(relative_error(run_in(folder.path(), "./main").numbers(), expected),
              others.empty() ? 1e-12 : 1e-9)
        << call;
  };
  expect("robot.hpp", "robot::rollout(50, ", ".cpp c++ -std=c++17 main.cpp -o main");
  expect("robot_lanes.hpp", "robot::rollout_batch<double>(1, 1, 50, ",
         ".cpp c++ -std=c++17 main.cpp -o main");
  expect("robot.h", "robot_rollout(50, ", ".c cc -std=c99 main.c robot.c -lm -o main");
}
TEST_P(GeneratedSteps, AreStepsInALoop) {
  FunctionOptions options;
  options.longest_function = GetParam();
  expect_rollout(Case(load("double_pendulum"), {RobotFunction::step}, options), {});
  Case closed(load("four_bar"), {RobotFunction::step}, options);
  closed.inputs.front()[0] = model_pose(Mechanism(closed.model));
  std::fill(closed.inputs.front()[1].begin(), closed.inputs.front()[1].end(), 0);
  expect_rollout(closed, {"loop_gaps", "loop_rates"});
  // the ground pushes it out
  const Model body = body_in_ground(options.contact);
  options.contact.height = 9;
  expect_rollout(Case(body, {RobotFunction::step}, options),
                 {"contact_forces", "contact_residual"});
  if (GetParam() < 2000) return;  // pieces as short as that take long to compile
  options.contact.height = 0;
  options.contact.field = hills;
  expect_rollout(Case(body, {RobotFunction::step}, options),
                 {"contact_forces", "contact_residual"});
}

/// A closed mechanism: forward dynamics and steps return more than those of a tree, and have a
/// constant that depends on the precision.
TEST(GeneratedClosed, EveryTarget) {
  const Case c(load("four_bar"), {RobotFunction::forward_dynamics, RobotFunction::step});
  const Folder folder;
  folder.write(write_source(c.robot, {Target::cpp, Target::c, Target::cuda}));
  folder.write("main.cpp", main_text("robot.hpp", calls(c.robot, c.inputs, "double", "robot::")));
  folder.write("main.c", main_text("robot.h", calls(c.robot, c.inputs, "robot_real", "robot_")));
  expect_output(folder, fmt::format("c++ -std=c++17 {} main.cpp -o main", warnings), c, 1e-10);
  expect_output(folder, fmt::format("cc -std=c99 {} robot.c main.c -lm -o main", warnings), c,
                1e-10);
  const std::string clean =
      fmt::format("cc -std=c99 -O1 {} -Wdouble-promotion -DROBOT_REAL=float -c robot.c", warnings);
  expect_output(folder, clean + " && cc -std=c99 -DROBOT_REAL=float main.c robot.o -lm -o main", c,
                1e-4);
  const std::string cuda = run_in(folder.path(), "cat robot.cuh").output;
  EXPECT_NE(cuda.find("(sizeof(T) < 8 ? T(1"), std::string::npos);
  EXPECT_NE(cuda.find("loop_gaps[j * stride] = steps > 0 ? loop_gaps_of_step[j]"),
            std::string::npos);
}

// the library's own algorithms share neither the trace nor the text with what is compiled
TEST(Generated, AgreesWithTheLibrary) {
  for (const std::uint64_t seed : {9U, 24U}) {
    Robot r(random_spec(seed), seed);
    auto values = [](const VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    Case c(r.model, {RobotFunction::inverse_dynamics, RobotFunction::forward_dynamics});
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    c.inputs = {{values(r.q), values(r.v), values(r.a)}, {values(r.q), values(r.v), values(tau)}};
    const Folder folder;
    folder.write(write_source(c.robot, {Target::cpp}));
    folder.write("main.cpp", main_text("robot.hpp", calls(c.robot, c.inputs, "double", "robot::")));
    ASSERT_EQ(run_in(folder.path(), "c++ -std=c++17 main.cpp -o main").status, 0);
    const std::vector<double> found = run_in(folder.path(), "./main").numbers();
    const auto nv = static_cast<std::size_t>(r.model.nv);
    const std::span<const double> all(found);
    ASSERT_EQ(found.size(), 2 * nv);
    EXPECT_LT(relative_error(all.first(nv), values(tau)), 1e-12);
    EXPECT_LT(relative_error(all.last(nv), values(r.a)), solve_tolerance(r, tau));
  }
}

TEST(Generated, SameRobotGivesSameBytes) {
  const Model model = load("quadruped");
  const std::vector<GeneratedFile> first = generate(model), second = generate(load("quadruped"));
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].name, second[i].name);
    EXPECT_EQ(first[i].text, second[i].text) << first[i].name;
  }
}

/// The numbers of lines "function: array: 1 2 3".
std::vector<double> after_colons(const std::string& text) {
  std::istringstream lines(text);
  std::string numbers;
  for (std::string line; std::getline(lines, line);)
    numbers += line.substr(line.rfind(':') + 1) + "\n";
  return ShellResult{0, numbers}.numbers();
}

TEST(Generated, ExamplesCompileByTheLineInThem) {
  GenerateOptions options;
  options.function.frames = {"lower"};
  const Folder folder;
  folder.write(generate(load("double_pendulum"), options));
  std::vector<std::string> outputs;
  for (const std::string file : {"example.cpp", "example_lanes.cpp", "example.c"}) {
    std::ifstream text(folder.path() + "/" + file);
    std::string line;
    while (std::getline(text, line) && !line.starts_with("//   ")) continue;
    const ShellResult ran = run_in(folder.path(), line.substr(5));
    ASSERT_EQ(ran.status, 0) << line << "\n" << ran.output;
    outputs.push_back(ran.output);
  }
  EXPECT_NE(outputs[0].find("forward_dynamics: a: "), std::string::npos) << outputs[0];
  const std::vector<double> expected = after_colons(outputs[0]);
  EXPECT_GT(expected.size(), 50U);
  EXPECT_LT(relative_error(after_colons(outputs[1]), expected), 1e-8);  // nine digits
  EXPECT_LT(relative_error(after_colons(outputs[2]), expected), 1e-8);
}

TEST(Generated, NamesAreIdentifiers) {
  Spec spec = load_spec("double_pendulum");
  spec.name = "class";
  EXPECT_EQ(trace_robot(build(spec), {{RobotFunction::bias_forces}, {}, {}, ""}).identifier,
            "class_robot");
  spec.name = "7 axes (new)";
  spec.frames.push_back({"a-b", "lower", {}, {}});
  spec.frames.push_back({"a_b", "lower", {}, {}});
  GenerateOptions options;
  options.functions = {RobotFunction::kinematics};
  options.function.frames = {"a-b", "a_b"};
  const TracedRobot robot = trace_robot(build(spec), options);
  EXPECT_EQ(robot.identifier, "r_7_axes_new");
  EXPECT_EQ(robot.programs[0].shape.outputs[0].name, "a_b_pose");
  EXPECT_EQ(robot.programs[0].shape.outputs[1].name, "a_b_pose_2");
}

TEST(Generated, RefusalsSayWhy) {
  Spec spec;
  spec.name = "stone";
  spec.bodies.push_back({});
  spec.bodies.back().name = "stone";
  EXPECT_THROW(generate(build(spec)), Error);
  EXPECT_THROW(target("cuba"), Error);
  GenerateOptions options;
  options.function.frames = {"nowhere"};
  EXPECT_THROW(generate(load("pendulum"), options), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
