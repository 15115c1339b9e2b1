// C++ lanes: ROBOT_lanes.hpp, functions of many states at once, with the headers of Pack beside it.
#include <fmt/format.h>

#include "compile/emit.hpp"
#include "compile/example.hpp"
#include "compile/lanes_gradient.hpp"
#include "compile/source_text.hpp"
#include "io/embedded.hpp"

namespace limber {

namespace {

constexpr const char* helpers =
    R"(/// As many lanes as a register of the machine that is compiled for has.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif
template <class T>
using Widest = limber::Pack<T, register_bytes / int(sizeof(T))>;

// What straight lines are made of. They compute with plain vectors instead of packs: compilers
// take half the time for the same instructions.

/// Neighbours in memory, of any alignment.
template <class V>
struct [[gnu::packed, gnu::may_alias]] Neighbours {
  typename V::Storage x;
};
template <class V>
LIMBER_PACK_INLINE typename V::Storage load(const typename V::Number* from) {
  return reinterpret_cast<const Neighbours<V>*>(from)->x;
}
/// The same, and asks for the states after the next ones: processors see no pattern in that many
/// rows.
template <class V>
LIMBER_PACK_INLINE typename V::Storage fetch(const typename V::Number* from) {
  __builtin_prefetch(from + 2 * V::lanes);
  return load<V>(from);
}
template <class V>
LIMBER_PACK_INLINE void store(const typename V::Storage& x, typename V::Number* to) {
  reinterpret_cast<Neighbours<V>*>(to)->x = x;
}
/// The same number in every lane.
template <class V>
LIMBER_PACK_INLINE typename V::Storage all(double x) {
  return static_cast<typename V::Number>(x) - typename V::Storage{};
}
/// a b + c.
template <class V>
LIMBER_PACK_INLINE typename V::Storage fused(typename V::Storage a, typename V::Storage b,
                                             typename V::Storage c) {
  if constexpr (limber::pack_detail::fused_bytes == sizeof(V)) return limber::pack_detail::fused(a, b, c);
  else return fma(V(a), V(b), V(c)).x;
}
template <class V>
LIMBER_PACK_INLINE typename V::Storage root(const typename V::Storage& x) {
  return sqrt(V(x)).x;
}
template <class V>
LIMBER_PACK_INLINE typename V::Storage whole(const typename V::Storage& x) {
  typename V::Storage r = x;
  for (int i = 0; i < V::lanes; ++i) r[i] = static_cast<typename V::Number>(__builtin_floor(x[i]));
  return r;
}
/// Numbers of a table; the nearest ones outside of it, the first one for what is no number.
template <class V>
LIMBER_PACK_INLINE typename V::Storage at(const typename V::Number* table,
                                          const typename V::Storage& index, int size) {
  using T = typename V::Number;
  const T most = static_cast<T>(size - 1);
  typename V::Storage r = index;
  for (int i = 0; i < V::lanes; ++i)
    r[i] = table[index[i] > 0 ? static_cast<int>(index[i] < most ? index[i] : most) : 0];
  return r;
}
template <class V>
LIMBER_PACK_INLINE void sine_cosine(const typename V::Storage& x, typename V::Storage& sine,
                                    typename V::Storage& cosine) {
  V s, c;
  sincos(V(x), s, c);
  sine = s.x, cosine = c.x;
}

/// Copies the first `states` of `size` variables into a block without gaps and fills its other
/// lanes with the first state; returns the place behind it.
template <int width, class T>
inline T* fill(T* block, const T* from, int size, long states, long stride) {
  for (int e = 0; e < size; ++e)
    for (int i = 0; i < width; ++i) block[e * width + i] = from[e * stride + (i < states ? i : 0)];
  return block + size * width;
}
/// Copies the states of a block back.
template <int width, class T>
inline void drain(const T* block, T* to, int size, long states, long stride) {
  for (int e = 0; e < size; ++e)
    for (int i = 0; i < states; ++i) to[e * stride + i] = block[e * width + i];
}

)";

Dialect dialect() {
  Dialect d;
  d.number = "S";
  d.real = "typename V::Number";
  d.condition = "auto";
  // values that cross from stage to stage, or are the parts of columns, stand side by side
  d.input = [](const std::string& name, int e) {
    if (name == "from_earlier") return fmt::format("load<V>({} + {} * V::lanes)", name, e);
    return fmt::format("fetch<V>({} + {} * stride)", name, e);
  };
  d.output = [](const std::string& name, int e, const std::string& value) {
    return fmt::format("store<V>({}, {} + {} * {})", value, name, e,
                       name == "for_later" || name == "parts" ? "V::lanes" : "stride");
  };
  d.constant = [](double x) { return fmt::format("all<V>({})", number_text(x)); };
  d.fused = "fused<V>";
  d.root = "root<V>";
  d.floor = "whole<V>";
  d.element = "at<V>";
  d.sincos = "sine_cosine<V>";
  return d;
}

/// The beginning of a function for V::lanes neighbouring states.
std::string kernel_head(const Program& program, std::string_view attribute = "") {
  return fmt::format("template <class V>\n{}void {}(long stride, {})", attribute, program.name,
                     parameter_list(program, "typename V::Number"));
}

constexpr const char* apart = "[[gnu::noinline]] ";

/// The whole function: its straight-line code, or the stages and their calls.
std::string kernel_text(const Program& program, int longest, StagePlace place) {
  const StagedProgram staged = in_stages(program, longest);
  if (staged.stages.size() == 1) return lanes_stage(program) + "\n";
  std::string text;
  for (const Program& stage : staged.stages)
    text += place == StagePlace::header ? lanes_stage(stage) + "\n" : kernel_head(stage) + ";\n";
  text += kernel_head(program, apart) + " {\n";
  for (const std::string& name : unread_inputs(program)) text += fmt::format("  (void){};\n", name);
  return text +
         staged_body(staged, "typename V::Number",
                     "alignas(V) typename V::Number for_later[{} * V::lanes]", "{}<V>(stride, ") +
         "}\n\n";
}

int numbers_in(const std::vector<ArrayShape>& arrays) {
  int count = 0;
  for (const ArrayShape& array : arrays) count += array.is_table ? 0 : array.size;
  return count;
}

/// Statements that lay the arrays of `states` states from state i on into a block of full width.
std::string block_text(const Program& program, const std::string& indent) {
  std::string text =
      fmt::format("{}T block[{} * width];\n", indent,
                  numbers_in(program.shape.inputs) + numbers_in(program.shape.outputs));
  std::string place = "block";
  for (const ArrayShape& array : program.shape.inputs) {
    if (array.is_table) continue;
    const std::string next = "after_" + array.name;
    text += fmt::format("{}T* const {} = lanes::fill<width>({}, {} + i, {}, states, stride);\n",
                        indent, next, place, array.name, array.size);
    place = next;
  }
  for (const ArrayShape& array : program.shape.outputs) {
    text += fmt::format("{}T* const {}_block = {};\n", indent, array.name, place);
    place = fmt::format("{}_block + {} * width", array.name, array.size);
  }
  return text;
}

/// The names that the arrays of block_text have.
std::string block_arguments(const Program& program) {
  std::string text, place = "block";
  for (const ArrayShape& array : program.shape.inputs) {
    text += ", " + (array.is_table ? array.name : place);
    if (!array.is_table) place = "after_" + array.name;
  }
  for (const ArrayShape& array : program.shape.outputs) text += ", " + array.name + "_block";
  return text;
}

std::string drain_text(const Program& program, const std::string& indent) {
  std::string text;
  for (const ArrayShape& array : program.shape.outputs)
    text += fmt::format("{0}lanes::drain<width>({1}_block, {1} + i, {2}, states, stride);\n",
                        indent, array.name, array.size);
  return text;
}

std::string batch_text(const Program& program) {
  return function_comment(program, "/// ") +
         fmt::format(
             R"(/// For `count` states: element e of state i is array[e * stride + i]{6}.
template <class T>
inline void {0}_batch(long count, long stride, {1}) {{
  using V = lanes::Widest<T>;
  constexpr int width = V::lanes;
  long i = 0;
  for (; i + width <= count; i += width) lanes::{0}<V>(stride, {2});
  if (i == count) return;
  const long states = count - i;
{3}  lanes::{0}<V>(width{4});
{5}}}

)",
             program.name, parameter_list(program, "T"), argument_list(program, "{} + i", "{}"),
             block_text(program, "  "), block_arguments(program), drain_text(program, "  "),
             tables_clause(program));
}

