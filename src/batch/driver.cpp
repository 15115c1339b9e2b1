#include "batch/driver.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace limber {

namespace {

// a tile stays in the first cache, and is not so small that its overhead shows
constexpr long tile_bytes = 24 << 10, most_states = 64;
// every thread takes about so many shares, so that all finish at about the same time
constexpr long shares_per_thread = 16;
// variables at such distances share a few lines of the first cache and drive each other out
constexpr long crowding_bytes = 2048;

template <class Arrays>
long sum_of_widths(const Arrays& arrays) {
  long sum = 0;
  for (const auto& array : arrays) sum += array.width;
  return sum;
}

}  // namespace

template <class T>
BatchDriver<T>::BatchDriver(const LaneSet<T>& set, int threads, int most_numbers, std::string robot)
    : set_(set),
      robot_(std::move(robot)),
      members_(static_cast<std::size_t>(threads)),
      team_(threads, [this](int member) { work(member); }) {
  const long numbers = std::max<long>(most_numbers * set.lanes, tile_bytes / sizeof(T));
  for (Member& member : members_) {
    member.tile.resize(static_cast<std::size_t>(numbers));
    member.bad.resize(static_cast<std::size_t>(padded(most_states)));
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
  for (const auto& array : call.in)
    check_array(call, array.name, array.numbers.size(), array.width);
  for (const auto& array : call.out)
    check_array(call, array.name, array.numbers.size(), array.width);
}

template <class T>
void BatchDriver<T>::plan(const BatchCall<T>& call) {
  const long width = std::max(1L, sum_of_widths(call.in) + sum_of_widths(call.out));
  const long fitting = tile_bytes / static_cast<long>(sizeof(T)) / width;
  tile_ = std::clamp<long>(fitting / set_.lanes * set_.lanes, set_.lanes, most_states);
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
  const bool direct = call_->layout == Layout::by_variable && count % set_.lanes == 0 &&
                      call_->count * static_cast<long>(sizeof(T)) % crowding_bytes != 0;
  const Tile tile = direct ? in_place(first) : copied(member, first, count);
  call_->kernel(context, padded(count), tile.stride, tile.in.data(), tile.out.data());
  if (!direct) write_back(tile, first, count);
  find_bad(member, tile, first, count);
}

template <class T>
typename BatchDriver<T>::Tile BatchDriver<T>::in_place(long first) const {
  Tile tile{call_->count, {}, {}};
  for (std::size_t k = 0; k < call_->in.size(); ++k)
    tile.in[k] = call_->in[k].numbers.data() + first;
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
    next += call_->out[k].width * tile_;
  }
  return tile;
}

template <class T>
void BatchDriver<T>::write_back(const Tile& tile, long first, long count) const {
  for (std::size_t k = 0; k < call_->out.size(); ++k) {
    const int width = call_->out[k].width;
    T* to = call_->out[k].numbers.data();
    if (call_->layout == Layout::by_state) {
      for (long i = 0; i < count; ++i)
        for (int j = 0; j < width; ++j) to[(first + i) * width + j] = tile.out[k][j * tile_ + i];
    } else {
      for (int j = 0; j < width; ++j)
        std::copy_n(tile.out[k] + j * tile_, count, to + j * call_->count + first);
    }
  }
}

template <class T>
void BatchDriver<T>::find_bad(Member& member, const Tile& tile, long first, long count) const {
  T* const bad = member.bad.data();
  std::fill_n(bad, padded(count), T(0));
  for (std::size_t k = 0; k < call_->out.size(); ++k)
    set_.mark_bad(tile.out[k], tile.stride, call_->out[k].width, padded(count), bad);
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
