#pragma once
// The Coulomb problem of contact/contact_problem.hpp with a fixed amount of work and no branch, for
// scalars of which one value says nothing (lanes, expressions): sweeps by contacts as in
// cone_solver.cpp, over the matrix A = J M⁻¹ Jᵀ itself, each contact solved with the others as they
// are. The root α that sliding needs is bettered by a few safeguarded steps of Newton's method at
// every visit, from where the last visit left it.
//
// Several points of one rigid body, the corners of a sole, disturb each other: a foot turns easily
// and carries much, and sweeps find what its points bear together slowly. So between sweeps those
// of a group that are closed get one more impulse in common, and those that stick one along the
// ground, such that the mean of their velocities vanishes.
#include <array>
#include <vector>

#include <limber/math/vec3.hpp>
#include <limber/scalar/scalar.hpp>

namespace limber {

/// |λ − Π(λ − ρ (u + μ |u_t| n))| / ρ with 1 / ρ = weight, see cone_solver.hpp [m/s].
template <class T>
T contact_residual(const T& weight, double friction, const Vec3<T>& u, const Vec3<T>& l) {
  const auto length = [](const T& x, const T& y) { return sqrt(x * x + y * y); };
  const T mu = T(friction);
  const T n = l.x * weight - u.x - mu * length(u.y, u.z);  // in units of velocity
  const T x = l.y * weight - u.y, y = l.z * weight - u.z, t = length(x, y);
  // on the surface of the cone, inside it, or below
  const T rim = (n + mu * t) * T(1 / (1 + friction * friction));
  const T factor = mu * rim / select(t > T(0), t, T(1));
  const auto choose = [&](const T& surface, const T& inside) {
    const T near = select(t > mu * n, surface, inside);
    return select(rim > T(0), near, T(0));
  };
  const T dx = l.x * weight - choose(rim, n), dy = l.y * weight - choose(x * factor, x),
          dz = l.z * weight - choose(y * factor, y);
  return sqrt(dx * dx + dy * dy + dz * dz);
}

template <class T>
class FixedSweeps {
 public:
  /// Steps of Newton's method for α at a visit.
  static constexpr int root_steps = 2;

  /// A: 3 · contacts rows of as many numbers; b: 3 · contacts, velocities of the rows at λ = 0; per
  /// contact normal, tangent, tangent. One coefficient of friction for all. groups: contacts on one
  /// body; those alone need not be named.
  FixedSweeps(std::vector<T> A, std::vector<T> b, double friction,
              std::vector<std::vector<int>> groups = {})
      : impulse(b.size() / 3),
        A_(std::move(A)),
        b_(std::move(b)),
        mu_(friction),
        groups_(std::move(groups)) {
    for (int i = 0; i < contacts(); ++i) blocks_.push_back(block(i));
  }

  std::vector<Vec3<T>> impulse;  ///< λ: normal, tangents; from zero, or where the caller begins

  int contacts() const { return static_cast<int>(impulse.size()); }

  void solve(int sweeps) {
    for (int s = 0; s < sweeps; ++s) {
      for (int i = 0; i < contacts(); ++i) visit(s % 2 == 0 ? i : contacts() - 1 - i);
      if (s % 2 == 1 && s + 1 < sweeps)
        for (const std::vector<int>& group : groups_)
          if (group.size() > 1) push_together(group);
    }
  }

  /// u of a contact.
  Vec3<T> velocity(int i) const { return others(i, -1); }

  /// u of a contact at λ = 0.
  Vec3<T> free_velocity(int i) const {
    return {b_[index(3 * i)], b_[index(3 * i + 1)], b_[index(3 * i + 2)]};
  }

  /// How much it is off the law, see contact_residual() [m/s].
  T residual(int i) const {
    return contact_residual(weight(i), mu_, velocity(i), impulse[index(i)]);
  }

  T weight(int i) const { return at(3 * i, 3 * i); }  ///< A_nn
  double friction() const { return mu_; }

