#include "compile/traced_contact.hpp"

#include <limber/contact/contact_rows.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/kinematics.hpp>

#include "contact/fixed_sweeps.hpp"
#include "index.hpp"

namespace limber {

namespace {

using Values = std::vector<Expr>;

Vec3<Expr> constant(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

/// Rows of the candidates, three columns each: normal, tangents.
struct ContactColumns {
  int nv = 0, count = 0;
  Values gap;  ///< (count) [m]
  Values J;    ///< nv × 3 count, row by row
  Vec3<double> n, t1, t2;

  Expr& at(int freedom, int column) { return J[at_index(freedom * 3 * count + column)]; }
};

ContactColumns columns_of(const BasicModel<Expr>& m, const StepContact& contact,
                          std::span<const Expr> q, BasicWorkspace<Expr>& ws) {
  ContactColumns c;
  c.nv = m.nv;
  c.count = static_cast<int>(contact.candidates.size());
  c.J.resize(at_index(c.nv * 3 * c.count));
  c.n = contact.normal;
  tangents_of(c.n, c.t1, c.t2);
  const Vec3<Expr> axes[3] = {constant(c.n), constant(c.t1), constant(c.t2)};
  const BasicPoses<Expr> bodies = forward_kinematics<Expr>(m, q, ws);
  for (int i = 0; i < c.count; ++i) {
    const ContactCandidate& from = contact.candidates[at_index(i)];
    const int frame = m.frame(from.link);
    const Transform<Expr> X = frame_pose(m, bodies, frame);
    const Vec3<Expr> to_center = X.R * constant(from.point);
    c.gap.push_back(dot(axes[0], X.p + to_center) - Expr(contact.height + from.radius));
    const Vec3<Expr> arm = to_center - constant(c.n * from.radius);
    const auto J = jacobian<Expr>(m, q, frame, Reference::world_aligned, ws);
    for (int k = 0; k < c.nv; ++k) {
      const Vec3<Expr> angular{J(0, k), J(1, k), J(2, k)}, linear{J(3, k), J(4, k), J(5, k)};
      const Vec3<Expr> u = linear + cross(angular, arm);
      for (int r = 0; r < 3; ++r) c.at(k, 3 * i + r) = dot(axes[r], u);
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

/// Candidates of the same body.
std::vector<std::vector<int>> groups_of(const BasicModel<Expr>& m, const StepContact& contact) {
  std::vector<std::vector<int>> groups(at_index(m.bodies()));
  for (std::size_t i = 0; i < contact.candidates.size(); ++i)
    groups[at_index(m.frames[m.frame(contact.candidates[i].link)].body)].push_back(
        static_cast<int>(i));
  return groups;
}

}  // namespace

ContactMotion traced_contact(const BasicModel<Expr>& m, const StepContact& contact,
                             std::span<const Expr> q, std::span<const Expr> v_fixed,
                             std::span<const Expr> rest, Expr h, const Loads<Expr>& loads,
                             BasicWorkspace<Expr>& ws) {
  ContactColumns c = columns_of(m, contact, q, ws);
  const int width = 3 * c.count, nv = m.nv;
  BasicTreeFactor<Expr> factor(m);
  factorize<Expr>(m, q, ws, factor, loads);
  // Y = L⁻ᵀ Jᵀ and y = L⁻ᵀ rest: A = Yᵀ D⁻¹ Y, J a = Yᵀ D⁻¹ y
  Values Y = c.J, y(rest.begin(), rest.end());
  half_solve<Expr>(factor, Y);
  half_solve<Expr>(factor, y);
  Values Z = Y;
  for (int k = 0; k < nv; ++k)
    for (int j = 0; j < width; ++j) Z[at_index(k * width + j)] *= inverse_pivot(factor, k);
  Values A(at_index(width * width)), b(at_index(width));
  for (int i = 0; i < width; ++i)
    for (int j = i; j < width; ++j)
      A[at_index(i * width + j)] = A[at_index(j * width + i)] =
          column_product(Y, i, Z, j, width, nv);
  const Expr rate = Expr(1) / h;
  for (int j = 0; j < width; ++j) {
    Expr& bj = b[at_index(j)];
    for (int k = 0; k < nv; ++k)
      bj += c.at(k, j) * v_fixed[at_index(k)] + Z[at_index(k * width + j)] * y[at_index(k)] * h;
    if (j % 3 != 0) continue;
    const Expr gap = c.gap[at_index(j / 3)], push = -gap * rate * Expr(contact.correction);
    const Expr most(contact.fastest_push);
    bj -= select(gap > Expr(0), -gap * rate, select(push < most, push, most));
  }
  FixedSweeps<Expr> solver(std::move(A), std::move(b), contact.friction, groups_of(m, contact));
  solver.solve(contact.sweeps);
  ContactMotion motion;
  for (int i = 0; i < c.count; ++i) {
    const Vec3<Expr>& l = solver.impulse[at_index(i)];
    const Vec3<Expr> force =
        (constant(c.n) * l.x + constant(c.t1) * l.y + constant(c.t2) * l.z) * rate;
    for (const Expr& f : {force.x, force.y, force.z}) motion.forces.push_back(f);
    for (int k = 0; k < nv; ++k) {
      const auto row = [&](int r) { return Y[at_index(k * width + 3 * i + r)]; };
      y[at_index(k)] += (row(0) * l.x + row(1) * l.y + row(2) * l.z) * rate;
    }
    const Expr r = solver.residual(i);
    motion.residual = i == 0 ? r : select(r > motion.residual, r, motion.residual);
  }
  finish_solve<Expr>(factor, y);
  motion.a = std::move(y);
  return motion;
}

}  // namespace limber
