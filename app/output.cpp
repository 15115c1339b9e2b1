#include "output.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "printable.hpp"

namespace limber::app {

namespace {
void put(std::string_view text) {
  errno = 0;
  std::fwrite(text.data(), 1, text.size(), stdout);
  expect_written();
}
}  // namespace

void write(std::string_view text) { put(printable(text)); }

void write_line(const Json& value) { put(to_text(value) + "\n"); }

void expect_written() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  const std::string reason = errno == EPIPE ? "its reader has gone" : std::strerror(errno);
  throw RunFailure(fmt::format("cannot write to standard output: {}", reason));
}

void remark(std::string_view text) {
  // where standard error cannot be written either, nothing can be reported
  std::fputs(fmt::format("limber: {}\n", printable(text)).c_str(), stderr);
}

namespace {
// text that is not valid UTF-8 (a name from a foreign file) is shown with replacement characters
std::string quoted(const Json& value) {
  return printable_json(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void append(const Json& value, std::string& text) {
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    text += std::isfinite(number) ? fmt::format("{:.17g}", number) : "null";
  } else if (value.is_array()) {
    const char* separator = "[";
    for (const Json& entry : value) {
      text += std::exchange(separator, ",");
      append(entry, text);
    }
    text += value.empty() ? "[]" : "]";
  } else if (value.is_object()) {
    const char* separator = "{";
    for (const auto& [key, entry] : value.items()) {
      text += std::exchange(separator, ",");
      text += quoted(Json(key));
      text += ':';
      append(entry, text);
    }
    text += value.empty() ? "{}" : "}";
  } else {
    text += quoted(value);
  }
}
}  // namespace

std::string to_text(const Json& value) {
  std::string text;
  append(value, text);
  return text;
}

Json to_json(std::span<const double> values) {
  Json array = Json::array();
  for (double value : values) array.push_back(value);
  return array;
}

Json to_json(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }

Json to_json(const Mat3<double>& A) {
  return Json::array({to_json(A.row(0)), to_json(A.row(1)), to_json(A.row(2))});
}

namespace {
template <class View>
Json rows_to_json(const View& A, int rows, int columns) {
  Json matrix = Json::array();
  for (int i = 0; i < rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < columns; ++j) row.push_back(A(i, j));
    matrix.push_back(std::move(row));
  }
  return matrix;
}
}  // namespace

Json to_json(const MatrixView<double>& A) { return rows_to_json(A, A.rows, A.columns); }
Json to_json(const TreeMatrixView<double>& A) { return rows_to_json(A, A.size, A.size); }

void expect_finite(std::span<const double> values, std::string_view what, std::string_view place) {
  for (double value : values)
    if (!std::isfinite(value))
      throw RunFailure(
          fmt::format("{}: {} is not finite in this state; are its numbers sensible, and "
                      "is the robot's mass matrix regular there?",
                      place, what));
}

}  // namespace limber::app
