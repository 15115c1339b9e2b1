#pragma once
// What sweeps (fixed_sweeps.hpp) leave of the Coulomb problem where several points stand on one
// rigid body, taken away by a fixed number of steps of Newton's method, without a branch.
//
// Alart and Curnier's equations, with the step s that weighs velocities against impulses:
//   λ_n = max(0, ζ_n),  λ_t = ζ_t min(1, μ λ_n / |ζ_t|),  ζ = λ − s u
// Their derivative D = −∂λ/∂u needs G of the bodies only (contact_bodies.hpp): the bodies'
// velocities change by
//   (G⁻¹ + Σ P_iᵀ D_i P_i) dV = Σ P_iᵀ (λ_i(ζ) − λ_i)
// With a large s a step of Newton's method is as good as it gets near the solution, and wild far
// from it. So s is a trust region: a step that makes the largest residual smaller is kept and s
// grows, another is forgotten and s shrinks. Along the ground s is larger for points that carry
// more: those that carry little then bear little friction, and a foot that can stick as a whole
// does not slide on one of its corners.
#include <vector>

#include "contact/contact_bodies.hpp"
#include "contact/fixed_sweeps.hpp"

namespace limber {

template <class T>
class FixedNewton {
 public:
  /// sweeps: the problem between the points of `bodies`, and the impulses to begin with.
  FixedNewton(const ContactBodies<T>& bodies, FixedSweeps<T>& sweeps)
      : bodies_(bodies), sweeps_(sweeps), inverse_(inverse_of_G()), scale_(first_scale) {
    for (int i = 0; i < sweeps.contacts(); ++i) {
      u_.push_back(sweeps.velocity(i));
      free_.push_back(sweeps.free_velocity(i));
      weight_.push_back(sweeps.weight(i));
      step_.push_back(select(weight_.back() > T(0), T(1) / weight_.back(), T(0)));
      largest_ = larger(largest_, sweeps.residual(i));
    }
  }

  void solve(int steps) {
    for (int k = 0; k < steps; ++k) step();
  }

  T residual() const { return largest_; }  ///< the largest [m/s]

 private:
  static constexpr double first_scale = 13, growth = 2.5, shrinkage = 0.15;
  static constexpr double most_share = 2.6;  ///< of the mean load, that counts for friction
  /// Share of G's diagonal that is added to it: bodies may have more rows than the robot freedoms.
  static constexpr double floor_of_G = 1e-5;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static T larger(const T& x, const T& y) { return select(x > y, x, y); }

  /// λ(ζ) of a point and −∂λ/∂u, row by row.
  struct Law {
    Vec3<T> impulse;
    T normal, across[2], along[2][2];
  };

  std::vector<T> inverse_of_G() const {
    const int n = bodies_.rows();
    std::vector<T> A = bodies_.G;
    const auto at = [&](int i, int j) -> T& { return A[index(i < j ? i * n + j : j * n + i)]; };
    for (int k = 0; k < n; ++k) at(k, k) += at(k, k) * T(floor_of_G) + T(1e-20);
    // Beaton's sweeps: A becomes −A⁻¹, upper triangle
    for (int k = 0; k < n; ++k) {
      const T d = T(1) / at(k, k);
      for (int i = 0; i < n; ++i) {
        if (i == k) continue;
        const T factor = at(i, k) * d;
        for (int j = i; j < n; ++j)
          if (j != k) at(i, j) -= factor * at(k, j);
      }
      for (int i = 0; i < n; ++i)
        if (i != k) at(i, k) *= d;
      at(k, k) = -d;
    }
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j) A[index(i * n + j)] = A[index(j * n + i)] = -at(i, j);
    return A;
  }

