// How fast the generated kernels are on this GPU, and whether they are right. Needs nothing but the
// CUDA toolkit and the files beside it:   nvcc -O3 -arch=native -std=c++17 --split-compile 0 main.cu -o gpu && ./gpu
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "robots.cuh"

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t e = (call);                                                 \
    if (e != cudaSuccess) {                                                       \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (0)

namespace {

int failures = 0;

/// Seconds of a call, the median of several after a warm-up.
template <class F>
double seconds(F&& call, int rounds = 9) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  call(), call();
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    CHECK(cudaEventRecord(begin));
    call();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms * 1e-3);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// State i of the batch is reference state i mod `states`.
template <class T>
__global__ void repeat(T* x, const double* reference, long count, long stride, int size, int states) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  for (int j = 0; j < size; ++j) x[j * stride + i] = static_cast<T>(reference[j * states + i % states]);
}
/// Counts numbers that differ from those of the same state earlier in the batch; what is not a number
/// is like any other that is none.
template <class T>
__global__ void count_different(const T* x, long count, long stride, int size, int states,
                                unsigned long long* different) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  unsigned long long n = 0;
  for (int j = 0; j < size; ++j) {
    const T a = x[j * stride + i], b = x[j * stride + i % states];
    n += !(a == b || (isnan(a) && isnan(b)));
  }
  if (n > 0) atomicAdd(different, n);
}

template <class T>
__global__ void multiply_add(T* out, int rounds) {
  T x[8];
  for (int k = 0; k < 8; ++k) x[k] = static_cast<T>(threadIdx.x + k) * T(1e-3);
  const T a = T(0.999), b = T(1e-6) * static_cast<T>(blockIdx.x);
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = fma(x[k], a, b);
  T sum = 0;
  for (int k = 0; k < 8; ++k) sum += x[k];
  out[blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x] = sum;
}

/// The machine's peaks, measured: bytes/s of a copy, fused multiply-adds per second.
struct Machine {
  double copy = 0, single = 0, twice = 0;
};
template <class T>
double fused_per_second(T* buffer) {
  const int blocks = 132 * 16, threads = 256, rounds = 4096;
  const double t = seconds([&] { multiply_add<T><<<blocks, threads>>>(buffer, rounds); });
  return 8.0 * rounds * blocks * threads / t;
}
Machine measure() {
  Machine m;
  const size_t bytes = size_t{1} << 32;
  char *a, *b;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMemset(a, 0x3f, bytes));
  m.copy = 2.0 * static_cast<double>(bytes) /
           seconds([&] { CHECK(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice)); });
  m.single = fused_per_second(reinterpret_cast<float*>(a));
  m.twice = fused_per_second(reinterpret_cast<double*>(a));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  return m;
}

/// Numbers that the library's interpreter computed, from the file beside this one.
std::vector<double> read_references() {
  std::vector<double> all;
  std::FILE* file = std::fopen("references.bin", "rb");
  if (!file) std::fprintf(stderr, "references.bin is missing: run this in its own folder\n"), std::exit(1);
  double block[4096];
  for (size_t n; (n = std::fread(block, sizeof(double), 4096, file)) > 0;)
    all.insert(all.end(), block, block + n);
  std::fclose(file);
  return all;
}

