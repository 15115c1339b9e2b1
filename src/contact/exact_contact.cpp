#include <limber/contact/exact_contact.hpp>

#include <algorithm>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>

#include "dynamics/checks.hpp"

namespace limber {

namespace {

constexpr const char* exact_what = "dynamics with contacts";

/// Angular velocity and velocity of the body's point at `at`, world axes.
Motion<double> motion_at(const List<Transform<double>>& X_W, const List<Motion<double>>& motion,
                         int body, const Vec3<double>& at) {
  if (body <= 0) return {};
  const Transform<double>& X = X_W[body];
  const Vec3<double> w = X.R * motion[body].angular;
  return {w, X.R * motion[body].linear + cross(w, at - X.p)};
}

}  // namespace

void set_corner_rates(ExactContact& c, NormalOn normal_on, const Velocities& bodies) {
  const int face = normal_on == NormalOn::a ? c.body_a : c.body_b;
  const int corner = normal_on == NormalOn::a ? c.body_b : c.body_a;
  c.point_rate = motion_at(bodies.X_W, bodies.v, corner, c.point).linear;
  c.normal_rate = cross(motion_at(bodies.X_W, bodies.v, face, c.point).angular, c.normal);
}

ExactContactDynamics::ExactContactDynamics(const Mechanism& m, int most_contacts)
    : rows(m, most_contacts),
      solver(most_contacts),
      ws_(m.tree),
      factor_(m.tree),
      motion_(m.tree),
      loop_rows_(m) {
  const std::size_t most = at_index(most_contacts);
  for (List<double>* list : {&force, &separation, &approach, &bias_, &d_}) list->reserve(most);
  is_separate.reserve(most);
  breaks.reserve(most);
  row_contacts_.reserve(most);
  kept_.reserve(most);
  C_.reserve(most * most);
  acceleration.resize(at_index(m.tree.nv));
  zeros_.resize(at_index(m.tree.nv));
  loop_rates_.resize(at_index(m.rows));
}

/// Velocities along the normals, and how these change at zero joint acceleration: u of [RDA] (9.45)
void ExactContactDynamics::find_bias(const Mechanism&, std::span<const ExactContact> contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ExactContact& c = contacts[i];
    const Motion<double> v = motion_at(motion_.X_W, motion_.v, c.body_a, c.point) -
                             motion_at(motion_.X_W, motion_.v, c.body_b, c.point);
    const Motion<double> a = motion_at(motion_.X_W, motion_.a, c.body_a, c.point) -
                             motion_at(motion_.X_W, motion_.a, c.body_b, c.point);
    approach[i] = dot(c.normal, v.linear);
    bias_[i] = dot(c.normal, a.linear) + dot(cross(c.point_rate, c.normal), v.angular) +
               dot(c.normal_rate, v.linear);
  }
}

std::span<const double> ExactContactDynamics::compute(const Mechanism& m, double t, In<double> q,
                                                      In<double> v, In<double> tau,
                                                      std::span<const ExactContact> contacts,
                                                      const Loads<double>& loads) {
  const char* name = "ExactContactDynamics::compute";
  check_workspace(name, m.tree, ws_);
  check_size(name, "tau", tau.size(), m.tree.nv, m.tree.name);
  check_regular(m.tree.name, m.tree.singular_reason);
  const std::size_t count = contacts.size();
  for (List<double>* list : {&force, &separation, &approach, &bias_}) list->assign(count, 0.0);
  is_separate.assign(count, std::uint8_t(0));
  breaks.assign(count, std::uint8_t(0));
  impact = -1;
  // what there would be without contacts
  const std::span<const double> bias = bias_forces(m.tree, q, v, ws_, loads);
  for (std::size_t k = 0; k < tau.size(); ++k) acceleration[k] = tau[k] - bias[k];
  factorize(m.tree, q, ws_, factor_, loads);
  limber::solve(factor_, std::span<double>(acceleration));
  forward_kinematics<double>(m.tree, q, v, zeros_, ws_, motion_);
  find_bias(m, contacts);
  kept_.clear();
  row_contacts_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const ExactContact& c = contacts[i];
    if (approach[i] > velocity_tolerance) {
      is_separate[i] = breaks[i] = 1;
      continue;
    }
    if (approach[i] < -velocity_tolerance && impact < 0) impact = static_cast<int>(i);
    RowContact row{c.body_a, c.body_b, c.point, c.normal, {}, -bias_[i], {}, {}, {}};
    row_contacts_.push_back(row);
    kept_.push_back(static_cast<int>(i));
  }
  rows.place(m, t, q, factor_, row_contacts_, ws_);
  if (m.rows > 0) {
    loop_rows<double>(m, t, q, v, ws_, loop_rows_);
    for (int i = 0; i < m.rows; ++i) loop_rates_[i] = rows.loops.drift[i] - loop_rows_.bias[i];
  }
  rows.set_free_velocity(acceleration, loop_rates_);
  // C and d, [RDA] (9.52), (9.53)
  ContactProblem& problem = rows.problem;
  const int n = kept_.count();
  C_.assign(at_index(n) * at_index(n), 0.0);
  d_.resize(at_index(n));
  for (int i = 0; i < n; ++i) {
    d_[i] = problem.b[i].x;
    for (int e = problem.first[i]; e < problem.first[i + 1]; ++e)
      problem.z[problem.place[e]] = problem.W[e].x;
    for (int j = 0; j < n; ++j)
      for (int e = problem.first[j]; e < problem.first[j + 1]; ++e)
        C_[i * n + j] += problem.W[e].x * problem.z[problem.place[e]];
    for (int e = problem.first[i]; e < problem.first[i + 1]; ++e) problem.z[problem.place[e]] = 0;
  }
  solver.solve(C_, d_);
  status = solver.status;
  for (int i = 0; i < n; ++i) {
    const int at = kept_[i];
    force[at] = solver.force()[at_index(i)];
    separation[at] = solver.acceleration()[at_index(i)];
    problem.impulse[i] = {force[at], 0, 0};
    const double size = std::abs(d_[i]) + std::abs(C_[i * n + i] * force[at]);
    breaks[at] = separation[at] > 1e-9 * size ? 1 : 0;
  }
  for (const ContactIsland& island : problem.islands) problem.fill_response(island);
  rows.velocity(acceleration);
  check_result<double>(m.tree, exact_what, q, v, "tau", tau, acceleration);
  return acceleration;
}

}  // namespace limber
