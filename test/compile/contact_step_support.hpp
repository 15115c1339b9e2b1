#pragma once
// Compiled steps with contact, and the same steps by rows and solver of the interpreter, which
// iterate.
#include <algorithm>
#include <functional>

#include <limber/compile/program.hpp>
#include <limber/contact/cone_solver.hpp>
#include <limber/contact/contact_rows.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/tree_factor.hpp>
#include <limber/io/load.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/model/joint_space.hpp>

#include "support/random.hpp"
#include "support/run_program.hpp"

namespace limber::test {

inline std::span<double> numbers(Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

inline const std::vector<std::string> feet{"front_left_foot", "front_right_foot", "hind_left_foot",
                                           "hind_right_foot"};

inline FunctionOptions on_ground(const Model& model, const std::vector<std::string>& links,
                                 int sweeps, BoxCorners corners = BoxCorners::all) {
  FunctionOptions options;
  options.contact.candidates = contact_candidates(model, links, corners);
  options.contact.sweeps = sweeps;
  return options;
}

struct StepState {
  Eigen::VectorXd q, v;
};

/// What a compiled step gives.
struct Stepped {
  StepState next;
  Eigen::VectorXd forces;
  double residual;
};

struct Gains {
  Eigen::VectorXd tau, target, kp, kd;
  explicit Gains(int nv) : tau(Eigen::VectorXd::Zero(nv)), target(tau), kp(tau), kd(tau) {}
};

/// heights: of a height field; empty: none.
inline Stepped compiled_step(const Program& program, const StepState& at, const Gains& gains,
                             double h, const Eigen::VectorXd& heights = {}) {
  std::vector<Eigen::VectorXd> from{
      at.q, at.v, gains.tau, gains.target, gains.kp, gains.kd, Eigen::VectorXd::Constant(1, h)};
  if (heights.size() > 0) from.push_back(heights);
  const std::vector<Eigen::VectorXd> out = run(program, from);
  return {{out.at(0), out.at(1)}, out.at(2), out.at(3)[0]};
}

/// The ground below a point: its unit normal, and the point's distance from it.
struct PlainGround {
  Vec3<double> normal;
  double gap;
};
using GroundFunction = std::function<PlainGround(const Vec3<double>& point)>;
inline GroundFunction plane_of(const StepContact& contact) {
  return [contact](const Vec3<double>& point) {
    return PlainGround{contact.normal, dot(contact.normal, point) - contact.height};
  };
}

/// The same step of the library's own functions: free velocity, rows, a solver that iterates until
/// nothing is left.
inline Stepped plain_step(const Model& m, const StepState& at, const Eigen::VectorXd& tau,
                          const StepContact& contact, const GroundFunction& ground, double h) {
  Workspace ws(m);
  Loads<double> loads;
  loads.passive = Passive::included;
  const Eigen::VectorXd a =
      matrix(forward_dynamics<double>(m, in(at.q), in(at.v), in(tau), ws, loads));
  Eigen::VectorXd w(m.nv), rate(m.nv), v_free(m.nv), v_after(m.nv), q(m.nq), v(m.nv);
  to_fixed_axes(m, in(at.q), in(at.v), numbers(w));
  fixed_axes_rate(m, in(at.q), in(at.v), in(a), numbers(rate));
  w += h * rate;
  from_fixed_axes(m, in(at.q), in(w), numbers(v_free));
  const Poses bodies = forward_kinematics<double>(m, in(at.q), ws);
  std::vector<RowContact> contacts;
  for (const ContactCandidate& candidate : contact.candidates) {
    const int frame = m.frame(candidate.link);
    const Vec3<double> center = transform_point(frame_pose(m, bodies, frame), candidate.point);
    const PlainGround below = ground(center);
    const double gap = below.gap - candidate.radius;
    RowContact row;
    row.body_a = m.frames[frame].body;
    row.point = center - below.normal * candidate.radius;
    row.normal = below.normal;
    row.law.friction = contact.friction;
    row.target = gap > 0 ? -gap / h : std::min(-gap / h * contact.correction, contact.fastest_push);
    contacts.push_back(row);
  }
  const Mechanism mechanism(m);
  ContactRows rows(mechanism, static_cast<int>(contacts.size()));
  TreeFactor factor(m);
  factorize<double>(m, in(at.q), ws, factor);
  rows.place(mechanism, 0, in(at.q), factor, contacts, ws);
  rows.set_free_velocity(in(v_free));
  ConeSettings settings;
  settings.tolerance = 1e-13;
  ConeSolver solver;
  Stepped out;
  out.residual = solve_contacts(rows.problem, settings, solver).residual;
  rows.velocity(numbers(v_after));
  out.forces.resize(3 * static_cast<Eigen::Index>(contacts.size()));
  for (int c = 0; c < static_cast<int>(contacts.size()); ++c) {
    const Vec3<double> force = rows.impulse(c) / h;
    out.forces.segment<3>(3 * c) << force.x, force.y, force.z;
  }
  to_fixed_axes(m, in(at.q), in(v_after), numbers(w));
  integrate_fixed_axes(m, in(at.q), in(w), h, numbers(q));
  from_fixed_axes(m, in(q), in(w), numbers(v));
  out.next = {q, v};
  return out;
}

/// On the plane of `contact`.
inline Stepped plain_step(const Model& m, const StepState& at, const Eigen::VectorXd& tau,
                          const StepContact& contact, double h) {
  return plain_step(m, at, tau, contact, plane_of(contact), h);
}

/// A quadruped whose feet are near the ground, with any velocity.
inline StepState near_ground(const Model& m, Random& random) {
  StepState at{matrix(neutral_position(m)), Eigen::VectorXd(m.nv)};
  for (int k = 7; k < m.nq; ++k) {
    const double bend[3] = {0, 0.6, -1.2};
    at.q[k] = bend[(k - 7) % 3] + random.uniform(-0.3, 0.3);
  }
  for (int k = 3; k < 6; ++k) at.q[k] = random.uniform(-0.05, 0.05);
  normalize(m, numbers(at.q));
  for (double& x : at.v) x = random.uniform(-1, 1);
  Workspace ws(m);
  const Poses bodies = forward_kinematics<double>(m, in(at.q), ws);
  double lowest = HUGE_VAL;
  for (const std::string& foot : feet)
    lowest = std::min(lowest, frame_pose(m, bodies, m.frame(foot)).p.z);
  at.q[2] += random.uniform(0.018, 0.021) - lowest;
  return at;
}

inline Eigen::VectorXd random_torques(const Model& m, Random& random) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
  for (int k = 6; k < m.nv; ++k) tau[k] = random.uniform(-10, 10);
  return tau;
}

/// A humanoid above the ground, and its controller that holds the joints at zero.
struct Humanoid {
  Model model = load("humanoid");
  FunctionOptions options;
  Gains gains{model.nv};
  StepState at{matrix(neutral_position(model)), Eigen::VectorXd(model.nv)};

