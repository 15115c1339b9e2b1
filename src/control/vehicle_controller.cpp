#include <limber/control/vehicle_controller.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/math/quat.hpp>

#include "control/heading.hpp"
#include "index.hpp"

namespace limber {

const std::array<const char*, 6> vehicle_freedoms = {"surge", "sway",  "heave",
                                                     "roll",  "pitch", "yaw"};

namespace {

std::array<double, 6> six_of_craft(const Vec3<double>& linear, const Vec3<double>& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

// level but for the pitch, nose up
Mat3<double> attitude(double heading, double pitch) {
  return to_matrix(exp_quat(Vec3<double>{0, 0, heading}) * exp_quat(Vec3<double>{0, -pitch, 0}));
}

// the turn from R to wanted, in the axes of R
Vec3<double> turn_in_body(const Mat3<double>& R, const Mat3<double>& wanted) {
  return log_quat(conjugate(to_quat(R)) * to_quat(wanted));
}

void check_vehicle(const VehicleControlSettings& s, const std::string& where) {
  if (!(s.sample_time > 0))
    throw Error(
        fmt::format("{}: sample_time is {} s; a positive number is needed", where, s.sample_time));
  bool any = false;
  for (std::size_t i = 0; i < 6; ++i) {
    for (const double gain : {s.gains.kp[i], s.gains.kd[i], s.gains.ki[i], s.weights[i]})
      if (!(gain >= 0) || !std::isfinite(gain))
        throw Error(fmt::format("{}: a gain or weight of {} is {}; 0 or more is needed", where,
                                vehicle_freedoms[i], gain));
    if (!(s.gains.integral_limit[i] > 0))
      throw Error(fmt::format("{}: integral_limit of {} is {}; a positive number is needed", where,
                              vehicle_freedoms[i], s.gains.integral_limit[i]));
    any = any || s.gains.kp[i] > 0 || s.gains.kd[i] > 0 || s.gains.ki[i] > 0;
  }
  if (!any)
    throw Error(where + ": kp, kd and ki of all freedoms are zero; it would control nothing");
  if (!(s.effort > 0) || !std::isfinite(s.effort))
    throw Error(fmt::format("{}: effort is {}; a positive number is needed", where, s.effort));
  if (!(s.dive_gain >= 0) || !(s.most_pitch > 0) || !(s.most_pitch < 1.5))
    throw Error(fmt::format(
        "{}: dive_gain is {} rad/m and most_pitch {} rad; 0 or more, and 0 to 1.5, are needed",
        where, s.dive_gain, s.most_pitch));
  if (s.mode == VehicleMode::route) check_route(s.route);
}

}  // namespace

// what it keeps from sample to sample
struct VehicleController::States {
  std::span<double> commands;                 // of its actuators
  std::span<double> integral, error, wanted;  // (6)
  std::span<double> missing, next, cross_track;
  std::span<double> start;              // position and quaternion of the frame at the beginning
  std::span<double> q_start, v_before;  // with an arm
};

VehicleController::VehicleController(const VehicleControlSettings& settings)
    : Part(settings.name), settings_(settings) {
  const std::string where = fmt::format("vehicle controller '{}'", settings.name);
  try {
    check_vehicle(settings, where);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(where)) throw;
    throw Error(fmt::format("{}: {}", where, error.what()));
  }
}

bool VehicleController::is_controlled(std::size_t i) const {
  const VehicleGains& g = settings_.gains;
  return g.kp[i] > 0 || g.kd[i] > 0 || g.ki[i] > 0;
}

void VehicleController::attach(Model& model) {
  const std::string where = fmt::format("vehicle controller '{}'", name());
  if (settings_.frame.empty()) {
    const auto free = std::find(model.kind.begin() + 1, model.kind.end(), JointKind::free);
    if (free == model.kind.end())
      throw Error(where + ": no link of the robot is on a free joint; name the `frame` to control");
    body_ = static_cast<int>(free - model.kind.begin());
    frame_ = model.frame(model.body_name[body_]);
  } else {
    try {
      frame_ = model.frame(settings_.frame);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", where, error.what()));
    }
    body_ = model.frames[frame_].body;
    if (body_ == 0)
      throw Error(fmt::format("{}: frame '{}' rests in the world; name one of the vehicle", where,
                              settings_.frame));
  }
  nq_ = at_index(model.nq);
  nv_ = at_index(model.nv);
  if (settings_.arm) arm_.emplace(model, body_, *settings_.arm);
}

void VehicleController::set_channels(std::span<const SystemChannel> all) {
  driven_.clear();
  missing_ = settings_.actuators;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string& found = all[k].part->name();
    const auto named = std::find(missing_.begin(), missing_.end(), found);
    if (!settings_.actuators.empty() && named == missing_.end()) continue;
    Driven one;
    one.channel = k;
    if (const auto* thruster = dynamic_cast<const Thruster*>(all[k].part))
      one.thruster = std::make_shared<const Thruster>(*thruster);
    else if (const auto* fin = dynamic_cast<const Fin*>(all[k].part))
      one.fin = std::make_shared<const Fin>(*fin);
    else continue;
    if (named != missing_.end()) missing_.erase(named);
    driven_.push_back(std::move(one));
  }
  const std::size_t n = driven_.size();
  B_.assign(6 * n, 0);
  effort_.assign(n, 0);
  lower_.clear();
  upper_.clear();
  for (const Driven& one : driven_) {
    lower_.push_back(one.thruster ? one.thruster->least_force() : one.fin->settings().lower);
    upper_.push_back(one.thruster ? one.thruster->most_force() : one.fin->settings().upper);
  }
  if (n > 0) allocation_.emplace(static_cast<int>(n));
}