int carried_numbers(const Program& step) {
  int all = 0;
  for (std::size_t k = 0; k < carried_arrays(step.shape); ++k) all += step.shape.inputs[k].size;
  return all;
}

/// Many steps: every block of states makes all its steps before the next one is begun.
std::string rollout_text(const Program& step) {
  return fmt::format(
      R"(/// `steps` steps of `count` states with the same inputs; q_next may be q, and v_next may be v.
template <class T>
inline void rollout_batch(long count, long stride, long steps, {0}) {{
  using V = lanes::Widest<T>;
  constexpr int width = V::lanes;
  for (long i = 0; i < count; i += width) {{
    const long states = count - i < width ? count - i : width;
{1}    for (int e = 0; e < {2} * width; ++e) q_next_block[e] = block[e];  // q, v, …: q_next, v_next, …
    for (long k = 0; k < steps; ++k) {{
      for (int e = 0; e < {2} * width; ++e) block[e] = q_next_block[e];
      lanes::step<V>(width{3});
    }}
{4}  }}
}}

)",
      parameter_list(step, "T"), block_text(step, "    "), carried_numbers(step),
      block_arguments(step), drain_text(step, "    "));
}

}  // namespace

std::string lanes_stage(const Program& stage) {
  std::string text = kernel_head(stage, apart) + " {\n";
  std::vector<std::string> unread = unread_inputs(stage);
  unread.push_back("stride");
  for (const std::string& name : unread) text += fmt::format("  (void){};\n", name);
  return text + "  using S = typename V::Storage;\n" + statements(stage, dialect()) + "}\n";
}

