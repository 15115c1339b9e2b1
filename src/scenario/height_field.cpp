#include "scenario/height_field.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "io/text_file.hpp"

namespace limber {

namespace {

constexpr int most_points = 4096;  // along x and along y

void expect_grid(const std::string& file, long columns, long rows) {
  if (columns < 2 || rows < 2 || columns > most_points || rows > most_points)
    throw Error({file, 0, "height field"},
                fmt::format("{} × {} points found, 2 to {} along x and y are possible", columns,
                            rows, most_points));
}

// words of a PGM header, comments left out
class PgmReader {
 public:
  PgmReader(std::string_view content, const std::string& file) : content_(content), file_(file) {}

  long whole() {
    skip();
    long value = 0;
    const char* begin = content_.data() + at_;
    const auto [end, failed] = std::from_chars(begin, content_.data() + content_.size(), value);
    if (failed != std::errc{} || value < 0)
      throw Error({file_, 0, "image"}, "a whole number is expected; is it a PGM file (P2 or P5)?");
    at_ = static_cast<std::size_t>(end - content_.data());
    return value;
  }
  long byte() {
    if (at_ >= content_.size()) throw Error({file_, 0, "image"}, "ends too early");
    return static_cast<unsigned char>(content_[at_++]);
  }
  void next() { ++at_; }

 private:
  void skip() {
    while (at_ < content_.size()) {
      const char c = content_[at_];
      if (c == '#')
        while (at_ < content_.size() && content_[at_] != '\n') ++at_;
      else if (std::isspace(static_cast<unsigned char>(c))) ++at_;
      else return;
    }
  }
  std::string_view content_;
  const std::string& file_;
  std::size_t at_ = 2;  // after the magic number
};

HeightField rows_of(const YamlMap& map) {
  HeightField field;
  for (const YamlNode& node : map.list("heights")) {
    const YamlNode wrapped = YamlNode::mapping("heights", node);
    const YamlMap row(wrapped, map.file(), map.source().element, {"heights"});
    const std::vector<double> values = row.numbers("heights", {row.list("heights").size()});
    if (field.rows > 0 && static_cast<int>(values.size()) != field.columns)
      throw map.error("heights", fmt::format("row {} has {} numbers, the first one {}",
                                             field.rows + 1, values.size(), field.columns));
    field.columns = static_cast<int>(values.size());
    ++field.rows;
    field.heights.insert(field.heights.end(), values.begin(), values.end());
  }
  return field;
}

}  // namespace

HeightField random_height_field(int columns, int rows, std::uint64_t seed) {
  HeightField field;
  field.columns = columns, field.rows = rows;
  field.heights.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  std::uint64_t state = seed;
  for (double& height : field.heights) {
    // the generator splitmix64, its upper 53 bits
    std::uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    height = static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
  }
  return field;
}

HeightField parse_pgm(std::string_view content, const std::string& file) {
  if (!content.starts_with("P2") && !content.starts_with("P5"))
    throw Error({file, 0, "image"},
                "is no PGM file (P2 or P5); convert it, e.g. to 8-bit grey PGM");
  const bool plain = content.starts_with("P2");
  PgmReader reader(content, file);
  const long columns = reader.whole(), rows = reader.whole(), most = reader.whole();
  expect_grid(file, columns, rows);
  if (most < 1 || most > 65535)
    throw Error({file, 0, "image"},
                fmt::format("{} found as its white, 1 to 65535 expected", most));
  reader.next();  // the one blank before the numbers
  HeightField field;
  field.columns = static_cast<int>(columns);
  field.rows = static_cast<int>(rows);
  field.heights.resize(static_cast<std::size_t>(columns * rows));
  for (long y = rows - 1; y >= 0; --y)
    for (long x = 0; x < columns; ++x) {
      const long value = plain ? reader.whole() : most > 255 ? reader.byte() * 256 : reader.byte();
      const long low = !plain && most > 255 ? reader.byte() : 0;
      field.heights[static_cast<std::size_t>(y * columns + x)] =
          static_cast<double>(value + low) / static_cast<double>(most);
    }
  return field;
}

HeightField parse_height_table(std::string_view content, const std::string& file) {
  HeightField field;
  int line = 0;
  std::size_t at = 0;
  while (at < content.size()) {
    const std::size_t end = std::min(content.find('\n', at), content.size());
    std::string text(content.substr(at, end - at));
    at = end + 1;
    ++line;
    if (text.empty() || text[0] == '#') continue;
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
    int count = 0;
    const char* now = text.data();
    const char* const last = text.data() + text.size();
    while (true) {
      while (now < last && *now == ' ') ++now;
      if (now == last) break;
      double value = 0;
      const auto [next, failed] = std::from_chars(now, last, value);
      if (failed != std::errc{})
        throw Error({file, line, "height field"}, "numbers are expected, and nothing else");
      field.heights.push_back(value);
      now = next;
      ++count;
    }
    if (count == 0) continue;
    if (field.rows > 0 && count != field.columns)
      throw Error({file, line, "height field"},
                  fmt::format("{} numbers found, the first line has {}", count, field.columns));
    field.columns = count;
    ++field.rows;
  }
  expect_grid(file, field.columns, field.rows);
  return field;
}

HeightField read_height_field(const YamlMap& map, const std::vector<double>& size,
                              const Reading& reading) {
  if (int{map.has("file")} + int{map.has("heights")} + int{map.has("random")} != 1)
    throw Error(map.source(), "a height field has one of `heights`, `file` and `random`");
  HeightField field;
  if (map.has("random")) {
    const YamlMap own = map.map("random", {"points", "seed"});
    const std::vector<double> points = own.numbers("points", {2});
    if (points.empty()) throw own.error("points", "is missing; add e.g. `points: [60, 20]`");
    for (const double count : points)
      if (!(count >= 2 && count <= most_points) || count != std::floor(count))
        throw own.error("points", fmt::format("{} found, whole numbers from 2 to {} are possible",
                                              count, most_points));
    const int seed = whole_number(own, "seed", 1);
    if (seed < 0) throw own.error("seed", fmt::format("{} found, at least 0 is needed", seed));
    field = random_height_field(static_cast<int>(points[0]), static_cast<int>(points[1]),
                                static_cast<std::uint64_t>(seed));
  } else if (map.has("heights")) {
    field = rows_of(map);
    expect_grid(map.file(), field.columns, field.rows);
  } else {
    const std::string file = path_relative_to_file(reading, map.text("file"));
    const std::string content = with_location(map, [&] { return read_text_file(file); });
    const bool image =
        content.starts_with("P2") || content.starts_with("P5") || file.ends_with(".pgm");
    field = image ? parse_pgm(content, file) : parse_height_table(content, file);
  }
  field.width = size[0];
  field.depth = size[1];
  for (double& height : field.heights) height *= size[2];
  return field;
}

}  // namespace limber
