#pragma once
// Friction problems and their law in plain terms, for comparison: dense matrices, no code of the
// library's solvers.
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <limber/contact/cone_solver.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {

/// u = A λ + b, three numbers for each contact: normal, two tangents.
struct PlainProblem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b, friction;
  int contacts() const { return static_cast<int>(friction.size()); }
  ContactProblem problem() const {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = A;
    return contact_problem({rows.data(), static_cast<std::size_t>(rows.size())}, in(b),
                           in(friction));
  }
};

inline Eigen::VectorXd impulses(const ContactProblem& problem) {
  Eigen::VectorXd l(3 * problem.contacts());
  for (int c = 0; c < problem.contacts(); ++c)
    l.segment<3>(3 * c) << problem.impulse[c].x, problem.impulse[c].y, problem.impulse[c].z;
  return l;
}

/// How far λ is from Coulomb's law, the worst of: normal impulse and velocity below zero, their
/// product, impulses beyond the cone, sliding that is not opposed with all that friction has.
/// Velocities count as they are, impulses times the size of A.
inline double coulomb_error(const PlainProblem& p, const Eigen::VectorXd& l) {
  const Eigen::VectorXd u = p.A * l + p.b;
  double worst = 0;
  for (int c = 0; c < p.contacts(); ++c) {
    const double size = p.A(3 * c, 3 * c), mu = p.friction[c];
    const double un = u[3 * c], ln = l[3 * c] * size;
    const Eigen::Vector2d ut = u.segment<2>(3 * c + 1), lt = l.segment<2>(3 * c + 1) * size;
    worst = std::max({worst, -un, -ln, std::min(std::abs(un), std::abs(ln)), lt.norm() - mu * ln});
    // |u_t| (μ λ_n) + u_t · λ_t = 0: all the friction there is, straight against the slip
    if (ut.norm() > 0 && ln > 0)
      worst = std::max(worst, std::min(ut.norm(), (lt + ut / ut.norm() * mu * ln).norm()));
  }
  return worst;
}

/// A = H M⁻¹ Hᵀ of random bodies in contact, as heaps have it: each contact joins one or two of the
/// bodies.
inline PlainProblem random_friction_problem(int contacts, Random& random) {
  const int bodies = 1 + contacts / random.integer(1, 4);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * contacts, 6 * bodies);
  PlainProblem p;
  p.b.resize(3 * contacts);
  p.friction.resize(contacts);
  const auto put = [&](int c, int body, double sign) {
    const Mat3<double> R = random.rotation();
    const Vec3<double> arm = random.vec3(1.0);
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> e = R.row(i);
      const Eigen::Vector3d d(e.x, e.y, e.z), r(arm.x, arm.y, arm.z);
      J.block<1, 3>(3 * c + i, 6 * body) = sign * r.cross(d).transpose() * 2.0;
      J.block<1, 3>(3 * c + i, 6 * body + 3) = sign * d.transpose();
    }
  };
  for (int c = 0; c < contacts; ++c) {
    const int a = random.integer(0, bodies - 1), other = random.integer(-1, bodies - 1);
    put(c, a, 1);
    if (other >= 0 && other != a) put(c, other, -1);
    p.friction[c] = random.uniform(0, 1.0);
  }
  Eigen::VectorXd v(6 * bodies), masses(6 * bodies);
  for (double& x : v) x = random.uniform();
  for (double& x : masses) x = random.uniform(0.3, 3);
  p.b = J * v;
  p.A = J * masses.cwiseInverse().asDiagonal() * J.transpose();
  return p;
}

}  // namespace limber::test
