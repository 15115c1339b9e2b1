#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "printable.hpp"

namespace limber::app {

namespace {
constexpr int cells = 40;
constexpr double redraw = 0.1;  // [s]
}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)), visible_(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (visible_ && shown_ >= 0) std::fputs("\r\033[K", stderr);
}

void Progress::show(double part) {
  if (!visible_) return;
  const int thousandths = static_cast<int>(std::clamp(part, 0.0, 1.0) * 1000);
  if (thousandths == shown_) return;
  const Clock::time_point now = Clock::now();
  const auto since = [&](Clock::time_point then) {
    return std::chrono::duration<double>(now - then).count();
  };
  if (shown_ >= 0 && since(drawn_) < redraw) return;
  shown_ = thousandths;
  drawn_ = now;
  const int full = thousandths * cells / 1000;
  // the pace so far says little in the first moments
  const bool known = since(begin_) > 1 && thousandths > 0;
  const double left = known ? since(begin_) * (1000.0 - thousandths) / thousandths : 0;
  const std::string bar = fmt::format("\r{} [{:-<{}}]{}\033[K", printable_line(what_),
                                      std::string(static_cast<std::size_t>(full), '#'), cells,
                                      known ? " " + readable_time(left) + " left" : "");
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
}

std::string readable_time(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

}  // namespace limber::app
