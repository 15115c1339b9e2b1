#include "compile/emit_cuda.hpp"

#include <set>

#include <fmt/format.h>

#include "compile/emit.hpp"
#include "compile/identifier.hpp"
#include "compile/partition.hpp"
#include "compile/schedule.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

/// Longer code leaves the instruction cache (measured on an H200: three times slower from there
/// on).
constexpr int most_in_one_kernel = 4500;
/// Instructions of a thread while a number comes from memory, with as many others at work as fit.
constexpr int memory_distance = 200;

constexpr int threads = cuda_tile;  ///< of a block

/// Arrays that only the stages of a function see lie in tiles, a block of threads after the other,
/// so that their places are constants and what a block needs is close together.
bool is_tiled(const ArrayShape& array) {
  return array.name == "crossing" || !array.variables.empty();
}

Dialect cuda_dialect(const FunctionShape& shape = {}) {
  Dialect d;
  d.number = "T";
  d.condition = "bool";
  std::set<std::string> tiled;
  for (const std::vector<ArrayShape>* arrays : {&shape.inputs, &shape.outputs})
    for (const ArrayShape& array : *arrays)
      if (is_tiled(array)) tiled.insert(array.name);
  auto place = [=](const std::string& name, int element) {
    return tiled.contains(name) ? fmt::format("{}[{}]", name, element * threads)
                                : fmt::format("{}[{} * stride]", name, element);
  };
  d.input = place;
  d.output = [=](const std::string& name, int element, const std::string& value) {
    return fmt::format("{} = {}", place(name, element), value);
  };
  d.constant = [](double x) { return fmt::format("T({:.17g})", x); };
  d.sincos = "limber_sincos";
  d.element = "limber_at";
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
    a.moved += comma + array.name;
    if (is_tiled(array))
      a.moved += fmt::format(" + (blockIdx.x * {}L + threadIdx.x)", array.size * threads);
    else if (!array.is_table) a.moved += " + i";
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
      "live values.\n/// Element j of array x of state i is x[j * stride + i]{}.\n",
      program.name, c.operations(), c.instructions(), c.fused, c.sincos, c.largest_live,
      tables_clause(program));
  for (const ArrayShape& array : program.shape.inputs)
    text +=
        fmt::format("///   in  {} [{}]: {}\n", array.name, array.size, plain_text(array.meaning));
  for (const ArrayShape& array : program.shape.outputs)
    text +=
        fmt::format("///   out {} [{}]: {}\n", array.name, array.size, plain_text(array.meaning));
  return text;
}

/// Further arguments behind `stride`.
struct Extra {
  const char *declared = "", *name = "";
};

/// One state per thread.
std::string kernel(const std::string& name, const Arguments& a, const Extra& extra) {
  return fmt::format(
      "template <class T>\n"
      "__global__ void __launch_bounds__({0}) {1}_kernel(long count, long stride{4}, {2}) {{\n"
      "  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
      "  if (i < count) {1}_of<T>(stride{5}, {3});\n"
      "}}\n\n",
      threads, name, a.declared, a.moved, extra.declared, extra.name);
}

