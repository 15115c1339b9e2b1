#pragma once
// Ode: an initial-value problem as the integrators see it. A System is one; so is any test
// equation.
#include <cstdint>
#include <memory>
#include <span>

namespace limber {

/// Whether a derivative could be computed.
enum class Evaluated : std::uint8_t {
  ok,
  failed  ///< not a number, or a robot in a position that has no dynamics; the step is given up
};

/// ẋ = f(t, x), x a flat vector. One object serves one thread; clone() makes one for another.
class Ode {
 public:
  virtual ~Ode() = default;

  /// Number of variables of x.
  virtual int size() const = 0;

  /// How many variables at the end of x are quadratures: integrals on
  /// which nothing depends. Error control leaves them out, so that they choose no step.
  virtual int quadratures() const { return 0; }

  /// x_dot = f(t, x). No allocation. x may lie off its manifold by the error of a step (quaternions
  /// that are not quite unit); what it means is its projection.
  virtual Evaluated derivative(double t, std::span<const double> x, std::span<double> x_dot) = 0;

  /// Brings x to its manifold at time t, as far as that is cheap and always possible: unit
  /// quaternions, prescribed joints where they are prescribed to be. Called for every state that is
  /// interpolated or looked at.
  virtual void project(double /*t*/, std::span<double> /*x*/) {}

  /// Brings x to its manifold after a step that ended at time t: called once for each step, before
  /// it is accepted; what it writes is where the next step begins. May solve equations. Where it
  /// fails the step is given up. By default project().
  virtual Evaluated stabilise(double t, std::span<double> x) {
    project(t, x);
    return Evaluated::ok;
  }

  /// An independent object with the same equations and the same discrete state.
  virtual std::unique_ptr<Ode> clone() const = 0;

  /// Takes over the discrete state (what controllers hold between samples, and the inputs of parts)
  /// of a clone of this object.
  virtual void copy_discrete(const Ode& /*other*/) {}

 protected:
  Ode() = default;
  Ode(const Ode&) = default;
  Ode& operator=(const Ode&) = default;
};

/// What methods for mechanical systems need besides: x = (q, v, z), positions first, then
/// velocities, then everything else. What the methods add up from step to step are velocities w in
/// axes that do not turn with a body, and the momenta p that belong to them: p · w is twice the
/// kinetic energy. Where no velocity is a component along axes that turn, w is v and p = M(q) v.
class MechanicalOde : public Ode {
 public:
  virtual int positions() const = 0;   ///< nq
  virtual int velocities() const = 0;  ///< nv

  /// w of v at q, and back; w and v may be the same numbers. By default w = v.
  virtual void to_fixed_axes(std::span<const double> q, std::span<const double> v,
                             std::span<double> w);
  virtual void from_fixed_axes(std::span<const double> q, std::span<const double> w,
                               std::span<double> v);
  /// ẇ for v̇ = a. By default a.
  virtual void fixed_axes_rate(std::span<const double> q, std::span<const double> v,
                               std::span<const double> a, std::span<double> w_dot);

  /// The positions after moving from q with constant w for dt [s]; `result` must not be q.
  virtual void move(std::span<const double> q, std::span<const double> w, double dt,
                    std::span<double> result) = 0;

  /// Rates for a step of h [s] from (t, x) to x + h ẋ by a method that is implicit where forces are
  /// stiff: those are the forces at the end of the step. By default the rates at (t, x).
  virtual Evaluated step_rate(double t, std::span<const double> x, double /*h*/,
                              std::span<double> x_dot) {
    return derivative(t, x, x_dot);
  }
  /// The step that step_rate() spoke of last is taken: what was decided for it is the discrete
  /// state now.
  virtual void take_step() {}
  /// Said before the first step: step_rate() decides what else events would decide (whether dry
  /// friction sticks).
  virtual void decide_in_steps() {}

  /// The momenta p at the positions and velocities of x [N m s or N s].
  virtual void momenta(std::span<const double> x, std::span<double> p) = 0;

  /// The velocities v (not w) whose momenta are p at the positions of x. Returns `failed` where M
  /// is singular.
  virtual Evaluated velocities_from_momenta(std::span<const double> x, std::span<const double> p,
                                            std::span<double> v) = 0;

  /// ṗ at (t, x): the rate of the momenta, all forces included (ṗ = Cᵀ v − g + τ where w is v), and
  /// ż, the rate of what follows q and v in x.
  virtual Evaluated momentum_rate(double t, std::span<const double> x, std::span<double> p_dot,
                                  std::span<double> z_dot) = 0;
};

}  // namespace limber
