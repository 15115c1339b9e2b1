#include "compile/code_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "compile/sha256.hpp"

namespace limber {

namespace {

std::string cache_path() {
  auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text ? text : "");
  };
  if (const std::string own = value("LIMBER_CACHE"); !own.empty()) return own;
  if (const std::string xdg = value("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/limber";
  if (const std::string home = value("HOME"); !home.empty()) return home + "/.cache/limber";
  return "";
}

/// Makes the missing folders of a path, for this user alone.
bool make_folders(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty() || std::filesystem::is_directory(path, ignored)) return true;
  return make_folders(path.parent_path()) && (mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST);
}

bool others_may_write(const struct stat& status) {
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}
bool is_ours_alone(const struct stat& status) {
  return status.st_uid == geteuid() && !others_may_write(status);
}

std::string refusal_of(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0)
    return fmt::format("it cannot be made ({})", std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return "it is not a folder";
  if (!is_ours_alone(status)) return "others own it or may write into it";
  if (access(path.c_str(), W_OK | X_OK) != 0) return "it cannot be written";
  return "";
}

/// A folder above: others must not be able to rename what is in it and is ours.
std::string refusal_above(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0)
    return fmt::format("{} above it cannot be read ({})", path, std::strerror(errno));
  if (status.st_uid != geteuid() && status.st_uid != 0)
    return fmt::format("the folder {} above it belongs to another user", path);
  if (others_may_write(status) && (status.st_mode & S_ISVTX) == 0)
    return fmt::format("others may write into the folder {} above it", path);
  return "";
}

/// The reason why a folder is not safe, or any above it; `path` becomes the one without links.
std::string refusal_of_all(std::string& path) {
  std::string reason = refusal_of(path);
  if (!reason.empty()) return reason;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return error.message();
  path = real.string();
  for (std::filesystem::path above = real; reason.empty() && above.has_relative_path();) {
    above = above.parent_path();
    reason = refusal_above(above.string());
  }
  return reason;
}

/// The process that made a folder by unique_folder(); 0: the name is none of those.
pid_t maker_of(const std::string& name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos || last == 0 || name.size() - last != 7) return 0;
  const std::size_t first = name.rfind('.', last - 1);
  if (first == std::string::npos) return 0;
  pid_t process = 0;
  const char* const end = name.data() + last;
  const auto read = std::from_chars(name.data() + first + 1, end, process);
  return read.ec == std::errc() && read.ptr == end ? process : 0;
}

/// Another machine may share the folder, and its processes are not known here: so young ones stay.
bool is_stale(const std::filesystem::directory_entry& folder) {
  std::error_code error;
  const pid_t maker = maker_of(folder.path().filename().string());
  if (maker <= 0 || folder.is_symlink(error) || !folder.is_directory(error)) return false;
  const auto made = folder.last_write_time(error);
  if (error || std::filesystem::file_time_type::clock::now() - made < std::chrono::hours(24))
    return false;
  return kill(maker, 0) != 0 && errno == ESRCH;
}

/// What cannot be removed stays for another time.
void remove_stale_folders(const std::string& path) {
  std::error_code ignored;
  std::vector<std::filesystem::path> stale;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored))
    if (is_stale(entry)) stale.push_back(entry.path());
  for (const auto& folder : stale) std::filesystem::remove_all(folder, ignored);
}

/// An open file, closed at the end.
struct OpenFile {
  int descriptor;
  explicit OpenFile(const std::string& path)
      : descriptor(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
};

std::optional<std::string> bytes_of(const OpenFile& file) {
  std::string bytes;
  std::array<char, 1 << 16> part;
  ssize_t count = 0;
  while ((count = read(file.descriptor, part.data(), part.size())) != 0) {
    if (count < 0 && errno != EINTR) return std::nullopt;
    if (count > 0) bytes.append(part.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

constexpr std::string_view checksum_word = "\nlimber sha256 ";
/// What stands behind a library in its file: loaders do not look there.
std::string checksum_line(std::string_view library, const std::string& path) {
  Sha256 sum;
  const std::string name = std::filesystem::path(path).filename().string() + "\n";
  sum.add(name.data(), name.size());
  sum.add(library.data(), library.size());
  return fmt::format("{}{}\n", checksum_word, sum.hexadecimal());
}
constexpr std::size_t checksum_size = checksum_word.size() + 64 + 1;

}  // namespace

CacheFolder open_cache() {
  CacheFolder folder{cache_path(), ""};
  if (folder.path.empty()) {
    folder.refusal = "none of LIMBER_CACHE, XDG_CACHE_HOME and HOME is set";
    return folder;
  }
  folder.path = std::filesystem::absolute(folder.path).string();
  make_folders(folder.path);  // what went wrong is seen by looking
  const std::string wanted = folder.path, reason = refusal_of_all(folder.path);
  if (!reason.empty())
    folder.refusal = fmt::format(
        "the folder {} is not used for compiled code: {}; make it safe, or name another one in the "
        "environment variable LIMBER_CACHE",
        wanted, reason);
  else remove_stale_folders(folder.path);
  return folder;
}

std::string unique_folder(const std::string& prefix) {
  std::string path = fmt::format("{}.{}.XXXXXX", prefix, getpid());
  if (!mkdtemp(path.data()))
    throw Error(fmt::format("no folder {} can be made: {}", path, std::strerror(errno)));
  return path;
}

std::string read_bytes(const std::string& path) {
  const OpenFile file(path);
  std::optional<std::string> bytes;
  if (file.descriptor >= 0) bytes = bytes_of(file);
  if (!bytes) throw Error(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  return *std::move(bytes);
}

std::optional<std::string> kept_library(const std::string& path) {
  const OpenFile file(path);
  struct stat status {};
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || !is_ours_alone(status)) return std::nullopt;
  std::optional<std::string> bytes = bytes_of(file);
  if (!bytes || bytes->size() < checksum_size) return std::nullopt;
  const std::string_view library(bytes->data(), bytes->size() - checksum_size);
  if (!bytes->ends_with(checksum_line(library, path))) return std::nullopt;
  bytes->resize(library.size());
  return bytes;
}

void keep_library(const std::string& library, const std::string& draft, const std::string& path) {
  {
    std::ofstream file(draft, std::ios::binary);
    file << library << checksum_line(library, path);
    if (!file.flush()) throw Error(fmt::format("{} cannot be written", draft));
  }
  chmod(draft.c_str(), S_IRUSR | S_IWUSR);
  std::error_code error;
  std::filesystem::rename(draft, path, error);
  if (error) throw Error(fmt::format("{} cannot be written: {}", path, error.message()));
}

}  // namespace limber