/// The launcher of kernel NAME_kernel.
std::string launcher(const std::string& name, const Arguments& a, const Extra& extra) {
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

#include <cstdint>
#include <mutex>

#ifndef LIMBER_CUDA_PRELUDE
#define LIMBER_CUDA_PRELUDE
/// Memory for values between stages, in the order of the stream. It comes from a pool that keeps what
/// was freed, since taking it anew from the driver would cost more than the stages.
inline cudaError_t limber_scratch(void** data, size_t bytes, cudaStream_t stream) {
  static std::mutex mutex;
  static cudaMemPool_t pools[64] = {};
  int device = 0;
  cudaError_t e = cudaGetDevice(&device);
  if (e != cudaSuccess) return e;
  const std::lock_guard<std::mutex> lock(mutex);
  cudaMemPool_t& pool = pools[device % 64];
  if (!pool) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    e = cudaMemPoolCreate(&pool, &properties);
    if (e != cudaSuccess) return e;
    std::uint64_t kept = UINT64_MAX;
    e = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    if (e != cudaSuccess) return e;
  }
  return cudaMallocFromPoolAsync(data, bytes, pool, stream);
}
/// Number `index` of a table; the nearest one outside of it, the first one for what is no number.
template <class T>
__device__ inline T limber_at(const T* __restrict__ table, T index, int size) {
  const T most = static_cast<T>(size - 1);
  return table[index > 0 ? static_cast<int>(index < most ? index : most) : 0];
}
/// Within 2 units in the last place up to 1e5 rad; beyond, and for what is no number, the toolkit's.
__device__ __noinline__ inline float2 limber_far_sincos(float x) {
  float2 r;
  sincosf(x, &r.x, &r.y);
  return r;
}
__device__ inline void limber_sincos(float x, float& s, float& c) {
  const float n = rintf(x * 0.636619772367581343f);
  float r = fmaf(n, -1.57079601287841797f, x);  // pi/2 in three parts
  r = fmaf(n, -3.13916473e-7f, r);
  r = fmaf(n, -5.39030253e-15f, r);
  const float z = r * r;
  float p = fmaf(z, 2.86567956e-6f, -1.98559923e-4f);
  p = fmaf(z, p, 8.33338592e-3f);
  p = fmaf(z, p, -1.66666672e-1f);
  const float sine = fmaf(z * r, p, r);
  p = fmaf(z, 2.44677067e-5f, -1.38877297e-3f);
  p = fmaf(z, p, 4.16666567e-2f);
  p = fmaf(z, p, -0.5f);
  const float cosine = fmaf(z, p, 1.0f);
  const int k = static_cast<int>(n);
  s = k & 1 ? cosine : sine;
  c = k & 1 ? sine : cosine;
  if (k & 2) s = -s;
  if ((k + 1) & 2) c = -c;
  if (!(fabsf(x) <= 1e5f)) {
    const float2 far = limber_far_sincos(x);
    s = far.x, c = far.y;
  }
}
__device__ inline void limber_sincos(double x, double& s, double& c) { sincos(x, &s, &c); }
#endif

)";
}

namespace {

/// Device function, kernel and launcher of one program.
std::string one_kernel(const Program& in_order) {
  const Program program = with_early_inputs(in_order, memory_distance);
  const Arguments a = arguments_of(program.shape);
  return describe(program) +
         fmt::format(
             "template <class T>\n__device__ inline void {}_of(long stride, {}) {{\n{}}}\n\n",
             program.name, a.declared, statements(program, cuda_dialect(program.shape))) +
         kernel(program.name, a, {}) + launcher(program.name, a, {});
}

}  // namespace

std::string cuda_stages(const Program& program, const Model& model) {
  const Partition parts = partition(program, model, most_in_one_kernel, cuda_registers);
  std::string text, calls;
  Arguments all;
  for (const Program& stage : parts.stages) {
    text += one_kernel(stage);
    all = arguments_of(stage.shape);
    calls += fmt::format("  if (e == cudaSuccess) e = {}<T>(count, stride, {}, stream);\n",
                         stage.name, all.names);
  }
  return text + fmt::format(
                    "constexpr long {0}_crossing = {3};\n"
                    "template <class T>\n"
                    "cudaError_t {0}_stages(long count, long stride, {1}, cudaStream_t stream = "
                    "nullptr) {{\n"
                    "  cudaError_t e = cudaSuccess;\n{2}"
                    "  return e;\n"
                    "}}\n\n",
                    program.name, all.plain, calls, parts.slots);
}

