#include <limber/vehicle/frame_actuator.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

#include "drive/checks.hpp"
#include "index.hpp"

namespace limber {

void WetFrame::attach(const Model& m, const std::string& frame, const std::string& what) {
  try {
    frame_ = m.frame(frame);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  }
  const BasicFrame<double>& found = m.frames[at_index(frame_)];
  if (found.body == 0)
    throw Error(fmt::format(
        "{}: frame '{}' rests in the world, where no force moves anything; name a frame of a "
        "moving body",
        what, frame));
  body_ = at_index(found.body);
  placement_ = inverse(m.body_placement[body_]) * found.placement;
}

WetFrame::Motions WetFrame::motion(Evaluation& at, const Water& water) const {
  Motions now;
  now.pose = frame_pose(at.model, at.kinematics(), frame_);
  now.velocity = frame_velocity(at.model, at.kinematics(), frame_, Reference::body);
  now.velocity_in_world = now.pose.R * now.velocity.linear;
  const Vec3<double>& p = now.pose.p;
  now.velocity.linear -= transpose_times(now.pose.R, water.flow(p, at.t, at.more_current).velocity);
  now.below = water.surface(p.x, p.y, at.t) - p.z;
  return now;
}

void WetFrame::push(Evaluation& at, const Force<double>& force) const {
  at.body_forces()[body_] += placement_ * force;
}

FrameActuator::FrameActuator(const FrameActuatorSettings& settings, std::string kind,
                             std::string unit)
    : Part(settings.name),
      title_(fmt::format("{} '{}'", kind, settings.name)),
      unit_(std::move(unit)),
      water_(settings.water ? settings.water : std::make_shared<const Water>()) {
  check_not_negative(settings.lag, "lag", title_);
  if (!(settings.lower < settings.upper))
    throw Error(fmt::format("{}: its command may be from {} to {}; the limits must rise", title_,
                            settings.lower, settings.upper));
}

void FrameActuator::attach(Model& model) { place_.attach(model, common().frame, title_); }

void FrameActuator::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  common().command.begin(at.t, d);
}

std::vector<EventSpec> FrameActuator::events() const {
  return {at_index(discrete_states()),
          {fmt::format("the command of {} jumps", title_), EventSpec::Crossing::below,
           EventSpec::Kind::act}};
}

void FrameActuator::event_values(Evaluation& at, std::span<double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = common().command.margin(static_cast<int>(k), at.t, at.d);
}

EventOutcome FrameActuator::on_event(int event, Evaluation&, EventState state) {
  common().command.act(event, state.d);
  return EventOutcome::unlisted;
}

double FrameActuator::command(const Evaluation& at) const {
  const double sum = common().command.at(at.t, at.d) + at.inputs[0] + at.own_channels[0];
  if (!std::isfinite(sum))
    throw Error(
        fmt::format("{}: its command at t = {:.9g} s is not a finite number", title_, at.t));
  return std::clamp(sum, common().lower, common().upper);
}

WetFrame::Motions FrameActuator::motion(Evaluation& at) const { return place_.motion(at, *water_); }

}  // namespace limber
