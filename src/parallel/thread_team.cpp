#include "parallel/thread_team.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include <limber/error.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace limber {

namespace {

constexpr int most_spins = 1000, fewest_spins = 16;  // some tens of microseconds; less than one
constexpr int yields = 100;

// a hint to the processor that this thread is waiting
void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

// with more members than cores no member spins: another one may need the core
ThreadTeam::ThreadTeam(int members, std::function<void(int member)> job)
    : members_(members),
      most_spins_(static_cast<unsigned>(members) <= std::thread::hardware_concurrency() ? most_spins
                                                                                        : 0),
      spin_counts_(static_cast<std::size_t>(members), SpinCount{most_spins_}),
      job_(std::move(job)) {
  try {
    for (int member = 1; member < members; ++member)
      threads_.emplace_back([this, member] { work_loop(member); });
  } catch (const std::system_error& error) {
    const std::size_t started = threads_.size() + 1;
    join_threads();
    throw Error(
        fmt::format("{} threads are needed, but the system can start only {}: {}; choose fewer",
                    members, started, error.what()));
  }
}

ThreadTeam::~ThreadTeam() { join_threads(); }

void ThreadTeam::join_threads() {
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
  barrier(0);
}

void ThreadTeam::work_loop(int member) {
  for (int round = 0;; ++round) {
    await_change(round_, round, member);
    if (over_.load(std::memory_order_relaxed)) return;
    job_(member);
    barrier(member);
  }
}

void ThreadTeam::barrier(int member) {
  if (members_ == 1) return;
  const int completed = barriers_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < members_)
    return await_change(barriers_, completed, member);
  arrived_.store(0, std::memory_order_relaxed);
  barriers_.store(completed + 1, std::memory_order_release);
  barriers_.notify_all();
}

// Spins first, then yields the core, then sleeps. Each wait that outlasts the spinning halves it,
// so that on a busy machine members yield early.
void ThreadTeam::await_change(const std::atomic<int>& number, int old, int member) {
  int& spins = spin_counts_[static_cast<std::size_t>(member)].spins;
  for (int k = 0; k < spins; ++k) {
    if (number.load(std::memory_order_acquire) != old) {
      spins = std::min(2 * spins, most_spins_);
      return;
    }
    pause();
  }
  spins = std::min(std::max(spins / 2, fewest_spins), most_spins_);
  for (int k = 0; k < yields; ++k) {
    if (number.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  while (number.load(std::memory_order_acquire) == old) number.wait(old, std::memory_order_acquire);
}

}  // namespace limber
