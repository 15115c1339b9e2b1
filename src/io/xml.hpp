#pragma once
// XmlElement: an XML element with what is needed to read it strictly and to complain well: file,
// line, and the owner that messages are about, e.g. "joint 'elbow'".
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tinyxml2.h>

#include <limber/error.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

/// What all elements of one file share: its name, the warnings so far, and what was passed over.
/// Those with the same text become one, which names the first place and counts the others.
class XmlContext {
 public:
  explicit XmlContext(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }
  void warn(const Source& place, const std::string& text) { warnings_.add(place, text); }
  std::vector<std::string> warnings() const { return warnings_.texts(); }
  /// Something that is passed over on purpose.
  void ignore(const Source& place, const std::string& text) { ignored_.add(place, text); }
  std::vector<std::string> ignored() const { return ignored_.texts(); }

 private:
  class Notes {
   public:
    void add(const Source& place, const std::string& text);
    std::vector<std::string> texts() const;

   private:
    struct Note {
      Source place;
      std::string text;
      int others = 0;
    };
    std::vector<Note> notes_;
    std::map<std::string, std::size_t> index_;
  };
  std::string file_;
  Notes warnings_, ignored_;
};

/// What every one of several has noted: all_notes(files, [](const File& f) { return f.warnings();
/// }).
template <class List, class Notes>
std::vector<std::string> all_notes(const List& list, Notes&& notes) {
  std::vector<std::string> all;
  for (const auto& one : list)
    for (std::string& text : notes(*one)) all.push_back(std::move(text));
  return all;
}

class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement& node, XmlContext& context, std::string owner)
      : node_(&node), context_(&context), owner_(std::move(owner)), is_owner_(true) {}

  std::string_view tag() const { return node_->Name(); }
  /// The same for all objects that stand for one element of the file.
  const void* id() const { return node_; }
  Source source() const { return {context_->file(), node_->GetLineNum(), owner_}; }
  /// The same element, messages being about `owner` from now on.
  XmlElement owned_by(std::string owner) const { return {*node_, *context_, std::move(owner)}; }

  /// An error about this element; the caller throws it.
  Error error(const std::string& text) const { return Error(source(), text); }
  void warn(const std::string& text) const { context_->warn(source(), text); }
  void ignore(const std::string& text) const { context_->ignore(source(), text); }

  /// Text of an attribute. A placeholder of xacro in it is an error, unless it brings its own
  /// default.
  std::optional<std::string> attribute(const char* name) const;
  /// Text of an attribute that must be there and not be empty.
  std::string required(const char* name) const;
  /// An attribute that is a name of something: required() and without control characters.
  std::string name(const char* attribute = "name") const;
  /// The same, or "" without the attribute.
  std::string optional_name() const;
  /// One number. Without it: an error, or the fallback.
  double number(const char* name) const;
  double number(const char* name, double fallback) const;
  /// Numbers separated by spaces, as many as one of `counts`; empty without the attribute.
  std::vector<double> numbers(const char* name, std::initializer_list<std::size_t> counts) const;
  Vec3<double> vec3(const char* name, const Vec3<double>& fallback) const;
  /// The text between the tags, without white space around it; "" without any.
  std::string text() const;
  /// The number between the tags: <ratio>50</ratio>.
  double text_number() const;

  /// The only child with this tag, if any; a second one is an error.
  std::optional<XmlElement> child(const char* tag) const;
  /// All child elements, or those with one tag.
  std::vector<XmlElement> children() const;
  std::vector<XmlElement> children(std::string_view tag) const;
  /// Pose from the child <origin xyz rpy>, or identity.
  Transform<double> origin() const;
  /// Pose from this element's attributes xyz [m] and rpy [rad].
  Transform<double> pose() const;

  /// Warns of child elements and attributes that are neither known nor commonly present and
  /// harmless; harmless elements are noted as passed over.
  void expect_children(std::initializer_list<const char*> known,
                       std::initializer_list<const char*> harmless = {}) const;
  void expect_attributes(std::initializer_list<const char*> known,
                         std::initializer_list<const char*> harmless = {}) const;

 private:
  /// `axis xyz="0 0"`, for messages about an attribute.
  std::string phrase(const char* name, const std::string& value) const;
  /// source() with the attribute's own line.
  Source place_of(const char* name) const;

  const tinyxml2::XMLElement* node_;
  XmlContext* context_;
  std::string owner_;
  bool is_owner_;  // false: a part of the owner, so messages name the tag too
};

/// Throws Error with the line if `text` holds control characters, bytes that are not UTF-8 or
/// references to entities and characters that do not exist. Comments may hold anything.
void expect_xml_text(std::string_view text, const std::string& file);

/// The name of the root element of an XML text; "" for a text that does not begin with a tag.
/// Throws Error for XML without one.
std::string root_element(std::string_view text, const std::string& file);

/// Parses `text` into `document` and returns the only root element. Throws Error with the line.
const tinyxml2::XMLElement& parse_xml(std::string_view text, const std::string& file,
                                      tinyxml2::XMLDocument& document);

/// Warns where one of three angles [rad] is beyond a whole turn, as if it were in degrees.
void warn_of_many_turns(const XmlElement& element, const char* what, const Vec3<double>& angles,
                        const char* advice);

}  // namespace limber
