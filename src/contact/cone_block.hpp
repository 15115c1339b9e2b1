#pragma once
// One contact by itself: u = A λ + c with its own 3×3 block A, solved exactly; and the projection
// that residuals are measured by.
#include <algorithm>
#include <cmath>

#include <limber/contact/cone_solver.hpp>

namespace limber {

/// As std::hypot, which cares for numbers of any size and takes ten times as long.
inline double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

/// Two numbers across the normal, in the axes in which a 2×2 matrix is diagonal.
struct Across {
  double s1, s2;  ///< eigenvalues
  double x, y;    ///< first eigenvector
};

/// Eigenvalues and axes of (a, b; b, c), the eigenvalues at least `floor`.
inline Across diagonal_axes(double a, double b, double c, double floor) {
  const double half = 0.5 * (a - c), middle = 0.5 * (a + c), radius = length_of(half, b);
  Across axes{std::max(middle + radius, floor), std::max(middle - radius, floor), 1, 0};
  // the column that does not cancel
  const double x = half >= 0 ? half + radius : b, y = half >= 0 ? b : radius - half;
  const double length = length_of(x, y);
  if (length > 0) axes.x = x / length, axes.y = y / length;
  return axes;
}

/// l with (s + α) l = −p and |l| = μ (n₀ − g · l), α > 0, where l at α = 0 is outside: the root of
/// μ n(α) / |l(α)| − 1, which is nearly straight. α: where to start, and what was found.
inline void slide_on_rim(const Across& s, double p1, double p2, double g1, double g2, double n0,
                         double mu, double& alpha, double& l1, double& l2) {
  const double p = length_of(p1, p2), g = length_of(g1, g2);
  double low = 0, high = p * (1 + mu * g) / (mu * n0);
  double at =
      alpha > low && alpha < high ? alpha : std::min(high, std::max(0.0, p / (mu * n0) - s.s1));
  if (!(at > 0)) at = 0.5 * high;
  for (int i = 0; i < 100; ++i) {
    const double d1 = 1 / (s.s1 + at), d2 = 1 / (s.s2 + at);
    l1 = -p1 * d1, l2 = -p2 * d2;
    const double length2 = l1 * l1 + l2 * l2, length = std::sqrt(length2);
    const double n = n0 - g1 * l1 - g2 * l2;
    const double value = mu * n / length - 1;
    const double n_rate = g1 * l1 * d1 + g2 * l2 * d2;
    const double length_rate = -(l1 * l1 * d1 + l2 * l2 * d2) / length;
    const double slope = mu * (n_rate - n * length_rate / length) / length;
    (value < 0 ? low : high) = at;
    const double step = value / slope;
    if (!(std::abs(step) > 1e-15 * (at + s.s2))) break;
    const double next = at - step;
    at = next > low && next < high ? next : 0.5 * (low + high);
  }
  alpha = at;
  l1 = -p1 / (s.s1 + at), l2 = -p2 / (s.s2 + at);
}

/// λ of one contact for c, what u would be at λ = 0.
inline Vec3<double> solve_one(ConeSolver::Block& block, const Vec3<double>& c, double mu) {
  const Sym3<double>& A = block.A;
  if (!(c.x < 0) || !(A.xx > 0)) return {};
  const double inverse = 1 / A.xx, n0 = -c.x * inverse;
  if (!(mu > 0)) return {n0, 0, 0};
  const double gx = A.xy * inverse, gy = A.xz * inverse;
  const double cx = c.y - gx * c.x, cy = c.z - gy * c.x;
  const double ex = block.e_x, ey = block.e_y;
  const double p1 = ex * cx + ey * cy, p2 = ex * cy - ey * cx;
  const double g1 = ex * gx + ey * gy, g2 = ex * gy - ey * gx;
  double l1 = -p1 / block.s1, l2 = -p2 / block.s2;
  double n = n0 - g1 * l1 - g2 * l2;
  if (!(n >= 0 && l1 * l1 + l2 * l2 <= mu * mu * n * n)) {
    slide_on_rim({block.s1, block.s2, ex, ey}, p1, p2, g1, g2, n0, mu, block.alpha, l1, l2);
    n = std::max(n0 - g1 * l1 - g2 * l2, 0.0);
  }
  return {n, ex * l1 - ey * l2, ey * l1 + ex * l2};
}

/// The same where the normal impulse is given: friction alone.
inline Vec3<double> solve_one_at(const ConeSolver::Block& block, const Vec3<double>& c, double mu,
                                 double normal) {
  const Sym3<double>& A = block.A;
  const Across s = diagonal_axes(A.yy, A.yz, A.zz, 1e-13 * trace(A) + 1e-300);
  const double cx = c.y + A.xy * normal, cy = c.z + A.xz * normal;
  const double p1 = s.x * cx + s.y * cy, p2 = s.x * cy - s.y * cx;
  double l1 = -p1 / s.s1, l2 = -p2 / s.s2, alpha = 0;
  if (!(mu > 0)) l1 = l2 = 0;
  else if (l1 * l1 + l2 * l2 > mu * mu * normal * normal)
    slide_on_rim(s, p1, p2, 0, 0, normal, mu, alpha, l1, l2);
  return {normal, s.x * l1 - s.y * l2, s.y * l1 + s.x * l2};
}

/// The same with a least normal impulse: that, or the one that keeps u_n = 0 with its friction.
inline Vec3<double> solve_one_above(const ConeSolver::Block& block, const Vec3<double>& c,
                                    double mu, double least) {
  const Sym3<double>& A = block.A;
  Vec3<double> l = solve_one_at(block, c, mu, least);
  const auto rate = [&] { return c.x + A.xx * l.x + A.xy * l.y + A.xz * l.z; };
  if (rate() >= 0 || !(A.xx > 0)) return l;
  // with more of it friction sticks, and u_n grows
  double low = least, high = 2 * least;
  for (int i = 0; i < 200; ++i, low = high, high *= 2) {
    l = solve_one_at(block, c, mu, high);
    if (rate() >= 0) break;
  }
  double low_rate = (l = solve_one_at(block, c, mu, low), rate());
  double high_rate = (l = solve_one_at(block, c, mu, high), rate());
  for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
    // by the chord, and by halves where that does not help
    double n =
        i % 3 == 2 ? 0.5 * (low + high) : low - low_rate * (high - low) / (high_rate - low_rate);
    if (!(n > low && n < high)) n = 0.5 * (low + high);
    if (!(n > low && n < high)) break;
    l = solve_one_at(block, c, mu, n);
    const double found = rate();
    if (found < 0) low = n, low_rate = found;
    else high = n, high_rate = found;
    if (found == 0) break;
  }
  return solve_one_at(block, c, mu, high);
}

