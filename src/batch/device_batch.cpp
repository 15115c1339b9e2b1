#include <limber/batch/device_batch.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "batch/device_code.hpp"

namespace limber {

namespace {

/// Beyond the memory of any device, and far below what overflows.
constexpr long most_device_numbers = 1L << 40;

/// Throws for a CUDA error.
void require(const DeviceCode& code, int error, const char* what) {
  if (error != 0)
    throw Error(
        fmt::format("GPU, robot '{}': {}: {}", code.robot, what, code.entry.error_text(error)));
}

std::size_t place_of(const DeviceCode& code, RobotFunction function) {
  const auto found = std::find(code.functions.begin(), code.functions.end(), function);
  if (found == code.functions.end())
    throw Error(fmt::format(
        "robot '{}': {} was not compiled for the GPU; name it in DeviceOptions::functions",
        code.robot, name(function)));
  return static_cast<std::size_t>(found - code.functions.begin());
}

template <class T>
int run(const DeviceCode& code, std::size_t function, int steps, long count, long stride,
        const T* const* in, T* const* out, void* stream) {
  const int place = static_cast<int>(function);
  if constexpr (std::is_same_v<T, float>)
    return code.entry.call_float(place, steps, count, stride, in, out, stream);
  else return code.entry.call_double(place, steps, count, stride, in, out, stream);
}

template <class T>
void check_arrays(const DeviceCode& code, const char* what, const std::vector<ArrayShape>& shapes,
                  const std::vector<DeviceArray<T>>& arrays, const DeviceArray<T>& first) {
  if (arrays.size() != shapes.size())
    throw Error(fmt::format("GPU, robot '{}': {} {} arrays are given, {} are needed", code.robot,
                            arrays.size(), what, shapes.size()));
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const int width = shapes[k].is_table ? 1 : shapes[k].size;
    const long count = shapes[k].is_table ? shapes[k].size : first.count();
    if (arrays[k].width() != width || arrays[k].count() != count)
      throw Error(fmt::format(
          "GPU, robot '{}': {} '{}' has {} numbers for each of {} {}; {} for each of {} are needed",
          code.robot, what, shapes[k].name, arrays[k].width(), arrays[k].count(),
          shapes[k].is_table ? "entries of a table" : "states", width, count));
  }
}

}  // namespace

template <class T>
BasicDeviceBatch<T>::BasicDeviceBatch(const Model& model, const DeviceOptions& options)
    : code_(std::make_shared<const DeviceCode>(device_code(model, options))) {}

template <class T>
const FunctionShape& BasicDeviceBatch<T>::shape(RobotFunction function) const {
  return code_->shapes[place_of(*code_, function)];
}

template <class T>
DeviceArray<T> BasicDeviceBatch<T>::array(int width, long count) const {
  if (width < 0 || count < 0 || (count > 0 && width > most_device_numbers / count))
    throw Error(fmt::format("GPU, robot '{}': no array can have {} numbers for each of {} states",
                            code_->robot, width, count));
  DeviceArray<T> a;
  a.width_ = width;
  a.count_ = count;
  a.stride_ = (count + 127) / 128 * 128;  // neighbouring threads read whole lines of memory
  void* data = nullptr;
  const auto numbers = static_cast<std::size_t>(a.stride_) * static_cast<std::size_t>(width);
  require(*code_, code_->entry.allocate(&data, std::max<std::size_t>(1, numbers) * sizeof(T)),
          "no memory for an array");
  a.data_ =
      std::shared_ptr<T>(static_cast<T*>(data), [code = code_](T* p) { code->entry.release(p); });
  return a;
}

template <class T>
DeviceStream BasicDeviceBatch<T>::stream() const {
  void* made = nullptr;
  require(*code_, code_->entry.make_stream(&made), "no stream");
  DeviceStream s;
  s.stream_ =
      std::shared_ptr<void>(made, [code = code_](void* p) { code->entry.release_stream(p); });
  return s;
}

namespace {

template <class T>
void check_host(const DeviceCode& code, const DeviceArray<T>& array, std::size_t found) {
  const auto needed =
      static_cast<std::size_t>(array.count()) * static_cast<std::size_t>(array.width());
  if (found != needed)
    throw Error(
        fmt::format("GPU, robot '{}': the host's array has {} numbers, {} states of {} need {}",
                    code.robot, found, array.count(), array.width(), needed));
}

/// Where number j of state i stands on the host.
std::size_t host_place(Layout layout, long i, int j, long count, int width) {
  return static_cast<std::size_t>(layout == Layout::by_state ? i * width + j : j * count + i);
}

}  // namespace

template <class T>
void BasicDeviceBatch<T>::upload(std::span<const T> from, Layout layout, const DeviceArray<T>& to,
                                 const DeviceStream& stream) const {
  check_host(*code_, to, from.size());
  std::vector<T> rows(static_cast<std::size_t>(to.stride()) * static_cast<std::size_t>(to.width()));
  for (long i = 0; i < to.count(); ++i)
    for (int j = 0; j < to.width(); ++j)
      rows[static_cast<std::size_t>(j * to.stride() + i)] =
          from[host_place(layout, i, j, to.count(), to.width())];
  require(
      *code_,
      code_->entry.to_device(to.data(), rows.data(), rows.size() * sizeof(T), stream.stream_.get()),
      "copy to the device");
  synchronize(stream);
}

