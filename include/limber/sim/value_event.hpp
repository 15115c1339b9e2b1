#pragma once
// An event of the user: a value of the state crosses a threshold.
#include <functional>
#include <limits>

#include <limber/sim/part.hpp>

namespace limber {

/// What is done at the event.
enum class Then : std::uint8_t { watch, stop };

/// Watches a function of the state; lists the instants at which it passes a threshold, or stops the
/// run there.
class ValueEvent final : public Part {
 public:
  /// A function of the instant; it must be continuous and may use at.kinematics().
  using Value = std::function<double(Evaluation& at)>;

  /// Fires where value − threshold changes its sign in the given direction.
  ValueEvent(std::string name, Value value, double threshold, EventSpec::Crossing crossing,
             Then then);
  std::unique_ptr<Part> clone() const override { return std::make_unique<ValueEvent>(*this); }
  Role role() const override { return Role::world; }
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;

 private:
  Value value_;
  double threshold_;
  EventSpec::Crossing crossing_;
  Then then_;
};

/// A value by its name, for a robot: NAME.position, NAME.velocity (NAME as in variables.hpp: elbow,
/// root.x),
/// FRAME.x, FRAME.y, FRAME.z (position of a frame's origin in the world). Throws Error with what
/// there is.
ValueEvent::Value named_value(const Model& model, std::string_view name);

}  // namespace limber
