#pragma once
// How long the machine code of a compiled function is.
#include <cstddef>
#include <string>

namespace limber::bench {

struct CodeSize {
  std::size_t one = 0;    ///< bytes, for one state
  std::size_t lanes = 0;  ///< bytes, for as many states as there are lanes
};

/// Reads the table of symbols of a library that compile() has built. Throws Error for another file.
CodeSize code_size(const std::string& library);

}  // namespace limber::bench
