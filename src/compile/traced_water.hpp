#pragma once
// What compiled functions know of water: limber/compile/compiled_water.hpp.
#include <limber/compile/function.hpp>

namespace limber {

/// Whether a function is offered under water.
bool knows_water(RobotFunction function);
/// Throws Error for a function or a robot that is not offered under water, and where the water's
/// motion is a free parameter, but there is no water.
void check_compiled_water(const Model& model, RobotFunction function,
                          const FunctionOptions& options);

}  // namespace limber
