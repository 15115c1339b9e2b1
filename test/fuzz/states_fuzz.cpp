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

// calls f(state) for every state of a text, on standard input as the command has it
template <class F>
void for_states(const Robot& robot, const std::string& text, const std::vector<std::string>& keys,
                F&& f) {
  std::istringstream input(text);
  std::streambuf* const real = std::cin.rdbuf(input.rdbuf());
  std::cin.clear();
  StateOptions options;
  options.file = "-";
  try {
    for_each_state(robot, options, keys, f);
  } catch (const limber::Error&) {
    // a refusal is an answer
  }
  std::cin.rdbuf(real);
}

}  // namespace

// as `limber id`, `fd` and `hybrid` do
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return 0;  // only a remark
  for (const Robot& robot : robots()) {
    const limber::Model& m = robot.model;
    limber::Workspace ws(m);
    for_states(robot, text, {"q", "v", "a", "f_ext"},
               [&](const State& s) { limber::inverse_dynamics(m, s.q, s.v, s.a, ws, s.loads()); });
    limber::FluidLoad<double> water(
        limber::List<limber::FluidBody<double>>(static_cast<std::size_t>(m.bodies())));
    for_states(robot, text, {"q", "v", "tau", "f_ext", "current", "current_acceleration"},
               [&](const State& s) {
                 limber::Loads<double> loads = s.loads();
                 water.velocity = s.current.value_or(limber::Vec3<double>{});
                 water.acceleration = s.current_acceleration;
                 loads.fluid = &water;
                 limber::forward_dynamics(m, s.q, s.v, s.tau, ws, loads);
               });
    for_states(robot, text, {"q", "v", "known", "given", "f_ext"}, [&](const State& s) {
      limber::hybrid_dynamics<double>(m, s.q, s.v, s.known, s.given, ws, s.loads());
    });
  }
  return 0;
}
