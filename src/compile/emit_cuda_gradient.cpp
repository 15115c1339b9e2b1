// CUDA for derivatives of forward dynamics: the program of gradient.hpp, one state per thread, and
// then a warp for every few columns of 32 states.
#include <algorithm>

#include <fmt/format.h>

#include "compile/emit_cuda.hpp"
#include "compile/gradient.hpp"
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

/// The tree as the solve needs it.
struct Tree {
  std::vector<int> depth;  ///< rows from the root to each row, itself not counted
  int prefix = 0;          ///< every path begins with the rows 0 … prefix − 1
  int longest = 0;         ///< rows of the longest path
  int width = 1;           ///< variables of the largest joint
  std::vector<bool> own;   ///< rows that have an own_jk that is not zero

  explicit Tree(const GradientParts& g) {
    const int nv = static_cast<int>(g.rows.size());
    for (const GradientParts::Row& row : g.rows) {
      depth.push_back(row.carrier < 0 ? 0 : depth[at_index(row.carrier)] + 1);
      longest = std::max(longest, depth.back() + 1);
      width = std::max(width, row.end - row.first);
    }
    for (; prefix < nv; ++prefix) {
      const int j = prefix;
      if (g.rows[at_index(j)].carrier != j - 1 || g.rows[at_index(j)].columns_end != nv) break;
    }
    own.resize(g.rows.size());
    for (const auto& side : g.columns)
      for (std::size_t k = 0; k < side.size(); ++k)
        for (std::size_t j = 0; j < side[k].own.size(); ++j)
          if (side[k].own[j] != 0) own[at_index(g.rows[k].first) + j] = true;
  }
  /// Whether some row outside the prefix has such.
  bool own_beyond() const { return std::find(own.begin() + prefix, own.end(), true) != own.end(); }
};

std::string tables(const GradientParts& g, const Tree& tree) {
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

/// What one row does with the columns of a thread.
static_assert(cuda_tile == 128);  // as the text below has it
constexpr const char* row_text = R"(
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

/// Column k of `Sides` right-hand sides from `First` on (d tau/dq, d tau/dv, -1), one state per lane.
/// The rows of the robot are in shared memory, or where the program left them.
template <class T, int First, int Sides, bool Shared>
struct gradient_solver {
  static constexpr int per = 16 / sizeof(T), moving = First + Sides == 3 ? Sides - 1 : Sides;
  /// Places of a row's numbers.
  static constexpr int U_D = 0, S = 6, s_D = 12, D = 15;
  const limber_chunk<T>* rows;
  T* fetched;  ///< the next column, in shared memory
  const T* parts;
  int k, end, depth;
  T chi[Sides][6], psi[Sides][3];
  T g[Sides][6];                 ///< force on its way inward
  T z[Sides][gradient_longest];  ///< of the rows that carry the column

  /// Fetches the numbers of a column: for each side chi, psi, force.
  __device__ void fetch_column(int column) const {
    if constexpr (Shared && moving > 0)
      if (column < nv)
#pragma unroll
        for (int c = 0; c < 15 * moving; ++c)
          limber_fetch(fetched + c * 32, parts + gradient_column[((First + c / 15) * nv + column) * 15 + c % 15] * 128);
  }
  __device__ void read_column(int column) {
    k = column, end = gradient_end[k], depth = gradient_depth[k];
    limber_fetched();
#pragma unroll
    for (int side = 0; side < Sides; ++side)
#pragma unroll
      for (int c = 0; c < 15; ++c) {
        T x = 0;
        if (side < moving)
          x = Shared ? fetched[(side * 15 + c) * 32] : parts[gradient_column[((First + side) * nv + k) * 15 + c] * 128];
        if (c < 6) chi[side][c] = x;
        else if (c < 9) psi[side][c - 6] = x;
        else g[side][c - 9] = x;
      }
  }
  /// What is not used is not read.
  __device__ void read_row(int j, T (&r)[16]) const {
#pragma unroll
    for (int c = 0; c < 16 / per; ++c)
#pragma unroll
      for (int e = 0; e < per; ++e)
        r[c * per + e] = Shared ? rows[(j * (16 / per) + c) * 32].x[e] : parts[gradient_row[j * 16 + c * per + e] * 128];
  }
  /// What the column has beside in row j of its own joint.
  __device__ T own(int side, int j) const {
    return parts[gradient_own[((First + side) * nv + k) * gradient_width + j - gradient_joint[2 * k]] * 128];
  }
  __device__ bool in_joint(int j) const { return j >= gradient_joint[2 * k] && j < gradient_joint[2 * k + 1]; }
  /// -z of a row that the column carries: all with the sign of the results.
  __device__ T below(int side, const T (&r)[16]) const {
    T z = 0;
#pragma unroll
    for (int c = 0; c < 6; ++c) z -= chi[side][c] * r[U_D + c];
#pragma unroll
    for (int c = 0; c < 3; ++c) z -= psi[side][c] * r[s_D + c];
    return z;
  }
  __device__ void pass_on(int side, T y, const T (&r)[16]) {
#pragma unroll
    for (int c = 0; c < 6; ++c) g[side][c] += r[U_D + c] * y;
  }
  /// Inward through all rows that the column carries.
  __device__ void collect() {
    int j = end - 1;
    for (; j >= gradient_joint[2 * k + 1]; --j) {
      T r[16];
      read_row(j, r);
#pragma unroll
      for (int side = 0; side < moving; ++side) pass_on(side, below(side, r) * r[D], r);
    }
    for (; j > k; --j) {
      T r[16];
      read_row(j, r);
#pragma unroll
      for (int side = 0; side < moving; ++side) pass_on(side, below(side, r) * r[D] - own(side, j), r);
    }
  }
  /// Inward through row j, which carries the column and has `Depth` rows before it. Unit: the only
  /// component of its S, 1; -1: S is any. Own: it may have something beside.
  template <int Depth, int Unit, bool Own>
  __device__ void above(int j) {
    T r[16];
    read_row(j, r);
    const T D_inverse = limber_inverse(r[D]);
#pragma unroll
    for (int side = 0; side < Sides; ++side) {
      T f = side == moving && j == k ? T(1) : T(0);
      if (Unit >= 0) f -= g[side][Unit < 0 ? 0 : Unit];
      else
#pragma unroll
        for (int c = 0; c < 6; ++c) f -= g[side][c] * r[S + c];
      if (Own && side < moving && in_joint(j)) f -= own(side, j);
      z[side][Depth] = f * D_inverse;
      pass_on(side, f, r);
    }
  }
  /// Outward through row J: the result, and its acceleration a from that of what carries it, of which
  /// only the components `Mask` are not zero. End: where the columns end that J carries.
  template <int J, int End, int Depth, int Unit, int Mask, bool Own>
  __device__ void outward(const T (&carrying)[Sides][6], T (&a)[Sides][6], T (&result)[Sides]) const {
    T r[16], y[Sides];
    read_row(J, r);
#pragma unroll
    for (int side = 0; side < Sides; ++side) y[side] = k >= J && k < End ? z[side][Depth] : T(0);
    if (J > k && J < end)
#pragma unroll
      for (int side = 0; side < moving; ++side) {
        y[side] = below(side, r);
        if (Own && in_joint(J)) y[side] -= own(side, J) * limber_inverse(r[D]);
      }
#pragma unroll
    for (int side = 0; side < Sides; ++side) {
#pragma unroll
      for (int c = 0; c < 6; ++c)
        if (Mask >> c & 1) y[side] -= carrying[side][c] * r[U_D + c];
      result[side] = y[side];
#pragma unroll
      for (int c = 0; c < 6; ++c) {
        a[side][c] = Mask >> c & 1 ? carrying[side][c] : T(0);
        if (Unit < 0) a[side][c] += r[S + c] * y[side];
        else if (c == Unit) a[side][c] += y[side];
      }
    }
  }
};
)";

