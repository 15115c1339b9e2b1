#include <limber/vehicle/fin.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "drive/checks.hpp"
#include "vehicle/unit_vector.hpp"

namespace limber {

Fin::Fin(const FinSettings& s) : FrameActuator(s, "fin", "rad"), settings_(s) {
  check_unit(s.chord, "chord", title());
  check_unit(s.span, "span", title());
  if (std::abs(dot(s.chord, s.span)) > 1e-6)
    throw Error(title() + ": chord and span are not perpendicular; turn one of them");
  check_positive(s.area, "area", title());
  check_positive(s.slope, "slope", title());
  check_not_negative(s.drag_coefficient, "drag_coefficient", title());
  check_not_negative(s.induced_drag, "induced_drag", title());
  check_limit(s.most_lift, "most_lift", title());
  check_limit(s.rate, "rate", title());
  if (std::isfinite(s.rate) && s.lag == 0)
    throw Error(title() + ": a limited rate needs a lag; give it a short one");
}

Vec3<double> Fin::force(const Vec3<double>& velocity, double angle) const {
  const Vec3<double>& chord = settings_.chord;
  const Vec3<double> across = cross(settings_.span, chord);
  const double c = std::cos(angle), s = std::sin(angle);
  const LiftingSurface foil{{},
                            chord * c + across * s,
                            across * c - chord * s,
                            settings_.area,
                            settings_.slope,
                            settings_.drag_coefficient,
                            settings_.induced_drag,
                            settings_.most_lift};
  return lift_force(foil, {{}, velocity}, water().density).linear;
}

double Fin::angle(const Evaluation& at) const { return is_lagging() ? at.z[0] : command(at); }

void Fin::apply(Evaluation& at) {
  const WetFrame::Motions moves = motion(at);
  if (moves.below < 0) return;
  place_.push(at, {{}, force(moves.velocity.linear, angle(at))});
}

void Fin::derivative(Evaluation& at, std::span<double> z_dot) {
  if (!is_lagging()) return;
  z_dot[0] = std::clamp((command(at) - at.z[0]) / settings_.lag, -settings_.rate, settings_.rate);
}

std::vector<Column> Fin::columns() const {
  const std::string& n = name();
  std::vector<Column> all{{n + ".command", "rad", "Fin angles"},
                          {n + ".angle", "rad", "Fin angles"},
                          {n + ".lift", "N", "Fin forces"},
                          {n + ".drag", "N", "Fin forces"}};
  for (const char* axis : {"x", "y", "z"}) all.push_back({n + ".f" + axis, "N", n});
  return all;
}

void Fin::record(Evaluation& at, std::span<double> values) {
  const WetFrame::Motions moves = motion(at);
  const Vec3<double>& v = moves.velocity.linear;
  const Vec3<double> f = moves.below < 0 ? Vec3<double>{} : force(v, angle(at));
  // drag is against the flow in the plane of the foil, lift is the rest
  const Vec3<double> flow = v - settings_.span * dot(settings_.span, v);
  const double speed = norm(flow);
  const double drag = speed > 0 ? -dot(f, flow) / speed : 0;
  const double lift = speed > 0 ? dot(f, cross(settings_.span, flow)) / speed : 0;
  const Vec3<double> world = moves.pose.R * f;
  const double all[] = {command(at), angle(at), lift, drag, world.x, world.y, world.z};
  std::copy(std::begin(all), std::end(all), values.begin());
}

}  // namespace limber
