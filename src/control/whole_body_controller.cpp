#include <limber/control/whole_body_controller.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/dynamics/centroidal.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "index.hpp"

// rows of the program: freedoms without drive, contacts (3 each), limits, cones (sides + 1 each)

namespace limber {

/// One program and the places where its numbers come from.
struct WholeBodyController::Scratch {
  Scratch(const Model& m, int contacts, int rows, std::size_t tasks)
      : ws(m), n(m.nv + 3 * contacts), rows(rows), program(n, rows) {
    const std::size_t v = at_index(m.nv), x = at_index(n), r = at_index(rows);
    M.resize(v * v), h.resize(v), J.resize(6 * v), contact_J.resize(at_index(3 * contacts) * v);
    H.resize(x * x), g.resize(x), A.resize(r * x), lower.resize(r), upper.resize(r);
    q_p = neutral_position(m);
    for (auto* list : {&v_p, &a_p, &displacement}) list->resize(v);
    active.resize(r);
    task_J.resize(3 * tasks * v), task_wanted.resize(3 * tasks);
  }
  Workspace ws;
  int n, rows, row = 0;  // row: the next one
  QuadraticProgram program;
  std::vector<double> M, h, J;    // mass matrix, bias forces, one Jacobian
  std::vector<double> contact_J;  // of all contacts
  std::vector<double> H, g, A, lower, upper;
  std::vector<double> q_p, v_p, a_p, displacement;  // of the posture
  std::vector<std::int8_t> active;
  // of each task of three rows, turns and shifts of a frame apart: J and what J a should be
  std::vector<double> task_J, task_wanted;
  int tasks = 0;

  double& A_at(int i, int j) { return A[at_index(i * n + j)]; }
  QpProblem problem() const { return {H, g, A, lower, upper}; }
};

namespace {

/// Two directions across a normal, all three of unit length.
struct ContactAxes {
  Vec3<double> n, s, t;
  explicit ContactAxes(const Vec3<double>& normal) : n(normal * (1 / norm(normal))) {
    const Vec3<double> other = std::abs(n.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> across = other - n * dot(n, other);
    s = across * (1 / norm(across));
    t = cross(n, s);
  }
};

}  // namespace

WholeBodyController::WholeBodyController(const WholeBodySettings& settings)
    : Controller(settings), own_(settings) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("controller '{}': {}", settings.name, why));
  };
  const auto check_gains = [&](const std::string& where, double stiffness, double damping,
                               double weight) {
    if (!(stiffness >= 0) || !(damping >= 0) || !(weight > 0))
      refuse(
          fmt::format("{}: stiffness {}, damping {}, weight {} found; at least 0, 0 and more "
                      "than 0 are needed",
                      where, stiffness, damping, weight));
  };
  for (const FrameTask& task : settings.frames) {
    check_gains(fmt::format("task of frame '{}'", task.frame), task.stiffness, task.damping,
                task.weight);
    if (!task.reference) refuse(fmt::format("task of frame '{}': it has no reference", task.frame));
  }
  const CenterOfMassTask& com = settings.center_of_mass;
  check_gains("center_of_mass", com.stiffness, com.damping, com.weight);
  check_gains("posture", settings.posture.stiffness, settings.posture.damping,
              settings.posture.weight);
  if (settings.posture.stiffness > 0 && !settings.posture.reference)
    refuse("posture: stiffness without a reference; give the joints' trajectory");
  for (const HeldContact& contact : settings.contacts) {
    if (!(contact.friction > 0) || !(norm(contact.normal) > 0))
      refuse(fmt::format("contact of '{}': friction {} found; more than 0 and a normal are needed",
                         contact.frame, contact.friction));
    if (!(contact.least_force >= 0) || !(contact.most_force >= contact.least_force))
      refuse(fmt::format("contact of '{}': forces from {} to {} N found", contact.frame,
                         contact.least_force, contact.most_force));
  }
  if (!(settings.most_missing > 0)) refuse("most_missing must be more than 0");
  if (settings.cone_sides < 3) refuse(fmt::format("cone_sides: {} found", settings.cone_sides));
  if (!(settings.contact_damping >= 0) || !(settings.acceleration_weight > 0) ||
      !(settings.force_weight > 0))
    refuse("contact_damping must be at least 0, acceleration_weight and force_weight more than 0");
  if (settings.passive == PassiveCompensation::from_reference)
    refuse("passive: from_reference needs a reference of all joints; use from_measured");
}

