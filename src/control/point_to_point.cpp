// From rest to rest along a straight line of joint space.
#include <cmath>

#include <fmt/format.h>

#include <limber/control/joint_trajectory.hpp>
#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"
#include "control/limits.hpp"

namespace limber {

namespace {

/// q(t) = from ⊕ s(t) displacement. Along such a line the velocity is ṡ displacement, for joints
/// with quaternions too: they turn about an axis that rests in both bodies.
class PointToPoint final : public JointTrajectory {
 public:
  PointToPoint(const Model& model, std::vector<double> from, std::vector<double> displacement,
               TimeLaw law)
      : model_(model), from_(std::move(from)), displacement_(std::move(displacement)), law_(law) {}

  double duration() const override { return law_.duration(); }
  void sample(double t, std::span<double> q, std::span<double> v,
              std::span<double> a) const override {
    const PathPhase phase = law_.at(t);
    integrate(model_, from_, displacement_, phase.s, q);
    for (std::size_t k = 0; k < displacement_.size(); ++k) {
      v[k] = phase.rate * displacement_[k];
      a[k] = phase.acceleration * displacement_[k];
    }
  }

 private:
  Model model_;
  std::vector<double> from_, displacement_;
  TimeLaw law_;
};

struct MoveLimits {
  std::vector<double> velocity, acceleration;
};

MoveLimits limits_of(const Model& m, const MoveSettings& settings) {
  const auto nv = static_cast<std::size_t>(m.nv);
  MoveLimits limits{one_each("velocity_limits", settings.velocity_limits, nv, HUGE_VAL),
                    one_each("acceleration_limits", settings.acceleration_limits, nv, HUGE_VAL)};
  if (settings.velocity_limits.empty())
    for (std::size_t k = 0; k < nv; ++k) limits.velocity[k] = m.dof[k].velocity_limit;
  return limits;
}

TimeLaw shortest(const Model& m, Law law, const std::vector<double>& displacement,
                 const MoveLimits& limits) {
  double rate = HUGE_VAL, acceleration = HUGE_VAL;
  bool moves = false;
  for (std::size_t k = 0; k < displacement.size(); ++k) {
    const double distance = std::abs(displacement[k]);
    if (distance == 0) continue;
    moves = true;
    if (!(limits.velocity[k] > 0 && limits.acceleration[k] > 0))
      throw Error(
          fmt::format("joint '{}' is to move by {} {} with a limit of 0 for its speed or "
                      "acceleration",
                      freedom_name(m, k), displacement[k], freedom_unit(m, k)));
    rate = std::min(rate, limits.velocity[k] / distance);
    acceleration = std::min(acceleration, limits.acceleration[k] / distance);
  }
  if (moves && std::isinf(rate) && std::isinf(acceleration))
    throw Error("point-to-point motion: nothing says how fast; give a duration, or limits");
  return TimeLaw::with_limits(law, rate, acceleration);
}

void expect_slow_enough(const Model& m, const TimeLaw& law, const std::vector<double>& displacement,
                        const MoveLimits& limits) {
  auto check = [&](std::size_t k, const char* what, const char* unit, double peak, double limit) {
    if (std::abs(peak * displacement[k]) > limit * (1 + limit_tolerance))
      throw Error(
          fmt::format("duration: in {} s joint '{}' reaches {} {:.6g} {}{}, its limit is "
                      "{:.6g}; give more time",
                      law.duration(), freedom_name(m, k), what, std::abs(peak * displacement[k]),
                      freedom_unit(m, k), unit, limit));
  };
  for (std::size_t k = 0; k < displacement.size(); ++k) {
    check(k, "the speed", "/s", law.peak_rate(), limits.velocity[k]);
    check(k, "the acceleration", "/s²", law.peak_acceleration(), limits.acceleration[k]);
  }
}

}  // namespace

JointTrajectoryPointer point_to_point(const Model& m, std::span<const double> from,
                                      std::span<const double> to, const MoveSettings& settings) {
  const std::vector<double> start = checked_position(m, "point-to-point motion, from", from);
  const std::vector<double> end = checked_position(m, "point-to-point motion, to", to);
  std::vector<double> displacement(static_cast<std::size_t>(m.nv)), reached(start.size()),
      missed(displacement);
  difference(m, start, end, displacement);
  integrate(m, start, displacement, 1, reached);
  difference(m, reached, end, missed);
  for (std::size_t k = 0; k < missed.size(); ++k)
    if (!(std::abs(missed[k]) < 1e-9))
      throw Error(
          fmt::format("point-to-point motion: joint '{}' cannot go there along a straight "
                      "line; use a function trajectory",
                      freedom_name(m, k)));
  const MoveLimits limits = limits_of(m, settings);
  const TimeLaw law = settings.duration != 0
                          ? TimeLaw::with_duration(settings.law, settings.duration, settings.ramp)
                          : shortest(m, settings.law, displacement, limits);
  expect_slow_enough(m, law, displacement, limits);
  return std::make_shared<PointToPoint>(m, start, displacement, law);
}

}  // namespace limber
