#include <limber/control/whole_body_program.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/dynamics/centroidal.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "index.hpp"

// rows of the program: freedoms without drive, contacts (3 each), limits, cones (sides + 1 each)

namespace limber {

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

std::vector<int> all_but(std::span<const int> some, int count) {
  std::vector<int> rest;
  for (int k = 0; k < count; ++k)
    if (std::find(some.begin(), some.end(), k) == some.end()) rest.push_back(k);
  return rest;
}

std::vector<int> finite_ones(std::span<const double> limits) {
  std::vector<int> places;
  for (std::size_t i = 0; i < limits.size(); ++i)
    if (std::isfinite(limits[i])) places.push_back(static_cast<int>(i));
  return places;
}

using Six = std::array<double, 6>;

double square(const Six& x) {
  double sum = 0;
  for (const double entry : x) sum += entry * entry;
  return sum;
}

/// Takes away what x has along the unit vector e.
void subtract_part(Six& x, const Six& e) {
  double along = 0;
  for (std::size_t i = 0; i < x.size(); ++i) along += x[i] * e[i];
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * e[i];
}

/// The farthest of a contact's points from another one of its frame [m]; 1 where there is none.
double longest_lever(const std::vector<HeldContact>& contacts) {
  double most = 0;
  for (const HeldContact& a : contacts)
    for (const HeldContact& b : contacts)
      if (a.frame == b.frame) most = std::max(most, norm(a.point - b.point));
  return most > 0 ? most : 1;
}

std::vector<int> frames_of(const Model& m, const std::vector<HeldContact>& contacts) {
  std::vector<int> frames;
  for (const HeldContact& contact : contacts) frames.push_back(m.frame(contact.frame));
  return frames;
}

}  // namespace

WholeBodyProgram::WholeBodyProgram(const WholeBodyProgramSettings& settings, const Model& m,
                                   std::span<const int> freedoms, std::span<const double> limits,
                                   int tasks)
    : settings_(settings),
      freedoms_(freedoms.begin(), freedoms.end()),
      contact_frames_(frames_of(m, settings.contacts)),
      limits_(limits.begin(), limits.end()),
      passive_(all_but(freedoms, m.nv)),
      limited_(finite_ones(limits)),
      released_(settings.contacts.size(), 0),
      lever_(longest_lever(settings.contacts)),
      nv_(m.nv),
      n_(m.nv + 3 * contacts()),
      rows_(static_cast<int>(passive_.size() + limited_.size()) +
            contacts() * (3 + settings.cone_sides + 1)),
      program_(n_, rows_),
      ws_(m),
      bodies_(m) {
  const std::size_t v = at_index(nv_), x = at_index(n_), r = at_index(rows_);
  M_.resize(v * v), h_.resize(v), J_.resize(6 * v), contact_J_.resize(at_index(3 * contacts()) * v);
  H_.resize(x * x), g_.resize(x), A_.resize(r * x), lower_.resize(r), upper_.resize(r);
  active_.resize(r);
  task_J_.resize(at_index(3 * tasks) * v), task_wanted_.resize(at_index(3 * tasks));
  if (!settings_.water.water) return;
  still_.density = settings_.water.water->density;
  still_.level = settings_.water.water->level;
  in_water_.emplace(m, settings_.water.links);
}

void WholeBodyProgram::start(const Model& model, std::span<const double> q,
                             std::span<const double> v) {
  model_ = &model, q_ = q, v_ = v;
  for (auto* list : {&H_, &g_, &A_}) std::fill(list->begin(), list->end(), 0.0);
  std::fill(released_.begin(), released_.end(), std::uint8_t{0});
  row_ = tasks_ = 0;
  for (int i = 0; i < n_; ++i)
    H_[at_index(i * n_ + i)] = i < nv_ ? settings_.acceleration_weight : settings_.force_weight;
  forward_kinematics<double>(model, q, v, ws_, bodies_);
  add_dynamics(q, v);
  add_contacts(q, v);
  add_limits();
  add_cones();
}

void WholeBodyProgram::expect_started() const {
  if (!model_) throw Error("WholeBodyProgram: start() with a state comes first");
}

