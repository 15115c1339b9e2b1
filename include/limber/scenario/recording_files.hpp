#pragma once
// Recordings as files: CSV, JSON, HDF5. Rows are written while the run goes on, so that an
// interrupted run leaves a readable file.
#include <memory>
#include <string>

#include <limber/sim/recording.hpp>

namespace limber {

/// A file that takes one row after the other.
class RecordingFile {
 public:
  virtual ~RecordingFile() = default;
  /// Appends a row. Throws Error when the disk is full or the like.
  virtual void add(std::span<const double> row) = 0;
  /// Completes the file; adding afterwards is an error. The destructor completes it too, but cannot
  /// say what went wrong.
  virtual void close() = 0;
};

/// Opens a new file by its extension: .csv (one header line "name [unit]", as many digits as each
/// number needs), .json
/// ({"columns": [{"name", "unit", "group"}], "rows": [[…]]}), .h5 (one dataset of doubles per
/// column, chunked and extensible, attributes `unit` and `group`; dots in names become nothing
/// special). Throws Error if the file cannot be written or the extension is another.
std::unique_ptr<RecordingFile> open_recording(const std::string& file,
                                              const std::vector<Column>& columns);

/// Reads a CSV recording back. Throws Error with file and line.
Recording read_csv_recording(const std::string& file);

}  // namespace limber
