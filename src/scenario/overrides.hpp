#pragma once
// Values that replace what a scenario file says.
#include <limber/scenario/scenario.hpp>

#include "io/yaml_node.hpp"

namespace limber {

/// Sets the value at the path. Keys that are not there are added (the reader checks which are
/// allowed); list entries must be there. Throws Error with the part of the path that leads nowhere.
void apply(const Override& one, const YamlNode& document);

}  // namespace limber
