#pragma once
// XmlWriter: XML text, element by element, indented.
#include <string>
#include <string_view>
#include <vector>

#include <limber/math/vec3.hpp>

namespace limber {

class XmlWriter {
 public:
  XmlWriter() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

  /// Opens an element; attributes of it follow, then its content.
  XmlWriter& open(std::string_view tag);
  XmlWriter& attribute(std::string_view name, std::string_view value);
  XmlWriter& attribute(std::string_view name, double value);
  XmlWriter& attribute(std::string_view name, const Vec3<double>& value);
  XmlWriter& close();
  /// <tag>text</tag>
  XmlWriter& leaf(std::string_view tag, std::string_view text);
  XmlWriter& leaf(std::string_view tag, double number);
  /// The same with an attribute.
  XmlWriter& leaf(std::string_view tag, std::string_view text, std::string_view attribute,
                  std::string_view value);

  /// The whole text, when all elements are closed.
  const std::string& text() const { return text_; }

 private:
  void begin_line();
  XmlWriter& end_leaf(std::string_view text);

  std::string text_;
  std::vector<std::string> open_;
  bool in_tag_ = false;  // the last element has its attributes still before it
};

}  // namespace limber
