#include <limber/control/gait.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace limber {

Gait::Gait(double period, double duty, std::vector<GaitFoot> feet)
    : period_(period), duty_(duty), feet_(std::move(feet)) {
  if (!(period > 0) || !std::isfinite(period))
    throw Error(fmt::format("period: {} s found, more than 0 is needed", period));
  if (!(duty > 0 && duty <= 1))
    throw Error(fmt::format(
        "duty: {} found; it is the part of the period in which a foot stands, more than 0 and at "
        "most 1",
        duty));
  if (feet_.empty()) throw Error("feet: a gait without feet; name the frames that stand");
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    if (!(feet_[k].phase >= 0 && feet_[k].phase < 1))
      throw Error(fmt::format("foot '{}': phase {} found, at least 0 and less than 1 is needed",
                              feet_[k].frame, feet_[k].phase));
    for (std::size_t i = 0; i < k; ++i)
      if (feet_[i].frame == feet_[k].frame)
        throw Error(fmt::format("feet: '{}' is there twice", feet_[k].frame));
  }
}

double Gait::phase(int k, double t) const {
  const double cycles = t / period_ - foot(k).phase;
  const double part = cycles - std::floor(cycles);
  return part < 1 ? part : 0;  // rounding
}

PointMotion swing_motion(const Vec3<double>& from, const Vec3<double>& to, double height,
                         double duration, double t) {
  const double s = std::clamp(t / duration, 0.0, 1.0), r = 1 - s;
  const double way = s * s * s * (10 - 15 * s + 6 * s * s), way1 = 30 * s * s * r * r,
               way2 = 60 * s * r * (r - s);
  const double lift = 64 * s * s * s * r * r * r, lift1 = 192 * s * s * r * r * (r - s),
               lift2 = 384 * s * r * (r * r - 3 * s * r + s * s);
  const double rate = 1 / duration;
  const Vec3<double> along = to - from, up{0, 0, height};
  return {from + along * way + up * lift, (along * way1 + up * lift1) * rate,
          (along * way2 + up * lift2) * (rate * rate)};
}

}  // namespace limber
