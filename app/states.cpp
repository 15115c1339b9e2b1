#include "states.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/joint_space.hpp>
#include <limber/model/plausible.hpp>

#include "command_line.hpp"
#include "joint_vector.hpp"
#include "model/nearest.hpp"
#include "scenario/json.hpp"

namespace limber::app {

void add_state_options(Command& command, StateOptions& options) {
  command
      .add_option("--states", options.file,
                  "File of states, one JSON object per line; `-` or absent: standard input")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print one JSON line per state instead of tables");
}

namespace {

/// Every key, and the subcommands that use it.
const std::map<std::string, const char*> users_of_key{
    {"q", "all subcommands"},
    {"v", "id, fd, hybrid and kinematics"},
    {"a", "id"},
    {"tau", "fd"},
    {"known", "hybrid"},
    {"given", "hybrid"},
    {"f_ext", "id, fd and hybrid"},
    {"current", "id, fd and hybrid with --water"},
    {"current_acceleration", "id, fd and hybrid with --water"}};

/// The keys that a subcommand uses.
using Keys = std::vector<std::string>;

// throws Error for a key that the subcommand does not use
void check_keys(const Json& line, const Keys& keys, const Source& place) {
  for (const auto& [key, value] : line.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const auto other = users_of_key.find(key);
    if (other == users_of_key.end())
      throw Error(place, fmt::format("unknown key '{}', expected {}{}", key, fmt::join(keys, ", "),
                                     did_you_mean(key, keys)));
    throw Error(place, fmt::format("key '{}' has no meaning here, it is for {}; expected {}", key,
                                   other->second, fmt::join(keys, ", ")));
  }
}

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
  for (const JointPlace& joint : joint_places(robot.model)) {
    if (joint.quaternion < 0) continue;
    double squared = 0;
    for (double x : q.subspan(static_cast<std::size_t>(joint.quaternion), 4)) squared += x * x;
    if (std::abs(std::sqrt(squared) - 1) > 1e-3)
      throw Error(place, fmt::format("the quaternion (x, y, z, w) of joint '{}' has length {:.6g}; "
                                     "expected 1",
                                     robot.model.joint_name[static_cast<std::size_t>(joint.body)],
                                     std::sqrt(squared)));
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

Vec3<double> read_vector(const Json& value, const std::string& what, const Source& place) {
  const std::vector<double> x = read_numbers(value, 3, what, place);
  return {x[0], x[1], x[2]};
}

Json parse_line(const std::string& text, const Source& place) {
  const std::string hint =
      "; expected one JSON object per line, for example {\"q\":[0.1,0.2],\"v\":[0,0]}"
      " (NaN and infinity are not numbers)";
  try {
    Json value = parse_json(text, place);
    if (!value.is_object()) throw Error(place, "found " + std::string(value.type_name()));
    return value;
  } catch (const Error& error) {
    throw Error(error.what() + hint);
  }
}

State parse_state(const Robot& robot, const std::string& text, const Keys& keys,
                  const Source& place) {
  const Json line = parse_line(text, place);
  check_keys(line, keys, place);
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
  if (line.contains("current"))
    state.current = read_vector(line["current"], "velocity of the water x, y, z [m/s], world axes",
                                place_of_key(place, "current"));
  if (line.contains("current_acceleration"))
    state.current_acceleration = read_vector(line["current_acceleration"],
                                             "acceleration of the water x, y, z [m/s²], world axes",
                                             place_of_key(place, "current_acceleration"));
  return state;
}

// the next line without its end; false: there is none. A device without line ends stops here.
bool next_line(std::istream& input, std::string& text, const Source& place) {
  text.clear();
  for (char c; input.get(c);) {
    if (c == '\n') return true;
    if (text.size() == most_json_bytes)
      throw Error(place, fmt::format("the line has more than {} bytes", most_json_bytes));
    text += c;
  }
  return !text.empty();
}

int read_lines(const Robot& robot, std::istream& input, const std::string& file, const Keys& keys,
               const std::function<void(const State&)>& compute) {
  int states = 0;
  Source place{file, 1, ""};
  for (std::string text; next_line(input, text, place); ++place.line) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    compute(parse_state(robot, text, keys, place));
    ++states;
  }
  const bool standard_input = &input == &std::cin;  // it keeps its errors to itself
  if (input.bad() || (standard_input && std::ferror(stdin) != 0))
    throw RunFailure(fmt::format("{}:{}: reading failed", file, place.line));
  return states;
}

/// Says on standard error what is doubtful about states: the first ones in full, then how many
/// more.
class StateWarnings {
 public:
  explicit StateWarnings(const Robot& robot) : robot_(robot) {}
  void check(const State& state) {
    for (const std::string& warning : suspicious_state(robot_.model, state.q, state.v))
      if (++count_ <= most_printed) remark(fmt::format("{}: warning: {}", state.place, warning));
  }
  void print_count() const {
    if (count_ > most_printed)
      remark(fmt::format("and {} more warnings like these", count_ - most_printed));
  }

 private:
  static constexpr int most_printed = 10;
  const Robot& robot_;
  int count_ = 0;
};

}  // namespace

void for_each_state(const Robot& robot, const StateOptions& options,
                    const std::vector<std::string>& keys,
                    const std::function<void(const State&)>& calculation) {
  StateWarnings warnings(robot);
  const auto compute = [&](const State& state) {
    warnings.check(state);
    calculation(state);
  };
  const bool standard_input = options.file.empty() || options.file == "-";
  if (!standard_input) {
    std::ifstream input(options.file);
    input.peek();  // a folder opens, but cannot be read
    if (!input.is_open() || input.bad())
      throw Error(Source{options.file, 0, ""}, "cannot be read; is the name right?");
    read_lines(robot, input, options.file, keys, compute);
    return warnings.print_count();
  }
  const bool nothing_offered = options.file.empty() && isatty(STDIN_FILENO);
  if (!nothing_offered && read_lines(robot, std::cin, "standard input", keys, compute) > 0)
    return warnings.print_count();
  if (nothing_offered || (options.file.empty() && !options.json)) {
    remark(
        "no states given (--states FILE or standard input): using the neutral position, at rest");
    compute(neutral_state(robot));
    warnings.print_count();
  } else {
    remark("no states on standard input");
  }
}

}  // namespace limber::app
