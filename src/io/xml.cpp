#include "io/xml.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/spec.hpp>

#include "io/numbers.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// the command that turns a file of xacro into the URDF that it describes
std::string run_xacro(const std::string& file) {
  std::string name = file.substr(file.find_last_of('/') + 1), to = name;
  for (const std::string_view ending : {".xacro", ".urdf", ".xml"})
    if (to.ends_with(ending)) to.resize(to.size() - ending.size());
  to += name.ends_with(".xacro") ? ".urdf" : ".expanded.urdf";
  return fmt::format("this is a xacro file; run xacro first: `xacro {} > {}`, and load that",
                     printable(name), printable(to));
}

bool contains(std::initializer_list<const char*> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> to_strings(std::initializer_list<const char*> names) {
  return {names.begin(), names.end()};
}

// the default in a text that is one whole "$(optenv NAME default)"
std::optional<std::string> optenv_default(std::string_view text) {
  constexpr std::string_view opening = "$(optenv ";
  if (!text.starts_with(opening) || text.find(')') != text.size() - 1) return std::nullopt;
  text.remove_prefix(opening.size());
  text.remove_suffix(1);
  const std::size_t gap = text.find(' ');
  if (gap == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(gap + 1));
}

}  // namespace

void XmlContext::Notes::add(const Source& place, const std::string& text) {
  const auto [entry, is_new] = index_.emplace(text, notes_.size());
  if (is_new) notes_.push_back({place, text});
  else ++notes_[entry->second].others;
}

std::vector<std::string> XmlContext::Notes::texts() const {
  std::vector<std::string> texts;
  for (const Note& note : notes_)
    texts.push_back(to_string(note.place) + ": " + note.text +
                    (note.others ? fmt::format(" (and {} more like this)", note.others) : ""));
  return texts;
}

std::string XmlElement::phrase(const char* name, const std::string& value) const {
  return fmt::format("{}{}=\"{}\"", is_owner_ ? "" : std::string(tag()) + " ", name, value);
}

Source XmlElement::place_of(const char* name) const {
  Source place = source();
  if (const tinyxml2::XMLAttribute* found = node_->FindAttribute(name))
    place.line = found->GetLineNum();
  return place;
}

std::optional<std::string> XmlElement::attribute(const char* name) const {
  const char* value = node_->Attribute(name);
  if (!value) return std::nullopt;
  const std::string text = value;
  if (const std::optional<std::string> standby = optenv_default(text)) {
    warn(phrase(name, text) + " was not filled in by xacro; its default is taken");
    return standby;
  }
  if (text.find("${") != std::string::npos || text.find("$(") != std::string::npos)
    throw Error(place_of(name),
                phrase(name, text) + " is not filled in: " + run_xacro(context_->file()));
  return text;
}

std::string XmlElement::required(const char* name) const {
  const std::optional<std::string> text = attribute(name);
  if (!text)
    throw error(fmt::format("<{0}> has no attribute {1}; write <{0} {1}=\"…\">", tag(), name));
  if (text->empty()) throw Error(place_of(name), fmt::format("<{} {}=\"\"> is empty", tag(), name));
  return *text;
}

std::string XmlElement::name(const char* attribute) const {
  std::string text = required(attribute);
  if (!is_name(text))
    expect_name(place_of(attribute), fmt::format("{} of <{}>", attribute, tag()), text);
  return text;
}

std::string XmlElement::optional_name() const {
  return attribute("name").value_or("").empty() ? "" : name();
}

std::vector<double> XmlElement::numbers(const char* name,
                                        std::initializer_list<std::size_t> counts) const {
  const std::optional<std::string> text = attribute(name);
  if (!text) return {};
  std::vector<double> values;
  const std::vector<std::string_view> words = split_words(*text);
  for (const std::string_view word : words) {
    const std::optional<double> value = parse_number(word);
    if (!value)
      throw Error(place_of(name), fmt::format("{}: '{}' is not a finite number; write numbers like "
                                              "0.5 or 1e-3, separated by spaces",
                                              phrase(name, *text), word));
    values.push_back(*value);
  }
  if (std::find(counts.begin(), counts.end(), values.size()) == counts.end())
    throw Error(
        place_of(name),
        fmt::format("{} has {} number{}, {} expected; separate them by spaces", phrase(name, *text),
                    values.size(), values.size() == 1 ? "" : "s", fmt::join(counts, " or ")));
  return values;
}

double XmlElement::number(const char* name) const {
  required(name);
  return numbers(name, {1}).front();
}

double XmlElement::number(const char* name, double fallback) const {
  const std::vector<double> values = numbers(name, {1});
  return values.empty() ? fallback : values.front();
}

Vec3<double> XmlElement::vec3(const char* name, const Vec3<double>& fallback) const {
  const std::vector<double> values = numbers(name, {3});
  return values.empty() ? fallback : Vec3<double>{values[0], values[1], values[2]};
}

std::string XmlElement::text() const {
  std::string_view text = node_->GetText() ? node_->GetText() : "";
  constexpr std::string_view space = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(space) + 1));
  if (text.find("${") != std::string_view::npos || text.find("$(") != std::string_view::npos)
    throw error(fmt::format("<{0}>{1}</{0}> is not filled in: {2}", tag(), printable(text),
                            run_xacro(context_->file())));
  return std::string(text);
}

