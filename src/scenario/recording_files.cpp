#include <limber/scenario/recording_files.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "io/numbers.hpp"
#include "io/text_file.hpp"
#include "scenario/hdf5_recording.hpp"

namespace limber {

namespace {

class TextFile {
 public:
  explicit TextFile(const std::string& file)
      : name_(file), stream_(std::fopen(file.c_str(), "wb")) {
    if (!stream_) fail();
    std::setvbuf(stream_, nullptr, _IOFBF, std::size_t{1} << 16);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() {
    if (stream_) std::fclose(stream_);
  }
  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
  }
  void close() {
    std::FILE* stream = std::exchange(stream_, nullptr);
    if (stream && std::fclose(stream) != 0) fail();
  }
  bool is_open() const { return stream_ != nullptr; }

 private:
  void fail() const {
    throw Error({name_, 0, ""}, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  std::string name_;
  std::FILE* stream_;
};

// with as few digits as give the same number when read, which is also the quickest way to write it
void append_numbers(std::string& text, std::span<const double> row) {
  std::array<char, 32> digits;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k > 0) text += ',';
    text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), row[k]).ptr);
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else result += c;
  }
  return result + '"';
}

class CsvRecording final : public RecordingFile {
 public:
  CsvRecording(const std::string& file, const std::vector<Column>& columns) : file_(file) {
    std::string line;
    for (const Column& column : columns) {
      if (!line.empty()) line += ',';
      const std::string name =
          column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit);
      const bool plain = name.find_first_of(",\"\n") == std::string::npos;
      line += plain ? name : quoted_for_csv(name);
    }
    file_.write(line + "\n");
  }
  void add(std::span<const double> row) override {
    line_.clear();
    append_numbers(line_, row);
    line_ += '\n';
    file_.write(line_);
  }
  void close() override { file_.close(); }

 private:
  static std::string quoted_for_csv(const std::string& name) {
    std::string result = "\"";
    for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
  }
  TextFile file_;
  std::string line_;
};

class JsonRecording final : public RecordingFile {
 public:
  JsonRecording(const std::string& file, const std::vector<Column>& columns) : file_(file) {
    std::string text = "{\"columns\":[";
    for (const Column& column : columns)
      text += fmt::format("{}{{\"name\":{},\"unit\":{},\"group\":{}}}",
                          &column == columns.data() ? "" : ",", quoted(column.name),
                          quoted(column.unit), quoted(column.group));
    file_.write(text + "],\n\"rows\":[");
  }
  ~JsonRecording() override {
    try {
      close();
    } catch (const Error&) {  // nobody to tell
    }
  }
  JsonRecording(const JsonRecording&) = delete;
  JsonRecording& operator=(const JsonRecording&) = delete;
  void add(std::span<const double> row) override {
    line_ = first_ ? "\n[" : ",\n[";
    first_ = false;
    append_numbers(line_, row);
    line_ += ']';
    file_.write(line_);
  }
  void close() override {
    if (!file_.is_open()) return;
    file_.write("\n]}\n");
    file_.close();
  }

 private:
  TextFile file_;
  std::string line_;
  bool first_ = true;
};

// "elbow.position [rad]" → name and unit
Column read_column(std::string title) {
  if (title.size() > 1 && title.front() == '"' && title.back() == '"')
    title = title.substr(1, title.size() - 2);
  const std::size_t bracket = title.rfind(" [");
  if (bracket == std::string::npos || !title.ends_with(']')) return {title, "", ""};
  return {title.substr(0, bracket), title.substr(bracket + 2, title.size() - bracket - 3), ""};
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (c == ',' && !inside) cells.emplace_back();
    else if (c != '\r') cells.back() += c;
  }
  return cells;
}

}  // namespace

std::unique_ptr<RecordingFile> open_recording(const std::string& file,
                                              const std::vector<Column>& columns) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".csv") return std::make_unique<CsvRecording>(file, columns);
  if (extension == ".json") return std::make_unique<JsonRecording>(file, columns);
  if (extension == ".h5" || extension == ".hdf5") return open_hdf5_recording(file, columns);
  throw Error({file, 0, ""}, "recordings are .csv, .json or .h5 files; choose one of them");
}

Recording read_csv_recording(const std::string& file) {
  const std::string text = read_text_file(file);
  Recording recording;
  int line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::vector<std::string> cells = split(std::string_view(text).substr(start, end - start));
    start = end + 1;
    ++line_number;
    if (line_number == 1) {
      for (const std::string& cell : cells) recording.columns.push_back(read_column(cell));
      continue;
    }
    if (cells.size() != recording.columns.size())
      throw Error({file, line_number, ""}, fmt::format("{} values are found, {} expected",
                                                       cells.size(), recording.columns.size()));
    for (const std::string& cell : cells) {
      const std::optional<double> value = parse_number(cell);
      if (!value)
        throw Error({file, line_number, ""}, fmt::format("'{}' is not a finite number", cell));
      recording.values.push_back(*value);
    }
  }
  return recording;
}

}  // namespace limber