/// From the column's own row to the root.
std::string inward(const GradientParts& g, const Tree& tree) {
  std::string text;
  if (tree.prefix < tree.longest) text = "    int j = k;\n";
  for (int d = tree.longest - 1; d >= 0; --d) {
    text += fmt::format("    if (s.depth >= {0}) s.template above<{0}, ", d);
    text += d >= tree.prefix
                ? fmt::format("-1, {}>(j), j = gradient_carrier[j];\n", tree.own_beyond())
                : fmt::format("{}, {}>({});\n", g.rows[at_index(d)].unit,
                              static_cast<bool>(tree.own[at_index(d)]), d);
    text += "    limber_in_order();\n";
  }
  return text;
}

/// The results of all rows, from the root.
std::string outward(const GradientParts& g, const Tree& tree) {
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
        "    T a{0}[Sides][6];\n    s.template outward<{0}, {1}, {2}, {3}, {4}, {5}>({6}, a{0}, "
        "result);\n    for (int side = 0; side < Sides; ++side) *out[side] = result[side], "
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
  using Solver = gradient_solver<T, First, Sides, Shared>;
  const int lane = threadIdx.x % 32, warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  long i = static_cast<long>(blockIdx.x) * 32 + lane;
  if (i >= count) i = count - 1;
  parts += i / 128 * (gradient_size * 128L) + i % 128;
  limber_chunk<T>* const rows = reinterpret_cast<limber_chunk<T>*>(memory) + lane;
  T* const fetched = reinterpret_cast<T*>(memory) + (nv * 16 + warp * 15 * Solver::moving) * 32 + lane;
  Solver s{rows, fetched, parts};
  if (Shared)
    for (int c = warp; c < nv * 16 / Solver::per; c += gradient_threads / 32)
#pragma unroll
      for (int e = 0; e < Solver::per; ++e)
        limber_fetch(&rows[c * 32].x[e], parts + gradient_row[c * Solver::per + e] * 128);
  s.fetch_column(warp);
  limber_fetched();
  T* const all[3] = {a_q, a_v, a_tau};
  const long row_stride = nv * stride;
  for (int begin = 0; begin < nv; begin += gradient_threads / 32) {
    // the warps keep together, for they share the instruction cache
    __syncthreads();
    const int k = begin + warp;
    if (k < nv) {
      s.read_column(k);
      s.collect();
      s.fetch_column(k + gradient_threads / 32);
)";
constexpr const char* kernel_end = "  }\n}\n\n";

constexpr const char* launch_text = R"(template <class T, int First, int Sides>
cudaError_t gradient_columns(long count, long stride, long offset, const T* parts, T* a_q, T* a_v, T* a_tau,
                             cudaStream_t stream) {
  constexpr int bytes = (nv * 16 + gradient_threads / 32 * 15 * gradient_solver<T, First, Sides, true>::moving) * 32 *
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

std::string cuda_gradient(const Model& model, const FunctionOptions& options,
                          const std::string& name) {
  const GradientParts parts = gradient_parts(model, options);
  const bool with_parameters = parts.program.shape.inputs.size() > 3;
  const Tree tree(parts);
  return cuda_stages(parts.program, model) + tables(parts, tree) + row_text + kernel_begin +
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
