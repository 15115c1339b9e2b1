#pragma once
// CompiledRobot: a robot's functions as machine code for this very robot and this very processor,
// made while the program runs: generated, built by the system's compiler, loaded.
//
// Built code is kept in a folder: LIMBER_CACHE, else XDG_CACHE_HOME/limber, else ~/.cache/limber.
// A second use of the same robot finds it there and runs no compiler. It is known by the robot's
// names and numbers, the function and its options, Limber's own sources, the compiler, its flags
// and the processor; what is damaged is built again. The folder may be removed at any time. The
// compiler is what CXX says, else c++, g++ or clang++; it sees no name of the robot's file.
//
// Where there is no compiler, or it fails, or others may write into the folder or exchange it (see
// docs/compiler.md), the same straight-line program is run instruction by instruction: slower, with
// the same results up to rounding. notice() says so.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <limber/compile/function.hpp>

namespace limber {

/// The numbers that kernels work with.
enum class KernelNumbers : std::uint8_t {
  only_double,       ///< kernel<float>() throws
  double_and_float,  ///< takes nearly twice the time to compile
};

/// What compile() builds.
struct CompileOptions {
  std::vector<RobotFunction> functions;  ///< empty: usual_functions()
  FunctionOptions function;              ///< frames, free parameters, passive forces, method
  KernelNumbers numbers = KernelNumbers::only_double;
};

/// A function of many states: element e of array k of state i is in[k][e * stride + i], and so for
/// out; of a table (ArrayShape::is_table) it is in[k][e]. Arrays in the order of shape_of().
/// `context` is the pointer that comes with the kernel.
template <class T>
using KernelPointer = void (*)(const void* context, long count, long stride, const T* const* in,
                               T* const* out);
template <class T>
struct CompiledKernel {
  KernelPointer<T> function = nullptr;
  std::shared_ptr<const void> context;  ///< keeps the code loaded
  void operator()(long count, long stride, const T* const* in, T* const* out) const {
    function(context.get(), count, stride, in, out);
  }
};

/// `steps` steps of many states, arrays as for the kernel of `step`; q_next may be q, and so for
/// all that is carried on.
template <class T>
using RolloutPointer = void (*)(const void* context, long count, long stride, long steps,
                                const T* const* in, T* const* out);
template <class T>
struct CompiledRollout {
  RolloutPointer<T> function = nullptr;
  std::shared_ptr<const void> context;  ///< keeps the code loaded
};

/// What one step needs, see RobotFunction::step.
struct StepInputs {
  std::span<const double> q, v;        ///< state; v as the library has it
  std::span<const double> tau;         ///< generalised forces [N m, N]
  std::span<const double> target;      ///< position that kp pulls to [rad, m]
  std::span<const double> kp, kd;      ///< stiffness and damping of the controller
  double h = 0;                        ///< time step [s]
  std::span<const double> parameters;  ///< free numbers of the robot
  /// Of contact with ContactStart::last_forces: those that the last step gave, zeros at first [N].
  std::span<const double> last_forces{};
  std::span<const double> heights{};  ///< of the ground, with StepContact::field [m]
};

/// Cheap to copy; may be used by many threads at once. Calls allocate nothing, except that the
/// first call of each thread may make room for values between. They throw Error for an
/// array of the wrong size and for a function that was not compiled. Outputs must not overlap
/// inputs. `parameters`: FunctionOptions::parameters, in order; empty where none is free.
class CompiledRobot {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// Poses of the frames, one after the other: rotation row by row (9), position (3) [m].
  void kinematics(In q, Out poses, In parameters = {}) const;
  /// Jacobians of the frames, one after the other: 6 x nv, row by row, world-aligned.
  void jacobians(In q, Out jacobians, In parameters = {}) const;
  void inverse_dynamics(In q, In v, In a, Out tau, In parameters = {}) const;
  void bias_forces(In q, In v, Out tau, In parameters = {}) const;
  /// nv x nv.
  void mass_matrix(In q, Out M, In parameters = {}) const;
  /// M = Lᵀ D L: nv x nv and nv.
  void mass_matrix_factor(In q, Out L, Out D, In parameters = {}) const;
  void forward_dynamics(In q, In v, In tau, Out a, In parameters = {}) const;
  /// Of a robot with loops: forces of their rows, and what is left of the rows' accelerations.
  void forward_dynamics(In q, In v, In tau, Out a, Out loop_forces, Out residual,
                        In parameters = {}) const;
  /// nv x nv each, row by row, in tangent space.
  void inverse_dynamics_derivatives(In q, In v, In a, Out tau_q, Out tau_v, Out M,
                                    In parameters = {}) const;
  void forward_dynamics_derivatives(In q, In v, In tau, Out a, Out a_q, Out a_v, Out a_tau,
                                    In parameters = {}) const;
  void step(const StepInputs& inputs, Out q_next, Out v_next) const;
  /// Of a robot with loops: gaps and rates of their rows that are left. With contact: forces of the
  /// ground (3 for each candidate) and the residual (1) in their places.
  void step(const StepInputs& inputs, Out q_next, Out v_next, Out loop_gaps, Out loop_rates) const;
  /// `steps` steps with the same inputs; here q_next may be q, and v_next may be v. Returns false
  /// if the state has diverged: a number of it is not finite.
  bool rollout(long steps, const StepInputs& inputs, Out q_next, Out v_next) const;
  /// Of a robot with loops: gaps and rates of their rows that the last step left; with contact its
  /// forces and its residual.
  bool rollout(long steps, const StepInputs& inputs, Out q_next, Out v_next, Out loop_gaps,
               Out loop_rates) const;

