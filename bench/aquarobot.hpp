#pragma once
// The Aquarobot: forward dynamics, and everything that its motion on compliant ground needs.
#include <string>

namespace limber::bench {

/// A table of Markdown: times in the air and on 54 points of contact, and their ratios to forward
/// dynamics.
std::string aquarobot_table(int rounds);

}  // namespace limber::bench
