#include "compile/schedule.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "compile/orders.hpp"

namespace limber {

namespace {

Program reordered(const Program& p, const std::vector<int>& order) {
  Program r;
  r.name = p.name;
  r.shape = p.shape;
  r.code.reserve(p.code.size());
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

Program with_early_inputs(const Program& p, int distance) {
  const int n = static_cast<int>(p.code.size());
  std::vector<std::pair<int, int>> places;  // of each instruction
  std::vector<int> first_use(p.code.size(), n);
  for (int i = n; i-- > 0;)
    for (const int x : Reads(p.code[static_cast<std::size_t>(i)]))
      first_use[static_cast<std::size_t>(x)] = i;
  for (int i = 0; i < n; ++i) {
    const bool is_input = p.code[static_cast<std::size_t>(i)].op == Op::input;
    const int early = first_use[static_cast<std::size_t>(i)] - distance;
    places.emplace_back(is_input ? std::min(i, std::max(0, early)) : i, i);
  }
  // an input comes before the instruction in whose place it steps
  std::stable_sort(places.begin(), places.end(), [&](const auto& x, const auto& y) {
    if (x.first != y.first) return x.first < y.first;
    return (x.first < x.second) && !(y.first < y.second);
  });
  std::vector<int> order;
  for (const auto& [place, i] : places) order.push_back(i);
  return reordered(p, order);
}

int reloads(const Program& p, int registers) {
  // where each value is read next, seen from each of its readers and from where it is made
  const int never = static_cast<int>(p.code.size());
  std::vector<int> next_use(p.code.size(), never);
  std::vector<std::array<int, 3>> after(p.code.size());
  for (std::size_t i = p.code.size(); i-- > 0;)
    for (std::size_t k = 0; const int x : Reads(p.code[i]))
      after[i][k++] = std::exchange(next_use[static_cast<std::size_t>(x)], static_cast<int>(i));
  std::set<std::pair<int, int>> kept;  // next use, value
  int count = 0;
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    const Reads used(p.code[i]);
    for (const int x : used)
      if (kept.erase({static_cast<int>(i), x}) == 0) ++count;
    for (std::size_t k = 0; const int x : used) {
      if (after[i][k] != never) kept.emplace(after[i][k], x);
      ++k;
    }
    if (next_use[i] != never) kept.emplace(next_use[i], static_cast<int>(i));
    while (static_cast<int>(kept.size()) > registers) kept.erase(std::prev(kept.end()));
  }
  return count;
}

Program schedule(const Program& p, int registers) {
  std::vector<int> as_traced(p.code.size()), forwards;
  for (std::size_t i = 0; i < as_traced.size(); ++i) as_traced[i] = static_cast<int>(i);
  for (const Result& r : p.results)
    if (r.value.value >= 0) forwards.push_back(r.value.value);
  const std::vector<int> backwards(forwards.rbegin(), forwards.rend());

  Program best;
  std::pair<int, int> least;  // reloads; values alive at a time where these are equal
  const auto consider = [&](const Program& next) {
    const std::pair cost{reloads(next, registers), next.count().largest_live};
    if (best.code.empty() || cost < least) best = next, least = cost;
  };
  for (const std::vector<int>& start :
       {as_traced, depth_first(p, forwards), depth_first(p, backwards)}) {
    const Program first = reordered(p, start);
    consider(first);
    consider(reordered(first, fewest_kept(first)));
    const Program asked = reordered(first, fewest_asked_for(first));
    consider(reordered(asked, fewest_kept(asked)));
  }
  return best;
}

ProgramCounts Program::count() const {
  ProgramCounts c;
  std::vector<int> last(code.size(), -1);
  for (std::size_t i = 0; i < code.size(); ++i)
    for (const int x : Reads(code[i])) last[static_cast<std::size_t>(x)] = static_cast<int>(i);
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
