#include "report_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "output.hpp"

namespace limber::app {

namespace fs = std::filesystem;

namespace {

// writes all of it, down to the disk; false: errno says why not
bool write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return ::fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: nothing to be synchronised
}

}  // namespace

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw Error(fmt::format("cannot make the folder '{}': {}; name another with --output", folder,
                            error ? error.message() : "a file has this name"));
}

void write_file(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  // a link stays, what it points to is replaced
  const fs::path target = fs::is_symlink(path, ignored) ? fs::canonical(path, ignored) : path;
  const std::string beside = fmt::format("{}.{}.part", target.string(), ::getpid());
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const bool written = descriptor >= 0 && write_all(descriptor, text);
  int error = written ? 0 : errno;
  if (descriptor >= 0 && ::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (descriptor >= 0) ::unlink(beside.c_str());
  throw RunFailure(fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

void write_report(const fs::path& path, const Scenario& scenario, const Report& report,
                  std::vector<std::string>& files) {
  if (!reports_available())
    return remark("no report: this build of Limber was made without npm, so reports are off");
  write_file(path, report_page(scenario, report));
  files.push_back(path.string());
}

}  // namespace limber::app