WholeBodyController::WholeBodyController(const WholeBodyController& other)
    : Controller(other),
      own_(other.own_),
      frames_(other.frames_),
      contact_frames_(other.contact_frames_),
      passive_(other.passive_),
      limited_(other.limited_),
      scratch_(other.scratch_ ? std::make_unique<Scratch>(*other.scratch_) : nullptr) {}

WholeBodyController::~WholeBodyController() = default;

void WholeBodyController::set_up(const Model& m) {
  frames_.clear(), contact_frames_.clear(), passive_.clear(), limited_.clear();
  for (const FrameTask& task : own_.frames) frames_.push_back(m.frame(task.frame));
  for (const HeldContact& contact : own_.contacts)
    contact_frames_.push_back(m.frame(contact.frame));
  const auto driven = freedoms();
  for (int k = 0; k < m.nv; ++k)
    if (std::find(driven.begin(), driven.end(), k) == driven.end()) passive_.push_back(k);
  for (std::size_t i = 0; i < driven.size(); ++i)
    if (std::isfinite(limits()[i])) limited_.push_back(static_cast<int>(i));
  const int contacts = static_cast<int>(own_.contacts.size());
  const auto rows = passive_.size() + limited_.size();
  scratch_ = std::make_unique<Scratch>(
      m, contacts, static_cast<int>(rows) + contacts * (3 + own_.cone_sides + 1),
      2 * own_.frames.size() + 1);
}

int WholeBodyController::own_states() const { return sampled() && scratch_ ? scratch_->rows : 0; }

/// M a + h = Jᵀ f of freedoms that nothing drives.
void WholeBodyController::add_dynamics(const Measurement& measured) {
  Scratch& s = *scratch_;
  const Model& m = measured.model;
  Loads<double> loads;
  if (own_.passive == PassiveCompensation::from_measured) loads.passive = Passive::included;
  const auto h = bias_forces<double>(m, measured.q, measured.v, s.ws, loads);
  std::copy(h.begin(), h.end(), s.h.begin());
  const auto M = mass_matrix<double>(m, measured.q, s.ws);
  for (int i = 0; i < m.nv; ++i)
    for (int j = 0; j < m.nv; ++j) s.M[at_index(i * m.nv + j)] = M(i, j);
  const int contacts = static_cast<int>(contact_frames_.size());
  for (int c = 0; c < contacts; ++c) {
    jacobian<double>(m, measured.q, contact_frames_[at_index(c)], Reference::world_aligned, s.ws,
                     s.J);
    std::copy_n(s.J.begin() + 3 * m.nv, 3 * m.nv, s.contact_J.begin() + 3 * c * m.nv);
  }
  for (const int k : passive_) {
    for (int j = 0; j < m.nv; ++j) s.A_at(s.row, j) = s.M[at_index(k * m.nv + j)];
    for (int c = 0; c < 3 * contacts; ++c)
      s.A_at(s.row, m.nv + c) = -s.contact_J[at_index(c * m.nv + k)];
    s.lower[at_index(s.row)] = s.upper[at_index(s.row)] = -s.h[at_index(k)];
    ++s.row;
  }
}

void WholeBodyController::add_contacts(const Measurement& measured) {
  Scratch& s = *scratch_;
  const Model& m = measured.model;
  for (std::size_t c = 0; c < contact_frames_.size(); ++c) {
    const Vec3<double> drift =
        jacobian_dot_times_v<double>(m, measured.q, measured.v, contact_frames_[c],
                                     Reference::world_aligned, s.ws)
            .linear;
    for (int i = 0; i < 3; ++i, ++s.row) {
      const double* const J = s.contact_J.data() + (3 * static_cast<int>(c) + i) * m.nv;
      double rate = 0;
      for (int k = 0; k < m.nv; ++k) {
        s.A_at(s.row, k) = J[k];
        rate += J[k] * measured.v[at_index(k)];
      }
      s.lower[at_index(s.row)] = s.upper[at_index(s.row)] = -drift[i] - own_.contact_damping * rate;
    }
  }
}