namespace {

/// What stands before the functions of a header.
std::string lanes_begin(const TracedRobot& robot, const char* includes) {
  return "#pragma once\n" + heading(robot, "its functions for many states at once, in C++17.") +
         fmt::format(
             "#include \"pack_sincos.hpp\"\n{}\nnamespace {}::lanes {{\n\n"
             "inline constexpr int nq = {}, nv = {};\n\n{}",
             includes, robot.identifier, robot.nq, robot.nv, helpers);
}

}  // namespace

std::string lanes_header(const TracedRobot& robot, const LanesGradient& gradient) {
  const std::string& name = robot.identifier;
  return lanes_begin(robot, "#include \"column_lanes.hpp\"\n") +
         kernel_text(gradient.parts.program, robot.function.longest_function,
                     StagePlace::own_files) +
         gradient_kernel(gradient) +
         fmt::format("}}  // namespace {0}::lanes\n\nnamespace {0} {{\n\n", name) +
         batch_text(gradient.whole) + fmt::format("}}  // namespace {}\n", name);
}

std::string lanes_header(const TracedRobot& robot, StagePlace place) {
  const std::string& name = robot.identifier;
  std::string text = lanes_begin(robot, "");
  for (const Program& program : robot.programs)
    text += kernel_text(program, robot.function.longest_function, place);
  text += fmt::format("}}  // namespace {}::lanes\n\nnamespace {} {{\n\n", name, name);
  for (const Program& program : robot.programs) text += batch_text(program);
  if (const Program* step = find_program(robot, RobotFunction::step)) text += rollout_text(*step);
  return text + fmt::format("}}  // namespace {}\n", name);
}

namespace {

std::string example_block(const TracedRobot& robot, const Program& program) {
  std::string text = "  {\n";
  for (const ArrayShape& array : program.shape.inputs)
    text += array.is_table
                ? fmt::format("    const std::vector<double> {}({});\n", array.name, array.size)
                : fmt::format("    const std::vector<double> {} = repeated({{{}}});\n", array.name,
                              number_list(sample_input(robot, array)));
  for (const ArrayShape& array : program.shape.outputs)
    text += fmt::format("    std::vector<double> {}({} * count);\n", array.name, array.size);
  text += fmt::format("    {}::{}_batch<double>(count, count, {});\n", robot.identifier,
                      program.name, argument_list(program, "{}.data()"));
  for (const ArrayShape& array : program.shape.outputs)
    text += fmt::format("    print(\"{}: {}\", {});\n", program.name, array.name, array.name);
  return text + "  }\n";
}

std::string example_text(const TracedRobot& robot) {
  std::string blocks;
  for (const Program& program : robot.programs) blocks += example_block(robot, program);
  return fmt::format(
      R"(// How {0}_lanes.hpp is used. Compile and run:
//   c++ -std=c++17 -O2 -march=native example_lanes.cpp -o example_lanes && ./example_lanes
#include <cstdio>
#include <vector>

#include "{0}_lanes.hpp"

constexpr long count = 1001;  // states, the same ones here

// variable by variable: element e of state i stands at e * count + i
static std::vector<double> repeated(const std::vector<double>& state) {{
  std::vector<double> all;
  for (const double value : state) all.insert(all.end(), count, value);
  return all;
}}

// the last state's
static void print(const char* text, const std::vector<double>& values) {{
  std::printf("%s:", text);
  for (std::size_t i = count - 1; i < values.size(); i += count) std::printf(" %.9g", values[i]);
  std::printf("\n");
}}

int main() {{
{1}}}
)",
      robot.identifier, blocks);
}

std::vector<GeneratedFile> embedded_headers(std::span<const EmbeddedFile> headers) {
  std::vector<GeneratedFile> files;
  for (const EmbeddedFile& header : headers)
    files.push_back({std::string(header.name) + ".hpp", std::string(header.text)});
  return files;
}

}  // namespace

std::vector<GeneratedFile> pack_files() { return embedded_headers(embedded_pack()); }
std::vector<GeneratedFile> column_files() { return embedded_headers(embedded_columns()); }

std::vector<GeneratedFile> lanes_files(const TracedRobot& robot) {
  std::vector<GeneratedFile> files = pack_files();
  files.push_back({robot.identifier + "_lanes.hpp", lanes_header(robot, StagePlace::header)});
  files.push_back({"example_lanes.cpp", example_text(robot)});
  return files;
}

}  // namespace limber
