#include <limber/vehicle/thruster.hpp>

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "drive/checks.hpp"
#include "vehicle/unit_vector.hpp"

namespace limber {

namespace {

const char* thruster_unit(ThrusterInput input) {
  constexpr const char* units[] = {"rad/s", "", "N"};
  return units[static_cast<std::size_t>(input)];
}

double straight(std::span<const double> x, std::span<const double> y, double at) {
  if (at <= x.front()) return y.front();
  if (at >= x.back()) return y.back();
  const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin()) - 1;
  return y[i] + (y[i + 1] - y[i]) * (at - x[i]) / (x[i + 1] - x[i]);
}

void check_thrust_table(const ThrusterSettings& s, const std::string& where) {
  if (s.speeds.size() != s.forces.size() || s.speeds.size() < 2)
    throw Error(
        fmt::format("{}: table: {} speeds and {} forces found; as many of both are needed, two or "
                    "more",
                    where, s.speeds.size(), s.forces.size()));
  for (std::size_t i = 0; i < s.speeds.size(); ++i) {
    const bool finite = std::isfinite(s.speeds[i]) && std::isfinite(s.forces[i]);
    if (!finite || (i > 0 && (!(s.speeds[i] > s.speeds[i - 1]) || s.forces[i] < s.forces[i - 1])))
      throw Error(fmt::format(
          "{}: table: entry {} is {} N at {}; speeds must rise, and forces must not fall", where,
          i + 1, s.forces[i], s.speeds[i]));
    if (s.speeds[i] * s.forces[i] < 0)
      throw Error(fmt::format("{}: table: {} N at {}; forces have the sign of their speeds", where,
                              s.forces[i], s.speeds[i]));
  }
  if (straight(s.speeds, s.forces, 0) != 0)
    throw Error(fmt::format("{}: table: {} N at rest; it must be zero there", where,
                            straight(s.speeds, s.forces, 0)));
  if (s.forward != 0 || s.backward != 0 || s.dead_band != 0)
    throw Error(where + ": give a table, or forward, backward and dead_band, not both");
}

void check_thruster(const ThrusterSettings& s, const std::string& where) {
  check_unit(s.axis, "axis", where);
  check_not_negative(s.forward, "forward", where);
  check_not_negative(s.backward, "backward", where);
  check_not_negative(s.dead_band, "dead_band", where);
  check_not_negative(s.advance, "advance", where);
  check_not_negative(s.torque, "torque", where);
  check_not_negative(s.torque_advance, "torque_advance", where);
  check_not_negative(s.diameter, "diameter", where);
  check_range(s.wake, 0, 1, "wake", where);
  check_range(s.deduction, 0, 1, "deduction", where);
  if (s.deduction == 1) throw Error(where + ": deduction: 1 leaves no force; give less");
  if (!s.speeds.empty() || !s.forces.empty()) return check_thrust_table(s, where);
  if (s.forward > 0 && s.backward > 0) return;
  if (s.forward != s.backward)
    throw Error(where + ": give both forward and backward, each positive");
  if (s.input != ThrusterInput::force)
    throw Error(where +
                ": how its speed pushes is missing: give forward and backward, a table or a "
                "propeller, or let the command be a force");
  if (s.advance > 0 || s.torque > 0 || s.dead_band > 0)
    throw Error(where +
                ": dead_band, advance and torque belong to a speed, and it has none: give forward "
                "and backward, or a table");
}

}  // namespace

void set_propeller(const PropellerCoefficients& p, double density, ThrusterSettings& s) {
  const std::string where = "propeller";
  check_positive(p.diameter, "diameter", where);
  check_positive(p.thrust, "thrust", where);
  check_not_negative(p.moment, "moment", where);
  check_positive(p.advance, "advance", where);
  check_positive(density, "density", where);
  if (!(p.thrust_then < p.thrust))
    throw_setting(p.thrust_then, "thrust_then", where, "less than `thrust` is needed");
  if (p.moment > 0 && !(p.moment_then < p.moment))
    throw_setting(p.moment_then, "moment_then", where, "less than `moment` is needed");
  constexpr double turn = 2 * std::numbers::pi;
  const double D = p.diameter, disc = density * D * D * D * D / (turn * turn);
  // J at which the line is zero, and the speed then, n D J
  const auto advance_of = [&](double K, double K_then) {
    return K / ((K - K_then) / p.advance) * D / turn;
  };
  s.forward = s.backward = disc * p.thrust;
  s.advance = advance_of(p.thrust, p.thrust_then);
  s.torque = disc * D * p.moment;
  s.torque_advance = p.moment > 0 ? advance_of(p.moment, p.moment_then) : 0;
  s.diameter = D;
}

Thruster::Thruster(const ThrusterSettings& settings)
    : FrameActuator(settings, "thruster", thruster_unit(settings.input)), settings_(settings) {
  check_thruster(settings, title());
}