  /// The function for many states, in the lanes of vector registers. T is double or float.
  template <class T>
  CompiledKernel<T> kernel(RobotFunction function) const;
  /// The same with matrices in sparse form, see sparse_shape_of(): less is written, and nothing is
  /// copied. Functions without matrices have one kernel for both.
  template <class T>
  CompiledKernel<T> sparse_kernel(RobotFunction function) const;
  /// The loop of rollout_batch(), as a pointer.
  template <class T>
  CompiledRollout<T> rollout_kernel() const;
  /// `steps` steps of `count` states, arrays as for the kernel of `step`; outputs may be inputs.
  /// Returns the states that have diverged, in order: those with a number that is not finite.
  template <class T>
  std::vector<long> rollout_batch(long count, long stride, long steps, const T* const* in,
                                  T* const* out) const;

  /// True if the function was asked for.
  bool has(RobotFunction function) const;
  /// True if this is the code of that robot, with these names and numbers.
  bool is_for(const Model& model) const;
  const FunctionOptions& options() const;
  /// The arrays of a function. Throws Error if it was not compiled.
  const FunctionShape& shape(RobotFunction function) const;
  /// Those of sparse_kernel().
  const FunctionShape& sparse_shape(RobotFunction function) const;
  /// Machine code, and not the slow way.
  bool is_machine_code(RobotFunction function) const;
  /// Why functions are run the slow way, or why compiled code could not be kept; empty: all is
  /// well.
  const std::string& notice() const;

 private:
  friend CompiledRobot compile(const Model& model, const CompileOptions& options);
  struct Code;
  explicit CompiledRobot(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
};

extern template CompiledKernel<double> CompiledRobot::kernel(RobotFunction) const;
extern template CompiledKernel<float> CompiledRobot::kernel(RobotFunction) const;
extern template CompiledKernel<double> CompiledRobot::sparse_kernel(RobotFunction) const;
extern template CompiledKernel<float> CompiledRobot::sparse_kernel(RobotFunction) const;
extern template CompiledRollout<double> CompiledRobot::rollout_kernel() const;
extern template CompiledRollout<float> CompiledRobot::rollout_kernel() const;
extern template std::vector<long> CompiledRobot::rollout_batch(long, long, long,
                                                               const double* const*,
                                                               double* const*) const;
extern template std::vector<long> CompiledRobot::rollout_batch(long, long, long,
                                                               const float* const*,
                                                               float* const*) const;

/// The states of a batch that have a number that is not finite, in order. Number j of array k of
/// state i is arrays[k][j * stride + i]; array k has shapes[k].size numbers of a state.
template <class T>
std::vector<long> diverged_states(long count, long stride, std::span<const ArrayShape> shapes,
                                  const T* const* arrays);
extern template std::vector<long> diverged_states(long, long, std::span<const ArrayShape>,
                                                  const double* const*);
extern template std::vector<long> diverged_states(long, long, std::span<const ArrayShape>,
                                                  const float* const*);

/// Compiles the functions, several at a time where the machine has cores, or finds them in the
/// cache. Throws Error for an unknown frame or joint and for what cannot be compiled.
CompiledRobot compile(const Model& model, const CompileOptions& options = {});

}  // namespace limber
