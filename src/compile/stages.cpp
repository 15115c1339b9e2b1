#include "compile/stages.hpp"

#include <algorithm>
#include <map>
#include <queue>

#include "compile/orders.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr int in_every_piece = -1;  ///< stage of what every stage does itself that needs it

bool is_comparison(Op op) { return op == Op::less || op == Op::equal; }

/// Values that wait after each instruction for a later one.
std::vector<int> values_alive(const Program& p) {
  std::vector<int> last(p.code.size(), -1), ending(p.code.size(), 0), alive(p.code.size(), 0);
  for (std::size_t i = 0; i < p.code.size(); ++i)
    for (const int x : Reads(p.code[i])) last[at_index(x)] = static_cast<int>(i);
  int now = 0;
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    now -= ending[i];
    if (last[i] >= 0 && p.code[i].op != Op::input) ++now, ++ending[at_index(last[i])];
    alive[i] = now;
  }
  return alive;
}

/// The stage of each instruction.
std::vector<int> stages_of(const Program& p, int most) {
  const int n = static_cast<int>(p.code.size());
  const std::vector<int> alive = values_alive(p);
  std::vector<int> stage;
  for (int s = 0, begin = 0; begin < n; ++s, begin = static_cast<int>(stage.size())) {
    int end = n;
    if (n - begin > most) {  // behind the best instruction of the second half
      int best = begin + (most - 1) / 2;
      for (int k = best; k < begin + most; ++k)
        if (alive[at_index(k)] <= alive[at_index(best)]) best = k;
      end = best + 1;
    }
    stage.resize(at_index(end), s);
  }
  std::map<int, int> turned;  // where the sine or the cosine of an angle is computed
  for (int i = 0; i < n; ++i) {
    const Instruction& x = p.code[at_index(i)];
    if (x.op == Op::input || is_comparison(x.op)) stage[at_index(i)] = in_every_piece;
    if (x.op == Op::sine || x.op == Op::cosine)
      stage[at_index(i)] = turned.try_emplace(x.a.value, stage[at_index(i)]).first->second;
  }
  return stage;
}

/// Calls f(x) for the values that instruction i reads; comparisons are looked through.
template <class F>
void for_operands(const Program& p, int i, F&& f) {
  for (const int x : Reads(p.code[at_index(i)]))
    if (is_comparison(p.code[at_index(x)].op)) for_operands(p, x, f);
    else f(x);
}

/// Places in an array, the lowest free one first.
class Places {
 public:
  int take() {
    if (free_.empty()) return size_++;
    const int place = free_.top();
    free_.pop();
    return place;
  }
  void give_back(int place) { free_.push(place); }
  int size() const { return size_; }

 private:
  std::priority_queue<int, std::vector<int>, std::greater<>> free_;
  int size_ = 0;
};

/// Where the values that cross wait; −1: it does not cross.
struct Slots {
  std::vector<int> of;
  int count = 0;
};

/// A place is given to another value when the last stage that reads the first one is over.
Slots slots_of(const Program& p, const std::vector<int>& stage, int stages) {
  const int n = static_cast<int>(p.code.size());
  std::vector<int> last_reader(p.code.size(), -1);
  for (int i = 0; i < n; ++i)
    if (const int reader = stage[at_index(i)]; reader != in_every_piece)
      for_operands(p, i, [&](int x) {
        const int maker = stage[at_index(x)];
        if (maker != in_every_piece && maker != reader)
          last_reader[at_index(x)] = std::max(last_reader[at_index(x)], reader);
      });
  std::vector<std::vector<int>> made(at_index(stages)), over(at_index(stages));
  for (int i = 0; i < n; ++i)
    if (last_reader[at_index(i)] >= 0) {
      made[at_index(stage[at_index(i)])].push_back(i);
      over[at_index(last_reader[at_index(i)])].push_back(i);
    }
  Slots slots{std::vector<int>(p.code.size(), -1), 0};
  Places places;
  for (int s = 0; s < stages; ++s) {
    for (const int i : made[at_index(s)]) slots.of[at_index(i)] = places.take();
    for (const int i : over[at_index(s)]) places.give_back(slots.of[at_index(i)]);
  }
  slots.count = places.size();
  return slots;
}

/// Writes the program of one stage, in the order of the whole.
class PieceWriter {
 public:
  PieceWriter(const Program& whole, const std::vector<int>& stage, const Slots& slots, int own)
      : whole_(whole), stage_(stage), slots_(slots), own_(own), number_(whole.code.size(), -1) {}

