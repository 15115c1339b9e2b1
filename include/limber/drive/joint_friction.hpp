#pragma once
// JointFriction: dry friction of a freedom that has no drive of its own friction, with real
// sticking. While it moves, a force of the level of its direction opposes it; when it comes to rest
// its acceleration is known to be zero, until the force that holds it exceeds the static level.
#include <optional>

#include <limber/drive/friction.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// Dry friction in one freedom of the robot.
struct JointFrictionSettings {
  std::string joint;  ///< name of the freedom: "elbow", or "hip.x" of a joint with several
  /// Levels [N m or N]. Left out: the robot's own (DofSpec::friction_positive, friction_negative).
  std::optional<FrictionSettings> friction;
};

/// Takes the dry friction of the freedom over from the model, where it would jump at v = 0. Drives
/// that have friction or lossy gears do so themselves: a freedom can have only one of them.
class JointFriction final : public Part {
 public:
  explicit JointFriction(JointFrictionSettings settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<JointFriction>(*this); }
  Role role() const override { return Role::world; }

  /// Throws Error for a joint that is not there and for a freedom without friction.
  void attach(Model& model) override;
  std::span<const int> prescribed() const override { return {&freedom_, 1}; }
  int discrete_states() const override { return 1; }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void prescribe(const PartInstant& at, const GivenMotion& motion) override;
  HoldingRange holding_range(const Evaluation& at, int freedom) const override;
  void apply(Evaluation& at) override;
  bool settled(Evaluation& at) override;
  bool depends_on_acceleration() const override { return true; }
  bool decides_in_steps() const override { return true; }
  void take_step(std::span<double> d) override { d[0] = mode_; }
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

 private:
  double holding_force(const Evaluation& at) const;

  JointFrictionSettings settings_;
  FrictionSettings friction_;
  std::string unit_;
  int freedom_ = -1;
  double mode_ = 0, v_begin_ = 0;  // in a step: whether it sticks or slips; as it begins
};

}  // namespace limber
