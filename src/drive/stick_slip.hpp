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

/// Within a step (Evaluation::step) the mode is decided by rounds. This is the one to begin with: a
/// freedom that slips does so in the direction in which it moves.
inline double mode_before_step(double mode, double v) {
  return mode == sticks_fast || v == 0 ? mode : v > 0 ? slips_forward : slips_backward;
}
/// What a part that sticks prescribes: rest while it sticks, in a step rest at its end. mode and
/// v_begin: of the step, which they are set for where it begins.
inline void prescribe_sticking(const PartInstant& at, const GivenMotion& motion, int freedom,
                               double& mode, double& v_begin) {
  if (at.step == 0) {
    if (at.d[0] == sticks_fast) motion.hold(freedom);
    return;
  }
  if (!at.keeps_decisions) {
    v_begin = motion.v[static_cast<std::size_t>(freedom)];
    mode = mode_before_step(at.d[0], v_begin);
  }
  if (mode == sticks_fast) motion.stop(freedom, v_begin, at.step);
}
/// The mode after a round: what slips sticks where it would turn round within the step, v_after
/// being the velocity at its end; what sticks slips where the force that holds it is out of range.
/// As JointFriction and MotorDrive::holding_range() mean it: too little holds back what pushes
/// forward.
inline double mode_after_round(double mode, double v_after, double hold,
                               const HoldingRange& range) {
  if (mode == sticks_fast)
    return hold < range.lower ? slips_forward : hold > range.upper ? slips_backward : sticks_fast;
  return slip_direction(mode) * v_after > 0 ? mode : sticks_fast;
}
/// From this round on the mode stays: parts may disagree without end.
inline constexpr int last_round_of_modes = 8;
/// Takes the mode after a round; true if it is the one before, or stays that for good.
inline bool settle_mode(Evaluation& at, double next, double& mode) {
  if (next == mode) return true;
  if (at.round >= last_round_of_modes) return at.gave_up = true;
  mode = next;
  return false;
}

/// The mode after one of the three events.
double mode_after(int event);

}  // namespace limber
