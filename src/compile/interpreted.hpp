#pragma once
// Derivatives of one state by the library's own functions, inside of a compiled robot.
namespace limber {

/// FunctionCode::one for derivatives; the context is a FunctionCode with a model. Results are not
/// finite where the interpreter finds no solution, as those of machine code.
void run_interpreted(const void* context, long count, long stride, const double* const* in,
                     double* const* out);

}  // namespace limber
