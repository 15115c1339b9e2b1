#pragma once
// A progress bar on the terminal, with the time that is left; nothing at all when standard
// error is no terminal.
#include <chrono>
#include <string>

namespace limber::app {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();  ///< wipes the bar away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(double part);  ///< 0 to 1; cheap where nothing changes

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool visible_;
  int shown_ = -1;  ///< thousandths
  Clock::time_point begin_ = Clock::now(), drawn_ = begin_;
};

/// "12 s", "3 min 20 s", "2 h 5 min": a time that a person waits.
std::string readable_time(double seconds);

}  // namespace limber::app