// the force is the command: there is no speed
bool Thruster::is_direct() const { return settings_.forward == 0 && settings_.speeds.empty(); }

double Thruster::still_force(double s) const {
  const double part = 1 - settings_.deduction;
  if (is_direct()) return part * s;
  if (!settings_.speeds.empty()) return part * straight(settings_.speeds, settings_.forces, s);
  const double d = settings_.dead_band, beyond = s * s - d * d;
  if (beyond <= 0) return 0;
  return part * (s > 0 ? settings_.forward : -settings_.backward) * beyond;
}

double Thruster::speed_for(double force) const {
  const double f = force / (1 - settings_.deduction);
  if (is_direct()) return f;
  if (f == 0) return 0;
  if (settings_.speeds.empty()) {
    const double d = settings_.dead_band;
    return f > 0 ? std::sqrt(f / settings_.forward + d * d)
                 : -std::sqrt(-f / settings_.backward + d * d);
  }
  // of a flat piece the end that is nearer to rest
  const std::vector<double>&x = settings_.speeds, &y = settings_.forces;
  if (f > y.back()) return x.back();
  if (f < y.front()) return x.front();
  auto i = static_cast<std::size_t>(
      (f > 0 ? std::lower_bound(y.begin(), y.end(), f) : std::upper_bound(y.begin(), y.end(), f)) -
      y.begin());
  i = std::clamp<std::size_t>(i, 1, y.size() - 1);
  const double rise = y[i] - y[i - 1];
  return rise > 0 ? x[i - 1] + (x[i] - x[i - 1]) * (f - y[i - 1]) / rise : x[i - 1];
}

double Thruster::command_for(double force) const {
  return settings_.input == ThrusterInput::force ? force : speed_for(force);
}

double Thruster::wanted_speed(double command) const {
  return settings_.input == ThrusterInput::force ? speed_for(command) : command;
}

double Thruster::least_force() const { return still_force(wanted_speed(settings_.lower)); }
double Thruster::most_force() const { return still_force(wanted_speed(settings_.upper)); }

Thruster::State Thruster::now(Evaluation& at) const {
  State state;
  const WetFrame::Motions moves = motion(at);
  state.R = moves.pose.R;
  const double s = state.speed = is_lagging() ? at.z[0] : wanted_speed(command(at));
  const double D = settings_.diameter;
  const double wet = D > 0 ? std::clamp(0.5 + moves.below / D, 0.0, 1.0) : (moves.below >= 0);
  // the speed through the water in the direction of the force
  const double V = std::max(
      0.0, (1 - settings_.wake) * dot(settings_.axis, moves.velocity.linear) * (s > 0 ? 1 : -1));
  const auto weakened = [&](double still, double advance) {
    return advance > 0 && s != 0 ? still * (1 - V / (advance * std::abs(s))) : still;
  };
  state.force = wet * weakened(still_force(s), settings_.advance);
  state.moment = wet * weakened(settings_.torque * s * std::abs(s), settings_.torque_advance);
  return state;
}

void Thruster::apply(Evaluation& at) {
  const State state = now(at);
  const double reaction = settings_.turning == Turning::right ? -state.moment : state.moment;
  place_.push(at, {settings_.axis * reaction, settings_.axis * state.force});
}

void Thruster::derivative(Evaluation& at, std::span<double> z_dot) {
  if (is_lagging()) z_dot[0] = (wanted_speed(command(at)) - at.z[0]) / settings_.lag;
}

std::vector<Column> Thruster::columns() const {
  const std::string& n = name();
  std::vector<Column> all{{n + ".command", thruster_unit(settings_.input), "Thruster commands"}};
  if (!is_direct()) {
    const bool is_ratio = settings_.input == ThrusterInput::ratio;
    all.push_back({n + (is_ratio ? ".ratio" : ".speed"), is_ratio ? "" : "rad/s",
                   is_ratio ? "Thruster ratios" : "Thruster speeds"});
  }
  all.push_back({n + ".force", "N", "Thruster forces"});
  for (const char* axis : {"x", "y", "z"}) all.push_back({n + ".f" + axis, "N", n});
  if (settings_.torque > 0 && settings_.input != ThrusterInput::ratio)
    all.push_back({n + ".power", "W", "Thruster power"});
  return all;
}

void Thruster::record(Evaluation& at, std::span<double> values) {
  const State state = now(at);
  double* out = values.data();
  *out++ = command(at);
  if (!is_direct()) *out++ = state.speed;
  *out++ = state.force;
  const Vec3<double> force = state.R * settings_.axis * state.force;
  for (int i = 0; i < 3; ++i) *out++ = force[i];
  if (settings_.torque > 0 && settings_.input != ThrusterInput::ratio)
    *out++ = state.moment * state.speed;
}

}  // namespace limber
