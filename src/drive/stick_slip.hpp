#pragma once
// Sticking and slipping as a discrete state of one number, and its three events. While it slips the
// direction of dry friction is that of the mode, so that forces are smooth up to the instant when
// motion ends.
#include <limber/sim/part.hpp>

namespace limber {

/// Values of the discrete state; 0 (before initialize()) means that nothing is decided.
inline constexpr double slips_forward = 1, slips_backward = -1, sticks_fast = 2;

/// The mode for a velocity at the beginning: at rest it sticks, and breaks loose at once if it
/// cannot.
inline double initial_mode(double v) {
  return v > 0 ? slips_forward : v < 0 ? slips_backward : sticks_fast;
}

/// +1 or −1 while it slips, 0 while it sticks.
inline int slip_direction(double mode) {
  return mode == slips_forward ? 1 : mode == slips_backward ? -1 : 0;
}

/// Drives with torque commands do not compensate the last of their friction at rest, or
/// noise would set them going.
inline constexpr double uncompensated_share = 1e-3;

inline constexpr int stick_slip_events = 3;

/// Comes to rest, breaks loose forward, breaks loose backward.
void add_stick_slip_events(const std::string& label, std::vector<EventSpec>& events);

/// margins: how far the force that holds is from breaking loose in either direction; used while it
/// sticks.
inline void stick_slip_values(double mode, double v, double forward_margin, double backward_margin,
                              std::span<double> values) {
  const bool sticks = mode == sticks_fast;
  values[0] = sticks ? 1 : slip_direction(mode) * v;
  values[1] = sticks ? forward_margin : 1;
  values[2] = sticks ? backward_margin : 1;
}

/// The mode after one of the three events.
double mode_after(int event);

}  // namespace limber
