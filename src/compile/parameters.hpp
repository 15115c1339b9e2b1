#pragma once
// Numbers of the robot that stay free in compiled code, and the frames that it knows.
#include <span>

#include <limber/compile/function.hpp>
#include <limber/scalar/expr.hpp>

namespace limber {

/// How many numbers a free parameter has.
int size_of(const FreeParameter& parameter);

/// Puts the values in the place of the model's and the fluid's numbers. The model's constants may
/// be regrouped. Throws Error for a gear without a rotor.
void free_parameters(const Model& original, const FunctionOptions& options,
                     std::span<const Expr> values, BasicModel<Expr>& model, FluidLoad<Expr>& fluid);

/// Indices of the frames that the options name; all links without names.
template <class T>
std::vector<int> frames_of(const BasicModel<T>& model, const FunctionOptions& options) {
  std::vector<int> frames;
  for (const std::string& name : options.frames) frames.push_back(model.frame(name));
  if (options.frames.empty())
    for (std::size_t i = 0; i < model.frames.size(); ++i) frames.push_back(static_cast<int>(i));
  return frames;
}

}  // namespace limber
