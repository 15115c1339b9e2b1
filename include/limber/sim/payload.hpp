#pragma once
// A payload that a robot grips at one instant and releases at another.
#include <limber/sim/part.hpp>

namespace limber {

/// What is carried, by which frame, and when.
struct PayloadSettings {
  std::string name = "payload";
  std::string frame;        ///< the link or frame that carries it
  Inertia<double> inertia;  ///< about the origin and in the axes of this frame
  double from = 0;          ///< [s]
  double until = HUGE_VAL;  ///< [s]

  bool is_carried(double t) const { return from <= t && t < until; }
};

/// From `from` until `until` the payload is welded to its frame and its inertia is that of the
/// carrying body too. The instants are events, which are listed. The payload has the velocity of
/// its carrier at once: what that and its height change of the energy counts as work.
class Payload final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit Payload(const PayloadSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Payload>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override;
  int discrete_states() const override { return 1; }  // 1: carried
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  bool carries() const override { return true; }
  void add_inertia(const PartInstant& at, std::span<Inertia<double>> bodies) const override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;

 private:
  PayloadSettings settings_;
  std::size_t body_ = 0;
  Inertia<double> inertia_;  // in the canonical frame of the body
};

/// The inertia of a payload in the canonical frame of the body that carries it, and this body.
/// Throws Error for a frame that the robot does not have or that rests in the world.
struct CarriedInertia {
  std::size_t body = 0;
  Inertia<double> inertia;
};
CarriedInertia carried_inertia(const PayloadSettings& payload, const Model& model);

}  // namespace limber
