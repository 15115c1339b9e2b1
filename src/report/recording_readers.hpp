#pragma once
// Readers of recordings, row by row: also of files that an interruption left incomplete.
#include <memory>
#include <string>
#include <vector>

#include <limber/sim/recording.hpp>

namespace limber {

enum class RecordingKind : std::uint8_t { csv, json, hdf5 };
/// By the extension, before ".part" or ".killed" if there is one. Throws Error for others.
RecordingKind recording_kind(const std::string& file);

class RecordingReader {
 public:
  virtual ~RecordingReader() = default;
  const std::vector<Column>& columns() const { return columns_; }
  /// The next row; false after the last complete one. Throws Error with file and line.
  virtual bool next(std::vector<double>& row) = 0;
  /// What was left out behind the last row; "" where the file is complete.
  const std::string& notice() const { return notice_; }

 protected:
  std::vector<Column> columns_;
  std::string notice_;
};

/// Throws Error if the file has no complete beginning.
std::unique_ptr<RecordingReader> open_reader(const std::string& file);

/// The same names and units, as far as they can be written as UTF-8.
bool same_columns(const std::vector<Column>& a, const std::vector<Column>& b);

}  // namespace limber
