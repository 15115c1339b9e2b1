#pragma once
// What can be computed for one robot as a function of plain arrays: the functions that the model
// compiler writes as straight-line code and that a batch computes for many states.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <limber/compile/compiled_water.hpp>
#include <limber/compile/step_contact.hpp>
#include <limber/dynamics/loads.hpp>
#include <limber/model/model.hpp>

namespace limber {

/// What can be made straight-line code for one robot: inputs → outputs. Units and frames are those
/// of the functions of dynamics/.
enum class RobotFunction : std::uint8_t {
  kinematics,          ///< q → pose of each named frame in the world
  jacobians,           ///< q → Jacobian of each named frame, world-aligned
  inverse_dynamics,    ///< q, v, a → tau
  bias_forces,         ///< q, v → tau at a = 0
  mass_matrix,         ///< q → M
  mass_matrix_factor,  ///< q → L, D with M = Lᵀ D L
  /// q, v, tau → a; of a robot with loops → a, forces of the loops' rows, what is left of the rows'
  /// accelerations (closed_forward_dynamics_proximal())
  forward_dynamics,
  inverse_dynamics_derivatives,  ///< q, v, a → ∂tau/∂q, ∂tau/∂v, M; tangent space
  forward_dynamics_derivatives,  ///< q, v, tau → a, ∂a/∂q, ∂a/∂v, M⁻¹; tangent space
  /// q, v, tau, target, h → q, v after one step; of a robot with loops, which bring positions and
  /// velocities back at the step's end, also gaps and rates of the loops' rows that are left; with
  /// FunctionOptions::contact also forces of the ground and the residual
  step,
};

/// All functions, in the order above.
const std::vector<RobotFunction>& robot_functions();
/// Inverse and forward dynamics; of a robot with loops forward dynamics alone.
std::vector<RobotFunction> usual_functions(const Model& model);
/// "inverse_dynamics" and so on.
std::string_view name(RobotFunction function);
/// Throws Error with the nearest name.
RobotFunction robot_function(std::string_view name);

/// A number of the robot that stays free in compiled code, as an input of its own.
struct FreeParameter {
  enum class Kind : std::uint8_t {
    gravity,  ///< three numbers: gravity in world axes [m/s²]
    payload,  ///< ten numbers: mass [kg], centre of mass [m] (3), rotational inertia about it
              ///< [kg m²] (xx, yy, zz, xy, xz, yz), in the axes of the frame `where`
    gear,     ///< one number: the gear ratio of the motor at the joint `where`
    fluid,    ///< six numbers: velocity [m/s] and acceleration [m/s²] of the water in world axes
  };
  Kind kind = Kind::gravity;
  std::string where;  ///< frame or joint; empty for gravity and fluid
};
/// From "gravity", "payload:FRAME", "gear:JOINT" or "fluid". Throws Error with what is allowed.
FreeParameter free_parameter(std::string_view text);

/// How a step is made.
enum class StepMethod : std::uint8_t {
  semi_implicit_euler,  ///< v += h a(q, v), free bodies in fixed axes; then q moves by h v
  rk4,                  ///< the classical method, on q and v
  /// q moves by h/2 with v; v += h a at the middle, where a is computed twice, for v and for the
  /// velocity of the middle that this leads to; q moves by h/2 with the new v. Of second order.
  /// With contact it begins with the forces of the last step (ContactStart::last_forces), and the
  /// controller's damping kd is that of the mean of both velocities.
  midpoint,
};

/// What a function is made of besides the robot.
struct FunctionOptions {
  std::vector<std::string> frames;        ///< kinematics, jacobians; empty: every link
  std::vector<FreeParameter> parameters;  ///< in the order of the array `parameters`
  /// Damping, friction and springs of the joints; `step` always includes them.
  Passive passive = Passive::left_out;
  StepMethod method = StepMethod::semi_implicit_euler;
  StepContact contact{};  ///< of `step` with the ground; no candidates: none
  CompiledWater water{};  ///< around all links; no links: none
  /// Values that the machine keeps at hand; the order of the instructions is chosen for it. 16: a
  /// core with AVX2, 32: with AVX-512, 255: a thread of a GPU.
  int registers = 32;
  /// Instructions that C and C++ text has in one function at most, about: longer programs become
  /// several functions, and the values that cross between them wait on the stack.
  int longest_function = 2000;
};

/// One array that a function reads or writes.
struct ArrayShape {
  std::string name;  ///< an identifier of C and C++, unique in the function
  int size = 0;
  std::string meaning;  ///< with units and frames, as plain text
  /// The velocity variable to which each element belongs; empty for arrays over nq or nv elements,
  /// where it is clear, and for what belongs to the whole robot.
  std::vector<int> variables = {};
  /// Of a matrix in sparse form: for each number of the whole matrix, row by row, the one of the
  /// `size` stored numbers that has its value; −1: it is zero in every state. Empty: all numbers
  /// are stored.
  std::vector<int> entries = {};
  /// An input that all states have in common: element e is number e of the array, whatever the
  /// state and the stride.
  bool is_table = false;
};
struct FunctionShape {
  std::vector<ArrayShape> inputs, outputs;
};
/// Of `step`: so many inputs, from the first on, go on from step to step in a rollout, replaced by
/// as many outputs: q and v, and with ContactStart::last_forces the forces of contact.
std::size_t carried_arrays(const FunctionShape& step);
/// The arrays of a function, in the order in which it takes them. Throws Error for an unknown frame
/// or joint.
FunctionShape shape_of(RobotFunction function, const Model& model,
                       const FunctionOptions& options = {});

/// The same with matrices over the freedoms in sparse form, which leaves out what is zero in every
/// state because of the tree, whatever the robot's numbers:
///   M, ∂tau/∂q, ∂tau/∂v   element (i, j) where one of the freedoms i and j carries the other
///   ∂a/∂q, ∂a/∂v, M⁻¹     element (i, j) where i and j belong to the same tree on the ground
/// Stored numbers stand row by row. Of M and M⁻¹, which are symmetric, only those on and right of
/// the diagonal are stored. ArrayShape::entries says where they are.
FunctionShape sparse_shape_of(RobotFunction function, const Model& model,
                              const FunctionOptions& options = {});

/// Writes out a matrix that is stored in sparse form. `entries` is that of its shape.
template <class T>
void expand(std::span<const int> entries, std::span<const T> stored, std::span<T> whole) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    whole[i] = entries[i] < 0 ? T(0) : stored[static_cast<std::size_t>(entries[i])];
}

}  // namespace limber
