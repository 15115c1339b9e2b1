#pragma once
// Positions that a robot may have.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// What rounding may add to a limit [rad, m; of speeds: of the limit].
constexpr double limit_tolerance = 1e-9;

/// q with unit quaternions. Throws Error for a wrong size, numbers that are not finite and joints
/// outside their limits. `what` begins the message.
std::vector<double> checked_position(const Model& model, const std::string& what,
                                     std::span<const double> q);

/// Throws Error naming the joint that is outside its limits.
void expect_position_limits(const Model& model, const std::string& what, std::span<const double> q);

}  // namespace limber
