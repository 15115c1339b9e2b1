#include "compile/emit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace limber {

namespace {

/// Fewer angles than this are not worth the way through memory that brings them together.
constexpr std::size_t few_angles = 4;

class Writer {
 public:
  Writer(const Program& program, const Dialect& dialect)
      : program_(program), dialect_(dialect), written_(program.code.size(), false) {
    for (std::size_t i = 0; i < program.code.size(); ++i) {
      const Op op = program.code[i].op;
      if (op == Op::sine) sine_of_[program.code[i].a.value] = static_cast<int>(i);
      if (op == Op::cosine) cosine_of_[program.code[i].a.value] = static_cast<int>(i);
    }
  }

  std::string text() {
    std::size_t next = 0;
    write_results(next, -1);
    if (dialect_.sincos_together) write_sincos_together();
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      write_once(static_cast<int>(i));
      write_results(next, static_cast<int>(i));
    }
    return text_;
  }

 private:
  std::string of(const Operand& x) const {
    if (x.value < 0 && x.constant != x.in_float)
      return fmt::format("(sizeof({}) < 8 ? {} : {})", dialect_.real, dialect_.constant(x.in_float),
                         dialect_.constant(x.constant));
    if (x.value < 0) return dialect_.constant(x.constant);
    return fmt::format("{}t{}", x.negative ? "-" : "", x.value);
  }
  void line(const std::string& statement) { text_ += dialect_.indent + statement + ";\n"; }
  void define(int i, const std::string& value) {
    line(fmt::format("const {} t{} = {}", dialect_.number, i, value));
  }
  /// Results whose values are there after instruction i.
  void write_results(std::size_t& next, int i) {
    for (; next < program_.results.size() && program_.results[next].value.value <= i; ++next) {
      const Result& r = program_.results[next];
      line(dialect_.output(program_.shape.outputs[static_cast<std::size_t>(r.array)].name,
                           r.element, of(r.value)));
    }
  }
  /// Sine and cosine of an angle come together.
  void write_sincos(const Operand& angle) {
    const auto s = sine_of_.find(angle.value), c = cosine_of_.find(angle.value);
    const std::string sine =
        s == sine_of_.end() ? fmt::format("s{}", angle.value) : fmt::format("t{}", s->second);
    const std::string cosine =
        c == cosine_of_.end() ? fmt::format("c{}", angle.value) : fmt::format("t{}", c->second);
    const char* address = dialect_.by_address ? "&" : "";
    line(fmt::format("{} {}, {}", dialect_.number, sine, cosine));
    line(fmt::format("{}({}, {}{}, {}{})", dialect_.sincos, of(angle), address, sine, address,
                     cosine));
    if (s != sine_of_.end()) sine_of_.erase(s), done_[angle.value] = true;
    if (c != cosine_of_.end()) cosine_of_.erase(c), done_[angle.value] = true;
  }
  /// True for inputs, and for sums and products of inputs and constants.
  bool is_early(int i) const {
    const Instruction& n = program_.code[static_cast<std::size_t>(i)];
    return n.op == Op::input ||
           std::ranges::all_of(std::array{n.a, n.b, n.c}, [&](const Operand& x) {
             return x.value < 0 || program_.code[static_cast<std::size_t>(x.value)].op == Op::input;
           });
  }
  /// Sine and cosine of all angles that are there from the beginning, unless these are few.
  void write_sincos_together() {
    std::vector<std::string> angles;
    for (const Instruction& n : program_.code) {
      if (n.op != Op::sine && n.op != Op::cosine) continue;
      if (!is_early(n.a.value)) continue;
      if (together_.try_emplace(n.a.value, angles.size()).second) angles.push_back(of(n.a));
    }
    if (angles.size() < few_angles) return together_.clear();
    for (const auto& [angle, place] : together_) {
      const Instruction& n = program_.code[static_cast<std::size_t>(angle)];
      for (const Operand& x : {n.a, n.b, n.c})
        if (x.value >= 0) write_once(x.value);
      write_once(angle);
    }
    text_ += dialect_.sincos_together(angles);
  }
  void write_once(int i) {
    if (written_[static_cast<std::size_t>(i)]) return;
    written_[static_cast<std::size_t>(i)] = true;
    write(i);
  }
  void write(int i) {
    const Instruction& n = program_.code[static_cast<std::size_t>(i)];
    const std::string a = of(n.a), b = of(n.b), c = of(n.c);
    switch (n.op) {
      case Op::input:
        return define(i,
                      dialect_.input(program_.shape.inputs[static_cast<std::size_t>(n.array)].name,
                                     n.element));
      case Op::add:
        return define(i, fmt::format("{} + {}", a, b));
      case Op::subtract:
        return define(i, fmt::format("{} - {}", a, b));
      case Op::multiply:
        return define(i, fmt::format("{} * {}", a, b));
      case Op::fused:
        return define(i, fmt::format("{}({}, {}, {})", dialect_.fused, a, b, c));
      case Op::divide:
        return define(i, fmt::format("{} / {}", a, b));
      case Op::root:
        return define(i, fmt::format("{}({})", dialect_.root, a));
      case Op::floor:
        return define(i, fmt::format("{}({})", dialect_.floor, a));
      case Op::element: {
        const ArrayShape& table = program_.shape.inputs[static_cast<std::size_t>(n.array)];
        return define(i,
                      fmt::format("{}({}, {}, {})", dialect_.element, table.name, a, table.size));
      }
      case Op::sine:
      case Op::cosine:
        if (const auto together = together_.find(n.a.value); together != together_.end())
          return define(
              i, fmt::format("{}[{}]", n.op == Op::sine ? "sines" : "cosines", together->second));
        if (!done_[n.a.value]) write_sincos(n.a);
        return;
      case Op::less:
        return line(fmt::format("const {} t{} = {} < {}", dialect_.condition, i, a, b));
      case Op::equal:
        return line(fmt::format("const {} t{} = {} == {}", dialect_.condition, i, a, b));
      case Op::choose:
        return define(i, dialect_.choose.empty()
                             ? fmt::format("{} ? {} : {}", a, b, c)
                             : fmt::format("{}({}, {}, {})", dialect_.choose, a, b, c));
      case Op::constant:
        return;  // an operand
    }
  }

  const Program& program_;
  const Dialect& dialect_;
  std::string text_;
  std::map<int, int> sine_of_, cosine_of_;  ///< by the value of the angle
  std::map<int, bool> done_;
  std::vector<bool> written_;
  std::map<int, std::size_t> together_;  ///< place in `sines` and `cosines`, by the angle
};

}  // namespace

std::string statements(const Program& program, const Dialect& dialect) {
  return Writer(program, dialect).text();
}

}  // namespace limber
