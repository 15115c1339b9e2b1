#include "compile/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>

#include "compile/schedule.hpp"
#include "index.hpp"

namespace limber {

namespace {

using Limbs = std::uint64_t;  // a bit for each limb; bit 0: the trunk

/// The limb of every element of an array of positions, velocities or what belongs to variables.
std::vector<int> element_limbs(const Model& m, const std::vector<int>& variable_limb,
                               const ArrayShape& array) {
  if (array.size == m.nv) return variable_limb;
  std::vector<int> limbs(at_index(array.size), 0);
  for (std::size_t e = 0; e < array.variables.size(); ++e)
    limbs[e] = variable_limb[at_index(array.variables[e])];
  if (array.size != m.nq) return limbs;
  int q = 0, v = 0;
  for (std::size_t b = 1; b < m.parent.size(); ++b) {
    if (m.master[b] >= 0) continue;
    for (int k = 0; k < m.q_count[b]; ++k) limbs[at_index(q + k)] = variable_limb[at_index(v)];
    q += m.q_count[b], v += m.v_count[b];
  }
  return limbs;
}

constexpr int most_limbs = 7;
constexpr int everywhere = -1;  ///< stage of what every stage computes that needs it

/// The stage of each instruction: limbs inward, trunk, limbs outward.
std::vector<int> stages_of(const Program& p, const Model& m,
                           const std::vector<int>& variable_limb) {
  const int limbs = *std::max_element(variable_limb.begin(), variable_limb.end());
  const std::size_t n = p.code.size();
  std::vector<Limbs> depends(n, 0), needed(n, 0);
  std::vector<std::vector<int>> input_limbs, output_limbs;
  for (const ArrayShape& array : p.shape.inputs)
    input_limbs.push_back(element_limbs(m, variable_limb, array));
  for (const ArrayShape& array : p.shape.outputs)
    output_limbs.push_back(element_limbs(m, variable_limb, array));
  auto operands = [&](std::size_t i) {
    return std::array{p.code[i].a.value, p.code[i].b.value, p.code[i].c.value};
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Instruction& x = p.code[i];
    if (x.op == Op::input) {
      const int limb = input_limbs[at_index(x.array)][at_index(x.element)];
      if (limb > 0) depends[i] = Limbs{1} << limb;
    }
    for (const int y : operands(i))
      if (y >= 0) depends[i] |= depends[at_index(y)];
  }
  for (const Result& r : p.results)
    if (r.value.value >= 0)
      needed[at_index(r.value.value)] |= Limbs{1}
                                         << output_limbs[at_index(r.array)][at_index(r.element)];
  for (std::size_t i = n; i-- > 0;)
    for (const int y : operands(i))
      if (y >= 0) needed[at_index(y)] |= needed[i];
  std::vector<int> stage(n, everywhere);
  for (std::size_t i = 0; i < n; ++i) {
    const int count = std::popcount(depends[i]);
    if (p.code[i].op == Op::input || count == 0) continue;
    if (count == 1) stage[i] = std::countr_zero(depends[i]) - 1;
    else if (std::popcount(needed[i]) == 1 && needed[i] != 1)
      stage[i] = limbs + std::countr_zero(needed[i]);
    else stage[i] = limbs;
  }
  return stage;
}

/// Writes the program of one stage, in the order of the whole.
class StageWriter {
 public:
  StageWriter(const Program& whole, const std::vector<int>& stage, const std::map<int, int>& slot,
              int registers)
      : whole_(whole),
        stage_(stage),
        slot_(slot),
        number_(whole.code.size(), -1),
        registers_(registers) {}

  Program write(int stage, const std::vector<Result>& results) {
    own_ = stage;
    for (int i = 0; i < static_cast<int>(whole_.code.size()); ++i) {
      if (stage_[at_index(i)] != stage) continue;
      add(i);
      if (const auto s = slot_.find(i); s != slot_.end())
        program_.results.push_back({static_cast<int>(whole_.shape.outputs.size()),
                                    s->second,
                                    {number_[at_index(i)], false, 0}});
    }
    for (Result r : results) {
      if (r.value.value >= 0) {
        add(r.value.value);
        r.value.value = number_[at_index(r.value.value)];
      }
      program_.results.push_back(r);
    }
    program_.shape = whole_.shape;
    const ArrayShape crossing{"crossing", static_cast<int>(slot_.size()),
                              "values that cross from stage to stage"};
    program_.shape.inputs.push_back(crossing);
    program_.shape.outputs.push_back(crossing);
    return schedule(program_, registers_);
  }

 private:
  /// Makes instruction i and what it needs part of the program, fetching what others computed.
  void add(int i) {
    if (number_[at_index(i)] >= 0) return;
    Instruction x = whole_.code[at_index(i)];
    if (stage_[at_index(i)] != everywhere && stage_[at_index(i)] != own_) {
      x = {};
      x.array = static_cast<int>(whole_.shape.inputs.size());
      x.element = slot_.at(i);
    }
    for (Operand* y : {&x.a, &x.b, &x.c})
      if (y->value >= 0) {
        add(y->value);
        y->value = number_[at_index(y->value)];
      }
    number_[at_index(i)] = static_cast<int>(program_.code.size());
    program_.code.push_back(x);
  }

