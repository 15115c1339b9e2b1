#pragma once
// Programs run one instruction after the other, for several neighbouring states at a time.
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// Runs a program for `states` states, at most `lanes`, beginning with state `first`: element e of
/// array k of state i is in[k][e * stride + i], and so for out; outputs may be inputs. `values` is
/// scratch that grows to what the program needs.
template <class T, int lanes>
void evaluate_block(const Program& program, std::vector<T>& values, long first, long states,
                    long stride, const T* const* in, T* const* out);

extern template void evaluate_block<double, 1>(const Program&, std::vector<double>&, long, long,
                                               long, const double* const*, double* const*);
extern template void evaluate_block<double, 8>(const Program&, std::vector<double>&, long, long,
                                               long, const double* const*, double* const*);
extern template void evaluate_block<float, 8>(const Program&, std::vector<float>&, long, long, long,
                                              const float* const*, float* const*);

}  // namespace limber
