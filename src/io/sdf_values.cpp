// SDF: numbers, flags and poses.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/math/quat.hpp>

#include "io/numbers.hpp"
#include "io/sdf.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// values of sdf 1.4 to 1.8 that stand for "none"
constexpr double endless = 1e16;

// of a text that may be long, as much as a message needs
std::string beginning(const std::string& text) {
  constexpr std::size_t most = 80;
  return text.size() <= most ? printable(text) : printable(text.substr(0, most)) + "…";
}

bool to_flag(const XmlElement& element, const std::string& text) {
  if (text == "true" || text == "1" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "0" || text == "False" || text == "FALSE") return false;
  throw element.error(
      fmt::format("<{0}>{1}</{0}> is neither true nor false", element.tag(), printable(text)));
}

Mat3<double> quaternion_turn(const XmlElement& pose, const std::vector<double>& numbers) {
  const Quat<double> q{numbers[3], numbers[4], numbers[5], numbers[6]};
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(length > 1e-14) || !std::isfinite(length))
    throw pose.error("the quaternion of <pose> is zero; write x y z qx qy qz qw");
  return to_matrix(Quat<double>{q.x / length, q.y / length, q.z / length, q.w / length});
}

}  // namespace

std::vector<double> sdf_numbers(const XmlElement& element, std::size_t count) {
  const std::string text = element.text();
  std::vector<double> values;
  for (const std::string_view word : split_words(text)) {
    const std::optional<double> value = parse_number(word);
    if (!value)
      throw element.error(fmt::format("<{0}>{1}</{0}>: '{2}' is not a finite number", element.tag(),
                                      beginning(text), beginning(std::string(word))));
    values.push_back(*value);
  }
  if (values.size() != count)
    throw element.error(fmt::format("<{0}>{1}</{0}> has {2}, {3} expected; separate them by spaces",
                                    element.tag(), beginning(text),
                                    count_of(values.size(), "number"), count));
  return values;
}

double sdf_number(const XmlElement& parent, const char* tag, double fallback) {
  const std::optional<XmlElement> element = parent.child(tag);
  return element ? element->text_number() : fallback;
}

double sdf_limit(const XmlElement& parent, const char* tag, double fallback) {
  const std::optional<XmlElement> element = parent.child(tag);
  if (!element) return fallback;
  const std::string text = element->text();
  for (const char* word : {"inf", "+inf", "Inf", "+Inf", "infinity"})
    if (text == word) return HUGE_VAL;
  for (const char* word : {"-inf", "-Inf", "-infinity"})
    if (text == word) return -HUGE_VAL;
  const double value = element->text_number();
  return std::abs(value) >= endless ? std::copysign(HUGE_VAL, value) : value;
}

Vec3<double> sdf_vec3(const XmlElement& parent, const char* tag, const Vec3<double>& fallback) {
  const std::optional<XmlElement> element = parent.child(tag);
  if (!element) return fallback;
  const std::vector<double> values = sdf_numbers(*element, 3);
  return {values[0], values[1], values[2]};
}

bool sdf_flag(const XmlElement& parent, const char* tag, bool fallback) {
  const std::optional<XmlElement> element = parent.child(tag);
  return element ? to_flag(*element, element->text()) : fallback;
}

std::string sdf_text(const XmlElement& parent, const char* tag, const std::string& fallback) {
  const std::optional<XmlElement> element = parent.child(tag);
  return element ? element->text() : fallback;
}

SdfPose sdf_pose(const XmlElement& parent) {
  SdfPose result;
  const std::optional<XmlElement> pose = parent.child("pose");
  if (!pose) return result;
  pose->expect_attributes({"relative_to", "frame", "rotation_format", "degrees"});
  // `frame` is how 1.5 and 1.6 called it
  result.relative_to =
      pose->attribute("relative_to").value_or(pose->attribute("frame").value_or(""));
  const std::string format = pose->attribute("rotation_format").value_or("euler_rpy");
  const bool degrees = to_flag(*pose, pose->attribute("degrees").value_or("false"));
  if (format != "euler_rpy" && format != "quat_xyzw")
    throw pose->error(fmt::format("rotation_format=\"{}\" is neither euler_rpy nor quat_xyzw",
                                  printable(format)));
  if (pose->text().empty()) return result;
  const bool quaternion = format == "quat_xyzw";
  if (quaternion && degrees) throw pose->error("a quaternion has no degrees; remove degrees");
  const std::vector<double> numbers = sdf_numbers(*pose, quaternion ? 7 : 6);
  if (!quaternion && !degrees)
    warn_of_many_turns(*pose, "<pose>", {numbers[3], numbers[4], numbers[5]},
                       "write degrees=\"true\" if degrees are meant");
  const double unit = degrees ? std::numbers::pi / 180 : 1;
  result.offset.p = {numbers[0], numbers[1], numbers[2]};
  result.offset.R =
      quaternion ? quaternion_turn(*pose, numbers)
                 : rotation_from_rpy(numbers[3] * unit, numbers[4] * unit, numbers[5] * unit);
  return result;
}

}  // namespace limber
