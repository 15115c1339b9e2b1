#pragma once
// Walking: a gait says which feet stand; at each sample the quadratic program of
// whole_body_program.hpp finds torques so that the feet that stand hold, the body follows its
// reference and the feet that swing follow theirs.
//
// Body: the reference moves over the ground with the commanded velocity, and its height is above
// the mean height of the feet that stand, as a low pass gives it. It does not run away from a body
// that cannot follow.
//
// Footholds: where the foot stood under the body at the start, at the instant when it touches down,
// shifted by (Raibert 1986)
//   ½ T_stance u + gain (u − u_r)      u: the body's velocity over the ground, u_r: the commanded.
// The controller does not see the ground. A foot aims a little below the level of those that stand,
// goes on downwards if it has met nothing by then, and stands when it lags behind its reference.
//
// Frames: the body's frame has x forward and z up, the world's z is up.
#include <optional>

#include <limber/control/controller.hpp>
#include <limber/control/gait.hpp>
#include <limber/control/whole_body_program.hpp>

namespace limber {

/// Gait, command and gains of a WalkingController.
struct WalkingSettings : ControllerSettings {
  std::string body;   ///< the frame that is guided; empty: the link on the first free joint
  double period = 1;  ///< of the gait [s]
  double duty = 0.6;  ///< part of it in which a foot stands; 1: it stands always
  std::vector<GaitFoot> feet;
  double forward = 0, left = 0;  ///< commanded velocity in the axes of the body's heading [m/s]
  double turn = 0;               ///< commanded rate of the heading [rad/s]
  double start = 0;              ///< no foot is lifted before [s]
  double stop = HUGE_VAL;        ///< no foot is lifted after [s]
  double ramp = 1;               ///< time in which the velocity comes and goes [s]
  double height = 0;             ///< of the body's origin above the feet [m]; 0: as at the start
  double swing_height = 0.06;    ///< [m]
  double step_gain = 0.03;       ///< of the foothold, see above [s]
  double touch_lag = 0.006;      ///< how far a foot lags behind that has met the ground [m]
  double search_speed = 0.3;     ///< downwards, of a foot that has met nothing [m/s]
  double lead = 0.1;             ///< of the reference before the body, at most [m]
  double friction = 0.5;         ///< of the ground, as the program counts on it
  double least_force = 0;        ///< of a foot that stands [N]
  int cone_sides = 4;            ///< of the friction pyramid
  double contact_damping = 20;   ///< of feet that stand, but move [1/s]
  TaskGains position{100, 20, 1}, orientation{200, 28, 1};  ///< of the body
  TaskGains swing{900, 60, 1};                              ///< of feet in the air
  double joint_damping = 1;                                 ///< [1/s], of weight 1e-3
  PassiveCompensation passive = PassiveCompensation::none;  ///< none or from_measured
  KnownWater water;                                         ///< that it counts on
};

/// Writes the torques of its joints; needs a sample time. Where the program has no solution, it
/// throws Error, which ends the run.
class WalkingController final : public Controller {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit WalkingController(const WalkingSettings& settings);
  std::unique_ptr<Part> clone() const override {
    return std::make_unique<WalkingController>(*this);
  }
  bool commands_forces() const override { return true; }

 protected:
  /// Throws Error for frames that do not exist, and without a free joint to guide.
  void set_up(const Model& model) override;
  int own_states() const override;
  void begin(const Measurement& measured) override;
  void control(const Measurement& measured, std::span<double> command) override;
  /// NAME.x, .y, .heading, .height: the reference; of each foot FRAME.stands (1, else 0) and
  /// FRAME.planned_force, along the normal.
  std::vector<Column> more_columns() const override;
  void record_more(const Measurement& now, std::span<double> values) override;

 private:
  double command_part(double t) const;
  Vec3<double> wanted_velocity(double t, double heading) const;
  bool lifts(int foot, double t) const;
  void move_reference(const Measurement& measured);
  void guide_body(const Measurement& measured);
  void guide_foot(int foot, const Measurement& measured);
  Vec3<double> foothold(int foot, double remaining, const Measurement& measured) const;

  WalkingSettings own_;
  Gait gait_;
  int body_ = -1;
  std::vector<int> foot_frames_;
  std::optional<WholeBodyProgram> program_;
};

}  // namespace limber
