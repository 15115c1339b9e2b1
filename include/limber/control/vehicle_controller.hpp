#pragma once
// VehicleController: keeps a vehicle under water where it should be, by its thrusters and fins.
//
// In the axes of a frame of the vehicle (x forward, y left, z up) it wants, for each of the six
// freedoms surge, sway, heave, roll, pitch and yaw that it controls,
//   f = kp e + ki ∫ e dt + kd ė + what makes up for the arm,
// and ThrustAllocation shares the six numbers among the thrusters and fins within their limits. The
// integral of a freedom stops while the actuators give less than is wanted and it would want more.
// A fin counts with what a small angle does at the present flow.
#include <array>
#include <optional>

#include <limber/control/arm_reaction.hpp>
#include <limber/control/line_of_sight.hpp>
#include <limber/control/task_trajectory.hpp>
#include <limber/control/thrust_allocation.hpp>
#include <limber/vehicle/fin.hpp>
#include <limber/vehicle/thruster.hpp>

namespace limber {

/// What the vehicle should do.
enum class VehicleMode : std::uint8_t {
  station,  ///< keep a pose, or follow a trajectory of it
  hold,     ///< keep depth and heading, go ahead with a speed
  route     ///< go along way-points
};

/// "surge", "sway", "heave", "roll", "pitch", "yaw": along x, y, z and about them.
extern const std::array<const char*, 6> vehicle_freedoms;

/// Gains of each freedom; 0: it is left alone.
struct VehicleGains {
  std::array<double, 6> kp{};  ///< [N/m, N m/rad]
  std::array<double, 6> kd{};  ///< [N s/m, N m s/rad]
  std::array<double, 6> ki{};  ///< [N/(m s), N m/(rad s)]; of surge with a speed: [N/m]
  std::array<double, 6> integral_limit{HUGE_VAL, HUGE_VAL, HUGE_VAL,
                                       HUGE_VAL, HUGE_VAL, HUGE_VAL};  ///< [N, N m]
};

/// What a vehicle is to do, and with which thrusters and fins.
struct VehicleControlSettings {
  std::string name = "vehicle";
  std::string frame;          ///< of the vehicle; empty: its link, the first on a free joint
  double sample_time = 0.02;  ///< [s]
  VehicleMode mode = VehicleMode::station;
  VehicleGains gains;
  /// station: of the frame. None: it stays where it is at the beginning.
  TaskTrajectoryPointer reference;
  /// hold: as functions of time; left out: as at the beginning, and no speed.
  std::optional<Signal> depth;    ///< below z = 0, or below the water's surface [m]
  std::optional<Signal> heading;  ///< about z, from x towards y [rad]
  std::optional<Signal> speed;    ///< along x of the vehicle, over ground [m/s]
  Route route;                    ///< route
  /// hold and route: for vehicles that dive by their nose: wanted pitch, nose up, per metre that
  /// the vehicle is too low, and its limit [rad/m, rad].
  double dive_gain = 0, most_pitch = 0.5;
  /// Names of thrusters and fins; empty: all there are.
  std::vector<std::string> actuators;
  /// How much a missing unit of each freedom's force counts in the allocation.
  std::array<double, 6> weights{1, 1, 1, 1, 1, 1};
  /// Price of driving an actuator to its limit, in parts of what the strongest one can give.
  double effort = 0.01;
  std::optional<ArmReactionSettings> arm;  ///< its reaction is made up for
  double surface = 0;                      ///< height that depths count from [m]
};

/// A sampled part that writes the commands of thrusters and fins.
class VehicleController final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit VehicleController(const VehicleControlSettings& settings);
  std::unique_ptr<Part> clone() const override {
    return std::make_unique<VehicleController>(*this);
  }
  Role role() const override { return Role::control; }
  double sample_time() const override { return settings_.sample_time; }
  void attach(Model& model) override;
  void set_channels(std::span<const SystemChannel> all) override;
  int discrete_states() const override;
  /// Throws Error for thrusters and fins that do not exist or have no limits.
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void update(Evaluation& at, std::span<double> d) override;
  void apply(Evaluation& at) override;
  /// At the last sample, for each freedom with gains, NAME.error_FREEDOM [m, rad; with a wanted
  /// speed m/s] and NAME.wanted_FREEDOM [N, N m]; NAME.missing: how much of the wanted force the
  /// actuators do not give [N, N m as N]; on a route NAME.next and NAME.cross_track [m].
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;
  const VehicleControlSettings& settings() const { return settings_; }

 private:
  using Six = std::array<double, 6>;
  struct Driven {  // a thruster or a fin
    std::size_t channel = 0;
    std::shared_ptr<const Thruster> thruster;
    std::shared_ptr<const Fin> fin;
  };
  struct Errors {
    Six position{}, rate{};  // in the axes of the frame
    Six integrated{};        // what the integral adds up
    double next = 0, cross_track = 0;
  };
  struct States;  // views of the discrete states
  States states(std::span<double> d) const;
  Errors errors(Evaluation& at, const States& own) const;
  Errors held_errors(Evaluation& at, const States& own, const Transform<double>& pose) const;
  Six wanted_force(Evaluation& at, const States& own, const Errors& error);
  void find_effects(Evaluation& at);
  bool is_controlled(std::size_t freedom) const;

  VehicleControlSettings settings_;
  int frame_ = 0, body_ = 0;
  std::size_t nq_ = 0, nv_ = 0;
  std::vector<Driven> driven_;
  std::vector<std::string> missing_;  // actuators that have not been found
  std::optional<ArmReaction> arm_;
  std::optional<ThrustAllocation> allocation_;
  std::vector<double> lower_, upper_;  // of each actuator [N or rad]
  std::vector<double> B_, effort_;     // scratch (6 n and n)
};

}  // namespace limber
