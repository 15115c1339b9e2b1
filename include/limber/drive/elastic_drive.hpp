#pragma once
// ElasticDrive: a motor, then one or several stages of gear and spring, then the joint. [HB]
// (20.98), (20.99)
//
// Shaft s turns by θ_s and carries a gear of ratio N_s; behind the gear, θ_s/N_s, a spring leads to
// the next shaft, or to the joint behind the last one:
//   δ_s = θ_s/N_s − θ_{s+1},   τ_s = c δ_s + d δ̇_s,   (I′ + I″/N²) θ̈_s = τ_{s−1} − τ_s/N_s,
// with the rotor on the first shaft: its inertia added, C_M i − B θ̇ − friction in place of τ_0.
// The shafts are taken to turn relative to a base at rest: the motion of the joint alone moves
// them.
#include <limber/drive/motor_unit.hpp>

namespace limber {

/// One stage of a transmission: a shaft with its inertia, a gear, a spring behind it.
struct ElasticStage {
  /// N: turns of this shaft per turn of the next one; may be negative. Left out in the only stage:
  /// the robot's own gear ratio.
  std::optional<double> ratio;
  double input_inertia = 0;   ///< I′ on the shaft [kg m²]
  double output_inertia = 0;  ///< I″ behind the gear, before the spring [kg m², or kg]
  double stiffness = 0;       ///< c > 0 [N m/rad, or N/m]
  double damping = 0;         ///< d ≥ 0 [N m s/rad, or N s/m]
  double backlash = 0;        ///< whole play behind the gear: no torque within [rad or m]
};

/// The load of the springs at the beginning.
enum class InitialLoad : unsigned char {
  relaxed,  ///< without torque, in the middle of their play
  gravity   ///< bearing the robot's weight at its initial position
};

/// A motor and the stages between it and one freedom of the robot.
struct ElasticDriveSettings {
  std::string joint;  ///< name of the freedom: "elbow", or "hip.x" of a joint with several
  MotorSettings motor;
  std::vector<ElasticStage> stages;       ///< from the motor to the joint
  DriveInput input = DriveInput::torque;  ///< as in MotorDriveSettings
  InitialLoad initial_load = InitialLoad::relaxed;
  double friction_compensation = 1;  ///< as in MotorDriveSettings
};

/// Torque of a stage's spring for a deflection δ and its rate; within the play nothing, and at its
/// ends the spring pushes but never pulls.
double spring_torque(const ElasticStage& stage, double deflection, double rate);

class ElasticDrive final : public Part {
 public:
  /// Throws Error for an invalid setting.
  explicit ElasticDrive(ElasticDriveSettings settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<ElasticDrive>(*this); }
  Role role() const override { return Role::drive; }

  /// The rotor leaves the model: it turns on its own now. What the motor states of friction
  /// replaces the model's; what it leaves out stays at the joint. Throws Error for a joint that is
  /// not there or has no position variable, for a mounted rotor, and for a shaft without inertia.
  void attach(Model& model) override;
  std::span<const int> driven() const override { return {&freedom_, 1}; }
  std::string command_unit() const override { return motor_.command_unit(); }
  void take_forces() override { motor_.asked_for_forces = true; }
  std::vector<OwnSpeed> speeds() const override;

  /// (θ and θ̇ of each shaft, states of the motor)
  int continuous_states() const override { return shaft_states() + motor_.states(); }
  int discrete_states() const override { return sticks() ? 1 : 0; }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

  // --- known after attach() ---
  const MotorSettings& motor() const { return motor_.settings; }
  const std::vector<ElasticStage>& stages() const { return settings_.stages; }
  double ratio() const { return ratio_; }  ///< of all stages together
  /// Of a shaft, at its own speed: gear on both sides, and the rotor on the first [kg m²].
  double shaft_inertia(std::size_t shaft) const { return inertia_[shaft]; }

 private:
  struct Twist {
    double deflection = 0, rate = 0;
  };
  int shaft_states() const { return 2 * static_cast<int>(settings_.stages.size()); }
  bool sticks() const { return motor_.settings.friction && any(*motor_.settings.friction); }
  std::span<const double> motor_states(const Evaluation& at) const;
  Twist twist(const Evaluation& at, std::size_t stage) const;
  double torque_behind(const Evaluation& at, std::size_t stage) const;
  int direction(const Evaluation& at) const;
  Supply supply(const Evaluation& at, double push) const;
  double available(const Evaluation& at, int direction, double push) const;
  double residual(const Evaluation& at) const;
  double push(const Evaluation& at) const;
  double shaft_torque(const Evaluation& at, const Supply& supply) const;

  ElasticDriveSettings settings_;
  MotorUnit motor_;
  std::vector<double> inertia_;  // of each shaft
  std::vector<std::size_t> with_play_;
  std::string unit_, force_unit_;  // of the joint's position and force
  int freedom_ = -1, position_ = -1;
  double ratio_ = 1, effort_limit_ = HUGE_VAL;
};

}  // namespace limber