  explicit Humanoid(std::uint64_t seed) {
    options = on_ground(model, {"left_foot", "right_foot"}, 8, BoxCorners::sole);
    options.contact.newton_steps = 12;
    options.contact.start = ContactStart::last_forces;
    Random random(seed);
    for (int k = 7; k < model.nq; ++k) at.q[k] = random.uniform(-0.1, 0.1);
    for (double& x : at.v) x = random.uniform(-0.3, 0.3);
    Workspace ws(model);
    const Poses bodies = forward_kinematics<double>(model, in(at.q), ws);
    double lowest = HUGE_VAL;
    for (const ContactCandidate& c : options.contact.candidates)
      lowest = std::min(lowest,
                        transform_point(frame_pose(model, bodies, model.frame(c.link)), c.point).z);
    at.q[2] += 0.001 - lowest;
    const TreeFactor& factor = factorize<double>(model, in(at.q), ws);
    for (int k = 6; k < model.nv; ++k) {
      Eigen::VectorXd column = Eigen::VectorXd::Unit(model.nv, k);
      solve<double>(factor, numbers(column));
      gains.kp[k] = 3600 / column[k];
      gains.kd[k] = 60 / column[k];
    }
  }
  /// What its controller makes of a state [N m].
  Eigen::VectorXd torques(const StepState& from) const {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv);
    for (int k = 6; k < model.nv; ++k)
      tau[k] = -gains.kp[k] * from.q[k + 1] - gains.kd[k] * from.v[k];
    return tau;
  }
  std::vector<Eigen::VectorXd> inputs(const StepState& from, const Eigen::VectorXd& forces,
                                      double h) const {
    return {from.q,       from.v,   forces,   gains.tau,
            gains.target, gains.kp, gains.kd, Eigen::VectorXd::Constant(1, h)};
  }
};

}  // namespace limber::test
