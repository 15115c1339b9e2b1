#include <limber/model/plausible.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>
#include <limber/model/variables.hpp>

#include "index.hpp"

namespace limber {

namespace {

// a joint variable of the tree with its own limits; one that follows another has its master's value
struct LimitedVariable {
  std::string joint, unit;
  const DofSpec& dof;
};

// of a joint that follows another: it has one variable
std::string unit_of_follower(JointKind kind) {
  const std::span<const JointVariable> variables = facts(kind).velocities;
  return variables.empty() ? "" : std::string(variables.front().unit);
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
}

std::string range_of(const LimitedVariable& x) {
  if (!std::isfinite(x.dof.upper)) return "at least " + with_unit(x.dof.lower, x.unit);
  if (!std::isfinite(x.dof.lower)) return "at most " + with_unit(x.dof.upper, x.unit);
  return fmt::format("{:.6g} to {}", x.dof.lower, with_unit(x.dof.upper, x.unit));
}

bool has_range(const DofSpec& dof) {
  return dof.lower <= dof.upper && (std::isfinite(dof.lower) || std::isfinite(dof.upper));
}

// of a position that is outside the joint's range, if it has one
bool looks_like_degrees(const LimitedVariable& x, double position) {
  constexpr double turn = 2 * std::numbers::pi, beyond_a_turn = 6.3;
  if (x.unit != "rad") return false;
  if (has_range(x.dof)) return std::abs(position) > turn;
  return std::abs(position) > beyond_a_turn && std::fmod(position, 5) == 0;
}

void doubt_position(const LimitedVariable& x, double position, std::vector<std::string>& doubts) {
  const bool limited = has_range(x.dof);
  const double limit = position > x.dof.upper ? x.dof.upper : x.dof.lower;
  // what rounding leaves of a joint that stands at its limit is not beyond it
  const double margin = 1e-12 * std::max(1.0, std::abs(limit));
  const bool outside =
      limited && (position > x.dof.upper + margin || position < x.dof.lower - margin);
  if (limited && !outside) return;
  std::string text = fmt::format("joint '{}' stands at {}", x.joint, with_unit(position, x.unit));
  if (outside)
    text += fmt::format(", beyond its {} limit of {}", position > x.dof.upper ? "upper" : "lower",
                        with_unit(limit, x.unit));
  if (looks_like_degrees(x, position))
    doubts.push_back(
        fmt::format("{}; that looks like degrees, and positions are in rad: {:.6g}° are {:.6g} rad",
                    text, position, position * std::numbers::pi / 180));
  else if (outside)
    doubts.push_back(
        fmt::format("{}; choose a position in its range, {}, or change the range in "
                    "the robot's file",
                    text, range_of(x)));
}

void doubt_speed(const LimitedVariable& x, double speed, std::vector<std::string>& doubts) {
  const double limit = x.dof.velocity_limit;
  if (!(limit > 0) || std::abs(speed) <= limit * (1 + 1e-12)) return;
  const std::string unit = x.unit.empty() ? "" : x.unit + "/s";
  doubts.push_back(fmt::format(
      "joint '{}' moves with {}, beyond its velocity limit of {}; choose a slower motion, or "
      "change the limit in the robot's file",
      x.joint, with_unit(speed, unit), with_unit(limit, unit)));
}

}  // namespace

std::vector<std::string> suspicious_state(const Model& model, std::span<const double> q,
                                          std::span<const double> v) {
  if (q.size() != at_index(model.nq) || v.size() != at_index(model.nv))
    throw Error(
        fmt::format("suspicious_state: q has {} entries and v {}, robot '{}' needs {} "
                    "and {}",
                    q.size(), v.size(), model.name, model.nq, model.nv));
  const std::vector<Variable> names = velocity_variables(model);
  std::vector<std::string> doubts;
  for (std::size_t k = 0; k < model.column_dof.size(); ++k) {
    const std::size_t body = at_index(model.column_body[k]);
    if (model.is_rotor[body]) continue;
    const Fold<double>& rate = model.v_fold[k];
    const Variable& own = names[at_index(rate.index)];
    const bool follows = model.master[body] >= 0;
    const LimitedVariable x{follows ? model.joint_name[body] : own.name(),
                            follows ? unit_of_follower(model.kind[body]) : own.unit,
                            model.column_dof[k]};
    if (model.column_q[k] >= 0) {
      const Fold<double>& place = model.q_fold[model.column_q[k]];
      doubt_position(x, place.ratio * q[at_index(place.index)] + place.offset, doubts);
    }
    doubt_speed(x, rate.ratio * v[at_index(rate.index)], doubts);
  }
  return doubts;
}

}  // namespace limber
