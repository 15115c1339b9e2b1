#pragma once
// EnvironmentContact: a frame of the robot approaches a surface or a hole, meets it, and goes on in
// touch with it: the three phases of a contact task in one run. [HB] 20.5.2, 20.5.3
//
// The environment is a frame on any body: of the world, of a table that a law moves
// (PrescribedJoint), of a base on a spring. [HB] figure 20.15, and what deforms on the robot's side
// (problem 9), are made of bodies and joints as robots are:
//
//   (a) rigid                    surface on the world, or on what a law moves
//   (b) a spring without mass    surface on the world with `stiffness`, `damping`
//   (c) a mass on a spring       surface on a body whose joint has a spring and a damper: an impact
//   (d) a spring on such a mass  the same with `stiffness`: no impact, internal and external
//                                deformation
//   both sides                   the robot's frame on a body whose joint has a spring, too
//
// Rigid contact is a loop that the part closes where the frame arrives and opens where it would
// have to pull; velocities change at once when it closes, for robot and environment together, which
// is (20.90), (20.91) and, with a base, the corrected (20.95) to (20.97): ContactPhases computes
// the same for one robot. There is no friction; `contact` of scenarios (sim/contacts.hpp) has it.
#include <limber/constraint/functional_coordinates.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// What the frame meets.
enum class EnvironmentKind : std::uint8_t {
  surface,  ///< z of the environment's frame is the outward normal; the frame's origin stays
            ///< outside
  hole  ///< z is the axis, into the hole; the frame's z axis goes along it once it is below z = 0
};

/// What EnvironmentContact is made from.
struct EnvironmentSettings {
  std::string name = "environment";
  EnvironmentKind kind = EnvironmentKind::surface;
  std::string frame;            ///< of the robot
  std::string surface;          ///< frame that carries the environment; empty: the world
  Transform<double> placement;  ///< of the environment's frame in `surface`
  /// Of a massless spring and damper on the surface; 0: rigid. The force is k d + b ḋ with the
  /// depth d of the frame's origin, and never pulls. [N/m], [N s/m]
  double stiffness = 0, damping = 0;
};

/// Pushes back, or closes a loop, where the frame meets the environment.
class EnvironmentContact final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit EnvironmentContact(EnvironmentSettings settings);
  std::unique_ptr<Part> clone() const override {
    return std::make_unique<EnvironmentContact>(*this);
  }
  Role role() const override { return Role::world; }
  const EnvironmentSettings& settings() const { return settings_; }
  void attach(Model& model) override;
  int discrete_states() const override { return 1; }  ///< whether it is in touch
  /// Throws Error where the run begins below the surface, or beside the axis in a hole.
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  bool stores_energy() const override { return !is_rigid(); }
  StoredEnergy stored_energy(Evaluation& at) override;
  /// Touching and leaving; listed with impulse and loss of energy.
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  std::vector<LoopSpec> loops() const override;
  void close_loops(const PartInstant& at, std::span<BasicLoop<double>> loops,
                   std::span<std::uint8_t> is_closed) const override;
  /// NAME.x, .y, .z [m], .roll, .pitch, .yaw [rad]: functional coordinates; NAME.in_contact (1 or
  /// 0); the force on the frame in the environment's axes: NAME.force [N] of a surface, along its
  /// normal; NAME.fx, .fy [N], .mx, .my [N m] of a hole.
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

 private:
  struct Meeting {
    double height = 0, rate = 0;  // z of the frame in the environment's axes [m, m/s]
    Vec3<double> normal, point;   // world axes
  };
  bool is_rigid() const { return settings_.stiffness == 0; }
  Meeting meeting(Evaluation& at) const;
  /// Along the normal, never negative [N].
  double push(const Meeting& now) const;
  /// What the loop does to the frame, in the environment's axes.
  Force<double> held(const Evaluation& at) const;

  EnvironmentSettings settings_;
  LoopSpec loop_;  // after attach()
  int frame_ = 0, surface_ = -1;
  std::vector<FunctionalCoordinates> coordinates_;  // one; for recording
};

}  // namespace limber
