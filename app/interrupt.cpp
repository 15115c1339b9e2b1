#include "interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace limber::app {

namespace {

constexpr std::array ends_the_run{SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> was_interrupted{false};

extern "C" void on_interrupt(int) {
  was_interrupted = true;
  for (const int signal : ends_the_run) std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int signal : ends_the_run) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool interrupted() { return was_interrupted.load(std::memory_order_relaxed); }

}  // namespace limber::app
