#pragma once
// A loop that is closed at one instant and opened at another: a grasp, a weld, a latch.
#include <optional>

#include <limber/sim/value_event.hpp>

namespace limber {

/// Where the two frames are put when the loop is closed.
enum class GraspPlace : std::uint8_t {
  as_they_are,  ///< frame a is moved to where frame b is then: nothing is pulled together
  as_described  ///< they stay, and the gap must be small then
};

/// The loop, and when it is closed. Instants and values may be combined: what comes first counts.
struct GraspSettings {
  LoopSpec loop;
  GraspPlace place = GraspPlace::as_they_are;
  /// A value of the state that crosses a threshold.
  struct When {
    ValueEvent::Value value;
    double threshold = 0;
    EventSpec::Crossing crossing = EventSpec::Crossing::both;
  };
  double from = 0;  ///< closed then [s]; 0: from the beginning, unless `closes` is given
  std::optional<When> closes{};  ///< closed where this happens after `from`
  double until = HUGE_VAL;       ///< opened then [s]
  std::optional<When> opens{};   ///< opened where this happens
};

/// Closes and opens the loop, whose name is the part's. Both instants are events, which are listed
/// with the impulse and the energy that closing takes: velocities change at once so that the loop
/// stays closed ([RDA] (9.63)), as in a collision without restitution.
class Grasp final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit Grasp(GraspSettings settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Grasp>(*this); }
  Role role() const override { return Role::world; }
  const GraspSettings& settings() const { return settings_; }
  void attach(Model& model) override;
  int discrete_states() const override;
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  std::vector<LoopSpec> loops() const override { return {settings_.loop}; }
  void close_loops(const PartInstant& at, std::span<BasicLoop<double>> loops,
                   std::span<std::uint8_t> is_closed) const override;

 private:
  void close(Evaluation& at, std::span<double> d) const;

  GraspSettings settings_;
  BasicLoop<double> loop_;  // after attach()
};

}  // namespace limber
