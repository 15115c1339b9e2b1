#pragma once
// One loose body of a scenario: a homogeneous solid on a free joint.
#include "io/yaml.hpp"

#include <limber/model/spec.hpp>

namespace limber {

/// From the keys of the section *body*. Throws Error with the place.
Spec read_loose_body(const YamlMap& map);

}  // namespace limber