/// One function with its arrays on the device.
template <class T, class Function>
class Run {
 public:
  Run(long states, const std::vector<double>& references)
      : count_(states), stride_((states + 127) / 128 * 128) {
    const double* next = references.data() + Function::references;
    for (const int size : Function::inputs) in_.emplace_back(size), expected_in_.emplace_back(size * reference_states);
    for (const int size : Function::outputs) out_.emplace_back(size), expected_.emplace_back(size * reference_states);
    for (int i = 0; i < reference_states; ++i) {
      for (std::vector<double>& x : expected_in_) next = take(next, x, i);
      for (std::vector<double>& x : expected_) next = take(next, x, i);
    }
    for (size_t k = 0; k < in_.size(); ++k) {
      in_[k].data = array(in_[k].size);
      double* reference;
      CHECK(cudaMalloc(&reference, expected_in_[k].size() * sizeof(double)));
      CHECK(cudaMemcpy(reference, expected_in_[k].data(), expected_in_[k].size() * sizeof(double),
                       cudaMemcpyHostToDevice));
      repeat<<<blocks(), 256>>>(in_[k].data, reference, count_, stride_, in_[k].size, reference_states);
      CHECK(cudaDeviceSynchronize());
      CHECK(cudaFree(reference));
    }
    for (Array& x : out_) x.data = array(x.size);
  }
  ~Run() {
    for (Array& x : in_) cudaFree(x.data);
    for (Array& x : out_) cudaFree(x.data);
  }
  void call() {
    T *in[16], *out[16];
    for (size_t k = 0; k < in_.size(); ++k) in[k] = in_[k].data;
    for (size_t k = 0; k < out_.size(); ++k) out[k] = out_[k].data;
    CHECK(Function::template launch<T>(count_, stride_, in, out));
  }

