#pragma once
// Compiled steps with contact in the lanes of one core.
#include <string>

namespace limber::bench {

/// A table of Markdown: time of a step in lanes, beside the interpreter's step of the quadruped
/// [s], and the residuals of robots that fall, land and stand.
std::string contact_lanes_table(double interpreted_quadruped, int rounds);

}  // namespace limber::bench
