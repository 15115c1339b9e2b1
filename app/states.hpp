#pragma once
// States as JSON lines: {"q":[…],"v":[…],"a":[…]} or "tau", or "known" and "given", optionally
// "f_ext"; one per line.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <limber/dynamics/hybrid_dynamics.hpp>

#include "robot.hpp"

namespace limber::app {

/// --states and --json.
struct StateOptions {
  std::string file;
  bool json = false;
};
void add_state_options(Command& command, StateOptions& options);

/// One state of the robot; what the line leaves out is zero (q: neutral only where no line was
/// given).
struct State {
  std::vector<double> q, v, a, tau;
  std::vector<Known> known;                ///< what `given` holds; forces where it is left out
  std::vector<double> given;               ///< the known force or acceleration of each variable
  std::vector<Force<double>> body_forces;  ///< external forces in body frames; empty: none
  std::optional<Vec3<double>> current;     ///< velocity of the water, world axes [m/s]
  Vec3<double> current_acceleration;       ///< [m/s²]
  std::string place;                       ///< "states.jsonl:3", for messages

  Loads<double> loads() const {
    Loads<double> loads;
    loads.body_forces = body_forces;
    return loads;
  }
};

/// Calls `compute` for every state in turn. Without any (see docs/command-line.md) the neutral
/// position is used and a remark says so. `keys` are those that the calculation uses; a state with
/// any other is refused. Throws Error that names file, line and key for a bad line.
void for_each_state(const Robot& robot, const StateOptions& options,
                    const std::vector<std::string>& keys,
                    const std::function<void(const State&)>& compute);

}  // namespace limber::app
