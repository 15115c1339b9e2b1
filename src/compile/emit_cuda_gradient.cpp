// CUDA for derivatives of forward dynamics: the program of gradient.hpp, one state per thread, and
// then a warp for every few columns of 32 states.
#include <algorithm>

#include <fmt/format.h>

#include "compile/emit_cuda.hpp"
#include "compile/lanes_gradient.hpp"
#include "index.hpp"

namespace limber {

namespace {

template <class Values>
void append(std::vector<int>& to, const Values& values) {
  to.insert(to.end(), values.begin(), values.end());
}

std::string table(const char* comment, const char* name, const std::vector<int>& values) {
  std::string text = fmt::format("/// {}\n__constant__ const short {}[] = {{", comment, name);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{},", i % 20 == 0 ? "\n    " : " ", values[i]);
  return text + "};\n";
}

std::string tables(const GradientParts& g, const GradientTree& tree) {
  std::vector<int> rows, columns, ends, carriers, joints, own;
  for (const GradientParts::Row& row : g.rows) {
    append(rows, row.U_D), append(rows, row.S), append(rows, row.s_D);
    rows.push_back(row.D);
    ends.push_back(row.columns_end);
    carriers.push_back(row.carrier);
    append(joints, std::array{row.first, row.end});
  }
  for (const auto& side : g.columns)
    for (const GradientParts::Column& column : side) {
      append(columns, column.chi), append(columns, column.psi), append(columns, column.force);
      for (int j = 0; j < tree.width; ++j)
        own.push_back(at_index(j) < column.own.size() ? column.own[at_index(j)] : 0);
    }
  return table("Of each row: U/D, S, s/D, D.", "gradient_row", rows) +
         table("Of each column of d/dq, then d/dv: chi, psi, force.", "gradient_column", columns) +
         table("Where the columns end that each variable carries.", "gradient_end", ends) +
         table("The variable that carries each; -1: none.", "gradient_carrier", carriers) +
         table("Rows from the root to each.", "gradient_depth", tree.depth) +
         table("The variables of each one's joint, from and to.", "gradient_joint", joints) +
         table("What each column has beside in the rows of its joint.", "gradient_own", own) +
         fmt::format(
             "constexpr int gradient_size = {}, gradient_longest = {}, gradient_width = {}, "
             "gradient_threads = 256;\n",
             g.program.shape.outputs[0].size, tree.longest, tree.width);
}

/// How a thread gets its numbers; what it does with them is in column_solver.hpp.
static_assert(cuda_tile == 128);  // as the text below has it
constexpr const char* source_text = R"(
/// The tables, for column_solver.hpp.
struct gradient_tables {
  static constexpr int longest = gradient_longest;
  __device__ static int end(int k) { return gradient_end[k]; }
  __device__ static int depth(int k) { return gradient_depth[k]; }
  __device__ static int first(int k) { return gradient_joint[2 * k]; }
  __device__ static int last(int k) { return gradient_joint[2 * k + 1]; }
};

/// What stands behind is not moved before: rows are fetched one by one, not all at once.
__device__ inline void limber_in_order() { asm volatile("" ::: "memory"); }
__device__ inline float limber_inverse(float x) { return __fdividef(1.0f, x); }
__device__ inline double limber_inverse(double x) { return 1.0 / x; }
/// Copies a number to shared memory while the thread goes on, until limber_fetched().
template <class T>
__device__ inline void limber_fetch(T* shared, const T* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(from), "n"(sizeof(T)));
#else
  *shared = *from;
#endif
}
__device__ inline void limber_fetched() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
template <class T>
struct alignas(16) limber_chunk {
  T x[16 / sizeof(T)];
};

/// The numbers of the columns of `Sides` right-hand sides from `First` on, one state per lane. The
/// rows of the robot are in shared memory, or where the program left them.
template <class T, int First, int Sides, bool Shared>
struct gradient_source {
  static constexpr int per = 16 / sizeof(T), moving = First + Sides == 3 ? Sides - 1 : Sides;
  const limber_chunk<T>* rows;
  T* fetched;  ///< the next column, in shared memory
  const T* parts;

  /// Fetches the numbers of a column: for each side chi, psi, force.
  __device__ void fetch_column(int k) const {
    if constexpr (Shared && moving > 0)
      if (k < nv)
#pragma unroll
        for (int c = 0; c < 15 * moving; ++c)
          limber_fetch(fetched + c * 32, parts + gradient_column[((First + c / 15) * nv + k) * 15 + c % 15] * 128);
  }
  __device__ T column(int side, int k, int c) const {
    return Shared ? fetched[((side - First) * 15 + c) * 32] : parts[gradient_column[(side * nv + k) * 15 + c] * 128];
  }
  /// What is not used is not read.
  __device__ void row(int j, T (&r)[16]) const {
#pragma unroll
    for (int c = 0; c < 16 / per; ++c)
#pragma unroll
      for (int e = 0; e < per; ++e)
        r[c * per + e] = Shared ? rows[(j * (16 / per) + c) * 32].x[e] : parts[gradient_row[j * 16 + c * per + e] * 128];
  }
  __device__ T own(int side, int k, int j) const {
    return parts[gradient_own[(side * nv + k) * gradient_width + j - gradient_joint[2 * k]] * 128];
  }
  __device__ T one() const { return T(1); }
  __device__ T inverse(int, const T (&r)[16]) const { return limber_inverse(r[15]); }
};
)";

