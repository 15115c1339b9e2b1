#include "io/xml_writer.hpp"

#include "io/write.hpp"

namespace limber {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else if (c == '"') result += "&quot;";
    else if (c == '\'') result += "&apos;";
    else result += c;
  }
  return result;
}

}  // namespace

void XmlWriter::begin_line() {
  if (in_tag_) text_ += ">\n";
  in_tag_ = false;
  text_.append(2 * open_.size(), ' ');
}

XmlWriter& XmlWriter::open(std::string_view tag) {
  begin_line();
  text_ += '<';
  text_ += tag;
  open_.emplace_back(tag);
  in_tag_ = true;
  return *this;
}

XmlWriter& XmlWriter::attribute(std::string_view name, std::string_view value) {
  text_ += ' ';
  text_ += name;
  text_ += "=\"" + escaped(value) + "\"";
  return *this;
}

XmlWriter& XmlWriter::attribute(std::string_view name, double value) {
  return attribute(name, format_number(value));
}

XmlWriter& XmlWriter::attribute(std::string_view name, const Vec3<double>& value) {
  return attribute(name, format_numbers(value));
}

XmlWriter& XmlWriter::close() {
  const std::string tag = open_.back();
  open_.pop_back();
  if (in_tag_) {
    text_ += "/>\n";
    in_tag_ = false;
  } else {
    begin_line();
    text_ += "</" + tag + ">\n";
  }
  return *this;
}

XmlWriter& XmlWriter::leaf(std::string_view tag, std::string_view text) {
  open(tag);
  return end_leaf(text);
}

XmlWriter& XmlWriter::leaf(std::string_view tag, std::string_view text, std::string_view name,
                           std::string_view value) {
  open(tag).attribute(name, value);
  return end_leaf(text);
}

XmlWriter& XmlWriter::end_leaf(std::string_view text) {
  text_ += '>' + escaped(text) + "</" + open_.back() + ">\n";
  open_.pop_back();
  in_tag_ = false;
  return *this;
}

XmlWriter& XmlWriter::leaf(std::string_view tag, double number) {
  return leaf(tag, format_number(number));
}

}  // namespace limber
