#include "io/text_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace limber {

namespace {
namespace fs = std::filesystem;
thread_local FilesRead* noting = nullptr;
}  // namespace

FilesRead::FilesRead() : around_(noting) { noting = this; }
FilesRead::~FilesRead() { noting = around_; }

bool lies_beside(const std::string& path, const std::string& file) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  const auto is_in = [&](const fs::path& folder) {
    const fs::path way = real.lexically_relative(folder);
    return !way.empty() && *way.begin() != "..";
  };
  const fs::path folder = fs::absolute(file, error).parent_path();
  return is_in(fs::weakly_canonical(folder, error)) ||
         is_in(fs::weakly_canonical(file, error).parent_path());
}

void expect_file(const std::string& file) {
  const auto refuse = [&](const char* why) { throw Error({file, 0, ""}, why); };
  if (file.find('\0') != std::string::npos) refuse("a file name cannot hold a zero byte");
  std::error_code reason;
  const fs::file_status status = fs::status(file, reason);
  switch (status.type()) {
    case fs::file_type::regular:
      return;
    case fs::file_type::not_found:
      return refuse("no such file; check the name and the folder");
    case fs::file_type::directory:
      return refuse("is a folder; name the file in it");
    case fs::file_type::none:
      throw Error({file, 0, ""},
                  fmt::format("cannot be opened: {}; check the name and the permissions",
                              reason.message()));
    default:
      return refuse("is a pipe, a socket or a device; only ordinary files are read");
  }
}

std::string read_text_file(const std::string& file) {
  expect_file(file);
  for (FilesRead* one = noting; one; one = one->around_) one->names_.push_back(file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error({file, 0, ""}, "cannot be read; check its permissions");
  const auto expect_size = [&](std::uintmax_t size) {
    if (size > largest_text_file)
      throw Error(
          {file, 0, ""},
          fmt::format("has more than {} MB, which is the most that is read; make it smaller",
                      largest_text_file / 1'000'000));
  };
  std::error_code ignored;
  if (const std::uintmax_t size = fs::file_size(file, ignored); !ignored) expect_size(size);
  // files of the system (/proc) do not state their size
  std::string text;
  constexpr std::size_t piece = std::size_t{1} << 20;
  while (stream) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    stream.read(text.data() + size, static_cast<std::streamsize>(piece));
    text.resize(size + static_cast<std::size_t>(stream.gcount()));
    expect_size(text.size());
  }
  if (stream.bad()) throw Error({file, 0, ""}, "reading failed; is the disk in order?");
  return text;
}

void expect_text(std::string_view text, const std::string& file, std::string_view format) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(
        {file, 0, ""},
        fmt::format("is empty; a {} file is expected; check the name, or write it", format));
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos)
    throw Error(
        {file, static_cast<int>(std::count(text.begin(), text.begin() + zero, '\n')) + 1, ""},
        fmt::format("a zero byte; the file is binary or UTF-16, a {} file in UTF-8 is expected",
                    format));
}

std::string stem(const std::string& file) { return fs::path(file).stem().string(); }

}  // namespace limber
