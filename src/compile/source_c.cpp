// C99: ROBOT.h and ROBOT.c, without heap, without data that changes, for any machine with <math.h>.
#include <cctype>

#include <fmt/format.h>

#include "compile/emit.hpp"
#include "compile/example.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string real(const TracedRobot& robot) { return robot.identifier + "_real"; }

/// sizeof decides between the functions for float and double, and the compiler knows the answer.
constexpr const char* fused_helper =
    R"(/* a b + c: one instruction where the machine has it, else a product and a sum; never a call */
static inline {real} fused({real} a, {real} b, {real} c) {{
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__aarch64__)
  if (sizeof a == sizeof(float)) return ({real})fmaf((float)a, (float)b, (float)c);
#endif
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__)
  if (sizeof a == sizeof(double)) return ({real})fma((double)a, (double)b, (double)c);
#endif
  return a * b + c;
}}
)";
constexpr const char* root_helper = R"(static inline {real} root({real} x) {{
  return sizeof x == sizeof(float) ? ({real})sqrtf((float)x) : ({real})sqrt((double)x);
}}
)";
constexpr const char* floor_helper = R"(static inline {real} whole({real} x) {{
  return sizeof x == sizeof(float) ? ({real})floorf((float)x) : ({real})floor((double)x);
}}
)";
constexpr const char* table_helper =
    R"(/* number `index` of a table; the nearest one outside of it, the first one for what is no number */
static inline {real} at(const {real}* table, {real} index, int size) {{
  const {real} most = ({real})(size - 1);
  return table[index > 0 ? (int)(index < most ? index : most) : 0];
}}
)";
constexpr const char* sincos_helper =
    R"(static inline void sine_cosine({real} x, {real}* sine, {real}* cosine) {{
  if (sizeof x == sizeof(float)) {{
    *sine = ({real})sinf((float)x);
    *cosine = ({real})cosf((float)x);
  }} else {{
    *sine = ({real})sin((double)x);
    *cosine = ({real})cos((double)x);
  }}
}}
)";

/// The helpers that the functions call, no others: compilers complain of what is not used.
std::string helpers(const TracedRobot& robot) {
  bool fuses = false, takes_roots = false, turns = false, floors = false, looks_up = false;
  for (const Program& program : robot.programs) {
    const ProgramCounts n = program.count();
    fuses |= n.fused > 0, takes_roots |= n.roots > 0, turns |= n.sincos > 0;
    for (const Instruction& i : program.code)
      floors |= i.op == Op::floor, looks_up |= i.op == Op::element;
  }
  const std::string text = std::string(fuses ? fused_helper : "") +
                           (takes_roots ? root_helper : "") + (turns ? sincos_helper : "") +
                           (floors ? floor_helper : "") + (looks_up ? table_helper : "");
  return fmt::format(fmt::runtime(text), fmt::arg("real", real(robot)));
}

Dialect dialect(const std::string& real) {
  Dialect d;
  d.number = d.real = real;
  d.condition = "int";
  d.input = [](const std::string& name, int e) { return fmt::format("{}[{}]", name, e); };
  d.output = [](const std::string& name, int e, const std::string& value) {
    return fmt::format("{}[{}] = {}", name, e, value);
  };
  d.constant = [real](double x) { return fmt::format("({}){}", real, number_text(x)); };
  d.fused = "fused";
  d.root = "root";
  d.floor = "whole";
  d.sincos = "sine_cosine";
  d.by_address = true;
  return d;
}

std::string signature(const TracedRobot& robot, const Program& program) {
  return fmt::format("void {}_{}({})", robot.identifier, program.name,
                     parameter_list(program, real(robot)));
}

std::string rollout_signature(const TracedRobot& robot, const Program& step) {
  return fmt::format("void {}_rollout(long steps, {})", robot.identifier,
                     parameter_list(step, real(robot)));
}