/// M a + h = Jᵀ f of freedoms that nothing drives.
void WholeBodyProgram::add_dynamics(std::span<const double> q, std::span<const double> v) {
  Loads<double> loads;
  if (settings_.passive == PassiveCompensation::from_measured) loads.passive = Passive::included;
  if (in_water_) loads = in_water_->update(*model_, bodies_, still_, 0, loads);
  const auto h = bias_forces<double>(*model_, q, v, ws_, loads);
  std::copy(h.begin(), h.end(), h_.begin());
  const auto M = mass_matrix<double>(*model_, q, ws_, loads);
  for (int i = 0; i < nv_; ++i)
    for (int j = 0; j < nv_; ++j) M_[at_index(i * nv_ + j)] = M(i, j);
  for (int c = 0; c < contacts(); ++c) {
    const int frame = contact_frames_[at_index(c)];
    jacobian<double>(*model_, q, frame, Reference::world_aligned, ws_, J_);
    // a point beside the origin moves with ω × r besides
    const Vec3<double> r = pose(frame).R * settings_.contacts[at_index(c)].point;
    double* const out = contact_J_.data() + 3 * c * nv_;
    for (int k = 0; k < nv_; ++k) {
      const auto row = [&](int i) { return J_[at_index(i * nv_ + k)]; };
      const Vec3<double> column =
          Vec3<double>{row(3), row(4), row(5)} + cross(Vec3<double>{row(0), row(1), row(2)}, r);
      for (int i = 0; i < 3; ++i) out[i * nv_ + k] = column[i];
    }
  }
  for (const int k : passive_) {
    for (int j = 0; j < nv_; ++j) A(row_, j) = M_[at_index(k * nv_ + j)];
    for (int c = 0; c < 3 * contacts(); ++c) A(row_, nv_ + c) = -contact_J_[at_index(c * nv_ + k)];
    lower_[at_index(row_)] = upper_[at_index(row_)] = -h_[at_index(k)];
    ++row_;
  }
}

void WholeBodyProgram::add_contacts(std::span<const double> q, std::span<const double> v) {
  for (int c = 0; c < contacts(); ++c) {
    const int frame = contact_frames_[at_index(c)];
    const Motion<double> origin =
        jacobian_dot_times_v<double>(*model_, q, v, frame, Reference::world_aligned, ws_);
    const Vec3<double> r = pose(frame).R * settings_.contacts[at_index(c)].point,
                       w = velocity(frame).angular;
    const Vec3<double> drift = origin.linear + cross(origin.angular, r) + cross(w, cross(w, r));
    for (int i = 0; i < 3; ++i, ++row_) {
      const double* const J = contact_J_.data() + (3 * c + i) * nv_;
      double rate = 0;
      for (int k = 0; k < nv_; ++k) {
        A(row_, k) = J[k];
        rate += J[k] * v[at_index(k)];
      }
      lower_[at_index(row_)] = upper_[at_index(row_)] =
          -drift[i] - settings_.contact_damping * rate;
    }
  }
}

void WholeBodyProgram::add_limits() {
  for (const int place : limited_) {
    const int k = freedoms_[at_index(place)];
    const double limit = limits_[at_index(place)];
    for (int j = 0; j < nv_; ++j) A(row_, j) = M_[at_index(k * nv_ + j)];
    for (int c = 0; c < n_ - nv_; ++c) A(row_, nv_ + c) = -contact_J_[at_index(c * nv_ + k)];
    lower_[at_index(row_)] = -limit - h_[at_index(k)];
    upper_[at_index(row_)] = limit - h_[at_index(k)];
    ++row_;
  }
}

void WholeBodyProgram::add_cones() {
  for (int c = 0; c < contacts(); ++c) {
    const HeldContact& contact = settings_.contacts[at_index(c)];
    const ContactAxes axes(contact.normal);
    const int at = nv_ + 3 * c;
    const double slope = contact.friction * std::cos(std::numbers::pi / settings_.cone_sides);
    for (int side = 0; side < settings_.cone_sides; ++side, ++row_) {
      const double turn = 2 * std::numbers::pi * side / settings_.cone_sides;
      const Vec3<double> row = axes.n * slope - axes.s * std::cos(turn) - axes.t * std::sin(turn);
      for (int i = 0; i < 3; ++i) A(row_, at + i) = row[i];
      lower_[at_index(row_)] = 0, upper_[at_index(row_)] = HUGE_VAL;
    }
    for (int i = 0; i < 3; ++i) A(row_, at + i) = axes.n[i];
    lower_[at_index(row_)] = contact.least_force;
    upper_[at_index(row_)] = contact.most_force;
    ++row_;
  }
}

