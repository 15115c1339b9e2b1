#pragma once
// From functions of a robot to code that runs: out of the cache, from the compiler, or as programs.
#include <string>
#include <vector>

#include "compile/function_code.hpp"

namespace limber {

/// Makes the functions ready to run; `function` and `shape` of each are there. Returns what the
/// user should know; empty: all is machine code.
std::string build_code(const Model& model, const FunctionOptions& options,
                       std::vector<FunctionCode>& functions);

}  // namespace limber
