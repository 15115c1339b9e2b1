#pragma once
// Checks of input vectors: a wrong size or a number that is none is named, not computed with.
#include <cmath>
#include <span>
#include <string>

#include "dynamics/fold.hpp"

namespace limber::reference {

/// Throws Error, naming argument and robot, unless `values` has `expected` entries, all finite.
template <class T>
void check_input(const char* argument, std::span<const T> values, int expected,
                 const std::string& robot) {
  check_size("reference", argument, values.size(), expected, robot);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!(values[k] < T(HUGE_VAL) && values[k] > T(-HUGE_VAL)))
      throw Error("reference: " + std::string(argument) + "[" + std::to_string(k) + "] of robot '" +
                  robot + "' is not a finite number");
}

}  // namespace limber::reference
