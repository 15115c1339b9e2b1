#include "compile/traced_water.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

bool knows_water(RobotFunction function) {
  return function != RobotFunction::inverse_dynamics_derivatives &&
         function != RobotFunction::forward_dynamics_derivatives;
}

void check_compiled_water(const Model& model, RobotFunction function,
                          const FunctionOptions& options) {
  const bool is_free =
      std::any_of(options.parameters.begin(), options.parameters.end(),
                  [](const FreeParameter& p) { return p.kind == FreeParameter::Kind::fluid; });
  if (!options.water.exists()) {
    if (is_free)
      throw Error(fmt::format(
          "robot '{}': the parameter 'fluid' is the motion of water, but there is none; give "
          "FunctionOptions::water (limber compile --water), or leave the parameter out",
          model.name));
    return;
  }
  if (!knows_water(function))
    throw Error(
        fmt::format("robot '{}': {} under water is not offered; leave out the function or "
                    "the water",
                    model.name, name(function)));
  if (!model.loops.empty())
    throw Error(
        fmt::format("robot '{}': compiled functions of robots with loops are not offered under "
                    "water; leave the "
                    "loops or the water out",
                    model.name));
}

}  // namespace limber
