#pragma once
// Limber's other calls, which the peers do not have or have in other forms: each in units of one
// forward kinematics of the same robot.
#include <functional>
#include <string>
#include <vector>

#include "report.hpp"

namespace limber::bench {

/// Times all calls on a shipped robot, in turns, the fastest of `rounds` rounds over `states`
/// states.
CallTimes time_calls(const std::string& robot, int states, int rounds,
                     const std::function<void(int)>& progress);

/// A Markdown table with a column for each robot.
std::string call_table(const std::vector<CallTimes>& robots);

}  // namespace limber::bench
