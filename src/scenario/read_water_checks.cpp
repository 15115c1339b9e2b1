#include "scenario/read_water_checks.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace limber {

namespace {

constexpr double hugest = 1e12;

// names may look like numbers
bool holds_names(const std::string& key) {
  return key == "name" || key == "frame" || key == "link" || key == "robots" || key == "exclude" ||
         key == "actuators";
}

void refuse_huge_in(const YamlMap& map, const std::string& key, const YamlNode& node) {
  if (!node.is_word()) {
    for (const YamlNode& item : node.items()) refuse_huge_in(map, key, item);
    return;
  }
  char* end = nullptr;
  const double value = std::strtod(node.text().c_str(), &end);
  if (node.text().empty() || *end != '\0' || !std::isfinite(value) || std::abs(value) <= hugest)
    return;
  throw map.error(key, fmt::format("{} is found; numbers beyond {:g} are refused: check its unit",
                                   value, hugest));
}

}  // namespace

std::vector<YamlNode> list_up_to(const YamlMap& map, const std::string& key, std::size_t most) {
  std::vector<YamlNode> all = map.list(key);
  if (all.size() > most)
    throw map.error(key, fmt::format("{} entries are found, the most are {}; leave some out",
                                     all.size(), most));
  return all;
}

void refuse_huge(const YamlMap& map, const std::string& section) {
  for (const std::string& key : keys_of(section))
    if (map.has(key) && !holds_names(key)) refuse_huge_in(map, key, map.node(key));
}

YamlMap open_sized(const YamlNode& node, const std::string& file, const std::string& element,
                   const std::string& section) {
  YamlMap map = open(node, file, element, section);
  refuse_huge(map, section);
  return map;
}

void refuse_degrees(const YamlMap& map, const std::string& key, double angle, double most) {
  if (std::abs(angle) <= most) return;
  throw map.error(key, fmt::format("{0} rad is more than {1:.3g}; for degrees write `{0}*pi/180`",
                                   angle, most));
}

double read_angle(const YamlMap& map, const std::string& key, double fallback, double most) {
  const double angle = map.number(key, fallback);
  refuse_degrees(map, key, angle, most);
  return angle;
}

}  // namespace limber
