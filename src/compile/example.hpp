#pragma once
// Usage examples beside generated text: what to call, with numbers that print.
#include <string>
#include <vector>

#include <limber/compile/source.hpp>

namespace limber {

/// Sensible numbers for an input array of a function, by its name. Tables are of zeros.
std::vector<double> sample_input(const TracedRobot& robot, const ArrayShape& array);

/// "0.1, 0.2"
std::string number_list(const std::vector<double>& values);

/// One block per function: its arrays, the call, and print(text, array, size) for each result.
/// `type` is that of the numbers, `prefix` what stands before the function's name.
std::string example_blocks(const TracedRobot& robot, const std::string& type,
                           const std::string& prefix);

}  // namespace limber
