#pragma once
// Tether: a cable from a fixed point to a vehicle, as one straight line: it pulls when it is longer
// than its length, the water drags on it as on a cylinder, and it weighs what it weighs in water.
//
// The line has no mass; its points move in proportion to their distance from the anchor. Drag and
// weight of a piece are shared by the ends as those of a beam on two supports, so the vehicle bears
// the greater part of what acts near it. A slack tether is taken as a straight one without tension.
// For a cable that hangs and swings, make a chain of links and ball joints in the robot file
// (docs/vehicles.md).
#include <memory>

#include <limber/vehicle/frame_actuator.hpp>

namespace limber {

/// What a tether is made of, and where it ends.
struct TetherSettings {
  std::string name = "tether";
  std::string frame;               ///< of the robot, at whose origin it is fastened
  Vec3<double> anchor;             ///< in the world [m]
  double length = 0;               ///< when it pulls not yet [m]
  double stiffness = 0;            ///< of the whole tether, when it is taut [N/m]
  double damping = 0;              ///< when it is taut [N s/m]
  double diameter = 0;             ///< [m]; 0: no drag
  double drag_coefficient = 1.2;   ///< across the line, of the area length · diameter
  double skin_coefficient = 0.01;  ///< along it, of its surface
  double weight = 0;               ///< in water, per length; negative: it floats [N/m]
  /// What it is in. Null: sea water at rest.
  std::shared_ptr<const Water> water{};
};

class Tether final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit Tether(const TetherSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Tether>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override;
  void apply(Evaluation& at) override;
  bool stores_energy() const override { return settings_.stiffness > 0; }
  StoredEnergy stored_energy(Evaluation& at) override;
  /// NAME.length [m], NAME.tension [N], NAME.drag [N]: size of its drag on the vehicle; NAME.fx,
  /// .fy, .fz [N]: the whole force on the vehicle in world axes.
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;
  const TetherSettings& settings() const { return settings_; }

 private:
  struct Line {
    Vec3<double> end, velocity, direction;  // in the world, towards the vehicle
    double length = 0, rate = 0;
  };
  Line line(Evaluation& at) const;
  double stretch(const Line& line) const;
  double tension(const Line& line) const;
  Vec3<double> drag(const Line& line, const Evaluation& now) const;
  Vec3<double> force(const Line& line, const Evaluation& now) const;

  TetherSettings settings_;
  WetFrame place_;
};

}  // namespace limber
