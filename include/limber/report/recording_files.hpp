#pragma once
// Recordings as files: CSV, JSON, HDF5. Rows are written while the run goes on, so that an
// interrupted run leaves a readable file.
//
// A recording FILE in progress is called FILE.part; it becomes FILE when it is closed. A program
// that is killed leaves FILE.part, which the readers below read to its last complete row, and an
// earlier FILE as it was. The next recording of this name renames FILE.part to FILE.killed.
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <limber/sim/recording.hpp>

namespace limber {

/// A file that takes one row after the other.
class RecordingFile {
 public:
  virtual ~RecordingFile() = default;
  /// Appends a row. Throws Error when the disk is full or the like; the file then ends with the
  /// last complete row that was written, and takes no more.
  virtual void add(std::span<const double> row) = 0;
  /// Hands all rows to the operating system: a program that is killed afterwards leaves them in the
  /// file. Without it some rows wait: up to 64 KiB of text, 1024 rows of HDF5. Throws as add().
  virtual void flush() = 0;
  /// Completes the file and gives it its name; adding afterwards is an error. The destructor does
  /// so too, but cannot say what went wrong.
  virtual void close() = 0;
};

/// Opens a new file by its extension: .csv (one header line "name [unit]", as many digits as each
/// number needs; names that a spreadsheet would take for a formula have an apostrophe in front),
/// .json ({"columns": [{"name", "unit", "group"}], "rows": [[…]]}, one line per row, null for what
/// is not finite), .h5 (one dataset of doubles per column, attributes `name`, `unit`, `group` and
/// `column`; in the dataset's own name "/" and "%" are %2F and %25, and equal names are numbered).
/// Throws Error if the file cannot be written or the extension is another.
std::unique_ptr<RecordingFile> open_recording(const std::string& file,
                                              const std::vector<Column>& columns);

/// Takes the rows of a recording.
using RowReceiver = std::function<void(std::span<const double> row)>;

/// The file that holds the rows until `mark`: FILE.part or FILE; nothing if neither exists. Throws
/// Error if what exists was left by another run.
std::optional<std::string> find_recording(const std::string& file,
                                          const std::vector<Column>& columns,
                                          const RecordingMark& mark);
/// Opens the recording `file` with the rows until `mark` of `earlier`, which find_recording() has
/// found and which stays complete until its rows are copied; they are handed to `receive` too.
std::unique_ptr<RecordingFile> continue_recording(const std::string& file,
                                                  const std::vector<Column>& columns,
                                                  const std::string& earlier,
                                                  const RecordingMark& mark,
                                                  const RowReceiver& receive);

/// Reads a recording of any kind, also one in progress (FILE.part), to its last complete row;
/// Recording::notice says what was left out. Throws Error with file and line.
Recording read_recording(const std::string& file);
/// The same for text in the form of CSV, whatever the file's extension is.
Recording read_csv_recording(const std::string& file);

}  // namespace limber
