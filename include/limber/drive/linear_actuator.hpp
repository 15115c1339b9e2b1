#pragma once
// LinearActuator: any actuator of the form ẋ = C x + f M + d u, joined to the robot as in [HB]
// (20.74)-(20.82). M is its output torque, u its input, |u| limited.
//
// The actuator's own velocity θ̇ = N v is T x, a row T times its state. From θ̈ = T ẋ follows
//   M = (θ̈ − T (C x + d u)) / (T f),
// an inertia of −1/(T f) and a force: the robot's dynamics stay as cheap as without the actuator.
#include <cmath>

#include <limber/sim/part.hpp>

namespace limber {

/// The matrices of a linear actuator with n states: ẋ = C x + f M + d u.
struct LinearActuatorSettings {
  std::string joint;      ///< name of the freedom: "elbow", or "hip.x" of a joint with several
  std::vector<double> C;  ///< n × n, row by row
  std::vector<double> f;  ///< n; per unit of M [N m, or N for a linear actuator]
  std::vector<double> d;  ///< n; per unit of u
  /// Which states are the actuator's position N q and velocity N v, from 0; −1: none of them. They
  /// are the robot's then, and all others are states of the part.
  int position_state = -1, velocity_state = -1;
  /// T, if no state is the velocity itself: the velocity is this row times the state.
  std::vector<double> velocity_row;
  /// State at the beginning (n); empty: zeros. Entries that are the robot's are not used; with
  /// velocity_row it is moved along T until T x fits the robot's velocity.
  std::vector<double> initial;
  double ratio = 1;               ///< N: the actuator's motion over the joint's; may be negative
  double input_limit = HUGE_VAL;  ///< |u|
};

/// The inertia −N²/(T f) replaces the rotor that the model has at the freedom; its damping and
/// friction stay. Commands are inputs u.
class LinearActuator final : public Part {
 public:
  /// Throws Error if sizes do not fit, if the position's row is not that of a position (rate =
  /// velocity, no f, no d), if no velocity is named, and unless T f < 0: an actuator with T f = 0
  /// has no inertia, so that (20.80) does not give its torque, and one with T f > 0 would have a
  /// negative inertia.
  explicit LinearActuator(LinearActuatorSettings settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<LinearActuator>(*this); }
  Role role() const override { return Role::drive; }
  void attach(Model& model) override;
  std::span<const int> driven() const override { return {&freedom_, 1}; }
  std::string command_unit() const override { return "u"; }
  int continuous_states() const override { return static_cast<int>(own_.size()); }
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

 private:
  double input(const Evaluation& at) const;
  void gather(const Evaluation& at);
  double rate(std::size_t row, double u) const;
  double free_acceleration(double u) const;
  double torque(const Evaluation& at, double u) const;

  LinearActuatorSettings settings_;
  std::vector<std::size_t> own_;  // states that the robot does not have
  std::vector<double> T_;
  double inverse_inertia_ = 0;  // −T f
  int freedom_ = -1, position_ = -1;
  std::vector<double> x_;  // scratch
};

}  // namespace limber
