#include <limber/sim/loop_joints.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/constraint/closed_dynamics.hpp>
#include <limber/model/joint_kind.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double slow = 1e-3;               // friction is proportional to slower rates
constexpr double stop_frequency = 100;      // of a bumper [rad/s]
constexpr double stop_damping_ratio = 0.5;  // of the critical one
constexpr double most_stop_damping = 4;     // of the spring's force

bool has_numbers(const DofSpec& dof) {
  return dof.stiffness != 0 || dof.damping != 0 || dof.friction_positive != 0 ||
         dof.friction_negative != 0 || std::isfinite(dof.lower) || std::isfinite(dof.upper) ||
         std::isfinite(dof.effort_limit) || dof.rotor_inertia != 0;
}

// turns about and slides along one axis, each at most once
bool has_one_axis(JointKind kind) {
  return facts(kind).axes == 1 && mobility(kind).turns <= 1 && mobility(kind).slides <= 1;
}

Vec3<double> across(const Vec3<double>& axis) {
  const Vec3<double> other = std::abs(axis.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> one = cross(axis, other);
  return one / norm(one);
}

// velocity of a body in the world at a point
Motion<double> velocity_at(const Velocities& bodies, int body, const Vec3<double>& point) {
  if (body == 0) return {};
  Motion<double> v = bodies.X_W[body] * bodies.v[body];
  v.linear += cross(v.angular, point);
  return v;
}

}  // namespace

bool LoopJoints::is_needed(std::span<const BasicLoop<double>> loops) {
  return std::any_of(loops.begin(), loops.end(), [](const BasicLoop<double>& loop) {
    return std::any_of(loop.dofs.begin(), loop.dofs.end(), has_numbers);
  });
}

LoopJoints::LoopJoints(std::span<const BasicLoop<double>> loops)
    : Part("loop joints"), loops_(loops.begin(), loops.end()) {
  for (const BasicLoop<double>& loop : loops) {
    if (std::none_of(loop.dofs.begin(), loop.dofs.end(), has_numbers)) continue;
    if (!has_one_axis(loop.joint_kind))
      throw Error(fmt::format(
          "loop '{}': springs, damping, friction and limits of a joint of kind {} are not "
          "simulated "
          "where it closes a loop; let another joint of the loop close it, and this one be part of "
          "the tree",
          loop.name, facts(loop.joint_kind).name));
    for (std::size_t k = 0; k < loop.dofs.size(); ++k) {
      if (!has_numbers(loop.dofs[k])) continue;
      if (loop.dofs[k].rotor_inertia != 0)
        throw Error(fmt::format(
            "loop '{}': the rotor of a motor in a joint that closes a loop is not simulated; let "
            "another joint close the loop",
            loop.name));
      Freedom one;
      one.loop = loop;
      one.name = loop.dofs.size() == 1 ? loop.name : fmt::format("{}.{}", loop.name, k);
      one.turns = mobility(loop.joint_kind).turns > 0 && k == 0;
      one.first = across(loop.axis);
      one.second = cross(loop.axis, one.first);
      one.dof = loop.dofs[k];
      freedoms_.push_back(std::move(one));
    }
  }
}

std::vector<InputSpec> LoopJoints::inputs() const {
  std::vector<InputSpec> all;
  for (const Freedom& one : freedoms_)
    all.push_back({one.name + ".effort", one.turns ? "N m" : "N", 0, -one.dof.effort_limit,
                   one.dof.effort_limit});
  return all;
}

// `counted`: about how far it has turned, for the number of turns
LoopJoints::Motion1 LoopJoints::motion_of(const Freedom& one, Evaluation& at,
                                          double counted) const {
  const Velocities& bodies = at.kinematics();
  const Transform<double> A = bodies.X_W[one.loop.body_a] * one.loop.placement_a;
  const Transform<double> B = bodies.X_W[one.loop.body_b] * one.loop.placement_b;
  Motion1 motion;
  motion.axis = A.R * one.loop.axis;
  motion.point = B.p;
  const Motion<double> v =
      velocity_at(bodies, one.loop.body_b, B.p) - velocity_at(bodies, one.loop.body_a, B.p);
  if (!one.turns) {
    motion.position = dot(motion.axis, B.p - A.p);
    motion.rate = dot(motion.axis, v.linear);
    return motion;
  }
  const Mat3<double> turn = transpose(A.R) * B.R;
  const Vec3<double> x = turn * one.first, y = turn * one.second;
  const double angle =
      std::atan2(dot(one.second, x) - dot(one.first, y), dot(one.first, x) + dot(one.second, y));
  motion.position = angle + 2 * M_PI * std::round((counted - angle) / (2 * M_PI));
  motion.rate = dot(motion.axis, v.angular);
  return motion;
}

