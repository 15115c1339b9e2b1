#include "dynamics/fold.hpp"

#include <fmt/format.h>

namespace limber {

void check_size(const char* function, const char* argument, std::size_t found, int expected,
                const std::string& robot) {
  if (found != static_cast<std::size_t>(expected))
    throw Error(fmt::format("{}: {} has {} entries, robot '{}' needs {}", function, argument, found,
                            robot, expected));
}

}  // namespace limber
