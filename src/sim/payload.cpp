#include <limber/sim/payload.hpp>

#include <cmath>

#include <fmt/format.h>

#include "index.hpp"

namespace limber {

Payload::Payload(const PayloadSettings& settings) : Part(settings.name), settings_(settings) {
  if (!(settings.inertia.m > 0) || !std::isfinite(settings.inertia.m))
    throw Error(fmt::format("payload '{}': mass: {} kg found, a positive number is needed",
                            settings.name, settings.inertia.m));
  if (!(settings.from >= 0) || !(settings.until > settings.from))
    throw Error(
        fmt::format("payload '{}': carried from {} s until {} s; give a beginning that is "
                    "not negative and a later end",
                    settings.name, settings.from, settings.until));
}

CarriedInertia carried_inertia(const PayloadSettings& payload, const Model& model) {
  const BasicFrame<double>& frame = model.frames[at_index(model.frame(payload.frame))];
  if (frame.body == 0)
    throw Error(fmt::format("payload '{}': '{}' rests in the world; name a link that moves",
                            payload.name, payload.frame));
  return {at_index(frame.body), frame.placement * payload.inertia};
}

void Payload::attach(Model& model) {
  const CarriedInertia carried = carried_inertia(settings_, model);
  body_ = carried.body;
  inertia_ = carried.inertia;
}

void Payload::initialize(Evaluation&, std::span<double>, std::span<double> d) {
  d[0] = settings_.from == 0 ? 1 : 0;
}

void Payload::add_inertia(const PartInstant& at, std::span<Inertia<double>> bodies) const {
  if (at.d[0] != 0) bodies[body_] += inertia_;
}

std::vector<EventSpec> Payload::events() const {
  const auto event = [&](const char* what) {
    return EventSpec{
        fmt::format("{}, {:.3g} kg: {} '{}'", name(), settings_.inertia.m, what, settings_.frame),
        EventSpec::Crossing::rising, EventSpec::Kind::act};
  };
  std::vector<EventSpec> all = {event("gripped by")};
  if (std::isfinite(settings_.until)) all.push_back(event("released by"));
  return all;
}

void Payload::event_values(Evaluation& at, std::span<double> values) {
  values[0] = at.t - settings_.from;
  if (values.size() > 1) values[1] = at.t - settings_.until;
}

EventOutcome Payload::on_event(int event, Evaluation&, EventState state) {
  state.d[0] = event == 0 ? 1 : 0;
  return EventOutcome::state_changed;
}

}  // namespace limber
