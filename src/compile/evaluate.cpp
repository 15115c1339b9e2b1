#include "compile/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {

namespace {

/// One program running in `lanes` states.
template <class T, int lanes>
class Run {
 public:
  using Lanes = std::array<T, lanes>;

  Run(const Program& program, T* values) : program_(program), values_(values) {}

  Lanes of(const Operand& x) const {
    Lanes r;
    if (x.value < 0) {
      r.fill(static_cast<T>(std::is_same_v<T, float> ? x.in_float : x.constant));
      return r;
    }
    const T* value = values_ + static_cast<std::ptrdiff_t>(x.value) * lanes;
    for (std::size_t l = 0; l < lanes; ++l) r[l] = x.negative ? -value[l] : value[l];
    return r;
  }

  void load(std::size_t i, const T* from, long states) {
    T* value = values_ + i * lanes;
    for (long l = 0; l < lanes; ++l) value[l] = from[l < states ? l : 0];
  }

  /// Numbers of a table.
  void look_up(std::size_t i, const T* table, int size) {
    const Lanes index = of(program_.code[i].a);
    T* value = values_ + i * lanes;
    for (std::size_t l = 0; l < lanes; ++l) {
      const T most = static_cast<T>(size - 1), x = index[l] > 0 ? index[l] : 0;  // 0 for no number
      value[l] = table[static_cast<std::size_t>(x < most ? x : most)];
    }
  }

  void compute(std::size_t i) {
    const Instruction& n = program_.code[i];
    const Lanes a = of(n.a), b = of(n.b), c = of(n.c);
    T* value = values_ + i * lanes;
    auto each = [&](auto&& f) {
      for (std::size_t l = 0; l < lanes; ++l) value[l] = f(a[l], b[l], c[l]);
    };
    switch (n.op) {
      case Op::input:
      case Op::constant:
      case Op::element:
        return;  // loaded, or an operand
      case Op::add:
        return each([](T x, T y, T) { return x + y; });
      case Op::subtract:
        return each([](T x, T y, T) { return x - y; });
      case Op::multiply:
        return each([](T x, T y, T) { return x * y; });
      case Op::fused:
        return each([](T x, T y, T z) { return std::fma(x, y, z); });
      case Op::divide:
        return each([](T x, T y, T) { return x / y; });
      case Op::root:
        return each([](T x, T, T) { return std::sqrt(x); });
      case Op::floor:
        return each([](T x, T, T) { return std::floor(x); });
      case Op::sine:
        return each([](T x, T, T) { return std::sin(x); });
      case Op::cosine:
        return each([](T x, T, T) { return std::cos(x); });
      case Op::less:
        return each([](T x, T y, T) { return static_cast<T>(x < y); });
      case Op::equal:
        return each([](T x, T y, T) { return static_cast<T>(x == y); });
      case Op::choose:
        return each([](T x, T y, T z) { return x != 0 ? y : z; });
    }
  }

 private:
  const Program& program_;
  T* values_;  ///< of every instruction, its lanes side by side
};

}  // namespace

template <class T, int lanes>
void evaluate_block(const Program& program, std::vector<T>& values, long first, long states,
                    long stride, const T* const* in, T* const* out) {
  values.resize(std::max(values.size(), program.code.size() * lanes));
  Run<T, lanes> run(program, values.data());
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& n = program.code[i];
    if (n.op == Op::input) run.load(i, in[n.array] + n.element * stride + first, states);
    else if (n.op == Op::element)
      run.look_up(i, in[n.array], program.shape.inputs[static_cast<std::size_t>(n.array)].size);
    else run.compute(i);
  }
  for (const Result& result : program.results) {
    const auto value = run.of(result.value);
    std::copy_n(value.begin(), states, out[result.array] + result.element * stride + first);
  }
}

template void evaluate_block<double, 1>(const Program&, std::vector<double>&, long, long, long,
                                        const double* const*, double* const*);
template void evaluate_block<double, 8>(const Program&, std::vector<double>&, long, long, long,
                                        const double* const*, double* const*);
template void evaluate_block<float, 8>(const Program&, std::vector<float>&, long, long, long,
                                       const float* const*, float* const*);

void evaluate(const Program& program, std::span<const std::span<const double>> inputs,
              std::span<const std::span<double>> outputs) {
  std::vector<const double*> in;
  std::vector<double*> out;
  std::vector<double> values;
  for (const std::span<const double>& array : inputs) in.push_back(array.data());
  for (const std::span<double>& array : outputs) out.push_back(array.data());
  evaluate_block<double, 1>(program, values, 0, 1, 1, in.data(), out.data());
}

}  // namespace limber
