#include "scenario/schema.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/nearest.hpp"

namespace limber {

namespace {

const Section& find_section(const std::string& name) {
  const auto& all = schema();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Section& s) { return name == s.name; });
  if (found == all.end()) throw Error("the table of scenario keys has no section '" + name + "'");
  return *found;
}

void append(std::vector<Section>& all, std::vector<Section> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string row(const Key& key) {
  const std::string type = *key.unit ? fmt::format("{} [{}]", key.type, key.unit) : key.type;
  return fmt::format("| `{}` | {} | {} | {} |\n", key.name, type,
                     *key.fallback ? key.fallback : "*needed*", key.meaning);
}

}  // namespace

const std::vector<Section>& schema() {
  static const std::vector<Section> all = [] {
    std::vector<Section> sections;
    append(sections, run_sections());
    append(sections, record_sections());
    append(sections, report_sections());
    append(sections, robot_sections());
    append(sections, loop_sections());
    append(sections, payload_sections());
    append(sections, control_sections());
    append(sections, force_sections());
    append(sections, contact_sections());
    append(sections, water_sections());
    append(sections, wet_link_sections());
    append(sections, environment_sections());
    append(sections, drive_sections());
    append(sections, vehicle_sections());
    append(sections, analysis_sections());
    return sections;
  }();
  return all;
}

std::vector<std::string> keys_of(const std::string& name) {
  const Section& section = find_section(name);
  std::vector<std::string> keys;
  for (const Key& key : section.keys) keys.emplace_back(key.name);
  for (const char* other : section.includes) keys = std::move(keys) + keys_of(other);
  return keys;
}

YamlMap open(const YamlNode& node, const std::string& file, const std::string& element,
             const std::string& section) {
  return {node, file, element, keys_of(section)};
}

std::size_t choice(const YamlMap& map, const std::string& key,
                   const std::vector<std::string>& words) {
  const std::string word = map.text(key);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end())
    throw map.error(key, fmt::format("'{}' is none of {}{}", word, fmt::join(words, ", "),
                                     did_you_mean(word, words)));
  return static_cast<std::size_t>(found - words.begin());
}

std::size_t choice(const YamlMap& map, const std::string& key,
                   const std::vector<std::string>& words, const std::string& fallback) {
  if (map.has(key)) return choice(map, key, words);
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), fallback) - words.begin());
}

bool flag(const YamlMap& map, const std::string& key, bool fallback) {
  const std::vector<std::string> words = {"no", "yes", "false", "true"};
  return choice(map, key, words, fallback ? "yes" : "no") % 2 == 1;
}

std::string schema_document() {
  std::string text;
  for (const Section& section : schema()) {
    text += fmt::format("\n## {}\n\n", section.name);
    if (*section.meaning) text += fmt::format("{}\n\n", section.meaning);
    if (!section.includes.empty())
      text += fmt::format("Also the keys of *{}*.\n\n", fmt::join(section.includes, "*, *"));
    if (section.keys.empty()) continue;
    text += "| key | value | without it | meaning |\n|---|---|---|---|\n";
    for (const Key& key : section.keys) text += row(key);
  }
  return text;
}

}  // namespace limber
