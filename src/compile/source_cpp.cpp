// Plain C++: ROBOT.hpp, functions of one state as templates over the number.
#include <fmt/format.h>

#include "compile/emit.hpp"
#include "compile/example.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

// the numbers of the sine and cosine are those of limber/scalar/pack_sincos.hpp
constexpr const char* helpers = R"(namespace detail {

/// a b + c: one instruction where the machine has it, else a product and a sum; never a call.
inline double fma(double a, double b, double c) {
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}
inline float fma(float a, float b, float c) {
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__aarch64__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Number `index` of a table; the nearest one outside of it, the first one for what is no number.
template <class T>
inline T at(const T* table, T index, int size) {
  const T most = static_cast<T>(size - 1);
  return table[index > 0 ? static_cast<int>(index < most ? index : most) : 0];
}

/// For |x| < 1e5, within 2 units in the last place: x = k pi/2 + r with |r| < pi/4, polynomials for r,
/// exchanged and signed by the quadrant k.
[[gnu::always_inline]] inline void near_sincos(double x, double& sine, double& cosine) {
  const int k = static_cast<int>(x * 0.63661977236758138 + (x < 0 ? -0.5 : 0.5));
  const double n = k;
  double r = fma(n, -0x1.921fb5444p+0, x);  // pi/2 in three parts; products with the first two are exact
  r = fma(n, -0x1.98a2e03707345p-77, fma(n, -0x1.68c234c4cp-39, r));
  const double u = r * r;
  double p = 0x1.5d8b55ce3dd82p-33, w = -0x1.8fb09170001a7p-37;
  p = fma(p, u, -0x1.ae5e4b8485af4p-26), w = fma(w, u, 0x1.1ee9f044e39c7p-29);
  p = fma(p, u, 0x1.71de35552be1dp-19), w = fma(w, u, -0x1.27e4f8116c4b8p-22);
  p = fma(p, u, -0x1.a01a019be921cp-13), w = fma(w, u, 0x1.a01a019cbe0a2p-16);
  p = fma(p, u, 0x1.111111110f730p-7), w = fma(w, u, -0x1.6c16c16c15217p-10);
  p = fma(p, u, -0x1.5555555555548p-3), w = fma(w, u, 0x1.555555555554cp-5);
  const double s = fma(r * u, p, r), c = fma(u * u, w, fma(u, -0.5, 1.0));
  const double first = k & 1 ? c : s, second = k & 1 ? s : c;
  sine = k & 2 ? -first : first;
  cosine = (k + 1) & 2 ? -second : second;
}
inline bool is_near(double x) { return std::abs(x) < 1e5; }
template <class T>
inline void sincos(T x, T& sine, T& cosine) {
  if (!is_near(x)) {
    sine = std::sin(x);
    cosine = std::cos(x);
    return;
  }
  double s, c;
  near_sincos(x, s, c);
  sine = static_cast<T>(s);
  cosine = static_cast<T>(c);
}
/// Of several angles: a loop that compilers turn into vectors.
template <int count, class T>
inline void sincos(const T* __restrict x, T* __restrict sine, T* __restrict cosine) {
  bool near = true;
  for (int i = 0; i < count; ++i) near &= is_near(x[i]);
  if (!near) {
    for (int i = 0; i < count; ++i) sincos(x[i], sine[i], cosine[i]);
    return;
  }
  for (int i = 0; i < count; ++i) {
    double s, c;
    near_sincos(x[i], s, c);
    sine[i] = static_cast<T>(s);
    cosine[i] = static_cast<T>(c);
  }
}

}  // namespace detail
)";

Dialect dialect() {
  Dialect d;
  d.number = "T";
  d.condition = "bool";
  d.input = [](const std::string& name, int e) { return fmt::format("{}[{}]", name, e); };
  d.output = [](const std::string& name, int e, const std::string& value) {
    return fmt::format("{}[{}] = {}", name, e, value);
  };
  d.constant = [](double x) { return fmt::format("T({})", number_text(x)); };
  d.sincos_together = [](const std::vector<std::string>& angles) {
    const std::size_t full = (angles.size() + 7) / 8 * 8;  // whole vectors; the rest is 0
    return fmt::format(
        "  const T angles[{0}] = {{{1}}};\n  T sines[{0}], cosines[{0}];\n"
        "  sincos<{0}>(angles, sines, cosines);\n",
        full, fmt::join(angles, ", "));
  };
  return d;
}

