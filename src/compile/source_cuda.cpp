// CUDA: ROBOT.cuh, kernels for many states with their launchers, and a usage example.
#include <fmt/format.h>

#include "compile/emit_cuda.hpp"
#include "compile/example.hpp"
#include "compile/schedule.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

/// Derivatives of forward dynamics in one straight line are faster than column by column as long as
/// it is short and its values fit about twice into the registers, in words of four bytes (measured
/// on an H200).
constexpr int longest_gradient = 5000, most_words = 450;
/// Column by column takes tables of 100 bytes per variable, and constant memory has 64 KiB.
constexpr int most_columns = 500;

/// Derivatives of forward dynamics, in one straight line or column by column, as suits the type.
std::string gradient_text(const TracedRobot& robot, const Program& traced, const Program* forward) {
  FunctionOptions options = robot.function;
  options.registers = cuda_registers;
  Program line = schedule(traced, cuda_registers);
  const ProgramCounts counts = line.count();
  const bool is_short = counts.instructions() <= longest_gradient;
  const bool single = is_short && counts.largest_live <= most_words;
  const bool twice = is_short && 2 * counts.largest_live <= most_words;
  if (twice || robot.model.has_mimic() || robot.model.nv > most_columns)
    return cuda_function(line, robot.model);
  // the first step of the other way is forward dynamics, which may not have been asked for
  std::string text;
  if (!forward)
    text = cuda_function(trace(robot.model, RobotFunction::forward_dynamics, options), robot.model);
  if (!single) return text + cuda_gradient(robot.model, options, traced.name);
  const std::string by_columns = traced.name + "_by_columns";
  line.name += "_in_line";
  text += cuda_function(line, robot.model) + cuda_gradient(robot.model, options, by_columns);
  std::string declared, names;
  for (const ArrayShape& array : line.shape.inputs)
    declared += fmt::format("const T* {}, ", array.name), names += array.name + ", ";
  for (const ArrayShape& array : line.shape.outputs)
    declared += fmt::format("T* {}, ", array.name), names += array.name + ", ";
  return text +
         fmt::format(
             "template <class T>\n"
             "cudaError_t {0}(long count, long stride, {1}cudaStream_t stream = nullptr) {{\n"
             "  if constexpr (sizeof(T) == 4) return {2}<T>(count, stride, {4}stream);\n"
             "  else return {3}<T>(count, stride, {4}stream);\n"
             "}}\n\n",
             traced.name, declared, line.name, by_columns, names);
}

std::string function_text(const TracedRobot& robot, const Program& traced, const Program* forward) {
  if (traced.name == name(RobotFunction::forward_dynamics_derivatives))
    return gradient_text(robot, traced, forward);
  const Program program = schedule(traced, cuda_registers);
  std::string text = cuda_function(program, robot.model);
  if (traced.name == name(RobotFunction::step)) text += cuda_rollout(program);
  return text;
}

/// Arrays of one state on the device, the call, and its results.
std::string example_block(const TracedRobot& robot, const Program& program) {
  std::string text = "  {\n", arguments;
  for (const ArrayShape& array : program.shape.inputs) {
    const std::string numbers = array.is_table
                                    ? fmt::format("std::vector<float>({})", array.size)
                                    : "{" + number_list(sample_input(robot, array)) + "}";
    text += fmt::format("    const float* {} = on_device({});\n", array.name, numbers);
    arguments += ", " + array.name;
  }
  for (const ArrayShape& array : program.shape.outputs) {
    text +=
        fmt::format("    float* {} = on_device(std::vector<float>({}));\n", array.name, array.size);
    arguments += ", " + array.name;
  }
  text +=
      fmt::format("    check({}::{}<float>(1, 1{}));\n", robot.identifier, program.name, arguments);
  for (const ArrayShape& array : program.shape.outputs)
    text += fmt::format("    print(\"{} {}\", {}, {});\n", program.name, array.name, array.name,
                        array.size);
  return text + "  }\n";
}

std::string example(const TracedRobot& robot) {
  std::string text = fmt::format(
      R"(// One state of every function. Build and run it on a machine with a GPU:
//   nvcc -O3 -arch=native -std=c++17 example.cu -o example && ./example
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "{}.cuh"

static void check(cudaError_t e) {{
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}}
static float* on_device(const std::vector<float>& x) {{
  float* p = nullptr;
  check(cudaMalloc(&p, x.size() * sizeof(float)));
  check(cudaMemcpy(p, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  return p;
}}
static void print(const char* name, const float* x, int size) {{
  std::vector<float> host(static_cast<size_t>(size));
  check(cudaMemcpy(host.data(), x, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%s:", name);
  for (const float y : host) std::printf(" %g", static_cast<double>(y));
  std::printf("\n");
}}

int main() {{
)",
      robot.identifier);
  for (const Program& program : robot.programs) text += example_block(robot, program);
  return text + "}\n";
}

}  // namespace

std::vector<GeneratedFile> cuda_files(const TracedRobot& robot) {
  std::string text = heading(robot, "CUDA kernels for many states") + cuda_prelude();
  if (find_program(robot, RobotFunction::forward_dynamics_derivatives))
    text += cuda_column_solver();
  text += fmt::format("namespace {} {{\n\nconstexpr int nq = {}, nv = {};\n\n", robot.identifier,
                      robot.nq, robot.nv);
  const Program* forward = find_program(robot, RobotFunction::forward_dynamics);
  for (const Program& program : robot.programs) text += function_text(robot, program, forward);
  text += fmt::format("}}  // namespace {}\n", robot.identifier);
  return {{robot.identifier + ".cuh", text}, {"example.cu", example(robot)}};
}

}  // namespace limber
