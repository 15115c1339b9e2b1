#include "report/sections.hpp"

#include <algorithm>
#include <array>

namespace limber {

namespace {

struct PlotPlace {
  const char* group;
  const char* section;
  const char* also = nullptr;
};

// in the order of the page
constexpr std::array plot_places = {
    PlotPlace{"Positions", "Motion"},
    PlotPlace{"Velocities", "Motion"},
    PlotPlace{"Tracking error", "Motion", "Control"},
    PlotPlace{"Frames", "Motion"},
    PlotPlace{"Centre of mass", "Motion"},
    PlotPlace{"Accelerations", "Motion"},
    PlotPlace{"Loop gap", "Motion"},
    PlotPlace{"In contact", "Contact"},
    PlotPlace{"Functional coordinates", "Contact"},
    PlotPlace{"Forces of environments", "Contact", "Forces"},
    PlotPlace{"Contact: 0 apart, 1 sticks, 2 slides", "Contact"},
    PlotPlace{"Normal forces of contacts", "Contact", "Forces"},
    PlotPlace{"Friction forces of contacts", "Contact", "Forces"},
    PlotPlace{"Gaps of contacts", "Contact"},
    PlotPlace{"Slip of contacts", "Contact"},
    PlotPlace{"Number of contacts", "Contact"},
    PlotPlace{"Penetration", "Contact"},
    PlotPlace{"Fastest slip", "Contact"},
    PlotPlace{"Energy lost in contacts", "Contact", "Energy"},
    PlotPlace{"Residual of contacts", "Contact"},
    PlotPlace{"Iterations of contacts", "Contact"},
    PlotPlace{"Joint forces", "Forces"},
    PlotPlace{"Loop forces", "Forces"},
    PlotPlace{"Loop moments", "Forces"},
    PlotPlace{"Linear momentum", "Forces"},
    PlotPlace{"Angular momentum", "Forces"},
    PlotPlace{"Currents", "Drives"},
    PlotPlace{"Voltages", "Drives"},
    PlotPlace{"Motor torques", "Drives"},
    PlotPlace{"Motor speeds", "Drives"},
    PlotPlace{"Motor power", "Drives"},
    PlotPlace{"Transmission", "Drives"},
    PlotPlace{"Deflections", "Drives"},
    PlotPlace{"Temperatures", "Drives"},
    PlotPlace{"Friction", "Drives"},
    PlotPlace{"Sticking", "Drives"},
    PlotPlace{"Inputs of actuators", "Drives"},
    PlotPlace{"Saturation", "Drives"},
    PlotPlace{"Force control", "Control", "Contact"},
    PlotPlace{"Commands", "Control"},
    PlotPlace{"Energy", "Energy"},
    PlotPlace{"Power", "Energy"},
    PlotPlace{"Energy error", "Energy"},
};

const PlotPlace* find_place(const std::string& group) {
  const auto found = std::find_if(plot_places.begin(), plot_places.end(),
                                  [&](const PlotPlace& place) { return group == place.group; });
  return found == plot_places.end() ? nullptr : &*found;
}

const char* section_by_unit(const std::string& unit) {
  for (const char* const force : {"N", "N m", "N s", "N m s"})
    if (unit == force) return "Forces";
  if (unit.starts_with("m") || unit.starts_with("rad")) return "Motion";
  if (unit == "J" || unit == "W") return "Energy";
  return "More";
}

}  // namespace

std::vector<std::string> sections_of(const std::string& group, const std::string& unit) {
  const PlotPlace* place = find_place(group);
  if (!place) return {section_by_unit(unit)};
  if (!place->also) return {place->section};
  return {place->section, place->also};
}

std::size_t plot_rank(const std::string& group) {
  const PlotPlace* place = find_place(group);
  return place ? static_cast<std::size_t>(place - plot_places.data()) : plot_places.size();
}

}  // namespace limber
