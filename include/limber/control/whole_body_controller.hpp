#pragma once
// Whole-body torque control: a quadratic program at each sample finds the accelerations a of all
// freedoms and the forces f of the contacts,
//   minimise   Σ weight |J a + J̇ v − (a_r + K_p e + K_d ė)|² + small terms of a and f
//   with       M a + h = τ + J_cᵀ f        τ = 0 where nothing drives a freedom (a floating base)
//              J_c a + J̇_c v = −d J_c v    contacts hold
//              |τ| ≤ limit,  f in its friction cone, least ≤ f_n ≤ most,
// and commands τ. The cone is linearised: a pyramid inside it.
//
// A contact is a point of the robot, the origin of a frame, that shall rest on something; what
// really holds it (a ground, a loop) is not this part's business.
#include <limber/control/controller.hpp>
#include <limber/control/joint_controller.hpp>
#include <limber/control/quadratic_program.hpp>
#include <limber/control/task_trajectory.hpp>

namespace limber {

/// A point that holds.
struct HeldContact {
  std::string frame;
  Vec3<double> normal{0, 0, 1};  ///< of the ground, towards the robot, world axes; any length
  double friction = 0.6;         ///< coefficient of the cone
  double least_force = 0;        ///< along the normal [N]
  double most_force = HUGE_VAL;  ///< [N]
};

/// A frame that follows a trajectory: the base, a hand, a swinging foot.
struct FrameTask {
  std::string frame;
  TaskRows rows = TaskRows::pose;
  TaskTrajectoryPointer reference;
  double stiffness = 100, damping = 20;  ///< [1/s²], [1/s]
  double weight = 1;
};

/// The centre of mass follows the origin of a trajectory.
struct CenterOfMassTask {
  TaskTrajectoryPointer reference;       ///< none: no such task
  double stiffness = 100, damping = 20;  ///< [1/s²], [1/s]
  double weight = 1;
};

/// The commanded joints follow a trajectory as far as the rest leaves it to them.
struct PostureTask {
  JointTrajectoryPointer reference;   ///< none: joints are damped only
  double stiffness = 0, damping = 0;  ///< [1/s²], [1/s]
  double weight = 1e-3;
};

/// Tasks, contacts and weights of a WholeBodyController.
struct WholeBodySettings : ControllerSettings {
  std::vector<FrameTask> frames;
  CenterOfMassTask center_of_mass;
  PostureTask posture;
  std::vector<HeldContact> contacts;
  int cone_sides = 4;                 ///< of the pyramid, at least 3
  double contact_damping = 10;        ///< d: of what a contact should not move, but does [1/s]
  double acceleration_weight = 1e-6;  ///< of all a
  double force_weight = 1e-8;         ///< of all f, per N²
  /// Cones and limits may leave less than a task asks for: a robot on ice falls while its contacts
  /// hold. A run ends where more than this of a frame's or the centre's acceleration is missing
  /// [m/s² or rad/s²].
  double most_missing = HUGE_VAL;
  PassiveCompensation passive = PassiveCompensation::none;  ///< none or from_measured
};

/// Writes the torques of its joints. Where the program has no solution, it throws Error, which
/// names the contact, joint or base that it could not satisfy, and ends the run.
class WholeBodyController final : public Controller {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit WholeBodyController(const WholeBodySettings& settings);
  WholeBodyController(const WholeBodyController& other);
  ~WholeBodyController() override;
  WholeBodyController& operator=(const WholeBodyController&) = delete;
  std::unique_ptr<Part> clone() const override {
    return std::make_unique<WholeBodyController>(*this);
  }
  bool commands_forces() const override { return true; }

 protected:
  void set_up(const Model& model) override;
  /// Which rows were active at the last sample: a warm start that belongs to the run's state.
  int own_states() const override;
  void control(const Measurement& measured, std::span<double> command) override;
  /// NAME.missing: how much acceleration is missing of the task that misses most; of each contact
  /// FRAME.normal_force and FRAME.friction_use, which is 1 on the cone.
  std::vector<Column> more_columns() const override;
  void record_more(const Measurement& now, std::span<double> values) override;

 private:
  struct Scratch;
  void fill(const Measurement& measured);
  void add_dynamics(const Measurement& measured);
  void add_contacts(const Measurement& measured);
  void add_limits();
  void add_cones();
  void add_task(std::span<const double> J, const Vec3<double>& wanted, double weight);
  void add_tasks(const Measurement& measured);
  void add_posture(const Measurement& measured);
  double missing(std::span<const double> x, int& task) const;
  void check_missing(double t, const QpResult& found) const;
  std::string row_words(int row) const;

  WholeBodySettings own_;
  std::vector<int> frames_, contact_frames_;  // of tasks and contacts
  std::vector<int> passive_;                  // freedoms that are not commanded
  std::vector<int> limited_;                  // places in freedoms() with a finite limit
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace limber