// the inertia that the freedom meets, all loops closed: 1 / (J x), M x = Jᵀ + what the loops add
double LoopJoints::inertia_of(const Freedom& one, Evaluation& at) const {
  Mechanism held(at.model), all(at.model);
  BasicLoop<double> weld = one.loop;
  weld.kind = LoopSpec::Kind::weld;
  held.add(weld);
  for (const BasicLoop<double>& loop : loops_) all.add(loop);
  ClosedDynamics row_of(held), closed(all);
  loop_jacobian<double>(held, at.t, at.q, row_of.ws, row_of.rows);
  std::vector<double> row(at.v.size());
  for (int k = 0; k < held.tree.nv; ++k)
    for (int i = 0; i < 3; ++i)  // rows of a weld: turns, then displacements, along x, y, z
      row[at_index(k)] += row_of.rows.jt(k, i + (one.turns ? 0 : 3)) * one.loop.axis[i];
  factorize<double>(all.tree, at.q, closed.ws, closed.factor);
  loop_jacobian<double>(all, at.t, at.q, closed.ws, closed.rows);
  std::vector<double> moved = row;
  const std::vector<double> zero(at_index(all.rows), 0.0);
  solve_rows<double>(closed.factor, closed.rows, zero, closed.solver, moved);
  double mobility = 0;
  for (std::size_t k = 0; k < row.size(); ++k) mobility += row[k] * moved[k];
  return mobility > 0 ? 1 / mobility : 0;
}

void LoopJoints::initialize(Evaluation& at, std::span<double> z, std::span<double> d) {
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    z[k] = motion_of(freedoms_[k], at, 0).position;
    const DofSpec& dof = freedoms_[k].dof;
    if (!std::isfinite(dof.lower) && !std::isfinite(dof.upper)) continue;
    const double inertia = inertia_of(freedoms_[k], at);
    d[2 * k] = stop_frequency * stop_frequency * inertia;
    d[2 * k + 1] = 2 * stop_damping_ratio * stop_frequency * inertia;
  }
}

double LoopJoints::force_on(std::size_t k, const Motion1& motion, const Evaluation& at) const {
  const DofSpec& dof = freedoms_[k].dof;
  const double sign = std::clamp(motion.rate / slow, -1.0, 1.0);
  double force = at.inputs[k] - dof.stiffness * (motion.position - dof.spring_reference) -
                 dof.damping * motion.rate -
                 (sign > 0 ? dof.friction_positive : dof.friction_negative) * sign;
  const auto push = [&](double depth, double pressing, double direction) {
    if (!(depth > 0)) return;
    const double spring = at.d[2 * k] * depth;
    const double damper = at.d[2 * k + 1] * pressing;
    force -= direction * std::max(0.0, spring + std::min(damper, most_stop_damping * spring));
  };
  push(motion.position - dof.upper, motion.rate, 1);
  push(dof.lower - motion.position, -motion.rate, -1);
  return force;
}

void LoopJoints::apply(Evaluation& at) {
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    const Freedom& one = freedoms_[k];
    const Motion1 motion = motion_of(one, at, at.z[k]);
    const Vec3<double> along = motion.axis * force_on(k, motion, at);
    const Force<double> f =
        one.turns ? Force<double>{along, {}} : Force<double>{cross(motion.point, along), along};
    const Velocities& bodies = at.kinematics();
    const std::span<Force<double>> out = at.body_forces();
    const auto add = [&](int body, const Force<double>& world) {
      if (body == 0) return;
      out[at_index(body)] +=
          inverse(at.model.body_placement[body]) * (inverse(bodies.X_W[body]) * world);
    };
    add(one.loop.body_b, f);
    add(one.loop.body_a, -f);
  }
}

void LoopJoints::derivative(Evaluation& at, std::span<double> z_dot) {
  for (std::size_t k = 0; k < freedoms_.size(); ++k)
    z_dot[k] = motion_of(freedoms_[k], at, at.z[k]).rate;
}

StoredEnergy LoopJoints::stored_energy(Evaluation& at) {
  StoredEnergy sum;
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    const DofSpec& dof = freedoms_[k].dof;
    const Motion1 motion = motion_of(freedoms_[k], at, at.z[k]);
    const double stretch = motion.position - dof.spring_reference;
    sum.energy += dof.stiffness * stretch * stretch / 2;
    sum.rate += dof.stiffness * stretch * motion.rate;
  }
  return sum;
}

std::vector<EventSpec> LoopJoints::events() const {
  std::vector<EventSpec> all;
  for (const Freedom& one : freedoms_) {
    const auto event = [&](const char* which, double place) {
      if (std::isfinite(place))
        all.push_back({fmt::format("loop joint '{}' reached its {} limit", one.name, which),
                       EventSpec::Crossing::rising, EventSpec::Kind::watch});
    };
    event("upper", one.dof.upper);
    event("lower", one.dof.lower);
  }
  return all;
}

void LoopJoints::event_values(Evaluation& at, std::span<double> values) {
  std::size_t i = 0;
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    const DofSpec& dof = freedoms_[k].dof;
    if (!std::isfinite(dof.upper) && !std::isfinite(dof.lower)) continue;
    const double position = motion_of(freedoms_[k], at, at.z[k]).position;
    if (std::isfinite(dof.upper)) values[i++] = position - dof.upper;
    if (std::isfinite(dof.lower)) values[i++] = dof.lower - position;
  }
}

std::vector<Column> LoopJoints::columns() const {
  std::vector<Column> all;
  for (const Freedom& one : freedoms_) {
    all.push_back({one.name + ".position", one.turns ? "rad" : "m", "Loop joints"});
    all.push_back({one.name + ".effort", one.turns ? "N m" : "N", "Forces of loop joints"});
  }
  return all;
}

void LoopJoints::record(Evaluation& at, std::span<double> values) {
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    const Motion1 motion = motion_of(freedoms_[k], at, at.z[k]);
    values[2 * k] = motion.position;
    values[2 * k + 1] = force_on(k, motion, at);
  }
}

}  // namespace limber
