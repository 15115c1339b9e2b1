#include <limber/control/hybrid_controller.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/jacobian.hpp>

#include "control/task_dynamics.hpp"
#include "control/task_paths.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr std::array<const char*, 6> direction_names{"mx", "my", "mz", "fx", "fy", "fz"};

// a motion in a frame that moves itself: pose, velocity and acceleration of the frame are `of`
TaskMotion carried(const TaskMotion& of, const TaskMotion& x) {
  const Mat3<double>& R = of.pose.R;
  const Vec3<double>&w = of.velocity.angular, &alpha = of.acceleration.angular;
  const Vec3<double> r = R * x.pose.p, v = R * x.velocity.linear, turn = R * x.velocity.angular;
  TaskMotion made;
  made.pose = of.pose * x.pose;
  made.velocity = {w + turn, of.velocity.linear + cross(w, r) + v};
  made.acceleration = {alpha + cross(w, turn) + R * x.acceleration.angular,
                       of.acceleration.linear + cross(alpha, r) + cross(w, cross(w, r)) +
                           cross(w, v) * 2.0 + R * x.acceleration.linear};
  return made;
}

}  // namespace

/// Everything in the axes of the task, six numbers each: turns or moments, then shifts or forces.
struct HybridController::Errors {
  Mat3<double> R;
  Vector6 e, e_dot, acceleration;
  Vector6 wanted, exerted;  // forces on the surroundings
  Vec3<double> reference;   // origin, in the world
};

HybridController::HybridController(const HybridControlSettings& settings)
    : Controller(settings), own_(settings), rows_(rows_of(settings.rows)) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("controller '{}': {}", settings.name, why));
  };
  if (!settings.reference) refuse("reference: none found; it needs a trajectory of its frame");
  if (settings.frame.empty()) refuse("frame: none found; name the frame that it moves");
  std::size_t pressed = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    if (!settings.force[i]) continue;
    ++pressed;
    if (std::find(rows_.begin(), rows_.end(), static_cast<int>(i)) == rows_.end())
      refuse(
          fmt::format("force: {} is none of the rows that are controlled; control the pose, or "
                      "leave it out",
                      direction_names[i]));
    if (settings.force[i]->states() > 0 && settings.sample_time == 0)
      refuse(fmt::format("force: {} jumps, which needs a sample_time; or let it change gradually",
                         direction_names[i]));
  }
  if (pressed == 0)
    refuse(
        "force: none found; give the wanted force of one direction or more, or use the law "
        "operational_space");
  if (pressed == rows_.size())
    refuse("force: given in all directions, and none is free to move; leave out at least one");
  if (!(settings.sensor_time > 0) || !std::isfinite(settings.sensor_time))
    refuse(fmt::format("sensor_time: {} s found; a positive time is needed", settings.sensor_time));
  if (!(settings.compensation >= 0 && settings.compensation < 1))
    refuse(
        fmt::format("compensation: {} found; 0 to less than 1 is needed", settings.compensation));
  if (!(settings.integral_limit >= 0) || !(settings.contact_force >= 0))
    refuse("integral_limit and contact_force must be at least 0");
  if (!(settings.from >= 0) || !(settings.until > settings.from))
    refuse(
        fmt::format("force is controlled from {} s until {} s; give a beginning that is not "
                    "negative and a later end",
                    settings.from, settings.until));
  if (settings.passive == PassiveCompensation::from_reference)
    refuse("passive: from_reference needs a reference of the joints; use from_measured");
  if (!(settings.posture_stiffness >= 0) || !(settings.posture_damping >= 0))
    refuse("posture_stiffness and posture_damping must be at least 0");
  if (settings.posture_stiffness > 0 && !settings.posture)
    refuse("posture_stiffness without posture; give the joints' trajectory");
}

HybridController::HybridController(const HybridController& other)
    : Controller(other),
      own_(other.own_),
      known_model_(other.known_model_),
      frame_(other.frame_),
      task_frame_(other.task_frame_),
      known_task_frame_(other.known_task_frame_),
      stiffness_(other.stiffness_),
      damping_(other.damping_),
      gain_(other.gain_),
      integral_(other.integral_),
      rows_(other.rows_),
      dynamics_(other.dynamics_ ? std::make_unique<TaskDynamics>(*other.dynamics_) : nullptr),
      errors_(other.errors_ ? std::make_unique<Errors>(*other.errors_) : nullptr) {}