  const Program& whole_;
  const std::vector<int>& stage_;
  const std::map<int, int>& slot_;
  std::vector<int> number_;
  int own_ = 0, registers_;
  Program program_;
};

/// The limb of each velocity variable, from 1 on; 0: the trunk, which grows from the root along the
/// larger branches until enough limbs hang on it.
std::vector<int> limbs_of(const Model& m) {
  std::vector<int> roots;  // bodies whose subtrees are limbs
  std::vector<bool> trunk(m.parent.size(), false);
  auto size = [&](int b) { return m.columns_end[at_index(b)] - m.v_index[at_index(b)]; };
  for (const int b : m.children(0)) roots.push_back(b);
  while (true) {
    const auto largest = std::max_element(roots.begin(), roots.end(),
                                          [&](int x, int y) { return size(x) < size(y); });
    if (largest == roots.end()) break;
    const int body = *largest;
    const std::vector<int> children = m.children(body);
    // a chain gains nothing by losing its first body, unless a branch follows
    bool branches = false;
    for (int b = body; !branches && !m.children(b).empty(); b = m.children(b)[0])
      branches = m.children(b).size() > 1;
    if (!branches || static_cast<int>(roots.size() + children.size()) - 1 > most_limbs) break;
    roots.erase(largest);
    trunk[at_index(body)] = true;
    roots.insert(roots.end(), children.begin(), children.end());
  }
  std::vector<int> limb(at_index(m.nv), 0);
  for (std::size_t r = 0; r < roots.size(); ++r)
    for (int b = roots[r]; b < m.subtree_end[at_index(roots[r])]; ++b)
      for (int k = 0; k < m.v_count[at_index(b)]; ++k)
        limb[at_index(m.v_fold[at_index(m.v_index[at_index(b)] + k)].index)] =
            static_cast<int>(r) + 1;
  return limb;
}

/// What one stage computes and another uses, with its place in memory.
std::map<int, int> crossing_values(const Program& p, const std::vector<int>& stage) {
  std::map<int, int> slot;
  for (std::size_t i = 0; i < p.code.size(); ++i)
    for (const int x : {p.code[i].a.value, p.code[i].b.value, p.code[i].c.value})
      if (x >= 0 && stage[at_index(x)] != everywhere && stage[at_index(x)] != stage[i])
        slot.try_emplace(x, static_cast<int>(slot.size()));
  return slot;
}

/// The stages as programs. Inputs and what is `everywhere` are in each that needs them.
Partition written(const Program& p, const std::vector<int>& stage, int registers) {
  const int stages = *std::max_element(stage.begin(), stage.end()) + 1;
  const std::map<int, int> slot = crossing_values(p, stage);
  std::vector<std::vector<Result>> results(at_index(stages));
  for (const Result& r : p.results) {
    const int own = r.value.value < 0 ? everywhere : stage[at_index(r.value.value)];
    results[at_index(own == everywhere ? stages - 1 : own)].push_back(r);
  }
  Partition result;
  result.slots = static_cast<int>(slot.size());
  for (int s = 0; s < stages; ++s) {
    Program program = StageWriter(p, stage, slot, registers).write(s, results[at_index(s)]);
    program.name = p.name + "_stage_" + std::to_string(result.stages.size());
    if (!program.code.empty() || !program.results.empty()) result.stages.push_back(program);
  }
  return result;
}

/// Cuts every stage that is too long into pieces, where few of its values are alive.
std::vector<int> cut(const Program& p, const std::vector<int>& stage, int most) {
  const int stages = *std::max_element(stage.begin(), stage.end()) + 1;
  std::vector<int> finer(stage.size(), everywhere);
  int next = 0;
  for (int s = 0; s < stages; ++s) {
    std::vector<int> own;
    for (int i = 0; i < static_cast<int>(stage.size()); ++i)
      if (stage[at_index(i)] == s) own.push_back(i);
    const int n = static_cast<int>(own.size());
    if (n == 0) continue;
    // values alive after each instruction of the stage
    std::vector<int> place(stage.size(), -1), last(at_index(n), -1), live(at_index(n) + 1, 0);
    for (int k = 0; k < n; ++k) place[at_index(own[at_index(k)])] = k;
    for (int k = 0; k < n; ++k) {
      const Instruction& i = p.code[at_index(own[at_index(k)])];
      for (const int x : {i.a.value, i.b.value, i.c.value})
        if (x >= 0 && place[at_index(x)] >= 0) last[at_index(place[at_index(x)])] = k;
    }
    for (int k = 0; k < n; ++k)
      if (last[at_index(k)] >= 0) ++live[at_index(k)], --live[at_index(last[at_index(k)])];
    std::partial_sum(live.begin(), live.end(), live.begin());
    const int length = n / ((n + most - 1) / most);
    for (int begin = 0; begin < n; ++next) {
      int end = n;
      if (n - begin > most) {
        end = begin + length * 3 / 4;
        for (int k = end; k < std::min(n - 1, begin + length * 5 / 4); ++k)
          if (live[at_index(k)] < live[at_index(end)]) end = k;
        ++end;
      }
      for (; begin < end; ++begin) finer[at_index(own[at_index(begin)])] = next;
    }
  }
  return finer;
}

}  // namespace

Partition partition(const Program& p, const Model& m, int most, int registers) {
  std::vector<int> whole;
  for (const Instruction& i : p.code) whole.push_back(i.op == Op::input ? everywhere : 0);
  const std::vector<int> pieces = cut(p, whole, most);
  const std::vector<int> limbs = cut(p, stages_of(p, m, limbs_of(m)), most);
  const bool fewer = crossing_values(p, limbs).size() < crossing_values(p, pieces).size();
  return written(p, fewer ? limbs : pieces, registers);
}

}  // namespace limber
