#include <limber/sim/loop_joints.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/constraint/closed_dynamics.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_kind.hpp>

#include "index.hpp"
#include "model/canonical.hpp"

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

// velocity of a body in the world at a point
Motion<double> velocity_at(const Velocities& bodies, int body, const Vec3<double>& point) {
  if (body == 0) return {};
  Motion<double> v = bodies.X_W[body] * bodies.v[body];
  v.linear += cross(v.angular, point);
  return v;
}

double nearest_turn(double angle, double counted) {
  return angle + 2 * M_PI * std::round((counted - angle) / (2 * M_PI));
}

}  // namespace

bool LoopJoints::is_needed(std::span<const BasicLoop<double>> loops) {
  return std::any_of(loops.begin(), loops.end(), [](const BasicLoop<double>& loop) {
    return std::any_of(loop.dofs.begin(), loop.dofs.end(), has_numbers);
  });
}

struct LoopJoints::Relative {
  Transform<double> A, B;  // in the world
  Mat3<double> turn;       // B in A
  Motion<double> v;        // at the origin of b, in the world
};

LoopJoints::LoopJoints(std::span<const BasicLoop<double>> loops)
    : Part("loop joints"), loops_(loops.begin(), loops.end()) {
  for (const BasicLoop<double>& loop : loops) {
    const std::span<const JointVariable> variables = facts(loop.joint_kind).velocities;
    for (std::size_t k = 0; k < loop.dofs.size(); ++k) {
      if (!has_numbers(loop.dofs[k])) continue;
      if (loop.dofs[k].rotor_inertia != 0)
        throw Error(fmt::format(
            "loop '{}': the rotor of a motor in a joint that closes a loop is not simulated; let "
            "another joint close the loop",
            loop.name));
      Freedom one;
      one.loop = loop;
      one.name =
          loop.dofs.size() == 1 ? loop.name : fmt::format("{}.{}", loop.name, variables[k].label);
      one.index = static_cast<int>(k);
      one.turns = variables[k].unit == "rad";
      JointSpec joint;
      joint.kind = loop.joint_kind;
      joint.axis = loop.axis;
      joint.axis2 = loop.axis2;
      one.axes = joint_axes(joint);
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
  Relative b;
  b.A = bodies.X_W[one.loop.body_a] * one.loop.placement_a;
  b.B = bodies.X_W[one.loop.body_b] * one.loop.placement_b;
  b.turn = transpose(b.A.R) * b.B.R;
  b.v = velocity_at(bodies, one.loop.body_b, b.B.p) - velocity_at(bodies, one.loop.body_a, b.B.p);
  const JointFacts& kind = facts(one.loop.joint_kind);
  Motion1 motion = kind.quaternion >= 0 ? on_ball(one, b)
                   : kind.axes == 2     ? on_cross(one, b, counted)
                                        : on_axis(one, b, counted);
  motion.point = b.B.p;
  return motion;
}

// a turn about z, or a slide along x, y or z, of axes that are fixed in frame a
LoopJoints::Motion1 LoopJoints::on_axis(const Freedom& one, const Relative& b,
                                        double counted) const {
  const std::string_view label = facts(one.loop.joint_kind).velocities[at_index(one.index)].label;
  const Vec3<double> axis = one.axes.column(label == "x" ? 0 : label == "y" ? 1 : 2);
  Motion1 motion;
  motion.along_position = motion.along_rate = b.A.R * axis;
  if (one.turns) {
    const Vec3<double> first = one.axes.column(0), second = one.axes.column(1);
    const Vec3<double> x = b.turn * first, y = b.turn * second;
    motion.position = nearest_turn(
        std::atan2(dot(second, x) - dot(first, y), dot(first, x) + dot(second, y)), counted);
    motion.rate = dot(motion.along_rate, b.v.angular);
  } else {
    motion.position = dot(motion.along_rate, b.B.p - b.A.p);
    motion.rate = dot(motion.along_rate, b.v.linear);
  }
  motion.position_rate = motion.rate;
  return motion;
}

// turns about x of frame a, then about the y that has turned with it: y of frame b
LoopJoints::Motion1 LoopJoints::on_cross(const Freedom& one, const Relative& b,
                                         double counted) const {
  const Vec3<double> x = one.axes.column(0), y = one.axes.column(1), z = one.axes.column(2);
  const Vec3<double> moved = one.index == 0 ? b.turn * y : transpose_times(b.turn, x);
  const double angle = one.index == 0 ? std::atan2(dot(z, moved), dot(y, moved))
                                      : std::atan2(dot(z, moved), dot(x, moved));
  Motion1 motion;
  motion.position = nearest_turn(angle, counted);
  motion.along_position = motion.along_rate = one.index == 0 ? b.A.R * x : b.B.R * y;
  motion.position_rate = motion.rate = dot(motion.along_rate, b.v.angular);
  return motion;
}

// positions: rotation vector φ and displacement of b, in the axes of a; rates: in those of b, with
// φ̇ = ω + ½ φ × ω + c φ × (φ × ω)
LoopJoints::Motion1 LoopJoints::on_ball(const Freedom& one, const Relative& b) const {
  const int axis = one.index % 3;
  Vec3<double> unit;
  unit[axis] = 1;
  Motion1 motion;
  motion.along_rate = b.B.R * unit;
  if (!one.turns) {
    motion.along_position = b.A.R * unit;
    motion.position = dot(motion.along_position, b.B.p - b.A.p);
    motion.position_rate = dot(motion.along_position, b.v.linear);
    motion.rate = dot(motion.along_rate, b.v.linear);
    return motion;
  }
  const Vec3<double> phi = log_quat(to_quat(b.turn));
  const double angle = norm(phi);
  constexpr double small = 1e-3;  // there the series is as good
  const double c = angle < small ? 1.0 / 12 + angle * angle / 720
                                 : (1 - angle / 2 / std::tan(angle / 2)) / (angle * angle);
  // the transposed matrix times the unit vector
  const Vec3<double> row = unit - cross(phi, unit) * 0.5 + cross(phi, cross(phi, unit)) * c;
  motion.position = phi[axis];
  motion.along_position = b.B.R * row;
  motion.position_rate = dot(motion.along_position, b.v.angular);
  motion.rate = dot(motion.along_rate, b.v.angular);
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
  const Transform<double> A = at.kinematics().X_W[one.loop.body_a] * one.loop.placement_a;
  const Vec3<double> along = transpose_times(A.R, motion_of(one, at, 0).along_position);
  for (int k = 0; k < held.tree.nv; ++k)
    for (int i = 0; i < 3; ++i)  // rows of a weld: turns, then displacements, along x, y, z
      row[at_index(k)] += row_of.rows.jt(k, i + (one.turns ? 0 : 3)) * along[i];
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

LoopJoints::Acting LoopJoints::force_on(std::size_t k, const Motion1& motion,
                                        const Evaluation& at) const {
  const DofSpec& dof = freedoms_[k].dof;
  const double sign = std::clamp(motion.rate / slow, -1.0, 1.0);
  Acting force;
  force.on_rate = at.inputs[k] - dof.damping * motion.rate -
                  (sign > 0 ? dof.friction_positive : dof.friction_negative) * sign;
  force.on_position = -dof.stiffness * (motion.position - dof.spring_reference);
  const auto push = [&](double depth, double pressing, double direction) {
    if (!(depth > 0)) return;
    const double spring = at.d[2 * k] * depth;
    const double damper = at.d[2 * k + 1] * pressing;
    force.on_position -=
        direction * std::max(0.0, spring + std::min(damper, most_stop_damping * spring));
  };
  push(motion.position - dof.upper, motion.position_rate, 1);
  push(dof.lower - motion.position, -motion.position_rate, -1);
  return force;
}

void LoopJoints::apply(Evaluation& at) {
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    const Freedom& one = freedoms_[k];
    const Motion1 motion = motion_of(one, at, at.z[k]);
    const Acting acting = force_on(k, motion, at);
    const Vec3<double> along =
        motion.along_position * acting.on_position + motion.along_rate * acting.on_rate;
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
    z_dot[k] = motion_of(freedoms_[k], at, at.z[k]).position_rate;
}

StoredEnergy LoopJoints::stored_energy(Evaluation& at) {
  StoredEnergy sum;
  for (std::size_t k = 0; k < freedoms_.size(); ++k) {
    const DofSpec& dof = freedoms_[k].dof;
    const Motion1 motion = motion_of(freedoms_[k], at, at.z[k]);
    const double stretch = motion.position - dof.spring_reference;
    sum.energy += dof.stiffness * stretch * stretch / 2;
    sum.rate += dof.stiffness * stretch * motion.position_rate;
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
    values[2 * k + 1] = force_on(k, motion, at).sum();
  }
}

}  // namespace limber
