#include <limber/control/joint_controller.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "control/joint_places.hpp"
#include "control/vectors.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Pose of the body that a joint with a quaternion carries.
Transform<double> pose(const JointPlace& joint, std::span<const double> q) {
  const double* turn = q.data() + joint.quaternion;
  return {to_matrix(Quat<double>{turn[0], turn[1], turn[2], turn[3]}),
          joint.origin < 0 ? Vec3<double>{} : read(q.data() + joint.origin)};
}

}  // namespace

JointController::JointController(const JointControlSettings& settings)
    : Controller(settings), own_(settings) {
  const bool gains =
      !settings.stiffness.empty() || !settings.damping.empty() || !settings.integral.empty();
  if (!settings.reference && (settings.law != JointLaw::gravity || gains ||
                              settings.passive == PassiveCompensation::from_reference))
    throw Error(fmt::format("controller '{}': reference: none found; its law needs a trajectory",
                            settings.name));
  if (settings.integral.empty() && !settings.integral_limits.empty())
    throw Error(fmt::format("controller '{}': integral_limits without integral; leave them out",
                            settings.name));
}

void JointController::set_up(const Model& m) {
  const std::size_t count = freedoms().size();
  stiffness_ = one_each("stiffness", own_.stiffness, count, 0);
  damping_ = one_each("damping", own_.damping, count, 0);
  if (!own_.integral.empty()) integral_ = one_each("integral", own_.integral, count, 0);
  integral_limits_ = one_each("integral_limits", own_.integral_limits, count, HUGE_VAL);
  known_model_ = KnownModel(m, own_.model, own_.carried);
  ws_.emplace(known_model_.of(m, 0));
  loops_ = KnownLoops(known_model_.of(m, 0), freedoms(), limits());

  q_r_ = neutral_position(m);
  for (auto* numbers : {&v_r_, &a_r_, &v_here_, &a_here_, &error_, &given_, &passive_})
    numbers->assign(at_index(m.nv), 0.0);
  feedback_.assign(count, 0.0);
  rates_.assign(count, 0.0);
  uncut_.assign(count, 0.0);

  positions_.clear();
  columns_.clear();
  carried_.clear();
  known_.assign(at_index(m.nv), Known::acceleration);
  bool any_free = false;
  const auto positions = position_variables(m), velocities = velocity_variables(m);
  for (const JointPlace& joint : joint_places(m)) {
    if (joint.quaternion >= 0) carried_.push_back(joint);
    const auto first = std::find(freedoms().begin(), freedoms().end(), joint.v);
    if (first != freedoms().end()) {
      for (int i = 0; i < joint.q_count; ++i) positions_.push_back(joint.q + i);
    } else if (joint.kind == JointKind::free || loops_.is_passive(joint.v)) {
      std::fill_n(known_.begin() + joint.v, joint.v_count, Known::force);
      any_free = true;
    }
  }
  if (!any_free && !loops_.any()) known_.clear();
  if (!own_.reference) return;
  for (const int i : positions_)
    columns_.push_back(
        {positions[at_index(i)].name() + ".reference", positions[at_index(i)].unit, "Positions"});
  for (const int k : freedoms())
    columns_.push_back({velocities[at_index(k)].name() + ".error", velocities[at_index(k)].unit,
                        "Tracking error"});
}

/// Error and reference as seen where the robot is.
void JointController::find_error(const Measurement& measured) {
  if (!own_.reference) return;
  own_.reference->sample(measured.t, q_r_, v_r_, a_r_);
  difference(measured.model, measured.q, q_r_, error_);
  v_here_ = v_r_;
  a_here_ = a_r_;
  // The reference of a ball or free joint is given in the axes of the reference body; X takes them
  // to the axes of the body itself, which turns with v: (X v_r)˙ = X a_r − v × X v_r.
  for (const JointPlace& joint : carried_) {
    const Transform<double> here = pose(joint, measured.q), there = pose(joint, q_r_);
    const Transform<double> X{transpose(here.R) * there.R,
                              transpose_times(here.R, there.p - here.p)};
    const bool free = joint.origin >= 0;
    const auto motion = [&](const double* x) {
      return Motion<double>{read(x), free ? read(x + 3) : Vec3<double>{}};
    };
    const Motion<double> velocity = X * motion(v_r_.data() + joint.v);
    const Motion<double> acceleration =
        X * motion(a_r_.data() + joint.v) - cross(motion(measured.v.data() + joint.v), velocity);
    write(velocity.angular, v_here_.data() + joint.v);
    write(acceleration.angular, a_here_.data() + joint.v);
    if (!free) continue;
    write(velocity.linear, v_here_.data() + joint.v + 3);
    write(acceleration.linear, a_here_.data() + joint.v + 3);
  }
}

