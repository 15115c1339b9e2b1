#pragma once
// Initial-value problems for the tests of the integrators: one with a known solution, and robots.
#include <cmath>

#include <limber/limber.hpp>
#include <limber/sim/integrator.hpp>

namespace limber::test {

/// A planet on an ellipse of eccentricity 0.3 in polar coordinates: x = (r, φ, ṙ, φ̇, z) with
/// M = diag(1, r²) and ż = r. Semi-major axis 1, period 2π; begins at the nearest point.
class Kepler final : public MechanicalOde {
 public:
  static constexpr double e = 0.3;
  int size() const override { return 5; }
  int positions() const override { return 2; }
  int velocities() const override { return 2; }

  Evaluated derivative(double, std::span<const double> x, std::span<double> x_dot) override {
    const double r = x[0], r_dot = x[2], w = x[3];
    x_dot[0] = r_dot;
    x_dot[1] = w;
    x_dot[2] = r * w * w - 1 / (r * r);
    x_dot[3] = -2 * r_dot * w / r;
    x_dot[4] = r;
    return Evaluated::ok;
  }
  void move(std::span<const double> q, std::span<const double> v, double dt,
            std::span<double> result) override {
    for (std::size_t i = 0; i < 2; ++i) result[i] = q[i] + v[i] * dt;
  }
  void momenta(std::span<const double> x, std::span<double> p) override {
    p[0] = x[2];
    p[1] = x[0] * x[0] * x[3];
  }
  Evaluated velocities_from_momenta(std::span<const double> x, std::span<const double> p,
                                    std::span<double> v) override {
    v[0] = p[0];
    v[1] = p[1] / (x[0] * x[0]);
    return Evaluated::ok;
  }
  Evaluated momentum_rate(double, std::span<const double> x, std::span<double> p_dot,
                          std::span<double> z_dot) override {
    p_dot[0] = x[0] * x[3] * x[3] - 1 / (x[0] * x[0]);
    p_dot[1] = 0;
    z_dot[0] = x[0];
    return Evaluated::ok;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<Kepler>(*this); }

  /// The exact solution, by Kepler's equation t = E − e sin E.
  static std::vector<double> solution(double t) {
    double E = t;
    for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
    const double r = 1 - e * std::cos(E), E_dot = 1 / r;
    const double turns = std::floor((E + M_PI) / (2 * M_PI));
    const double phi = 2 * std::atan2(std::sqrt(1 + e) * std::sin(E / 2 - M_PI * turns),
                                      std::sqrt(1 - e) * std::cos(E / 2 - M_PI * turns)) +
                       2 * M_PI * turns;
    return {r, phi, e * std::sin(E) * E_dot, std::sqrt(1 - e * e) / (r * r),
            E - 2 * e * std::sin(E) + e * e * (E / 2 + std::sin(2 * E) / 4)};
  }
};

/// A robot without drives, or with forces that depend on time: tau[k] = push · sin(t + k).
class RobotOde final : public MechanicalOde {
 public:
  explicit RobotOde(const Model& robot, double push_amplitude = 0)
      : push(push_amplitude), model_(&robot), ws_(robot), tau_(nv()) {}

  double push;  ///< discrete state, as a controller's output would be

  const Model& model() const { return *model_; }
  int size() const override { return model_->nq + model_->nv; }
  int positions() const override { return model_->nq; }
  int velocities() const override { return model_->nv; }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<RobotOde>(*this); }
  void copy_discrete(const Ode& other) override {
    push = dynamic_cast<const RobotOde&>(other).push;
  }

  Evaluated derivative(double t, std::span<const double> x, std::span<double> x_dot) override {
    const auto q = x.first(nq()), v = x.subspan(nq());
    position_rate(*model_, q, v, x_dot.first(nq()));
    set_forces(t);
    const auto a = forward_dynamics<double>(*model_, q, v, tau_, ws_);
    std::copy(a.begin(), a.end(), x_dot.begin() + model_->nq);
    return Evaluated::ok;
  }
  void project(double, std::span<double> x) override { normalize(*model_, x.first(nq())); }
  void move(std::span<const double> q, std::span<const double> v, double dt,
            std::span<double> result) override {
    integrate(*model_, q, v, dt, result);
  }
  void momenta(std::span<const double> x, std::span<double> p) override {
    generalized_momentum<double>(*model_, x.first(nq()), x.subspan(nq(), nv()), ws_, p);
  }
  Evaluated velocities_from_momenta(std::span<const double> x, std::span<const double> p,
                                    std::span<double> v) override {
    std::copy(p.begin(), p.end(), v.begin());
    solve(factorize<double>(*model_, x.first(nq()), ws_), v);
    return Evaluated::ok;
  }
  Evaluated momentum_rate(double t, std::span<const double> x, std::span<double> p_dot,
                          std::span<double>) override {
    momentum_observer_bias<double>(*model_, x.first(nq()), x.subspan(nq(), nv()), ws_, p_dot);
    set_forces(t);
    for (std::size_t k = 0; k < nv(); ++k) p_dot[k] += tau_[k];
    return Evaluated::ok;
  }

 private:
  std::size_t nq() const { return static_cast<std::size_t>(model_->nq); }
  std::size_t nv() const { return static_cast<std::size_t>(model_->nv); }
  void set_forces(double t) {
    for (std::size_t k = 0; k < nv(); ++k) tau_[k] = push * std::sin(t + static_cast<double>(k));
  }

  const Model* model_;
  Workspace ws_;
  std::vector<double> tau_;
};

/// An asymmetric body that spins freely in space and carries an arm on a hinge, in gravity.
inline Model spinning_robot() {
  Spec spec;
  spec.add_body("body", 3, {0.02, 0.05, -0.03}, {0.1, 0.2, 0.25});
  spec.add_body("arm", 1, {0.3, 0, 0.1}, {0.02, 0.03, 0.04});
  spec.add_joint("hinge", JointKind::revolute, "body", "arm", {0, 1, 0},
                 {Mat3<double>::identity(), {0.2, 0.1, 0}});
  float_base(spec);
  return build(spec);
}
/// A state of it: tumbling about the middle axis.
inline std::vector<double> spinning_state() {
  return {0.1, 0.2, 0.3,  0.1, -0.3, 0.4, std::sqrt(1 - 0.26),
          0.5,                                    // position, quaternion, hinge
          0.3, 2.0, -0.2, 0.4, 0.1,  0.6, -1.0};  // velocities
}

/// Carries `ode` from (0, x) to `end`; fails the test where a step fails.
inline std::vector<double> carry(Integrator& integrator, Ode& ode, std::span<const double> x,
                                 double end) {
  integrator.start(ode, 0, x);
  while (integrator.t() < end)
    if (integrator.step(end) != StepStatus::ok) {
      ADD_FAILURE() << "no step possible from t = " << integrator.t();
      break;
    }
  return {integrator.x().begin(), integrator.x().end()};
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return std::isnan(most) || a.size() != b.size() ? INFINITY : most;
}

/// Settings with which every method has steps of h: tolerances that are met by any step.
inline IntegratorSettings fixed_steps(std::string_view method, double h) {
  return {std::string(method), h, 1e3, 1e3, h, 1};
}

}  // namespace limber::test
