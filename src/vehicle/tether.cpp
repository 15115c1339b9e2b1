#include <limber/vehicle/tether.hpp>

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

#include "drive/checks.hpp"

namespace limber {

namespace {

// Gauss-Legendre on 0 to 1: drag changes with the square of the place, times the place
struct TetherPoint {
  double place, weight;
};
constexpr std::array<TetherPoint, 4> tether_points{{{0.0694318442029737, 0.1739274225687269},
                                                    {0.3300094782075719, 0.3260725774312731},
                                                    {0.6699905217924281, 0.3260725774312731},
                                                    {0.9305681557970263, 0.1739274225687269}}};

}  // namespace

Tether::Tether(const TetherSettings& settings) : Part(settings.name), settings_(settings) {
  const std::string where = fmt::format("tether '{}'", settings.name);
  check_positive(settings.length, "length", where);
  check_not_negative(settings.stiffness, "stiffness", where);
  check_not_negative(settings.damping, "damping", where);
  check_not_negative(settings.diameter, "diameter", where);
  check_not_negative(settings.drag_coefficient, "drag_coefficient", where);
  check_not_negative(settings.skin_coefficient, "skin_coefficient", where);
  if (!std::isfinite(settings.weight) || !std::isfinite(norm(settings.anchor)))
    throw Error(where + ": weight and anchor must be finite numbers");
  if (!settings_.water) settings_.water = std::make_shared<const Water>();
}

void Tether::attach(Model& model) {
  place_.attach(model, settings_.frame, fmt::format("tether '{}'", name()));
}

Tether::Line Tether::line(Evaluation& at) const {
  Line line;
  line.end = frame_pose(at.model, at.kinematics(), place_.frame()).p;
  line.velocity =
      frame_velocity(at.model, at.kinematics(), place_.frame(), Reference::world_aligned).linear;
  const Vec3<double> way = line.end - settings_.anchor;
  line.length = norm(way);
  if (line.length > 0) line.direction = way / line.length;
  line.rate = dot(line.direction, line.velocity);
  return line;
}

double Tether::stretch(const Line& line) const {
  return std::max(0.0, line.length - settings_.length);
}

// a cable does not push
double Tether::tension(const Line& line) const {
  const double x = stretch(line);
  return x > 0 ? std::max(0.0, settings_.stiffness * x + settings_.damping * line.rate) : 0;
}

Vec3<double> Tether::drag(const Line& line, const Evaluation& now) const {
  const Water& water = *settings_.water;
  const double across = 0.5 * water.density * settings_.drag_coefficient * settings_.diameter;
  const double along =
      0.5 * water.density * settings_.skin_coefficient * std::numbers::pi * settings_.diameter;
  Vec3<double> sum;
  for (const TetherPoint& p : tether_points) {
    const Vec3<double> at = settings_.anchor + (line.end - settings_.anchor) * p.place;
    if (at.z > water.surface(at.x, at.y, now.t)) continue;
    const Vec3<double> v =
        line.velocity * p.place - water.flow(at, now.t, now.more_current).velocity;
    const double slide = dot(v, line.direction);
    const Vec3<double> side = v - line.direction * slide;
    const Vec3<double> per_length =
        side * (-across * norm(side)) - line.direction * (along * std::abs(slide) * slide);
    sum += per_length * (p.weight * p.place * line.length);
  }
  return sum;
}

Vec3<double> Tether::force(const Line& line, const Evaluation& now) const {
  const Vec3<double> weight{0, 0, -settings_.weight * line.length / 2};
  return drag(line, now) + weight - line.direction * tension(line);
}

void Tether::apply(Evaluation& at) {
  const Line line = this->line(at);
  const Mat3<double> R = frame_pose(at.model, at.kinematics(), place_.frame()).R;
  place_.push(at, {{}, transpose_times(R, force(line, at))});
}

StoredEnergy Tether::stored_energy(Evaluation& at) {
  const Line line = this->line(at);
  const double x = stretch(line);
  return {settings_.stiffness * x * x / 2, settings_.stiffness * x * line.rate};
}

std::vector<Column> Tether::columns() const {
  const std::string& n = name();
  std::vector<Column> all{{n + ".length", "m", "Lengths of tethers"},
                          {n + ".tension", "N", "Tensions"},
                          {n + ".drag", "N", "Drag of tethers"}};
  for (const char* axis : {"x", "y", "z"}) all.push_back({n + ".f" + axis, "N", n});
  return all;
}

void Tether::record(Evaluation& at, std::span<double> values) {
  const Line line = this->line(at);
  const Vec3<double> f = force(line, at);
  const double all[] = {line.length, tension(line), norm(drag(line, at)), f.x, f.y, f.z};
  std::copy(std::begin(all), std::end(all), values.begin());
}

}  // namespace limber
