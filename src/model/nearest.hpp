#pragma once
// "did you mean …": the nearest of several names, for error messages.
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// "; did you mean 'X'?" for the nearest candidate, or empty when none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace limber
