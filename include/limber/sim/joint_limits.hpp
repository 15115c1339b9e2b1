#pragma once
// What happens at the ends of the joints' ranges (DofSpec::lower and upper).
#include <limber/sim/part.hpp>

namespace limber {

/// At a limit: the instant is listed, or the run stops, or a bumper begins to push back.
enum class AtLimit : std::uint8_t { watch, stop, bumper };

/// What happens at a limit, and how hard the bumper is.
struct JointLimitSettings {
  AtLimit at_limit = AtLimit::watch;
  double stiffness = 1e4;  ///< bumper [N m/rad or N/m]
  double damping = 1e2;    ///< bumper, while it is pressed; it never pulls [N m s/rad or N s/m]
};

/// Watches every joint with one position per freedom that has finite limits, joints that follow
/// others too; a robot without any is fine. A run that begins beyond a limit has the instant
/// listed, or stops, there. A bumper pushes with stiffness · depth + damping · speed of pressing.
class JointLimits final : public Part {
 public:
  explicit JointLimits(const JointLimitSettings& settings, std::string name = "joint limits");
  std::unique_ptr<Part> clone() const override { return std::make_unique<JointLimits>(*this); }
  Stage stage() const override { return Stage::world; }
  void attach(Model& model) override;
  void apply(Evaluation& at) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;

  /// The limits that the positions q (nq) lie beyond, in words; after attach().
  std::vector<std::string> violations(std::span<const double> q) const;

 private:
  struct Limit {
    std::size_t q = 0, v = 0;      ///< of the freedom that moves the joint
    double ratio = 1, offset = 0;  ///< the joint's position is ratio · q + offset
    double place = 0;
    double side = 1;  ///< +1: upper, −1: lower
    std::string joint;

    double position(std::span<const double> all) const { return ratio * all[q] + offset; }
    double depth(std::span<const double> all) const { return side * (position(all) - place); }
    std::string name() const;
  };
  void add_limits(const Model& model, std::size_t column, const std::string& joint);
  JointLimitSettings settings_;
  std::vector<Limit> limits_;
};

}  // namespace limber