void WholeBodyController::add_limits() {
  Scratch& s = *scratch_;
  const int nv = static_cast<int>(s.h.size());
  for (const int place : limited_) {
    const int k = freedoms()[at_index(place)];
    const double limit = limits()[at_index(place)];
    for (int j = 0; j < nv; ++j) s.A_at(s.row, j) = s.M[at_index(k * nv + j)];
    for (int c = 0; c < s.n - nv; ++c) s.A_at(s.row, nv + c) = -s.contact_J[at_index(c * nv + k)];
    s.lower[at_index(s.row)] = -limit - s.h[at_index(k)];
    s.upper[at_index(s.row)] = limit - s.h[at_index(k)];
    ++s.row;
  }
}

void WholeBodyController::add_cones() {
  Scratch& s = *scratch_;
  const int nv = static_cast<int>(s.h.size());
  for (std::size_t c = 0; c < own_.contacts.size(); ++c) {
    const HeldContact& contact = own_.contacts[c];
    const ContactAxes axes(contact.normal);
    const int at = nv + 3 * static_cast<int>(c);
    const double slope = contact.friction * std::cos(std::numbers::pi / own_.cone_sides);
    for (int side = 0; side < own_.cone_sides; ++side, ++s.row) {
      const double turn = 2 * std::numbers::pi * side / own_.cone_sides;
      const Vec3<double> row = axes.n * slope - axes.s * std::cos(turn) - axes.t * std::sin(turn);
      for (int i = 0; i < 3; ++i) s.A_at(s.row, at + i) = row[i];
      s.lower[at_index(s.row)] = 0, s.upper[at_index(s.row)] = HUGE_VAL;
    }
    for (int i = 0; i < 3; ++i) s.A_at(s.row, at + i) = axes.n[i];
    s.lower[at_index(s.row)] = contact.least_force;
    s.upper[at_index(s.row)] = contact.most_force;
    ++s.row;
  }
}

/// weight |J a − wanted|²; J: three rows.
void WholeBodyController::add_task(std::span<const double> J, const Vec3<double>& wanted,
                                   double weight) {
  Scratch& s = *scratch_;
  const int nv = static_cast<int>(s.h.size());
  std::copy_n(J.begin(), 3 * nv, s.task_J.begin() + 3 * s.tasks * nv);
  for (int r = 0; r < 3; ++r) {
    const double* const row = J.data() + r * nv;
    s.task_wanted[at_index(3 * s.tasks + r)] = wanted[r];
    for (int i = 0; i < nv; ++i) {
      if (row[i] == 0) continue;
      s.g[at_index(i)] -= weight * row[i] * wanted[r];
      for (int j = 0; j <= i; ++j) s.H[at_index(i * s.n + j)] += weight * row[i] * row[j];
    }
  }
  ++s.tasks;
}

void WholeBodyController::add_tasks(const Measurement& measured) {
  Scratch& s = *scratch_;
  const Model& m = measured.model;
  for (std::size_t k = 0; k < own_.frames.size(); ++k) {
    const FrameTask& task = own_.frames[k];
    const TaskMotion reference = task.reference->sample(measured.t);
    const Motion<double> drift = jacobian_dot_times_v<double>(m, measured.q, measured.v, frames_[k],
                                                              Reference::world_aligned, s.ws);
    jacobian<double>(m, measured.q, frames_[k], Reference::world_aligned, s.ws, s.J);
    const Velocities& bodies = forward_kinematics<double>(m, measured.q, measured.v, s.ws);
    const Motion<double> e = pose_error(frame_pose(m, bodies, frames_[k]), reference.pose);
    const Motion<double> rate = frame_velocity(m, bodies, frames_[k], Reference::world_aligned);
    const Motion<double> wanted = reference.acceleration + e * task.stiffness +
                                  (reference.velocity - rate) * task.damping - drift;
    const std::span<const double> J = s.J;
    if (task.rows != TaskRows::position) add_task(J, wanted.angular, task.weight);
    if (task.rows != TaskRows::orientation)
      add_task(J.subspan(at_index(3 * m.nv)), wanted.linear, task.weight);
  }
  const CenterOfMassTask& com = own_.center_of_mass;
  if (!com.reference) return;
  const TaskMotion reference = com.reference->sample(measured.t);
  const double mass = m.mass();
  centroidal_momentum_matrix<double>(m, measured.q, s.ws, s.J);
  for (double& x : s.J) x /= mass;
  const Vec3<double> drift =
      centroidal_momentum_bias<double>(m, measured.q, measured.v, s.ws).linear * (1 / mass);
  const Vec3<double> at = center_of_mass<double>(m, measured.q, s.ws);
  const Vec3<double> rate = center_of_mass_velocity<double>(m, measured.q, measured.v, s.ws);
  const Vec3<double> wanted = reference.acceleration.linear +
                              (reference.pose.p - at) * com.stiffness +
                              (reference.velocity.linear - rate) * com.damping - drift;
  add_task(std::span<const double>(s.J).subspan(at_index(3 * m.nv)), wanted, com.weight);
}

