#pragma once
// Hybrid control of position and force: along some directions of a task frame a frame of the robot
// follows its reference, along the others it presses with a wanted force (Raibert and Craig 1981,
// Khatib 1987). In the axes of the task, with Λ = (J M⁻¹ Jᵀ)⁻¹, bias forces h = C v + g, e = pose
// error, the reference's acceleration a_r, and the wanted and the measured force F_d and F that the
// frame exerts on its surroundings:
//
//   u_i = a_r + K_p e + K_d ė,   p_i = c F                                  where motion is
//   controlled u_i = a_r + K_d ė,   p_i = F_d + K_f (F_d − F) + K_i ∫(F_d − F) dt      where force
//   is command = Jᵀ (Λ (u − J̇ v) + p) + h + posture
//
// so that ẍ = u + Λ⁻¹ (p + f), f = −F being what the surroundings do to the frame.
//
// F comes from a force sensor at the frame: what acts from outside on the frame's body (contacts,
// loops, force elements), without its weight and inertia, through a filter of first order.
#include <array>
#include <optional>

#include <limber/control/joint_controller.hpp>
#include <limber/control/task_trajectory.hpp>
#include <limber/sim/external_force.hpp>

namespace limber {

class TaskDynamics;

/// Directions, reference, wanted force and gains of a HybridController.
struct HybridControlSettings : ControllerSettings {
  std::string frame;
  TaskRows rows = TaskRows::pose;  ///< what is controlled at all; the rest is left to the posture
  /// Of the frame, in `task_frame`.
  TaskTrajectoryPointer reference;
  /// The frame that the reference is meant in, e.g. on a table that moves; empty: the world. Its
  /// pose and velocity are measured; accelerations of the joints that move it are not known to the
  /// controller.
  std::string task_frame;
  /// The axes of the directions: `world`, those of task_frame; `frame`, those of the reference.
  ForceAxes axes = ForceAxes::world;
  /// The force that the frame shall exert where it is given: moment x, y, z, then force x, y, z, in
  /// these axes [N m, N]. Motion is controlled in the other directions.
  std::array<std::optional<Signal>, 6> force;
  /// Six numbers in the order above; or two, for turns and shifts, or one for all. [1/s²], [1/s];
  /// the damping counts in the directions of force as well.
  std::vector<double> stiffness, damping;
  std::vector<double> force_gain, force_integral;  ///< likewise [1], [1/s]
  /// c, 0 to less than 1: the share of the measured force that is compensated where motion is
  /// controlled, so that what disturbs it (friction) counts 1 − c.
  double compensation = 0;
  double integral_limit = HUGE_VAL;  ///< of the integral's part in each direction [N m, N]
  double contact_force = 0.1;        ///< ∫ grows only while the sensor feels more than this [N]
  double sensor_time = 2e-3;         ///< time constant of the sensor's filter [s]
  /// Force is controlled from then until then [s]; before and after, motion in all directions.
  double from = 0, until = HUGE_VAL;
  JointTrajectoryPointer posture;  ///< as in TaskControlSettings
  double posture_stiffness = 0, posture_damping = 0;
  PassiveCompensation passive = PassiveCompensation::none;  ///< none or from_measured
  std::shared_ptr<const Model> model;                       ///< as in TaskControlSettings
  std::vector<PayloadSettings> carried;
};

/// Presses along some directions and moves along the others.
class HybridController final : public Controller {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit HybridController(const HybridControlSettings& settings);
  HybridController(const HybridController& other);
  ~HybridController() override;
  HybridController& operator=(const HybridController&) = delete;
  std::unique_ptr<Part> clone() const override { return std::make_unique<HybridController>(*this); }
  bool commands_forces() const override { return true; }
  bool feels() const override { return true; }
  /// The sensor's six numbers (moment, force on the frame, world axes); and without a sample time
  /// the integrals.
  int continuous_states() const override { return sampled() ? 6 : 12; }
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  /// Where force control begins and ends: integration steps end there.
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int, Evaluation&, EventState) override { return EventOutcome::unlisted; }

 protected:
  void set_up(const Model& model) override;
  int own_states() const override { return sampled() ? 6 : 0; }
  void control(const Measurement& measured, std::span<double> command) override;
  /// NAME.position_error [m] and NAME.orientation_error [rad] along the directions whose motion is
  /// controlled now; FRAME.reference.x, y, z [m]; and for each direction of force NAME.wanted.fz
  /// and NAME.measured.fz [N] or .mz [N m], and so on.
  std::vector<Column> more_columns() const override;
  void record_more(const Measurement& now, std::span<double> values) override;

 private:
  struct Errors;
  bool presses(double t, int direction) const;
  TaskMotion reference_at(const Model& m, const Velocities& bodies, int task_frame,
                          const Measurement& measured, Workspace& ws) const;
  void find_errors(const Model& m, int frame, int task_frame, const Measurement& measured,
                   Workspace& ws);

  HybridControlSettings own_;
  KnownModel known_model_;
  int frame_ = 0, task_frame_ = -1, known_task_frame_ = -1;  // −1: the world
  std::vector<double> stiffness_, damping_, gain_, integral_;
  std::vector<int> rows_;
  std::array<double, 6> rates_{};  // of the integrals
  std::unique_ptr<TaskDynamics> dynamics_;
  std::unique_ptr<Errors> errors_;
};

}  // namespace limber
