#pragma once
// Sensor: the positions and velocities that a sampled controller gets: rounded to the resolution
// of its encoders, with noise and delay.
#include <limber/sim/part.hpp>

namespace limber {

/// Lists: none (empty), one number for all freedoms of the controller, or one for each. Freedoms
/// that the controller does not command are measured exactly.
struct SensorSettings {
  std::vector<double> position_noise;  ///< standard deviation, drawn anew with each sample [rad, m]
  std::vector<double> velocity_noise;  ///< [rad/s, m/s]
  std::vector<double> resolution;      ///< of an encoder [rad, m]; 0: none
  int delay = 0;                       ///< samples between measurement and use

  /// True if measurements are exact.
  bool exact() const {
    return position_noise.empty() && velocity_noise.empty() && resolution.empty() && delay == 0;
  }
};

/// Most numbers that delayed measurements may take. The longest delay is this number over nq + nv.
constexpr int most_delayed_numbers = 10'000'000;

class Sensor {
 public:
  Sensor() = default;
  /// `part`: the controller's name, which selects its stream of noise. Throws Error naming the
  /// setting.
  Sensor(const Model& model, const SensorSettings& settings, std::span<const int> freedoms,
         const std::string& part);

  /// Numbers that must be kept from sample to sample.
  int states() const { return delay_ * (nq_ + nv_); }
  /// Fills the memory with the present state.
  void begin(const Evaluation& at, std::span<double> states) const;
  /// Measures for the sample with this index, and writes what the controller gets.
  void measure(const Evaluation& at, long index, std::span<double> states, std::span<double> q,
               std::span<double> v);

 private:
  struct Channel {
    std::size_t freedom = 0;
    int position = -1;  // index into q of a freedom with one position
    double position_noise = 0, velocity_noise = 0, resolution = 0;
  };
  void read(const Evaluation& at, long index, std::span<double> q, std::span<double> v);

  std::vector<Channel> channels_;
  std::vector<double> shift_;  // scratch (nv)
  std::uint64_t stream_ = 0;
  int delay_ = 0, nq_ = 0, nv_ = 0;
};

}  // namespace limber
