#pragma once
// MotorDrive: motor, amplifier and stiff gear on one freedom of the robot. [HB] (20.62)-(20.73)
//
// With θ = N q and the torque M that the rotor hands to the gear,
//   M = C_M i − B θ̇ − friction − J θ̈,   tau = N η′ M (M θ̇ > 0) or N M / η″ (M θ̇ < 0),
// so that the loss acts on the rotor's inertia torque too. Dry friction and the loss of the gear
// make the freedom stick: its acceleration is then known to be zero, until the torque that holds it
// leaves the range that friction and loss can bear. See docs/drives.md.
#include <limber/drive/gear.hpp>
#include <limber/drive/motor_unit.hpp>

namespace limber {

/// A motor with a stiff gear on one freedom of the robot.
struct MotorDriveSettings {
  std::string joint;  ///< name of the freedom: "elbow", or "hip.x" of a joint with several
  MotorSettings motor;
  GearSettings gear;
  /// What commands are. Controllers may command forces with any input: the drive turns
  /// them into volts or amperes by the data sheet of motor and gear.
  DriveInput input = DriveInput::torque;
  /// Dry friction on the joint's side of the gear [N m or N]. Left out: the robot's own, unless the
  /// motor states its friction.
  std::optional<FrictionSettings> joint_friction;
  /// Part of the dry friction and of the gear's loss that the drive makes up for when a torque is
  /// asked of it, 0 to 1.
  double friction_compensation = 1;
};

class MotorDrive final : public Part {
 public:
  /// Throws Error for an invalid setting.
  explicit MotorDrive(MotorDriveSettings settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<MotorDrive>(*this); }
  Role role() const override { return Role::drive; }

  /// Gear ratio and rotor inertia come from the model where the settings leave them out, and
  /// replace the model's where they state them. Dry friction of the freedom leaves the model and
  /// becomes the drive's; so does damping if the motor states its viscous friction. Throws Error
  /// for a joint that is not there, and for a rotor with a mount whose gear has losses or whose
  /// numbers are contradicted.
  void attach(Model& model) override;
  std::span<const int> driven() const override { return {&freedom_, 1}; }
  std::string command_unit() const override { return motor_.command_unit(); }
  void take_forces() override { motor_.asked_for_forces = true; }
  std::span<const int> prescribed() const override {
    return {&freedom_, sticks() ? std::size_t{1} : 0};
  }

  int continuous_states() const override { return motor_.states(); }
  int discrete_states() const override { return sticks() ? 1 : 0; }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void prescribe(const PartInstant& at, const GivenMotion& motion) override;
  HoldingRange holding_range(const Evaluation& at, int freedom) const override;
  void apply(Evaluation& at) override;
  bool settled(Evaluation& at) override;
  bool depends_on_acceleration() const override { return gear_has_losses() || sticks(); }
  bool decides_in_steps() const override { return sticks(); }
  void take_step(std::span<double> d) override { d[0] = mode_; }
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

  // --- what attach() has decided ---
  double ratio() const { return ratio_; }            ///< N
  double rotor_inertia() const { return inertia_; }  ///< J [kg m²]
  /// Motor with what the model had to add; friction on either side of the gear.
  const MotorSettings& motor() const { return motor_.settings; }
  const GearSettings& gear() const { return settings_.gear; }
  const FrictionSettings& joint_friction() const { return joint_friction_; }

 private:
  bool sticks() const { return sticks_; }
  bool gear_has_losses() const { return has_losses(settings_.gear); }
  int direction(const Evaluation& at) const;
  double speed(const Evaluation& at) const;
  double asked_torque(const Evaluation& at) const;
  double with_compensation(double tau, double push, double speed) const;
  double rotor_torque_for(const Evaluation& at, double push) const;
  const Supply& find_supply(const Evaluation& at, double push) const;
  double drive_torque(const Evaluation& at, const Supply& supply) const;
  double available(const Evaluation& at, int direction, double push) const;
  double residual(const Evaluation& at) const;
  double holding_force(const Evaluation& at) const;
  double push(const Evaluation& at) const;
  bool pushes_at_rest() const;
  const Supply& known_supply(const Evaluation& at) const;
  const Supply& settled_supply(const Evaluation& at) const;

  MotorDriveSettings settings_;
  MotorUnit motor_;
  int freedom_ = -1;
  double ratio_ = 1, inertia_ = 0;
  double damping_ = 0;   // B [N m s/rad]
  bool sticks_ = false;  // dry friction or losses: the freedom can come to rest and stay there
  double effort_limit_ = HUGE_VAL;
  FrictionSettings rotor_friction_;  // of the motor, seen at the joint
  FrictionSettings joint_friction_;
  // from round to round of one evaluation
  double mode_ = 0, v_begin_ = 0;  // in a step: whether it sticks or slips; as it begins
  PowerFlow flow_ = PowerFlow::to_joint;
  double gear_torque_ = 0;  // N M without the rotor's inertia torque
  mutable Supply supply_;   // found last
  // supply_ is that of this evaluation, which does not depend on the acceleration; at rest it is
  // computed on demand
  mutable bool supply_known_ = false;
};

}  // namespace limber
