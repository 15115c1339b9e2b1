#include "scenario/overrides.hpp"

#include <charconv>

#include <fmt/format.h>

#include "io/yaml.hpp"

namespace limber {

namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> words(1);
  for (const char c : path) {
    if (c == '.') words.emplace_back();
    else words.back() += c;
  }
  return words;
}

// the entry of a list by its number, or by the name, joint, link or kind that it states
YAML::Node find_entry(const YAML::Node& list, const std::string& word) {
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && rest == word.data() + word.size())
    return number < list.size() ? list[number] : YAML::Node(YAML::NodeType::Undefined);
  for (const YAML::Node& entry : list)
    for (const char* key : {"name", "joint", "link", "model", "kind"})
      if (entry.IsMap() && entry[key] && entry[key].IsScalar() && entry[key].Scalar() == word)
        return entry;
  return YAML::Node(YAML::NodeType::Undefined);
}

}  // namespace

void apply(const Override& one, YAML::Node& document) {
  const auto fail = [&](const std::string& why) {
    throw Error(fmt::format("'{} = {}': {}", one.path, one.value, why));
  };
  const std::vector<std::string> words = split(one.path);
  const YAML::Node value = parse_yaml_document(one.value, "<value>");
  YAML::Node node = document;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word.empty()) fail("an empty name in the path");
    const bool last = k + 1 == words.size();
    if (node.IsSequence()) {
      YAML::Node entry = find_entry(node, word);
      if (!entry.IsDefined()) fail(fmt::format("the list has no entry '{}'", word));
      if (last) entry = value;
      node.reset(entry);
    } else if (node.IsMap() || node.IsNull() || !node.IsDefined()) {
      if (last) {
        node[word] = value;
      } else {
        node.reset(node[word]);
      }
    } else {
      fail(fmt::format("'{}' stands below a single value", word));
    }
  }
}

}  // namespace limber