template <class T>
void BasicDeviceBatch<T>::download(const DeviceArray<T>& from, Layout layout, std::span<T> to,
                                   const DeviceStream& stream) const {
  check_host(*code_, from, to.size());
  std::vector<T> rows(static_cast<std::size_t>(from.stride()) *
                      static_cast<std::size_t>(from.width()));
  require(
      *code_,
      code_->entry.to_host(rows.data(), from.data(), rows.size() * sizeof(T), stream.stream_.get()),
      "copy from the device");
  synchronize(stream);
  for (long i = 0; i < from.count(); ++i)
    for (int j = 0; j < from.width(); ++j)
      to[host_place(layout, i, j, from.count(), from.width())] =
          rows[static_cast<std::size_t>(j * from.stride() + i)];
}

template <class T>
void BasicDeviceBatch<T>::launch(RobotFunction function, int steps,
                                 const std::vector<DeviceArray<T>>& in,
                                 const std::vector<DeviceArray<T>>& out,
                                 const DeviceStream& stream) const {
  const FunctionShape& arrays = shape(function);
  if (in.empty())
    throw Error(
        fmt::format("GPU, robot '{}': {} needs input arrays", code_->robot, name(function)));
  check_arrays(*code_, "input", arrays.inputs, in, in[0]);
  check_arrays(*code_, "output", arrays.outputs, out, in[0]);
  std::vector<const T*> from;
  std::vector<T*> to;
  for (const DeviceArray<T>& a : in) from.push_back(a.data());
  for (const DeviceArray<T>& a : out) to.push_back(a.data());
  require(*code_,
          run<T>(*code_, place_of(*code_, function), steps, in[0].count(), in[0].stride(),
                 from.data(), to.data(), stream.stream_.get()),
          "kernel");
}

template <class T>
void BasicDeviceBatch<T>::call(RobotFunction function, const std::vector<DeviceArray<T>>& in,
                               const std::vector<DeviceArray<T>>& out,
                               const DeviceStream& stream) const {
  launch(function, 0, in, out, stream);
}

template <class T>
void BasicDeviceBatch<T>::rollout(int steps, const std::vector<DeviceArray<T>>& in,
                                  const std::vector<DeviceArray<T>>& out,
                                  const DeviceStream& stream) const {
  if (steps < 1) throw Error(fmt::format("a rollout has at least one step, not {}", steps));
  launch(RobotFunction::step, steps, in, out, stream);
}

template <class T>
std::vector<long> BasicDeviceBatch<T>::diverged(const std::vector<DeviceArray<T>>& arrays,
                                                const DeviceStream& stream) const {
  if (arrays.empty()) return {};
  const long count = arrays[0].count();
  std::vector<std::vector<T>> numbers;
  std::vector<const T*> rows;
  std::vector<ArrayShape> shapes;
  for (const DeviceArray<T>& a : arrays) {
    if (a.count() != count)
      throw Error(
          fmt::format("GPU, robot '{}': arrays of {} and of {} states found, one number of "
                      "states is needed",
                      code_->robot, count, a.count()));
    numbers.emplace_back(static_cast<std::size_t>(count) * static_cast<std::size_t>(a.width()));
    download(a, Layout::by_variable, numbers.back(), stream);
    shapes.push_back({"", a.width(), ""});
  }
  for (const std::vector<T>& x : numbers) rows.push_back(x.data());
  return diverged_states<T>(count, count, shapes, rows.data());
}

template <class T>
void BasicDeviceBatch<T>::synchronize(const DeviceStream& stream) const {
  require(*code_, code_->entry.synchronize(stream.stream_.get()), "work of a stream");
}

template <class T>
void BasicDeviceBatch<T>::compute(RobotFunction function, long count,
                                  const std::vector<std::span<const T>>& in,
                                  const std::vector<std::span<T>>& out, Layout layout) const {
  const FunctionShape& arrays = shape(function);
  if (in.size() != arrays.inputs.size() || out.size() != arrays.outputs.size())
    throw Error(fmt::format("GPU, robot '{}': {} takes {} and gives {} arrays", code_->robot,
                            name(function), arrays.inputs.size(), arrays.outputs.size()));
  std::vector<DeviceArray<T>> from, to;
  for (std::size_t k = 0; k < in.size(); ++k) {
    const ArrayShape& input = arrays.inputs[k];
    from.push_back(input.is_table ? table(input.size) : array(input.size, count));
    upload(in[k], layout, from.back());
  }
  for (const ArrayShape& s : arrays.outputs) to.push_back(array(s.size, count));
  call(function, from, to);
  for (std::size_t k = 0; k < out.size(); ++k) download(to[k], layout, out[k]);
}

template class BasicDeviceBatch<float>;
template class BasicDeviceBatch<double>;

}  // namespace limber
