#include "report/row_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

namespace {
constexpr std::size_t most_waiting = std::size_t{1} << 16;  // bytes
}

RowFile::RowFile(const std::string& file)
    : name_(file),
      descriptor_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail(errno);
}

RowFile::~RowFile() {
  if (is_open()) ::close(descriptor_);
}

void RowFile::write(std::string_view text) {
  if (failed()) throw Error({name_, 0, ""}, failure_);
  waiting_ += text;
  ends_.push_back(waiting_.size());
  if (waiting_.size() >= most_waiting) flush();
}

void RowFile::flush() {
  if (failed()) throw Error({name_, 0, ""}, failure_);
  std::size_t done = 0;
  int error = 0;
  while (done < waiting_.size() && error == 0) {
    const ssize_t count = ::write(descriptor_, waiting_.data() + done, waiting_.size() - done);
    if (count >= 0) done += static_cast<std::size_t>(count);
    else if (errno != EINTR) error = errno;
  }
  if (error != 0) {
    const auto torn = std::upper_bound(ends_.begin(), ends_.end(), done);
    written_ += torn == ends_.begin() ? 0 : static_cast<long long>(*(torn - 1));
    // a torn text that cannot be cut off is left to the readers
    if (::ftruncate(descriptor_, written_) == 0) ::lseek(descriptor_, written_, SEEK_SET);
    fail(error);
  }
  written_ += static_cast<long long>(done);
  waiting_.clear();
  ends_.clear();
}

void RowFile::close(std::string_view tail) {
  if (!is_open()) return;
  if (!failed()) {
    write(tail);
    flush();
  } else if (::write(descriptor_, tail.data(), tail.size()) != static_cast<ssize_t>(tail.size())) {
    static_cast<void>(::ftruncate(descriptor_, written_) == 0);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0 && !failed()) fail(errno);
}

void RowFile::fail(int error) {
  failure_ = fmt::format("cannot be written: {}", std::strerror(error));
  waiting_.clear();
  ends_.clear();
  throw Error({name_, 0, ""}, failure_);
}

}  // namespace limber