/// The statements of a function or of a stage.
std::string straight_line(const Program& program) {
  return "  using detail::at, detail::fma, detail::sincos, std::floor, std::sqrt;\n" +
         statements(program, dialect());
}

/// Declares the stages, or defines them.
std::string stages_text(const StagedProgram& staged, StagePlace place) {
  std::string text = "namespace detail {\n\n";
  for (const Program& stage : staged.stages)
    text += place == StagePlace::header ? cpp_stage(stage) + "\n"
                                        : fmt::format("template <class T>\nvoid {}({});\n",
                                                      stage.name, parameter_list(stage, "T"));
  return text + "\n}  // namespace detail\n\n";
}

std::string function_text(const Program& program, int longest, StagePlace place) {
  const StagedProgram staged = in_stages(program, longest);
  const bool is_staged = staged.stages.size() > 1;
  std::string text = is_staged ? stages_text(staged, place) : "";
  text += function_comment(program, "/// ") + stages_comment(staged, "/// ");
  text += fmt::format("template <class T>\ninline void {}({}) {{\n", program.name,
                      parameter_list(program, "T"));
  for (const std::string& unread : unread_inputs(program))
    text += fmt::format("  (void){};\n", unread);
  text += is_staged ? staged_body(staged, "T", "T for_later[{}]", "detail::{}<T>(")
                    : straight_line(program);
  return text + "}\n\n";
}

/// Many steps: the step in a loop.
std::string rollout_text(const Program& step) {
  return fmt::format(
      R"(/// `steps` steps with the same inputs; q_next may be q, and v_next may be v.
template <class T>
inline void rollout(long steps, {0}) {{
{1}{2}  for (long k = 0; k < steps; ++k) {{
{3}    step({4}{5});
  }}
}}

)",
      parameter_list(step, "T"), for_carried(step, "  T {0}_now[{2}];\n"),
      for_carried(step, "  for (int i = 0; i < {2}; ++i) {1}[i] = {0}[i];\n"),
      for_carried(step, "    for (int i = 0; i < {2}; ++i) {0}_now[i] = {1}[i];\n"),
      step_arguments(step), other_results(step));
}

}  // namespace

std::string cpp_stage(const Program& stage) {
  return fmt::format("template <class T>\n[[gnu::noinline]] void {}({}) {{\n{}}}\n", stage.name,
                     parameter_list(stage, "T"), straight_line(stage));
}

std::string cpp_header(const TracedRobot& robot, StagePlace place) {
  std::string text = "#pragma once\n" + heading(robot, "its functions for one state, in C++17.");
  text += fmt::format(
      "#include <cmath>\n\nnamespace {} {{\n\n"
      "inline constexpr int nq = {}, nv = {};\n"
      "inline constexpr const char* position_names[nq] = {{{}}};\n"
      "inline constexpr const char* velocity_names[nv] = {{{}}};\n\n{}\n",
      robot.identifier, robot.nq, robot.nv, quoted_list(robot.position_names),
      quoted_list(robot.velocity_names), helpers);
  for (const Program& program : robot.programs)
    text += function_text(program, robot.function.longest_function, place);
  if (const Program* step = find_program(robot, RobotFunction::step)) text += rollout_text(*step);
  return text + fmt::format("}}  // namespace {}\n", robot.identifier);
}

namespace {

std::string example_text(const TracedRobot& robot) {
  return fmt::format(
      R"(// How {0}.hpp is used. Compile and run:
//   c++ -std=c++17 -O2 -march=native example.cpp -o example && ./example
#include <cstdio>

#include "{0}.hpp"

static void print(const char* text, const double* values, int count) {{
  std::printf("%s:", text);
  for (int i = 0; i < count; ++i) std::printf(" %.9g", values[i]);
  std::printf("\n");
}}

int main() {{
{1}}}
)",
      robot.identifier, example_blocks(robot, "double", robot.identifier + "::"));
}

}  // namespace

std::vector<GeneratedFile> cpp_files(const TracedRobot& robot) {
  return {{robot.identifier + ".hpp", cpp_header(robot, StagePlace::header)},
          {"example.cpp", example_text(robot)}};
}

}  // namespace limber
