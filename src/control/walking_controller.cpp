#include <limber/control/walking_controller.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "control/heading.hpp"
#include "control/vectors.hpp"
#include "index.hpp"

// discrete states: the body's reference, then of each foot what it does and where it goes, then
// which rows of the program were active

namespace limber {

namespace {

enum BodyState { ref_x, ref_y, ref_heading, ground, above, body_states };
enum FootState {
  doing,
  pressed,
  from_x,
  to_x = from_x + 3,
  home_x = to_x + 3,
  foot_states = home_x + 3
};
/// What a foot does.
constexpr double standing = 0, swinging = 1, searching = 2;

constexpr double posture_weight = 1e-3;

Vec3<double> turned(const Vec3<double>& x, double heading) {
  const double c = std::cos(heading), s = std::sin(heading);
  return {c * x.x - s * x.y, s * x.x + c * x.y, x.z};
}

double* foot_of(std::span<double> states, int foot) {
  return states.data() + body_states + foot * foot_states;
}

const WalkingSettings& sampled_walk(const WalkingSettings& settings) {
  if (!(settings.sample_time > 0))
    throw Error(
        fmt::format("controller '{}': sample_time: walking needs samples; give it one, e.g. 0.002",
                    settings.name));
  return settings;
}

Gait gait_of(const WalkingSettings& settings) {
  try {
    return {settings.period, settings.duty, settings.feet};
  } catch (const Error& error) {
    throw Error(fmt::format("controller '{}': {}", settings.name, error.what()));
  }
}

WholeBodyProgramSettings program_of(const WalkingSettings& settings) {
  WholeBodyProgramSettings program;
  program.cone_sides = settings.cone_sides;
  program.contact_damping = settings.contact_damping;
  program.passive = settings.passive;
  program.water = settings.water;
  for (const GaitFoot& foot : settings.feet) {
    program.contacts.push_back({foot.frame});
    program.contacts.back().friction = settings.friction;
    program.contacts.back().least_force = settings.least_force;
  }
  return program;
}

/// The frame of the link on the first free joint.
int floating_body(const Model& m) {
  for (int b = 1; b < m.bodies(); ++b)
    if (m.kind[at_index(b)] == JointKind::free) return m.frame(m.body_name[at_index(b)]);
  throw Error(fmt::format("body: robot '{}' has no free joint, so it cannot walk", m.name));
}

}  // namespace

WalkingController::WalkingController(const WalkingSettings& settings)
    : Controller(sampled_walk(settings)), own_(settings), gait_(gait_of(settings)) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("controller '{}': {}", settings.name, why));
  };
  const auto at_least = [&](const char* what, double value, double least) {
    if (!(value >= least) || !std::isfinite(value))
      refuse(fmt::format("{}: {} found, at least {} is needed", what, value, least));
  };
  for (const auto& [what, value] : {std::pair{"height", settings.height},
                                    {"swing_height", settings.swing_height},
                                    {"step_gain", settings.step_gain},
                                    {"touch_lag", settings.touch_lag},
                                    {"search_speed", settings.search_speed},
                                    {"ramp", settings.ramp},
                                    {"lead", settings.lead},
                                    {"joint_damping", settings.joint_damping},
                                    {"start", settings.start}})
    at_least(what, value, 0);
  for (const double speed : {settings.forward, settings.left, settings.turn})
    if (!std::isfinite(speed)) refuse("a commanded velocity is not a finite number");
  if (!(settings.stop >= settings.start))
    refuse(fmt::format("stop: {} s found, which is before the start, {} s", settings.stop,
                       settings.start));
  try {
    check(settings.position, "position");
    check(settings.orientation, "orientation");
    check(settings.swing, "swing");
    check(program_of(settings));
  } catch (const Error& error) {
    refuse(error.what());
  }
}

void WalkingController::set_up(const Model& m) {
  body_ = own_.body.empty() ? floating_body(m) : m.frame(own_.body);
  foot_frames_.clear();
  for (const GaitFoot& foot : own_.feet) foot_frames_.push_back(m.frame(foot.frame));
  program_.emplace(program_of(own_), m, freedoms(), limits(), 2 + gait_.count());
}