HybridController::~HybridController() = default;

void HybridController::set_up(const Model& m) {
  known_model_ = KnownModel(m, own_.model, own_.carried);
  const Model& known = known_model_.of(m, 0);
  frame_ = m.frame(own_.frame);
  if (m.frames[at_index(frame_)].body == 0)
    throw Error(fmt::format("frame: '{}' is fixed to the world", own_.frame));
  if (!own_.task_frame.empty()) {
    task_frame_ = m.frame(own_.task_frame);
    known_task_frame_ = known.frame(own_.task_frame);
  }
  stiffness_ = six_of("stiffness", own_.stiffness);
  damping_ = six_of("damping", own_.damping);
  gain_ = six_of("force_gain", own_.force_gain);
  integral_ = six_of("force_integral", own_.force_integral);
  dynamics_ =
      std::make_unique<TaskDynamics>(name(), own_.frame, m, known, freedoms(), limits(), rows_);
  errors_ = std::make_unique<Errors>();
}

bool HybridController::presses(double t, int direction) const {
  return own_.force[at_index(direction)] && t >= own_.from && t < own_.until;
}

TaskMotion HybridController::reference_at(const Model& m, const Velocities& bodies, int task_frame,
                                          const Measurement& measured, Workspace& ws) const {
  constexpr auto world = Reference::world_aligned;
  const TaskMotion own = own_.reference->sample(measured.t);
  if (task_frame < 0) return own;
  const TaskMotion frame{
      frame_pose(m, bodies, task_frame), frame_velocity(m, bodies, task_frame, world),
      jacobian_dot_times_v<double>(m, measured.q, measured.v, task_frame, world, ws)};
  return carried(frame, own);
}

// with the model m, in which the frames have these numbers
void HybridController::find_errors(const Model& m, int frame, int task_frame,
                                   const Measurement& measured, Workspace& ws) {
  const Velocities& bodies = forward_kinematics<double>(m, measured.q, measured.v, ws);
  const TaskMotion reference = reference_at(m, bodies, task_frame, measured, ws);
  Errors& now = *errors_;
  now.R = own_.axes == ForceAxes::frame ? reference.pose.R
          : task_frame < 0              ? Mat3<double>::identity()
                                        : frame_pose(m, bodies, task_frame).R;
  now.reference = reference.pose.p;
  now.e = to_local(now.R, six(pose_error(frame_pose(m, bodies, frame), reference.pose)));
  now.e_dot = to_local(
      now.R, six(reference.velocity - frame_velocity(m, bodies, frame, Reference::world_aligned)));
  now.acceleration = to_local(now.R, six(reference.acceleration));
  Vector6 felt;
  for (int i = 0; i < 6; ++i) felt[i] = measured.continuous[at_index(i)];
  now.exerted = -to_local(now.R, felt);
  for (int i = 0; i < 6; ++i)
    now.wanted[i] = presses(measured.t, i) ? own_.force[at_index(i)]->at(measured.t) : 0;
}

void HybridController::control(const Measurement& measured, std::span<double> command) {
  TaskDynamics& s = *dynamics_;
  const Model& m = s.tree(known_model_.of(measured.model, measured.t));
  s.compute(m, measured, own_.passive);
  find_errors(m, s.known_frame, known_task_frame_, measured, s.ws);
  const Errors& now = *errors_;
  const std::span<const double> sums =
      sampled() ? std::span<const double>(measured.states) : measured.continuous.subspan(6);
  const bool touches = now.exerted.tail<3>().norm() > own_.contact_force;
  Vector6 u = now.acceleration, push = Vector6::Zero();
  for (int i = 0; i < 6; ++i) {
    const std::size_t k = at_index(i);
    rates_[k] = 0;
    u[i] += damping_[k] * now.e_dot[i];
    if (!presses(measured.t, i)) {
      u[i] += stiffness_[k] * now.e[i];
      push[i] = own_.compensation * now.exerted[i];
      continue;
    }
    const double error = now.wanted[i] - now.exerted[i], sum = integral_[k] * sums[k];
    push[i] = now.wanted[i] + gain_[k] * error +
              std::clamp(sum, -own_.integral_limit, own_.integral_limit);
    const bool full = std::abs(sum) >= own_.integral_limit && sum * error > 0;
    if (touches && !full) rates_[k] = error;
  }
  s.find_force(to_world(now.R, u), to_world(now.R, push));
  s.add_posture(measured, {own_.posture.get(), own_.posture_stiffness, own_.posture_damping});
  s.command(command);
  if (!sampled()) return;
  for (std::size_t k = 0; k < 6; ++k) measured.states[k] += sample_time() * rates_[k];
}