std::string header_text(const TracedRobot& robot) {
  const std::string name = robot.identifier, capital = upper(name);
  std::string text = fmt::format(
      R"({0}// Numbers are double; compile {1}.c and what includes this file with -D{2}_REAL=float for float.
#ifndef {2}_H
#define {2}_H

#ifndef {2}_REAL
#define {2}_REAL double
#endif
typedef {2}_REAL {1}_real;

enum {{ {2}_NQ = {3}, {2}_NV = {4} }};

#ifdef __cplusplus
extern "C" {{
#endif

/// Names of the entries of q and of v.
extern const char* const {1}_position_names[{2}_NQ];
extern const char* const {1}_velocity_names[{2}_NV];

)",
      heading(robot, "its functions for one state, in C99."), name, capital, robot.nq, robot.nv);
  for (const Program& program : robot.programs)
    text += function_comment(program, "/// ") +
            stages_comment(in_stages(program, robot.function.longest_function), "/// ") +
            signature(robot, program) + ";\n\n";
  if (const Program* step = find_program(robot, RobotFunction::step))
    text += "/// `steps` steps with the same inputs; q_next may be q, and v_next may be v.\n" +
            rollout_signature(robot, *step) + ";\n\n";
  return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

std::string rollout_text(const TracedRobot& robot, const Program& step) {
  return fmt::format(
      R"({0} {{
{1}{2}  for (long k = 0; k < steps; ++k) {{
{3}    {4}_step({5}{6});
  }}
}}
)",
      rollout_signature(robot, step), for_carried(step, "  " + real(robot) + " {0}_now[{2}];\n"),
      for_carried(step, "  for (int i = 0; i < {2}; ++i) {1}[i] = {0}[i];\n"),
      for_carried(step, "    for (int i = 0; i < {2}; ++i) {0}_now[i] = {1}[i];\n"),
      robot.identifier, step_arguments(step), other_results(step));
}

std::string opening(const std::string& signature, const Program& program) {
  std::string text = fmt::format("\n{} {{\n", signature);
  for (const std::string& unread : unread_inputs(program))
    text += fmt::format("  (void){};\n", unread);
  return text;
}

/// A function, after the stages that it has.
std::string function_text(const TracedRobot& robot, const Program& program,
                          const StagedProgram& staged) {
  const std::string whole = opening(signature(robot, program), program);
  if (staged.stages.size() == 1) return whole + statements(program, dialect(real(robot))) + "}\n";
  std::string text;
  for (const Program& stage : staged.stages)
    text += opening("STAGE " + signature(robot, stage), stage) +
            statements(stage, dialect(real(robot))) + "}\n";
  const std::string array = real(robot) + " for_later[{}]", call = robot.identifier + "_{}(";
  return text + whole + staged_body(staged, real(robot), array, call) + "}\n";
}

/// Stages stay functions of their own: in one piece they would be what they are stages of.
constexpr const char* stage_macro = R"(
#ifdef __GNUC__
#define STAGE static __attribute__((noinline))
#else
#define STAGE static
#endif
)";

std::string source_text(const TracedRobot& robot) {
  const std::string name = robot.identifier, capital = upper(name);
  std::string text = fmt::format(
      "{}#include \"{}.h\"\n\n#include <math.h>\n\n"
      "const char* const {}_position_names[{}_NQ] = {{{}}};\n"
      "const char* const {}_velocity_names[{}_NV] = {{{}}};\n\n",
      heading(robot, "its functions for one state, in C99."), name, name, capital,
      quoted_list(robot.position_names), name, capital, quoted_list(robot.velocity_names));
  text += helpers(robot);
  std::string functions;
  bool has_stages = false;
  for (const Program& program : robot.programs) {
    const StagedProgram staged = in_stages(program, robot.function.longest_function);
    has_stages |= staged.stages.size() > 1;
    functions += function_text(robot, program, staged);
  }
  text += (has_stages ? stage_macro : "") + functions;
  if (const Program* step = find_program(robot, RobotFunction::step))
    text += fmt::format("\n{}", rollout_text(robot, *step));
  return text;
}

std::string example_text(const TracedRobot& robot) {
  return fmt::format(
      R"(// How {0}.h is used. Compile and run:
//   cc -std=c99 -O2 example.c {0}.c -lm -o example && ./example
#include <stdio.h>

#include "{0}.h"

static void print(const char* text, const {0}_real* values, int count) {{
  printf("%s:", text);
  for (int i = 0; i < count; ++i) printf(" %.9g", (double)values[i]);
  printf("\n");
}}

int main(void) {{
{1}  return 0;
}}
)",
      robot.identifier, example_blocks(robot, real(robot), robot.identifier + "_"));
}

}  // namespace

std::vector<GeneratedFile> c_files(const TracedRobot& robot) {
  return {{robot.identifier + ".h", header_text(robot)},
          {robot.identifier + ".c", source_text(robot)},
          {"example.c", example_text(robot)}};
}

}  // namespace limber