void WholeBodyController::add_posture(const Measurement& measured) {
  Scratch& s = *scratch_;
  const PostureTask& posture = own_.posture;
  std::fill(s.displacement.begin(), s.displacement.end(), 0.0);
  if (posture.reference) {
    posture.reference->sample(measured.t, s.q_p, s.v_p, s.a_p);
    difference(measured.model, measured.q, s.q_p, s.displacement);
  }
  for (const int k : freedoms()) {
    const auto i = at_index(k);
    const double wanted = s.a_p[i] + posture.stiffness * s.displacement[i] +
                          posture.damping * (s.v_p[i] - measured.v[i]);
    s.H[at_index(k * s.n + k)] += posture.weight;
    s.g[i] -= posture.weight * wanted;
  }
}

/// The whole program at this state.
void WholeBodyController::fill(const Measurement& measured) {
  Scratch& s = *scratch_;
  for (auto* list : {&s.H, &s.g, &s.A}) std::fill(list->begin(), list->end(), 0.0);
  s.row = s.tasks = 0;
  const int nv = measured.model.nv;
  for (int i = 0; i < s.n; ++i)
    s.H[at_index(i * s.n + i)] = i < nv ? own_.acceleration_weight : own_.force_weight;
  add_dynamics(measured);
  add_contacts(measured);
  add_limits();
  add_cones();
  add_tasks(measured);
  add_posture(measured);
}

std::string WholeBodyController::row_words(int row) const {
  const int dynamics = static_cast<int>(passive_.size()),
            contacts = 3 * static_cast<int>(own_.contacts.size()),
            limited = static_cast<int>(limited_.size());
  if (row < dynamics) return "the motion of what nothing drives, such as the base";
  row -= dynamics;
  if (row < contacts) return fmt::format("that '{}' holds", own_.contacts[at_index(row / 3)].frame);
  row -= contacts;
  if (row < limited)
    return fmt::format("the limit of {:.6g} of command {}",
                       limits()[at_index(limited_[at_index(row)])], limited_[at_index(row)] + 1);
  row -= limited;
  const HeldContact& contact = own_.contacts[at_index(row / (own_.cone_sides + 1))];
  return row % (own_.cone_sides + 1) == own_.cone_sides
             ? fmt::format("the bounds of the normal force at '{}'", contact.frame)
             : fmt::format("the friction cone at '{}' (coefficient {:.4g})", contact.frame,
                           contact.friction);
}

/// How much of what a task asks is missing, of the one that misses most.
double WholeBodyController::missing(std::span<const double> x, int& task) const {
  const Scratch& s = *scratch_;
  const int nv = static_cast<int>(s.h.size());
  double most = 0;
  for (int k = 0; k < s.tasks; ++k) {
    double square = 0;
    for (int r = 3 * k; r < 3 * k + 3; ++r) {
      double lack = s.task_wanted[at_index(r)];
      for (int j = 0; j < nv; ++j) lack -= s.task_J[at_index(r * nv + j)] * x[at_index(j)];
      square += lack * lack;
    }
    if (square > most * most) most = std::sqrt(square), task = k;
  }
  return most;
}

