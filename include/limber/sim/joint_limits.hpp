#pragma once
// What happens at the ends of the joints' ranges (DofSpec::lower and upper).
#include <optional>

#include <limber/sim/integrator.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// At a limit: the instant is listed, or the run stops, or a bumper begins to push back.
enum class AtLimit : std::uint8_t { watch, stop, bumper };

/// What happens at a limit, and how hard the bumper is.
struct JointLimitSettings {
  AtLimit at_limit = AtLimit::bumper;
  /// Of the bumpers [N m/rad or N/m]; none: frequency² · inertia of the freedom, which is taken
  /// where the run begins and anew wherever the joint reaches its limit, other joints being free.
  std::optional<double> stiffness{};
  /// Of the bumpers while they are pressed; they never pull [N m s/rad or N s/m]. None: half of the
  /// critical damping √(4 · stiffness · inertia), its force at most four times that of the spring,
  /// so that the force of a blow begins at zero and implicit methods converge.
  std::optional<double> damping{};
  double frequency = 300;  ///< [rad/s], see bumper_frequency()
};

/// The frequency of bumpers that suits a method [rad/s]: so many radians per step that the method
/// is stable and resolves the blow (rk4: 0.2; midpoint: 0.1; methods of first order: 0.05;
/// predictor-correctors: 0.1 over the points of a block), and at most 300 rad/s, which is also the
/// choice with error control.
double bumper_frequency(const IntegratorSettings& integrator);

/// Watches every joint with one position per freedom that has finite limits, joints that follow
/// others too; a robot without any is fine. A run that begins beyond a limit has the instant
/// listed, or stops, there. A bumper pushes with stiffness · depth + damping · speed of pressing;
/// where the run begins beyond the limit it stands where the joint is, until the joint is back in
/// its range, so that nothing is thrown.
class JointLimits final : public Part {
 public:
  explicit JointLimits(const JointLimitSettings& settings, std::string name = "joint limits");
  std::unique_ptr<Part> clone() const override { return std::make_unique<JointLimits>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override;
  int discrete_states() const override;
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  std::vector<EventSpec> events() const override;
  bool events_need_dynamics() const override { return false; }
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;

  /// The limits that are watched; after attach().
  struct Limit {
    std::size_t q = 0, v = 0;      ///< of the freedom that moves the joint
    double ratio = 1, offset = 0;  ///< the joint's position is ratio · q + offset
    double place = 0;
    double side = 1;  ///< +1: upper, −1: lower
    std::string joint;
    std::string unit;  ///< "rad", "m" or empty

    double position(std::span<const double> all) const { return ratio * all[q] + offset; }
    /// How far the positions (nq) lie beyond the limit; negative: the way that is left.
    double depth(std::span<const double> all) const { return side * (position(all) - place); }
    std::string name() const;  ///< "upper limit of 1.2"
  };
  const std::vector<Limit>& limits() const { return limits_; }
  const JointLimitSettings& settings() const { return settings_; }

 private:
  void add_limits(const Model& model, std::size_t column, const std::string& joint,
                  const std::string& unit);
  bool needs_inertia() const;
  double inertia_of(const Limit& limit, Evaluation& at);
  void choose_bumper(std::size_t limit, Evaluation& at, std::span<double> d);

  JointLimitSettings settings_;
  std::vector<Limit> limits_;
  std::vector<double> column_of_inverse_;  // scratch, nv
};

}  // namespace limber
