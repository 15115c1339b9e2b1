#include <limber/compile/compiled_robot.hpp>

#include <algorithm>
#include <cmath>
#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "compile/build_code.hpp"
#include "compile/fingerprint.hpp"
#include "compile/function_code.hpp"

namespace limber {

struct CompiledRobot::Code {
  std::string robot;
  std::string numbers;  ///< fingerprint of the robot alone
  FunctionOptions options;
  std::vector<FunctionCode> functions;
  std::string notice;

  const FunctionCode& operator[](RobotFunction wanted) const {
    for (const FunctionCode& code : functions)
      if (code.function == wanted) return code;
    throw Error(fmt::format("robot '{}': {} was not compiled; name it in CompileOptions::functions",
                            robot, name(wanted)));
  }
  template <class T>
  const Kernels<T>& kernels(RobotFunction wanted) const {
    const Kernels<T>& found = (*this)[wanted].kernels<T>();
    if (found.batch) return found;
    throw Error(
        fmt::format("robot '{}': {} was not compiled for float; set CompileOptions::numbers to "
                    "double_and_float",
                    robot, name(wanted)));
  }
};

namespace {

using Input = CompiledRobot::In;
using Output = CompiledRobot::Out;

/// The most frames of kinematics and Jacobians in one call.
constexpr std::size_t most_outputs = 512;

void check_size(std::size_t found, const ArrayShape& expected, RobotFunction function) {
  if (found != static_cast<std::size_t>(expected.size))
    throw Error(fmt::format("{}: {} has {} numbers, expected {}: {}", name(function), expected.name,
                            found, expected.size, expected.meaning));
}

void check_steps(long steps) {
  if (steps < 1) throw Error(fmt::format("a rollout has at least one step, not {}", steps));
}

/// Inputs as a function takes them, sizes checked; `parameters` comes last.
std::array<const double*, most_inputs> pointers(const FunctionCode& code,
                                                std::span<const Input> inputs, Input parameters) {
  std::array<const double*, most_inputs> r{};
  const bool has_parameters = code.shape.inputs.size() > inputs.size();
  if (!has_parameters && !parameters.empty())
    throw Error(
        fmt::format("{}: {} numbers for `parameters`, but no parameter of the robot is free; name "
                    "it in FunctionOptions::parameters",
                    name(code.function), parameters.size()));
  std::size_t k = 0;
  for (const Input& array : inputs) {
    check_size(array.size(), code.shape.inputs[k], code.function);
    r[k++] = array.data();
  }
  if (has_parameters) {
    check_size(parameters.size(), code.shape.inputs[k], code.function);
    r[k] = parameters.data();
  }
  return r;
}

std::array<double*, most_inputs> pointers(const FunctionCode& code,
                                          std::initializer_list<Output> outputs) {
  std::array<double*, most_inputs> r{};
  if (outputs.size() != code.shape.outputs.size())
    throw Error(fmt::format(
        "{}: {} arrays of results are given, the function has {}, of which the last is '{}': {}; "
        "robots with loops, and contact, have a call of their own",
        name(code.function), outputs.size(), code.shape.outputs.size(),
        code.shape.outputs.back().name, code.shape.outputs.back().meaning));
  std::size_t k = 0;
  for (const Output& array : outputs) {
    check_size(array.size(), code.shape.outputs[k], code.function);
    r[k++] = array.data();
  }
  return r;
}

void call(const FunctionCode& code, std::initializer_list<Input> inputs, Input parameters,
          std::initializer_list<Output> outputs) {
  const auto in = pointers(code, {inputs.begin(), inputs.size()}, parameters);
  const auto out = pointers(code, outputs);
  code.one(&code, 1, 1, in.data(), out.data());
}

std::array<const double*, most_inputs> step_pointers(const FunctionCode& code,
                                                     const StepInputs& x) {
  std::array<Input, most_inputs> list;
  std::size_t count = 0;
  const auto add = [&](Input array) { list[count++] = array; };
  // what not every step has
  const auto add_if = [&](const char* array, Input numbers, const char* way_out) {
    const bool takes = std::any_of(code.shape.inputs.begin(), code.shape.inputs.end(),
                                   [&](const ArrayShape& input) { return input.name == array; });
    if (takes) add(numbers);
    else if (!numbers.empty())
      throw Error(fmt::format("{}: {} numbers for `{}`, but the step does not take them; {}",
                              name(code.function), numbers.size(), array, way_out));
  };
  add(x.q), add(x.v);
  add_if("last_forces", x.last_forces, "set StepContact::start to last_forces");
  for (const Input& array : {x.tau, x.target, x.kp, x.kd, Input(&x.h, 1)}) add(array);
  add_if("heights", x.heights, "set StepContact::field");
  return pointers(code, {list.data(), count}, x.parameters);
}

void step_once(const FunctionCode& code, const StepInputs& x,
               std::initializer_list<Output> outputs) {
  const auto in = step_pointers(code, x);
  const auto out = pointers(code, outputs);
  code.one(&code, 1, 1, in.data(), out.data());
}

/// True where all numbers of the results are finite.
bool roll_out(const FunctionCode& code, long steps, const StepInputs& x,
              std::initializer_list<Output> outputs) {
  check_steps(steps);
  const auto in = step_pointers(code, x);
  const auto out = pointers(code, outputs);
  code.in_double.rollout(&code, 1, 1, steps, in.data(), out.data());
  return std::all_of(outputs.begin(), outputs.end(), [](Output array) {
    return std::all_of(array.begin(), array.end(),
                       [](double entry) { return std::isfinite(entry); });
  });
}

/// Outputs, one per frame, that stand one after the other in `all`.
void call_frames(const FunctionCode& code, Input q, Output all, Input parameters) {
  const auto in = pointers(code, {&q, 1}, parameters);
  std::array<double*, most_outputs> out;
  std::size_t place = 0;
  for (std::size_t k = 0; k < code.shape.outputs.size(); ++k) {
    out[k] = all.data() + place;
    place += static_cast<std::size_t>(code.shape.outputs[k].size);
  }
  if (all.size() != place)
    throw Error(fmt::format("{}: the result has {} numbers, expected {}: {} for each of {} frames",
                            name(code.function), all.size(), place, code.shape.outputs[0].size,
                            code.shape.outputs.size()));
  code.one(&code, 1, 1, in.data(), out.data());
}

std::string robot_numbers(const Model& model) {
  return fingerprint(model, RobotFunction::inverse_dynamics, {}, "");
}

/// Derivatives of one state: the interpreter, which computes rows of their matrices in vectors, is
/// faster than a straight line for robots with so many freedoms (docs/benchmarks.md).
constexpr int least_interpreted = 7;

/// The functions that were asked for, each once.
std::vector<RobotFunction> functions_of(const Model& model, const CompileOptions& options) {
  if (options.functions.empty()) return usual_functions(model);
  std::vector<RobotFunction> wanted;
  for (const RobotFunction f : robot_functions())
    if (std::find(options.functions.begin(), options.functions.end(), f) != options.functions.end())
      wanted.push_back(f);
  return wanted;
}

}  // namespace

void CompiledRobot::kinematics(In q, Out poses, In parameters) const {
  call_frames((*code_)[RobotFunction::kinematics], q, poses, parameters);
}
void CompiledRobot::jacobians(In q, Out jacobians, In parameters) const {
  call_frames((*code_)[RobotFunction::jacobians], q, jacobians, parameters);
}
void CompiledRobot::inverse_dynamics(In q, In v, In a, Out tau, In parameters) const {
  call((*code_)[RobotFunction::inverse_dynamics], {q, v, a}, parameters, {tau});
}
void CompiledRobot::bias_forces(In q, In v, Out tau, In parameters) const {
  call((*code_)[RobotFunction::bias_forces], {q, v}, parameters, {tau});
}
void CompiledRobot::mass_matrix(In q, Out M, In parameters) const {
  call((*code_)[RobotFunction::mass_matrix], {q}, parameters, {M});
}
void CompiledRobot::mass_matrix_factor(In q, Out L, Out D, In parameters) const {
  call((*code_)[RobotFunction::mass_matrix_factor], {q}, parameters, {L, D});
}
void CompiledRobot::forward_dynamics(In q, In v, In tau, Out a, In parameters) const {
  call((*code_)[RobotFunction::forward_dynamics], {q, v, tau}, parameters, {a});
}
void CompiledRobot::forward_dynamics(In q, In v, In tau, Out a, Out loop_forces, Out residual,
                                     In parameters) const {
  call((*code_)[RobotFunction::forward_dynamics], {q, v, tau}, parameters,
       {a, loop_forces, residual});
}
void CompiledRobot::inverse_dynamics_derivatives(In q, In v, In a, Out tau_q, Out tau_v, Out M,
                                                 In parameters) const {
  call((*code_)[RobotFunction::inverse_dynamics_derivatives], {q, v, a}, parameters,
       {tau_q, tau_v, M});
}
void CompiledRobot::forward_dynamics_derivatives(In q, In v, In tau, Out a, Out a_q, Out a_v,
                                                 Out a_tau, In parameters) const {
  call((*code_)[RobotFunction::forward_dynamics_derivatives], {q, v, tau}, parameters,
       {a, a_q, a_v, a_tau});
}

void CompiledRobot::step(const StepInputs& x, Out q_next, Out v_next) const {
  step_once((*code_)[RobotFunction::step], x, {q_next, v_next});
}
void CompiledRobot::step(const StepInputs& x, Out q_next, Out v_next, Out loop_gaps,
                         Out loop_rates) const {
  step_once((*code_)[RobotFunction::step], x, {q_next, v_next, loop_gaps, loop_rates});
}
bool CompiledRobot::rollout(long steps, const StepInputs& x, Out q_next, Out v_next) const {
  return roll_out((*code_)[RobotFunction::step], steps, x, {q_next, v_next});
}
bool CompiledRobot::rollout(long steps, const StepInputs& x, Out q_next, Out v_next, Out loop_gaps,
                            Out loop_rates) const {
  return roll_out((*code_)[RobotFunction::step], steps, x, {q_next, v_next, loop_gaps, loop_rates});
}

template <class T>
CompiledKernel<T> CompiledRobot::sparse_kernel(RobotFunction function) const {
  return {code_->kernels<T>(function).batch,
          std::shared_ptr<const void>(code_, &(*code_)[function])};
}
template <class T>
CompiledKernel<T> CompiledRobot::kernel(RobotFunction function) const {
  CompiledKernel<T> kernel = sparse_kernel<T>(function);
  if (has_matrices(function)) kernel.function = run_whole<T>;
  return kernel;
}

template <class T>
std::vector<long> diverged_states(long count, long stride, std::span<const ArrayShape> shapes,
                                  const T* const* arrays) {
  std::vector<long> diverged;
  for (long i = 0; i < count; ++i) {
    bool finite = true;
    for (std::size_t k = 0; k < shapes.size(); ++k)
      for (long j = 0; j < shapes[k].size; ++j)
        finite = finite && std::isfinite(arrays[k][j * stride + i]);
    if (!finite) diverged.push_back(i);
  }
  return diverged;
}
template std::vector<long> diverged_states(long, long, std::span<const ArrayShape>,
                                           const double* const*);
template std::vector<long> diverged_states(long, long, std::span<const ArrayShape>,
                                           const float* const*);

template <class T>
std::vector<long> CompiledRobot::rollout_batch(long count, long stride, long steps,
                                               const T* const* in, T* const* out) const {
  check_steps(steps);
  if (count < 0 || stride < count)
    throw Error(
        fmt::format("rollout_batch: {} states at a stride of {}; expected at least 0 states "
                    "and a stride that is not shorter",
                    count, stride));
  const FunctionCode& code = (*code_)[RobotFunction::step];
  code_->kernels<T>(RobotFunction::step).rollout(&code, count, stride, steps, in, out);
  return diverged_states<T>(count, stride, code.shape.outputs, out);
}

template <class T>
CompiledRollout<T> CompiledRobot::rollout_kernel() const {
  return {code_->kernels<T>(RobotFunction::step).rollout,
          std::shared_ptr<const void>(code_, &(*code_)[RobotFunction::step])};
}

template CompiledRollout<double> CompiledRobot::rollout_kernel() const;
template CompiledRollout<float> CompiledRobot::rollout_kernel() const;
template CompiledKernel<double> CompiledRobot::kernel(RobotFunction) const;
template CompiledKernel<float> CompiledRobot::kernel(RobotFunction) const;
template CompiledKernel<double> CompiledRobot::sparse_kernel(RobotFunction) const;
template CompiledKernel<float> CompiledRobot::sparse_kernel(RobotFunction) const;
template std::vector<long> CompiledRobot::rollout_batch(long, long, long, const double* const*,
                                                        double* const*) const;
template std::vector<long> CompiledRobot::rollout_batch(long, long, long, const float* const*,
                                                        float* const*) const;

bool CompiledRobot::has(RobotFunction function) const {
  return std::any_of(code_->functions.begin(), code_->functions.end(),
                     [&](const FunctionCode& code) { return code.function == function; });
}
bool CompiledRobot::is_for(const Model& model) const {
  return code_->numbers == robot_numbers(model);
}
const FunctionOptions& CompiledRobot::options() const { return code_->options; }
const FunctionShape& CompiledRobot::shape(RobotFunction function) const {
  return (*code_)[function].shape;
}
const FunctionShape& CompiledRobot::sparse_shape(RobotFunction function) const {
  return (*code_)[function].sparse_shape;
}
bool CompiledRobot::is_machine_code(RobotFunction function) const {
  return (*code_)[function].library.has_value();
}
const std::string& CompiledRobot::notice() const { return code_->notice; }

CompiledRobot compile(const Model& model, const CompileOptions& options) {
  auto code = std::make_shared<CompiledRobot::Code>();
  std::shared_ptr<const Model> copy;  // for what is interpreted
  code->robot = model.name;
  code->options = options.function;
  for (const RobotFunction f : functions_of(model, options)) {
    check_compilable(model, f);
    FunctionCode& next = code->functions.emplace_back();
    next.function = f;
    next.numbers = options.numbers;
    next.shape = shape_of(f, model, options.function);
    next.sparse_shape = sparse_shape_of(f, model, options.function);
    if (is_derivative(f) && options.function.parameters.empty() && model.nv >= least_interpreted) {
      if (!copy) copy = std::make_shared<const Model>(model);
      next.model = copy;
      next.passive = options.function.passive;
    }
    if (next.shape.outputs.size() > most_outputs)
      throw Error(
          fmt::format("robot '{}': {} frames are too many for one call; name at most {} in "
                      "FunctionOptions::frames",
                      model.name, next.shape.outputs.size(), most_outputs));
  }
  code->numbers = robot_numbers(model);
  code->notice = build_code(model, options.function, code->functions);
  return CompiledRobot(std::move(code));
}

}  // namespace limber
