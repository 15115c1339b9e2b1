#include "compile/emit_cuda.hpp"

#include <fmt/format.h>

#include "compile/emit.hpp"
#include "compile/partition.hpp"

namespace limber {

namespace {

constexpr int most_limbs = 7;

/// Threads of a block. Up to 255 values fit into a thread's registers; what is beyond lies in the
/// memory near the core, which holds the rest of 192 threads, but not of more: one such block fills
/// the registers, so that no other comes beside it.
int threads_of(const Program& program) { return program.count().largest_live > 200 ? 192 : 128; }

Dialect cuda_dialect(const std::string& out_stride = "stride") {
  Dialect d;
  d.number = "T";
  d.condition = "bool";
  d.input = [=](const std::string& name, int element) {
    return fmt::format("{}[{} * {}]", name, element, name == "crossing" ? out_stride : "stride");
  };
  d.output = [=](const std::string& name, int element, const std::string& value) {
    return fmt::format("{}[{} * {}] = {}", name, element, out_stride, value);
  };
  d.constant = [](double x) { return fmt::format("T({:.17g})", x); };
  d.sincos = "limber_sincos";
  return d;
}

struct Arguments {
  std::string declared;  ///< const T* __restrict__ q, …
  std::string plain;     ///< const T* q, …
  std::string names;     ///< q, …
  std::string moved;     ///< q + i, …
};

Arguments arguments_of(const FunctionShape& shape) {
  Arguments a;
  auto add = [&](const ArrayShape& array, const char* type) {
    const char* comma = a.names.empty() ? "" : ", ";
    // what crosses between stages is read and written by the same kernel
    a.declared += fmt::format("{}{}*{} {}", comma, type,
                              array.name == "crossing" ? "" : " __restrict__", array.name);
    a.plain += fmt::format("{}{}* {}", comma, type, array.name);
    a.names += comma + array.name;
    a.moved += fmt::format("{}{} + i", comma, array.name);
  };
  for (const ArrayShape& array : shape.inputs)
    if (array.name != "crossing") add(array, "const T");
  for (const ArrayShape& array : shape.outputs) add(array, "T");
  return a;
}

std::string describe(const Program& program) {
  const ProgramCounts c = program.count();
  std::string text = fmt::format(
      "/// {}: {} operations ({} instructions, {} of them fused; {} sine-cosine pairs), at most {} "
      "live values.\n/// Element j of array x of state i is x[j * stride + i].\n",
      program.name, c.operations(), c.instructions(), c.fused, c.sincos, c.largest_live);
  for (const ArrayShape& array : program.shape.inputs)
    text += fmt::format("///   in  {} [{}]: {}\n", array.name, array.size, array.meaning);
  for (const ArrayShape& array : program.shape.outputs)
    text += fmt::format("///   out {} [{}]: {}\n", array.name, array.size, array.meaning);
  return text;
}

/// Further arguments behind `stride`.
struct Extra {
  const char *declared = "", *name = "";
};

/// One state per thread.
std::string kernel(const std::string& name, const Arguments& a, const Extra& extra, int threads) {
  return fmt::format(
      "template <class T>\n"
      "__global__ void __launch_bounds__({0}) {1}_kernel(long count, long stride{4}, {2}) {{\n"
      "  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
      "  if (i < count) {1}_of<T>(stride{5}, {3});\n"
      "}}\n\n",
      threads, name, a.declared, a.moved, extra.declared, extra.name);
}

/// The launcher of kernel NAME_kernel.
std::string launcher(const std::string& name, const Arguments& a, const Extra& extra, int threads) {
  return fmt::format(
      "template <class T>\n"
      "cudaError_t {0}(long count, long stride{3}, {1}, cudaStream_t stream = nullptr) {{\n"
      "  if (count <= 0) return cudaSuccess;\n"
      "  {0}_kernel<T><<<static_cast<unsigned>((count + {5} - 1) / {5}), {5}, 0, stream>>>(\n"
      "      count, stride{4}, {2});\n"
      "  return cudaGetLastError();\n"
      "}}\n\n",
      name, a.plain, a.names, extra.declared, extra.name, threads);
}

}  // namespace

std::string cuda_prelude() {
  return R"(#pragma once
#include <cuda_runtime.h>

#ifndef LIMBER_CUDA_PRELUDE
#define LIMBER_CUDA_PRELUDE
__device__ inline void limber_sincos(float x, float& s, float& c) { sincosf(x, &s, &c); }
__device__ inline void limber_sincos(double x, double& s, double& c) { sincos(x, &s, &c); }
#endif

)";
}

