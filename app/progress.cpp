#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

namespace limber::app {

namespace {
constexpr int cells = 40;
}

Progress::Progress(std::string what) : what_(std::move(what)), visible_(isatty(STDERR_FILENO)) {
  show(0);
}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(double part) {
  const int full = static_cast<int>(part * cells);
  if (!visible_ || full == shown_) return;
  shown_ = full;
  fmt::print(stderr, "\r{} [{:-<{}}]", what_, std::string(static_cast<std::size_t>(full), '#'),
             cells);
  std::fflush(stderr);
}

}  // namespace limber::app