// ż = (f − z)/T of the sensor: f on the frame's body, about the frame's origin
void HybridController::derivative(Evaluation& at, std::span<double> z_dot) {
  const std::size_t body = at_index(at.model.frames[at_index(frame_)].body);
  const Transform<double> X = body_pose(at.model, at.kinematics(), static_cast<int>(body));
  const Vec3<double> origin = frame_pose(at.model, at.kinematics(), frame_).p;
  const Vec3<double> force = X.R * at.felt[body].linear;
  const Vec3<double> moment = X.R * at.felt[body].angular + cross(X.p - origin, force);
  for (int i = 0; i < 3; ++i) {
    z_dot[at_index(i)] = (moment[i] - at.z[at_index(i)]) / own_.sensor_time;
    z_dot[at_index(i + 3)] = (force[i] - at.z[at_index(i + 3)]) / own_.sensor_time;
  }
  // without a sample time apply() has found them for this instant
  if (!sampled()) std::copy(rates_.begin(), rates_.end(), z_dot.begin() + 6);
}

std::vector<EventSpec> HybridController::events() const {
  const auto at = [&](const char* what) {
    return EventSpec{fmt::format("controller '{}' {} force control", name(), what),
                     EventSpec::Crossing::rising, EventSpec::Kind::act};
  };
  return {at("begins"), at("ends")};
}

void HybridController::event_values(Evaluation& at, std::span<double> values) {
  values[0] = own_.from > 0 ? at.t - own_.from : -1;
  values[1] = std::isfinite(own_.until) ? at.t - own_.until : -1;
}

std::vector<Column> HybridController::more_columns() const {
  std::vector<Column> all;
  if (own_.rows != TaskRows::orientation)
    all.push_back({name() + ".position_error", "m", "Tracking error"});
  if (own_.rows != TaskRows::position)
    all.push_back({name() + ".orientation_error", "rad", "Tracking error"});
  for (const char* axis : {"x", "y", "z"})
    all.push_back({own_.frame + ".reference." + axis, "m", "Frames"});
  for (std::size_t i = 0; i < 6; ++i) {
    if (!own_.force[i]) continue;
    const char *unit = i < 3 ? "N m" : "N", *group = "Force control";
    all.push_back({fmt::format("{}.wanted.{}", name(), direction_names[i]), unit, group});
    all.push_back({fmt::format("{}.measured.{}", name(), direction_names[i]), unit, group});
  }
  return all;
}

void HybridController::record_more(const Measurement& now, std::span<double> values) {
  find_errors(now.model, frame_, task_frame_, now, dynamics_->robot_ws);
  const Errors& errors = *errors_;
  const auto size = [&](int first) {
    double sum = 0;
    for (int i = first; i < first + 3; ++i)
      if (!presses(now.t, i)) sum += errors.e[i] * errors.e[i];
    return std::sqrt(sum);
  };
  double* out = values.data();
  if (own_.rows != TaskRows::orientation) *out++ = size(3);
  if (own_.rows != TaskRows::position) *out++ = size(0);
  for (int i = 0; i < 3; ++i) *out++ = errors.reference[i];
  for (int i = 0; i < 6; ++i) {
    if (!own_.force[at_index(i)]) continue;
    *out++ = errors.wanted[i];
    *out++ = errors.exerted[i];
  }
}

}  // namespace limber