 private:
  struct Block {
    T inverse;   // 1 / A_nn; 0: nothing can move along the normal
    T gx, gy;    // A_tn / A_nn
    T e_x, e_y;  // first axis in which S = A_tt − A_tn A_nt / A_nn is diagonal
    T s1, s2;    // its eigenvalues
    T i1, i2;    // and their inverses
    T g1, g2;    // g in these axes
    T alpha;     // |u_t| / |λ_t| of the last visit
  };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static T length(const T& x, const T& y) { return sqrt(x * x + y * y); }
  static T larger(const T& x, const T& y) { return select(x > y, x, y); }
  static T smaller(const T& x, const T& y) { return select(x < y, x, y); }
  const T& at(int row, int column) const { return A_[index(row * 3 * contacts() + column)]; }

  Block block(int i) const {
    const int n = 3 * i;
    Block k;
    const T xx = at(n, n), trace = xx + at(n + 1, n + 1) + at(n + 2, n + 2);
    k.inverse = select(xx > trace * T(1e-12), T(1) / xx, T(0));
    k.gx = at(n, n + 1) * k.inverse;
    k.gy = at(n, n + 2) * k.inverse;
    const T a = at(n + 1, n + 1) - at(n, n + 1) * k.gx, b = at(n + 1, n + 2) - at(n, n + 1) * k.gy,
            c = at(n + 2, n + 2) - at(n, n + 2) * k.gy;
    const T half = T(0.5) * (a - c), middle = T(0.5) * (a + c), radius = length(half, b);
    // the column that does not cancel
    const T x = select(half < T(0), b, half + radius), y = select(half < T(0), radius - half, b);
    const T size = length(x, y), scale = T(1) / select(size > T(0), size, T(1));
    k.e_x = select(size > T(0), x * scale, T(1));
    k.e_y = y * scale;
    const T floor = trace * T(1e-7) + T(1e-30);
    k.s1 = larger(middle + radius, floor);
    k.s2 = larger(middle - radius, floor);
    k.i1 = T(1) / k.s1;
    k.i2 = T(1) / k.s2;
    k.g1 = k.e_x * k.gx + k.e_y * k.gy;
    k.g2 = k.e_x * k.gy - k.e_y * k.gx;
    k.alpha = T(0);
    return k;
  }

  /// b + Σ A λ of a contact's rows, without the share of contact `left_out`.
  Vec3<T> others(int i, int left_out) const {
    Vec3<T> u = free_velocity(i);
    for (int j = 0; j < contacts(); ++j) {
      if (j == left_out) continue;
      const Vec3<T>& l = impulse[index(j)];
      const auto row = [&](int r) {
        return at(r, 3 * j) * l.x + at(r, 3 * j + 1) * l.y + at(r, 3 * j + 2) * l.z;
      };
      u += {row(3 * i), row(3 * i + 1), row(3 * i + 2)};
    }
    return u;
  }

  /// λ_t in its axes for an α: −p / (s + α).
  struct Slide {
    T l1, l2, d1, d2;
  };
  static Slide slide(const Block& k, const T& p1, const T& p2, const T& alpha) {
    const T t1 = k.s1 + alpha, t2 = k.s2 + alpha, both = T(1) / (t1 * t2);
    const T d1 = t2 * both, d2 = t1 * both;
    return {-p1 * d1, -p2 * d2, d1, d2};
  }