int WalkingController::own_states() const {
  return body_states + gait_.count() * foot_states + (program_ ? program_->rows() : 0);
}

/// All feet stand where they are; their homes are under the body, in the axes of its heading.
void WalkingController::begin(const Measurement& measured) {
  program_->start(measured.model, measured.q, measured.v);
  const Transform<double> body = program_->pose(body_);
  const std::span<double> d = measured.states;
  d[ref_x] = body.p.x, d[ref_y] = body.p.y, d[ref_heading] = heading_of(body.R);
  for (const int frame : foot_frames_) d[ground] += program_->pose(frame).p.z / gait_.count();
  d[above] = own_.height > 0 ? own_.height : body.p.z - d[ground];
  for (int k = 0; k < gait_.count(); ++k) {
    const Vec3<double> at = program_->pose(foot_frames_[at_index(k)]).p;
    double* const foot = foot_of(d, k);
    foot[doing] = standing;
    write(at, foot + from_x), write(at, foot + to_x);
    write(turned(at - body.p, -d[ref_heading]), foot + home_x);
  }
}

/// How much of the velocity is commanded: it comes and goes along a ramp.
double WalkingController::command_part(double t) const {
  const double end = std::min(t - own_.start, own_.stop - t);
  if (end <= 0) return 0;
  return own_.ramp > 0 ? std::min(1.0, end / own_.ramp) : 1;
}

Vec3<double> WalkingController::wanted_velocity(double t, double heading) const {
  return turned({own_.forward, own_.left, 0}, heading) * command_part(t);
}

/// Whether the foot should be in the air: swings begin between start and stop.
bool WalkingController::lifts(int foot, double t) const {
  const double now = t - own_.start;
  if (gait_.stands(foot, now)) return false;
  const double begun = t - gait_.time_in_swing(foot, now);
  return begun >= own_.start && begun <= own_.stop;
}

void WalkingController::move_reference(const Measurement& measured) {
  const std::span<double> d = measured.states;
  const double T = settings().sample_time;
  const Vec3<double> at = program_->pose(body_).p;
  d[ref_heading] += own_.turn * command_part(measured.t) * T;
  const Vec3<double> move = wanted_velocity(measured.t, d[ref_heading]) * T;
  double ahead_x = d[ref_x] + move.x - at.x, ahead_y = d[ref_y] + move.y - at.y;
  const double ahead = std::hypot(ahead_x, ahead_y);
  if (ahead > own_.lead) ahead_x *= own_.lead / ahead, ahead_y *= own_.lead / ahead;
  d[ref_x] = at.x + ahead_x, d[ref_y] = at.y + ahead_y;
  // the level of the feet that stand, by a low pass over a quarter of the period
  double level = 0;
  int count = 0;
  for (int k = 0; k < gait_.count(); ++k) {
    if (foot_of(d, k)[doing] != standing) continue;
    level += program_->pose(foot_frames_[at_index(k)]).p.z;
    ++count;
  }
  if (count > 0) d[ground] += (level / count - d[ground]) * T / (T + gait_.period() / 4);
}

void WalkingController::guide_body(const Measurement& measured) {
  const std::span<double> d = measured.states;
  TaskMotion wanted;
  wanted.pose.R = rotation(Vec3<double>{0, 0, 1}, d[ref_heading]);
  wanted.pose.p = {d[ref_x], d[ref_y], d[ground] + d[above]};
  wanted.velocity.angular.z = own_.turn * command_part(measured.t);
  wanted.velocity.linear = wanted_velocity(measured.t, d[ref_heading]);
  program_->follow(body_, TaskRows::orientation, wanted, own_.orientation);
  program_->follow(body_, TaskRows::position, wanted, own_.position);
  for (const int k : freedoms())
    program_->follow_freedom(k, -own_.joint_damping * measured.v[at_index(k)], posture_weight);
}