double XmlElement::text_number() const {
  const std::string text = node_->GetText() ? node_->GetText() : "";
  const std::vector<std::string_view> words = split_words(text);
  const std::optional<double> value = words.size() == 1 ? parse_number(words[0]) : std::nullopt;
  if (!value)
    throw error(fmt::format("<{0}>{1}</{0}> is not one finite number", tag(), printable(text)));
  return *value;
}

std::optional<XmlElement> XmlElement::child(const char* tag) const {
  const tinyxml2::XMLElement* first = node_->FirstChildElement(tag);
  if (!first) return std::nullopt;
  XmlElement found(*first, *context_, owner_);
  found.is_owner_ = false;
  if (const tinyxml2::XMLElement* second = first->NextSiblingElement(tag))
    throw Error({context_->file(), second->GetLineNum(), owner_},
                fmt::format("a second <{}>, the first is in line {}; remove one of them", tag,
                            first->GetLineNum()));
  return found;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> found;
  for (const tinyxml2::XMLElement* node = node_->FirstChildElement(); node;
       node = node->NextSiblingElement()) {
    found.emplace_back(*node, *context_, owner_);
    found.back().is_owner_ = false;
  }
  return found;
}

std::vector<XmlElement> XmlElement::children(std::string_view tag) const {
  std::vector<XmlElement> found;
  for (const tinyxml2::XMLElement* node = node_->FirstChildElement(); node;
       node = node->NextSiblingElement()) {
    if (node->Name() != tag) continue;
    found.emplace_back(*node, *context_, owner_);
    found.back().is_owner_ = false;
  }
  return found;
}

void warn_of_many_turns(const XmlElement& element, const char* what, const Vec3<double>& angles,
                        const char* advice) {
  constexpr double one_turn = 6.2832;  // [rad], rounded up as files do
  for (int k = 0; k < 3; ++k)
    if (std::abs(angles[k]) > one_turn)
      return element.warn(fmt::format("{} has an angle of {:g} rad, more than a whole turn; {}",
                                      what, angles[k], advice));
}

Transform<double> XmlElement::pose() const {
  const Vec3<double> rpy = vec3("rpy", {});
  warn_of_many_turns(*this, "rpy", rpy, "URDF has radians");
  return {rotation_from_rpy(rpy.x, rpy.y, rpy.z), vec3("xyz", {})};
}

Transform<double> XmlElement::origin() const {
  const std::optional<XmlElement> element = child("origin");
  if (!element) return {};
  element->expect_attributes({"xyz", "rpy"});
  return element->pose();
}

void XmlElement::expect_children(std::initializer_list<const char*> known,
                                 std::initializer_list<const char*> harmless) const {
  for (const XmlElement& element : children()) {
    const std::string_view name = element.tag();
    if (name.starts_with("xacro:"))
      throw element.error(fmt::format("<{}>: {}", name, run_xacro(context_->file())));
    if (contains(known, name)) continue;
    if (contains(harmless, name)) {
      element.ignore(fmt::format("<{}> in <{}>", name, tag()));
      continue;
    }
    if (name.find(':') != std::string_view::npos)
      element.warn(fmt::format("extension element <{}> is not read", name));
    else
      element.warn(fmt::format("unknown element <{}> in <{}> is not read{}", name, tag(),
                               did_you_mean(name, to_strings(known))));
  }
}

void XmlElement::expect_attributes(std::initializer_list<const char*> known,
                                   std::initializer_list<const char*> harmless) const {
  for (const tinyxml2::XMLAttribute* a = node_->FirstAttribute(); a; a = a->Next()) {
    const std::string_view name = a->Name();
    if (contains(known, name)) continue;
    if (contains(harmless, name)) {
      ignore(fmt::format("{} of <{}>", name, tag()));
      continue;
    }
    // namespaces belong to other programs
    if (name.find(':') != std::string_view::npos || name == "xmlns") continue;
    warn(fmt::format("unknown attribute {} of <{}> is not read{}", name, tag(),
                     did_you_mean(name, to_strings(known))));
  }
}

const tinyxml2::XMLElement& parse_xml(std::string_view text, const std::string& file,
                                      tinyxml2::XMLDocument& document) {
  expect_xml_text(text, file);
  // tinyxml2 answers a missing closing tag with the opening one's line, which is the useful one
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    const std::string reason = document.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED
                                   ? "elements are nested too deeply"
                                   : document.ErrorName();
    throw Error({file, document.ErrorLineNum(), ""},
                fmt::format("not well-formed XML ({}); look for an unclosed tag or a missing quote "
                            "near this line",
                            reason));
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root) throw Error({file, 0, ""}, "no XML element in this file");
  if (const tinyxml2::XMLElement* second = root->NextSiblingElement())
    throw Error({file, second->GetLineNum(), ""},
                fmt::format("a second root element <{}> after <{}>; XML allows one", second->Name(),
                            root->Name()));
  return *root;
}

}  // namespace limber
