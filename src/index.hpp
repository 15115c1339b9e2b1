#pragma once
// An index that is counted in int, as the standard containers want it.
#include <cstddef>

namespace limber {

inline std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

}  // namespace limber
