#include <algorithm>

#include <fmt/format.h>

#include "compile/emit_cuda.hpp"
#include "compile/gradient.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr int warps = 4;  ///< of a block of the solve, 32 states

std::string list(const std::vector<int>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i % 20 == 0 ? ",\n    " : ", ", values[i]);
  return text;
}

/// x := L⁻ᵀ x, row by row from the leaves; a row that is zero in the columns at hand is left out.
std::string inward(const GradientRows& rows, int nv) {
  std::string text;
  for (int k = nv - 1; k >= 0; --k) {
    const int start = rows.path_start[at_index(k)], end = rows.path_end[at_index(k)] - 1;
    if (start == end) continue;
    text += fmt::format("    if (active >> {} & 1) {{\n", k);
    for (int e = start; e < end; ++e)
      text += fmt::format("      limber_subtract<U>(x, {}, factor[{}], {});\n",
                          rows.path[at_index(e)], e * 32, k);
    text += "    }\n    limber_in_order();\n";
  }
  return text;
}

/// x := L⁻¹ D⁻¹ x, from the root.
std::string outward(const GradientRows& rows, int nv) {
  std::string text;
  for (int k = 0; k < nv; ++k) {
    const int start = rows.path_start[at_index(k)], end = rows.path_end[at_index(k)] - 1;
    text += fmt::format("    limber_scale<U>(x, {}, factor[{}]);\n", k, end * 32);
    for (int e = start; e < end; ++e)
      text += fmt::format("    limber_subtract<U>(x, {}, factor[{}], {});\n", k, e * 32,
                          rows.path[at_index(e)]);
    text += "    limber_in_order();\n";
  }
  return text;
}

/// For each column the variables whose rows are not zero on the way inward.
std::vector<std::uint64_t> active_rows(const GradientRows& rows, int nv) {
  std::vector<std::uint64_t> active;
  for (int c = 0; c < 3 * nv; ++c) {
    std::uint64_t bits = 0;
    if (c >= 2 * nv) bits |= std::uint64_t{1} << (c - 2 * nv);
    else
      for (int j = 0; j < nv; ++j)
        if (rows.element[at_index(c * nv + j)] != rows.zero) bits |= std::uint64_t{1} << j;
    for (int k = nv - 1; k >= 0; --k)
      if (bits >> k & 1)
        for (int e = rows.path_start[at_index(k)]; e < rows.path_end[at_index(k)] - 1; ++e)
          bits |= std::uint64_t{1} << rows.path[at_index(e)];
    active.push_back(bits);
  }
  return active;
}

}  // namespace

