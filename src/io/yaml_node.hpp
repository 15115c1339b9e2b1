#pragma once
// YamlNode: a value of a YAML document: nothing, a word, a list or a mapping, with its line. Small
// (a robot of 100,000 links has millions of them) and free of the parser's headers. Copies refer to
// the same value.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace limber {

class YamlNode {
 public:
  enum class Kind : std::uint8_t { null, word, list, mapping };

  /// Nothing at all: what find() returns for a key that is not there.
  YamlNode() = default;
  static YamlNode null(int line) { return {Kind::null, line}; }
  static YamlNode word(std::string text, int line);
  static YamlNode list(int line) { return {Kind::list, line}; }
  static YamlNode mapping(int line) { return {Kind::mapping, line}; }
  /// A mapping with one key, in the line of its value.
  static YamlNode mapping(const std::string& key, const YamlNode& value);

  bool is_defined() const { return data_ != nullptr; }
  bool is_null() const { return is(Kind::null); }
  bool is_word() const { return is(Kind::word); }
  bool is_list() const { return is(Kind::list); }
  bool is_mapping() const { return is(Kind::mapping); }
  int line() const { return data_ ? data_->line : 0; }  ///< 1-based; 0: unknown

  /// The text of a word; empty for others.
  const std::string& text() const;
  /// The entries of a list; of a mapping: key, value, key, value, …
  const std::vector<YamlNode>& items() const;
  /// Keys and values of a mapping, in the order of the file.
  std::vector<std::pair<YamlNode, YamlNode>> entries() const;
  /// The value of a key of a mapping; nothing if it is not there.
  YamlNode find(std::string_view key) const;

  void append(const YamlNode& item) const { own_items().push_back(item); }
  /// Sets the value of a key; a null becomes a mapping.
  void set(const std::string& key, const YamlNode& value) const;
  /// The value and all in it stand in this line of the file.
  void move_to(int line) const;
  /// Becomes a copy of another value, wherever it is referred to.
  void replace_with(const YamlNode& other) const { *data_ = *other.data_; }

 private:
  struct Data {
    Kind kind = Kind::null;
    int line = 0;
    std::variant<std::vector<YamlNode>, std::string> content;  // of a word: its text
  };
  YamlNode(Kind kind, int line) : data_(std::make_shared<Data>()) {
    data_->kind = kind;
    data_->line = line;
  }
  std::vector<YamlNode>& own_items() const;
  bool is(Kind kind) const { return data_ && data_->kind == kind; }

  std::shared_ptr<Data> data_;
};

/// The value as one line of YAML, which reads back as the same value.
std::string to_yaml(const YamlNode& node);

}  // namespace limber
