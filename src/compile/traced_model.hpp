#pragma once
// A robot made of expressions: constants, the inputs of a function, and free parameters.
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <limber/compile/function.hpp>
#include <limber/fluid/submerged.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/scalar/expr_graph.hpp>

#include "compile/parameters.hpp"
#include "compile/regroup.hpp"

namespace limber {

struct TracedModel {
  std::map<std::string, std::vector<Expr>, std::less<>> inputs;  ///< by name
  BasicModel<Expr> model;
  std::vector<Vec3<double>> centers;  ///< fixed_axes_center() of each body: regrouping moves masses
  FluidLoad<Expr> fluid;              ///< without bodies: none

  TracedModel(const Model& original, const FunctionOptions& options, const FunctionShape& shape,
              ExprGraph& graph) {
    for (const ArrayShape& array : shape.inputs)
      for (int i = 0; i < (array.is_table ? 0 : array.size); ++i)
        inputs[array.name].push_back(graph.input());
    model = cast<Expr>(regroup(original));
    for (int i = 0; i < original.bodies(); ++i) centers.push_back(fixed_axes_center(original, i));
    if (options.water.exists())
      fluid = cast<Expr>(submerged(original, options.water.links, options.water.density));
    if (!options.parameters.empty())
      free_parameters(original, options, inputs.at("parameters"), model, fluid);
  }
  /// The water's loads; they point into this object.
  Loads<Expr> loads(Passive passive) const {
    Loads<Expr> loads;
    loads.passive = passive;
    if (!fluid.bodies().empty()) loads.fluid = &fluid;
    return loads;
  }
  std::span<const Expr> operator[](std::string_view name) const {
    return inputs.find(name)->second;
  }
};

}  // namespace limber
