// The diagrams of an analysis.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "analysis/heat.hpp"
#include "analysis/report.hpp"
#include "analysis/figure_units.hpp"
#include "analysis/time_series.hpp"

namespace limber {

namespace {

using Kind = Diagram::Curve::Kind;

// torque that voltage and current allow at a speed, in the positive direction: what is left of the
// voltage drives a current through the resistance
double most_torque(const MotorSettings& motor, const MotorConstants& now, double speed) {
  const double by_voltage = (motor.voltage_limit - now.back_emf_constant * speed) / now.resistance;
  return now.torque_constant * std::min(motor.current_limit, by_voltage);
}

// speeds between which the limits run straight: where current and voltage limit meet, in both
// directions
std::vector<double> corner_speeds(const MotorSettings& motor, const MotorConstants& now,
                                  double range) {
  std::vector<double> speeds = {-range, range};
  const double corner =
      (motor.voltage_limit - now.resistance * motor.current_limit) / now.back_emf_constant;
  if (std::isfinite(corner))
    for (const double speed : {-corner, corner})
      if (std::abs(speed) < range) speeds.push_back(speed);
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

// the outline of what the motor can do: upper side forwards, lower side back, closed
Diagram::Curve motor_limits(const std::string& curve_name, const MotorSettings& motor,
                            const MotorConstants& now, double range) {
  Diagram::Curve curve{curve_name, Kind::limit, {}, {}};
  const std::vector<double> speeds = corner_speeds(motor, now, range);
  for (const double speed : speeds) {
    curve.x.push_back(speed);
    curve.y.push_back(most_torque(motor, now, speed));
  }
  for (auto speed = speeds.rbegin(); speed != speeds.rend(); ++speed) {
    curve.x.push_back(*speed);
    curve.y.push_back(-most_torque(motor, now, -*speed));
  }
  curve.x.push_back(curve.x.front());
  curve.y.push_back(curve.y.front());
  return curve;
}

// as the data sheet has them
MotorConstants cold_constants(const MotorSettings& motor) {
  if (!motor.thermal) return constants_at(motor, {});
  return constants_at(motor, {motor.thermal->reference, motor.thermal->reference});
}

// how far the limits are drawn: to the speed limit, else to the no-load speed and beyond the task
double speed_range(const MotorAnalysis& one) {
  if (std::isfinite(one.motor.speed_limit)) return one.motor.speed_limit;
  const double task = std::max(1.0, 1.1 * one.figures.at(Figure::motor_speed).value);
  const double no_load = one.motor.voltage_limit / cold_constants(one.motor).back_emf_constant;
  return std::isfinite(no_load) ? std::max(task, no_load) : task;
}

// what the winding bears for ever, both ways; the mean task must lie between
void add_continuous(const MotorAnalysis& one, double range, std::span<const double> times,
                    Diagram& diagram) {
  if (!one.motor.thermal || !std::isfinite(one.motor.thermal->winding_limit)) return;
  constexpr int pieces = 40;
  Diagram::Curve curve{
      fmt::format("for ever ({:.0f} °C)", one.motor.thermal->winding_limit), Kind::line, {}, {}};
  for (const int way : {1, -1}) {
    for (int k = 0; k <= pieces; ++k) {
      const double speed = way * range * (2.0 * k / pieces - 1);
      curve.x.push_back(speed);
      curve.y.push_back(way * continuous_torque(one.motor, speed));
    }
  }
  curve.x.push_back(curve.x.front());
  curve.y.push_back(curve.y.front());
  diagram.curves.push_back(std::move(curve));
  diagram.curves.push_back({"RMS torque",
                            Kind::points,
                            {mean_magnitude(times, one.series.speed)},
                            {one.figures.at(Figure::motor_rms_torque).value}});
  diagram.note +=
      " For ever: the torque that keeps the winding at its limit without end; the RMS "
      "torque at the mean speed must be less.";
}

Diagram torque_speed(const MotorAnalysis& one, std::span<const double> times) {
  Diagram diagram{fmt::format("Torque and speed of the motor of '{}'", one.name),
                  "motor speed",
                  "rad/s",
                  "motor torque",
                  "N m",
                  "Limits: voltage (slanted), current (level), speed (upright).",
                  {}};
  diagram.curves.push_back({"task", Kind::points, one.series.speed, one.torques});
  const double range = speed_range(one);
  if (std::isfinite(one.motor.voltage_limit) || std::isfinite(one.motor.current_limit)) {
    diagram.curves.push_back(motor_limits("limits", one.motor, cold_constants(one.motor), range));
    if (one.steady && std::isfinite(one.steady->winding))
      diagram.curves.push_back(motor_limits(fmt::format("limits at {:.0f} °C", one.steady->winding),
                                            one.motor, constants_at(one.motor, *one.steady),
                                            range));
  }
  add_continuous(one, range, times, diagram);
  return diagram;
}

void add_level(const std::string& curve_name, double level, std::span<const double> times,
               Diagram& diagram) {
  if (!std::isfinite(level)) return;
  for (const double value : {level, -level})
    diagram.curves.push_back(
        {curve_name, Kind::limit, {times.front(), times.back()}, {value, value}});
}

Diagram torque_time(const JointAnalysis& joint, const std::vector<double>& times) {
  Diagram diagram{
      fmt::format("Torque of '{}'", joint.name), "time", "s", "torque", joint.torque_unit, "", {}};
  diagram.curves.push_back({"torque", Kind::line, times, joint.torques});
  const double rms = joint.figures.at(Figure::rms_torque).value;
  diagram.curves.push_back({"RMS", Kind::line, {times.front(), times.back()}, {rms, rms}});
  add_level("effort limit", joint.limits.effort_limit, times, diagram);
  return diagram;
}

// without a motor: against the limits of the robot's file
Diagram joint_torque_speed(const JointAnalysis& joint) {
  Diagram diagram{fmt::format("Torque and speed of '{}'", joint.name),
                  "speed",
                  joint.speed_unit,
                  "torque",
                  joint.torque_unit,
                  "",
                  {}};
  diagram.curves.push_back({"task", Kind::points, joint.speeds, joint.torques});
  const double v = joint.limits.velocity_limit, t = joint.limits.effort_limit;
  if (std::isfinite(v) && std::isfinite(t))
    diagram.curves.push_back({"limits", Kind::limit, {-v, v, v, -v, -v}, {t, t, -t, -t, t}});
  return diagram;
}

Diagram power_time(const MotorAnalysis& one, const JointAnalysis& joint,
                   const std::vector<double>& times) {
  const auto product = [](double a, double b) { return a * b; };
  Diagram diagram{
      fmt::format("Power of the drive of '{}'", one.name), "time", "s", "power", "W", "", {}};
  diagram.curves.push_back(
      {"electrical", Kind::line, times, mapped(one.series.voltage, one.series.current, product)});
  diagram.curves.push_back(
      {"at the joint", Kind::line, times, mapped(joint.torques, joint.speeds, product)});
  return diagram;
}

// curves that are rounding noise beside the joint's whole load are left out
void add_curve(const std::string& curve_name, const std::vector<double>& times,
               const std::vector<double>& values, const BearingAnalysis& one, Diagram& diagram) {
  if (peak_of(times, values).value > 1e-9 * one.figures.at(Figure::bearing_force).value)
    diagram.curves.push_back({curve_name, Kind::line, times, values});
}

void add_bearings(const Analysis& analysis, std::vector<Diagram>& diagrams) {
  const std::vector<double>& times = analysis.motion.times;
  Diagram tilting{"Tilting moments of the bearings", "time", "s", "moment", "N m", "", {}};
  for (const BearingAnalysis& one : analysis.bearings) {
    Diagram forces{
        fmt::format("Bearing forces of '{}'", one.name), "time", "s", "force", "N", "", {}};
    if (one.axis) add_curve("axial", times, one.axial, one, forces);
    add_curve("radial", times, one.radial, one, forces);
    if (!forces.curves.empty()) diagrams.push_back(std::move(forces));
    add_curve(one.name, times, one.tilting, one, tilting);
  }
  if (!tilting.curves.empty()) diagrams.push_back(std::move(tilting));
}

template <class Item>
Diagram::Curve curve_along_link(const char* curve_name, const std::vector<double>& places,
                                const std::vector<Item>& items, double Item::*member) {
  Diagram::Curve curve{curve_name, Kind::line, places, {}};
  for (const Item& item : items) curve.y.push_back(item.*member);
  return curve;
}

void add_link(const LinkAnalysis& link, std::vector<Diagram>& diagrams) {
  const std::string when = fmt::format("At t = {:.4g} s, when the stress is largest.",
                                       link.figures.at(Figure::stress).time.value_or(0));
  const auto diagram = [&](const char* what, const char* y_label, const char* y_unit) {
    return Diagram{fmt::format("{} along '{}'", what, link.name),
                   "from the inner end",
                   "m",
                   y_label,
                   y_unit,
                   when,
                   {}};
  };
  Diagram forces = diagram("Forces", "force", "N");
  forces.curves = {curve_along_link("normal", link.places, link.forces, &SectionForces::normal),
                   curve_along_link("shear y", link.places, link.forces, &SectionForces::shear_y),
                   curve_along_link("shear z", link.places, link.forces, &SectionForces::shear_z)};
  Diagram moments = diagram("Moments", "moment", "N m");
  moments.curves = {
      curve_along_link("bending y", link.places, link.forces, &SectionForces::bending_y),
      curve_along_link("bending z", link.places, link.forces, &SectionForces::bending_z),
      curve_along_link("torsion", link.places, link.forces, &SectionForces::torsion)};
  Diagram stresses = diagram("Stress", "stress", "MPa");
  stresses.curves = {
      curve_along_link("bending and normal", link.places, link.stresses, &Stress::normal),
      curve_along_link("torsion", link.places, link.stresses, &Stress::torsion),
      curve_along_link("von Mises", link.places, link.stresses, &Stress::von_mises),
      {"yield strength",
       Kind::limit,
       {0, link.length},
       {link.yield_strength, link.yield_strength}}};
  for (Diagram::Curve& curve : stresses.curves)
    for (double& stress : curve.y) stress *= 1e-6;
  for (Diagram* one : {&forces, &moments, &stresses}) diagrams.push_back(std::move(*one));
}

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string capital(std::string words) {
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

// the tightest check of a figure of one owner
const LimitCheck* tightest(const ScanPoint& point, Figure figure, const std::string& of) {
  const LimitCheck* found = nullptr;
  for (const LimitCheck& check : point.checks)
    if (check.figure == figure && check.of == of && (!found || check.limit < found->limit))
      found = &check;
  return found;
}

std::vector<std::string> limited_owners(const std::vector<ScanPoint>& points, Figure figure) {
  std::vector<std::string> owners;
  for (const ScanPoint& point : points)
    for (const LimitCheck& check : point.checks)
      if (check.figure == figure &&
          std::find(owners.begin(), owners.end(), check.of) == owners.end())
        owners.push_back(check.of);
  return owners;
}

void add_point(std::optional<double> x, double y, Diagram::Curve& curve) {
  if (!x || !std::isfinite(y)) return;
  curve.x.push_back(*x);
  curve.y.push_back(y);
}

// what is limited, with its limit, for each owner
std::vector<Diagram::Curve> limited_curves(const std::vector<ScanPoint>& points, Figure figure,
                                           double factor) {
  std::vector<Diagram::Curve> curves;
  for (const std::string& of : limited_owners(points, figure)) {
    Diagram::Curve values{of, Kind::line, {}, {}};
    Diagram::Curve limits{fmt::format("limit of {}", of), Kind::limit, {}, {}};
    for (const ScanPoint& point : points) {
      const LimitCheck* check = tightest(point, figure, of);
      if (!check) continue;
      add_point(as_number(point.values[0]), factor * check->found.value, values);
      add_point(as_number(point.values[0]), factor * check->limit, limits);
    }
    curves.push_back(std::move(values));
    curves.push_back(std::move(limits));
  }
  return curves;
}

// figures over the value of the only parameter, where it is a number; without a limit the largest
// of all owners
void add_scan(const Analysis& analysis, const std::vector<ScanSettings>& parameters,
              const std::vector<ScanPoint>& points, std::vector<Diagram>& diagrams) {
  if (parameters.size() != 1) return;
  for (const Figure figure : scanned_figures(points)) {
    const ShownUnit unit = shown_unit(figure, analysis);
    Diagram diagram{fmt::format("{} over {}", capital(shown_label(figure)), parameters[0].name),
                    parameters[0].name,
                    "",
                    shown_label(figure),
                    unit.unit,
                    "",
                    limited_curves(points, figure, unit.factor),
                    "Scan"};
    if (diagram.curves.empty()) {
      diagram.curves.push_back({"largest", Kind::line, {}, {}});
      for (const ScanPoint& point : points)
        if (const auto y = point.figures.find(figure); y != point.figures.end())
          add_point(as_number(point.values[0]), unit.factor * y->second.value,
                    diagram.curves.back());
    }
    const auto drawn = [](const Diagram::Curve& curve) { return curve.x.size() > 1; };
    if (std::any_of(diagram.curves.begin(), diagram.curves.end(), drawn))
      diagrams.push_back(std::move(diagram));
  }
}

// of all limits that belong to it; joints without any come last
double least_margin(const Analysis& analysis, const std::string& of) {
  double least = HUGE_VAL;
  for (const LimitCheck& check : analysis.checks)
    if (check.of == of) least = std::min(least, check.margin());
  return least;
}

std::vector<const JointAnalysis*> worst_first(const Analysis& analysis) {
  std::vector<const JointAnalysis*> joints;
  for (const JointAnalysis& joint : analysis.joints) joints.push_back(&joint);
  std::stable_sort(joints.begin(), joints.end(),
                   [&](const JointAnalysis* a, const JointAnalysis* b) {
                     return least_margin(analysis, a->name) < least_margin(analysis, b->name);
                   });
  return joints;
}

void name_section(const char* name, std::size_t from, std::vector<Diagram>& diagrams) {
  for (std::size_t k = from; k < diagrams.size(); ++k) diagrams[k].section = name;
}

const MotorAnalysis* motor_of(const Analysis& analysis, const JointAnalysis& joint) {
  for (const MotorAnalysis& one : analysis.motors)
    if (one.name == joint.name) return &one;
  return nullptr;
}

}  // namespace

void add_diagrams(const Scenario& scenario, const Analysis& analysis,
                  const std::vector<ScanPoint>& scan, std::vector<Diagram>& diagrams) {
  const Figures largest = key_figures(analysis);
  const std::vector<double>& times = analysis.motion.times;
  for (const JointAnalysis* joint : worst_first(analysis)) {
    const MotorAnalysis* motor = motor_of(analysis, *joint);
    const double torque = joint->figures.at(Figure::peak_torque).value;
    if (!motor && !(torque > 1e-9 * largest.at(Figure::peak_torque).value)) continue;  // passive
    diagrams.push_back(motor ? torque_speed(*motor, times) : joint_torque_speed(*joint));
    diagrams.push_back(torque_time(*joint, times));
    if (motor) diagrams.push_back(power_time(*motor, *joint, times));
  }
  name_section("Joints and motors", 0, diagrams);
  const std::size_t bearings = diagrams.size();
  add_bearings(analysis, diagrams);
  name_section("Bearings", bearings, diagrams);
  const std::size_t links = diagrams.size();
  for (const LinkAnalysis& link : analysis.links) add_link(link, diagrams);
  name_section("Links", links, diagrams);
  add_scan(analysis, scenario.analysis->scan, scan, diagrams);
}

}  // namespace limber
