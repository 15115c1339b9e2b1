#pragma once
// LaneSet: what is compiled once for every instruction set. The files in lanes/ fill it; nothing
// else of theirs is called from outside, so that no code for wide registers gets onto a narrow
// processor.
#include <array>
#include <memory>
#include <span>

#include <limber/batch/batch.hpp>
#include <limber/batch/kernel.hpp>

namespace limber {

/// Row and column of a number of a matrix.
struct MatrixPlace {
  int row, column;
};

/// What one call gets besides its arrays.
struct LaneRequest {
  std::span<const int> frames;
  Reference reference = Reference::world;
  /// The numbers that are stored of each matrix among the outputs.
  std::array<std::span<const MatrixPlace>, 3> matrices = {};
};

/// A robot's model in lanes, with scratch for every thread.
class LaneMemory {
 public:
  virtual ~LaneMemory() = default;
  /// The context of each thread for the kernels of the set.
  virtual std::span<const void* const> contexts() const = 0;
  /// Valid for all kernels until the next one.
  LaneRequest request;
};

template <class T>
struct LaneSet {
  int lanes;
  std::unique_ptr<LaneMemory> (*memory)(const Model& model, int threads, Passive passive);
  Kernel<T> inverse_dynamics, bias_forces, mass_matrix, forward_dynamics, closed_forward_dynamics,
      frame_poses, jacobian, inverse_dynamics_derivatives, forward_dynamics_derivatives;

  /// x[j * stride + i] = states[i * width + j] for i < count, j < width. `readable` numbers may be
  /// read from `states` on.
  void (*to_lanes)(const T* states, long readable, int width, long count, T* x, long stride);
  /// The way back: states[i * width + j] = x[entries[j] * stride + i], or zero where entries[j] is
  /// −1; entries null: j. Marks bad states as mark_bad() does.
  void (*to_states)(const T* x, long stride, const int* entries, int width, long count, T* states,
                    T* bad);
  /// Marks the states of which a number x[j * stride + i] is not finite: bad[i] becomes NaN, and
  /// stays 0 for the others. i < count, a multiple of the lanes.
  void (*mark_bad)(const T* x, long stride, int width, long count, T* bad);
};

/// The set of Pack type P.
template <class P>
const LaneSet<typename P::Number>& lane_set();
/// Its memory.
template <class P>
std::unique_ptr<LaneMemory> lane_memory(const Model& model, int threads, Passive passive);

}  // namespace limber