int WholeBodyProgram::cone_row(int contact) const {
  return static_cast<int>(passive_.size() + limited_.size()) + 3 * contacts() +
         contact * (settings_.cone_sides + 1);
}

/// No normal force is no force at all, by the cone.
void WholeBodyProgram::release(int contact) {
  expect_started();
  released_[at_index(contact)] = 1;
  const int held = static_cast<int>(passive_.size()) + 3 * contact;
  for (int row = held; row < held + 3; ++row)
    lower_[at_index(row)] = -HUGE_VAL, upper_[at_index(row)] = HUGE_VAL;
  const auto normal = at_index(cone_row(contact) + settings_.cone_sides);
  lower_[normal] = upper_[normal] = 0;
}

/// Points of one frame move as one body: three of them say all about it. Rows that follow from
/// earlier ones are left out, which rounding would set against each other. A row along e at r is
/// the vector (r × e, e) of the frame's motion; what of it is new is found by orthogonalisation.
void WholeBodyProgram::leave_out_dependent_rows() {
  constexpr double least_part = 1e-4;  // of a row's length
  for (int c = 0; c < contacts(); ++c) {
    if (released_[at_index(c)]) continue;
    const int frame = contact_frames_[at_index(c)];
    std::array<Six, 6> basis{};
    int size = 0;
    // those of this frame up to this one; its own rows are decided
    for (int other = 0; other <= c; ++other) {
      if (released_[at_index(other)] || contact_frames_[at_index(other)] != frame) continue;
      const Vec3<double> r = pose(frame).R * (settings_.contacts[at_index(other)].point -
                                              settings_.contacts[at_index(c)].point);
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> e{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
        const Vec3<double> turn = cross(r, e) * (1 / lever_);
        Six row{turn.x, turn.y, turn.z, e.x, e.y, e.z};
        const double whole = std::sqrt(square(row));
        for (int k = 0; k < size; ++k) subtract_part(row, basis[at_index(k)]);
        const double part = std::sqrt(square(row));
        if (size < 6 && part > least_part * whole) {
          for (double& x : row) x /= part;
          basis[at_index(size++)] = row;
        } else if (other == c) {
          const auto at = passive_.size() + at_index(3 * c + i);
          lower_[at] = -HUGE_VAL, upper_[at] = HUGE_VAL;
        }
      }
    }
  }
}

/// weight |J a − wanted|²; J: three rows.
void WholeBodyProgram::add_task(std::span<const double> J, const Vec3<double>& wanted,
                                double weight) {
  if (at_index(3 * tasks_) == task_wanted_.size())
    throw Error(fmt::format("WholeBodyProgram: it was made for {} tasks", tasks_));
  std::copy_n(J.begin(), 3 * nv_, task_J_.begin() + 3 * tasks_ * nv_);
  for (int r = 0; r < 3; ++r) {
    const double* const row = J.data() + r * nv_;
    task_wanted_[at_index(3 * tasks_ + r)] = wanted[r];
    for (int i = 0; i < nv_; ++i) {
      if (row[i] == 0) continue;
      g_[at_index(i)] -= weight * row[i] * wanted[r];
      for (int j = 0; j <= i; ++j) H_[at_index(i * n_ + j)] += weight * row[i] * row[j];
    }
  }
  ++tasks_;
}

void WholeBodyProgram::follow(int frame, TaskRows rows, const TaskMotion& reference,
                              const TaskGains& gains) {
  expect_started();
  const Motion<double> drift =
      jacobian_dot_times_v<double>(*model_, q_, v_, frame, Reference::world_aligned, ws_);
  jacobian<double>(*model_, q_, frame, Reference::world_aligned, ws_, J_);
  const Motion<double> e = pose_error(pose(frame), reference.pose);
  const Motion<double> wanted = reference.acceleration + e * gains.stiffness +
                                (reference.velocity - velocity(frame)) * gains.damping - drift;
  const std::span<const double> J = J_;
  if (rows != TaskRows::position) add_task(J, wanted.angular, gains.weight);
  if (rows != TaskRows::orientation)
    add_task(J.subspan(at_index(3 * nv_)), wanted.linear, gains.weight);
}