/// From the column's own row to the root.
std::string inward(const GradientParts& g, const GradientTree& tree) {
  std::string text;
  if (tree.prefix < tree.longest) text = "    int j = k;\n";
  for (int d = tree.longest - 1; d >= 0; --d) {
    text += fmt::format("    if (s.depth >= {}) s.template above<", d);
    text +=
        d >= tree.prefix
            ? fmt::format(
                  "-1, {}>(from, j, limber::GradientIndex<{}>()), j = gradient_carrier[j];\n",
                  tree.own_from(tree.prefix), d)
            : fmt::format("{0}, {1}>(from, {2}, limber::GradientIndex<{2}>());\n",
                          g.rows[at_index(d)].unit, static_cast<bool>(tree.own[at_index(d)]), d);
    text += "    limber_in_order();\n";
  }
  return text;
}

/// The results of all rows, from the root.
std::string outward(const GradientParts& g, const GradientTree& tree) {
  std::string text = R"(    }
    __syncthreads();
    if (k >= nv) break;
    const T none[Sides][6] = {};
    T result[Sides], *out[Sides];
    for (int side = 0; side < Sides; ++side) out[side] = all[First + side] + k * stride + offset + i;
)";
  std::vector<int> mask;  // components of each row's acceleration that are not zero
  for (int j = 0; j < static_cast<int>(g.rows.size()); ++j) {
    const GradientParts::Row& row = g.rows[at_index(j)];
    const int carrying = row.carrier < 0 ? 0 : mask[at_index(row.carrier)];
    mask.push_back(row.unit < 0 ? 63 : carrying | 1 << row.unit);
    text += fmt::format(
        "    T a{0}[Sides][6];\n    s.template outward<{3}, {4}, {5}, Sides, "
        "limber::GradientRelation::any>(from, limber::GradientIndex<{0}>(), "
        "limber::GradientIndex<{1}>(), limber::GradientIndex<{2}>(), "
        "{6}, a{0}, result);\n    for (int side = 0; side < Sides; ++side) *out[side] = "
        "result[side], "
        "out[side] += row_stride;\n    limber_in_order();\n",
        j, row.columns_end, tree.depth[at_index(j)], row.unit, carrying,
        static_cast<bool>(tree.own[at_index(j)]),
        row.carrier < 0 ? "none" : fmt::format("a{}", row.carrier));
  }
  return text;
}

constexpr const char* kernel_begin = R"(
/// A warp for each column, one state per lane.
template <class T, int First, int Sides, bool Shared>
__global__ void __launch_bounds__(gradient_threads) gradient_kernel(long count, long stride, long offset,
                                                                    const T* __restrict__ parts,
                                                                    T* __restrict__ a_q, T* __restrict__ a_v,
                                                                    T* __restrict__ a_tau) {
  extern __shared__ __align__(16) unsigned char memory[];
  using Source = gradient_source<T, First, Sides, Shared>;
  const int lane = threadIdx.x % 32, warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  long i = static_cast<long>(blockIdx.x) * 32 + lane;
  if (i >= count) i = count - 1;
  parts += i / 128 * (gradient_size * 128L) + i % 128;
  limber_chunk<T>* const rows = reinterpret_cast<limber_chunk<T>*>(memory) + lane;
  T* const fetched = reinterpret_cast<T*>(memory) + (nv * 16 + warp * 15 * Source::moving) * 32 + lane;
  const Source from{rows, fetched, parts};
  limber::GradientColumn<T, gradient_tables, First, Sides> s;
  if (Shared)
    for (int c = warp; c < nv * 16 / Source::per; c += gradient_threads / 32)
#pragma unroll
      for (int e = 0; e < Source::per; ++e)
        limber_fetch(&rows[c * 32].x[e], parts + gradient_row[c * Source::per + e] * 128);
  from.fetch_column(warp);
  limber_fetched();
  T* const all[3] = {a_q, a_v, a_tau};
  const long row_stride = nv * stride;
  for (int begin = 0; begin < nv; begin += gradient_threads / 32) {
    // the warps keep together, for they share the instruction cache
    __syncthreads();
    const int k = begin + warp;
    if (k < nv) {
      limber_fetched();
      s.read(from, k);
      s.collect(from);
      from.fetch_column(k + gradient_threads / 32);
)";
constexpr const char* kernel_end = "  }\n}\n\n";

constexpr const char* launch_text = R"(template <class T, int First, int Sides>
cudaError_t gradient_columns(long count, long stride, long offset, const T* parts, T* a_q, T* a_v, T* a_tau,
                             cudaStream_t stream) {
  constexpr int bytes = (nv * 16 + gradient_threads / 32 * 15 * gradient_source<T, First, Sides, true>::moving) * 32 *
                        static_cast<int>(sizeof(T));
  const unsigned blocks = static_cast<unsigned>((count + 31) / 32);
  int device = 0, most = 0;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (e != cudaSuccess) return e;
  if (bytes > most) {
    gradient_kernel<T, First, Sides, false>
        <<<blocks, gradient_threads, 0, stream>>>(count, stride, offset, parts, a_q, a_v, a_tau);
    return cudaGetLastError();
  }
  const auto kernel = gradient_kernel<T, First, Sides, true>;
  e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<blocks, gradient_threads, bytes, stream>>>(count, stride, offset, parts, a_q, a_v, a_tau);
  return cudaGetLastError();
}
)";

}  // namespace

