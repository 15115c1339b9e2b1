#pragma once
// The shared library of a robot's CUDA kernels: its text, how it is built, and its functions.
#include <optional>
#include <string>
#include <vector>

#include <limber/batch/device_batch.hpp>

#include "compile/shared_library.hpp"

namespace limber {

/// Functions of the library, as device_entries() writes them. Those that return int give 0 or the
/// number of a CUDA error.
struct DeviceEntries {
  const char* (*error_text)(int error) = nullptr;
  int (*allocate)(void** data, std::size_t bytes) = nullptr;
  int (*release)(void* data) = nullptr;
  int (*to_device)(void* to, const void* from, std::size_t bytes, void* stream) = nullptr;
  int (*to_host)(void* to, const void* from, std::size_t bytes, void* stream) = nullptr;
  int (*make_stream)(void** stream) = nullptr;
  int (*release_stream)(void* stream) = nullptr;
  int (*synchronize)(void* stream) = nullptr;
  /// `function`: place in DeviceCode::functions; steps: 0, or of a rollout.
  int (*call_float)(int function, int steps, long count, long stride, const float* const* in,
                    float* const* out, void* stream) = nullptr;
  int (*call_double)(int function, int steps, long count, long stride, const double* const* in,
                     double* const* out, void* stream) = nullptr;
};

struct DeviceCode {
  std::string robot;
  std::vector<RobotFunction> functions;
  std::vector<FunctionShape> shapes;
  std::optional<SharedLibrary> library;
  DeviceEntries entry;
};

/// Text of library.cu, to stand beside ROBOT.cuh.
std::string device_entries(const std::string& identifier,
                           const std::vector<RobotFunction>& functions,
                           const std::vector<FunctionShape>& shapes);

/// From the cache, or built. Throws Error.
DeviceCode device_code(const Model& model, const DeviceOptions& options);

}  // namespace limber
