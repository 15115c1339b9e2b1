#include "joint_vector.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/variables.hpp>

#include "scenario/json.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

struct Slice {
  std::size_t start, count;
};
Slice slice(const Joint& joint, Space space) {
  const bool position = space == Space::position;
  return {static_cast<std::size_t>(position ? joint.q_start : joint.v_start),
          static_cast<std::size_t>(position ? joint.q_count : joint.v_count)};
}

// "root (7), hip, knee, …": what an array has to hold, in order
std::string layout(const Robot& robot, Space space) {
  constexpr std::size_t most = 12;
  std::vector<std::string> parts;
  std::size_t left_out = 0;
  for (const Joint& joint : robot.joints) {
    const std::size_t count = slice(joint, space).count;
    if (count == 0) continue;
    if (parts.size() == most) ++left_out;
    else parts.push_back(count == 1 ? joint.name : fmt::format("{} ({})", joint.name, count));
  }
  if (left_out > 0) parts.push_back(fmt::format("and {} more, see `limber info`", left_out));
  return fmt::format("{}", fmt::join(parts, ", "));
}

const Joint& find_joint(const Robot& robot, const std::string& name, const Source& place) try {
  for (const Joint& joint : robot.joints)
    if (joint.name == name) return joint;
  const int body = robot.model.body_of_joint(name);  // throws, unless it is a rotor
  throw Error(
      fmt::format("'{}' is the rotor of joint '{}' and has no variable of its own; leave "
                  "it out",
                  name,
                  robot.model.joint_name[static_cast<std::size_t>(
                      robot.model.master[static_cast<std::size_t>(body)])]));
} catch (const Error& error) {
  throw Error(place, error.what());
}

Source place_of_joint(const Source& place, const std::string& joint) {
  return {place.file, place.line, place.element + ", joint '" + joint + "'"};
}

void check_independent(const Joint& joint, const Source& place) {
  if (joint.mimic)
    throw Error(place, fmt::format("this joint follows '{}' and has no variable of its own; "
                                   "leave it out",
                                   joint.mimic->joint));
}

double read_number(const Json& value, const std::string& what, const Source& place) {
  if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
  throw Error(place, fmt::format("{} is {}; expected a finite number", what, shown(value)));
}

}  // namespace

std::vector<double> read_numbers(const Json& value, std::size_t count, const std::string& expected,
                                 const Source& place) {
  if (!value.is_array())
    throw Error(place,
                fmt::format("found {}, expected {} numbers: {}", shown(value), count, expected));
  if (value.size() != count)
    throw Error(place,
                fmt::format("found {} numbers, expected {}: {}", value.size(), count, expected));
  std::vector<double> numbers;
  for (std::size_t k = 0; k < count; ++k)
    numbers.push_back(read_number(value[k], fmt::format("entry {}", k + 1), place));
  return numbers;
}

std::vector<double> read_joint_vector(const Robot& robot, Space space, const Json& value,
                                      std::vector<double> initial, const Source& place) {
  if (!value.is_object()) return read_numbers(value, initial.size(), layout(robot, space), place);
  for (const auto& [name, part] : value.items()) {
    const Joint& joint = find_joint(robot, name, place);
    const Source joint_place = place_of_joint(place, name);
    check_independent(joint, joint_place);
    const Slice s = slice(joint, space);
    const std::vector<double> numbers =
        s.count == 1 && part.is_number()
            ? std::vector{read_number(part, "the value", joint_place)}
            : read_numbers(part, s.count,
                           fmt::format("those of a {} joint", limber::name(joint.kind)),
                           joint_place);
    std::copy(numbers.begin(), numbers.end(),
              initial.begin() + static_cast<std::ptrdiff_t>(s.start));
  }
  return initial;
}

namespace {

Known read_word(const Json& value, const Source& place) {
  if (value == "force") return Known::force;
  if (value == "acceleration") return Known::acceleration;
  throw Error(place, fmt::format("found {}, expected \"force\" or \"acceleration\"", shown(value)));
}

std::vector<Known> read_words(const Json& value, std::size_t count, const std::string& expected,
                              const Source& place) {
  if (!value.is_array() || value.size() != count)
    throw Error(place, fmt::format("found {}, expected {} words \"force\" or \"acceleration\": {}",
                                   shown(value), count, expected));
  std::vector<Known> words;
  for (const Json& word : value) words.push_back(read_word(word, place));
  return words;
}

}  // namespace

std::vector<Known> read_known(const Robot& robot, const Json& value, std::vector<Known> initial,
                              const Source& place) {
  if (!value.is_object())
    return read_words(value, initial.size(), layout(robot, Space::velocity), place);
  for (const auto& [name, part] : value.items()) {
    const Source joint_place = place_of_joint(place, name);
    const Joint& joint = find_joint(robot, name, place);
    check_independent(joint, joint_place);
    const Slice s = slice(joint, Space::velocity);
    const std::vector<Known> words =
        part.is_array() ? read_words(part, s.count, "those of this joint", joint_place)
                        : std::vector<Known>(s.count, read_word(part, joint_place));
    std::copy(words.begin(), words.end(), initial.begin() + static_cast<std::ptrdiff_t>(s.start));
  }
  return initial;
}

Json named_by_joint(const Robot& robot, std::span<const double> values) {
  Json result = Json::object();
  for (const Joint& joint : robot.joints) {
    const Slice s = slice(joint, Space::velocity);
    if (s.count == 1) result[joint.name] = values[s.start];
    else if (s.count > 1) result[joint.name] = to_json(values.subspan(s.start, s.count));
  }
  return result;
}

std::string joint_table(const Robot& robot, Quantity quantity, std::span<const double> values) {
  const bool force = quantity == Quantity::force;
  Table table({{"joint", Table::Align::left}, {force ? "tau" : "a"}, {"unit", Table::Align::left}});
  const std::vector<std::string> labels = velocity_labels(robot);
  const std::vector<Variable> freedoms = velocity_variables(robot.model);
  double largest = 1;
  for (double value : values) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < freedoms.size(); ++k) {
    const bool turns = freedoms[k].unit == "rad";
    const char* unit = force ? (turns ? "N m" : "N") : (turns ? "rad/s²" : "m/s²");
    table.add({labels[k], readable(values[k], largest), unit});
  }
  return table.text();
}

std::vector<std::string> velocity_labels(const Robot& robot) {
  std::vector<std::string> labels;
  for (const Variable& x : velocity_variables(robot.model))
    labels.push_back(x.label.empty() ? x.joint : x.joint + " " + x.label);
  return labels;
}

}  // namespace limber::app
