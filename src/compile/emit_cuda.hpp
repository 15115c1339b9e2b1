#pragma once
// Programs as CUDA kernels: arrays lie variable after variable, so that neighbouring threads, which
// compute neighbouring states, read neighbouring numbers.
#include <cstdint>
#include <string>

#include <limber/compile/program.hpp>

namespace limber {

/// What every generated CUDA file begins with: includes, sine and cosine, reciprocals.
std::string cuda_prelude();

/// One function of one robot: a device function, its kernel and its launcher
///   template <class T> cudaError_t FUNCTION(long count, long stride, inputs…, outputs…,
///                                           cudaStream_t stream)
/// in the namespace that the caller opens. One state per thread.
/// OutputStride::own: one more argument `long out_stride` behind `stride`, the distance of the
/// variables in the outputs.
enum class OutputStride : std::uint8_t { same, own };
std::string cuda_function(const Program& program, OutputStride stride = OutputStride::same);

/// The same in several kernels, for programs whose values would not fit: the limbs of the robot,
/// its trunk, and the limbs again (partition.hpp). Strides as with OutputStride::own; one more
/// array behind the outputs, `crossing`, of FUNCTION_crossing numbers per state, is scratch.
std::string cuda_stages(const Program& program, const Model& model);

/// Derivatives of forward dynamics in three steps (gradient.hpp), with the signature that
/// cuda_function() would give them; a_tau may be null: not wanted. For robots whose derivatives are
/// too long for one straight line.
std::string cuda_gradient(const Model& model, const FunctionOptions& options);

/// Many steps without leaving the device, from a program of RobotFunction::step:
///   rollout(count, stride, steps, q, v, tau, target, kp, kd, h, q_next, v_next, stream)
std::string cuda_rollout(const Program& step);

}  // namespace limber
