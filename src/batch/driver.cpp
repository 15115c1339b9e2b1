#include "batch/driver.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "compile/copy_row.hpp"

namespace limber {

namespace {

// a tile stays in the first cache, and is not so small that its overhead shows
constexpr long tile_bytes = 24 << 10, most_states = 64;
// rows of matrices are written in pieces of some hundred bytes: one cache line at a time of rows
// that are far apart takes two to three times as long. An odd number of vectors is a piece: so its
// rows, too, are no power of two apart
constexpr long matrix_tile_bytes = 768 << 10, most_vectors = 7;
// every thread takes about so many shares, so that all finish at about the same time
constexpr long shares_per_thread = 16;
// variables at such distances share a few lines of the first cache and drive each other out
constexpr long crowding_bytes = 2048;

/// Numbers of one state that the kernel reads and writes.
template <class T>
long numbers_per_state(const BatchCall<T>& call) {
  long sum = 0;
  for (const auto& array : call.in) sum += array.is_table ? 0 : array.width;
  for (const auto& array : call.out) sum += array.stored;
  return sum;
}

}  // namespace

template <class T>
BatchDriver<T>::BatchDriver(const LaneSet<T>& set, int threads, int most_numbers, std::string robot)
    : set_(set),
      robot_(std::move(robot)),
      members_(static_cast<std::size_t>(threads)),
      team_(threads, [this](int member) { work(member); }) {
  const long vectors = static_cast<long>(most_numbers) * set.lanes;
  const long numbers = std::max(
      {vectors, tile_bytes / static_cast<long>(sizeof(T)),
       std::min(most_vectors * vectors, matrix_tile_bytes / static_cast<long>(sizeof(T)))});
  for (Member& member : members_) {
    member.tile.resize(static_cast<std::size_t>(numbers));
    member.bad.resize(
        static_cast<std::size_t>(padded(std::max(most_states, most_vectors * set.lanes))));
  }
}

template <class T>
void BatchDriver<T>::check_array(const BatchCall<T>& call, const char* name, std::size_t size,
                                 int width) const {
  // in 128 bits: the product of an absurd count would overflow, maybe to the right size
  const auto needed =
      static_cast<unsigned __int128>(call.count) * static_cast<unsigned __int128>(width);
  if (size != needed)
    throw Error(
        fmt::format("Batch::{}: {} has {} numbers, {} states of robot '{}' need {}, {} each",
                    call.function, name, size, call.count, robot_, needed, width));
}

template <class T>
void BatchDriver<T>::check(const BatchCall<T>& call) const {
  if (call.count < 0)
    throw Error(fmt::format("Batch::{}: count is {}, a number of states is at least 0",
                            call.function, call.count));
  for (const auto& array : call.in) {
    if (!array.is_table) check_array(call, array.name, array.numbers.size(), array.width);
    else if (array.numbers.size() != static_cast<std::size_t>(array.width))
      throw Error(
          fmt::format("Batch::{}: {} has {} numbers, all states of robot '{}' together need {}",
                      call.function, array.name, array.numbers.size(), robot_, array.width));
  }
  for (const auto& array : call.out)
    check_array(call, array.name, array.numbers.size(), array.width);
}

template <class T>
void BatchDriver<T>::plan(const BatchCall<T>& call) {
  const long number = static_cast<long>(sizeof(T));
  const long vectors = std::max(1L, numbers_per_state(call)) * set_.lanes * number;
  const bool by_variable = call.layout == Layout::by_variable;
  bool matrices = vectors > tile_bytes;
  for (const auto& array : call.out) matrices = matrices || !array.entries.empty();
  if (matrices && by_variable)
    tile_ = ((std::clamp(matrix_tile_bytes / vectors, 1L, most_vectors) - 1) | 1) * set_.lanes;
  else tile_ = std::clamp(tile_bytes / vectors, 1L, most_states / set_.lanes) * set_.lanes;
  direct_ = by_variable && !matrices && call.count * number % crowding_bytes != 0;
  const long shares = shares_per_thread * team_.members();
  share_ = (call.count / shares / tile_ + 1) * tile_;
  call_ = &call;
  next_.store(0, std::memory_order_relaxed);
}

template <class T>
BatchStatus BatchDriver<T>::run(const BatchCall<T>& call) {
  check(call);
  plan(call);
  if (call.count <= share_) work(0);  // not worth waking the others
  else team_.run();
  BatchStatus all;
  for (Member& member : members_) {
    const BatchStatus& part = member.status;
    if (part.bad_count > 0 && (all.first_bad < 0 || part.first_bad < all.first_bad))
      all.first_bad = part.first_bad;
    all.bad_count += part.bad_count;
    member.status = {};
  }
  return all;
}

template <class T>
void BatchDriver<T>::work(int number) {
  Member& member = members_[static_cast<std::size_t>(number)];
  const void* context = call_->contexts[static_cast<std::size_t>(number)];
  for (;;) {
    const long begin = next_.fetch_add(share_, std::memory_order_relaxed);
    const long end = std::min(begin + share_, call_->count);
    for (long first = begin; first < end; first += tile_)
      run_tile(member, context, first, std::min(tile_, end - first));
    if (end >= call_->count) return;
  }
}

template <class T>
void BatchDriver<T>::run_tile(Member& member, const void* context, long first, long count) {
  const bool direct = direct_ && count % set_.lanes == 0;
  const Tile tile = direct ? in_place(first) : copied(member, first, count);
  call_->kernel(context, padded(count), tile.stride, tile.in.data(), tile.out.data());
  std::fill_n(member.bad.data(), padded(count), T(0));
  if (call_->layout == Layout::by_variable)
    for (std::size_t k = 0; k < call_->out.size(); ++k)
      set_.mark_bad(tile.out[k], tile.stride, call_->out[k].stored, padded(count),
                    member.bad.data());
  if (!direct) write_back(member, tile, first, count);
  find_bad(member, first, count);
}

template <class T>
typename BatchDriver<T>::Tile BatchDriver<T>::in_place(long first) const {
  Tile tile{call_->count, {}, {}};
  for (std::size_t k = 0; k < call_->in.size(); ++k)
    tile.in[k] = call_->in[k].numbers.data() + (call_->in[k].is_table ? 0 : first);
  for (std::size_t k = 0; k < call_->out.size(); ++k)
    tile.out[k] = call_->out[k].numbers.data() + first;
  return tile;
}

/// Copies the input into the member's tile; the lanes left over get the last state once more.
template <class T>
typename BatchDriver<T>::Tile BatchDriver<T>::copied(Member& member, long first, long count) const {
  Tile tile{tile_, {}, {}};
  T* next = member.tile.data();
  for (std::size_t k = 0; k < call_->in.size(); ++k) {
    const int width = call_->in[k].width;
    const T* from = call_->in[k].numbers.data();
    if (call_->in[k].is_table) {
      tile.in[k] = from;
      continue;
    }
    if (call_->layout == Layout::by_state) {
      set_.to_lanes(from + first * width, (call_->count - first) * width, width, count, next,
                    tile_);
    } else {
      for (int j = 0; j < width; ++j)
        std::copy_n(from + j * call_->count + first, count, next + j * tile_);
    }
    for (int j = 0; j < width; ++j)
      std::fill(next + j * tile_ + count, next + j * tile_ + padded(count),
                next[j * tile_ + count - 1]);
    tile.in[k] = next;
    next += width * tile_;
  }
  for (std::size_t k = 0; k < call_->out.size(); ++k) {
    tile.out[k] = next;
    next += call_->out[k].stored * tile_;
  }
  return tile;
}

/// Marks bad states where it writes by state.
template <class T>
void BatchDriver<T>::write_back(Member& member, const Tile& tile, long first, long count) const {
  for (std::size_t k = 0; k < call_->out.size(); ++k) {
    const BatchOutput<T>& out = call_->out[k];
    const int* entries = out.entries.empty() ? nullptr : out.entries.data();
    T* to = out.numbers.data();
    if (call_->layout == Layout::by_state) {
      set_.to_states(tile.out[k], tile_, entries, out.width, count, to + first * out.width,
                     member.bad.data());
      continue;
    }
    for (int j = 0; j < out.width; ++j) {
      const int entry = entries ? entries[j] : j;
      copy_row(entry < 0 ? nullptr : tile.out[k] + entry * tile_, count,
               to + j * call_->count + first);
    }
  }
}

template <class T>
void BatchDriver<T>::find_bad(Member& member, long first, long count) const {
  const T* const bad = member.bad.data();
  for (long i = 0; i < count; ++i) {
    if (bad[i] == T(0)) continue;
    BatchStatus& status = member.status;
    if (status.bad_count == 0 || first + i < status.first_bad) status.first_bad = first + i;
    ++status.bad_count;
  }
}

template class BatchDriver<double>;
template class BatchDriver<float>;

}  // namespace limber
