#pragma once
// YamlMap: a mapping of a YAML file, read strictly: every key known, none twice, messages with
// file, line and the element they are about, e.g. "joint 'elbow'".
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <limber/error.hpp>
#include <limber/math/vec3.hpp>

#include "io/yaml_node.hpp"

namespace limber {

/// Lists of keys, joined.
std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b);

class YamlMap {
 public:
  /// Throws Error unless `node` is a mapping whose keys are all among `known` and differ.
  YamlMap(const YamlNode& node, std::string file, std::string element,
          const std::vector<std::string>& known);

  const std::string& file() const { return file_; }
  Source source() const { return {file_, line_, element_}; }
  bool has(const std::string& key) const { return entries_.contains(key); }
  /// True if the key is there and holds a list.
  bool has_list(const std::string& key) const { return has(key) && at(key).is_list(); }
  /// An error about the value of a key, with its line; the caller throws it.
  Error error(const std::string& key, const std::string& text) const;
  /// Messages are about `element` from now on.
  void rename(std::string element) { element_ = std::move(element); }

  /// A word or a line that must be there and not be empty; fit for a name, see model/names.hpp.
  std::string text(const std::string& key) const;
  std::string text(const std::string& key, const std::string& fallback) const;
  /// Text of any length, with line breaks; empty without the key.
  std::string paragraph(const std::string& key) const;
  /// A number or an expression like -pi/2. Without it: an error, or the fallback.
  double number(const std::string& key) const;
  double number(const std::string& key, double fallback) const;
  /// A number that must not be negative.
  double magnitude(const std::string& key, double fallback) const;
  /// A list of numbers of one of the given lengths; empty without the key.
  std::vector<double> numbers(const std::string& key, const std::vector<std::size_t>& counts) const;
  /// `[lower, upper]`, of which `-inf` and `inf` are no limits; unchanged without the key.
  void range(const std::string& key, double& lower, double& upper) const;
  Vec3<double> vec3(const std::string& key, const Vec3<double>& fallback) const;
  /// The entries of a list; empty without the key.
  std::vector<YamlNode> list(const std::string& key) const;
  /// The mapping under a key that must be there.
  YamlMap map(const std::string& key, const std::vector<std::string>& known) const;
  /// The value of a key that must be there, as it is.
  const YamlNode& node(const std::string& key) const { return at(key); }

 private:
  const YamlNode& at(const std::string& key) const;
  double to_number(const std::string& key, const YamlNode& node) const;

  std::string file_, element_;
  int line_ = 0;
  std::map<std::string, YamlNode> entries_;
};

/// The only document of a YAML text. Throws Error with the line; also for texts that are nested too
/// deeply, too long, or grow beyond a limit by aliases.
YamlNode parse_yaml_document(std::string_view text, const std::string& file);

}  // namespace limber
