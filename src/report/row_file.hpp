#pragma once
// RowFile: a text file of which, whatever happens, whole rows are on the disk.
#include <string>
#include <string_view>
#include <vector>

namespace limber {

class RowFile {
 public:
  /// Makes the file anew. Throws Error if it cannot be written.
  explicit RowFile(const std::string& file);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  /// What still waits is lost; close() writes it.
  ~RowFile();

  /// Adds a text that belongs together; it waits for more. Throws as flush() does.
  void write(std::string_view text);
  /// Writes what waits. Throws Error where not all of it could be written: the file is then cut
  /// after the last text that is whole, and further ones are refused with the same Error.
  void flush();
  /// Ends the file with `tail`; after a failure as far as there is room.
  void close(std::string_view tail = {});
  bool is_open() const { return descriptor_ >= 0; }
  bool failed() const { return !failure_.empty(); }

 private:
  void fail(int error);

  std::string name_, failure_;
  int descriptor_ = -1;
  std::string waiting_;
  std::vector<std::size_t> ends_;  // of the texts in waiting_
  long long written_ = 0;          // bytes
};

}  // namespace limber
