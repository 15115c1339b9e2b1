#include <limber/sim/frame_force.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

namespace limber {

namespace {

void expect_magnitude(const std::string& name, const char* what, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw Error(
        fmt::format("force element '{}': {}: {} found, 0 or more is needed", name, what, value));
}

void check_force_table(const FrameForceSettings& s) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("force element '{}': table: {}", s.name, why));
  };
  if (s.lengths.size() != s.tensions.size() || s.lengths.size() == 1)
    refuse(fmt::format("{} lengths and {} forces found; as many of both are needed, two or more",
                       s.lengths.size(), s.tensions.size()));
  for (std::size_t i = 0; i < s.lengths.size(); ++i) {
    if (!std::isfinite(s.lengths[i]) || (i > 0 && !(s.lengths[i] > s.lengths[i - 1])))
      refuse(fmt::format("lengths must increase; entry {} is {} m", i + 1, s.lengths[i]));
    if (!std::isfinite(s.tensions[i]))
      refuse(fmt::format("the force at {} m is not a finite number", s.lengths[i]));
  }
}

// the piece of the table that a length lies in, and how far
struct TablePlace {
  std::size_t piece = 0;
  double part = 0;  // 0 to 1
};
TablePlace place_in(std::span<const double> lengths, double length) {
  const double inside = std::clamp(length, lengths.front(), lengths.back());
  const auto after = std::upper_bound(lengths.begin() + 1, lengths.end() - 1, inside);
  const auto i = static_cast<std::size_t>(after - lengths.begin()) - 1;
  return {i, (inside - lengths[i]) / (lengths[i + 1] - lengths[i])};
}

}  // namespace

Expression frame_force_law(std::string_view text) {
  static const std::string variables[] = {"length", "rate", "t"};
  return {text, variables};
}

FrameForce::FrameForce(const FrameForceSettings& settings)
    : Part(settings.name), settings_(settings) {
  expect_magnitude(name(), "stiffness", settings.stiffness);
  expect_magnitude(name(), "rest_length", settings.rest_length);
  expect_magnitude(name(), "damping", settings.damping);
  check_force_table(settings);
  for (const Vec3<double>& point : {settings.from_point, settings.to_point})
    if (!std::isfinite(norm(point)))
      throw Error(fmt::format("force element '{}': a point is not finite", name()));
  if (settings.stiffness == 0 && settings.damping == 0 && !settings.law && settings.lengths.empty())
    throw Error(
        fmt::format("force element '{}' has no force; give it a stiffness, a damping, a "
                    "force law or a table",
                    name()));
  const std::vector<double>&l = settings_.lengths, &f = settings_.tensions;
  stored_.assign(l.size(), 0);
  for (std::size_t i = 1; i < l.size(); ++i)
    stored_[i] = stored_[i - 1] + (l[i] - l[i - 1]) * (f[i] + f[i - 1]) / 2;
}

void FrameForce::attach(Model& m) {
  const auto end = [&](const std::string& frame, const Vec3<double>& point) {
    const int index = m.frame(frame);
    const auto body = static_cast<std::size_t>(m.frames[static_cast<std::size_t>(index)].body);
    return End{index, body, point};
  };
  try {
    from_ = end(settings_.from, settings_.from_point);
    to_ = end(settings_.to, settings_.to_point);
  } catch (const Error& error) {
    throw Error(fmt::format("force element '{}': {}", name(), error.what()));
  }
  if (from_.body == to_.body)
    throw Error(
        fmt::format("force element '{}': frames '{}' and '{}' are on the same body and "
                    "cannot move against each other; name frames of two bodies",
                    name(), settings_.from, settings_.to));
}

FrameForce::Line FrameForce::line(Evaluation& at) const {
  const Velocities& bodies = at.kinematics();
  Line line;
  Vec3<double> velocity[2];
  for (int k = 0; k < 2; ++k) {
    const End& end = k == 0 ? from_ : to_;
    const Transform<double> X = frame_pose(at.model, bodies, end.frame);
    const Motion<double> v = frame_velocity(at.model, bodies, end.frame, Reference::world_aligned);
    const Vec3<double> arm = X.R * end.point;
    (k == 0 ? line.from : line.to) = X.p + arm;
    velocity[k] = v.linear + cross(v.angular, arm);
  }
  const Vec3<double> way = line.to - line.from;
  line.length = norm(way);
  if (line.length > 0) line.direction = way / line.length;
  line.rate = dot(line.direction, velocity[1] - velocity[0]);
  return line;
}

