#pragma once
// DeviceBatch: many states of one robot on a GPU (CUDA). The kernels are generated for the robot
// and built by nvcc when the object is made, and kept in the folder of compiled code (see
// compiled_robot.hpp): a second use runs no compiler. Limber itself needs no CUDA.
//
// Arrays stay on the device between calls, variable after variable: number j of state i is
// data[j * stride + i]. Calls on one stream follow each other and return before they are done;
// synchronize() waits. The same call with the same states gives the same bits.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <limber/batch/batch.hpp>
#include <limber/compile/function.hpp>

namespace limber {

/// Why no GPU can be used here, e.g. that there is none; empty: one can.
std::string device_obstacle();

/// What a DeviceBatch can compute; each function costs time to compile.
struct DeviceOptions {
  std::vector<RobotFunction> functions;  ///< empty: usual_functions()
  FunctionOptions function;              ///< frames, free parameters, passive forces, method
};

struct DeviceCode;

/// Numbers of `count` states on the device; freed with the last copy of the handle.
template <class T>
class DeviceArray {
 public:
  int width() const { return width_; }     ///< numbers of one state
  long count() const { return count_; }    ///< states
  long stride() const { return stride_; }  ///< distance of neighbouring variables
  T* data() const { return data_.get(); }  ///< on the device

 private:
  template <class>
  friend class BasicDeviceBatch;
  int width_ = 0;
  long count_ = 0, stride_ = 0;
  std::shared_ptr<T> data_;
};

/// A queue of work on the device. Default: the device's own.
class DeviceStream {
 private:
  template <class>
  friend class BasicDeviceBatch;
  std::shared_ptr<void> stream_;
};

/// For T = float or double.
template <class T>
class BasicDeviceBatch {
 public:
  /// Compiles, or finds the code that was compiled before. Throws Error with device_obstacle(),
  /// with the compiler's message, or for what cannot be compiled.
  explicit BasicDeviceBatch(const Model& model, const DeviceOptions& options = {});

  const FunctionShape& shape(RobotFunction function) const;  ///< arrays, in the order of calls
  DeviceArray<T> array(int width, long count) const;         ///< not initialised
  /// For an input that all states have in common (ArrayShape::is_table): as many entries of one
  /// number as it has.
  DeviceArray<T> table(int size) const { return array(1, size); }
  DeviceStream stream() const;  ///< a new one

  /// Copies `count` states, width numbers each, to or from the device; done when they return.
  /// Throws Error for a wrong size.
  void upload(std::span<const T> from, Layout layout, const DeviceArray<T>& to,
              const DeviceStream& stream = {}) const;
  void download(const DeviceArray<T>& from, Layout layout, std::span<T> to,
                const DeviceStream& stream = {}) const;

  /// Computes a function of resident arrays, which must have the widths of its shape and one count;
  /// tables those of table().
  void call(RobotFunction function, const std::vector<DeviceArray<T>>& in,
            const std::vector<DeviceArray<T>>& out, const DeviceStream& stream = {}) const;
  /// `steps` steps without leaving the device; arrays as for RobotFunction::step. diverged(out)
  /// returns the states that have diverged.
  void rollout(int steps, const std::vector<DeviceArray<T>>& in,
               const std::vector<DeviceArray<T>>& out, const DeviceStream& stream = {}) const;
  /// The states with a number that is not finite in one of these arrays, in order: those that have
  /// diverged in a rollout. Waits for the stream and copies the arrays.
  std::vector<long> diverged(const std::vector<DeviceArray<T>>& arrays,
                             const DeviceStream& stream = {}) const;
  /// Waits until the stream's work is done. Throws Error if some of it failed.
  void synchronize(const DeviceStream& stream = {}) const;

  /// All at once: up, compute, down.
  void compute(RobotFunction function, long count, const std::vector<std::span<const T>>& in,
               const std::vector<std::span<T>>& out, Layout layout = Layout::by_state) const;

 private:
  void launch(RobotFunction function, int steps, const std::vector<DeviceArray<T>>& in,
              const std::vector<DeviceArray<T>>& out, const DeviceStream& stream) const;
  std::shared_ptr<const DeviceCode> code_;
};

/// Many states of one robot on a GPU, in double and in single precision.
using DeviceBatch = BasicDeviceBatch<double>;
using FloatDeviceBatch = BasicDeviceBatch<float>;

}  // namespace limber
