#pragma once
// Meeting: some of the threads of a team wait for each other.
#include <atomic>
#include <thread>

namespace limber {

/// Where threads wait for each other. They spin for as long as the rest of a round may take, if
/// each has a core, and sleep then.
class Meeting {
 public:
  explicit Meeting(int threads, int threads_of_all)
      : threads_(threads),
        spins_(threads_of_all <= static_cast<int>(std::thread::hardware_concurrency()) ? 20000
                                                                                       : 0) {}
  void wait() {
    const int round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.fetch_add(1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    for (int k = 0; k < spins_; ++k)
      if (round_.load(std::memory_order_acquire) != round) return;
    round_.wait(round, std::memory_order_acquire);
  }

 private:
  int threads_, spins_;
  std::atomic<int> arrived_{0}, round_{0};
};

}  // namespace limber
