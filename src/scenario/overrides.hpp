#pragma once
// Values that replace what a scenario file says.
#include <yaml-cpp/yaml.h>

#include <limber/scenario/scenario.hpp>

namespace limber {

/// Sets the value at the path. Keys that are not there are added (the reader knows which are
/// allowed); list entries must be there. Throws Error with the part of the path that leads nowhere.
void apply(const Override& one, YAML::Node& document);

}  // namespace limber
