#include "model/checks.hpp"

#include <fmt/format.h>

#include "model/names.hpp"

namespace limber {

void refuse_unbuilt(const char* function, const std::string& robot) {
  throw Error(fmt::format(
      "{}: the model{} was not made by build() or load(), or it was moved to another variable; use "
      "the Model that they return",
      function, robot.empty() ? "" : fmt::format(" of robot '{}'", robot)));
}

void refuse_workspace(const char* function, const std::string& robot) {
  throw Error(fmt::format(
      "{}: the workspace, or what was computed with it, belongs to another model than this one of "
      "robot '{}'; make one from this very model (copies of a model share it, two calls of build() "
      "do not)",
      function, robot));
}

void refuse_articulated_loops(const std::string& robot, const std::string& reason) {
  throw Error(
      fmt::format("loops of robot '{}' cannot be eliminated by articulated bodies: {}; use "
                  "closed_forward_dynamics()",
                  robot, reason));
}
void refuse_rows(const char* function, const std::string& robot, int room, int rows) {
  throw Error(
      fmt::format("{}: room for {} rows, but robot '{}' has {} rows of loops; make it after "
                  "the last loop was added",
                  function, room, robot, rows));
}
void refuse_index(const char* function, const char* what, int found, std::size_t count,
                  const std::string& robot) {
  throw Error(
      fmt::format("{}: {} {} is wanted, robot '{}' has {} 0 to {}; model.{}(name) finds one by its "
                  "name",
                  function, what, found, robot, count == 1 ? what : fmt::format("{}s", what),
                  static_cast<long>(count) - 1, what));
}

void refuse_loops(const char* what, const std::string& robot, const std::string& first,
                  std::size_t count) {
  throw Error(
      fmt::format("robot '{}' has {} ({}'{}'), which {} does not close; closed_forward_dynamics() "
                  "(limber/constraint) and simulations do, and open_loops(spec), --open-loops or "
                  "`loops: open` in a scenario leaves {} open",
                  robot, count_of(count, "loop"), count == 1 ? "" : "the first is ", first, what,
                  count == 1 ? "it" : "them"));
}

void refuse_missing(const char* function, const std::string& robot, const char* missing,
                    const char* remedy) {
  throw Error(fmt::format("{}: no {} of robot '{}' are here; call {} first", function, missing,
                          robot, remedy));
}

void refuse_overwritten(const char* function, const std::string& robot, const char* what) {
  throw Error(
      fmt::format("{}: a later call with the same workspace has overwritten {} of robot '{}'; ask "
                  "before that call, or give it a workspace of its own",
                  function, what, robot));
}

}  // namespace limber
