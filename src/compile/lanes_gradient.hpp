#pragma once
// Derivatives column by column in the lanes of a processor, as text.
#include <string>

#include "compile/gradient.hpp"
#include "io/embedded.hpp"

namespace limber {

/// The texts of column_solver.hpp and column_lanes.hpp, for generated code.
std::span<const EmbeddedFile> embedded_columns();

/// What the text is made of.
struct LanesGradient {
  Program whole;  ///< name and shape of the function, matrices in sparse form; no instructions
  GradientParts parts;
};

/// struct gradient_tables, see column_solver.hpp and column_lanes.hpp.
std::string gradient_tables(const GradientParts& parts, const FunctionShape& sparse_shape);

/// The tables, and the function for V::lanes neighbouring states. It calls that of the parts.
std::string gradient_kernel(const LanesGradient& gradient);

}  // namespace limber
