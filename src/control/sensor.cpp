#include <limber/control/sensor.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"
#include "control/noise.hpp"

namespace limber {

Sensor::Sensor(const Model& m, const SensorSettings& settings, std::span<const int> freedoms,
               const std::string& part)
    : shift_(static_cast<std::size_t>(m.nv)),
      stream_(stream_of(part)),
      delay_(settings.delay),
      nq_(m.nq),
      nv_(m.nv) {
  if (delay_ < 0) throw Error(fmt::format("delay: {} samples found, at least 0 is needed", delay_));
  if (delay_ > most_delayed_numbers / std::max(nq_ + nv_, 1))
    throw Error(fmt::format(
        "delay: {} samples found; at most {} are possible, with which the {} numbers of each "
        "measurement take {} MB",
        delay_, most_delayed_numbers / std::max(nq_ + nv_, 1), nq_ + nv_,
        sizeof(double) * most_delayed_numbers / 1'000'000));
  const std::size_t count = freedoms.size();
  const auto position_noise = one_each("position_noise", settings.position_noise, count, 0);
  const auto velocity_noise = one_each("velocity_noise", settings.velocity_noise, count, 0);
  const auto resolution = one_each("resolution", settings.resolution, count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(freedoms[i]);
    if (resolution[i] > 0 && m.dof_q[k] < 0)
      throw Error(
          fmt::format("resolution: '{}' has no position of its own that an encoder could "
                      "read; give 0 for it",
                      freedom_name(m, k)));
    channels_.push_back({k, m.dof_q[k], position_noise[i], velocity_noise[i], resolution[i]});
  }
}

void Sensor::begin(const Evaluation& at, std::span<double> states) const {
  for (std::size_t i = 0; i < static_cast<std::size_t>(delay_); ++i) {
    const auto slot = states.subspan(i * (at.q.size() + at.v.size()));
    std::copy(at.q.begin(), at.q.end(), slot.begin());
    std::copy(at.v.begin(), at.v.end(), slot.begin() + nq_);
  }
}

void Sensor::read(const Evaluation& at, long index, std::span<double> q, std::span<double> v) {
  const auto sample = static_cast<std::uint64_t>(index);
  std::fill(shift_.begin(), shift_.end(), 0.0);
  std::copy(at.v.begin(), at.v.end(), v.begin());
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const Channel& channel = channels_[i];
    if (channel.position_noise > 0)
      shift_[channel.freedom] = channel.position_noise * gaussian(at.seed, stream_, sample, 2 * i);
    if (channel.velocity_noise > 0)
      v[channel.freedom] += channel.velocity_noise * gaussian(at.seed, stream_, sample, 2 * i + 1);
  }
  integrate(at.model, at.q, shift_, 1, q);
  for (const Channel& channel : channels_)
    if (channel.resolution > 0) {
      double& x = q[static_cast<std::size_t>(channel.position)];
      x = channel.resolution * std::round(x / channel.resolution);
    }
}

void Sensor::measure(const Evaluation& at, long index, std::span<double> states,
                     std::span<double> q, std::span<double> v) {
  read(at, index, q, v);
  if (delay_ == 0) return;
  // the oldest measurement leaves, the new one takes its place
  const auto slot = states.subspan(static_cast<std::size_t>(index % delay_) * (q.size() + v.size()),
                                   q.size() + v.size());
  std::swap_ranges(q.begin(), q.end(), slot.begin());
  std::swap_ranges(v.begin(), v.end(), slot.begin() + nq_);
}

}  // namespace limber
