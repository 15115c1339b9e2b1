#pragma once
// A force along the line between two points: a spring, a damper, or any law of length and rate.
#include <optional>

#include <limber/io/expression.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// The force is a tension: positive, it pulls the two points together. It is the sum of
/// stiffness · (length − rest_length), damping · rate, the law, and the table.
struct FrameForceSettings {
  std::string name = "spring";
  /// Frames of the robots, or "world"; one of them at least must move.
  std::string from = "world", to;
  Vec3<double> from_point, to_point;  ///< in each frame's axes, from its origin [m]
  double stiffness = 0;               ///< [N/m]
  double rest_length = 0;             ///< [m]
  double damping = 0;                 ///< [N s/m]
  /// Tension [N] as an expression of `length` [m], `rate` [m/s] and `t` [s]; made by
  /// frame_force_law().
  std::optional<Expression> law;
  /// The table: tension [N] at increasing lengths [m], straight lines between them; the first holds
  /// below, the last above.
  std::vector<double> lengths, tensions;
};

/// The law that a text says. Throws Error with the column.
Expression frame_force_law(std::string_view text);

/// The stiffness and the table depend on the length alone: what they store is potential energy.
/// Damping and the law do work on the robots.
class FrameForce final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit FrameForce(const FrameForceSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<FrameForce>(*this); }
  Role role() const override { return Role::world; }
  /// Throws Error for frames that do not exist or cannot move against each other.
  void attach(Model& model) override;
  /// Throws Error, which ends the run, where the points coincide and the force has no direction.
  void apply(Evaluation& at) override;
  bool stores_energy() const override;
  StoredEnergy stored_energy(Evaluation& at) override;
  /// NAME.length [m], .rate [m/s], .tension [N], .stored_energy [J], .power [W] (of damping and
  /// law), in world axes .px, .py, .pz: the point of `to` [m], .fx, .fy, .fz: the force on it [N],
  /// .ox, .oy, .oz: the point of `from`, where the opposite force acts [m].
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;
  const FrameForceSettings& settings() const { return settings_; }

 private:
  struct End {
    int frame = 0;
    std::size_t body = 0;
    Vec3<double> point;  // in the frame
  };
  struct Line {  // between the points, in the world
    Vec3<double> from, to, direction;
    double length = 0, rate = 0;
  };
  Line line(Evaluation& at) const;
  double elastic(double length) const;
  double stored(double length) const;
  double tension(const Line& line, double t) const;
  void pull(Evaluation& at, const End& end, const Vec3<double>& point,
            const Vec3<double>& force) const;

  FrameForceSettings settings_;
  std::vector<double> stored_;  // up to each entry of the table [J]
  End from_, to_;
};

}  // namespace limber
