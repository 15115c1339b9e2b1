#include <limber/vehicle/ballast.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

#include "drive/checks.hpp"

namespace limber {

namespace {

// a mass cannot be negative
BallastSettings with_lower(BallastSettings s) {
  if (s.acts == BallastActs::mass && s.lower == -HUGE_VAL) s.lower = 0;
  return s;
}

}  // namespace

Ballast::Ballast(const BallastSettings& settings)
    : FrameActuator(with_lower(settings), "ballast", "kg"), settings_(with_lower(settings)) {
  check_positive(settings_.lag, "lag", title());
  check_limit(settings_.rate, "rate", title());
  if (settings_.acts == BallastActs::mass && settings_.lower < 0)
    throw Error(fmt::format(
        "{}: its mass may be down to {} kg; a mass is 0 or more, only a weight may be negative",
        title(), settings_.lower));
  if (!std::isfinite(settings_.initial) || settings_.initial < settings_.lower ||
      settings_.initial > settings_.upper)
    throw Error(fmt::format("{}: it begins with {} kg; its limits are {} and {} kg", title(),
                            settings_.initial, settings_.lower, settings_.upper));
}

void Ballast::initialize(Evaluation& at, std::span<double> z, std::span<double> d) {
  FrameActuator::initialize(at, z, d);
  z[0] = settings_.initial;
}

double Ballast::flow(const Evaluation& at) const {
  return std::clamp((command(at) - at.z[0]) / settings_.lag, -settings_.rate, settings_.rate);
}

void Ballast::apply(Evaluation& at) {
  const double m = at.z[0];
  const Mat3<double> R = frame_pose(at.model, at.kinematics(), place_.frame()).R;
  place_.push(at, {{}, transpose_times(R, at.model.gravity * m)});
  if (settings_.acts == BallastActs::weight) return;
  at.body_inertia()[place_.body()] +=
      place_.placement() * ArticulatedInertia<double>{{}, {}, {m, m, m, 0, 0, 0}};
}

void Ballast::derivative(Evaluation& at, std::span<double> z_dot) { z_dot[0] = flow(at); }

// of weight and motion; the rate has what flows in
StoredEnergy Ballast::stored_energy(Evaluation& at) {
  const double m = at.z[0], m_dot = flow(at);
  const Transform<double> X = frame_pose(at.model, at.kinematics(), place_.frame());
  const Motion<double> v =
      frame_velocity(at.model, at.kinematics(), place_.frame(), Reference::body);
  const double height = -dot(at.model.gravity, X.p), rise = -dot(at.model.gravity, X.R * v.linear);
  StoredEnergy sum{m * height, m_dot * height + m * rise};
  if (settings_.acts == BallastActs::weight) return sum;
  const Motion<double> a =
      frame_acceleration(at.model, at.accelerations(), place_.frame(), Reference::body);
  sum.energy += m * dot(v.linear, v.linear) / 2;
  sum.rate += m * dot(v.linear, a.linear) + m_dot * dot(v.linear, v.linear) / 2;
  return sum;
}

std::vector<Column> Ballast::columns() const {
  return {{name() + ".command", "kg", "Ballast"},
          {name() + ".mass", "kg", "Ballast"},
          {name() + ".flow", "kg/s", "Ballast flow"}};
}

void Ballast::record(Evaluation& at, std::span<double> values) {
  values[0] = command(at);
  values[1] = at.z[0];
  values[2] = flow(at);
}

}  // namespace limber
