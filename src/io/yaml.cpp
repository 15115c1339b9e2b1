#include "io/yaml.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/eventhandler.h>

#include "io/numbers.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

int line_of(const YAML::Node& node) { return node.Mark().line + 1; }

const char* type_name(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return "a single value";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a mapping";
    default:
      return "nothing";
  }
}

// takes what the parser says and forgets it
class Listener : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;
  void OnDocumentStart(const Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark&, Anchor) override {}
  void OnAlias(const Mark&, Anchor) override {}
  void OnScalar(const Mark&, const std::string&, Anchor, const std::string&) override {}
  void OnSequenceStart(const Mark&, const std::string&, Anchor, Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark&, const std::string&, Anchor, Style) override {}
  void OnMapEnd() override {}
};

// something follows the first document: another one, or what the parser cannot make sense of
bool has_more_documents(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Listener listener;
  return parser.HandleNextDocument(listener) && parser.HandleNextDocument(listener);
}

}  // namespace

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

YamlMap::YamlMap(const YAML::Node& node, std::string file, std::string element,
                 const std::vector<std::string>& known)
    : file_(std::move(file)), element_(std::move(element)), line_(line_of(node)) {
  if (!node.IsMap())
    throw Error(source(), fmt::format("{} is found, a mapping with keys like `{}: …` is expected",
                                      type_name(node), known.front()));
  for (const auto& entry : node) {
    const Source place{file_, line_of(entry.first), element_};
    if (!entry.first.IsScalar()) throw Error(place, "a key must be a word");
    const std::string& key = entry.first.Scalar();
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error(place, fmt::format("unknown key '{}'; known here are {}{}", key,
                                     fmt::join(known, ", "), did_you_mean(key, known)));
    if (!entries_.emplace(key, entry.second).second)
      throw Error(place, fmt::format("key '{}' is given twice; remove one of them", key));
  }
}

Error YamlMap::error(const std::string& key, const std::string& text) const {
  const auto found = entries_.find(key);
  return Error({file_, found == entries_.end() ? line_ : line_of(found->second), element_},
               key + ": " + text);
}

const YAML::Node& YamlMap::at(const std::string& key) const {
  const auto found = entries_.find(key);
  if (found == entries_.end())
    throw Error(source(), fmt::format("key '{0}' is missing; add `{0}: …`", key));
  return found->second;
}

std::string YamlMap::text(const std::string& key) const {
  const YAML::Node& node = at(key);
  if (!node.IsScalar() || node.Scalar().empty())
    throw error(key, fmt::format("{} is found, a word is expected", type_name(node)));
  return node.Scalar();
}

std::string YamlMap::text(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

double YamlMap::to_number(const std::string& key, const YAML::Node& node) const {
  if (!node.IsScalar())
    throw error(key, fmt::format("{} is found, a number is expected", type_name(node)));
  const std::optional<double> value = parse_expression(node.Scalar());
  if (!value)
    throw error(key,
                fmt::format("'{}' is not a finite number; write a number like 0.5 or 1e-3, or an "
                            "expression like -pi/2",
                            node.Scalar()));
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
  for (const YAML::Node& node : list(key)) values.push_back(to_number(key, node));
  if (std::find(counts.begin(), counts.end(), values.size()) == counts.end())
    throw error(key, fmt::format("the list has {} entries, {} expected", values.size(),
                                 fmt::join(counts, " or ")));
  return values;
}

Vec3<double> YamlMap::vec3(const std::string& key, const Vec3<double>& fallback) const {
  const std::vector<double> values = numbers(key, {3});
  return values.empty() ? fallback : Vec3<double>{values[0], values[1], values[2]};
}

std::vector<YAML::Node> YamlMap::list(const std::string& key) const {
  if (!has(key)) return {};
  const YAML::Node& node = at(key);
  if (!node.IsSequence())
    throw error(key, fmt::format("{} is found, a list is expected", type_name(node)));
  return {node.begin(), node.end()};
}

YamlMap YamlMap::map(const std::string& key, const std::vector<std::string>& known) const {
  return {at(key), file_, element_.empty() ? key : element_ + ": " + key, known};
}

YAML::Node parse_yaml_document(std::string_view text, const std::string& file) {
  // not LoadAll: it never ends on some malformed texts
  try {
    const std::string copy(text);
    if (has_more_documents(copy))
      throw Error({file, 0, ""},
                  "more than one YAML document, or a stray bracket that ends the first early; "
                  "one document is expected, and each `---` line starts a new one");
    return YAML::Load(copy);
  } catch (const YAML::Exception& exception) {
    throw Error({file, exception.mark.line + 1, ""},
                fmt::format("not well-formed YAML: {}; check indentation, brackets and colons near "
                            "this line",
                            exception.msg));
  }
}

}  // namespace limber
