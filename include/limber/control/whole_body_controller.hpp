#pragma once
// Whole-body torque control: at each sample the quadratic program of whole_body_program.hpp finds
// the accelerations of all freedoms and the forces of the contacts, and the torques are commanded.
//
// A contact is a point of the robot, the origin of a frame, that shall rest on something; what
// really holds it (a ground, a loop) is not this part's business.
#include <limber/control/controller.hpp>
#include <limber/control/whole_body_program.hpp>

namespace limber {

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
struct WholeBodySettings : ControllerSettings, WholeBodyProgramSettings {
  std::vector<FrameTask> frames;
  CenterOfMassTask center_of_mass;
  PostureTask posture;
  /// Weight with which joints that run into a limit of their position are braked: as soon as
  /// w² (limit − q) − 2 w v turns against the motion, w = 30 1/s. 0: limits of positions are
  /// ignored.
  double limit_weight = 0;
  /// Cones and limits may leave less than a task asks for: a robot on ice falls while its contacts
  /// hold. A run ends where more than this of a frame's or the centre's acceleration is missing
  /// [m/s² or rad/s²].
  double most_missing = HUGE_VAL;
};

/// Writes the torques of its joints. Where the program has no solution, it throws Error, which
/// names the contact, joint or base that it could not satisfy, and ends the run.
class WholeBodyController final : public Controller {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit WholeBodyController(const WholeBodySettings& settings);
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
  void fill(const Measurement& measured);
  void brake_at_limits(const Measurement& measured);
  void check_missing(double t, const QpResult& found) const;

  WholeBodySettings own_;
  std::vector<int> frames_;  // of tasks
  std::optional<WholeBodyProgram> program_;
  std::vector<double> q_p_, v_p_, a_p_, displacement_;  // of the posture
};

}  // namespace limber
