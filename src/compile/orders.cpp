#include "compile/orders.hpp"
#include "index.hpp"

#include <functional>
#include <numeric>
#include <queue>
#include <span>

namespace limber {

namespace {

/// Registers that a value needs if nothing is shared (Sethi and Ullman's numbers).
std::vector<int> register_needs(const Program& p) {
  std::vector<int> need(p.code.size(), 1);
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    std::array<int, 3> of{};
    for (int k = 0; const int x : Reads(p.code[i])) of[at_index(k++)] = need[at_index(x)];
    std::sort(of.rbegin(), of.rend());
    for (int k = 0; k < 3 && of[at_index(k)] > 0; ++k)
      need[i] = std::max(need[i], of[at_index(k)] + k);
  }
  return need;
}

/// Who reads each value.
class Users {
 public:
  explicit Users(const Program& p) : start_(p.code.size() + 1, 0) {
    for (const Instruction& i : p.code)
      for (const int x : Reads(i)) ++start_[at_index(x) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    users_.resize(at_index(start_.back()));
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < p.code.size(); ++i)
      for (const int x : Reads(p.code[i]))
        users_[at_index(next[at_index(x)]++)] = static_cast<int>(i);
  }
  std::span<const int> operator[](int x) const {
    return {users_.data() + start_[at_index(x)], users_.data() + start_[at_index(x) + 1]};
  }

 private:
  std::vector<int> start_, users_;
};

/// Instructions that could be next, the best first: least change in the number of values alive,
/// then least place.
class Ready {
 public:
  explicit Ready(std::size_t size) : change_(size, none) {}
  /// Puts instruction i, or changes its place.
  void put(int i, int change, int place) {
    change_[at_index(i)] = change;
    queues_[at_index(change + most)].emplace(place, i);
  }
  bool contains(int i) const { return change_[at_index(i)] != none; }
  /// The best instruction, or −1.
  int take() {
    for (int change = -most; change <= most; ++change)
      for (auto& queue = queues_[at_index(change + most)]; !queue.empty();) {
        const int i = queue.top().second;
        queue.pop();
        if (change_[at_index(i)] != change) continue;  // it has moved to another queue, or is taken
        change_[at_index(i)] = none;
        return i;
      }
    return -1;
  }

 private:
  static constexpr int most = 3, none = 99;  ///< operands of an instruction
  using Entry = std::pair<int, int>;         ///< place, instruction
  std::array<std::priority_queue<Entry, std::vector<Entry>, std::greater<>>, 2 * most + 1> queues_;
  std::vector<int> change_;
};

}  // namespace

std::vector<int> depth_first(const Program& p, const std::vector<int>& roots) {
  const std::vector<int> need = register_needs(p);
  std::vector<int> order;
  std::vector<char> state(p.code.size(), 0);  // 1: operands asked for, 2: done
  std::vector<int> stack;
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int i = stack.back();
      char& s = state[at_index(i)];
      if (s != 0) {
        stack.pop_back();
        if (s == 1) order.push_back(i), s = 2;
        continue;
      }
      s = 1;
      std::vector<int> next;
      for (const int x : Reads(p.code[at_index(i)]))
        if (state[at_index(x)] == 0) next.push_back(x);
      // the last one pushed is computed first
      std::stable_sort(next.begin(), next.end(),
                       [&](int x, int y) { return need[at_index(x)] < need[at_index(y)]; });
      stack.insert(stack.end(), next.begin(), next.end());
    }
  }
  return order;
}

std::vector<int> fewest_kept(const Program& p) {
  const Users users(p);
  const int n = static_cast<int>(p.code.size());
  std::vector<int> missing, unread;  // operands to come; users to come
  for (int i = 0; i < n; ++i) {
    missing.push_back(Reads(p.code[at_index(i)]).count());
    unread.push_back(static_cast<int>(users[i].size()));
  }
  Ready ready(p.code.size());
  const auto put = [&](int i) {
    int change = unread[at_index(i)] > 0 ? 1 : 0;
    for (const int x : Reads(p.code[at_index(i)])) change -= unread[at_index(x)] == 1 ? 1 : 0;
    ready.put(i, change, i);
  };
  for (int i = 0; i < n; ++i)
    if (missing[at_index(i)] == 0) put(i);
  std::vector<int> order;
  for (int i = ready.take(); i >= 0; i = ready.take()) {
    order.push_back(i);
    for (const int x : Reads(p.code[at_index(i)]))
      if (--unread[at_index(x)] == 1)  // its last reader would set it free
        for (const int user : users[x])
          if (ready.contains(user)) put(user);
    for (const int user : users[i])
      if (--missing[at_index(user)] == 0) put(user);
  }
  return order;
}

std::vector<int> fewest_asked_for(const Program& p) {
  const Users users(p);
  const int n = static_cast<int>(p.code.size());
  std::vector<int> unplaced;  // users that do not stand in the order yet
  for (int i = 0; i < n; ++i) unplaced.push_back(static_cast<int>(users[i].size()));
  std::vector<char> asked_for(p.code.size(), 0);
  Ready ready(p.code.size());
  const auto put = [&](int i) {
    int change = asked_for[at_index(i)] ? -1 : 0;
    for (const int x : Reads(p.code[at_index(i)])) change += asked_for[at_index(x)] ? 0 : 1;
    ready.put(i, change, -i);
  };
  for (int i = 0; i < n; ++i)
    if (unplaced[at_index(i)] == 0) put(i);
  std::vector<int> order;
  for (int i = ready.take(); i >= 0; i = ready.take()) {
    order.push_back(i);
    for (const int x : Reads(p.code[at_index(i)])) {
      const bool is_new = !asked_for[at_index(x)];
      asked_for[at_index(x)] = 1;
      if (--unplaced[at_index(x)] == 0) put(x);
      if (!is_new) continue;
      for (const int user : users[x])
        if (ready.contains(user)) put(user);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace limber
