#include "drive/stick_slip.hpp"

namespace limber {

void add_stick_slip_events(const std::string& label, std::vector<EventSpec>& events) {
  for (const char* text : {" comes to rest", " breaks loose forward", " breaks loose backward"})
    events.push_back({"'" + label + "'" + text, EventSpec::Crossing::below, EventSpec::Kind::act});
}

double mode_after(int event) {
  return event == 0 ? sticks_fast : event == 1 ? slips_forward : slips_backward;
}

}  // namespace limber
