#include <limber/batch/batch.hpp>

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include <limber/constraint/articulated_loops.hpp>

#include "batch/driver.hpp"
#include "batch/instruction_sets.hpp"
#include "dynamics/fold.hpp"

namespace limber {

namespace {

/// The matrices among the outputs of a function: what kernels write of them, and what the batch.
class Matrices {
 public:
  Matrices(RobotFunction function, const Model& model, MatrixForm form)
      : arrays_(sparse_shape_of(function, model).outputs), form_(form) {
    std::erase_if(arrays_, [](const ArrayShape& array) { return array.name == "a"; });
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      const std::vector<int>& entries = arrays_[k].entries;
      for (int i = static_cast<int>(entries.size()); i-- > 0;) {
        const int entry = entries[static_cast<std::size_t>(i)];
        if (entry < 0) continue;
        places_[k].resize(static_cast<std::size_t>(arrays_[k].size));
        places_[k][static_cast<std::size_t>(entry)] = {i / model.nv, i % model.nv};
      }
    }
  }
  template <class T>
  BatchOutput<T> output(std::size_t k, const char* name, std::span<T> numbers) const {
    const ArrayShape& array = arrays_[k];
    if (form_ == MatrixForm::sparse) return {name, numbers, array.size};
    return {name, numbers, static_cast<int>(array.entries.size()), array.entries, array.size};
  }
  std::array<std::span<const MatrixPlace>, 3> places() const {
    return {places_[0], places_[1], places_[2]};
  }

 private:
  std::vector<ArrayShape> arrays_;
  MatrixForm form_;
  std::array<std::vector<MatrixPlace>, 3>
      places_;  ///< of the stored numbers; right of the diagonal
};

/// A robot's own machine code: for each function its kernel, and its context for every thread.
template <class T>
class CompiledKernels {
 public:
  CompiledKernels(const Model& model, const BatchOptions& options, int threads) {
    if (!options.compiled) return;
    const CompiledRobot& robot = *options.compiled;
    check(model, robot, options.passive);
    for (const RobotFunction f : robot_functions()) {
      if (!robot.has(f) || !robot.is_machine_code(f)) continue;
      Entry& entry = entries_[static_cast<std::size_t>(f)];
      entry.kernel = robot.sparse_kernel<T>(f);
      entry.contexts.assign(static_cast<std::size_t>(threads), entry.kernel.context.get());
    }
  }

  struct Entry {
    CompiledKernel<T> kernel;  ///< null: the recursion is run
    std::vector<const void*> contexts;
  };
  const Entry& operator[](RobotFunction f) const { return entries_[static_cast<std::size_t>(f)]; }

 private:
  static void check(const Model& model, const CompiledRobot& robot, Passive passive) {
    if (!robot.is_for(model))
      throw Error(
          fmt::format("Batch: the compiled code is not that of robot '{}' with its present "
                      "numbers; compile this model",
                      model.name));
    if (!robot.options().parameters.empty())
      throw Error(
          fmt::format("Batch: the compiled code of robot '{}' has free parameters, for which "
                      "a batch has no numbers; compile it without, or call its kernels",
                      model.name));
    if (robot.options().passive != passive)
      throw Error(
          fmt::format("Batch: passive forces are not the same in the compiled code of robot "
                      "'{}' and in BatchOptions; make them alike",
                      model.name));
  }
  std::array<Entry, 10> entries_;
};

/// Steps by the robot's own code, as a kernel.
template <class T>
class RolloutKernel {
 public:
  RolloutKernel(const std::optional<CompiledRobot>& robot, int threads)
      : contexts_(static_cast<std::size_t>(threads), this) {
    if (!robot || !robot->has(RobotFunction::step)) return;
    shape_ = robot->shape(RobotFunction::step);
    rollout_ = robot->rollout_kernel<T>();
  }
  RolloutKernel(const RolloutKernel&) = delete;
  RolloutKernel& operator=(const RolloutKernel&) = delete;

  const FunctionShape& shape() const { return shape_; }  ///< empty: there is no such code
  std::span<const void* const> contexts() const { return contexts_; }
  int numbers() const {
    int all = 0;
    for (const auto* arrays : {&shape_.inputs, &shape_.outputs})
      for (const ArrayShape& array : *arrays) all += array.is_table ? 0 : array.size;
    return all;
  }
  static void run(const void* context, long count, long stride, const T* const* in, T* const* out) {
    const auto& kernel = *static_cast<const RolloutKernel*>(context);
    kernel.rollout_.function(kernel.rollout_.context.get(), count, stride, kernel.steps, in, out);
  }

