#pragma once
// How much memory the matrices of one robot may take. Mass matrix and factor are kept dense, so
// memory grows with the square of the freedoms; a robot file must not fill the machine.
#include <string>

namespace limber {

/// Limit for one model or workspace [GB] unless LIMBER_MEMORY sets another.
inline constexpr double memory_limit_gb = 4;

/// Throws Error if `bytes` for `what` ("the workspace") of a robot with so many freedoms are above
/// the limit of the environment variable LIMBER_MEMORY [GB], or memory_limit_gb without it.
/// `numbers`: the entries of its largest matrix; more than INT_MAX cannot be addressed and are
/// refused at any limit.
void expect_memory(const char* what, const std::string& robot, int freedoms, double numbers,
                   double bytes);

}  // namespace limber
