#include "compile/function_code.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "compile/copy_row.hpp"
#include "compile/evaluate.hpp"
#include "compile/interpreted.hpp"
#include "compile/lanes_gradient.hpp"
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
    evaluate_block<T, block>(code.sparse_program, scratch<T>(), i, std::min<long>(block, count - i),
                             stride, in, out);
}

template <class T>
void run_rollout(const void* context, long count, long stride, long steps, const T* const* in,
                 T* const* out) {
  const FunctionShape& shape = static_cast<const FunctionCode*>(context)->shape;
  std::array<const T*, most_inputs> now{};
  std::copy_n(in, shape.inputs.size(), now.begin());
  for (std::size_t k = 0; k < carried_arrays(shape); ++k) {  // q, v, … go on from where they are
    now[k] = out[k];
    for (int e = 0; e < shape.inputs[k].size; ++e)
      std::copy_n(in[k] + e * stride, count, out[k] + e * stride);
  }
  for (long k = 0; k < steps; ++k) run_batch<T>(context, count, stride, now.data(), out);
}

constexpr long whole_block =
    40;  ///< states that run_whole() takes at a time; rows are no power of two apart

/// Scratch of the present thread for results in sparse form.
template <class T>
std::vector<T>& sparse_scratch() {
  thread_local std::vector<T> values;
  return values;
}

template <class T>
Kernels<T> program_kernels(RobotFunction function) {
  return {run_batch<T>, function == RobotFunction::step ? run_rollout<T> : nullptr};
}

template <class T>
Kernels<T> library_kernels(const SharedLibrary& library, const std::string& type) {
  return {library.function<KernelPointer<T>>(("limber_batch_" + type).c_str()),
          library.function<RolloutPointer<T>>(("limber_rollout_" + type).c_str())};
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

constexpr const char* entry_macro =
    "#define LIMBER_ENTRY extern \"C\" __attribute__((visibility(\"default\"))) void\n\n";

/// The functions that a library shows, all with one signature: for one state …
std::string entry_of_one(const TracedRobot& robot, const Program& program) {
  return fmt::format(
      R"(LIMBER_ENTRY limber_one(const void*, long, long, const double* const* in, double* const* out) {{
  {0}::{1}<double>({2});
}}
)",
      robot.identifier, program.name, array_arguments(program.shape));
}
/// … and for many.
std::string entries_of_many(const TracedRobot& robot, const Program& program,
                            KernelNumbers numbers) {
  const std::string arguments = array_arguments(program.shape);
  std::string text;
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

/// One stage for one state.
std::string stage_of_one(const TracedRobot& robot, const Program& stage) {
  return fmt::format("namespace {}::detail {{\n{}template void {}<double>({});\n}}\n\n",
                     robot.identifier, cpp_stage(stage), stage.name,
                     parameter_list(stage, "double"));
}
/// One stage in lanes.
std::string stage_in_lanes(const TracedRobot& robot, const Program& stage, KernelNumbers numbers) {
  std::string text =
      fmt::format("namespace {}::lanes {{\n{}", robot.identifier, lanes_stage(stage));
  for (const std::string& type : type_names(numbers))
    text += fmt::format("template void {}<Widest<{}>>(long stride, {});\n", stage.name, type,
                        parameter_list(stage, type));
  return text + "}\n";
}

/// The texts of the stages of a program; none where it is one piece.
template <class F>
std::vector<std::string> stage_texts(const Program& program, int longest, F&& text) {
  const StagedProgram staged = in_stages(program, longest);
  std::vector<std::string> texts;
  if (staged.stages.size() > 1)
    for (const Program& stage : staged.stages) texts.push_back(text(stage));
  return texts;
}

/// Adds stages, a few units for each core: more of them would only read the same headers oftener.
void add_stages(LibrarySource& source, const std::string& includes,
                const std::vector<std::string>& stages) {
  const std::size_t units = 4 * std::max(1U, std::thread::hardware_concurrency());
  const std::size_t together = (stages.size() + units - 1) / units;
  for (std::size_t first = 0; first < stages.size(); first += together) {
    std::string text = includes;
    for (std::size_t s = first; s < std::min(first + together, stages.size()); ++s)
      text += stages[s];
    source.units.push_back({fmt::format("stages_{}.cpp", first), text});
  }
}

/// The same robot with matrices in sparse form.
TracedRobot with_sparse_matrices(TracedRobot robot) {
  Program& program = robot.programs.front();
  const RobotFunction function = robot_function(program.name);
  if (has_matrices(function))
    program =
        in_sparse_form(std::move(program), sparse_shape_of(function, robot.model, robot.function));
  return robot;
}

/// Writes the results of some states to rows.
template <class T>
void write_whole(const ArrayShape& array, const T* from, long count, long stride, T* rows) {
  const long width = array.entries.empty() ? array.size : static_cast<long>(array.entries.size());
  for (long j = 0; j < width; ++j, rows += stride) {
    const long entry = array.entries.empty() ? j : array.entries[static_cast<std::size_t>(j)];
    copy_row(entry < 0 ? nullptr : from + entry * whole_block, count, rows);
  }
}

}  // namespace

bool is_derivative(RobotFunction function) {
  return function == RobotFunction::inverse_dynamics_derivatives ||
         function == RobotFunction::forward_dynamics_derivatives;
}
bool has_matrices(RobotFunction function) {
  return function == RobotFunction::mass_matrix || is_derivative(function);
}

