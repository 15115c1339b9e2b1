#pragma once
// Controllers in joint space. With e = q_r − q (a displacement in tangent space), ė = v_r − v, the
// reference r and u = K_p e + K_d ė + K_i ∫e dt:
//   pid              command = u
//   gravity          command = u + g(q)
//   feedforward      command = u + ID(q_r, v_r, a_r)         handbook, figure 20.10a
//   computed_torque  command = ID(q, v, a_r + u)             handbook, figure 20.10b
//   impedance        command = u + ID(q, v, a_r)
// ID is inverse dynamics of the controller's model. Gains of computed_torque are per unit of
// inertia [1/s², 1/s, 1/s³]; those of the others are N m/rad or N/m, N m s/rad or N s/m, N m/(rad
// s) or N/(m s). All laws command forces, except `pid` without compensation of friction: it
// commands in the unit of the joint's drive, for example V/rad for a voltage.
//
// Other freedoms: those of free joints without actuator are taken as free of force, so that a
// floating robot's base moves as it must; all others as accelerating like the reference. Where the
// controller's model has loops, they are closed: freedoms that loops move and that are not
// commanded are free of force, and follow the commanded ones. Where more freedoms are commanded
// than the loops let move by themselves, forces have the smallest sum of squares, see KnownLoops.
// One controller commands all drives of a closed mechanism.
#include <optional>

#include <limber/control/controller.hpp>
#include <limber/control/joint_trajectory.hpp>
#include <limber/control/known_loops.hpp>
#include <limber/control/known_model.hpp>
#include <limber/model/joint_space.hpp>

namespace limber {

/// The control laws above.
enum class JointLaw : std::uint8_t { pid, gravity, feedforward, computed_torque, impedance };

/// Whether damping, Coulomb friction and springs of the joints (passive_forces()) are added to the
/// command, and at which state. Speeds below 1e-5 rad/s or m/s count as rest.
enum class PassiveCompensation : std::uint8_t {
  none,
  from_reference,  ///< does not chatter when a joint comes to rest
  from_measured
};

/// Law, reference and gains of a JointController, in the units given above.
struct JointControlSettings : ControllerSettings {
  JointLaw law = JointLaw::pid;
  /// The reference motion; needed by all laws except `gravity` without gains.
  JointTrajectoryPointer reference;
  /// Gains: none (empty: 0), one for all freedoms of the controller, or one for each.
  std::vector<double> stiffness, damping, integral;  // K_p, K_d, K_i
  /// Largest |K_i ∫e|: none (empty: no limit), one for all, one for each. Besides, an integral does
  /// not grow while its command is cut off and the error would drive it further.
  std::vector<double> integral_limits;
  PassiveCompensation passive = PassiveCompensation::none;
  /// The model that the controller computes with, loops of it closed; none: the robot's own, with
  /// its loops open. See KnownModel.
  std::shared_ptr<const Model> model;
  /// Payloads that this model carries for a limited time.
  std::vector<PayloadSettings> carried;
};

/// Writes the commands of its joints at each sample, by one of the laws of JointLaw.
class JointController final : public Controller {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit JointController(const JointControlSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<JointController>(*this); }

  bool commands_forces() const override {
    return own_.law != JointLaw::pid || own_.passive != PassiveCompensation::none;
  }
  int continuous_states() const override { return sampled() ? 0 : integrals(); }
  void derivative(Evaluation& at, std::span<double> z_dot) override;

 protected:
  void set_up(const Model& model) override;
  int own_states() const override { return sampled() ? integrals() : 0; }
  void control(const Measurement& measured, std::span<double> command) override;
  /// NAME.reference of each position variable, NAME.error of each freedom that is commanded.
  std::vector<Column> more_columns() const override;
  void record_more(const Measurement& now, std::span<double> values) override;

 private:
  int integrals() const { return integral_.empty() ? 0 : static_cast<int>(freedoms().size()); }
  void find_error(const Measurement& measured);
  void add_dynamics(const Measurement& measured, std::span<double> command);
  std::span<const double> dynamics(const Model& model, double t, std::span<const double> q,
                                   std::span<const double> v);
  void find_rates(const Measurement& measured, std::span<const double> command);

  JointControlSettings own_;
  KnownModel known_model_;
  std::vector<double> stiffness_, damping_, integral_, integral_limits_;
  std::vector<int> positions_;  // of the joints that are commanded, indices into q
  std::vector<Column> columns_;
  std::vector<JointPlace> carried_;  // joints with quaternions
  std::vector<Known> known_;         // empty: every acceleration is known
  KnownLoops loops_;

  // scratch
  std::optional<Workspace> ws_;
  std::vector<double> q_r_, v_r_, a_r_;   // the reference
  std::vector<double> v_here_, a_here_;   // its velocity and acceleration as seen where q is
  std::vector<double> error_;             // (nv)
  std::vector<double> given_, passive_;   // (nv)
  std::vector<double> feedback_, rates_;  // of each commanded freedom: u, rate of ∫e
  std::vector<double> uncut_;             // its command before it is cut off
};

}  // namespace limber