/// The same with a slip that is given: the normal alone, with the friction that goes with it.
/// Where that pushes the bodies into each other (Painlevé) nothing acts.
inline Vec3<double> solve_one_sliding(const ConeSolver::Block& block, const Vec3<double>& c,
                                      const ContactLaw& law) {
  const Sym3<double>& A = block.A;
  const double along = A.xx - law.friction * (A.xy * law.slip_1 + A.xz * law.slip_2);
  if (!(c.x < 0) || !(A.xx > 0) || !(along > 0)) return {};
  const double n = -c.x / along;
  return {n, -law.friction * n * law.slip_1, -law.friction * n * law.slip_2};
}

/// The same with the pyramid: row after row, from what is there.
inline Vec3<double> solve_one_pyramid(const ConeSolver::Block& block, const Vec3<double>& c,
                                      double mu, Vec3<double> l) {
  const Sym3<double>& A = block.A;
  if (!(A.xx > 0)) return {};
  l.x = std::max(-(c.x + A.xy * l.y + A.xz * l.z) / A.xx, 0.0);
  const double most = mu * l.x;
  l.y = A.yy > 0 ? std::clamp(-(c.y + A.xy * l.x + A.yz * l.z) / A.yy, -most, most) : 0.0;
  l.z = A.zz > 0 ? std::clamp(-(c.z + A.xz * l.x + A.yz * l.y) / A.zz, -most, most) : 0.0;
  return l;
}

