// Recordings are written here; recording_readers.cpp reads them, hdf5_recording.cpp does both.
#include <limber/report/recording_files.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "report/hdf5_recording.hpp"
#include "report/recording_readers.hpp"
#include "report/row_file.hpp"
#include "scenario/json.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

// with as few digits as give the same number when read, which is also the quickest way to write it
void append_number(std::string& text, double value) {
  std::array<char, 32> digits;
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

// a cell that begins so is taken for a formula by spreadsheets, or for our own guard
bool needs_guard(const std::string& cell) {
  return cell.find_first_of(std::string("=+-@\t\r'")) == 0;
}

std::string csv_title(const Column& column) {
  std::string title = column.name;
  // what ends like a unit and is none gets an empty one
  if (!column.unit.empty() || title.ends_with(']')) title += fmt::format(" [{}]", column.unit);
  if (needs_guard(title)) title.insert(0, 1, '\'');
  if (title.find_first_of(",\"\n\r\t") == std::string::npos && !title.starts_with('\''))
    return title;
  std::string result = "\"";
  for (const char c : title) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

class CsvRecording final : public RecordingFile {
 public:
  CsvRecording(const std::string& file, const std::vector<Column>& columns) : file_(file) {
    for (const Column& column : columns)
      line_ += fmt::format("{}{}", &column == columns.data() ? "" : ",", csv_title(column));
    file_.write(line_ + "\n");
  }
  void add(std::span<const double> row) override {
    line_.clear();
    for (const double value : row) {
      append_number(line_, value);
      line_ += ',';
    }
    line_.back() = '\n';
    file_.write(line_);
  }
  void flush() override { file_.flush(); }
  void close() override { file_.close(); }

 private:
  RowFile file_;
  std::string line_;
};

// what separates two rows belongs to the second: the text is complete but for "]}" after every row
class JsonRecording final : public RecordingFile {
 public:
  JsonRecording(const std::string& file, const std::vector<Column>& columns) : file_(file) {
    std::string text = "{\"columns\":[";
    for (const Column& column : columns)
      text += fmt::format("{}{{\"name\":{},\"unit\":{},\"group\":{}}}",
                          &column == columns.data() ? "" : ",", json_text(column.name),
                          json_text(column.unit), json_text(column.group));
    file_.write(text + "],\n\"rows\":[");
  }
  void add(std::span<const double> row) override {
    line_ = first_ ? "\n[" : ",\n[";
    first_ = false;
    for (const double value : row) {
      if (std::isfinite(value)) append_number(line_, value);
      else line_ += "null";
      line_ += ',';
    }
    line_.back() = ']';
    file_.write(line_);
  }
  void flush() override { file_.flush(); }
  void close() override { file_.close("\n]}\n"); }

 private:
  RowFile file_;
  std::string line_;
  bool first_ = true;
};

std::string part_of(const std::string& file) { return file + ".part"; }

void give_name(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    throw Error({to, 0, ""},
                fmt::format("'{}' cannot be given this name: {}", from, error.message()));
}

// writes at once under the name that is given
std::unique_ptr<RecordingFile> open_plain(RecordingKind kind, const std::string& file,
                                          const std::vector<Column>& columns) {
  switch (kind) {
    case RecordingKind::csv:
      return std::make_unique<CsvRecording>(file, columns);
    case RecordingKind::json:
      return std::make_unique<JsonRecording>(file, columns);
    case RecordingKind::hdf5:
      break;
  }
  return open_hdf5_recording(file, columns);
}

// has its name when it is complete
class NamedAtTheEnd final : public RecordingFile {
 public:
  NamedAtTheEnd(std::string file, std::unique_ptr<RecordingFile> rows)
      : file_(std::move(file)), rows_(std::move(rows)) {}
  NamedAtTheEnd(const NamedAtTheEnd&) = delete;
  NamedAtTheEnd& operator=(const NamedAtTheEnd&) = delete;
  ~NamedAtTheEnd() override {
    try {
      close();
    } catch (const Error&) {  // a destructor cannot report it
    }
  }
  void add(std::span<const double> row) override {
    if (!rows_) throw Error({file_, 0, ""}, "is complete and takes no more rows");
    rows_->add(row);
  }
  void flush() override {
    if (rows_) rows_->flush();
  }
  void close() override {
    const auto rows = std::exchange(rows_, nullptr);
    if (!rows) return;
    try {
      rows->close();
    } catch (const Error&) {
      give_name(part_of(file_), file_);  // it is readable to its last complete row
      throw;
    }
    give_name(part_of(file_), file_);
  }

 private:
  std::string file_;
  std::unique_ptr<RecordingFile> rows_;
};

// FILE.part is readable from its first moment on: until its first rows are there it is FILE.new.
// What a killed program left is kept, unless it is the `earlier` file whose rows are taken over.
template <class F>
std::unique_ptr<RecordingFile> begin_recording(const std::string& file,
                                               const std::vector<Column>& columns,
                                               const std::string& earlier, F&& add_first_rows) {
  const std::string beginning = file + ".new";
  try {
    auto rows = open_plain(recording_kind(file), beginning, columns);
    add_first_rows(*rows);
    rows->flush();
    if (earlier != part_of(file) && fs::exists(part_of(file)))
      give_name(part_of(file), file + ".killed");
    give_name(beginning, part_of(file));
    return std::make_unique<NamedAtTheEnd>(file, std::move(rows));
  } catch (const Error&) {
    std::error_code ignored;
    fs::remove(beginning, ignored);
    throw;
  }
}

}  // namespace

std::unique_ptr<RecordingFile> open_recording(const std::string& file,
                                              const std::vector<Column>& columns) {
  return begin_recording(file, columns, "", [](RecordingFile&) {});
}

std::optional<std::string> find_recording(const std::string& file,
                                          const std::vector<Column>& columns,
                                          const RecordingMark& mark) {
  std::string reason;
  for (const std::string& candidate : {part_of(file), file}) {
    std::error_code ignored;
    if (!fs::exists(candidate, ignored)) continue;
    try {
      RecordingMark found;
      const auto reader = open_reader(candidate);
      if (!same_columns(reader->columns(), columns)) {
        reason = "its columns are others";
        continue;
      }
      for (std::vector<double> row; found.rows < mark.rows && reader->next(row);) found.add(row);
      if (found == mark) return candidate;
      reason = found.rows < mark.rows ? fmt::format("it has {} rows, the state was saved after {}",
                                                    found.rows, mark.rows)
                                      : "its rows have other values";
    } catch (const Error& error) {
      reason = error.what();
    }
  }
  if (reason.empty()) return std::nullopt;
  throw Error({file, 0, ""},
              fmt::format("is not the recording that belongs to the saved state ({}); write into "
                          "another folder, or move this file away",
                          reason));
}

std::unique_ptr<RecordingFile> continue_recording(const std::string& file,
                                                  const std::vector<Column>& columns,
                                                  const std::string& earlier,
                                                  const RecordingMark& mark,
                                                  const RowReceiver& receive) {
  return begin_recording(file, columns, earlier, [&](RecordingFile& rows) {
    const auto reader = open_reader(earlier);
    std::vector<double> row;
    for (std::uint64_t k = 0; k < mark.rows && reader->next(row); ++k) {
      rows.add(row);
      receive(row);
    }
  });
}

}  // namespace limber