  void visit(int i) {
    Block& k = blocks_[index(i)];
    const Vec3<T> c = others(i, i);
    const T mu = T(mu_), n0 = -c.x * k.inverse;
    if (!(mu_ > 0)) {
      impulse[index(i)].x = larger(n0, T(0));
      return;
    }
    const T cx = c.y - k.gx * c.x, cy = c.z - k.gy * c.x;
    const T p1 = k.e_x * cx + k.e_y * cy, p2 = k.e_x * cy - k.e_y * cx;
    const auto normal = [&](const T& l1, const T& l2) { return n0 - k.g1 * l1 - k.g2 * l2; };
    // sticking
    const T k1 = -p1 * k.i1, k2 = -p2 * k.i2, n_stick = normal(k1, k2);
    const T most = mu * larger(n_stick, T(0)), slip = k1 * k1 + k2 * k2 - most * most;
    // sliding: the root of μ n(α) / |λ_t(α)| − 1, between 0 and `high`
    const T p = length(p1, p2), reach = p / (mu * select(n0 > T(0), n0, T(1)));
    T low(0), high = reach * (T(1) + mu * length(k.g1, k.g2));
    T alpha = select(k.alpha > T(0), smaller(k.alpha, high), larger(reach - k.s1, T(0)));
    alpha = select(alpha > T(0), alpha, T(0.5) * high);
    for (int r = 0; r < root_steps; ++r) {
      const Slide s = slide(k, p1, p2, alpha);
      const T length2 = s.l1 * s.l1 + s.l2 * s.l2, n = normal(s.l1, s.l2);
      const T left = mu * n - sqrt(length2);
      const T n_rate = k.g1 * s.l1 * s.d1 + k.g2 * s.l2 * s.d2;
      const T slope = mu * (n_rate * length2 + n * (s.l1 * s.l1 * s.d1 + s.l2 * s.l2 * s.d2));
      low = select(left < T(0), alpha, low);
      high = select(left < T(0), high, alpha);
      const T next = alpha - left * length2 / select(slope > T(0), slope, T(1));
      const T middle = T(0.5) * (low + high);
      const T inside = select(next < low, middle, select(next > high, middle, next));
      alpha = select(slope > T(0), inside, middle);
    }
    const Slide s = slide(k, p1, p2, alpha);
    const T n_slide = larger(normal(s.l1, s.l2), T(0));
    // on the cone, however near α is
    const T size = length(s.l1, s.l2), scale = mu * n_slide / select(size > T(0), size, T(1));
    const auto choose = [&](const T& sliding, const T& sticking) {
      const T closed = select(slip > T(0), sliding, sticking);
      return select(n0 > T(0), closed, T(0));
    };
    const T l1 = choose(s.l1 * scale, k1), l2 = choose(s.l2 * scale, k2);
    impulse[index(i)] = {choose(n_slide, n_stick), k.e_x * l1 - k.e_y * l2,
                         k.e_y * l1 + k.e_x * l2};
    k.alpha = select(slip > T(0), alpha, T(0));
  }

  /// λ_i −= d for the rows of the group that are held, with (Σ Σ A_ij) d = Σ u_i over them.
  void push_together(const std::vector<int>& group) {
    std::vector<std::array<T, 3>> held;  // 1 or 0: normals of closed contacts, tangents that stick
    std::array<T, 3> d{T(0), T(0), T(0)};
    for (const int i : group) {
      const Vec3<T>&l = impulse[index(i)], u = velocity(i);
      const T most = T(0.9999 * mu_) * l.x;
      const T closed = select(l.x > T(0), T(1), T(0));
      const T sticks = select(l.y * l.y + l.z * l.z < most * most, closed, T(0));
      held.push_back({closed, sticks, sticks});
      d[0] += closed * u.x, d[1] += sticks * u.y, d[2] += sticks * u.z;
    }
    T C[3][3] = {};
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < group.size(); ++j)
        for (int r = 0; r < 3; ++r)
          for (int c = r; c < 3; ++c)
            C[r][c] +=
                held[i][index(r)] * held[j][index(c)] * at(3 * group[i] + r, 3 * group[j] + c);
    const T floor = (C[0][0] + C[1][1] + C[2][2]) * T(1e-6) + T(1e-30);
    // elimination of a symmetric matrix, upper triangle
    for (int k = 0; k < 3; ++k) {
      C[k][k] = T(1) / (C[k][k] + floor);
      for (int r = k + 1; r < 3; ++r) {
        const T factor = C[k][r] * C[k][k];
        for (int c = r; c < 3; ++c) C[r][c] -= factor * C[k][c];
        d[index(r)] -= factor * d[index(k)];
      }
    }
    for (int k = 2; k >= 0; --k) {
      for (int c = k + 1; c < 3; ++c) d[index(k)] -= C[k][c] * d[index(c)];
      d[index(k)] *= C[k][k];
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      Vec3<T>& l = impulse[index(group[i])];
      l = {l.x - held[i][0] * d[0], l.y - held[i][1] * d[1], l.z - held[i][2] * d[2]};
    }
  }

  std::vector<T> A_, b_;
  double mu_;
  std::vector<std::vector<int>> groups_;
  std::vector<Block> blocks_;
};

}  // namespace limber