/// Moments (m_y, m_z) of rolling for c, within the radius.
inline void solve_rolling(ConeSolver::Block& block, const Vec3<double>& c, double radius,
                          Vec3<double>& m) {
  m.y = m.z = 0;
  const double ex = block.roll_x, ey = block.roll_y;
  const double p1 = ex * c.y + ey * c.z, p2 = ex * c.z - ey * c.y;
  if (!(radius > 0) || !(p1 * p1 + p2 * p2 > 0)) return;
  double l1 = -p1 / block.roll1, l2 = -p2 / block.roll2;
  if (l1 * l1 + l2 * l2 > radius * radius)
    slide_on_rim({block.roll1, block.roll2, ex, ey}, p1, p2, 0, 0, radius, 1, block.roll_alpha, l1,
                 l2);
  m.y = ex * l1 - ey * l2;
  m.z = ey * l1 + ex * l2;
}

/// The nearest point of the cone |x_t| ≤ μ x_n.
inline Vec3<double> project_on_cone(const Vec3<double>& x, double mu) {
  const double t = length_of(x.y, x.z);
  if (x.x >= 0 && t <= mu * x.x) return x;
  if (mu * t <= -x.x) return {};
  const double n = (x.x + mu * t) / (1 + mu * mu), factor = mu * n / t;
  return {n, x.y * factor, x.z * factor};
}

/// How much the velocity of a contact is off, see cone_solver.hpp.
inline double cone_residual(const Vec3<double>& u, const Vec3<double>& l, double mu,
                            double weight) {
  if (!(weight > 0)) return u.x >= 0 ? 0 : -u.x;
  const double rho = 1 / weight;
  const Vec3<double> wanted{u.x + mu * length_of(u.y, u.z), u.y, u.z};
  return norm(l - project_on_cone(l - wanted * rho, mu)) * weight;
}
/// The same with a least normal impulse, by projections of the normal and of friction.
inline double least_residual(const Vec3<double>& u, const Vec3<double>& l, double mu, double weight,
                             double least) {
  if (!(weight > 0)) return u.x >= 0 ? 0 : -u.x;
  const double rho = 1 / weight, most = mu * std::max(l.x, 0.0);
  Vec3<double> to = l - u * rho;
  to.x = std::max(to.x, least);
  if (const double t = length_of(to.y, to.z); t > most) to.y *= most / t, to.z *= most / t;
  return norm(l - to) * weight;
}
/// The same with a slip that is given.
inline double sliding_residual(const Vec3<double>& u, const Vec3<double>& l, const ContactLaw& law,
                               double weight) {
  if (!(weight > 0)) return u.x >= 0 ? 0 : -u.x;
  const double n = std::max(l.x - u.x / weight, 0.0), most = law.friction * l.x;
  return norm(l - Vec3<double>{n, -most * law.slip_1, -most * law.slip_2}) * weight;
}
inline double pyramid_residual(const Vec3<double>& u, const Vec3<double>& l, double mu,
                               double weight) {
  if (!(weight > 0)) return u.x >= 0 ? 0 : -u.x;
  const double rho = 1 / weight, most = mu * std::max(l.x, 0.0);
  const Vec3<double> to{std::max(l.x - rho * u.x, 0.0), std::clamp(l.y - rho * u.y, -most, most),
                        std::clamp(l.z - rho * u.z, -most, most)};
  return norm(l - to) * weight;
}
inline double turn_residual(const Vec3<double>& w, const Vec3<double>& m, double torsion,
                            double rolling, double weight) {
  if (!(weight > 0)) return 0;
  const double rho = 1 / weight;
  Vec3<double> to = m - w * rho;
  to.x = std::clamp(to.x, -torsion, torsion);
  const double t = length_of(to.y, to.z);
  if (t > rolling) to.y *= rolling / t, to.z *= rolling / t;
  return norm(m - to) * weight;
}

}  // namespace limber