  long steps = 1;  ///< of the present call

 private:
  FunctionShape shape_;
  CompiledRollout<T> rollout_;
  std::vector<const void*> contexts_;
};

}  // namespace

template <class T>
struct BasicBatch<T>::Parts {
  std::string robot, singular_reason;
  std::string first_loop, loops_reason;  ///< empty: none; these can be closed
  int nq, nv, frames, rows;
  InstructionSet instruction_set;
  const LaneSet<T>& set;
  std::unique_ptr<LaneMemory> memory;
  CompiledKernels<T> compiled;
  RolloutKernel<T> rollout;
  BatchDriver<T> driver;
  Matrices mass_matrix, inverse_derivatives, forward_derivatives;

  /// By the robot's own machine code, or by the recursion.
  BatchStatus run(RobotFunction f, const char* function, Kernel<T> recursion, long count,
                  Layout layout, std::initializer_list<BatchInput<T>> in,
                  std::initializer_list<BatchOutput<T>> out) {
    const auto& own = compiled[f];
    if (own.kernel.function)
      return run(function, own.kernel.function, own.contexts, count, layout, in, out);
    return run(function, recursion, memory->contexts(), count, layout, in, out);
  }
  BatchStatus run(const char* function, Kernel<T> kernel, std::span<const void* const> contexts,
                  long count, Layout layout, std::initializer_list<BatchInput<T>> in,
                  std::initializer_list<BatchOutput<T>> out) {
    return driver.run({function,
                       kernel,
                       contexts,
                       {in.begin(), in.size()},
                       {out.begin(), out.size()},
                       count,
                       layout});
  }
  /// Loops are closed by forward dynamics alone.
  void check_without_loops(const char* function) const {
    if (first_loop.empty()) return;
    throw Error(
        fmt::format("Batch::{}: loop '{}' of robot '{}' would be left open; forward dynamics with "
                    "loop_forces and residual closes loops, and open_loops(spec) leaves them open",
                    function, first_loop, robot));
  }
  void check_with_loops() const {
    if (first_loop.empty())
      throw Error(
          fmt::format("Batch::forward_dynamics: robot '{}' has no loops, so there are no "
                      "loop_forces and no residual; call it without them",
                      robot));
    if (!loops_reason.empty())
      throw Error(fmt::format("Batch::forward_dynamics: loops of robot '{}' cannot be closed: {}",
                              robot, loops_reason));
  }
  void check_frame(const char* function, int frame) const {
    if (frame < 0 || frame >= frames)
      throw Error(
          fmt::format("Batch::{}: frame {} is wanted, robot '{}' has frames 0 to {}; "
                      "model.frame(name) finds one by its name",
                      function, frame, robot, frames - 1));
  }
};

