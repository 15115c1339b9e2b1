#pragma once
// Checks of single bodies and joints of a Spec, before its tree is built.
#include <limber/model/spec.hpp>

namespace limber {

/// Throws Error for unusable data (NaN, negative mass, zero axis …); appends to `warnings` what is
/// suspicious but usable.
void validate(const Spec& spec, std::vector<std::string>& warnings);

}  // namespace limber