int VehicleController::discrete_states() const {
  return static_cast<int>(driven_.size() + 18 + 3 + 7 + (arm_ ? nq_ + nv_ : 0));
}

VehicleController::States VehicleController::states(std::span<double> d) const {
  const auto take = [&](std::size_t count) {
    const std::span<double> own = d.first(count);
    d = d.subspan(count);
    return own;
  };
  States own;
  own.commands = take(driven_.size());
  own.integral = take(6);
  own.error = take(6);
  own.wanted = take(6);
  own.missing = take(1);
  own.next = take(1);
  own.cross_track = take(1);
  own.start = take(7);
  if (arm_) {
    own.q_start = take(nq_);
    own.v_before = take(nv_);
  }
  return own;
}

void VehicleController::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  const std::string where = fmt::format("vehicle controller '{}'", name());
  if (!missing_.empty())
    throw Error(fmt::format("{}: there is no thruster or fin called '{}'", where, missing_[0]));
  if (driven_.empty()) throw Error(where + ": the system has no thrusters and no fins; add some");
  for (std::size_t j = 0; j < driven_.size(); ++j) {
    const Driven& one = driven_[j];
    if (!std::isfinite(lower_[j]) || !std::isfinite(upper_[j]) || !(lower_[j] < upper_[j]))
      throw Error(fmt::format(
          "{}: the command of '{}' has no limits to share forces by; give it `lower` and `upper`",
          where, one.thruster ? one.thruster->name() : one.fin->name()));
  }
  const States own = states(d);
  const Transform<double> pose = frame_pose(at.model, at.kinematics(), frame_);
  const Quat<double> turn = to_quat(pose.R);
  const double start[] = {pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w};
  std::copy(std::begin(start), std::end(start), own.start.begin());
  if (arm_) {
    std::copy(at.q.begin(), at.q.end(), own.q_start.begin());
    std::copy(at.v.begin(), at.v.end(), own.v_before.begin());
  }
}

