#pragma once
// ThreadTeam: threads that stay, and do one job together again and again within microseconds of
// being asked.
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
  /// All members do the job; returns when the last has finished. No allocation.
  void run();
  /// For use inside the job: returns when all members have come here. Everything they wrote before
  /// is then visible to all.
  void meet(int member);

 private:
  void serve(int member);
  void dismiss();  ///< ends all threads
  /// Waits until `number` differs from `old`.
  void await_change(const std::atomic<int>& number, int old, int member);

  /// How long a member spins before it lets others have its core: longer where that has paid.
  struct alignas(64) Patience {
    int spins;
  };

  int members_, most_spins_;
  std::vector<Patience> patience_;  ///< by member
  std::function<void(int)> job_;
  std::atomic<int> round_{0};    ///< counts the calls of run()
  std::atomic<int> meeting_{0};  ///< counts the meetings
  std::atomic<int> arrived_{0};  ///< at the present meeting
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace limber
