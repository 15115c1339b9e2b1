#include "states.hpp"

#include <cmath>
#include <fstream>
#include <iostream>

#include <unistd.h>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "command_line.hpp"
#include "joint_vector.hpp"
#include "model/nearest.hpp"

namespace limber::app {

void add_state_options(Command& command, StateOptions& options) {
  command
      .add_option("--states", options.file,
                  "File of states, one JSON object per line; `-` or absent: standard input")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print one JSON line per state instead of tables");
}

namespace {

const std::vector<std::string> known_keys{"q", "v", "a", "tau", "known", "given", "f_ext"};

Source place_of_key(const Source& line, const std::string& key) {
  return {line.file, line.line, "key '" + key + "'"};
}

State neutral_state(const Robot& robot) {
  State state;
  state.q = neutral_position(robot.model);
  state.v.assign(static_cast<std::size_t>(robot.model.nv), 0.0);
  state.a = state.tau = state.given = state.v;
  state.known.assign(state.v.size(), Known::force);
  state.place = "neutral position";
  return state;
}

// quaternions come rounded; one that is far from unit length is a mistake
void check_quaternions(const Robot& robot, std::span<const double> q, const Source& place) {
  for (const Joint& joint : robot.joints) {
    if (joint.kind != JointKind::free && joint.kind != JointKind::spherical) continue;
    const auto start = static_cast<std::size_t>(joint.q_start + joint.q_count - 4);
    double squared = 0;
    for (double x : q.subspan(start, 4)) squared += x * x;
    if (std::abs(std::sqrt(squared) - 1) > 1e-3)
      throw Error(place, fmt::format("the quaternion (x, y, z, w) of joint '{}' has length {:.6g}; "
                                     "expected 1",
                                     joint.name, std::sqrt(squared)));
  }
}

// {"body or frame": [moment, force]} in that frame, moved to the body that carries it
std::vector<Force<double>> read_external_forces(const Model& model, const Json& value,
                                                const Source& place) {
  if (!value.is_object())
    throw Error(place,
                "expected an object from body or frame names to six numbers each, for example "
                "{\"tool\":[0,0,0,0,0,-10]}");
  std::vector<Force<double>> forces(static_cast<std::size_t>(model.bodies()));
  for (const auto& [name, part] : value.items()) {
    int index = 0;
    try {
      index = model.frame(name);
    } catch (const Error& error) {
      throw Error(place, error.what());
    }
    const std::vector<double> f = read_numbers(
        part, 6,
        "moment x, y, z [N m], then force x, y, z [N], in the axes and about the origin of '" +
            name + "'",
        place);
    const BasicFrame<double>& frame = model.frames[static_cast<std::size_t>(index)];
    const auto body = static_cast<std::size_t>(frame.body);
    forces[body] +=
        apply_inverse(model.body_placement[body],
                      frame.placement * Force<double>{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}});
  }
  return forces;
}

Json parse_line(const std::string& text, const Source& place) {
  const std::string hint =
      "; expected one JSON object per line, for example {\"q\":[0.1,0.2],\"v\":[0,0]}"
      " (NaN and infinity are not numbers)";
  try {
    Json value = Json::parse(text);
    if (!value.is_object()) throw Error(place, "found " + std::string(value.type_name()) + hint);
    return value;
  } catch (const Json::exception& error) {
    throw Error(place, error.what() + hint);
  }
}

State parse_state(const Robot& robot, const std::string& text, const Source& place) {
  const Json line = parse_line(text, place);
  for (const auto& [key, value] : line.items())
    if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
      throw Error(place,
                  fmt::format("unknown key '{}', expected q, v, a, tau, known, given or f_ext{}",
                              key, did_you_mean(key, known_keys)));
  State state = neutral_state(robot);
  state.place = to_string(place);
  if (!line.contains("q") && robot.model.nq > 0)
    throw Error(place,
                fmt::format("key 'q' is missing; expected {} numbers or an object keyed by joint "
                            "name",
                            robot.model.nq));
  const auto read = [&](const char* key, Space space, std::vector<double>& into) {
    if (line.contains(key))
      into = read_joint_vector(robot, space, line[key], into, place_of_key(place, key));
  };
  read("q", Space::position, state.q);
  read("v", Space::velocity, state.v);
  read("a", Space::velocity, state.a);
  read("tau", Space::velocity, state.tau);
  read("given", Space::velocity, state.given);
  if (line.contains("known"))
    state.known =
        read_known(robot, line["known"], std::move(state.known), place_of_key(place, "known"));
  check_quaternions(robot, state.q, place_of_key(place, "q"));
  normalize(robot.model, state.q);
  if (line.contains("f_ext"))
    state.body_forces =
        read_external_forces(robot.model, line["f_ext"], place_of_key(place, "f_ext"));
  return state;
}

int read_lines(const Robot& robot, std::istream& input, const std::string& file,
               const std::function<void(const State&)>& compute) {
  int states = 0;
  Source place{file, 0, ""};
  for (std::string text; std::getline(input, text);) {
    ++place.line;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    compute(parse_state(robot, text, place));
    ++states;
  }
  if (input.bad()) throw RunFailure(fmt::format("{}:{}: reading failed", file, place.line));
  return states;
}

}  // namespace

void for_each_state(const Robot& robot, const StateOptions& options,
                    const std::function<void(const State&)>& compute) {
  const bool standard_input = options.file.empty() || options.file == "-";
  if (!standard_input) {
    std::ifstream input(options.file);
    input.peek();  // a folder opens, but cannot be read
    if (!input.is_open() || input.bad())
      throw Error(Source{options.file, 0, ""}, "cannot be read; is the name right?");
    read_lines(robot, input, options.file, compute);
    return;
  }
  const bool nothing_offered = options.file.empty() && isatty(STDIN_FILENO);
  if (!nothing_offered && read_lines(robot, std::cin, "standard input", compute) > 0) return;
  if (nothing_offered || (options.file.empty() && !options.json)) {
    remark(
        "no states given (--states FILE or standard input): using the neutral position, at rest");
    compute(neutral_state(robot));
  } else {
    remark("no states on standard input");
  }
}

}  // namespace limber::app
