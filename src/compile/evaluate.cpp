#include <cmath>

#include <limber/compile/program.hpp>

namespace limber {

void evaluate(const Program& program, std::span<const std::span<const double>> inputs,
              std::span<const std::span<double>> outputs) {
  std::vector<double> value(program.code.size());
  auto of = [&](const Operand& x) {
    if (x.value < 0) return x.constant;
    const double y = value[static_cast<std::size_t>(x.value)];
    return x.negative ? -y : y;
  };
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& n = program.code[i];
    double& r = value[i];
    switch (n.op) {
      case Op::input:
        r = inputs[static_cast<std::size_t>(n.array)][static_cast<std::size_t>(n.element)];
        break;
      case Op::add:
        r = of(n.a) + of(n.b);
        break;
      case Op::subtract:
        r = of(n.a) - of(n.b);
        break;
      case Op::multiply:
        r = of(n.a) * of(n.b);
        break;
      case Op::fused:
        r = std::fma(of(n.a), of(n.b), of(n.c));
        break;
      case Op::divide:
        r = of(n.a) / of(n.b);
        break;
      case Op::root:
        r = std::sqrt(of(n.a));
        break;
      case Op::sine:
        r = std::sin(of(n.a));
        break;
      case Op::cosine:
        r = std::cos(of(n.a));
        break;
      case Op::less:
        r = of(n.a) < of(n.b) ? 1 : 0;
        break;
      case Op::equal:
        r = of(n.a) == of(n.b) ? 1 : 0;
        break;
      case Op::choose:
        r = of(n.a) != 0 ? of(n.b) : of(n.c);
        break;
    }
  }
  for (const Result& x : program.results)
    outputs[static_cast<std::size_t>(x.array)][static_cast<std::size_t>(x.element)] = of(x.value);
}

}  // namespace limber