void WholeBodyProgram::follow_center(const TaskMotion& reference, const TaskGains& gains) {
  expect_started();
  const double mass = model_->mass();
  centroidal_momentum_matrix<double>(*model_, q_, ws_, J_);
  for (double& x : J_) x /= mass;
  const Vec3<double> drift =
      centroidal_momentum_bias<double>(*model_, q_, v_, ws_).linear * (1 / mass);
  const Vec3<double> at = center_of_mass<double>(*model_, q_, ws_);
  const Vec3<double> rate = center_of_mass_velocity<double>(*model_, q_, v_, ws_);
  const Vec3<double> wanted = reference.acceleration.linear +
                              (reference.pose.p - at) * gains.stiffness +
                              (reference.velocity.linear - rate) * gains.damping - drift;
  add_task(std::span<const double>(J_).subspan(at_index(3 * nv_)), wanted, gains.weight);
}

void WholeBodyProgram::follow_freedom(int freedom, double acceleration, double weight) {
  H_[at_index(freedom * n_ + freedom)] += weight;
  g_[at_index(freedom)] -= weight * acceleration;
}

Transform<double> WholeBodyProgram::pose(int frame) const {
  expect_started();
  return frame_pose(*model_, bodies_, frame);
}

Motion<double> WholeBodyProgram::velocity(int frame) const {
  expect_started();
  return frame_velocity(*model_, bodies_, frame, Reference::world_aligned);
}

QpResult WholeBodyProgram::solve(std::span<double> active) {
  expect_started();
  leave_out_dependent_rows();
  if (!active.empty() && active.size() != active_.size())
    throw Error(fmt::format("WholeBodyProgram::solve: {} active rows given, there are {}",
                            active.size(), rows_));
  QpOptions options;
  if (!active.empty()) {
    // a row that has been released since then cannot be active
    for (std::size_t k = 0; k < active_.size(); ++k)
      active_[k] = active[k] > 0.5 && lower_[k] > -HUGE_VAL   ? std::int8_t{1}
                   : active[k] < -0.5 && upper_[k] < HUGE_VAL ? std::int8_t{-1}
                                                              : std::int8_t{0};
    program_.begin_with(active_);
    options.start = QpStart::warm;
  }
  const QpResult found = program_.solve({H_, g_, A_, lower_, upper_}, options);
  if (found.solved())
    for (std::size_t k = 0; k < active.size(); ++k) active[k] = program_.active()[k];
  return found;
}

void WholeBodyProgram::torques(const QpResult& found, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int k = freedoms_[i];
    double tau = h_[at_index(k)];
    for (int j = 0; j < nv_; ++j) tau += M_[at_index(k * nv_ + j)] * found.x[at_index(j)];
    for (int c = 0; c < n_ - nv_; ++c)
      tau -= contact_J_[at_index(c * nv_ + k)] * found.x[at_index(nv_ + c)];
    out[i] = std::clamp(tau, -limits_[i], limits_[i]);  // but for rounding it is inside
  }
}

Vec3<double> WholeBodyProgram::force(const QpResult& found, int contact) const {
  const double* const x = found.x.data() + nv_ + 3 * contact;
  return {x[0], x[1], x[2]};
}

double WholeBodyProgram::normal_force(const QpResult& found, int contact) const {
  return dot(force(found, contact), ContactAxes(settings_.contacts[at_index(contact)].normal).n);
}

double WholeBodyProgram::friction_use(const QpResult& found, int contact) const {
  constexpr double least_grip = 1e-6;  // [N]; below it a ratio of forces says nothing
  const HeldContact& held = settings_.contacts[at_index(contact)];
  const ContactAxes axes(held.normal);
  const Vec3<double> f = force(found, contact);
  return std::hypot(dot(f, axes.s), dot(f, axes.t)) /
         std::max(held.friction * dot(f, axes.n), least_grip);
}

WholeBodyProgram::Missing WholeBodyProgram::missing(const QpResult& found) const {
  Missing most;
  for (int k = 0; k < tasks_; ++k) {
    double square = 0;
    for (int r = 3 * k; r < 3 * k + 3; ++r) {
      double lack = task_wanted_[at_index(r)];
      for (int j = 0; j < nv_; ++j) lack -= task_J_[at_index(r * nv_ + j)] * found.x[at_index(j)];
      square += lack * lack;
    }
    if (square > most.acceleration * most.acceleration) most = {std::sqrt(square), k};
  }
  return most;
}

}  // namespace limber
