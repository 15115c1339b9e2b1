#pragma once
// Orders in which a program's instructions can stand. Each is a list of instruction numbers,
// operands before operations.
#include <algorithm>
#include <array>
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// The values that an instruction reads, each once.
class Reads {
 public:
  explicit Reads(const Instruction& i) {
    for (const int x : {i.a.value, i.b.value, i.c.value})
      if (x >= 0 && std::find(begin(), end(), x) == end())
        values_[static_cast<std::size_t>(count_++)] = x;
  }
  const int* begin() const { return values_.data(); }
  const int* end() const { return values_.data() + count_; }
  int count() const { return count_; }

 private:
  std::array<int, 3> values_{};
  int count_ = 0;
};

/// Depth first from the roots, in their order: what a value needs is computed just before it, the
/// most demanding operand first. Every instruction must be needed by a root.
std::vector<int> depth_first(const Program& program, const std::vector<int>& roots);

/// Forwards: always next, of all instructions whose operands are there, the one after which fewest
/// values have to be kept; where several are equal, the one that stands first in the program.
std::vector<int> fewest_kept(const Program& program);

/// Backwards: always next, of all instructions whose results nobody asks for any more, the one
/// that asks for fewest new values; where several are equal, the one that stands last.
std::vector<int> fewest_asked_for(const Program& program);

}  // namespace limber