/// Generalised forces for the accelerations given_, with floating bases free of force.
std::span<const double> JointController::dynamics(const Model& m, double t,
                                                  std::span<const double> q,
                                                  std::span<const double> v) {
  if (known_.empty()) return inverse_dynamics<double>(m, q, v, given_, *ws_);
  for (std::size_t k = 0; k < known_.size(); ++k)
    if (known_[k] == Known::force) given_[k] = 0;
  if (loops_.any()) return loops_.forces(m, t, q, v, known_, given_);
  return hybrid_dynamics<double>(m, q, v, known_, given_, *ws_).tau;
}

void JointController::add_dynamics(const Measurement& measured, std::span<double> command) {
  const Model& m = known_model_.of(measured.model, measured.t);
  std::span<const double> forces;
  switch (own_.law) {
    case JointLaw::pid:
      return;
    case JointLaw::gravity:
      if (!loops_.any()) {
        forces = gravity_forces<double>(m, measured.q, *ws_);
        break;
      }
      std::fill(given_.begin(), given_.end(), 0.0);
      std::fill(passive_.begin(), passive_.end(), 0.0);  // at rest
      forces = dynamics(m, measured.t, measured.q, passive_);
      break;
    case JointLaw::feedforward:
      given_ = a_r_;
      if (loops_.any()) loops_.close(m, measured.t, measured.q, q_r_, v_r_);
      forces = dynamics(m, measured.t, q_r_, v_r_);
      break;
    case JointLaw::computed_torque:
      given_ = a_here_;
      for (std::size_t i = 0; i < command.size(); ++i)
        given_[at_index(freedoms()[i])] += feedback_[i];
      forces = dynamics(m, measured.t, measured.q, measured.v);
      break;
    case JointLaw::impedance:
      given_ = a_here_;
      forces = dynamics(m, measured.t, measured.q, measured.v);
      break;
  }
  for (std::size_t i = 0; i < command.size(); ++i) command[i] += forces[at_index(freedoms()[i])];
}

void JointController::control(const Measurement& measured, std::span<double> command) {
  find_error(measured);
  const std::span<const double> sums = sampled() ? measured.states : measured.continuous;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::size_t k = at_index(freedoms()[i]);
    feedback_[i] = stiffness_[i] * error_[k] + damping_[i] * (v_here_[k] - measured.v[k]);
    if (!integral_.empty())
      feedback_[i] += std::clamp(integral_[i] * sums[i], -integral_limits_[i], integral_limits_[i]);
    // computed torque feeds it back through the accelerations
    if (own_.law != JointLaw::computed_torque) command[i] += feedback_[i];
  }
  add_dynamics(measured, command);
  if (own_.passive != PassiveCompensation::none) {
    const bool reference = own_.passive == PassiveCompensation::from_reference;
    const std::span<const double> v = reference ? std::span<const double>(v_r_) : measured.v;
    // what rounding leaves of a reference at rest must not switch friction on and off
    constexpr double at_rest = 1e-5;  // [rad/s or m/s]
    for (std::size_t k = 0; k < v.size(); ++k) given_[k] = std::abs(v[k]) < at_rest ? 0 : v[k];
    passive_forces<double>(loops_.tree(known_model_.of(measured.model, measured.t)),
                           reference ? q_r_ : measured.q, given_, passive_);
    for (std::size_t i = 0; i < command.size(); ++i)
      command[i] += passive_[at_index(freedoms()[i])];
  }
  if (integral_.empty()) return;
  find_rates(measured, command);
  if (!sampled()) return;
  for (std::size_t i = 0; i < command.size(); ++i) measured.states[i] += sample_time() * rates_[i];
}

/// How fast each ∫e grows: not while the command is cut off, or the integral at its limit, and the
/// error would drive it further.
void JointController::find_rates(const Measurement& measured, std::span<const double> command) {
  const std::span<const double> sums = sampled() ? measured.states : measured.continuous;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const double e = error_[at_index(freedoms()[i])];
    const bool cut = std::abs(command[i]) > limits()[i] && command[i] * e > 0;
    const bool full = std::abs(integral_[i] * sums[i]) >= integral_limits_[i] && sums[i] * e > 0;
    rates_[i] = cut || full ? 0.0 : e;
  }
}

void JointController::derivative(Evaluation& now, std::span<double> z_dot) {
  std::fill(uncut_.begin(), uncut_.end(), 0.0);
  control(present(now), uncut_);
  std::copy(rates_.begin(), rates_.end(), z_dot.begin());
}

std::vector<Column> JointController::more_columns() const { return columns_; }

void JointController::record_more(const Measurement& now, std::span<double> values) {
  if (columns_.empty()) return;
  find_error(now);
  double* out = values.data();
  for (const int i : positions_) *out++ = q_r_[at_index(i)];
  for (const int k : freedoms()) *out++ = error_[at_index(k)];
}

}  // namespace limber