// the part of the tension that depends on the length alone
double FrameForce::elastic(double length) const {
  double sum = settings_.stiffness * (length - settings_.rest_length);
  if (settings_.lengths.empty()) return sum;
  const auto [i, part] = place_in(settings_.lengths, length);
  return sum + settings_.tensions[i] * (1 - part) + settings_.tensions[i + 1] * part;
}

// its integral over the length
double FrameForce::stored(double length) const {
  const double stretch = length - settings_.rest_length;
  double sum = settings_.stiffness * stretch * stretch / 2;
  if (settings_.lengths.empty()) return sum;
  const std::vector<double>&l = settings_.lengths, &f = settings_.tensions;
  const auto [i, part] = place_in(l, length);
  const double here = f[i] * (1 - part) + f[i + 1] * part;
  sum += stored_[i] + part * (l[i + 1] - l[i]) * (f[i] + here) / 2;
  // beyond the ends the force is constant
  return sum + here * (length - std::clamp(length, l.front(), l.back()));
}

double FrameForce::tension(const Line& line, double t) const {
  double sum = elastic(line.length) + settings_.damping * line.rate;
  if (settings_.law) {
    const double variables[] = {line.length, line.rate, t};
    sum += settings_.law->value(variables);
  }
  if (!std::isfinite(sum))
    throw Error(
        fmt::format("force element '{}': at t = {:.9g} s, length {:.9g} m and rate {:.9g} "
                    "m/s its force is not a finite number",
                    name(), t, line.length, line.rate));
  if (line.length == 0 && sum != 0)
    throw Error(
        fmt::format("force element '{}': at t = {:.9g} s its points coincide and a force "
                    "of {:.6g} N has no direction; begin elsewhere, or let the force be "
                    "zero at length 0",
                    name(), t, sum));
  return sum;
}

// a force in world axes at a point in the world, on the body of an end
void FrameForce::pull(Evaluation& at, const End& end, const Vec3<double>& point,
                      const Vec3<double>& force) const {
  if (end.body == 0) return;
  const Transform<double> X = body_pose(at.model, at.kinematics(), static_cast<int>(end.body));
  const Vec3<double> f = transpose_times(X.R, force), arm = transpose_times(X.R, point - X.p);
  at.body_forces()[end.body] += Force<double>{cross(arm, f), f};
}

void FrameForce::apply(Evaluation& at) {
  const Line line = this->line(at);
  const Vec3<double> force = line.direction * tension(line, at.t);
  pull(at, from_, line.from, force);
  pull(at, to_, line.to, force * -1.0);
}

bool FrameForce::stores_energy() const {
  return settings_.stiffness > 0 || !settings_.lengths.empty();
}

StoredEnergy FrameForce::stored_energy(Evaluation& at) {
  const Line line = this->line(at);
  return {stored(line.length), elastic(line.length) * line.rate};
}

std::vector<Column> FrameForce::columns() const {
  const std::string& n = name();
  std::vector<Column> all{{n + ".length", "m", "Lengths of force elements"},
                          {n + ".rate", "m/s", "Rates of force elements"},
                          {n + ".tension", "N", "Tensions"},
                          {n + ".stored_energy", "J", "Stored energy"},
                          {n + ".power", "W", "Power of force elements"}};
  const auto add = [&](const char* what, const char* unit, const std::string& group) {
    for (const char* axis : {"x", "y", "z"}) all.push_back({n + "." + what + axis, unit, group});
  };
  add("p", "m", n + " (points)");
  add("f", "N", n);
  add("o", "m", n + " (points)");
  return all;
}

void FrameForce::record(Evaluation& at, std::span<double> values) {
  const Line line = this->line(at);
  const double pulls = tension(line, at.t);
  const Vec3<double> force = line.direction * -pulls;
  const double scalars[] = {line.length, line.rate, pulls, stored(line.length),
                            (elastic(line.length) - pulls) * line.rate};
  double* out = std::copy(std::begin(scalars), std::end(scalars), values.data());
  for (const Vec3<double>& v : {line.to, force, line.from})
    for (int i = 0; i < 3; ++i) *out++ = v[i];
}

}  // namespace limber
