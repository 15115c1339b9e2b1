#pragma once
// Water: density, currents, waves and the surface, as functions of place and time in the world.
//
// z points up. The flow is that of an ideal sea: currents that are the same everywhere or change
// with depth, and linear waves on them. Nothing a robot does changes it.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <limber/fluid/displacement.hpp>

namespace limber {

/// How the fluid moves at a place, world axes.
struct Flow {
  Vec3<double> velocity;      ///< [m/s]
  Vec3<double> acceleration;  ///< of the particle that is there, ∂u/∂t + (u·∇)u [m/s²]
};

/// A linear (Airy) wave. Its phase is k (x cos d + y sin d) − ω t + phase; crest at phase 0.
struct Wave {
  double amplitude = 0;  ///< half of its height [m]
  double frequency = 0;  ///< ω [rad/s]
  double number = 0;     ///< k [rad/m]
  double direction = 0;  ///< d: where it goes to, from x towards y [rad]
  double phase = 0;      ///< [rad]
};
/// The wave number of a wave: ω² = g k tanh(k depth); depth may be HUGE_VAL. [1/m]
double wave_number(double frequency, double depth, double gravity = 9.81);
/// One regular wave from height [m], period [s] and direction [rad].
Wave regular_wave(double height, double period, double direction, double depth,
                  double gravity = 9.81);

/// Irregular waves: a JONSWAP spectrum, that of Pierson and Moskowitz for peak enhancement 1.
struct SeaState {
  double significant_height = 1;  ///< 4 √m₀ [m]
  double peak_period = 8;         ///< [s]
  double peak_enhancement = 3.3;
  double direction = 0;  ///< mean [rad]
  double spread = 0;     ///< each wave's direction differs by up to so much, cos² weighted [rad]
  int components = 40;
  std::uint64_t seed = 1;
};
/// Components at uneven distances of frequency, so that the sea does not repeat itself, with random
/// phases; 4 √(Σ a²/2) is the significant height exactly.
std::vector<Wave> irregular_waves(const SeaState& sea, double depth, double gravity = 9.81);

/// A current that wanders about its mean: V' = −(V − mean)/T + white noise in each direction
/// [Fos], exact at samples, linear between them; so its acceleration is constant between samples.
struct GaussMarkovSettings {
  Vec3<double> mean;          ///< [m/s]
  Vec3<double> deviation;     ///< standard deviation of each component [m/s]
  double time_constant = 60;  ///< T [s]
  double interval = 1;        ///< between samples [s]
  double duration = 600;      ///< after it the last value stays [s]
  std::uint64_t seed = 1;
};
class GaussMarkovCurrent {
 public:
  /// Throws Error for times that are not positive and for more than ten million samples.
  explicit GaussMarkovCurrent(const GaussMarkovSettings& settings);
  Flow operator()(double time) const;
  double interval() const { return interval_; }
  const std::vector<Vec3<double>>& samples() const { return samples_; }

 private:
  double interval_;
  std::vector<Vec3<double>> samples_;
};

/// A current at a depth below the mean surface (below z = 0 if there is none).
struct CurrentAtDepth {
  double depth = 0;       ///< [m]
  Vec3<double> velocity;  ///< [m/s]
};

struct Water {
  double density = 1025;      ///< [kg/m³]
  double viscosity = 1.2e-6;  ///< kinematic [m²/s]
  /// The same everywhere, varying in time. Empty: none.
  std::function<Flow(double time)> current;
  /// Constant in time, added to the former: linear between depths, which rise; constant beyond.
  std::vector<CurrentAtDepth> profile;
  /// Height of the mean surface [m]; without it the water has no end, and no waves.
  std::optional<double> level;
  /// Of the sea bed below the mean surface, for waves [m].
  double depth = 1e9;
  std::vector<Wave> waves;
  double gravity = 9.81;  ///< that the waves have been made with [m/s²]

  /// At a point and time, with a constant current `more` that is added to the others. Above the
  /// mean surface waves move the water as they do on it.
  Flow flow(const Vec3<double>& point, double time, const Vec3<double>& more = {}) const;
  /// Height of the surface above x, y; HUGE_VAL without a surface. [m]
  double surface(double x, double y, double time) const;
  /// The plane that touches the surface above a point; there must be a surface.
  SurfacePlane surface_plane(const Vec3<double>& point, double time) const;
};

/// A constant current.
std::function<Flow(double)> constant_current(const Vec3<double>& velocity);
/// Throws Error for what cannot be: numbers that are not finite, densities and depths that are not
/// positive, waves without a surface or higher than they are long, depths of a profile that do not
/// rise.
void check_water(const Water& water);

}  // namespace limber