std::string cuda_gradient(const Model& model, const FunctionOptions& options) {
  const GradientRows rows = gradient_rows(model, options);
  const int nv = model.nv, factor = rows.path_end.back();
  const bool with_parameters = rows.program.shape.inputs.size() > 3;
  std::string masks;
  for (const std::uint64_t bits : active_rows(rows, nv)) masks += fmt::format("{}ull, ", bits);
  std::string text = cuda_stages(rows.program, model);
  text += fmt::format(
      R"(/// What stands behind is not moved before: the factor is fetched row by row, not all at once.
__device__ inline void limber_in_order() {{ asm volatile("" ::: "memory"); }}
template <int U, class T, int N>
__device__ inline void limber_subtract(T (&x)[U][N], int to, T factor, int from) {{
#pragma unroll
  for (int u = 0; u < U; ++u) x[u][to] -= factor * x[u][from];
}}
template <int U, class T, int N>
__device__ inline void limber_scale(T (&x)[U][N], int row, T factor) {{
#pragma unroll
  for (int u = 0; u < U; ++u) x[u][row] *= factor;
}}

/// Place of row j of column c (d/dq, then d/dv) among the rows, at c * {nv} + j.
__constant__ const short gradient_element[] = {{
    {elements}}};
/// Rows of each column that the solve has to look at.
__constant__ const unsigned long long gradient_active[] = {{{masks}}};

/// -M^-1 times the columns of the rows, and M^-1 itself: U columns per thread, one state per lane.
template <class T, int U>
__global__ void __launch_bounds__({threads}) gradient_solve_kernel(long count, long stride, long offset,
                                                            unsigned row_stride, const T* __restrict__ rows,
                                                            T* __restrict__ a_q, T* __restrict__ a_v,
                                                            T* __restrict__ a_tau) {{
  extern __shared__ __align__(16) unsigned char memory[];
  const int lane = threadIdx.x % 32;
  long i = static_cast<long>(blockIdx.x) * 32 + lane;
  if (i >= count) i = count - 1;
  rows += i;
  T* const factor = reinterpret_cast<T*>(memory) + lane;
  for (int e = static_cast<int>(threadIdx.x) / 32; e < {factor}; e += {warps}) factor[e * 32] = rows[e * row_stride];
  __syncthreads();
  const int columns = a_tau ? {three} : {two};
  for (int first = static_cast<int>(threadIdx.x) / 32 * U; first < columns; first += {warps} * U) {{
    T x[U][{nv}];
    unsigned long long active = 0;
#pragma unroll
    for (int u = 0; u < U; ++u) {{
      const int c = min(first + u, columns - 1);
      active |= gradient_active[c];
#pragma unroll
      for (int j = 0; j < {nv}; ++j) {{
        if (c >= {two}) x[u][j] = j == c - {two} ? T(-1) : T(0);
        else x[u][j] = rows[static_cast<unsigned>(gradient_element[c * {nv} + j]) * row_stride];
      }}
    }}
{inward}{outward}
#pragma unroll
    for (int u = 0; u < U; ++u) {{
      const int c = first + u;
      if (c >= columns) break;
      T* out = (c < {nv} ? a_q : c < {two} ? a_v : a_tau) + c % {nv} * stride + offset + i;
#pragma unroll
      for (int j = 0; j < {nv}; ++j, out += {nv} * stride) *out = -x[u][j];
    }}
  }}
}}

template <class T>
cudaError_t forward_dynamics_derivatives(long count, long stride, const T* q, const T* v, const T* tau,
                                         {parameters_declared}T* a, T* a_q, T* a_v, T* a_tau,
                                         cudaStream_t stream = nullptr) {{
  constexpr long chunk = 1 << 17;  // states whose rows are kept at a time
  constexpr int U = sizeof(T) == 4 ? {single} : {twice};
  if (count <= 0) return cudaSuccess;
  const long room = count < chunk ? count : chunk;
  const int bytes = {factor} * 32 * static_cast<int>(sizeof(T));
  cudaError_t e = forward_dynamics<T>(count, stride, q, v, tau, {parameters}a, stream);
  if (e != cudaSuccess) return e;
  e = cudaFuncSetAttribute(gradient_solve_kernel<T, U>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  T* rows = nullptr;
  e = limber_scratch(reinterpret_cast<void**>(&rows), sizeof(T) * ({size} + gradient_rows_crossing) * static_cast<size_t>(room), stream);
  if (e != cudaSuccess) return e;
  for (long first = 0; first < count && e == cudaSuccess; first += room) {{
    const long n = count - first < room ? count - first : room;
    e = gradient_rows_stages<T>(n, stride, room, room, q + first, v + first, a + first, {parameters_moved}rows, rows + {size} * room, stream);
    if (e != cudaSuccess) break;
    gradient_solve_kernel<T, U><<<static_cast<unsigned>((n + 31) / 32), {threads}, bytes, stream>>>(
        n, stride, first, static_cast<unsigned>(room), rows, a_q, a_v, a_tau);
    e = cudaGetLastError();
  }}
  const cudaError_t freed = cudaFreeAsync(rows, stream);
  return e != cudaSuccess ? e : freed;
}}

)",
      fmt::arg("threads", 32 * warps), fmt::arg("warps", warps), fmt::arg("nv", nv),
      fmt::arg("two", 2 * nv), fmt::arg("three", 3 * nv), fmt::arg("factor", factor),
      fmt::arg("elements", list(rows.element)), fmt::arg("masks", masks),
      fmt::arg("inward", inward(rows, nv)), fmt::arg("outward", outward(rows, nv)),
      fmt::arg("size", rows.program.shape.outputs[0].size),
      fmt::arg("single", std::max(1, 74 / nv)), fmt::arg("twice", std::max(1, 37 / nv)),
      fmt::arg("parameters_declared", with_parameters ? "const T* parameters, " : ""),
      fmt::arg("parameters", with_parameters ? "parameters, " : ""),
      fmt::arg("parameters_moved", with_parameters ? "parameters + first, " : ""));
  return text;
}

}  // namespace limber
