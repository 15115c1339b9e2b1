#pragma once
// Whole text files, with errors that say what is wrong with the file.
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <limber/error.hpp>

namespace limber {

/// The largest file that is read into memory [bytes]: robots, scenarios, trajectories, saved runs.
inline constexpr std::uintmax_t largest_text_file = std::uintmax_t{1} << 30;

/// Throws Error unless `file` is an ordinary file: it is missing, a folder, a pipe or a device.
void expect_file(const std::string& file);

/// Whether `path`, all links followed, lies in the folder of `file` or below it; where `file` is a
/// link, the folder of what it points to counts as well.
bool lies_beside(const std::string& path, const std::string& file);

/// The text of `file`. Throws Error if it is no ordinary file, too large or cannot be read.
std::string read_text_file(const std::string& file);

/// Notes the names of all files that read_text_file() reads in this thread while it lives.
class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;
  const std::vector<std::string>& names() const { return names_; }

 private:
  friend std::string read_text_file(const std::string& file);
  std::vector<std::string> names_;
  FilesRead* around_;
};

/// Throws Error if `text` is empty or holds a zero byte. `format`: what was expected, for the
/// message.
void expect_text(std::string_view text, const std::string& file, std::string_view format);

/// File name without folders and extension: "robots/arm.urdf" gives "arm".
std::string stem(const std::string& file);

/// What `read` returns. Exceptions that are not ours (memory, libraries) leave as Error with the
/// file's name.
template <class Read>
auto read_or_explain(const std::string& file, const Read& read) {
  try {
    return read();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error({file, 0, ""},
                "there is not enough memory to read it; is it meant to be so large?");
  } catch (const std::exception& exception) {
    throw Error({file, 0, ""}, std::string("cannot be read: ") + exception.what());
  }
}

}  // namespace limber
