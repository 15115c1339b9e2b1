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

void refuse_unfactored(const char* function) {
  throw Error(fmt::format("{}: nothing has been factorized; call factorize() first", function));
}

void refuse_without_matrix() {
  throw Error("factorize: there is no mass matrix; call mass_matrix() first");
}

void refuse_columns(const char* function, std::size_t found, std::size_t freedoms,
                    const std::string& robot) {
  throw Error(
      fmt::format("{}: X has {} numbers; expected columns of {}, the freedoms of robot '{}'",
                  function, found, freedoms, robot));
}

void refuse_load_inertia(const char* function) {
  throw Error(fmt::format(
      "{}: loads with body_inertia, joint_inertia or a fluid have analytic derivatives for double "
      "and float alone; leave them out",
      function));
}

void refuse_two_inertias(const char* function) {
  throw Error(fmt::format(
      "{}: the loads have body_inertia and a fluid; add the inertia to the added mass of the "
      "fluid's bodies, or take WaterLoads",
      function));
}

}  // namespace limber
