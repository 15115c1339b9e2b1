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
YamlNode find_entry(const YamlNode& list, const std::string& word) {
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && rest == word.data() + word.size())
    return number < list.items().size() ? list.items()[number] : YamlNode();
  for (const YamlNode& entry : list.items())
    for (const char* key : {"name", "joint", "link", "model", "kind"})
      if (entry.find(key).is_word() && entry.find(key).text() == word) return entry;
  return {};
}

}  // namespace

void apply(const Override& one, const YamlNode& document) {
  const auto fail = [&](const std::string& why) {
    throw Error(fmt::format("'{} = {}': {}", one.path, one.value, why));
  };
  const std::vector<std::string> words = split(one.path);
  YamlNode value;
  try {
    value = parse_yaml_document(one.value, "the value");
  } catch (const Error& error) {
    fail(error.what());
  }
  YamlNode node = document;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word.empty()) fail("an empty name in the path");
    const bool last = k + 1 == words.size();
    const auto place = [&](const YamlNode& old) {
      value.move_to(old.is_defined() ? old.line() : node.line());
    };
    if (node.is_list()) {
      const YamlNode entry = find_entry(node, word);
      if (!entry.is_defined()) fail(fmt::format("the list has no entry '{}'", word));
      if (last) place(entry), entry.replace_with(value);
      node = entry;
    } else if (node.is_mapping() || node.is_null()) {
      if (last) place(node.find(word));
      if (last || !node.find(word).is_defined())
        node.set(word, last ? value : YamlNode::null(node.line()));
      node = node.find(word);
    } else {
      fail(fmt::format("'{}' stands below a single value", word));
    }
  }
}

}  // namespace limber