  /// What the numbers of the batch are worth.
  struct Verdict {
    /// The norm of the error over the reference states, relative to the norm of the results; infinite
    /// if a number of the batch was not written or differs from that of the same state elsewhere.
    double error = 0;
    std::vector<int> diverged;    // states that diverge, here and in the reference: not compared
    std::vector<int> only_here, only_there;  // that diverge on the GPU alone, or in the reference alone
  };
  Verdict verdict() {
    for (Array& x : out_)
      CHECK(cudaMemset(x.data, 0xff, sizeof(T) * static_cast<size_t>(x.size) * static_cast<size_t>(stride_)));
    call();
    unsigned long long *different, total = 0;
    CHECK(cudaMalloc(&different, sizeof(*different)));
    CHECK(cudaMemset(different, 0, sizeof(*different)));
    for (Array& x : out_)
      count_different<<<blocks(), 256>>>(x.data, count_, stride_, x.size, reference_states, different);
    CHECK(cudaMemcpy(&total, different, sizeof(total), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(different));
    std::vector<std::vector<T>> found;
    for (const Array& x : out_) {
      std::vector<T>& rows = found.emplace_back(static_cast<size_t>(x.size) * reference_states);
      for (int j = 0; j < x.size; ++j)
        CHECK(cudaMemcpy(rows.data() + static_cast<size_t>(j) * reference_states, x.data + j * stride_,
                         reference_states * sizeof(T), cudaMemcpyDeviceToHost));
    }
    Verdict verdict;
    verdict.error = total == 0 ? 0 : HUGE_VAL;
    std::vector<bool> compared(reference_states, true);
    for (size_t i = 0; i < compared.size(); ++i) {
      const bool here = is_lost(found, i), there = is_lost(expected_, i);
      compared[i] = !here && !there;
      if (compared[i]) continue;
      (here && there ? verdict.diverged : here ? verdict.only_here : verdict.only_there)
          .push_back(static_cast<int>(i));
    }
    for (size_t k = 0; k < out_.size(); ++k) {
      double square = 0, size = 0;
      for (size_t n = 0; n < found[k].size(); ++n) {
        if (!compared[n % reference_states]) continue;
        const double x = expected_[k][n];
        square += (x - found[k][n]) * (x - found[k][n]);
        size += x * x;
      }
      if (size > 0) verdict.error = std::max(verdict.error, std::sqrt(square / size));
    }
    return verdict;
  }

 private:
  struct Array {
    explicit Array(int n) : size(n) {}
    int size;
    T* data = nullptr;
  };
  unsigned blocks() const { return static_cast<unsigned>((count_ + 255) / 256); }
  T* array(int size) {
    T* x;
    CHECK(cudaMalloc(&x, static_cast<size_t>(size) * static_cast<size_t>(stride_) * sizeof(T)));
    return x;
  }
  /// Whether a number of the state is not finite, or beyond what single precision can go on with.
  template <class Number>
  static bool is_lost(const std::vector<std::vector<Number>>& arrays, size_t state) {
    constexpr double largest = 1e30;
    for (const std::vector<Number>& x : arrays)
      for (size_t n = state; n < x.size(); n += reference_states)
        if (!(std::abs(static_cast<double>(x[n])) <= largest)) return true;
    return false;
  }
  static const double* take(const double* from, std::vector<double>& x, int state) {
    const size_t n = x.size() / reference_states;
    for (size_t j = 0; j < n; ++j) x[j * reference_states + static_cast<size_t>(state)] = from[j];
    return from + n;
  }

  long count_, stride_;
  std::vector<Array> in_, out_;
  std::vector<std::vector<double>> expected_in_, expected_;
};

void name_states(const char* robot, const char* function, const char* precision, const char* what,
                 const std::vector<int>& states) {
  if (states.empty()) return;
  std::fprintf(stderr, "%s, %s, %s: %zu of %d states %s:", robot, function, precision, states.size(),
               reference_states, what);
  for (const int i : states) std::fprintf(stderr, " %d", i);
  std::fprintf(stderr, "\n");
}

template <class T, class Function>
void measure(const Machine& machine, const std::vector<double>& references, const char* robot,
             const char* name) {
  long numbers = 0;
  for (const int size : Function::inputs) numbers += size;
  for (const int size : Function::outputs) numbers += size;
  const double bytes = static_cast<double>(numbers) * sizeof(T);
  // a few gigabytes, far more than the caches hold; an odd number, so that the last block is not full
  const long count = std::min(1L << 23, static_cast<long>(4e9 / bytes) / 128 * 128) - 37;
  Run<T, Function> run(count, references);
  const auto verdict = run.verdict();
  const double error = verdict.error;
  const double rate = static_cast<double>(count) / seconds([&] { run.call(); });
  const double peak = sizeof(T) == 4 ? machine.single : machine.twice;
  const double tolerance = sizeof(T) == 4 ? Function::tolerance_single : Function::tolerance_double;
  const bool good = error <= tolerance && verdict.only_here.empty() && verdict.only_there.empty();
  if (!good) ++failures;
  std::printf("| %s | %s | %s | %.3f | %.0f | %.1f | %.1f | %.1e%s |\n", robot, name,
              sizeof(T) == 4 ? "single" : "double", rate * 1e-9, bytes,
              100 * rate * bytes / machine.copy, 100 * rate * Function::instructions / peak, error,
              good ? "" : " WRONG");
  std::fflush(stdout);
  const char* precision = sizeof(T) == 4 ? "single" : "double";
  name_states(robot, name, precision, "diverge, in the reference too, and are not compared",
              verdict.diverged);
  name_states(robot, name, precision, "diverge on the GPU alone", verdict.only_here);
  name_states(robot, name, precision, "diverge in the reference alone", verdict.only_there);
}

}  // namespace

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const Machine machine = measure();
  const std::vector<double> references = read_references();
  std::printf("%s: copy %.2f TB/s (read and written), fused multiply-adds %.1f (single) and %.1f "
              "(double) 10^12/s\n\n",
              device.name, machine.copy * 1e-12, machine.single * 1e-12, machine.twice * 1e-12);
  std::printf("| robot | function | precision | 10^9 states/s | bytes/state | %% of copy | %% of "
              "arithmetic | error |\n|---|---|---|---|---|---|---|---|\n");
#define MEASURE(ROBOT, FUNCTION)                                   \
  measure<float, ROBOT::FUNCTION##_bench>(machine, references, #ROBOT, #FUNCTION); \
  measure<double, ROBOT::FUNCTION##_bench>(machine, references, #ROBOT, #FUNCTION);
  LIMBER_FOR_EACH_FUNCTION(MEASURE)
  if (failures > 0) std::printf("\n%d results are wrong\n", failures);
  return failures > 0 ? 1 : 0;
}