namespace {

// beyond what any machine has; each thread has its own copy of the scratch
constexpr int most_threads = 1024;

int thread_count(int wanted) {
  if (wanted < 0 || wanted > most_threads)
    throw Error(fmt::format("Batch: threads is {}; expected 0 (as many as there are cores) to {}",
                            wanted, most_threads));
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The largest input and output of one state: that of the derivatives of forward dynamics, of many
/// frames, or of a step with many points of contact.
int most_numbers(const Model& m, const BatchOptions& options) {
  const int frames = static_cast<int>(m.frames.size());
  return std::max(
      m.nq + 3 * m.nv + std::max({3 * m.nv * m.nv, 6 * m.nv, 12 * frames, 2 * Mechanism(m).rows}),
      RolloutKernel<double>(options.compiled, 0).numbers());
}

}  // namespace

template <class T>
BasicBatch<T>::BasicBatch(const Model& model, const BatchOptions& options) {
  check_built("Batch", model);
  const Mechanism mechanism(model);
  const InstructionSet chosen = chosen_instruction_set("Batch", options.instruction_set);
  const int threads = thread_count(options.threads);
  const LaneSet<T>& set = lane_set_of<T>(chosen);
  parts_.reset(new Parts{model.name,
                         model.singular_reason,
                         model.loops.empty() ? std::string() : model.loops[0].name,
                         LoopPlan(mechanism).reason,
                         model.nq,
                         model.nv,
                         static_cast<int>(model.frames.size()),
                         mechanism.rows,
                         chosen,
                         set,
                         set.memory(model, threads, options.passive),
                         {model, options, threads},
                         {options.compiled, threads},
                         {set, threads, most_numbers(model, options), model.name},
                         {RobotFunction::mass_matrix, model, options.matrices},
                         {RobotFunction::inverse_dynamics_derivatives, model, options.matrices},
                         {RobotFunction::forward_dynamics_derivatives, model, options.matrices}});
}
template <class T>
BasicBatch<T>::~BasicBatch() = default;
template <class T>
BasicBatch<T>::BasicBatch(BasicBatch&&) noexcept = default;
template <class T>
BasicBatch<T>& BasicBatch<T>::operator=(BasicBatch&&) noexcept = default;

template <class T>
int BasicBatch<T>::threads() const {
  return parts_->driver.threads();
}
template <class T>
InstructionSet BasicBatch<T>::instruction_set() const {
  return parts_->instruction_set;
}
template <class T>
int BasicBatch<T>::lanes() const {
  return parts_->set.lanes;
}

template <class T>
BatchStatus BasicBatch<T>::inverse_dynamics(long count, In q, In v, In a, Out tau, Layout layout) {
  Parts& p = *parts_;
  p.check_without_loops("inverse_dynamics");
  return p.run(RobotFunction::inverse_dynamics, "inverse_dynamics", p.set.inverse_dynamics, count,
               layout, {{"q", q, p.nq}, {"v", v, p.nv}, {"a", a, p.nv}}, {{"tau", tau, p.nv}});
}

template <class T>
BatchStatus BasicBatch<T>::bias_forces(long count, In q, In v, Out tau, Layout layout) {
  Parts& p = *parts_;
  return p.run(RobotFunction::bias_forces, "bias_forces", p.set.bias_forces, count, layout,
               {{"q", q, p.nq}, {"v", v, p.nv}}, {{"tau", tau, p.nv}});
}

template <class T>
BatchStatus BasicBatch<T>::mass_matrix(long count, In q, Out M, Layout layout) {
  Parts& p = *parts_;
  p.memory->request.matrices = p.mass_matrix.places();
  return p.run(RobotFunction::mass_matrix, "mass_matrix", p.set.mass_matrix, count, layout,
               {{"q", q, p.nq}}, {p.mass_matrix.output(0, "M", M)});
}

template <class T>
BatchStatus BasicBatch<T>::forward_dynamics(long count, In q, In v, In tau, Out a, Layout layout) {
  Parts& p = *parts_;
  check_regular(p.robot, p.singular_reason);
  p.check_without_loops("forward_dynamics");
  return p.run(RobotFunction::forward_dynamics, "forward_dynamics", p.set.forward_dynamics, count,
               layout, {{"q", q, p.nq}, {"v", v, p.nv}, {"tau", tau, p.nv}}, {{"a", a, p.nv}});
}

template <class T>
BatchStatus BasicBatch<T>::forward_dynamics(long count, In q, In v, In tau, Out a, Out loop_forces,
                                            Out residual, Layout layout) {
  Parts& p = *parts_;
  check_regular(p.robot, p.singular_reason);
  p.check_with_loops();
  return p.run(
      RobotFunction::forward_dynamics, "forward_dynamics", p.set.closed_forward_dynamics, count,
      layout, {{"q", q, p.nq}, {"v", v, p.nv}, {"tau", tau, p.nv}},
      {{"a", a, p.nv}, {"loop_forces", loop_forces, p.rows}, {"residual", residual, p.rows}});
}

template <class T>
BatchStatus BasicBatch<T>::frame_poses(long count, std::span<const int> frames, In q, Out poses,
                                       Layout layout) {
  Parts& p = *parts_;
  if (frames.size() > static_cast<std::size_t>(p.frames))
    throw Error(
        fmt::format("Batch::frame_poses: {} frames are wanted, robot '{}' has {}; name each "
                    "of them once",
                    frames.size(), p.robot, p.frames));
  for (const int frame : frames) p.check_frame("frame_poses", frame);
  p.memory->request.frames = frames;
  return p.run("frame_poses", p.set.frame_poses, p.memory->contexts(), count, layout,
               {{"q", q, p.nq}}, {{"poses", poses, 12 * static_cast<int>(frames.size())}});
}

template <class T>
BatchStatus BasicBatch<T>::jacobian(long count, int frame, Reference reference, In q, Out J,
                                    Layout layout) {
  Parts& p = *parts_;
  p.check_frame("jacobian", frame);
  p.memory->request.frames = {&frame, 1};
  p.memory->request.reference = reference;
  return p.run("jacobian", p.set.jacobian, p.memory->contexts(), count, layout, {{"q", q, p.nq}},
               {{"J", J, 6 * p.nv}});
}

template <class T>
BatchStatus BasicBatch<T>::inverse_dynamics_tangent_derivatives(long count, In q, In v, In a,
                                                                Out tau_q, Out tau_v, Out tau_a,
                                                                Layout layout) {
  Parts& p = *parts_;
  p.check_without_loops("inverse_dynamics_tangent_derivatives");
  const Matrices& d = p.inverse_derivatives;
  p.memory->request.matrices = d.places();
  return p.run(
      RobotFunction::inverse_dynamics_derivatives, "inverse_dynamics_tangent_derivatives",
      p.set.inverse_dynamics_derivatives, count, layout,
      {{"q", q, p.nq}, {"v", v, p.nv}, {"a", a, p.nv}},
      {d.output(0, "tau_q", tau_q), d.output(1, "tau_v", tau_v), d.output(2, "tau_a", tau_a)});
}

template <class T>
BatchStatus BasicBatch<T>::forward_dynamics_tangent_derivatives(long count, In q, In v, In tau,
                                                                Out a, Out a_q, Out a_v, Out a_tau,
                                                                Layout layout) {
  Parts& p = *parts_;
  check_regular(p.robot, p.singular_reason);
  p.check_without_loops("forward_dynamics_tangent_derivatives");
  const Matrices& d = p.forward_derivatives;
  p.memory->request.matrices = d.places();
  return p.run(RobotFunction::forward_dynamics_derivatives, "forward_dynamics_tangent_derivatives",
               p.set.forward_dynamics_derivatives, count, layout,
               {{"q", q, p.nq}, {"v", v, p.nv}, {"tau", tau, p.nv}},
               {{"a", a, p.nv},
                d.output(0, "a_q", a_q),
                d.output(1, "a_v", a_v),
                d.output(2, "a_tau", a_tau)});
}

template <class T>
BatchStatus BasicBatch<T>::rollout(long count, long steps, std::span<const In> in,
                                   std::span<const Out> out, Layout layout) {
  Parts& p = *parts_;
  const FunctionShape& shape = p.rollout.shape();
  if (shape.inputs.empty())
    throw Error(
        fmt::format("Batch::rollout: steps of robot '{}' are made by compiled code; name "
                    "RobotFunction::step in CompileOptions::functions and give the compiled robot "
                    "in BatchOptions::compiled",
                    p.robot));
  if (steps < 1)
    throw Error(fmt::format("Batch::rollout: a rollout has at least one step, not {}", steps));
  if (in.size() != shape.inputs.size() || out.size() != shape.outputs.size())
    throw Error(fmt::format(
        "Batch::rollout: {} arrays in and {} out are given, a step of robot '{}' has {} and {}",
        in.size(), out.size(), p.robot, shape.inputs.size(), shape.outputs.size()));
  std::array<BatchInput<T>, BatchDriver<T>::most_arrays> from{};
  std::array<BatchOutput<T>, BatchDriver<T>::most_arrays> to{};
  for (std::size_t k = 0; k < in.size(); ++k)
    from[k] = {shape.inputs[k].name.c_str(), in[k], shape.inputs[k].size, shape.inputs[k].is_table};
  for (std::size_t k = 0; k < out.size(); ++k)
    to[k] = {shape.outputs[k].name.c_str(), out[k], shape.outputs[k].size};
  p.rollout.steps = steps;
  return p.driver.run({"rollout",
                       RolloutKernel<T>::run,
                       p.rollout.contexts(),
                       {from.data(), in.size()},
                       {to.data(), out.size()},
                       count,
                       layout});
}

template class BasicBatch<double>;
template class BasicBatch<float>;

}  // namespace limber
