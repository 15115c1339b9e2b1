#include "compile/traced_contact.hpp"

#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/kinematics.hpp>

#include "compile/traced_ground.hpp"
#include "contact/contact_bodies.hpp"
#include "contact/fixed_newton.hpp"
#include "contact/fixed_sweeps.hpp"
#include "index.hpp"

namespace limber {

namespace {

using Values = std::vector<Expr>;

constexpr double most_sunk = 1e-5;  // by the mean of the velocities [m]

Vec3<Expr> constant(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

/// Where the candidates are, and the rows of the bodies that they are on.
struct ContactColumns {
  int nv = 0, width = 0;  ///< width: rows of all bodies
  Values gap;             ///< of the candidates [m]
  Values J;               ///< nv × width, row by row
  ContactBodies<Expr> bodies;

  Expr& at(int freedom, int row) { return J[at_index(freedom * width + row)]; }
};

/// Candidates of the same body, and where the body's velocity is measured: in their middle.
struct ContactGroup {
  int frame = 0;  ///< of the first
  std::vector<int> candidates;
};

std::vector<ContactGroup> groups_of(const BasicModel<Expr>& m, const StepContact& contact) {
  std::vector<ContactGroup> groups;
  std::vector<int> group_of_body(at_index(m.bodies()), -1);
  for (std::size_t i = 0; i < contact.candidates.size(); ++i) {
    const int frame = m.frame(contact.candidates[i].link);
    int& group = group_of_body[at_index(m.frames[frame].body)];
    if (group < 0) {
      group = static_cast<int>(groups.size());
      groups.push_back({frame, {}});
    }
    groups[at_index(group)].candidates.push_back(static_cast<int>(i));
  }
  return groups;
}

ContactColumns columns_of(const BasicModel<Expr>& m, const StepContact& contact,
                          const GroundAxes& axes, std::span<const ContactGroup> groups,
                          std::span<const Expr> q, BasicWorkspace<Expr>& ws) {
  ContactColumns c;
  c.nv = m.nv;
  c.gap.resize(contact.candidates.size());
  c.bodies.points.resize(contact.candidates.size());
  for (const ContactGroup& group : groups) {
    const int rows = group.candidates.size() > 1 ? 6 : 3;
    c.bodies.bodies.push_back({c.width, rows});
    c.width += rows;
  }
  c.J.resize(at_index(c.nv * c.width));
  const BasicPoses<Expr> bodies = forward_kinematics<Expr>(m, q, ws);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Transform<Expr> X = frame_pose(m, bodies, groups[g].frame);
    // points where the ground is touched, in world axes, from the frame's origin
    std::vector<Vec3<Expr>> arms;
    Vec3<Expr> middle;
    for (const int i : groups[g].candidates) {
      const ContactCandidate& from = contact.candidates[at_index(i)];
      const Transform<Expr> own = frame_pose(m, bodies, m.frame(from.link));
      const Vec3<Expr> center = own.R * constant(from.point) + (own.p - X.p);
      const GroundBelow ground = ground_below(contact, axes, X.p + center);
      c.gap[at_index(i)] = ground.gap - Expr(from.radius);
      c.bodies.points[at_index(i)] = {static_cast<int>(g), {}, ground.n, ground.t1, ground.t2};
      arms.push_back(center - axes.world(ground.n) * Expr(from.radius));
      middle += arms.back() * Expr(1 / static_cast<double>(groups[g].candidates.size()));
    }
    for (std::size_t k = 0; k < arms.size(); ++k)
      c.bodies.points[at_index(groups[g].candidates[k])].arm = axes.along(arms[k] - middle);
    const auto J = jacobian<Expr>(m, q, groups[g].frame, Reference::world_aligned, ws);
    const auto& body = c.bodies.bodies[g];
    for (int k = 0; k < c.nv; ++k) {
      const Vec3<Expr> angular{J(0, k), J(1, k), J(2, k)}, linear{J(3, k), J(4, k), J(5, k)};
      const Vec3<Expr> turn = axes.along(angular),
                       move = axes.along(linear + cross(angular, middle));
      for (int r = 0; r < 3; ++r) {
        if (body.rows == 6) c.at(k, body.first + r) = turn[r];
        c.at(k, body.linear() + r) = move[r];
      }
    }
  }
  return c;
}

/// Σ_k x_k y_k over the freedoms of two columns of matrices with `width` columns.
Expr column_product(const Values& X, int x, const Values& Y, int y, int width, int nv) {
  Expr sum;
  for (int k = 0; k < nv; ++k) sum += X[at_index(k * width + x)] * Y[at_index(k * width + y)];
  return sum;
}

/// Least velocity along the normal: what closes a gap within the step, or takes a depth away.
Expr target_of(const StepContact& contact, Expr gap, Expr rate) {
  const Expr push = -gap * rate * Expr(contact.correction), most(contact.fastest_push);
  return select(gap > Expr(0), -gap * rate, select(push < most, push, most));
}

}  // namespace

std::vector<Expr> generalized_contact_forces(const BasicModel<Expr>& m, const StepContact& contact,
                                             std::span<const Expr> q, std::span<const Expr> forces,
                                             BasicWorkspace<Expr>& ws) {
  const GroundAxes axes = ground_axes(contact);
  const std::vector<ContactGroup> groups = groups_of(m, contact);
  ContactColumns c = columns_of(m, contact, axes, groups, q, ws);
  Values w(at_index(c.width)), tau(at_index(c.nv));
  for (std::size_t i = 0; i < contact.candidates.size(); ++i) {
    const auto& point = c.bodies.points[i];
    const Vec3<Expr> force{forces[3 * i], forces[3 * i + 1], forces[3 * i + 2]};
    c.bodies.add_impulse(point, point.along(axes.along(force)), w);
  }
  for (int k = 0; k < c.nv; ++k)
    for (int j = 0; j < c.width; ++j) tau[at_index(k)] += c.at(k, j) * w[at_index(j)];
  return tau;
}

std::vector<Vec3<Expr>> contact_rates(const BasicModel<Expr>& m, const StepContact& contact,
                                      std::span<const Expr> q, std::span<const Expr> v,
                                      std::span<const Expr> a, BasicWorkspace<Expr>& ws) {
  const GroundAxes axes = ground_axes(contact);
  const BasicAccelerations<Expr> bodies = forward_kinematics<Expr>(m, q, v, a, ws);
  std::vector<Vec3<Expr>> rates;
  for (const ContactCandidate& from : contact.candidates) {
    const int frame = m.frame(from.link);
    const Transform<Expr> X = frame_pose(m, bodies, frame);
    const Motion<Expr> at =
                           frame_classical_acceleration(m, bodies, frame, Reference::world_aligned),
                       moves = frame_velocity(m, bodies, frame, Reference::world_aligned);
    const Vec3<Expr> arm = X.R * constant(from.point),
                     n = axes.world(ground_below(contact, axes, X.p + arm).n);
    rates.push_back(at.linear + cross(at.angular, arm) +
                    cross(moves.angular, cross(moves.angular, arm)) -
                    cross(at.angular, n) * Expr(from.radius));
  }
  return rates;
}

ContactMotion traced_contact(const BasicModel<Expr>& m, const StepContact& contact,
                             std::span<const Expr> q, std::span<const Expr> v_fixed,
                             std::span<const Expr> rest, std::span<const Expr> last_forces, Expr h,
                             const Loads<Expr>& loads, BasicWorkspace<Expr>& ws,
                             const ContactMiddle* middle) {
  const GroundAxes axes = ground_axes(contact);
  const std::vector<ContactGroup> groups = groups_of(m, contact);
  ContactColumns c = columns_of(m, contact, axes, groups, q, ws);
  const int width = c.width, nv = m.nv, count = static_cast<int>(contact.candidates.size());
  BasicTreeFactor<Expr> factor(m);
  factorize<Expr>(m, q, ws, factor, loads);
  // Y = L⁻ᵀ Jᵀ and y = L⁻ᵀ rest: G = Yᵀ D⁻¹ Y, J a = Yᵀ D⁻¹ y
  Values Y = c.J, y(rest.begin(), rest.end());
  half_solve<Expr>(factor, Y);
  half_solve<Expr>(factor, y);
  Values Z = Y;
  for (int k = 0; k < nv; ++k)
    for (int j = 0; j < width; ++j) Z[at_index(k * width + j)] *= inverse_pivot(factor, k);
  c.bodies.G.resize(at_index(width * width));
  for (int i = 0; i < width; ++i)
    for (int j = i; j < width; ++j)
      c.bodies.G[at_index(i * width + j)] = c.bodies.G[at_index(j * width + i)] =
          column_product(Y, i, Z, j, width, nv);
  // velocities without contact: of the bodies, of the points
  Values V(at_index(width)), b;
  for (int j = 0; j < width; ++j)
    for (int k = 0; k < nv; ++k)
      V[at_index(j)] +=
          c.at(k, j) * v_fixed[at_index(k)] + Z[at_index(k * width + j)] * y[at_index(k)] * h;
  const Expr rate = Expr(1) / h;
  Values V_begin(at_index(width));
  for (int j = 0; j < width && middle; ++j)
    for (int k = 0; k < nv; ++k) V_begin[at_index(j)] += c.at(k, j) * middle->v_begin[at_index(k)];
  const auto last_force = [&](std::size_t i) {
    return axes.along({last_forces[3 * i], last_forces[3 * i + 1], last_forces[3 * i + 2]});
  };
  Values ends;  // gaps that the mean of the velocities leads to, where a contact acts
  const auto normal_force = [&](int i) {
    return c.bodies.points[at_index(i)].along(last_force(at_index(i))).x;
  };
  for (int i = 0; i < count; ++i) {
    const auto& point = c.bodies.points[at_index(i)];
    const Vec3<Expr> u = c.bodies.velocity(point, [&](int r) { return V[at_index(r)]; });
    if (!middle) {
      b.insert(b.end(), {u.x - target_of(contact, c.gap[at_index(i)], rate), u.y, u.z});
      continue;
    }
    const Vec3<Expr> before = c.bodies.velocity(point, [&](int r) { return V_begin[at_index(r)]; });
    const Expr gap = c.gap[at_index(i)] - before.x * h * Expr(0.5);  // where the step began
    const Vec3<Expr> ahead = point.along(axes.along(middle->rates[at_index(i)])) * (h * Expr(0.5));
    const Expr lasts = normal_force(i), none(0.0);
    const Expr target = select(lasts > none, -gap * rate * Expr(contact.correction) - ahead.x,
                               target_of(contact, gap, rate));
    ends.push_back(gap + (before.x + target) * (h * Expr(0.5)));
    b.insert(b.end(), {u.x - target, u.y + select(lasts > none, ahead.y, none),
                       u.z + select(lasts > none, ahead.z, none)});
  }
  std::vector<std::vector<int>> together;
  for (const ContactGroup& group : groups) together.push_back(group.candidates);
  FixedSweeps<Expr> sweeps(c.bodies.between_points(), std::move(b), contact.friction,
                           std::move(together));
  for (std::size_t i = 0; i < last_forces.size() / 3; ++i)
    sweeps.impulse[i] = c.bodies.points[i].along(last_force(i)) * h;
  sweeps.solve(contact.sweeps);
  ContactMotion motion;
  if (contact.newton_steps > 0) {
    FixedNewton<Expr> newton(c.bodies, sweeps);
    newton.solve(contact.newton_steps);
    motion.residual = newton.residual();
  } else {
    for (int i = 0; i < count; ++i) {
      const Expr r = sweeps.residual(i);
      motion.residual = i == 0 ? r : select(r > motion.residual, r, motion.residual);
    }
  }
  Values w(at_index(width));  // impulses on the bodies
  for (int i = 0; i < count; ++i) {
    const Vec3<Expr>& l = sweeps.impulse[at_index(i)];
    const Vec3<Expr> force = axes.world(c.bodies.points[at_index(i)].on_ground(l)) * rate;
    for (const Expr& f : {force.x, force.y, force.z}) motion.forces.push_back(f);
    c.bodies.add_impulse(c.bodies.points[at_index(i)], l, w);
    if (middle)
      motion.sinks =
          select(l.x > Expr(0), select(ends[at_index(i)] < Expr(-most_sunk), Expr(1), motion.sinks),
                 motion.sinks);
  }
  for (int k = 0; k < nv; ++k)
    for (int j = 0; j < width; ++j)
      y[at_index(k)] += Y[at_index(k * width + j)] * (w[at_index(j)] * rate);
  finish_solve<Expr>(factor, y);
  motion.a = std::move(y);
  return motion;
}

}  // namespace limber
