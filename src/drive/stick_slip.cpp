#include "drive/stick_slip.hpp"

namespace limber {

void add_stick_slip_events(const std::string& label, std::vector<EventSpec>& events) {
  for (const char* text : {" comes to rest", " breaks loose forward", " breaks loose backward"})
    events.push_back({"'" + label + "'" + text, EventSpec::Crossing::below, EventSpec::Kind::act});
}

void stick_slip_values(double mode, double v, double forward_margin, double backward_margin,
                       std::span<double> values) {
  const bool sticks = mode == sticks_fast;
  values[0] = sticks ? 1 : slip_direction(mode) * v;
  values[1] = sticks ? forward_margin : 1;
  values[2] = sticks ? backward_margin : 1;
}

double mode_after(int event) {
  return event == 0 ? sticks_fast : event == 1 ? slips_forward : slips_backward;
}

}  // namespace limber
