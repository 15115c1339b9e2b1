#include "compile/schedule.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>

namespace limber {

namespace {

std::array<int, 3> operands(const Instruction& i) { return {i.a.value, i.b.value, i.c.value}; }

/// Registers that a value needs if nothing is shared (Sethi and Ullman's numbers).
std::vector<int> register_needs(const Program& p) {
  std::vector<int> need(p.code.size(), 1);
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    std::vector<int> of;
    for (const int x : operands(p.code[i]))
      if (x >= 0) of.push_back(need[static_cast<std::size_t>(x)]);
    std::sort(of.rbegin(), of.rend());
    for (std::size_t k = 0; k < of.size(); ++k)
      need[i] = std::max(need[i], of[k] + static_cast<int>(k));
  }
  return need;
}

/// Depth first from the results: what a value needs is computed just before it, the most demanding
/// operand first.
std::vector<int> depth_first(const Program& p, const std::vector<int>& roots) {
  const std::vector<int> need = register_needs(p);
  std::vector<int> order;
  std::vector<char> state(p.code.size(), 0);  // 1: operands asked for, 2: done
  std::vector<int> stack;
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int i = stack.back();
      char& s = state[static_cast<std::size_t>(i)];
      if (s != 0) {
        stack.pop_back();
        if (s == 1) order.push_back(i), s = 2;
        continue;
      }
      s = 1;
      std::vector<int> next;
      for (const int x : operands(p.code[static_cast<std::size_t>(i)]))
        if (x >= 0 && state[static_cast<std::size_t>(x)] == 0) next.push_back(x);
      // the last one pushed is computed first
      std::stable_sort(next.begin(), next.end(), [&](int x, int y) {
        return need[static_cast<std::size_t>(x)] < need[static_cast<std::size_t>(y)];
      });
      stack.insert(stack.end(), next.begin(), next.end());
    }
  }
  return order;
}

Program reordered(const Program& p, const std::vector<int>& order) {
  Program r;
  r.name = p.name;
  r.shape = p.shape;
  std::vector<int> number(p.code.size(), -1);
  auto renumber = [&](Operand& x) {
    if (x.value >= 0) x.value = number[static_cast<std::size_t>(x.value)];
  };
  for (const int i : order) {
    Instruction next = p.code[static_cast<std::size_t>(i)];
    renumber(next.a), renumber(next.b), renumber(next.c);
    number[static_cast<std::size_t>(i)] = static_cast<int>(r.code.size());
    r.code.push_back(next);
  }
  r.results = p.results;
  for (Result& x : r.results) renumber(x.value);
  std::stable_sort(r.results.begin(), r.results.end(),
                   [](const Result& x, const Result& y) { return x.value.value < y.value.value; });
  return r;
}

}  // namespace

int reloads(const Program& p, int registers) {
  const int never = std::numeric_limits<int>::max();
  const int n = static_cast<int>(p.code.size());
  std::vector<std::vector<int>> uses(p.code.size());  // in reverse order
  for (int i = n; i-- > 0;)
    for (const int x : operands(p.code[static_cast<std::size_t>(i)]))
      if (x >= 0) uses[static_cast<std::size_t>(x)].push_back(i);
  std::set<std::pair<int, int>> kept;  // next use, value
  std::vector<char> is_kept(p.code.size(), 0);
  auto next_use = [&](int x) {
    const auto& u = uses[static_cast<std::size_t>(x)];
    return u.empty() ? never : u.back();
  };
  int count = 0;
  auto keep = [&](int x) {
    if (static_cast<int>(kept.size()) >= registers) {
      is_kept[static_cast<std::size_t>(std::prev(kept.end())->second)] = 0;
      kept.erase(std::prev(kept.end()));
    }
    kept.emplace(next_use(x), x);
    is_kept[static_cast<std::size_t>(x)] = 1;
  };
  for (int i = 0; i < n; ++i) {
    for (const int x : operands(p.code[static_cast<std::size_t>(i)])) {
      if (x < 0) continue;
      if (is_kept[static_cast<std::size_t>(x)]) kept.erase({next_use(x), x});
      else ++count;
      auto& u = uses[static_cast<std::size_t>(x)];
      while (!u.empty() && u.back() <= i) u.pop_back();
      is_kept[static_cast<std::size_t>(x)] = 0;
      if (!u.empty()) keep(x);
    }
    if (!uses[static_cast<std::size_t>(i)].empty()) keep(i);
  }
  return count;
}

Program schedule(const Program& p) {
  std::vector<int> as_traced(p.code.size()), forwards;
  for (std::size_t i = 0; i < as_traced.size(); ++i) as_traced[i] = static_cast<int>(i);
  for (const Result& r : p.results)
    if (r.value.value >= 0) forwards.push_back(r.value.value);
  const std::vector<int> backwards(forwards.rbegin(), forwards.rend());
  Program best = reordered(p, as_traced);
  int least = reloads(best, 32);
  for (const std::vector<int>& roots : {forwards, backwards}) {
    Program next = reordered(p, depth_first(p, roots));
    const int count = reloads(next, 32);
    if (count < least) best = std::move(next), least = count;
  }
  return best;
}

ProgramCounts Program::count() const {
  ProgramCounts c;
  std::vector<int> last(code.size(), -1);
  for (std::size_t i = 0; i < code.size(); ++i)
    for (const int x : operands(code[i]))
      if (x >= 0) last[static_cast<std::size_t>(x)] = static_cast<int>(i);
  std::vector<int> ending(code.size(), 0);
  for (const int end : last)
    if (end >= 0) ++ending[static_cast<std::size_t>(end)];
  int live = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    live += (last[i] >= 0 ? 1 : 0) - ending[i];
    c.largest_live = std::max(c.largest_live, live);
    switch (code[i].op) {
      case Op::input:
        break;
      case Op::add:
      case Op::subtract:
        ++c.additions;
        break;
      case Op::multiply:
        ++c.multiplications;
        break;
      case Op::fused:
        ++c.fused;
        break;
      case Op::divide:
        ++c.divisions;
        break;
      case Op::root:
        ++c.roots;
        break;
      case Op::sine:
        ++c.sincos;
        break;
      case Op::cosine:
        break;
      default:
        ++c.other;
    }
  }
  return c;
}

}  // namespace limber
