#include "sim/thread_team.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace limber {

namespace {

constexpr int spins_with_enough_cores = 1000;  // some tens of microseconds
constexpr int yields = 100;

// tells the processor that this thread only waits
void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

// who would spin on the core that another member needs yields at once
ThreadTeam::ThreadTeam(int members, std::function<void(int member)> job)
    : members_(members),
      spins_(static_cast<unsigned>(members) <= std::thread::hardware_concurrency()
                 ? spins_with_enough_cores
                 : 0),
      job_(std::move(job)) {
  for (int member = 1; member < members; ++member)
    threads_.emplace_back([this, member] { serve(member); });
}

ThreadTeam::~ThreadTeam() {
  over_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run() {
  if (members_ > 1) {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  job_(0);
  meet();
}

void ThreadTeam::serve(int member) {
  for (int round = 0;; ++round) {
    await_change(round_, round);
    if (over_.load(std::memory_order_relaxed)) return;
    job_(member);
    meet();
  }
}

void ThreadTeam::meet() {
  if (members_ == 1) return;
  const int meeting = meeting_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < members_)
    return await_change(meeting_, meeting);
  arrived_.store(0, std::memory_order_relaxed);
  meeting_.store(meeting + 1, std::memory_order_release);
  meeting_.notify_all();
}

// spins while the others are expected any moment, then lets them have the core, then sleeps
void ThreadTeam::await_change(const std::atomic<int>& number, int old) const {
  for (int k = 0; k < spins_; ++k) {
    if (number.load(std::memory_order_acquire) != old) return;
    pause();
  }
  for (int k = 0; k < yields; ++k) {
    if (number.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  while (number.load(std::memory_order_acquire) == old) number.wait(old, std::memory_order_acquire);
}

}  // namespace limber