  /// P G Σ Pᵀ λ: what impulses make of the points' velocities.
  std::vector<Vec3<T>> velocities_of(const std::vector<Vec3<T>>& impulse) const {
    const int n = bodies_.rows();
    std::vector<T> w(index(n)), V(index(n));
    for (std::size_t i = 0; i < impulse.size(); ++i)
      bodies_.add_impulse(bodies_.points[i], impulse[i], w);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) V[index(r)] += bodies_.G[index(r * n + c)] * w[index(c)];
    std::vector<Vec3<T>> u;
    for (const auto& point : bodies_.points)
      u.push_back(bodies_.velocity(point, [&](int r) { return V[index(r)]; }));
    return u;
  }

  /// Disc of friction: ζ_t cut to μ λ_n.
  struct Disc {
    T size, factor;
  };
  Disc disc(const T& x, const T& y, const T& most) const {
    const T size = sqrt(x * x + y * y);
    return {size, select(size > most, most / select(size > T(0), size, T(1)), T(1))};
  }

  Vec3<T> impulse_of(int i, const Vec3<T>& u, const T& step, const T& step_along) const {
    const Vec3<T>& l = sweeps_.impulse[index(i)];
    const T n = larger(l.x - step * u.x, T(0));
    if (!(sweeps_.friction() > 0)) return {n, T(0), T(0)};
    const T x = l.y - step_along * u.y, y = l.z - step_along * u.z;
    const T factor = disc(x, y, T(sweeps_.friction()) * n).factor;
    return {n, x * factor, y * factor};
  }

  Law law_of(int i, const T& step, const T& step_along) const {
    const Vec3<T>&l = sweeps_.impulse[index(i)], u = u_[index(i)];
    Law law{};
    law.impulse = impulse_of(i, u, step, step_along);
    law.normal = select(law.impulse.x > T(0), step, T(0));
    if (!(sweeps_.friction() > 0)) return law;
    const T mu = T(sweeps_.friction()), most = mu * law.impulse.x;
    const T x = l.y - step_along * u.y, y = l.z - step_along * u.z;
    const Disc d = disc(x, y, most);
    const T inverse = T(1) / select(d.size > T(0), d.size, T(1)), e1 = x * inverse,
            e2 = y * inverse;
    const T slides = select(d.size > most, T(1), T(0)), held = step_along * d.factor;
    law.across[0] = slides * mu * law.normal * e1;
    law.across[1] = slides * mu * law.normal * e2;
    law.along[0][0] = held * (T(1) - slides * e1 * e1);
    law.along[1][1] = held * (T(1) - slides * e2 * e2);
    law.along[0][1] = law.along[1][0] = -held * slides * e1 * e2;
    return law;
  }

  /// K += Pᵀ D P of a point.
  void add_stiffness(const typename ContactBodies<T>::Point& point, const Law& law,
                     std::vector<T>& K) const {
    const int n = bodies_.rows();
    const auto& body = bodies_.bodies[index(point.body)];
    const auto D = [&](const Vec3<T>& velocity) {
      const Vec3<T> u = point.along(velocity);
      return point.on_ground({law.normal * u.x,
                              law.across[0] * u.x + law.along[0][0] * u.y + law.along[0][1] * u.z,
                              law.across[1] * u.x + law.along[1][0] * u.y + law.along[1][1] * u.z});
    };
    const auto add = [&](int column, const Vec3<T>& force) {
      const Vec3<T> moment = cross(point.arm, force);
      for (int r = 0; r < 3; ++r) {
        K[index((body.linear() + r) * n + column)] += force[r];
        if (body.rows == 6) K[index((body.first + r) * n + column)] += moment[r];
      }
    };
    for (int c = 0; c < 3; ++c) {
      Vec3<T> unit;
      unit[c] = T(1);
      add(body.linear() + c, D(unit));
      if (body.rows == 6) add(body.first + c, D(cross(unit, point.arm)));
    }
  }

  /// x := K⁻¹ x by elimination; K is destroyed.
  void eliminate(std::vector<T>& K, std::vector<T>& x) const {
    const int n = bodies_.rows();
    const auto at = [&](int i, int j) -> T& { return K[index(i * n + j)]; };
    for (int k = 0; k < n; ++k) {
      at(k, k) = T(1) / at(k, k);
      for (int i = k + 1; i < n; ++i) {
        const T factor = at(i, k) * at(k, k);
        for (int j = k + 1; j < n; ++j) at(i, j) -= factor * at(k, j);
        x[index(i)] -= factor * x[index(k)];
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) x[index(k)] -= at(k, j) * x[index(j)];
      x[index(k)] *= at(k, k);
    }
  }

  void step() {
    const int count = sweeps_.contacts();
    T load(0);
    for (const Vec3<T>& l : sweeps_.impulse) load += l.x;
    const T share = T(count) / select(load > T(0), load, T(1));
    std::vector<T> K = inverse_, dV(index(bodies_.rows())), along;
    for (int i = 0; i < count; ++i) {
      const Vec3<T>& l = sweeps_.impulse[index(i)];
      const T s = step_[index(i)] * scale_;
      const T loaded = larger(l.x - s * u_[index(i)].x, T(0)) * share;
      along.push_back(s * T(0.5) * (T(1) + select(loaded > T(most_share), T(most_share), loaded)));
      const Law law = law_of(i, s, along.back());
      bodies_.add_impulse(bodies_.points[index(i)], law.impulse - l, dV);
      add_stiffness(bodies_.points[index(i)], law, K);
    }
    eliminate(K, dV);
    std::vector<Vec3<T>> tried;
    for (int i = 0; i < count; ++i) {
      const Vec3<T> du =
          bodies_.velocity(bodies_.points[index(i)], [&](int r) { return dV[index(r)]; });
      tried.push_back(impulse_of(i, u_[index(i)] + du, step_[index(i)] * scale_, along[index(i)]));
    }
    keep_if_better(tried);
  }

  void keep_if_better(const std::vector<Vec3<T>>& tried) {
    std::vector<Vec3<T>> u = velocities_of(tried);
    T largest(0);
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] += free_[i];
      largest = larger(largest, contact_residual(weight_[i], sweeps_.friction(), u[i], tried[i]));
    }
    // false for what is no number, too
    const auto better = largest < largest_;
    for (std::size_t i = 0; i < u.size(); ++i)
      for (int r = 0; r < 3; ++r) {
        sweeps_.impulse[i][r] = select(better, tried[i][r], sweeps_.impulse[i][r]);
        u_[i][r] = select(better, u[i][r], u_[i][r]);
      }
    scale_ *= select(better, T(growth), T(shrinkage));
    largest_ = select(better, largest, largest_);
  }

  const ContactBodies<T>& bodies_;
  FixedSweeps<T>& sweeps_;
  std::vector<T> inverse_;         // of G
  T scale_;                        // of the steps s
  std::vector<T> step_, weight_;   // 1 / A_nn, A_nn
  std::vector<Vec3<T>> u_, free_;  // velocities, with impulses and without
  T largest_ = T(0);
};

}  // namespace limber