std::string cuda_column_solver() {
  for (const EmbeddedFile& header : embedded_columns())
    if (header.name == "column_solver") return std::string(header.text) + "\n";
  return "";
}

std::string cuda_gradient(const Model& model, const FunctionOptions& options,
                          const std::string& name) {
  const GradientParts parts = gradient_parts(model, options);
  const bool with_parameters = parts.program.shape.inputs.size() > 3;
  const GradientTree tree(parts);
  return cuda_stages(parts.program, model) + tables(parts, tree) + source_text + kernel_begin +
         inward(parts, tree) + outward(parts, tree) + kernel_end + launch_text +
         fmt::format(
             R"(
/// Derivatives of forward dynamics in tangent space. a_tau may be null: not wanted.
template <class T>
cudaError_t {name}(long count, long stride, const T* q, const T* v, const T* tau,
    {parameters_declared}T* a, T* a_q, T* a_v, T* a_tau, cudaStream_t stream = nullptr) {{
  constexpr size_t bytes = sizeof(T) * (gradient_size + gradient_parts_crossing);  // kept of each state
  constexpr int numbers = gradient_longest * static_cast<int>(sizeof(T)) / 4;  // registers of one column
  if (count <= 0) return cudaSuccess;
  const long most = static_cast<long>((size_t{{1}} << 31) / bytes), batches = (count + most - 1) / most;
  const long room = ((count + batches - 1) / batches + 127) / 128 * 128;  // states at a time
  cudaError_t e = forward_dynamics<T>(count, stride, q, v, tau, {parameters}a, stream);
  if (e != cudaSuccess) return e;
  T* parts = nullptr;
  e = limber_scratch(reinterpret_cast<void**>(&parts), bytes * static_cast<size_t>(room), stream);
  if (e != cudaSuccess) return e;
  for (long first = 0; first < count && e == cudaSuccess; first += room) {{
    const long n = count - first < room ? count - first : room;
    e = gradient_parts_stages<T>(n, stride, q + first, v + first, a + first, {parameters_moved}parts, parts + gradient_size * room, stream);
    if (e != cudaSuccess) break;
    if constexpr (3 * numbers <= 60) {{
      if (a_tau) e = gradient_columns<T, 0, 3>(n, stride, first, parts, a_q, a_v, a_tau, stream);
      else e = gradient_columns<T, 0, 2>(n, stride, first, parts, a_q, a_v, a_tau, stream);
    }} else {{
      if constexpr (2 * numbers <= 80) {{
        e = gradient_columns<T, 0, 2>(n, stride, first, parts, a_q, a_v, a_tau, stream);
      }} else {{
        e = gradient_columns<T, 0, 1>(n, stride, first, parts, a_q, a_v, a_tau, stream);
        if (e == cudaSuccess) e = gradient_columns<T, 1, 1>(n, stride, first, parts, a_q, a_v, a_tau, stream);
      }}
      if (e == cudaSuccess && a_tau) e = gradient_columns<T, 2, 1>(n, stride, first, parts, a_q, a_v, a_tau, stream);
    }}
  }}
  const cudaError_t freed = cudaFreeAsync(parts, stream);
  return e != cudaSuccess ? e : freed;
}}

)",
             fmt::arg("name", name),
             fmt::arg("parameters_declared", with_parameters ? "const T* parameters, " : ""),
             fmt::arg("parameters", with_parameters ? "parameters, " : ""),
             fmt::arg("parameters_moved", with_parameters ? "parameters + first, " : ""));
}

}  // namespace limber
