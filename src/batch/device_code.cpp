#include "batch/device_code.hpp"

#include <fmt/format.h>

#include <limber/compile/source.hpp>
#include <limber/error.hpp>

#include "compile/build_code.hpp"
#include "compile/code_cache.hpp"
#include "compile/fingerprint.hpp"
#include "compile/host.hpp"
#include "compile/sha256.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

constexpr const char* robot_identifier = "robot";

const std::vector<std::string>& flags() {
  static const std::vector<std::string> all{
      "-O3",        "-arch=native", "-std=c++17",      "-shared",
      "-Xcompiler", "-fPIC",        "--split-compile", "0"};
  return all;
}

/// Number and name of the first GPU, by the driver; nothing is needed to build with.
struct Driver {
  std::string obstacle;
  std::string gpu;
  Driver() {
    try {
      const SharedLibrary library("libcuda.so.1");
      const auto init = library.function<int (*)(unsigned)>("cuInit");
      const auto count_of = library.function<int (*)(int*)>("cuDeviceGetCount");
      const auto name_of = library.function<int (*)(char*, int, int)>("cuDeviceGetName");
      int count = 0;
      char name[256] = {};
      if (!init || !count_of || !name_of || init(0) != 0 || count_of(&count) != 0 || count == 0 ||
          name_of(name, sizeof name, 0) != 0)
        obstacle = "the NVIDIA driver finds no GPU";
      gpu = name;
    } catch (const Error&) {
      obstacle = "there is no NVIDIA GPU: its driver, libcuda.so.1, is not installed";
    }
  }
};

std::string arguments(const FunctionShape& shape) {
  std::string text;
  for (std::size_t k = 0; k < shape.inputs.size(); ++k) text += fmt::format("in[{}], ", k);
  for (std::size_t k = 0; k < shape.outputs.size(); ++k) text += fmt::format("out[{}], ", k);
  return text + "stream";
}

template <class Function>
void find(const SharedLibrary& library, const char* name, Function& function) {
  function = library.function<Function>(name);
  if (!function) throw Error(fmt::format("compiled code lacks the function {}", name));
}

void use(SharedLibrary library, DeviceCode& code) {
  DeviceEntries& e = code.entry;
  find(library, "limber_error_text", e.error_text);
  find(library, "limber_allocate", e.allocate);
  find(library, "limber_release", e.release);
  find(library, "limber_to_device", e.to_device);
  find(library, "limber_to_host", e.to_host);
  find(library, "limber_make_stream", e.make_stream);
  find(library, "limber_release_stream", e.release_stream);
  find(library, "limber_synchronize", e.synchronize);
  find(library, "limber_call_float", e.call_float);
  find(library, "limber_call_double", e.call_double);
  code.library = std::move(library);
}

}  // namespace

std::string device_obstacle() {
  const Driver driver;
  if (!driver.obstacle.empty()) return driver.obstacle;
  if (find_cuda_compiler().command.empty())
    return "no CUDA compiler was found; install the CUDA toolkit, or name its nvcc in the "
           "environment variable NVCC";
  return open_cache().refusal;
}

std::string device_entries(const std::string& identifier,
                           const std::vector<RobotFunction>& functions,
                           const std::vector<FunctionShape>& shapes) {
  std::string text = fmt::format(
      R"(#include "{}.cuh"

#define LIMBER_ENTRY extern "C" __attribute__((visibility("default")))

static cudaStream_t stream_of(void* stream) {{ return static_cast<cudaStream_t>(stream); }}

LIMBER_ENTRY const char* limber_error_text(int e) {{
  return cudaGetErrorString(static_cast<cudaError_t>(e));
}}
LIMBER_ENTRY int limber_allocate(void** data, size_t bytes) {{ return cudaMalloc(data, bytes); }}
LIMBER_ENTRY int limber_release(void* data) {{ return cudaFree(data); }}
LIMBER_ENTRY int limber_to_device(void* to, const void* from, size_t bytes, void* stream) {{
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_of(stream));
}}
LIMBER_ENTRY int limber_to_host(void* to, const void* from, size_t bytes, void* stream) {{
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_of(stream));
}}
LIMBER_ENTRY int limber_make_stream(void** stream) {{
  return cudaStreamCreate(reinterpret_cast<cudaStream_t*>(stream));
}}
LIMBER_ENTRY int limber_release_stream(void* stream) {{ return cudaStreamDestroy(stream_of(stream)); }}
LIMBER_ENTRY int limber_synchronize(void* stream) {{ return cudaStreamSynchronize(stream_of(stream)); }}

template <class T>
static int call(int function, int steps, long count, long stride, const T* const* in, T* const* out,
                cudaStream_t stream) {{
  switch (function) {{
)",
      identifier);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    if (functions[k] == RobotFunction::step)
      text += fmt::format(
          "    case {}:\n      if (steps > 0) return {}::rollout<T>(count, stride, steps, {});\n",
          k, identifier, arguments(shapes[k]));
    else text += fmt::format("    case {}:\n", k);
    text += fmt::format("      return {}::{}<T>(count, stride, {});\n", identifier,
                        name(functions[k]), arguments(shapes[k]));
  }
  text += R"(  }
  (void)steps;
  return cudaErrorInvalidValue;
}

)";
  for (const char* type : {"float", "double"})
    text += fmt::format(
        R"(LIMBER_ENTRY int limber_call_{0}(int function, int steps, long count, long stride,
    const {0}* const* in, {0}* const* out, void* stream) {{
  return call<{0}>(function, steps, count, stride, in, out, stream_of(stream));
}}
)",
        type);
  return text;
}

DeviceCode device_code(const Model& model, const DeviceOptions& options) {
  if (const std::string obstacle = device_obstacle(); !obstacle.empty())
    throw Error(fmt::format(
        "robot '{}' cannot be computed on a GPU: {}; Batch computes it on the processor",
        model.name, obstacle));
  DeviceCode code;
  code.robot = model.name;
  code.functions = options.functions.empty() ? usual_functions(model) : options.functions;
  const SystemCompiler compiler = find_cuda_compiler();
  const std::string environment =
      fmt::format("{}\n{}\n{}", compiler.identity, fmt::join(flags(), " "), Driver().gpu);
  std::string fingerprints;
  for (const RobotFunction f : code.functions) {
    check_compilable(model, f);
    code.shapes.push_back(shape_of(f, model, options.function));
    fingerprints += fingerprint(model, f, options.function, environment);
  }
  const std::string folder = open_cache().path;
  const std::string path = fmt::format("{}/cuda-{}.so", folder, sha256(fingerprints));
  if (const std::optional<std::string> library = kept_library(path)) {
    try {
      use(SharedLibrary(*library, folder), code);
      return code;
    } catch (const Error&) {  // what it needs is not there any more: it is built again
    }
  }
  GenerateOptions wanted;
  wanted.functions = code.functions;
  wanted.function = options.function;
  wanted.identifier = robot_identifier;
  TracedRobot robot = trace_robot(model, wanted);
  remove_names(robot);
  std::vector<GeneratedFile> files = write_source(robot, {Target::cuda});
  files.push_back({"library.cu", device_entries(robot_identifier, code.functions, code.shapes)});
  std::vector<std::string> command = compiler.command;
  command.insert(command.end(), flags().begin(), flags().end());
  use(SharedLibrary(build_library(path, files, "library.cu", command), folder), code);
  return code;
}

}  // namespace limber
