#pragma once
// Batch: the dynamics of many states of one robot. States are computed side by side in the lanes of
// vector instructions and by several threads.
//
// Every array holds one entry for each of `count` states, of as many numbers as the function says
// (nq, nv, …), in one of two layouts. A state whose result is not finite never throws: the status
// that every call returns says how many there are and which is the first. Results depend neither on
// the number of threads nor on the place of a state in the batch. Input and output must not
// overlap.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <limber/compile/compiled_robot.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/scalar/instruction_set.hpp>

namespace limber {

/// Where number j of state i stands, in an array with `width` numbers for each of `count` states.
enum class Layout : std::uint8_t {
  by_state,    ///< x[i * width + j]: state after state
  by_variable  ///< x[j * count + i]: variable after variable; the faster one for vectors
};

/// What a batch writes of a matrix over the freedoms.
enum class MatrixForm : std::uint8_t {
  whole,  ///< all nv × nv numbers, row by row
  sparse  ///< what sparse_shape_of() lists: no zeros, and one half of symmetric matrices
};

/// How a Batch computes: threads, lanes, passive forces.
struct BatchOptions {
  int threads = 0;  ///< 0: as many as the machine has cores; at most 1024
  InstructionSet instruction_set = InstructionSet::best;
  /// Damping, friction and springs of the joints: part of inverse and forward dynamics and their
  /// derivatives, or not.
  Passive passive = Passive::left_out;
  /// Of the mass matrix and of derivatives. Matrices of trees with branches are half zeros, and
  /// in large batches writing them takes longer than computing them.
  MatrixForm matrices = MatrixForm::whole;
  /// Code for this very robot, from compile(): the functions that it has as machine code take the
  /// place of the recursions, several times faster. It must be compiled with the same `passive`,
  /// without free parameters, and for a batch of float with KernelNumbers::double_and_float.
  /// frame_poses and jacobian are computed by the recursions always, rollout by this code only.
  std::optional<CompiledRobot> compiled{};
};

/// The status of a call.
struct [[nodiscard]] BatchStatus {
  long bad_count = 0;   ///< states with a result that is not finite
  long first_bad = -1;  ///< the first of them; −1: none
  bool good() const { return bad_count == 0; }
};

/// For T = double or float. Set-up allocates and starts the threads, the calls do neither. One call
/// at a time. The functions of custom joints are called by all threads and must not throw.
template <class T>
class BasicBatch {
 public:
  /// The model is copied. Throws Error for an instruction set that this processor does not have,
  /// and for compiled code of another robot or with other options.
  explicit BasicBatch(const Model& model, const BatchOptions& options = {});
  ~BasicBatch();
  BasicBatch(BasicBatch&&) noexcept;
  BasicBatch& operator=(BasicBatch&&) noexcept;

  int threads() const;
  InstructionSet instruction_set() const;  ///< the one in use, never `best`
  int lanes() const;                       ///< states computed at once by one thread

  // All functions throw Error if an array has not `count` times the numbers given in parentheses.
  // Meaning and units are those of the functions of the same name in dynamics/.
  using In = std::span<const std::type_identity_t<T>>;
  using Out = std::span<std::type_identity_t<T>>;

  /// q (nq), v (nv), a (nv) → tau (nv)
  BatchStatus inverse_dynamics(long count, In q, In v, In a, Out tau,
                               Layout layout = Layout::by_state);
  /// q (nq), v (nv) → tau (nv) for a = 0
  BatchStatus bias_forces(long count, In q, In v, Out tau, Layout layout = Layout::by_state);
  /// q (nq) → M (nv × nv, or as BatchOptions::matrices says; so below)
  BatchStatus mass_matrix(long count, In q, Out M, Layout layout = Layout::by_state);
  /// q (nq), v (nv), tau (nv) → a (nv). Throws Error if the robot cannot have forward dynamics.
  BatchStatus forward_dynamics(long count, In q, In v, In tau, Out a,
                               Layout layout = Layout::by_state);
  /// The same for a robot with loops, which other functions of dynamics refuse: also the forces of
  /// the loops' rows and what is left of the rows' accelerations, by
  /// closed_forward_dynamics_proximal() (rows of Mechanism(model) each).
  BatchStatus forward_dynamics(long count, In q, In v, In tau, Out a, Out loop_forces, Out residual,
                               Layout layout = Layout::by_state);
  /// q (nq) → poses in the world (12 for each frame: the rotation matrix row by row, then the
  /// position). Frames are indices from model.frame().
  BatchStatus frame_poses(long count, std::span<const int> frames, In q, Out poses,
                          Layout layout = Layout::by_state);
  /// q (nq) → J (6 × nv) of one frame, row by row
  BatchStatus jacobian(long count, int frame, Reference reference, In q, Out J,
                       Layout layout = Layout::by_state);
  /// q (nq), v (nv), a (nv) → tau_q, tau_v and tau_a, the mass matrix (nv × nv each); ∂/∂q in
  /// tangent space
  BatchStatus inverse_dynamics_tangent_derivatives(long count, In q, In v, In a, Out tau_q,
                                                   Out tau_v, Out tau_a,
                                                   Layout layout = Layout::by_state);
  /// q (nq), v (nv), tau (nv) → a (nv) and a_q, a_v, a_tau (nv × nv each); ∂/∂q in tangent space.
  /// Throws Error if the robot cannot have forward dynamics.
  BatchStatus forward_dynamics_tangent_derivatives(long count, In q, In v, In tau, Out a, Out a_q,
                                                   Out a_v, Out a_tau,
                                                   Layout layout = Layout::by_state);
  /// `steps` steps of every state by the robot's own code (BatchOptions::compiled, which must have
  /// RobotFunction::step), with contact where that has it. Arrays of the shape of `step`, in order:
  /// q, v, … → q_next, v_next, …, each with `count` times its size, but for tables
  /// (ArrayShape::is_table), which all states have in common. A state that has diverged is a bad
  /// one.
  BatchStatus rollout(long count, long steps, std::span<const In> in, std::span<const Out> out,
                      Layout layout = Layout::by_state);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Many states of one robot, in double and in single precision.
using Batch = BasicBatch<double>;
using FloatBatch = BasicBatch<float>;

}  // namespace limber
