#pragma once
// BatchDriver: brings many states to a kernel and their results back, tile by tile, on several
// threads. It knows layouts, threads and odd counts; what is computed only the kernel knows.
#include <array>
#include <atomic>
#include <string>

#include "batch/lane_set.hpp"
#include "parallel/thread_team.hpp"

namespace limber {

template <class T>
struct BatchInput {
  const char* name;
  std::span<const T> numbers;
  int width;              ///< numbers of one state
  bool is_table = false;  ///< `width` numbers for all states together
};
template <class T>
struct BatchOutput {
  const char* name;
  std::span<T> numbers;
  int width;
  /// Of a matrix that the kernel writes in sparse form: ArrayShape::entries, and how many numbers
  /// it writes. Empty: it writes all of them.
  std::span<const int> entries = {};
  int stored = width;
};

/// One call: what to compute, from where and to where.
template <class T>
struct BatchCall {
  const char* function;  ///< for messages
  Kernel<T> kernel;
  std::span<const void* const> contexts;  ///< one for each thread
  std::span<const BatchInput<T>> in;
  std::span<const BatchOutput<T>> out;
  long count;
  Layout layout;
};

template <class T>
class BatchDriver {
 public:
  static constexpr std::size_t most_arrays = 10;  ///< of input, and of output

  /// `most_numbers`: of the input and output of one state, in any call. `robot` is for messages.
  BatchDriver(const LaneSet<T>& set, int threads, int most_numbers, std::string robot);
  int threads() const { return team_.members(); }
  /// Throws Error when an array has the wrong size. No allocation.
  BatchStatus run(const BatchCall<T>& call);

 private:
  /// What one thread has for itself.
  struct alignas(64) Member {
    AlignedVector<T> tile;  ///< input and output of some states, by variable
    AlignedVector<T> bad;   ///< not zero for a state with a bad result
    BatchStatus status;
  };
  /// Pointers to the arrays of a tile, by variable.
  struct Tile {
    long stride;
    std::array<const T*, most_arrays> in;
    std::array<T*, most_arrays> out;
  };
  void check(const BatchCall<T>& call) const;
  void check_array(const BatchCall<T>& call, const char* name, std::size_t size, int width) const;
  void plan(const BatchCall<T>& call);
  void work(int member);
  void run_tile(Member& member, const void* context, long first, long count);
  Tile in_place(long first) const;  ///< where the user has them, by variable already
  Tile copied(Member& member, long first, long count) const;
  void write_back(Member& member, const Tile& tile, long first, long count) const;
  void find_bad(Member& member, long first, long count) const;
  long padded(long count) const { return (count + set_.lanes - 1) / set_.lanes * set_.lanes; }

  const LaneSet<T>& set_;
  std::string robot_;
  std::vector<Member> members_;
  const BatchCall<T>* call_ = nullptr;
  bool direct_ = false;  ///< whole tiles are computed where the user has them
  long tile_ = 0;        ///< states of a tile, a multiple of the lanes
  long share_ = 0;       ///< states that a thread takes at a time, a multiple of the tile
  std::atomic<long> next_{0};
  ThreadTeam team_;  ///< last: its threads use all the others
};

}  // namespace limber
