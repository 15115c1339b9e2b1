#include "report/recording_readers.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limber/report/recording_files.hpp>

#include "io/numbers.hpp"
#include "io/text_file.hpp"
#include "report/hdf5_recording.hpp"
#include "scenario/json.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

constexpr const char* torn_notice =
    "the file ends within a row, as an interrupted program leaves it; that row is left out";

// a number as we write it: also one that is not finite
std::optional<double> parse_cell(std::string_view cell) {
  if (const std::optional<double> value = parse_number(cell)) return value;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (cell == "inf") return infinity;
  if (cell == "-inf") return -infinity;
  if (cell == "nan" || cell == "-nan" || cell == "null")
    return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

// line by line; `whole`: whether the last line had an end
class Lines {
 public:
  explicit Lines(const std::string& file) : file_(file) {
    expect_file(file);
    if (!fs::is_regular_file(file)) throw error("is not a regular file");
    stream_.open(file, std::ios::binary);
    if (!stream_) throw error("cannot be read; check its permissions");
  }
  bool next(std::string& line) {
    if (!std::getline(stream_, line)) return false;
    ++number_;
    whole_ = !stream_.eof();
    return true;
  }
  bool whole() const { return whole_; }
  Error error(const std::string& text) const { return {{file_, number_, ""}, text}; }

 private:
  std::string file_;
  std::ifstream stream_;
  int number_ = 0;
  bool whole_ = true;
};

// `cells` between commas → row
void read_numbers(const Lines& lines, std::string_view cells, std::size_t count,
                  std::vector<double>& row) {
  row.clear();
  for (std::size_t start = 0; start <= cells.size();) {
    const std::size_t end = std::min(cells.find(',', start), cells.size());
    const std::string_view cell = cells.substr(start, end - start);
    start = end + 1;
    const std::optional<double> value = parse_cell(cell);
    if (!value) throw lines.error(fmt::format("'{}' is not a number", cell));
    row.push_back(*value);
  }
  if (row.size() != count)
    throw lines.error(fmt::format("{} values are found, {} expected", row.size(), count));
}

// --- CSV ---

bool quotes_are_closed(std::string_view text) {
  return std::count(text.begin(), text.end(), '"') % 2 == 0;
}

std::vector<std::string> split_titles(std::string_view line) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && inside && k + 1 < line.size() && line[k + 1] == '"') cells.back() += line[++k];
    else if (c == '"') inside = !inside;
    else if (c == ',' && !inside) cells.emplace_back();
    else cells.back() += c;
  }
  return cells;
}

// "elbow.position [rad]" → name and unit
Column read_title(std::string title) {
  if (title.size() > 1 && title[0] == '\'' && std::string("=+-@\t\r'").find(title[1]) < 7)
    title.erase(0, 1);
  const std::size_t bracket = title.rfind(" [");
  if (bracket == std::string::npos || !title.ends_with(']')) return {title, "", ""};
  return {title.substr(0, bracket), title.substr(bracket + 2, title.size() - bracket - 3), ""};
}

class CsvReader final : public RecordingReader {
 public:
  explicit CsvReader(const std::string& file) : lines_(file) {
    std::string header, line;
    do {
      if (!lines_.next(line) || !lines_.whole())
        throw lines_.error("has no complete line of names; a recording begins with one");
      header += header.empty() ? line : "\n" + line;
    } while (!quotes_are_closed(header));
    if (header.ends_with('\r')) header.pop_back();
    for (const std::string& title : split_titles(header)) columns_.push_back(read_title(title));
  }
  bool next(std::vector<double>& row) override {
    if (!lines_.next(line_)) return false;
    if (!lines_.whole()) {
      notice_ = torn_notice;
      return false;
    }
    if (line_.ends_with('\r')) line_.pop_back();
    read_numbers(lines_, line_, columns_.size(), row);
    return true;
  }

 private:
  Lines lines_;
  std::string line_;
};

// --- JSON, one row a line as JsonRecording writes it ---

class JsonReader final : public RecordingReader {
 public:
  explicit JsonReader(const std::string& file) : lines_(file) {
    std::string header, rows;
    if (!lines_.next(header) || !lines_.next(rows) || !header.ends_with(',') ||
        !rows.starts_with("\"rows\":["))
      throw lines_.error("does not begin like a recording of Limber");
    header.back() = '}';
    constexpr int deepest = 4;
    const auto shallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
      return depth < deepest;
    };
    try {
      const nlohmann::json data = nlohmann::json::parse(header, shallow);
      for (const nlohmann::json& column : data.at("columns"))
        columns_.push_back({column.at("name"), column.at("unit"), column.at("group")});
    } catch (const nlohmann::json::exception& error) {
      throw lines_.error(
          fmt::format("does not begin like a recording of Limber: {}", error.what()));
    }
  }
  bool next(std::vector<double>& row) override {
    const bool ended = !lines_.next(line_);
    if (ended || line_.starts_with(']')) {
      if (ended || !line_.starts_with("]}"))
        notice_ = "the closing brackets are missing, as an interrupted program leaves it";
      return false;
    }
    std::string_view cells = line_;
    if (cells.ends_with(',')) cells.remove_suffix(1);
    if (!cells.ends_with(']') && !lines_.whole()) {
      notice_ = torn_notice;
      return false;
    }
    if (!cells.starts_with('[') || !cells.ends_with(']'))
      throw lines_.error("is not a row of a recording, `[…]`");
    read_numbers(lines_, cells.substr(1, cells.size() - 2), columns_.size(), row);
    return true;
  }

 private:
  Lines lines_;
  std::string line_;
};

Recording read_all(RecordingReader& reader) {
  Recording recording;
  recording.columns = reader.columns();
  for (std::vector<double> row; reader.next(row);)
    recording.values.insert(recording.values.end(), row.begin(), row.end());
  recording.notice = reader.notice();
  return recording;
}

}  // namespace

RecordingKind recording_kind(const std::string& file) {
  fs::path path(file);
  if (path.extension() == ".part" || path.extension() == ".killed") path = path.stem();
  const std::string extension = path.extension().string();
  if (extension == ".csv") return RecordingKind::csv;
  if (extension == ".json") return RecordingKind::json;
  if (extension == ".h5" || extension == ".hdf5") return RecordingKind::hdf5;
  throw Error({file, 0, ""}, "recordings are .csv, .json or .h5 files; choose one of them");
}

std::unique_ptr<RecordingReader> open_reader(const std::string& file) {
  switch (recording_kind(file)) {
    case RecordingKind::csv:
      return std::make_unique<CsvReader>(file);
    case RecordingKind::json:
      return std::make_unique<JsonReader>(file);
    case RecordingKind::hdf5:
      break;
  }
  return open_hdf5_reader(file);
}

bool same_columns(const std::vector<Column>& a, const std::vector<Column>& b) {
  const auto same = [](const Column& one, const Column& other) {
    return clean_utf8(one.name) == clean_utf8(other.name) &&
           clean_utf8(one.unit) == clean_utf8(other.unit);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

Recording read_recording(const std::string& file) { return read_all(*open_reader(file)); }

Recording read_csv_recording(const std::string& file) {
  CsvReader reader(file);
  return read_all(reader);
}

}  // namespace limber
