#pragma once
// ThreadTeam: threads that wait between calls and run one job together. A call starts them within
// microseconds.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace limber {

class ThreadTeam {
 public:
  /// `job` is called with the member's number, 0 … members − 1; member 0 is the caller of run().
  /// Throws Error if the system has no such number of threads.
  ThreadTeam(int members, std::function<void(int member)> job);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int members() const { return members_; }
  /// Calls the job for all members, in parallel. Returns when all calls have returned. No
  /// allocation.
  void run();
  /// For use inside the job: returns when all members have called it. What they wrote before is
  /// then visible to all.
  void barrier(int member);

 private:
  void work_loop(int member);
  void join_threads();  ///< ends all threads
  /// Waits until `number` differs from `old`.
  void await_change(const std::atomic<int>& number, int old, int member);

  /// How often a member spins before it yields its core. Grows where spinning was long enough.
  struct alignas(64) SpinCount {
    int spins;
  };

  int members_, most_spins_;
  std::vector<SpinCount> spin_counts_;  ///< by member
  std::function<void(int)> job_;
  std::atomic<int> round_{0};     ///< counts the calls of run()
  std::atomic<int> barriers_{0};  ///< counts the completed barriers
  std::atomic<int> arrived_{0};   ///< members that have reached the present barrier
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace limber
