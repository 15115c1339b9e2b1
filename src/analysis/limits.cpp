// Limits and their violations.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/parts.hpp"

namespace limber {

namespace {

// those that `name` stands for: itself, or the freedoms of a joint with several
bool is_selected(const std::vector<std::string>& names, const std::string& one) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return one == name || one.starts_with(name + ".");
         });
}

template <class Owner>
bool check_all(const LimitSettings& limit, const std::vector<Owner>& owners,
               std::vector<LimitCheck>& checks) {
  bool any = false;
  for (const Owner& one : owners) {
    const auto found = one.figures.find(limit.figure);
    if (found == one.figures.end() || !is_selected(limit.of, one.name)) continue;
    checks.push_back({limit.figure, one.name, found->second, limit.at_most, "scenario"});
    any = true;
  }
  return any;
}

// nothing has the figure
Error missing(const LimitSettings& limit) {
  return {limit.source,
          fmt::format("no {} was found to limit; it needs {}", name(limit.figure),
                      owner(limit.figure) == FigureOwner::motor
                          ? "a drive with a motor (and its `thermal` for temperatures)"
                          : "such a joint, controller or link in the scenario")};
}

bool check_one(const LimitSettings& limit, const Analysis& analysis,
               std::vector<LimitCheck>& checks) {
  switch (owner(limit.figure)) {
    case FigureOwner::joint:
      return check_all(limit, analysis.joints, checks);
    case FigureOwner::motor:
      return check_all(limit, analysis.motors, checks);
    case FigureOwner::bearing:
      return check_all(limit, analysis.bearings, checks);
    case FigureOwner::link:
      return check_all(limit, analysis.links, checks);
  }
  return false;
}

template <class Owner>
void check_own(const Owner& one, Figure figure, double limit, const char* from,
               std::vector<LimitCheck>& checks) {
  const auto found = one.figures.find(figure);
  if (std::isfinite(limit) && found != one.figures.end())
    checks.push_back({figure, one.name, found->second, limit, from});
}

}  // namespace

std::vector<LimitCheck> check_limits(const std::vector<LimitSettings>& limits,
                                     const Analysis& analysis, MotionSource source,
                                     std::vector<std::string>& warnings) {
  std::vector<LimitCheck> checks;
  for (const LimitSettings& limit : limits) {
    if (check_one(limit, analysis, checks)) continue;
    if (limit.figure != Figure::tracking_error || source != MotionSource::reference)
      throw missing(limit);
    warnings.push_back("the limit of tracking_error says nothing: a reference tracks itself");
  }
  for (const JointAnalysis& joint : analysis.joints) {
    check_own(joint, Figure::peak_torque, joint.limits.effort_limit, "robot", checks);
    check_own(joint, Figure::peak_speed, joint.limits.velocity_limit, "robot", checks);
  }
  for (const MotorAnalysis& one : analysis.motors) {
    check_own(one, Figure::voltage, one.motor.voltage_limit, "motor", checks);
    check_own(one, Figure::current, one.motor.current_limit, "motor", checks);
    check_own(one, Figure::motor_speed, one.motor.speed_limit, "motor", checks);
    if (one.motor.thermal)
      for (const Figure figure : {Figure::winding_temperature, Figure::steady_temperature})
        check_own(one, figure, one.motor.thermal->winding_limit, "motor", checks);
  }
  for (const LinkAnalysis& link : analysis.links)
    check_own(link, Figure::stress, link.yield_strength, "material", checks);
  return checks;
}

}  // namespace limber