std::string cuda_function(const Program& program, OutputStride stride) {
  const Arguments a = arguments_of(program.shape);
  const bool own = stride == OutputStride::own;
  const Extra extra = own ? Extra{", long out_stride", ", out_stride"} : Extra{};
  const int threads = threads_of(program);
  return describe(program) +
         fmt::format(
             "template <class T>\n__device__ inline void {}_of(long stride{}, {}) {{\n{}}}\n\n",
             program.name, extra.declared, a.declared,
             statements(program, cuda_dialect(own ? "out_stride" : "stride"))) +
         kernel(program.name, a, extra, threads) + launcher(program.name, a, extra, threads);
}

std::string cuda_stages(const Program& program, const Model& model) {
  const Partition parts = partition(program, model, limbs_of(model, most_limbs));
  std::string text, calls;
  Arguments whole;
  for (Program stage : parts.stages) {
    text += cuda_function(stage, OutputStride::own);
    stage.shape.inputs.pop_back();  // `crossing` is there among the outputs
    whole = arguments_of(stage.shape);
    calls +=
        fmt::format("  if (e == cudaSuccess) e = {}<T>(count, stride, out_stride, {}, stream);\n",
                    stage.name, whole.names);
  }
  return text + describe(program) +
         fmt::format(
             "constexpr long {0}_crossing = {3};\n"
             "template <class T>\n"
             "cudaError_t {0}(long count, long stride, long out_stride, {1}, cudaStream_t stream = "
             "nullptr) {{\n"
             "  cudaError_t e = cudaSuccess;\n{2}"
             "  return e;\n"
             "}}\n\n",
             program.name, whole.plain, calls, parts.slots);
}

std::string cuda_rollout(const Program& step) {
  const Arguments a = arguments_of(step.shape);
  const int threads = threads_of(step);
  const Extra steps{", int steps", ", steps"};
  // the state stays in registers; a step reads q, v and writes q_next, v_next there
  Dialect d = cuda_dialect();
  d.indent = "    ";
  const auto from_memory = d.input;
  d.input = [&](const std::string& name, int element) {
    return name == "q" || name == "v" ? fmt::format("{}_now[{}]", name, element)
                                      : from_memory(name, element);
  };
  d.output = [](const std::string& name, int element, const std::string& value) {
    return fmt::format("{}_of_step[{}] = {}", name, element, value);
  };
  std::string text = fmt::format(
      "/// `steps` steps from q, v with the same controls, without leaving the device.\n"
      "template <class T>\n"
      "__device__ inline void rollout_of(long stride, int steps, {0}) {{\n"
      "  T q_now[{1}], v_now[{2}], q_next_of_step[{1}], v_next_of_step[{2}];\n"
      "  for (int j = 0; j < {1}; ++j) q_now[j] = q[j * stride];\n"
      "  for (int j = 0; j < {2}; ++j) v_now[j] = v[j * stride];\n"
      "  for (int s = 0; s < steps; ++s) {{\n"
      "{3}"
      "    for (int j = 0; j < {1}; ++j) q_now[j] = q_next_of_step[j];\n"
      "    for (int j = 0; j < {2}; ++j) v_now[j] = v_next_of_step[j];\n"
      "  }}\n"
      "  for (int j = 0; j < {1}; ++j) q_next[j * stride] = q_now[j];\n"
      "  for (int j = 0; j < {2}; ++j) v_next[j * stride] = v_now[j];\n"
      "}}\n\n",
      a.declared, step.shape.outputs[0].size, step.shape.outputs[1].size, statements(step, d));
  text += kernel("rollout", a, steps, threads);
  return text + launcher("rollout", a, steps, threads);
}

}  // namespace limber
