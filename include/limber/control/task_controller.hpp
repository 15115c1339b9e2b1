#pragma once
// Controllers of a frame. With the frame's Jacobian J, e = pose error (turn as a rotation vector
// and shift, world axes), ė = velocity error, Λ = (J M⁻¹ Jᵀ)⁻¹, bias forces h = C v + g, and the
// reference's acceleration a_r (Khatib 1987):
//   operational_space  F = Λ (a_r + K_p e + K_d ė − J̇ v)
//   impedance          F = Λ (a_r − J̇ v) + K e + D ė,        so that Λ ë + D ė + K e = −f
//   with inertia Λ_d   F = Λ (a_r + Λ_d⁻¹ (K e + D ė + f) − J̇ v) − f,  Λ_d ë + D ė + K e = −f
//   command = Jᵀ F + h + (1 − Jᵀ J̄ᵀ) M (posture),     J̄ = M⁻¹ Jᵀ Λ
// f is the force that the surroundings exert on the frame, measured. Khatib's μ and p are
// J̄ᵀ C v − Λ J̇ v and J̄ᵀ g.
//
// Freedoms that are not commanded: those of free joints without actuator are taken as free of force
// and eliminated (J becomes the generalised Jacobian of a floating robot); others as not
// accelerating.
#include <limber/control/joint_controller.hpp>
#include <limber/control/task_trajectory.hpp>
#include <limber/sim/external_force.hpp>

namespace limber {

class TaskDynamics;

/// The control laws above.
enum class TaskLaw : std::uint8_t { operational_space, impedance };

/// Law, frame, reference and gains of a TaskController.
struct TaskControlSettings : ControllerSettings {
  TaskLaw law = TaskLaw::operational_space;
  std::string frame;
  TaskRows rows = TaskRows::pose;  ///< the rest is left to the posture
  TaskTrajectoryPointer reference;
  /// Three numbers for turns about, then three for shifts along x, y, z; or two, or one for all.
  /// operational_space: [1/s²], [1/s]; impedance: [N m/rad, N/m], [N m s/rad, N s/m]
  std::vector<double> stiffness, damping;
  /// The axes that the six numbers belong to: the world's or the reference frame's.
  ForceAxes axes = ForceAxes::world;
  /// Λ_d, six numbers as above [kg m², kg]; empty: the inertia stays as it is. Needs
  /// measured_force.
  std::vector<double> inertia;
  /// What the force sensor at the frame measures: the history of an ExternalForce on the frame.
  std::shared_ptr<const ForceHistory> measured_force;
  /// The motion of the joints that does not disturb the task: none, or a trajectory with gains per
  /// unit of inertia [1/s²], [1/s].
  JointTrajectoryPointer posture;
  double posture_stiffness = 0;
  double posture_damping = 0;                               ///< counts without a trajectory too
  PassiveCompensation passive = PassiveCompensation::none;  ///< none or from_measured
  /// The model that the controller computes with; none: the robot's own. See KnownModel.
  std::shared_ptr<const Model> model;
  /// Payloads that this model carries for a limited time.
  std::vector<PayloadSettings> carried;
};

/// Writes the commands that move a frame along its reference, by one of the laws of TaskLaw.
class TaskController final : public Controller {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit TaskController(const TaskControlSettings& settings);
  TaskController(const TaskController& other);
  ~TaskController() override;
  TaskController& operator=(const TaskController&) = delete;
  std::unique_ptr<Part> clone() const override { return std::make_unique<TaskController>(*this); }
  bool commands_forces() const override { return true; }

 protected:
  void set_up(const Model& model) override;
  void control(const Measurement& measured, std::span<double> command) override;
  /// NAME.position_error [m] and NAME.orientation_error [rad], as far as they are a task;
  /// FRAME.reference.x, y, z [m].
  std::vector<Column> more_columns() const override;
  void record_more(const Measurement& now, std::span<double> values) override;

 private:
  void find_force(const TaskMotion& reference, const Transform<double>& pose,
                  const Motion<double>& velocity, double t);

  TaskControlSettings own_;
  KnownModel known_model_;
  int frame_ = 0;                                      // in the robot
  std::vector<double> stiffness_, damping_, inertia_;  // six each; inertia: empty or six
  std::vector<int> rows_;                              // of the six that are a task
  std::unique_ptr<TaskDynamics> dynamics_;             // after set_up()
};

}  // namespace limber
