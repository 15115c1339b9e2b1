#pragma once
// A bar on the terminal for whoever waits; nothing at all when standard error is no terminal.
#include <string>

namespace limber::app {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();  ///< wipes the bar away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(double part);  ///< 0 to 1

 private:
  std::string what_;
  bool visible_;
  int shown_ = -1;  ///< cells of the bar
};

}  // namespace limber::app