// depth, heading and speed, or what the route says of them
VehicleController::Errors VehicleController::held_errors(Evaluation& at, const States& own,
                                                         const Transform<double>& pose) const {
  const Vec3<double> start{own.start[0], own.start[1], own.start[2]};
  Guidance wanted;
  if (settings_.mode == VehicleMode::route) {
    wanted = line_of_sight(settings_.route, start, pose.p, static_cast<int>(own.next[0]));
  } else {
    const Quat<double> turn{own.start[3], own.start[4], own.start[5], own.start[6]};
    wanted.height = settings_.depth ? settings_.surface - settings_.depth->at(at.t) : start.z;
    wanted.heading = settings_.heading ? settings_.heading->at(at.t) : heading_of(to_matrix(turn));
    wanted.speed = settings_.speed ? settings_.speed->at(at.t) : 0;
  }
  const double low = wanted.height - pose.p.z;
  const double pitch =
      std::clamp(settings_.dive_gain * low, -settings_.most_pitch, settings_.most_pitch);
  const Motion<double> v = frame_velocity(at.model, at.kinematics(), frame_, Reference::body);
  Errors error;
  // roll and pitch are those that are missing at the present heading, which may be any: as parts of
  // one rotation vector they would change with the heading's error
  const double heading = heading_of(pose.R);
  error.position = six_of_craft(transpose_times(pose.R, Vec3<double>{0, 0, low}),
                                turn_in_body(pose.R, attitude(heading, pitch)));
  error.position[5] += std::remainder(wanted.heading - heading, 2 * std::numbers::pi);
  error.position[0] = error.position[1] = 0;
  error.rate = six_of_craft(v.linear * -1.0, v.angular * -1.0);
  error.rate[0] += wanted.speed;
  error.integrated = error.position;
  error.integrated[0] = error.rate[0];
  error.next = wanted.next;
  error.cross_track = wanted.cross_track;
  return error;
}

VehicleController::Errors VehicleController::errors(Evaluation& at, const States& own) const {
  const Transform<double> pose = frame_pose(at.model, at.kinematics(), frame_);
  if (settings_.mode != VehicleMode::station) return held_errors(at, own, pose);
  TaskMotion wanted;
  if (settings_.reference) {
    wanted = settings_.reference->sample(at.t);
  } else {
    wanted.pose.p = {own.start[0], own.start[1], own.start[2]};
    wanted.pose.R = to_matrix(Quat<double>{own.start[3], own.start[4], own.start[5], own.start[6]});
  }
  const Motion<double> v =
      frame_velocity(at.model, at.kinematics(), frame_, Reference::world_aligned);
  const Motion<double> lag = wanted.velocity - v;
  Errors error;
  error.position = six_of_craft(transpose_times(pose.R, wanted.pose.p - pose.p),
                                turn_in_body(pose.R, wanted.pose.R));
  error.rate =
      six_of_craft(transpose_times(pose.R, lag.linear), transpose_times(pose.R, lag.angular));
  error.integrated = error.position;
  return error;
}

VehicleController::Six VehicleController::wanted_force(Evaluation& at, const States& own,
                                                       const Errors& error) {
  const VehicleGains& g = settings_.gains;
  Six f{};
  if (arm_) {
    const Force<double> needed = arm_->force(at.model, at.t, at.q, at.v, own.v_before,
                                             settings_.sample_time, own.q_start, at.more_current);
    // from the link to the frame that is controlled
    const Transform<double> X =
        inverse(at.model.body_placement[body_]) * at.model.frames[frame_].placement;
    const Force<double> local = apply_inverse(X, needed);
    f = six_of_craft(local.linear, local.angular);
    std::copy(at.v.begin(), at.v.end(), own.v_before.begin());
  }
  for (std::size_t i = 0; i < 6; ++i)
    f[i] += g.kp[i] * error.position[i] + g.kd[i] * error.rate[i] + own.integral[i];
  return f;
}

