#pragma once
// One function of one robot in all ways that there are to compute it, timed.
#include <string>
#include <vector>

#include <limber/compile/compiled_robot.hpp>
#include <limber/model/spec.hpp>

#include "code_size.hpp"

namespace limber::bench {

/// Times in ns per state, each the least of many rounds, processor time of one thread.
struct CompiledRow {
  std::string robot, function;
  int operations = 0, instructions = 0;
  double interpreter = 0, compiled = 0;
  double lanes_interpreted = 0, lanes_compiled = 0;
  double peer = 0;  ///< the fastest one; infinite: none
  std::string peer_name;
  double fresh = 0, cached = 0;  ///< seconds until the function can be called
  CodeSize code;
  std::string notice;  ///< why it is no machine code
};
CompiledRow time_function(const std::string& title, const Spec& spec, RobotFunction function,
                          int rounds);

/// A function with matrices for 512 states, whose results leave the nearest caches. Times as above.
struct MatrixRow {
  std::string robot, function;
  double interpreter = 0;  ///< results stay in its workspace
  double written = 0;      ///< and are copied to where a batch has them
  /// Of a batch, interpreted and compiled: whole matrices by state and by variable, sparse ones by
  /// state.
  struct Layouts {
    double by_state = 0, by_variable = 0, sparse = 0;
  };
  Layouts batch, compiled;
};
MatrixRow time_matrices(const std::string& title, const Spec& spec, RobotFunction function,
                        int rounds);

/// A batch far larger than the caches, by compiled lanes on several threads.
struct ThreadRow {
  std::string robot, function;
  int bytes = 0;  ///< read and written per state
  int threads = 0;
  double rate = 0;  ///< states per second, by the clock on the wall
};
std::vector<ThreadRow> time_threads(const std::string& title, const Spec& spec,
                                    RobotFunction function, int rounds);

/// "derivatives of inverse dynamics" and so on.
std::string title_of(RobotFunction function);

}  // namespace limber::bench
