// libFuzzer target: any text is either lines of states that the command computes with, or an Error.
// The robots have all kinds of joints, mimic joints and frames to push at.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>

#include "output.hpp"
#include "states.hpp"

namespace {

using namespace limber::app;

const std::vector<Robot>& robots() {
  static const std::vector<Robot> all = [] {
    std::vector<Robot> some;
    for (const char* name : {"double_pendulum", "every_joint"}) {
      RobotOptions options;
      options.model = name;
      some.push_back(load_robot(options));
    }
    return some;
  }();
  return all;
}

// as `limber id`, `fd` and `hybrid` do
void compute(const Robot& robot, const State& state) {
  const limber::Model& m = robot.model;
  limber::Workspace ws(m);
  limber::inverse_dynamics(m, state.q, state.v, state.a, ws, state.loads());
  limber::forward_dynamics(m, state.q, state.v, state.tau, ws, state.loads());
  limber::hybrid_dynamics<double>(m, state.q, state.v, state.known, state.given, ws, state.loads());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return 0;  // only a remark
  for (const Robot& robot : robots()) {
    std::istringstream input(text);
    std::streambuf* const real = std::cin.rdbuf(input.rdbuf());
    std::cin.clear();
    try {
      StateOptions options;
      options.file = "-";
      for_each_state(robot, options, [&](const State& state) { compute(robot, state); });
    } catch (const limber::Error&) {
      // a refusal is an answer
    }
    std::cin.rdbuf(real);
  }
  return 0;
}
