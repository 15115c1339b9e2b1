#include <limber/sim/value_event.hpp>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/model/variables.hpp>

#include "model/nearest.hpp"

namespace limber {

ValueEvent::ValueEvent(std::string name, Value value, double threshold,
                       EventSpec::Crossing crossing, Then then)
    : Part(std::move(name)),
      value_(std::move(value)),
      threshold_(threshold),
      crossing_(crossing),
      then_(then) {}

std::vector<EventSpec> ValueEvent::events() const {
  const auto kind = then_ == Then::stop ? EventSpec::Kind::act : EventSpec::Kind::watch;
  return {{name(), crossing_, kind}};
}

void ValueEvent::event_values(Evaluation& at, std::span<double> values) {
  values[0] = value_(at) - threshold_;
}

EventOutcome ValueEvent::on_event(int, Evaluation&, EventState) { return EventOutcome::stop; }

ValueEvent::Value named_value(const Model& model, std::string_view name) {
  std::vector<std::string> names;
  const auto is = [&](const std::string& candidate) {
    names.push_back(candidate);
    return candidate == name;
  };
  const std::vector<Variable> positions = position_variables(model);
  for (std::size_t k = 0; k < positions.size(); ++k)
    if (is(positions[k].name() + ".position")) return [k](Evaluation& at) { return at.q[k]; };
  const std::vector<Variable> freedoms = velocity_variables(model);
  for (std::size_t k = 0; k < freedoms.size(); ++k)
    if (is(freedoms[k].name() + ".velocity")) return [k](Evaluation& at) { return at.v[k]; };
  for (std::size_t frame = 0; frame < model.frames.size(); ++frame)
    for (int axis = 0; axis < 3; ++axis)
      if (is(fmt::format("{}.{}", model.frames[frame].name, "xyz"[axis])))
        return [frame, axis](Evaluation& at) {
          return frame_pose(at.model, at.kinematics(), static_cast<int>(frame)).p[axis];
        };
  throw Error(
      fmt::format("robot '{}' has no value '{}'; write JOINT.position, JOINT.velocity or "
                  "FRAME.x, .y, .z, of a joint with several variables e.g. root.x.position{}",
                  model.name, name, did_you_mean(name, names)));
}

}  // namespace limber