/// Where the foot should come down after the remaining time [s].
Vec3<double> WalkingController::foothold(int foot, double remaining,
                                         const Measurement& measured) const {
  const std::span<const double> d = measured.states;
  const double* const home = foot_of(measured.states, foot) + home_x;
  const double heading =
      d[ref_heading] + own_.turn * command_part(measured.t) * (remaining + gait_.stance_time() / 2);
  const Vec3<double> u = program_->velocity(body_).linear,
                     u_r = wanted_velocity(measured.t, d[ref_heading]);
  Vec3<double> at = program_->pose(body_).p + turned(read(home), heading) +
                    u * (remaining + gait_.stance_time() / 2) + (u - u_r) * own_.step_gain;
  at.z = d[ground] - own_.touch_lag;
  return at;
}

void WalkingController::guide_foot(int k, const Measurement& measured) {
  double* const foot = foot_of(measured.states, k);
  const int frame = foot_frames_[at_index(k)];
  const Vec3<double> at = program_->pose(frame).p;
  const double now = measured.t - own_.start, duration = gait_.swing_time();
  TaskMotion wanted;
  const auto take = [&](const PointMotion& motion) {
    wanted.pose.p = motion.position;
    wanted.velocity.linear = motion.velocity, wanted.acceleration.linear = motion.acceleration;
  };
  if (lifts(k, measured.t)) {
    const double passed = gait_.time_in_swing(k, now);
    const bool late = passed > duration / 2;
    if (foot[doing] != swinging && !late) foot[doing] = swinging, write(at, foot + from_x);
    if (foot[doing] == swinging) {
      write(foothold(k, duration - passed, measured), foot + to_x);
      take(swing_motion(read(foot + from_x), read(foot + to_x), own_.swing_height, duration,
                        passed));
      if (late && at.z - wanted.pose.p.z >= own_.touch_lag) foot[doing] = standing;
    }
  } else if (foot[doing] != standing) {
    foot[doing] = searching;
    const double passed = gait_.time_in_stance(k, now), depth = own_.search_speed * passed;
    take({read(foot + to_x) - Vec3<double>{0, 0, depth}, {0, 0, -own_.search_speed}, {}});
    if (at.z - wanted.pose.p.z >= own_.touch_lag || depth > own_.swing_height)
      foot[doing] = standing;
  }
  if (foot[doing] == standing) return;
  program_->release(k);
  program_->follow(frame, TaskRows::position, wanted, own_.swing);
}

void WalkingController::control(const Measurement& measured, std::span<double> command) {
  program_->start(measured.model, measured.q, measured.v);
  move_reference(measured);
  for (int k = 0; k < gait_.count(); ++k) guide_foot(k, measured);
  guide_body(measured);
  const QpResult found =
      program_->solve(measured.states.subspan(at_index(body_states + gait_.count() * foot_states)));
  if (!found.solved())
    throw Error(fmt::format(
        "controller '{}': at {:.6g} s its program is {}{}; the robot may have fallen, or its "
        "joints' limits are too low",
        name(), measured.t, limber::name(found.status),
        found.row >= 0 ? fmt::format(": no torques and contact forces satisfy {} beside the rest",
                                     program_->row_words(found.row))
                       : ""));
  program_->torques(found, command);
  for (int k = 0; k < gait_.count(); ++k)
    foot_of(measured.states, k)[pressed] = program_->normal_force(found, k);
}

std::vector<Column> WalkingController::more_columns() const {
  std::vector<Column> all{{name() + ".x", "m", "Walking reference"},
                          {name() + ".y", "m", "Walking reference"},
                          {name() + ".height", "m", "Walking reference"},
                          {name() + ".heading", "rad", "Walking reference"}};
  for (const GaitFoot& foot : own_.feet) {
    all.push_back({foot.frame + ".stands", "", "Gait as commanded"});
    all.push_back({foot.frame + ".planned_force", "N", "Planned contact forces"});
  }
  return all;
}

void WalkingController::record_more(const Measurement& now, std::span<double> values) {
  const std::span<const double> d = now.held;
  values[0] = d[ref_x], values[1] = d[ref_y], values[2] = d[ground] + d[above];
  values[3] = d[ref_heading];
  for (std::size_t k = 0; k < own_.feet.size(); ++k) {
    const std::span<const double> foot = d.subspan(body_states + k * foot_states, foot_states);
    values[4 + 2 * k] = foot[doing] == standing ? 1 : 0;
    values[5 + 2 * k] = foot[pressed];
  }
}

}  // namespace limber
