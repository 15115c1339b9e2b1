#include <limber/control/time_law.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

namespace {

const double quintic_rate = 15.0 / 8;                     // largest ṡ of a duration of 1
const double quintic_acceleration = 10 / std::sqrt(3.0);  // largest s̈ of a duration of 1

}  // namespace

TimeLaw TimeLaw::with_duration(Law law, double duration, double ramp) {
  if (!(duration > 0) || !std::isfinite(duration))
    throw Error(fmt::format("duration: {} s found, a positive time is needed", duration));
  if (!(ramp > 0 && ramp <= 0.5))
    throw Error(fmt::format(
        "ramp: {} found; it is the part of the duration spent on one ramp, above 0 and at most 0.5",
        ramp));
  return {law, duration, ramp * duration};
}

TimeLaw TimeLaw::with_limits(Law law, double rate, double acceleration) {
  if (!(rate > 0) || !(acceleration > 0))
    throw Error("limits of speed and acceleration must be positive");
  if (std::isinf(rate) && std::isinf(acceleration)) return {law, 0, 0};
  if (law == Law::quintic)
    return {law, std::max(quintic_rate / rate, std::sqrt(quintic_acceleration / acceleration)), 0};
  if (std::isinf(acceleration))
    throw Error(
        "a trapezoidal law without a duration needs a limit of the acceleration; give one, or a "
        "duration");
  if (rate * rate >= acceleration) {  // never reaches the speed: a triangle
    const double ramp = 1 / std::sqrt(acceleration);
    return {law, 2 * ramp, ramp};
  }
  const double ramp = rate / acceleration;
  return {law, 1 / rate + ramp, ramp};
}

double TimeLaw::peak_rate() const {
  if (duration_ == 0) return 0;
  return law_ == Law::quintic ? quintic_rate / duration_ : 1 / (duration_ - ramp_);
}

double TimeLaw::peak_acceleration() const {
  if (duration_ == 0) return 0;
  return law_ == Law::quintic ? quintic_acceleration / (duration_ * duration_)
                              : peak_rate() / ramp_;
}

std::vector<double> TimeLaw::knots() const {
  if (duration_ == 0) return {0};
  if (law_ == Law::quintic) return {0, duration_};
  if (duration_ - 2 * ramp_ < 1e-9 * duration_) return {0, ramp_, duration_};
  return {0, ramp_, duration_ - ramp_, duration_};
}

PathPhase TimeLaw::at(double t) const {
  if (t >= duration_) return {1, 0, 0};
  if (t <= 0) return {0, 0, t < 0 ? 0.0 : law_ == Law::quintic ? 0.0 : peak_acceleration()};
  if (law_ == Law::trapezoidal) return trapezoidal_at(t);
  const double T = duration_, r = t / T;
  return {r * r * r * (10 + r * (-15 + 6 * r)), 30 * r * r * (1 - r) * (1 - r) / T,
          60 * r * (1 - r) * (1 - 2 * r) / (T * T)};
}

PathPhase TimeLaw::trapezoidal_at(double t) const {
  const double rate = peak_rate(), a = peak_acceleration(), left = duration_ - t;
  if (t < ramp_) return {0.5 * a * t * t, a * t, a};
  if (left > ramp_) return {rate * (t - 0.5 * ramp_), rate, 0};
  return {1 - 0.5 * a * left * left, a * left, -a};
}

}  // namespace limber
