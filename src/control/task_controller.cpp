#include <limber/control/task_controller.hpp>

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "control/task_dynamics.hpp"
#include "control/task_paths.hpp"

namespace limber {

TaskController::TaskController(const TaskControlSettings& settings)
    : Controller(settings), own_(settings), rows_(rows_of(settings.rows)) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("controller '{}': {}", settings.name, why));
  };
  if (!settings.reference) refuse("reference: none found; it needs a trajectory of its frame");
  if (settings.frame.empty()) refuse("frame: none found; name the frame that it moves");
  if (settings.passive == PassiveCompensation::from_reference)
    refuse("passive: from_reference needs a reference of the joints; use from_measured");
  if (!(settings.posture_stiffness >= 0) || !(settings.posture_damping >= 0))
    refuse("posture_stiffness and posture_damping must be at least 0");
  if (settings.posture_stiffness > 0 && !settings.posture)
    refuse("posture_stiffness without posture; give the joints' trajectory");
  if (settings.measured_force) settings.measured_force->check();
  if (settings.inertia.empty()) return;
  if (settings.law != TaskLaw::impedance || !settings.measured_force)
    refuse("inertia: another inertia needs the law impedance and a measured_force");
  for (const double value : settings.inertia)
    if (!(value > 0)) refuse(fmt::format("inertia: {} found, positive numbers are needed", value));
}

TaskController::TaskController(const TaskController& other)
    : Controller(other),
      own_(other.own_),
      known_model_(other.known_model_),
      frame_(other.frame_),
      stiffness_(other.stiffness_),
      damping_(other.damping_),
      inertia_(other.inertia_),
      rows_(other.rows_),
      dynamics_(other.dynamics_ ? std::make_unique<TaskDynamics>(*other.dynamics_) : nullptr) {}

TaskController::~TaskController() = default;

void TaskController::set_up(const Model& m) {
  known_model_ = KnownModel(m, own_.model, own_.carried);
  frame_ = m.frame(own_.frame);
  stiffness_ = six_of("stiffness", own_.stiffness);
  damping_ = six_of("damping", own_.damping);
  if (!own_.inertia.empty()) inertia_ = six_of("inertia", own_.inertia);
  dynamics_ = std::make_unique<TaskDynamics>(name(), own_.frame, m, known_model_.of(m, 0),
                                             freedoms(), limits(), rows_);
}

/// F as the law has it, with the rows that are a task.
void TaskController::find_force(const TaskMotion& reference, const Transform<double>& pose,
                                const Motion<double>& velocity, double t) {
  const Mat3<double> R =
      own_.axes == ForceAxes::frame ? reference.pose.R : Mat3<double>::identity();
  const Vector6 e = six(pose_error(pose, reference.pose));
  const Vector6 e_dot = six(reference.velocity - velocity);
  Vector6 push = scaled(stiffness_, e, R) + scaled(damping_, e_dot, R);
  Vector6 acceleration = six(reference.acceleration), felt = Vector6::Zero();
  if (own_.law == TaskLaw::operational_space) {
    acceleration += push;
    push.setZero();
  } else if (!inertia_.empty()) {
    felt = six(own_.measured_force->in_world(t, pose.R));
    std::array<double, 6> mobility;
    for (std::size_t i = 0; i < 6; ++i) mobility[i] = 1 / inertia_[i];
    acceleration += scaled(mobility, push + felt, R);
    push = -felt;
  }
  dynamics_->find_force(acceleration, push);
}

void TaskController::control(const Measurement& measured, std::span<double> command) {
  TaskDynamics& s = *dynamics_;
  const Model& m = s.tree(known_model_.of(measured.model, measured.t));
  s.compute(m, measured, own_.passive);
  const Velocities& bodies = forward_kinematics<double>(m, measured.q, measured.v, s.ws);
  find_force(own_.reference->sample(measured.t), frame_pose(m, bodies, s.known_frame),
             frame_velocity(m, bodies, s.known_frame, Reference::world_aligned), measured.t);
  s.add_posture(measured, {own_.posture.get(), own_.posture_stiffness, own_.posture_damping});
  s.command(command);
}

std::vector<Column> TaskController::more_columns() const {
  std::vector<Column> all;
  if (own_.rows != TaskRows::orientation)
    all.push_back({name() + ".position_error", "m", "Tracking error"});
  if (own_.rows != TaskRows::position)
    all.push_back({name() + ".orientation_error", "rad", "Tracking error"});
  if (own_.rows != TaskRows::orientation)
    for (const char* axis : {"x", "y", "z"})
      all.push_back({own_.frame + ".reference." + axis, "m", "Frames"});
  return all;
}

void TaskController::record_more(const Measurement& now, std::span<double> values) {
  const Poses& bodies = forward_kinematics<double>(now.model, now.q, dynamics_->robot_ws);
  const TaskMotion reference = own_.reference->sample(now.t);
  const Motion<double> e = pose_error(frame_pose(now.model, bodies, frame_), reference.pose);
  double* out = values.data();
  if (own_.rows != TaskRows::orientation) *out++ = norm(e.linear);
  if (own_.rows != TaskRows::position) *out++ = norm(e.angular);
  if (own_.rows == TaskRows::orientation) return;
  for (int i = 0; i < 3; ++i) *out++ = reference.pose.p[i];
}

}  // namespace limber