  /// `own`: the instructions of the stage; `results`: those of the whole that it writes.
  Program write(const std::vector<int>& own, const std::vector<Result>& results) {
    program_.shape = whole_.shape;
    program_.shape.inputs.push_back({"from_earlier", slots_.count, "values of earlier stages"});
    program_.shape.outputs.push_back({"for_later", slots_.count, "values for later stages"});
    for (const int i : own) {
      const int value = number(i), slot = slots_.of[at_index(i)];
      if (slot >= 0)
        program_.results.push_back({last_array(whole_.shape.outputs), slot, {value, false, 0}});
    }
    for (Result r : results) {
      if (r.value.value >= 0) r.value.value = number(r.value.value);
      program_.results.push_back(r);
    }
    std::stable_sort(
        program_.results.begin(), program_.results.end(),
        [](const Result& x, const Result& y) { return x.value.value < y.value.value; });
    drop_unused_arrays();
    return program_;
  }

 private:
  static int last_array(const std::vector<ArrayShape>& of_whole) {
    return static_cast<int>(of_whole.size());
  }

  /// The number of instruction i in the stage; what is not there yet is added, and fetched if an
  /// earlier stage made it.
  int number(int i) {
    int& found = number_[at_index(i)];
    if (found >= 0) return found;
    Instruction x = whole_.code[at_index(i)];
    if (stage_[at_index(i)] != in_every_piece && stage_[at_index(i)] != own_)
      x = {Op::input, {}, {}, {}, last_array(whole_.shape.inputs), slots_.of[at_index(i)]};
    for (Operand* y : {&x.a, &x.b, &x.c})
      if (y->value >= 0) y->value = number(y->value);
    program_.code.push_back(x);
    return found = static_cast<int>(program_.code.size()) - 1;
  }

  void drop_unused_arrays() {
    std::vector<int*> read, written;
    for (Instruction& i : program_.code)
      if (i.op == Op::input || i.op == Op::element) read.push_back(&i.array);
    for (Result& r : program_.results) written.push_back(&r.array);
    keep_only(read, program_.shape.inputs);
    keep_only(written, program_.shape.outputs);
  }
  /// Leaves only the arrays that `uses` name, and gives these their new numbers.
  static void keep_only(const std::vector<int*>& uses, std::vector<ArrayShape>& arrays) {
    std::vector<int> renamed(arrays.size(), -1);
    for (const int* k : uses) renamed[at_index(*k)] = 0;
    std::vector<ArrayShape> kept;
    for (std::size_t k = 0; k < arrays.size(); ++k)
      if (renamed[k] == 0) {
        renamed[k] = static_cast<int>(kept.size());
        kept.push_back(arrays[k]);
      }
    for (int* k : uses) *k = renamed[at_index(*k)];
    arrays = std::move(kept);
  }

  const Program& whole_;
  const std::vector<int>& stage_;
  const Slots& slots_;
  int own_;
  std::vector<int> number_;
  Program program_;
};

}  // namespace

StagedProgram in_stages(const Program& p, int most) {
  if (static_cast<int>(p.code.size()) <= most) return {{p}, 0};
  const std::vector<int> stage = stages_of(p, most);
  const int stages = *std::max_element(stage.begin(), stage.end()) + 1;
  const Slots slots = slots_of(p, stage, stages);
  std::vector<std::vector<int>> own(at_index(stages));
  std::vector<std::vector<Result>> results(at_index(stages));
  for (int i = 0; i < static_cast<int>(p.code.size()); ++i)
    if (stage[at_index(i)] != in_every_piece) own[at_index(stage[at_index(i)])].push_back(i);
  for (const Result& r : p.results) {
    const int maker = r.value.value < 0 ? in_every_piece : stage[at_index(r.value.value)];
    results[at_index(maker == in_every_piece ? stages - 1 : maker)].push_back(r);
  }
  StagedProgram staged{{}, slots.count};
  for (int s = 0; s < stages; ++s) {
    if (own[at_index(s)].empty() && results[at_index(s)].empty()) continue;
    Program next = PieceWriter(p, stage, slots, s).write(own[at_index(s)], results[at_index(s)]);
    next.name = p.name + "_stage_" + std::to_string(staged.stages.size());
    staged.stages.push_back(std::move(next));
  }
  return staged;
}

}  // namespace limber
