#include <limber/control/open_loop.hpp>

#include <cmath>

#include <fmt/format.h>

#include <limber/model/variables.hpp>

#include "index.hpp"

namespace limber {

const char* name(InputQuantity quantity) {
  constexpr const char* names[] = {"torque", "force", "voltage", "current", "command"};
  return names[static_cast<std::size_t>(quantity)];
}

const char* unit(InputQuantity quantity) {
  constexpr const char* units[] = {"N m", "N", "V", "A", ""};
  return units[static_cast<std::size_t>(quantity)];
}

OpenLoop::OpenLoop(const OpenLoopSettings& settings)
    : Part(settings.name.empty() ? "input of " + settings.freedom : settings.name),
      settings_(settings) {}

void OpenLoop::attach(Model& model) {
  freedom_ = freedom(model, settings_.freedom);
  const std::string unit = velocity_variables(model)[at_index(freedom_)].unit;
  const bool turns = unit == "rad", slides = unit == "m";
  if ((settings_.quantity == InputQuantity::torque && slides) ||
      (settings_.quantity == InputQuantity::force && turns))
    throw Error(fmt::format("{}: freedom '{}' of robot '{}' {}; give it a {}", name(),
                            settings_.freedom, model.name, turns ? "turns" : "slides",
                            turns ? "torque [N m]" : "force [N]"));
}

void OpenLoop::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  settings_.signal.begin(at.t, d);
}

double OpenLoop::value(const Evaluation& at) const {
  const double value = settings_.signal.at(at.t, at.d) + at.inputs[0];
  if (!std::isfinite(value))
    throw Error(fmt::format("{}: its value at t = {:.9g} s is not a finite number", name(), at.t));
  return value;
}

void OpenLoop::apply(Evaluation& at) { at.command[at_index(freedom_)] += value(at); }

std::vector<EventSpec> OpenLoop::events() const {
  return {at_index(settings_.signal.states()),
          {name() + " jumps", EventSpec::Crossing::below, EventSpec::Kind::act}};
}

void OpenLoop::event_values(Evaluation& at, std::span<double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = settings_.signal.margin(static_cast<int>(k), at.t, at.d);
}

EventOutcome OpenLoop::on_event(int event, Evaluation&, EventState state) {
  settings_.signal.act(event, state.d);
  return EventOutcome::unlisted;
}

std::vector<Column> OpenLoop::columns() const {
  constexpr const char* groups[] = {"Input torques", "Input forces", "Input voltages",
                                    "Input currents", "Inputs"};
  return {{settings_.freedom + ".input", unit(settings_.quantity),
           groups[static_cast<std::size_t>(settings_.quantity)]}};
}

void OpenLoop::record(Evaluation& at, std::span<double> values) { values[0] = value(at); }

}  // namespace limber
