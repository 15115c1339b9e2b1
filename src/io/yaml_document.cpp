// YAML text to YamlNode by the events of yaml-cpp, within limits that a file cannot exceed.
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "io/yaml.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// lists and mappings within each other
constexpr std::size_t deepest_yaml = 100;
// values in one document; each takes about 100 bytes
constexpr std::size_t most_values = 20'000'000;
// values that aliases (*name) stand for, each time they are used
constexpr std::size_t most_aliased_values = 1'000'000;

// line breaks and tabs are allowed in texts; names are checked more strictly
void expect_clean(const std::string& file, int line, const std::string& text) {
  if (const std::string defect = text_defect(text, "\n\t"); !defect.empty())
    throw Error({file, line, ""}, fmt::format("'{}' holds {}; write the file in UTF-8, without "
                                              "control characters",
                                              printable(text), defect));
}

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}
  const YamlNode& root() const { return root_; }

 private:
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;
  struct Open {
    YamlNode node;
    Anchor anchor;
    std::size_t values;  // in it, aliases counted by what they stand for
  };
  struct Anchored {
    YamlNode node;  // not defined: not yet at its end
    std::size_t values;
  };

  void OnDocumentStart(const Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark& mark, Anchor anchor) override {
    add(YamlNode::null(line(mark)), anchor, 1);
  }
  void OnScalar(const Mark& mark, const std::string&, Anchor anchor,
                const std::string& text) override {
    expect_clean(file_, line(mark), text);
    add(YamlNode::word(text, line(mark)), anchor, 1);
  }
  void OnAlias(const Mark& mark, Anchor anchor) override {
    const Anchored& meant = anchors_[anchor];
    if (!meant.node.is_defined())
      throw Error({file_, line(mark), ""},
                  "an alias stands within the value that it refers to; write the value out");
    aliased_ += meant.values;
    if (aliased_ > most_aliased_values)
      throw Error({file_, line(mark), ""},
                  fmt::format("aliases stand for more than {} values up to here; write out what "
                              "is meant, or repeat less",
                              most_aliased_values));
    add(meant.node, 0, meant.values);
  }
  void OnSequenceStart(const Mark& mark, const std::string&, Anchor anchor, Style) override {
    open(YamlNode::list(line(mark)), anchor);
  }
  void OnMapStart(const Mark& mark, const std::string&, Anchor anchor, Style) override {
    open(YamlNode::mapping(line(mark)), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  static int line(const Mark& mark) { return mark.line + 1; }

  void open(YamlNode node, Anchor anchor) {
    if (open_.size() == deepest_yaml)
      throw Error(
          {file_, node.line(), ""},
          fmt::format("YAML lists and mappings are nested more than {} deep", deepest_yaml));
    if (anchor != 0) anchors_[anchor] = {};
    open_.push_back({std::move(node), anchor, 1});
  }

  void close() {
    const Open closed = std::move(open_.back());
    open_.pop_back();
    add(closed.node, closed.anchor, closed.values);
  }

  void add(const YamlNode& node, Anchor anchor, std::size_t values) {
    if (++values_ > most_values)
      throw Error({file_, node.line(), ""},
                  fmt::format("more than {} values; such a file is not read", most_values));
    if (anchor != 0) anchors_[anchor] = {node, values};
    if (open_.empty()) {
      root_ = node;
    } else {
      open_.back().node.append(node);
      open_.back().values += values;
    }
  }

  std::string file_;
  YamlNode root_ = YamlNode::null(1);
  std::vector<Open> open_;
  std::unordered_map<Anchor, Anchored> anchors_;
  std::size_t values_ = 0, aliased_ = 0;
};

// the first line with a tab in its indentation, from 1; 0: none
int tabbed_line(std::string_view text) {
  int line = 1;
  bool indentation = true;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '\t' && indentation) return line;
    indentation = c == '\n' || (indentation && (c == ' ' || c == '\t'));
  }
  return 0;
}

}  // namespace

YamlNode parse_yaml_document(std::string_view text, const std::string& file) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder(file), rest(file);
    parser.HandleNextDocument(builder);
    // something follows the first document: another one, or text that is no YAML
    if (parser.HandleNextDocument(rest))
      throw Error({file, rest.root().line(), ""},
                  "more than one YAML document, or a stray bracket that ends the first early; "
                  "one document is expected, and each `---` line starts a new one");
    return builder.root();
  } catch (const YAML::Exception& exception) {
    if (const int line = tabbed_line(text); line > 0)
      throw Error({file, line, ""},
                  "the line is indented with a tab; YAML is indented with spaces: replace the tab");
    throw Error({file, exception.mark.line + 1, ""},
                fmt::format("not well-formed YAML: {}; check indentation, brackets and colons near "
                            "this line",
                            printable(exception.msg)));
  }
}

}  // namespace limber
