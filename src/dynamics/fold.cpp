#include "dynamics/fold.hpp"

#include <fmt/format.h>

namespace limber {

void refuse_size(const char* function, const char* argument, std::size_t found, int expected,
                 const std::string& robot) {
  throw Error(fmt::format("{}: {} has {} entries, robot '{}' needs {}", function, argument, found,
                          robot, expected));
}

void check_regular(const std::string& robot, const std::string& singular_reason) {
  if (!singular_reason.empty())
    throw Error("forward dynamics of robot '" + robot + "': " + singular_reason);
}

void refuse_state(const std::string& robot) {
  throw Error("forward dynamics of robot '" + robot + "' has no finite solution here");
}

}  // namespace limber
