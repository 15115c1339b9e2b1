#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace limber::app {

namespace {

std::atomic<bool> was_interrupted{false};

extern "C" void on_interrupt(int) {
  was_interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() { std::signal(SIGINT, on_interrupt); }
bool interrupted() { return was_interrupted.load(std::memory_order_relaxed); }

}  // namespace limber::app
