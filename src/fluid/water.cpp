// Currents and waves.
#include <limber/fluid/water.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/math/mat3.hpp>

namespace limber {

namespace {

// the same numbers with every standard library
struct WaterRandom {
  std::mt19937_64 engine;
  explicit WaterRandom(std::uint64_t seed) : engine(seed) {}
  double uniform() { return static_cast<double>(engine() >> 11) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
};

void check_water_positive(const char* what, double value) {
  if (!(value > 0)) throw Error(fmt::format("{} is {}; it must be positive", what, value));
}

// of a flow at a place: velocity, ∂u/∂t and gradient, whose row i is that of u_i
struct FlowField {
  Vec3<double> velocity, rate;
  Mat3<double> gradient;
};

// cosh(k(z + h))/sinh(kh) and sinh(k(z + h))/sinh(kh) for z ≤ 0, without overflow in deep water
struct WaveDecay {
  double c, s;
};
WaveDecay wave_decay(double k, double z, double h) {
  const double down = std::exp(k * z), up = std::exp(-k * (z + 2 * h)),
               whole = -std::expm1(-2 * k * h);
  return {(down + up) / whole, (down - up) / whole};
}

void add_wave(const Wave& wave, const Vec3<double>& p, double z, bool is_above, double depth,
              double time, FlowField& field) {
  const double cd = std::cos(wave.direction), sd = std::sin(wave.direction), k = wave.number;
  const double theta = k * (p.x * cd + p.y * sd) - wave.frequency * time + wave.phase;
  const double c = std::cos(theta), s = std::sin(theta);
  const WaveDecay decay = wave_decay(k, z, depth);
  const double speed = wave.amplitude * wave.frequency;
  const double along = speed * decay.c * c, up = speed * decay.s * s;
  field.velocity += Vec3<double>{along * cd, along * sd, up};
  const double along_rate = speed * wave.frequency * decay.c * s,
               up_rate = -speed * wave.frequency * decay.s * c;
  field.rate += Vec3<double>{along_rate * cd, along_rate * sd, up_rate};
  // by the distance along the wave, and by z, which does not count above the surface
  const double along_x = -k * speed * decay.c * s, along_z = is_above ? 0 : k * speed * decay.s * c,
               up_x = k * speed * decay.s * c, up_z = is_above ? 0 : k * speed * decay.c * s;
  field.gradient += Mat3<double>{along_x * cd * cd, along_x * cd * sd, along_z * cd,
                                 along_x * cd * sd, along_x * sd * sd, along_z * sd,
                                 up_x * cd,         up_x * sd,         up_z};
}

void add_profile(const std::vector<CurrentAtDepth>& profile, double depth, FlowField& field) {
  if (profile.empty()) return;
  if (depth <= profile.front().depth) {
    field.velocity += profile.front().velocity;
  } else if (depth >= profile.back().depth) {
    field.velocity += profile.back().velocity;
  } else {
    const auto below =
        std::upper_bound(profile.begin(), profile.end(), depth,
                         [](double d, const CurrentAtDepth& at) { return d < at.depth; });
    const CurrentAtDepth &a = *(below - 1), &b = *below;
    const Vec3<double> slope = (b.velocity - a.velocity) / (b.depth - a.depth);
    field.velocity += a.velocity + slope * (depth - a.depth);
    field.gradient -= outer(slope, Vec3<double>{0, 0, 1});
  }
}

}  // namespace

double wave_number(double frequency, double depth, double gravity) {
  check_water_positive("wave: the frequency", frequency);
  check_water_positive("wave: the depth of the water", depth);
  check_water_positive("wave: gravity", gravity);
  const double deep = frequency * frequency / gravity;
  if (deep * depth > 20) return deep;
  // Newton from above, where the curve bends one way
  double k = std::max(deep, std::sqrt(deep / depth));
  for (int i = 0; i < 100; ++i) {
    const double t = std::tanh(k * depth), f = k * t - deep, df = t + k * depth * (1 - t * t);
    const double step = f / df;
    k -= step;
    if (std::abs(step) < 1e-15 * k) break;
  }
  return k;
}

Wave regular_wave(double height, double period, double direction, double depth, double gravity) {
  check_water_positive("wave: the height", height);
  check_water_positive("wave: the period", period);
  const double frequency = 2 * std::numbers::pi / period;
  return {height / 2, frequency, wave_number(frequency, depth, gravity), direction, 0};
}

std::vector<Wave> irregular_waves(const SeaState& sea, double depth, double gravity) {
  check_water_positive("sea: the significant height", sea.significant_height);
  check_water_positive("sea: the peak period", sea.peak_period);
  check_water_positive("sea: the peak enhancement", sea.peak_enhancement);
  if (sea.components < 1 || sea.components > 100000)
    throw Error(fmt::format("sea: {} components; give 1 to 100000", sea.components));
  const double peak = 2 * std::numbers::pi / sea.peak_period, low = 0.5 * peak, high = 3 * peak;
  WaterRandom random(sea.seed);
  std::vector<Wave> waves;
  double variance = 0;
  const double band = (high - low) / sea.components;
  for (int i = 0; i < sea.components; ++i) {
    const double frequency = low + (i + random.uniform()) * band, x = peak / frequency;
    const double width = frequency > peak ? 0.09 : 0.07;
    const double away = (frequency / peak - 1) / width;
    const double spectrum = std::pow(x, 5) * std::exp(-1.25 * std::pow(x, 4)) *
                            std::pow(sea.peak_enhancement, std::exp(-0.5 * away * away));
    Wave wave;
    wave.amplitude = std::sqrt(2 * spectrum * band);
    wave.frequency = frequency;
    wave.number = wave_number(frequency, depth, gravity);
    wave.phase = 2 * std::numbers::pi * random.uniform();
    double turn = 0;  // cos² between −1 and 1, by trial
    do turn = 2 * random.uniform() - 1;
    while (random.uniform() > std::pow(std::cos(std::numbers::pi / 2 * turn), 2));
    wave.direction = sea.direction + sea.spread * turn;
    variance += wave.amplitude * wave.amplitude / 2;
    waves.push_back(wave);
  }
  const double scale = sea.significant_height / (4 * std::sqrt(variance));
  for (Wave& wave : waves) wave.amplitude *= scale;
  return waves;
}

GaussMarkovCurrent::GaussMarkovCurrent(const GaussMarkovSettings& s) : interval_(s.interval) {
  check_water_positive("Gauss-Markov current: the time constant", s.time_constant);
  check_water_positive("Gauss-Markov current: the interval", s.interval);
  check_water_positive("Gauss-Markov current: the duration", s.duration);
  const double count = std::ceil(s.duration / s.interval);
  if (!(count <= 1e7))
    throw Error(fmt::format(
        "Gauss-Markov current: {:.3g} samples; the most are 1e7: a longer interval or a shorter "
        "duration",
        count));
  // exact for white noise between samples
  const double keep = std::exp(-s.interval / s.time_constant), fresh = std::sqrt(1 - keep * keep);
  WaterRandom random(s.seed);
  Vec3<double> state;
  const auto draw = [&](double size) {
    Vec3<double> v;
    for (int k = 0; k < 3; ++k) v[k] = s.deviation[k] * random.normal() * size;
    return v;
  };
  state = draw(1);
  samples_.push_back(s.mean + state);
  for (double k = 0; k < count; ++k) {
    state = state * keep + draw(fresh);
    samples_.push_back(s.mean + state);
  }
}

Flow GaussMarkovCurrent::operator()(double time) const {
  const double place = std::max(time, 0.0) / interval_;
  if (!(place < static_cast<double>(samples_.size() - 1))) return {samples_.back(), {}};
  const auto k = static_cast<std::size_t>(place);
  const Vec3<double> rise = samples_[k + 1] - samples_[k];
  return {samples_[k] + rise * (place - static_cast<double>(k)), rise / interval_};
}

Flow Water::flow(const Vec3<double>& p, double time, const Vec3<double>& more) const {
  FlowField field;
  field.velocity = more;
  if (current) {
    const Flow uniform = current(time);
    field.velocity += uniform.velocity;
    field.rate = uniform.acceleration;
  }
  const double z = p.z - level.value_or(0);
  add_profile(profile, -z, field);
  if (level)
    for (const Wave& wave : waves)
      add_wave(wave, p, std::clamp(z, -depth, 0.0), z > 0, depth, time, field);
  return {field.velocity, field.rate + field.gradient * field.velocity};
}

double Water::surface(double x, double y, double time) const {
  if (!level) return HUGE_VAL;
  double z = *level;
  for (const Wave& w : waves)
    z += w.amplitude * std::cos(w.number * (x * std::cos(w.direction) + y * std::sin(w.direction)) -
                                w.frequency * time + w.phase);
  return z;
}

SurfacePlane Water::surface_plane(const Vec3<double>& p, double time) const {
  Vec3<double> normal{0, 0, 1};
  for (const Wave& w : waves) {
    const double c = std::cos(w.direction), s = std::sin(w.direction);
    const double slope = w.amplitude * w.number *
                         std::sin(w.number * (p.x * c + p.y * s) - w.frequency * time + w.phase);
    normal.x += slope * c, normal.y += slope * s;
  }
  normal = normal / norm(normal);
  return {normal, dot(normal, {p.x, p.y, surface(p.x, p.y, time)})};
}

std::function<Flow(double)> constant_current(const Vec3<double>& velocity) {
  return [velocity](double) { return Flow{velocity, {}}; };
}

void check_water(const Water& water) {
  if (!(water.density >= 0) || !std::isfinite(water.density))
    throw Error(fmt::format("water: the density is {}; it must not be negative", water.density));
  check_water_positive("water: the viscosity", water.viscosity);
  check_water_positive("water: the depth", water.depth);
  if (water.level && !std::isfinite(*water.level))
    throw Error(
        fmt::format("water: the level of the surface is {}, not a finite number", *water.level));
  for (const CurrentAtDepth& at : water.profile)
    if (!std::isfinite(at.depth) || !std::isfinite(norm(at.velocity)))
      throw Error("water: a depth or velocity of the current's profile is not a finite number");
  if (!water.waves.empty() && !water.level)
    throw Error("water: waves need a surface; set Water::level");
  for (std::size_t k = 0; k < water.waves.size(); ++k) {
    const Wave& wave = water.waves[k];
    check_water_positive("water: the frequency of a wave", wave.frequency);
    check_water_positive("water: the number of a wave", wave.number);
    if (!std::isfinite(wave.direction) || !std::isfinite(wave.phase))
      throw Error(
          fmt::format("water: direction or phase of wave {} is not a finite number", k + 1));
    // the steepest waves that do not break are a seventh of their length high
    if (!(std::abs(wave.amplitude) * wave.number <= 0.45))
      throw Error(fmt::format(
          "water: wave {} is {:.3g} m high and {:.3g} m long: it would break, and linear waves are "
          "flat; make it lower or longer",
          k + 1, 2 * wave.amplitude, 2 * std::numbers::pi / wave.number));
  }
  for (std::size_t k = 1; k < water.profile.size(); ++k)
    if (!(water.profile[k].depth > water.profile[k - 1].depth))
      throw Error(fmt::format(
          "water: depth {} of the current's profile is {:g}, after {:g}; depths must rise", k + 1,
          water.profile[k].depth, water.profile[k - 1].depth));
}

}  // namespace limber
