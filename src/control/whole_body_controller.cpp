#include <limber/control/whole_body_controller.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "index.hpp"

namespace limber {

WholeBodyController::WholeBodyController(const WholeBodySettings& settings)
    : Controller(settings), own_(settings) {
  try {
    for (const FrameTask& task : settings.frames) {
      const std::string what = fmt::format("task of frame '{}'", task.frame);
      check(TaskGains{task.stiffness, task.damping, task.weight}, what);
      if (!task.reference) throw Error(what + ": it has no reference");
    }
    const CenterOfMassTask& com = settings.center_of_mass;
    check(TaskGains{com.stiffness, com.damping, com.weight}, "center_of_mass");
    const PostureTask& posture = settings.posture;
    check(TaskGains{posture.stiffness, posture.damping, posture.weight}, "posture");
    if (posture.stiffness > 0 && !posture.reference)
      throw Error("posture: stiffness without a reference; give the joints' trajectory");
    if (!(settings.limit_weight >= 0)) throw Error("limit_weight must be at least 0");
    if (!(settings.most_missing > 0)) throw Error("most_missing must be more than 0");
    check(static_cast<const WholeBodyProgramSettings&>(settings));
  } catch (const Error& error) {
    throw Error(fmt::format("controller '{}': {}", settings.name, error.what()));
  }
}

void WholeBodyController::set_up(const Model& m) {
  frames_.clear();
  for (const FrameTask& task : own_.frames) frames_.push_back(m.frame(task.frame));
  program_.emplace(own_, m, freedoms(), limits(), 2 * static_cast<int>(own_.frames.size()) + 1);
  q_p_ = neutral_position(m);
  for (auto* list : {&v_p_, &a_p_, &displacement_}) list->assign(at_index(m.nv), 0.0);
}

int WholeBodyController::own_states() const { return sampled() && program_ ? program_->rows() : 0; }

/// The whole program at this state.
void WholeBodyController::fill(const Measurement& measured) {
  program_->start(measured.model, measured.q, measured.v);
  for (std::size_t k = 0; k < own_.frames.size(); ++k) {
    const FrameTask& task = own_.frames[k];
    program_->follow(frames_[k], task.rows, task.reference->sample(measured.t),
                     {task.stiffness, task.damping, task.weight});
  }
  const CenterOfMassTask& com = own_.center_of_mass;
  if (com.reference)
    program_->follow_center(com.reference->sample(measured.t),
                            {com.stiffness, com.damping, com.weight});
  const PostureTask& posture = own_.posture;
  if (posture.reference) {
    posture.reference->sample(measured.t, q_p_, v_p_, a_p_);
    difference(measured.model, measured.q, q_p_, displacement_);
  }
  for (const int k : freedoms()) {
    const auto i = at_index(k);
    program_->follow_freedom(k,
                             a_p_[i] + posture.stiffness * displacement_[i] +
                                 posture.damping * (v_p_[i] - measured.v[i]),
                             posture.weight);
  }
  if (own_.limit_weight > 0) brake_at_limits(measured);
}

/// A critically damped wall before each limit, which acts only against the motion towards it.
void WholeBodyController::brake_at_limits(const Measurement& measured) {
  constexpr double rate = 30;  // [1/s]
  for (const int k : freedoms()) {
    const int at = measured.model.dof_q[at_index(k)];
    if (at < 0) continue;
    const DofSpec& dof = measured.model.dof[at_index(k)];
    const double q = measured.q[at_index(at)], v = measured.v[at_index(k)];
    for (const double limit : {dof.lower, dof.upper}) {
      const double side = limit == dof.upper ? 1 : -1;
      const double brake = rate * rate * (limit - q) - 2 * rate * v;
      if (std::isfinite(limit) && side * brake < 0)
        program_->follow_freedom(k, brake, own_.limit_weight);
    }
  }
}

void WholeBodyController::check_missing(double t, const QpResult& found) const {
  auto [lack, task] = program_->missing(found);
  if (!(lack > own_.most_missing)) return;
  std::string who = "the centre of mass";
  for (const FrameTask& frame : own_.frames) {
    const int blocks = frame.rows == TaskRows::pose ? 2 : 1;
    if (task < blocks && task >= 0) who = fmt::format("frame '{}'", frame.frame);
    task -= blocks;
  }
  throw Error(fmt::format(
      "controller '{}': at {:.6g} s {} lacks an acceleration of {:.4g} m/s² or rad/s², more than "
      "{:.4g} (most_missing){}",
      name(), t, who, lack, own_.most_missing, program_->held_back_by(found)));
}

void WholeBodyController::control(const Measurement& measured, std::span<double> command) {
  fill(measured);
  const QpResult found = program_->solve(measured.states);
  if (!found.solved())
    throw Error(fmt::format(
        "controller '{}': at {:.6g} s its program is {}{}; ask less of the tasks, or give the "
        "contacts more friction and the joints higher limits",
        name(), measured.t, limber::name(found.status),
        found.row >= 0 ? fmt::format(": no torques and contact forces satisfy {} beside the rest",
                                     program_->row_words(found.row))
                       : ""));
  check_missing(measured.t, found);
  program_->torques(found, command);
}

std::vector<Column> WholeBodyController::more_columns() const {
  std::vector<Column> all{{name() + ".missing", "m/s^2", "Tracking error"}};
  for (std::size_t c = 0; c < own_.contacts.size(); ++c) {
    // several points of one frame are numbered
    const std::string& frame = own_.contacts[c].frame;
    std::size_t before = 0, points = 0;
    for (std::size_t i = 0; i < own_.contacts.size(); ++i)
      if (own_.contacts[i].frame == frame) ++points, before += i < c ? 1 : 0;
    const std::string what = points > 1 ? fmt::format("{}[{}]", frame, before) : frame;
    all.push_back({what + ".normal_force", "N", "Contact forces"});
    all.push_back({what + ".friction_use", "", "Friction"});
  }
  return all;
}

/// All are zero where the program has no solution; the next sample then ends the run.
void WholeBodyController::record_more(const Measurement& now, std::span<double> values) {
  fill(now);
  const QpResult found = program_->solve({});
  std::fill(values.begin(), values.end(), 0.0);
  if (!found.solved()) return;
  values[0] = program_->missing(found).acceleration;
  for (int c = 0; c < static_cast<int>(own_.contacts.size()); ++c) {
    values[at_index(2 * c + 1)] = program_->normal_force(found, c);
    values[at_index(2 * c + 2)] = program_->friction_use(found, c);
  }
}

}  // namespace limber
