#pragma once
// An int as an index of a standard container.
#include <cstddef>

namespace limber {

inline std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

}  // namespace limber
