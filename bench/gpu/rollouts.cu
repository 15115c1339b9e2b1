// How many steps a second are made on this GPU, and, with contact, what their residual is. Needs nothing but the
// CUDA toolkit and the files beside it:
//   nvcc -O3 -arch=native -std=c++17 --split-compile 0 -maxrregcount 255 FILE.cu -o rollouts && ./rollouts
// Without the limit of registers ptxas gives the humanoid's long kernel 32 of them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "robots.cuh"

#define CHECK(call)                                                                   \
  do {                                                                                \
    const cudaError_t e = (call);                                                     \
    if (e != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (0)

namespace {

int failures = 0;

constexpr long robots = 1L << 20;
constexpr int steps = 100;    // of a launch
constexpr int launches = 10;  // one after the other: robots move on

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

/// Robot i begins as reference state i mod `states`, its velocities scaled by a factor of its own.
template <class T>
__global__ void begin(T* x, const double* reference, long count, int size, int states, bool is_velocity) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const double factor = is_velocity ? 0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(count) : 1;
  for (int j = 0; j < size; ++j)
    x[j * count + i] = static_cast<T>(factor * reference[j * states + i % states]);
}

template <class T, class Robot>
class Rollout {
 public:
  explicit Rollout(const std::vector<double>& references) : numbers_(references.data() + Robot::references) {
    for (int k = 0; k < ins; ++k) in_[k] = array(Robot::inputs[k], Robot::is_table[k] ? 1 : robots);
    for (int k = 0; k < outs; ++k) out_[k] = array(Robot::outputs[k], robots);
  }
  ~Rollout() {
    for (T* x : in_) cudaFree(x);
    for (T* x : out_) cudaFree(x);
  }
  void start() {
    const double* from = numbers_;
    for (int k = 0; k < ins; ++k) {
      const size_t size = reference_size(k);
      if (Robot::is_table[k]) {
        const std::vector<T> table(from, from + size);
        CHECK(cudaMemcpy(in_[k], table.data(), size * sizeof(T), cudaMemcpyHostToDevice));
        from += size;
        continue;
      }
      double* reference;
      CHECK(cudaMalloc(&reference, size * sizeof(double)));
      CHECK(cudaMemcpy(reference, from, size * sizeof(double), cudaMemcpyHostToDevice));
      begin<<<blocks(), 256>>>(in_[k], reference, robots, Robot::inputs[k], reference_states, k == 1);
      CHECK(cudaDeviceSynchronize());
      CHECK(cudaFree(reference));
      from += size;
    }
  }
  /// `steps` steps; the state is then where the next launch begins.
  void launch() {
    CHECK(Robot::template launch<T>(robots, robots, steps, in_, out_));
    for (int k = 0; k < Robot::carried; ++k) std::swap(in_[k], out_[k]);
  }
  /// Seconds of a launch from here.
  double seconds() {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<double> times;
    for (int r = 0; r < 7; ++r) {
      CHECK(cudaEventRecord(begin));
      CHECK(Robot::template launch<T>(robots, robots, steps, in_, out_));
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      float ms = 0;
      CHECK(cudaEventElapsedTime(&ms, begin, end));
      times.push_back(ms * 1e-3);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
  /// Of contact, which has its forces and its residual behind q and v.
  static constexpr bool has_contact = std::size(Robot::outputs) == 4;
  std::vector<T> residuals() const { return has_contact ? download(out_[outs - 1], 1) : std::vector<T>{}; }
  std::vector<T> state() const {
    std::vector<T> all = download(in_[0], Robot::inputs[0]);
    const std::vector<T> v = download(in_[1], Robot::inputs[1]);
    all.insert(all.end(), v.begin(), v.end());
    return all;
  }
  /// The largest error of the first steps' q and v, against those of the host in double precision.
  double error() {
    start();
    CHECK(Robot::template launch<T>(robots, robots, 1, in_, out_));
    const double* expected = numbers_;
    for (int k = 0; k < ins; ++k) expected += reference_size(k);
    double worst = 0;
    for (int k = 0; k < 2; ++k) {
      const std::vector<T> found = download(out_[k], Robot::outputs[k]);
      for (int i = 0; i < reference_states; ++i)
        for (int j = 0; j < Robot::outputs[k]; ++j) {
          const double x = expected[static_cast<long>(j) * reference_states + i];
          worst = std::max(worst, std::abs(x - static_cast<double>(found[static_cast<size_t>(j * robots + i)])));
        }
      expected += static_cast<long>(Robot::outputs[k]) * reference_states;
    }
    return worst;
  }

 private:
  static unsigned blocks() { return static_cast<unsigned>((robots + 255) / 256); }
  static T* array(int size, long states) {
    T* x;
    CHECK(cudaMalloc(&x, static_cast<size_t>(size) * states * sizeof(T)));
    return x;
  }
  /// Numbers of an input among the references.
  static size_t reference_size(int k) {
    return static_cast<size_t>(Robot::inputs[k]) * (Robot::is_table[k] ? 1 : reference_states);
  }
  static std::vector<T> download(const T* from, int size) {
    std::vector<T> x(static_cast<size_t>(size) * robots);
    CHECK(cudaMemcpy(x.data(), from, x.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return x;
  }

  static constexpr int ins = std::size(Robot::inputs), outs = std::size(Robot::outputs);
  const double* numbers_;
  T *in_[ins], *out_[outs];
};

template <class T, class Robot>
void measure(const std::vector<double>& references, const char* name) {
  Rollout<T, Robot> rollout(references);
  const double error = rollout.error();
  std::vector<T> residuals;
  rollout.start();
  for (int k = 0; k < launches; ++k) {
    rollout.launch();
    const std::vector<T> now = rollout.residuals();
    residuals.insert(residuals.end(), now.begin(), now.end());
  }
  const double seconds = rollout.seconds();
  const std::vector<T> once = rollout.state();
  rollout.start();
  for (int k = 0; k < launches; ++k) rollout.launch();
  const std::vector<T> twice = rollout.state();
  const bool same = std::memcmp(once.data(), twice.data(), once.size() * sizeof(T)) == 0;
  long lost = 0;
  for (long i = 0; i < robots; ++i) {
    bool finite = true;
    for (size_t n = static_cast<size_t>(i); n < once.size(); n += robots) finite = finite && std::isfinite(once[n]);
    lost += !finite;
  }
  for (T& r : residuals)
    if (!(r >= 0)) r = T(1e30);
  const auto percentile = [&](double share) -> std::string {
    if (residuals.empty()) return "-";
    const auto at = residuals.begin() + static_cast<long>(share * static_cast<double>(residuals.size() - 1));
    std::nth_element(residuals.begin(), at, residuals.end());
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", static_cast<double>(*at));
    return text;
  };
  constexpr double tolerance = 2e-3;  // of a velocity, where sweeps are few
  const bool good = same && lost == 0 && error <= tolerance;
  if (!good) ++failures;
  std::printf("| %s | %d | %.1f | %s | %s | %s | %.1e | %s%s |\n", name, Robot::instructions,
              1e-6 * robots * steps / seconds, percentile(0.5).c_str(), percentile(0.99).c_str(),
              percentile(0.999).c_str(), error, same ? "yes" : "NO", good ? "" : " WRONG");
  if (lost > 0) std::printf("%s: %ld of %ld robots are lost\n", name, lost, robots);
  std::fflush(stdout);
}

}  // namespace

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const std::vector<double> references = read_references();
  std::printf("%s, single precision, %ld robots, %d steps a launch, %d launches\n\n", device.name, robots, steps, launches);
  std::printf("| robot | instructions | 10^6 steps/s | residual, median [m/s] | 99 %% | 99.9 %% | "
              "largest error of one step | same bits twice |\n|---|---:|---:|---:|---:|---:|---:|---|\n");
#define MEASURE(ROBOT) measure<float, ROBOT::rollout_bench>(references, #ROBOT);
  LIMBER_FOR_EACH_ROBOT(MEASURE)
  if (failures > 0) std::printf("\n%d results are wrong\n", failures);
  return failures > 0 ? 1 : 0;
}