template <class T>
void run_whole(const void* context, long count, long stride, const T* const* in, T* const* out) {
  const auto& code = *static_cast<const FunctionCode*>(context);
  const FunctionShape& shape = code.sparse_shape;
  std::size_t size = 0;
  for (const std::vector<ArrayShape>* arrays : {&shape.inputs, &shape.outputs})
    for (const ArrayShape& array : *arrays) size += static_cast<std::size_t>(array.size);
  std::vector<T>& values = sparse_scratch<T>();
  values.resize(std::max(values.size(), size * whole_block));
  std::array<const T*, most_inputs> block_in{};
  std::array<T*, most_inputs> block_out{};
  for (long first = 0; first < count; first += whole_block) {
    const long states = std::min(whole_block, count - first);
    T* next = values.data();
    for (std::size_t k = 0; k < shape.inputs.size(); ++k) {
      block_in[k] = next;
      for (int e = 0; e < shape.inputs[k].size; ++e, next += whole_block)
        std::copy_n(in[k] + e * stride + first, states, next);
    }
    for (std::size_t k = 0; k < shape.outputs.size(); ++k) {
      block_out[k] = next;
      next += shape.outputs[k].size * whole_block;
    }
    code.kernels<T>().batch(context, states, whole_block, block_in.data(), block_out.data());
    for (std::size_t k = 0; k < shape.outputs.size(); ++k)
      write_whole(shape.outputs[k], block_out[k], states, stride, out[k] + first);
  }
}
template void run_whole(const void*, long, long, const double* const*, double* const*);
template void run_whole(const void*, long, long, const float* const*, float* const*);

Program in_sparse_form(Program program, const FunctionShape& sparse_shape) {
  std::vector<std::vector<bool>> stored;  // which numbers of each array are there already
  for (const ArrayShape& array : sparse_shape.outputs)
    stored.emplace_back(static_cast<std::size_t>(array.size));
  std::vector<Result> results;
  for (Result result : program.results) {
    const auto array = static_cast<std::size_t>(result.array);
    const std::vector<int>& entries = sparse_shape.outputs[array].entries;
    if (!entries.empty()) {
      result.element = entries[static_cast<std::size_t>(result.element)];
      if (result.element < 0) continue;
    }
    const auto element = static_cast<std::size_t>(result.element);
    if (stored[array][element]) continue;
    stored[array][element] = true;
    results.push_back(result);
  }
  program.results = std::move(results);
  program.shape = sparse_shape;
  return program;
}

LibrarySource library_source(const TracedRobot& robot, KernelNumbers numbers) {
  const TracedRobot sparse = with_sparse_matrices(robot);
  const Program &one = robot.programs.front(), &many = sparse.programs.front();
  LibrarySource source;
  source.headers = pack_files();
  source.headers.push_back({robot.identifier + ".hpp", cpp_header(robot, StagePlace::own_files)});
  source.headers.push_back(
      {robot.identifier + "_lanes.hpp", lanes_header(sparse, StagePlace::own_files)});
  const std::string includes =
      fmt::format("#include \"{0}.hpp\"\n#include \"{0}_lanes.hpp\"\n\n", robot.identifier);
  source.units.push_back({"library.cpp", includes + entry_macro + entry_of_one(robot, one) +
                                             entries_of_many(robot, many, numbers)});
  const int longest = robot.function.longest_function;
  std::vector<std::string> stages =
      stage_texts(one, longest, [&](const Program& stage) { return stage_of_one(robot, stage); });
  for (std::string& text : stage_texts(many, longest, [&](const Program& stage) {
         return stage_in_lanes(robot, stage, numbers);
       }))
    stages.push_back(std::move(text));
  add_stages(source, includes, stages);
  return source;
}

LibrarySource library_source(const TracedRobot& robot, const LanesGradient& gradient,
                             KernelNumbers numbers) {
  LibrarySource source;
  source.headers = pack_files();
  for (GeneratedFile& file : column_files()) source.headers.push_back(std::move(file));
  source.headers.push_back({robot.identifier + "_lanes.hpp", lanes_header(robot, gradient)});
  const std::string includes = fmt::format("#include \"{}_lanes.hpp\"\n\n", robot.identifier);
  source.units.push_back(
      {"library.cpp", includes + entry_macro + entries_of_many(robot, gradient.whole, numbers)});
  add_stages(
      source, includes,
      stage_texts(gradient.parts.program, robot.function.longest_function,
                  [&](const Program& stage) { return stage_in_lanes(robot, stage, numbers); }));
  return source;
}

void use_library(SharedLibrary library, FunctionCode& code) {
  auto complete = [&](const auto& kernels) {
    return kernels.batch && (code.function != RobotFunction::step || kernels.rollout);
  };
  code.one = library.function<KernelPointer<double>>("limber_one");
  if (code.model) code.one = run_interpreted;
  else if (!code.one && has_matrices(code.function)) code.one = run_whole<double>;
  code.in_double = library_kernels<double>(library, "double");
  code.in_float = library_kernels<float>(library, "float");
  if (!code.one || !complete(code.in_double) ||
      (code.numbers == KernelNumbers::double_and_float && !complete(code.in_float)))
    throw Error(fmt::format("compiled code lacks a function of '{}'", name(code.function)));
  code.library = std::move(library);
}

void use_program(Program program, FunctionCode& code) {
  code.program = std::move(program);
  code.sparse_program = code.program;
  if (has_matrices(code.function))
    code.sparse_program = in_sparse_form(code.program, code.sparse_shape);
  code.one = code.model ? run_interpreted : run_one;
  code.in_double = program_kernels<double>(code.function);
  if (code.numbers == KernelNumbers::double_and_float)
    code.in_float = program_kernels<float>(code.function);
}

}  // namespace limber
