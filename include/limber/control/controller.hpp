#pragma once
// Controller: a part of a System that commands joints. For a controller of your own, derive from
// it, write control() and clone(), and add it to a System or make it a plug-in
// (limber/control/plugin.hpp).
//
// With a sample time T, control() is called at 0, T, 2T, … and the command holds in between.
// Without one, control() is called in every evaluation of the derivative. Commands of several
// controllers for one joint are added.
#include <limber/control/sensor.hpp>

namespace limber {

/// What all controllers have in common.
struct ControllerSettings {
  std::string name = "controller";
  /// The joints it commands, in the order in which gains are listed; empty: all that have
  /// actuators. A free joint has none unless the model gives it some (JointSpec::actuation).
  std::vector<std::string> joints;
  double sample_time = 0;  ///< [s]; 0: continuous
  /// Largest |command| of each freedom: none given (the effort limits of the robot where commands
  /// are forces), one for all, one for each. In the unit of the commands.
  std::vector<double> command_limits;
  SensorSettings sensor;  ///< needs a sample time
};

/// The arguments of control().
struct Measurement {
  const Model& model;                    ///< the robot, with what it carries
  double t = 0;                          ///< [s]
  std::span<const double> q, v;          ///< positions (nq) and velocities (nv), as measured
  std::span<double> states;              ///< the controller's own discrete states
  std::span<const double> continuous{};  ///< its own continuous states
  std::span<const double> held{};        ///< in record_more(): its discrete states
};

class Controller : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit Controller(const ControllerSettings& settings);

  Role role() const final { return Role::control; }
  double sample_time() const final { return settings_.sample_time; }
  /// Looks up the joints. Throws Error for joints that do not exist, for mimic joints, and for
  /// joints without an actuator.
  void attach(Model& model) final;
  std::span<const int> commanded() const final { return freedoms_; }
  /// True if the law gives forces [N m or N], whatever the joint's drive takes; else its commands
  /// are in the unit of the drive, a force without a drive.
  bool commands_forces() const override { return false; }
  void set_drive(int freedom, const Part& drive) final;
  int discrete_states() const final;
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) final;
  void update(Evaluation& at, std::span<double> d) final;
  void apply(Evaluation& at) final;
  /// JOINT.command: the sum of all commands for a freedom; NAME.saturated: how many
  /// freedoms of this controller are cut off at their limits; then more_columns().
  std::vector<Column> columns() const final;
  void record(Evaluation& at, std::span<double> values) final;

 protected:
  // --- what a controller of your own writes ---
  /// Called once when the controller joins a System; freedoms() is known then.
  virtual void set_up(const Model& /*model*/) {}
  /// The number of its discrete states; they need a sample time.
  virtual int own_states() const { return 0; }
  /// Their values before the first sample; they are zero before.
  virtual void begin(const Measurement& /*measured*/) {}
  /// Writes the command of each freedom in freedoms(); zero before. What exceeds a limit is cut off
  /// afterwards. Sampled: may change measured.states. No allocation; throws Error only where no
  /// command exists, which ends the run.
  virtual void control(const Measurement& measured, std::span<double> command) = 0;
  virtual std::vector<Column> more_columns() const { return {}; }
  /// Values of more_columns() at the present, exactly known state.
  virtual void record_more(const Measurement& /*now*/, std::span<double> /*values*/) {}

  // --- what it may use ---
  const ControllerSettings& settings() const { return settings_; }
  /// The freedoms it commands (indices into v), and the largest command of each.
  std::span<const int> freedoms() const { return freedoms_; }
  std::span<const double> limits() const { return limits_; }
  bool sampled() const { return settings_.sample_time > 0; }
  /// The present state, exactly known, with the continuous states.
  Measurement present(const Evaluation& at) const;

 private:
  void find_freedoms(const Model& model);
  std::size_t own_begin() const { return 2 + freedoms_.size(); }
  int command_now(const Measurement& measured, std::span<double> command);

  ControllerSettings settings_;
  std::vector<int> freedoms_;
  std::vector<std::string> freedom_names_, command_units_;
  std::vector<double> limits_;
  Sensor sensor_;
  std::vector<double> command_, q_, v_;  // scratch
};

}  // namespace limber