void WholeBodyController::check_missing(double t, const QpResult& found) const {
  int task = 0;
  const double lack = missing(found.x, task);
  if (!(lack > own_.most_missing)) return;
  std::string who = "the centre of mass";
  for (const FrameTask& frame : own_.frames) {
    const int blocks = frame.rows == TaskRows::pose ? 2 : 1;
    if (task < blocks && task >= 0) who = fmt::format("frame '{}'", frame.frame);
    task -= blocks;
  }
  std::string active, last;
  const int equations =
      static_cast<int>(passive_.size()) + 3 * static_cast<int>(own_.contacts.size());
  int named = 0;
  for (int row = equations; row < scratch_->rows && named < 3; ++row) {
    if (found.y[at_index(row)] == 0 || row_words(row) == last) continue;
    last = row_words(row);
    active += (named++ ? ", " : "; what holds it back: ") + last;
  }
  throw Error(fmt::format(
      "controller '{}': at {:.6g} s {} lacks an acceleration of {:.4g} m/s² or rad/s², more than "
      "{:.4g} (most_missing){}",
      name(), t, who, lack, own_.most_missing, active));
}

void WholeBodyController::control(const Measurement& measured, std::span<double> command) {
  Scratch& s = *scratch_;
  fill(measured);
  QpOptions options;
  if (!measured.states.empty()) {
    for (std::size_t k = 0; k < s.active.size(); ++k)
      s.active[k] = measured.states[k] > 0.5 ? 1 : measured.states[k] < -0.5 ? -1 : 0;
    s.program.begin_with(s.active);
    options.start = QpStart::warm;
  }
  const QpResult found = s.program.solve(s.problem(), options);
  if (!found.solved())
    throw Error(fmt::format(
        "controller '{}': at {:.6g} s its program is {}{}; ask less of the tasks, or give the "
        "contacts more friction and the joints higher limits",
        name(), measured.t, limber::name(found.status),
        found.row >= 0 ? fmt::format(": no torques and contact forces satisfy {} beside the rest",
                                     row_words(found.row))
                       : ""));
  check_missing(measured.t, found);
  const auto active = s.program.active();
  for (std::size_t k = 0; k < measured.states.size(); ++k) measured.states[k] = active[k];
  const int nv = measured.model.nv;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const int k = freedoms()[i];
    double tau = s.h[at_index(k)];
    for (int j = 0; j < nv; ++j) tau += s.M[at_index(k * nv + j)] * found.x[at_index(j)];
    for (int c = 0; c < s.n - nv; ++c)
      tau -= s.contact_J[at_index(c * nv + k)] * found.x[at_index(nv + c)];
    command[i] = std::clamp(tau, -limits()[i], limits()[i]);  // but for rounding it is inside
  }
}

std::vector<Column> WholeBodyController::more_columns() const {
  std::vector<Column> all{{name() + ".missing", "m/s^2", "Tracking error"}};
  for (const HeldContact& contact : own_.contacts) {
    all.push_back({contact.frame + ".normal_force", "N", "Contact forces"});
    all.push_back({contact.frame + ".friction_use", "", "Friction"});
  }
  return all;
}

/// All are zero where the program has no solution; the next sample then ends the run.
void WholeBodyController::record_more(const Measurement& now, std::span<double> values) {
  Scratch& s = *scratch_;
  fill(now);
  const QpResult found = s.program.solve(s.problem());
  constexpr double least_grip = 1e-6;  // [N]; below it a ratio of forces says nothing
  int task = 0;
  values[0] = found.solved() ? missing(found.x, task) : 0;
  for (std::size_t c = 0; c < own_.contacts.size(); ++c) {
    const ContactAxes axes(own_.contacts[c].normal);
    const double* const x = found.x.data() + now.model.nv + 3 * static_cast<int>(c);
    const Vec3<double> f = found.solved() ? Vec3<double>{x[0], x[1], x[2]} : Vec3<double>{};
    const double normal = dot(f, axes.n), across = std::hypot(dot(f, axes.s), dot(f, axes.t));
    values[2 * c + 1] = normal;
    values[2 * c + 2] = across / std::max(own_.contacts[c].friction * normal, least_grip);
  }
}

}  // namespace limber
