#pragma once
// FrameActuator: what thrusters, fins and ballast tanks have in common: one command, which is a
// signal of time plus what controllers ask for, cut off at its limits, at a frame of a body in
// water.
#include <memory>

#include <limber/fluid/water.hpp>
#include <limber/sim/part.hpp>
#include <limber/sim/signal.hpp>

namespace limber {

/// Settings of every actuator.
struct FrameActuatorSettings {
  std::string name;
  std::string frame;  ///< of the robot, at whose origin it acts
  /// Its command as a function of time; what controllers and the input `offset` say is added.
  Signal command = 0.0;
  /// The command is cut off at these.
  double lower = -HUGE_VAL, upper = HUGE_VAL;
  /// Time constant with which what it moves follows the command: a state. 0: at once. [s]
  double lag = 0;
  /// What it is in. Null: sea water at rest, without a surface.
  std::shared_ptr<const Water> water{};
};

/// A frame of a moving body in water.
class WetFrame {
 public:
  /// How the frame moves through the water.
  struct Motions {
    Transform<double> pose;          ///< in the world
    Motion<double> velocity;         ///< relative to the water, in the axes of the frame
    Vec3<double> velocity_in_world;  ///< of its origin, relative to the world
    double below = 0;                ///< the surface [m]; HUGE_VAL without one
  };

  /// Throws Error for a frame that the robot does not have or that rests in the world. what: the
  /// part, for messages.
  void attach(const Model& model, const std::string& frame, const std::string& what);
  Motions motion(Evaluation& at, const Water& water) const;
  /// Adds a force in the axes and about the origin of the frame.
  void push(Evaluation& at, const Force<double>& force) const;

  int frame() const { return frame_; }
  std::size_t body() const { return body_; }
  /// Pose of the frame in the user's body frame.
  const Transform<double>& placement() const { return placement_; }

 private:
  int frame_ = 0;
  std::size_t body_ = 0;
  Transform<double> placement_;
};

class FrameActuator : public Part {
 public:
  Role role() const final { return Role::drive; }
  void attach(Model& model) override;
  int continuous_states() const override { return is_lagging() ? 1 : 0; }
  int discrete_states() const final { return common().command.states(); }
  /// `offset`: added to the command.
  std::vector<InputSpec> inputs() const final { return {{"offset", unit_}}; }
  std::vector<ChannelSpec> channels() const final { return {{name(), unit_}}; }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  std::vector<EventSpec> events() const final;
  bool events_need_dynamics() const final { return false; }
  void event_values(Evaluation& at, std::span<double> values) final;
  EventOutcome on_event(int event, Evaluation& at, EventState state) final;

  const std::string& command_unit_name() const { return unit_; }
  const WetFrame& place() const { return place_; }
  const Water& water() const { return *water_; }

 protected:
  /// kind: "thruster", … for messages. Throws Error naming the field for invalid settings.
  FrameActuator(const FrameActuatorSettings& settings, std::string kind, std::string unit);
  FrameActuator(const FrameActuator&) = default;
  FrameActuator& operator=(const FrameActuator&) = default;

  virtual const FrameActuatorSettings& common() const = 0;
  bool is_lagging() const { return common().lag > 0; }
  /// The command at this instant, within its limits. Throws Error if it is not a finite number.
  double command(const Evaluation& at) const;
  const std::string& title() const { return title_; }  ///< "thruster 'port'"
  WetFrame::Motions motion(Evaluation& at) const;

  WetFrame place_;  // NOLINT: what derived classes push at

 private:
  std::string title_, unit_;
  std::shared_ptr<const Water> water_;
};

}  // namespace limber
