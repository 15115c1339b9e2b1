#pragma once
// What a fuzzed run may do: take few steps, and come forward with them.
#include <cmath>
#include <cstdlib>

namespace limber::fuzz {

/// For RunHooks::go_on: false after `most` calls. Ends the program, as a crash does, if time stands
/// still: more than one event may happen at an instant, but not a thousand.
class Watchdog {
 public:
  explicit Watchdog(int most) : left_(most) {}

  bool operator()(double t) {
    standing_ = t > last_ ? 0 : standing_ + 1;
    last_ = t;
    if (standing_ > 1000) std::abort();
    return standing_ > 0 || --left_ > 0;
  }

 private:
  int left_, standing_ = 0;
  double last_ = -HUGE_VAL;
};

}  // namespace limber::fuzz