// B: the force of a newton of each thruster and of a radian of each fin
void VehicleController::find_effects(Evaluation& at) {
  const std::size_t n = driven_.size();
  const Transform<double> pose = frame_pose(at.model, at.kinematics(), frame_);
  double strongest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const Driven& one = driven_[j];
    const FrameActuator& part = one.thruster ? static_cast<const FrameActuator&>(*one.thruster)
                                             : static_cast<const FrameActuator&>(*one.fin);
    Vec3<double> push;
    Transform<double> place;
    if (one.thruster) {
      place = frame_pose(at.model, at.kinematics(), part.place().frame());
      push = one.thruster->settings().axis;
    } else {
      const WetFrame::Motions moves = part.place().motion(at, part.water());
      constexpr double small = 1e-3;
      place = moves.pose;
      push = (one.fin->force(moves.velocity.linear, small) -
              one.fin->force(moves.velocity.linear, -small)) /
             (2 * small);
    }
    const Force<double> f = (inverse(pose) * place) * Force<double>{{}, push};
    const Six column = six_of_craft(f.linear, f.angular);
    double size = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      B_[i * n + j] = column[i];
      size += settings_.weights[i] * settings_.weights[i] * column[i] * column[i];
    }
    effort_[j] = std::max(-lower_[j], upper_[j]);
    strongest = std::max(strongest, std::sqrt(size) * effort_[j]);
  }
  for (std::size_t j = 0; j < n; ++j)
    effort_[j] = settings_.effort * std::max(strongest, 1e-9) / effort_[j];
}

void VehicleController::update(Evaluation& at, std::span<double> d) {
  const States own = states(d);
  const Errors error = errors(at, own);
  const Six f = wanted_force(at, own, error);
  find_effects(at);
  const std::span<const double> u =
      allocation_->solve({B_, f, settings_.weights, effort_, lower_, upper_});
  const std::size_t n = driven_.size();
  double missing = 0;
  const VehicleGains& g = settings_.gains;
  for (std::size_t i = 0; i < 6; ++i) {
    double less = f[i];
    for (std::size_t j = 0; j < n; ++j) less -= B_[i * n + j] * u[j];
    if (is_controlled(i)) missing += less * less;
    // nothing is added to an integral that wants more than there is
    const double more = g.ki[i] * error.integrated[i] * settings_.sample_time;
    const bool short_of = std::abs(less) > 0.02 * std::abs(f[i]) + 1e-6;
    if (!short_of || less * more < 0)
      own.integral[i] =
          std::clamp(own.integral[i] + more, -g.integral_limit[i], g.integral_limit[i]);
    own.error[i] =
        i == 0 && settings_.mode != VehicleMode::station ? error.rate[0] : error.position[i];
    own.wanted[i] = f[i];
  }
  own.missing[0] = std::sqrt(missing);
  own.next[0] = error.next;
  own.cross_track[0] = error.cross_track;
  for (std::size_t j = 0; j < n; ++j)
    own.commands[j] = driven_[j].thruster ? driven_[j].thruster->command_for(u[j]) : u[j];
}

void VehicleController::apply(Evaluation& at) {
  for (std::size_t j = 0; j < driven_.size(); ++j) at.channels[driven_[j].channel] += at.d[j];
}

std::vector<Column> VehicleController::columns() const {
  std::vector<Column> all;
  const bool is_station = settings_.mode == VehicleMode::station;
  for (std::size_t i = 0; i < 6; ++i) {
    if (!is_controlled(i)) continue;
    const bool turns = i > 2;
    const char* unit = turns ? "rad" : i == 0 && !is_station ? "m/s" : "m";
    all.push_back({fmt::format("{}.error_{}", name(), vehicle_freedoms[i]), unit,
                   fmt::format("{} (errors)", name())});
    all.push_back({fmt::format("{}.wanted_{}", name(), vehicle_freedoms[i]), turns ? "N m" : "N",
                   fmt::format("{} (wanted forces)", name())});
  }
  all.push_back({name() + ".missing", "N", name() + " (wanted forces)"});
  if (settings_.mode == VehicleMode::route) {
    all.push_back({name() + ".next", "", name() + " (route)"});
    all.push_back({name() + ".cross_track", "m", name() + " (errors)"});
  }
  return all;
}

void VehicleController::record(Evaluation& at, std::span<double> values) {
  const std::span<const double> d = at.d.subspan(driven_.size());
  double* out = values.data();
  for (std::size_t i = 0; i < 6; ++i) {
    if (!is_controlled(i)) continue;
    *out++ = d[6 + i];
    *out++ = d[12 + i];
  }
  *out++ = d[18];
  if (settings_.mode == VehicleMode::route) {
    *out++ = d[19];
    *out++ = d[20];
  }
}

}  // namespace limber
