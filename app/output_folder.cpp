#include "output_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "output.hpp"
#include "report_files.hpp"

namespace limber::app {

namespace fs = std::filesystem;

namespace {

// the process that holds a lock has written its number
std::string owner_of(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size() - 1, 0);
  const std::string digits(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  const bool number =
      !digits.empty() && digits.find_first_not_of("0123456789\n") == std::string::npos;
  return number ? fmt::format("process {}", std::stoll(digits)) : "another process";
}

}  // namespace

OutputFolder::OutputFolder(std::string folder)
    : folder_(std::move(folder)), lock_file_((fs::path(folder_) / ".limber.lock").string()) {
  make_folder(folder_);
  while (!try_lock()) {
  }
}

// False: the file was removed by its owner between opening and locking
bool OutputFolder::try_lock() {
  descriptor_ = ::open(lock_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0)
    throw Error(fmt::format("cannot write into the folder '{}': {}; name another with --output",
                            folder_, std::strerror(errno)));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    const std::string owner = owner_of(descriptor_);
    ::close(descriptor_);
    if (error == EWOULDBLOCK)
      throw Error(fmt::format(
          "{} is writing into the folder '{}'; wait for it, or name another with --output", owner,
          folder_));
    throw Error(fmt::format("the folder '{}' cannot be locked: {}; name another with --output",
                            folder_, std::strerror(error)));
  }
  struct stat opened {
  }, named{};
  if (::fstat(descriptor_, &opened) != 0 || ::stat(lock_file_.c_str(), &named) != 0 ||
      opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) {
    ::close(descriptor_);
    return false;
  }
  const std::string owner = fmt::format("{}\n", ::getpid());
  const bool noted =
      ::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, owner.data(), owner.size(), 0) > 0;
  if (!noted) remark(fmt::format("cannot note the owner in '{}'", lock_file_));
  return true;
}

OutputFolder::~OutputFolder() {
  ::unlink(lock_file_.c_str());
  ::close(descriptor_);
}

std::string OutputFolder::file(const std::string& name) const {
  return (fs::path(folder_) / name).string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;
  const fs::path one = fs::weakly_canonical(a, error), other = fs::weakly_canonical(b, error);
  return !error && one == other;
}

void expect_writable(const std::string& file, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (same_file(file, input))
      throw Error({file, 0, ""},
                  "would be overwritten, but this run reads it; choose another name or another "
                  "folder (--output)");
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) throw Error({file, 0, ""}, "is a folder; name a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error({file, 0, ""}, "is a device or the like; name an ordinary file");
  const fs::path folder = fs::absolute(file, error).parent_path();
  if (!fs::is_directory(folder))
    throw Error({file, 0, ""}, fmt::format("there is no folder '{}'; make it, or choose another",
                                           folder.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0 ||
      (fs::exists(status) && ::access(file.c_str(), W_OK) != 0))
    throw Error({file, 0, ""},
                fmt::format("cannot be written: {}; check the permissions", std::strerror(errno)));
}

}  // namespace limber::app
