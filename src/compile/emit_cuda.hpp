#pragma once
// Programs as CUDA kernels: arrays lie variable after variable, so that neighbouring threads, which
// compute neighbouring states, read neighbouring numbers.
#include <cstdint>
#include <string>

#include <limber/compile/program.hpp>

namespace limber {

/// Values that a thread keeps at hand, besides addresses: FunctionOptions::registers for CUDA.
inline constexpr int cuda_registers = 220;

/// States of a tile, and threads of a block that computes one state per thread.
inline constexpr int cuda_tile = 128;

/// What every generated CUDA file begins with: includes, scratch memory, sine and cosine.
std::string cuda_prelude();

/// One function of one robot: a device function, its kernel and its launcher
///   template <class T> cudaError_t FUNCTION(long count, long stride, inputs…, outputs…,
///                                           cudaStream_t stream)
/// in the namespace that the caller opens. One state per thread; long programs in several kernels
/// (partition.hpp).
std::string cuda_function(const Program& program, const Model& model);

/// The kernels of a long program and
///   FUNCTION_stages(count, stride, inputs…, outputs…, crossing, stream)
/// with `crossing`, scratch of FUNCTION_crossing numbers per state. That array, and outputs with
/// ArrayShape::variables, lie in tiles of 128 states: element j of state i is at
/// (i / 128 · size + j) · 128 + i % 128.
std::string cuda_stages(const Program& program, const Model& model);

/// The text of column_solver.hpp, which cuda_gradient() needs outside of all namespaces.
std::string cuda_column_solver();

/// Derivatives of forward dynamics in three steps (forward_dynamics(), then gradient.hpp), with the
/// arguments that cuda_function() would give them; a_tau may be null: not wanted. For robots
/// without mimic joints.
std::string cuda_gradient(const Model& model, const FunctionOptions& options,
                          const std::string& name);

/// Many steps without leaving the device, from a program of RobotFunction::step:
///   rollout(count, stride, steps, q, v, tau, target, kp, kd, h, q_next, v_next, stream)
std::string cuda_rollout(const Program& step);

}  // namespace limber
