// Plain C++: ROBOT.hpp, functions of one state as templates over the number.
#include <fmt/format.h>

#include "compile/emit.hpp"
#include "compile/example.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

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

template <class T>
inline void sincos(T x, T& sine, T& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
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
  return d;
}

std::string function_text(const Program& program) {
  std::string text = function_comment(program, "/// ");
  text += fmt::format("template <class T>\ninline void {}({}) {{\n", program.name,
                      parameter_list(program, "T"));
  text += "  using detail::fma, detail::sincos, std::sqrt;\n";
  for (const std::string& unread : unread_inputs(program))
    text += fmt::format("  (void){};\n", unread);
  return text + statements(program, dialect()) + "}\n\n";
}

/// Many steps: the step in a loop.
std::string rollout_text(const Program& step) {
  return fmt::format(
      R"(/// `steps` steps with the same inputs; q_next may be q, and v_next may be v.
template <class T>
inline void rollout(long steps, {0}) {{
  T q_now[nq], v_now[nv];
  for (int i = 0; i < nq; ++i) q_next[i] = q[i];
  for (int i = 0; i < nv; ++i) v_next[i] = v[i];
  for (long k = 0; k < steps; ++k) {{
    for (int i = 0; i < nq; ++i) q_now[i] = q_next[i];
    for (int i = 0; i < nv; ++i) v_now[i] = v_next[i];
    step(q_now, v_now{1}, q_next, v_next);
  }}
}}

)",
      parameter_list(step, "T"), held_arguments(step));
}

std::string header_text(const TracedRobot& robot) {
  std::string text = "#pragma once\n" + heading(robot, "its functions for one state, in C++17.");
  text += fmt::format(
      "#include <cmath>\n\nnamespace {} {{\n\n"
      "inline constexpr int nq = {}, nv = {};\n"
      "inline constexpr const char* position_names[nq] = {{{}}};\n"
      "inline constexpr const char* velocity_names[nv] = {{{}}};\n\n{}\n",
      robot.identifier, robot.nq, robot.nv, quoted_list(robot.position_names),
      quoted_list(robot.velocity_names), helpers);
  for (const Program& program : robot.programs) text += function_text(program);
  if (const Program* step = find_program(robot, RobotFunction::step)) text += rollout_text(*step);
  return text + fmt::format("}}  // namespace {}\n", robot.identifier);
}

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
  return {{robot.identifier + ".hpp", header_text(robot)}, {"example.cpp", example_text(robot)}};
}

}  // namespace limber
