#include "io/yaml_node.hpp"

#include <fmt/format.h>

namespace limber {

YamlNode YamlNode::word(std::string text, int line) {
  YamlNode node(Kind::word, line);
  node.data_->content = std::move(text);
  return node;
}

YamlNode YamlNode::mapping(const std::string& key, const YamlNode& value) {
  YamlNode node(Kind::mapping, value.line());
  node.set(key, value);
  return node;
}

const std::string& YamlNode::text() const {
  static const std::string none;
  return is_word() ? std::get<std::string>(data_->content) : none;
}

const std::vector<YamlNode>& YamlNode::items() const {
  static const std::vector<YamlNode> none;
  return data_ && !is_word() ? own_items() : none;
}

std::vector<YamlNode>& YamlNode::own_items() const {
  if (is_word()) {
    data_->kind = Kind::null;
    data_->content = std::vector<YamlNode>();
  }
  return std::get<std::vector<YamlNode>>(data_->content);
}

std::vector<std::pair<YamlNode, YamlNode>> YamlNode::entries() const {
  std::vector<std::pair<YamlNode, YamlNode>> pairs;
  if (!is_mapping()) return pairs;
  for (std::size_t i = 0; i + 1 < items().size(); i += 2)
    pairs.emplace_back(items()[i], items()[i + 1]);
  return pairs;
}

YamlNode YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : entries())
    if (name.is_word() && name.text() == key) return value;
  return {};
}

void YamlNode::set(const std::string& key, const YamlNode& value) const {
  std::vector<YamlNode>& own = own_items();
  data_->kind = Kind::mapping;
  for (std::size_t i = 0; i + 1 < own.size(); i += 2)
    if (own[i].is_word() && own[i].text() == key) {
      own[i + 1] = value;
      return;
    }
  append(word(key, value.line()));
  append(value);
}

void YamlNode::move_to(int line) const {
  data_->line = line;
  for (const YamlNode& item : items()) item.move_to(line);
}

namespace {

// a word that needs no quotes: begins like a name or a number and holds nothing that YAML reads
bool is_plain(std::string_view text) {
  constexpr std::string_view begin =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+(";
  for (const char* null : {"null", "Null", "NULL"})
    if (text == null) return false;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() <= sign || begin.find(text[sign]) == std::string_view::npos) return false;
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+()*-") ==
         std::string_view::npos;
}

std::string quoted_word(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') result += "\\n";
    else if (c == '\t') result += "\\t";
    else result += c;
  }
  return result + "\"";
}

}  // namespace

std::string to_yaml(const YamlNode& node) {
  if (node.is_word()) return is_plain(node.text()) ? node.text() : quoted_word(node.text());
  if (!node.is_list() && !node.is_mapping()) return "~";
  std::string text;
  if (node.is_list())
    for (const YamlNode& item : node.items()) text += (text.empty() ? "" : ", ") + to_yaml(item);
  else
    for (const auto& [key, value] : node.entries())
      text += (text.empty() ? "" : ", ") + to_yaml(key) + ": " + to_yaml(value);
  return node.is_list() ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace limber
