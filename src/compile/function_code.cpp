#include "compile/function_code.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "compile/evaluate.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

constexpr int block = 8;  ///< states that are run together without machine code

/// Scratch of the present thread, kept for the next call.
template <class T>
std::vector<T>& scratch() {
  thread_local std::vector<T> values;
  return values;
}

void run_one(const void* context, long, long, const double* const* in, double* const* out) {
  const auto& code = *static_cast<const FunctionCode*>(context);
  evaluate_block<double, 1>(code.program, scratch<double>(), 0, 1, 1, in, out);
}

template <class T>
void run_batch(const void* context, long count, long stride, const T* const* in, T* const* out) {
  const auto& code = *static_cast<const FunctionCode*>(context);
  for (long i = 0; i < count; i += block)
    evaluate_block<T, block>(code.program, scratch<T>(), i, std::min<long>(block, count - i),
                             stride, in, out);
}

template <class T>
void run_rollout(const void* context, long count, long stride, long steps, const T* const* in,
                 T* const* out) {
  const FunctionShape& shape = static_cast<const FunctionCode*>(context)->shape;
  std::array<const T*, most_inputs> now{};
  std::copy_n(in, shape.inputs.size(), now.begin());
  for (std::size_t k = 0; k < 2; ++k) {  // q and v go on from where they are
    now[k] = out[k];
    for (int e = 0; e < shape.inputs[k].size; ++e)
      std::copy_n(in[k] + e * stride, count, out[k] + e * stride);
  }
  for (long k = 0; k < steps; ++k) run_batch<T>(context, count, stride, now.data(), out);
}

template <class T>
Kernels<T> program_kernels(RobotFunction function) {
  return {run_batch<T>, function == RobotFunction::step ? run_rollout<T> : nullptr};
}

template <class T>
Kernels<T> library_kernels(const SharedLibrary& library, const std::string& type) {
  return {library.function<KernelPointer<T>>(("limber_batch_" + type).c_str()),
          library.function<RolloutFunction<T>>(("limber_rollout_" + type).c_str())};
}

/// "in[0], in[1], out[0]"
std::string array_arguments(const FunctionShape& shape) {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < shape.inputs.size(); ++k) list.push_back(fmt::format("in[{}]", k));
  for (std::size_t k = 0; k < shape.outputs.size(); ++k) list.push_back(fmt::format("out[{}]", k));
  return fmt::format("{}", fmt::join(list, ", "));
}

std::vector<std::string> type_names(KernelNumbers numbers) {
  if (numbers == KernelNumbers::double_and_float) return {"double", "float"};
  return {"double"};
}

/// The headers of the robot.
std::string include_text(const TracedRobot& robot) {
  return fmt::format("#include \"{0}.hpp\"\n#include \"{0}_lanes.hpp\"\n\n", robot.identifier);
}

/// The functions that a library shows, all with one signature.
std::string entry_text(const TracedRobot& robot, KernelNumbers numbers) {
  const Program& program = robot.programs.front();
  const std::string arguments = array_arguments(program.shape);
  std::string text =
      include_text(robot) +
      fmt::format(
          R"(#define LIMBER_ENTRY extern "C" __attribute__((visibility("default"))) void

LIMBER_ENTRY limber_one(const void*, long, long, const double* const* in, double* const* out) {{
  {0}::{1}<double>({2});
}}
)",
          robot.identifier, program.name, arguments);
  for (const std::string& type : type_names(numbers)) {
    text += fmt::format(
        R"(LIMBER_ENTRY limber_batch_{0}(const void*, long count, long stride, const {0}* const* in,
    {0}* const* out) {{
  {1}::{2}_batch<{0}>(count, stride, {3});
}}
)",
        type, robot.identifier, program.name, arguments);
    if (program.name != name(RobotFunction::step)) continue;
    text += fmt::format(
        R"(LIMBER_ENTRY limber_rollout_{0}(const void*, long count, long stride, long steps,
    const {0}* const* in, {0}* const* out) {{
  {1}::rollout_batch<{0}>(count, stride, steps, {2});
}}
)",
        type, robot.identifier, arguments);
  }
  return text;
}

/// One stage, for one state and in lanes.
std::string stage_text(const TracedRobot& robot, const Program& stage, KernelNumbers numbers) {
  const std::string& name = robot.identifier;
  std::string text = fmt::format("namespace {}::detail {{\n{}", name, cpp_stage(stage));
  text += fmt::format("template void {}<double>({});\n}}\n\n", stage.name,
                      parameter_list(stage, "double"));
  text += fmt::format("namespace {}::lanes {{\n{}", name, lanes_stage(stage));
  for (const std::string& type : type_names(numbers))
    text += fmt::format("template void {}<Widest<{}>>(long stride, {});\n", stage.name, type,
                        parameter_list(stage, type));
  return text + "}\n";
}

}  // namespace

LibrarySource library_source(const TracedRobot& robot, KernelNumbers numbers) {
  LibrarySource source;
  source.headers = pack_files();
  source.headers.push_back({robot.identifier + ".hpp", cpp_header(robot, StagePlace::own_files)});
  source.headers.push_back(
      {robot.identifier + "_lanes.hpp", lanes_header(robot, StagePlace::own_files)});
  source.units.push_back({"library.cpp", entry_text(robot, numbers)});
  const StagedProgram staged = in_stages(robot.programs.front(), robot.function.longest_function);
  const std::size_t stages = staged.stages.size();
  if (stages == 1) return source;
  // a few units for each core: more of them would only read the same headers oftener
  const std::size_t units = 4 * std::max(1U, std::thread::hardware_concurrency());
  const std::size_t together = (stages + units - 1) / units;
  for (std::size_t first = 0; first < stages; first += together) {
    std::string text = include_text(robot);
    for (std::size_t s = first; s < std::min(first + together, stages); ++s)
      text += stage_text(robot, staged.stages[s], numbers);
    source.units.push_back({staged.stages[first].name + ".cpp", text});
  }
  return source;
}

void use_library(SharedLibrary library, FunctionCode& code) {
  auto complete = [&](const auto& kernels) {
    return kernels.batch && (code.function != RobotFunction::step || kernels.rollout);
  };
  code.one = library.function<KernelPointer<double>>("limber_one");
  code.in_double = library_kernels<double>(library, "double");
  code.in_float = library_kernels<float>(library, "float");
  if (!code.one || !complete(code.in_double) ||
      (code.numbers == KernelNumbers::double_and_float && !complete(code.in_float)))
    throw Error(fmt::format("compiled code lacks a function of '{}'", name(code.function)));
  code.library = std::move(library);
}

void use_program(Program program, FunctionCode& code) {
  code.program = std::move(program);
  code.one = run_one;
  code.in_double = program_kernels<double>(code.function);
  if (code.numbers == KernelNumbers::double_and_float)
    code.in_float = program_kernels<float>(code.function);
}

}  // namespace limber