std::string cuda_function(const Program& program, const Model& model) {
  if (program.count().instructions() <= most_in_one_kernel) return one_kernel(program);
  const Arguments a = arguments_of(program.shape);
  std::string moved;
  for (const std::vector<ArrayShape>* arrays : {&program.shape.inputs, &program.shape.outputs})
    for (const ArrayShape& array : *arrays)
      moved += array.name + (array.is_table ? ", " : " + first, ");
  return cuda_stages(program, model) + describe(program) +
         fmt::format(
             "/// In stages; memory for the values that cross is taken in the order of the "
             "stream.\n"
             "template <class T>\n"
             "cudaError_t {0}(long count, long stride, {1}, cudaStream_t stream = nullptr) {{\n"
             "  if (count <= 0) return cudaSuccess;\n"
             "  // states at a time, whole blocks of threads\n"
             "  const long room = count < (1 << 18) ? (count + {3} - 1) / {3} * {3} : 1 << 18;\n"
             "  T* crossing = nullptr;\n"
             "  cudaError_t e = limber_scratch(reinterpret_cast<void**>(&crossing),\n"
             "      sizeof(T) * {0}_crossing * static_cast<size_t>(room), stream);\n"
             "  if (e != cudaSuccess) return e;\n"
             "  for (long first = 0; first < count && e == cudaSuccess; first += room)\n"
             "    e = {0}_stages<T>(count - first < room ? count - first : room, stride, "
             "{2}crossing, stream);\n"
             "  const cudaError_t freed = cudaFreeAsync(crossing, stream);\n"
             "  return e != cudaSuccess ? e : freed;\n"
             "}}\n\n",
             program.name, a.plain, moved, threads);
}

std::string cuda_rollout(const Program& step) {
  const Arguments a = arguments_of(step.shape);
  const Extra steps{", int steps", ", steps"};
  const std::size_t carried = carried_arrays(step.shape);
  // the state stays in registers; a step reads q, v and writes q_next, v_next there
  Dialect d = cuda_dialect();
  d.indent = "    ";
  const auto from_memory = d.input;
  d.input = [&](const std::string& name, int element) {
    for (std::size_t k = 0; k < carried; ++k)
      if (name == step.shape.inputs[k].name) return fmt::format("{}_now[{}]", name, element);
    return from_memory(name, element);
  };
  d.output = [](const std::string& name, int element, const std::string& value) {
    return fmt::format("{}_of_step[{}] = {}", name, element, value);
  };
  // what a step returns beside the state is that of the last one
  std::string others, stored;
  for (std::size_t k = carried; k < step.shape.outputs.size(); ++k) {
    const ArrayShape& array = step.shape.outputs[k];
    others += fmt::format("  T {}_of_step[{}];\n", array.name, array.size);
    stored += fmt::format(
        "  for (int j = 0; j < {1}; ++j) {0}[j * stride] = steps > 0 ? {0}_of_step[j] : T(0);\n",
        array.name, array.size);
  }
  std::string text = fmt::format(
      "/// `steps` steps from q, v with the same controls, without leaving the device.\n"
      "template <class T>\n"
      "__device__ inline void rollout_of(long stride, int steps, {0}) {{\n"
      "{1}{2}{3}"
      "  for (int s = 0; s < steps; ++s) {{\n"
      "{4}{5}"
      "  }}\n"
      "{6}{7}"
      "}}\n\n",
      a.declared, for_carried(step, "  T {0}_now[{2}], {1}_of_step[{2}];\n"), others,
      for_carried(step, "  for (int j = 0; j < {2}; ++j) {0}_now[j] = {0}[j * stride];\n"),
      statements(step, d),
      for_carried(step, "    for (int j = 0; j < {2}; ++j) {0}_now[j] = {1}_of_step[j];\n"),
      for_carried(step, "  for (int j = 0; j < {2}; ++j) {1}[j * stride] = {0}_now[j];\n"), stored);
  text += kernel("rollout", a, steps);
  return text + launcher("rollout", a, steps);
}

}  // namespace limber
