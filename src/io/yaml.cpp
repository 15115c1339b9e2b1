#include "io/yaml.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/numbers.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

const char* type_name(const YamlNode& node) {
  if (node.is_word()) return "a single value";
  if (node.is_list()) return "a list";
  return node.is_mapping() ? "a mapping" : "nothing";
}

}  // namespace

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

YamlMap::YamlMap(const YamlNode& node, std::string file, std::string element,
                 const std::vector<std::string>& known)
    : file_(std::move(file)), element_(std::move(element)), line_(node.line()) {
  if (!node.is_mapping())
    throw Error(source(), fmt::format("{} is found, a mapping with keys like `{}: …` is expected",
                                      type_name(node), known.front()));
  // the names of a robot's joints may be keys: too many to look through for each entry
  constexpr std::size_t many = 100;
  std::unordered_set<std::string_view> index;
  if (known.size() > many) index.insert(known.begin(), known.end());
  for (std::size_t i = 0; i + 1 < node.items().size(); i += 2) {
    const YamlNode &key_node = node.items()[i], &value = node.items()[i + 1];
    const int line = key_node.line();
    const auto refuse = [&](const std::string& why) { throw Error({file_, line, element_}, why); };
    if (!key_node.is_word()) refuse("a key must be a word");
    const std::string& key = key_node.text();
    const bool is_known = index.empty() ? std::find(known.begin(), known.end(), key) != known.end()
                                        : index.contains(key);
    if (!is_known)
      refuse(fmt::format("unknown key '{}'; known here are {}{}", printable(key),
                         index.empty() ? fmt::format("{}", fmt::join(known, ", "))
                                       : fmt::format("{} names", known.size()),
                         did_you_mean(key, known)));
    if (!entries_.emplace(key, value).second)
      refuse(fmt::format("key '{}' is given twice; remove one of them", key));
  }
}

Error YamlMap::error(const std::string& key, const std::string& text) const {
  const auto found = entries_.find(key);
  return Error({file_, found == entries_.end() ? line_ : found->second.line(), element_},
               key + ": " + text);
}

const YamlNode& YamlMap::at(const std::string& key) const {
  const auto found = entries_.find(key);
  if (found == entries_.end())
    throw Error(source(), fmt::format("key '{0}' is missing; add `{0}: …`", key));
  return found->second;
}

std::string YamlMap::text(const std::string& key) const {
  const YamlNode& node = at(key);
  if (!node.is_word() || node.text().empty())
    throw error(key, fmt::format("{} is found, a word is expected", type_name(node)));
  if (!is_name(node.text()))
    expect_name({file_, node.line(), element_}, fmt::format("value of '{}'", key), node.text());
  return node.text();
}

std::string YamlMap::paragraph(const std::string& key) const {
  if (!has(key)) return "";
  if (!at(key).is_word())
    throw error(key, fmt::format("{} is found, a text is expected", type_name(at(key))));
  return at(key).text();
}

std::string YamlMap::text(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

double YamlMap::to_number(const std::string& key, const YamlNode& node) const {
  if (!node.is_word())
    throw error(key, fmt::format("{} is found, a number is expected", type_name(node)));
  const std::optional<double> value = parse_expression(node.text());
  if (!value)
    throw error(key,
                fmt::format("'{}' is not a finite number; write a number like 0.5 or 1e-3, or an "
                            "expression like -pi/2",
                            printable(node.text())));
  return *value;
}

double YamlMap::number(const std::string& key) const { return to_number(key, at(key)); }

double YamlMap::number(const std::string& key, double fallback) const {
  return has(key) ? number(key) : fallback;
}

double YamlMap::magnitude(const std::string& key, double fallback) const {
  const double value = number(key, fallback);
  if (value < 0) throw error(key, fmt::format("{} is negative; it must be zero or more", value));
  return value;
}

std::vector<double> YamlMap::numbers(const std::string& key,
                                     const std::vector<std::size_t>& counts) const {
  std::vector<double> values;
  if (!has(key)) return values;
  for (const YamlNode& node : list(key)) values.push_back(to_number(key, node));
  if (std::find(counts.begin(), counts.end(), values.size()) == counts.end())
    throw error(key, fmt::format("the list has {} entries, {} expected", values.size(),
                                 fmt::join(counts, " or ")));
  return values;
}

void YamlMap::range(const std::string& key, double& lower, double& upper) const {
  if (!has(key)) return;
  const std::vector<YamlNode> ends = list(key);
  if (ends.size() != 2)
    throw error(key, fmt::format("the list has {} entries, 2 expected", ends.size()));
  const auto end = [&](const YamlNode& node) {
    if (node.text() == "-inf") return -HUGE_VAL;
    return node.text() == "inf" ? HUGE_VAL : to_number(key, node);
  };
  lower = end(ends[0]);
  upper = end(ends[1]);
  if (lower > upper)
    throw error(key,
                fmt::format("lower limit {} is above upper limit {}; exchange them", lower, upper));
}

Vec3<double> YamlMap::vec3(const std::string& key, const Vec3<double>& fallback) const {
  const std::vector<double> values = numbers(key, {3});
  return values.empty() ? fallback : Vec3<double>{values[0], values[1], values[2]};
}

std::vector<YamlNode> YamlMap::list(const std::string& key) const {
  if (!has(key)) return {};
  const YamlNode& node = at(key);
  if (!node.is_list())
    throw error(key, fmt::format("{} is found, a list is expected", type_name(node)));
  return node.items();
}

YamlMap YamlMap::map(const std::string& key, const std::vector<std::string>& known) const {
  return {at(key), file_, element_.empty() ? key : element_ + ": " + key, known};
}

}  // namespace limber
