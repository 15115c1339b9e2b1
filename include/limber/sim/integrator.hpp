#pragma once
// Integrator: carries an Ode from one instant to the next. All methods stand behind this interface;
// make_integrator() makes one from its settings.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <limber/sim/ode.hpp>

namespace limber {

/// How a step ended.
enum class StepStatus : std::uint8_t {
  ok,
  not_computable,  ///< the derivative or stabilise() failed or was not finite, however short the
                   ///< step
  step_too_small,  ///< error control or settings need a step below the resolution of the clock
  no_convergence   ///< an implicit step did not converge
};

/// What an integrator has spent since it was made.
struct IntegratorCost {
  long steps = 0;        ///< accepted; a block of B points counts as B
  long rejected = 0;     ///< tried again with a shorter step
  long evaluations = 0;  ///< of the derivative (midpoint: of momentum_rate too), by all threads
};

/// The method of integration, its steps and tolerances.
struct IntegratorSettings {
  std::string method =
      "rk4";  ///< a name of integrator_methods(), or "time_stepping", "time_stepping_adaptive"
  double step = 1e-3;  ///< fixed steps: their length; dopri5: the first one; cvode_adams and
                       ///< cvode_bdf find their own [s]
  double relative_tolerance = 1e-8, absolute_tolerance = 1e-10;  ///< methods with error control
  double max_step = 0.05;                                        ///< methods with error control [s]
  /// How many work at once. Block methods: at most one for each point of a block. time_stepping:
  /// islands of contacts; the result does not depend on it.
  int threads = 1;
};

/// A setting that cannot be used, by its name in the code, and what is wrong with it.
struct SettingFault {
  std::string setting;  ///< e.g. "max_step"
  std::string reason;   ///< what was found, what is needed
};
/// The first fault of the settings: an unknown method (with the nearest name), steps that are not
/// positive, tolerances that no number resolves, threads that the method cannot use.
std::optional<SettingFault> find_fault(const IntegratorSettings& settings);

/// What there is to choose from.
struct IntegratorMethod {
  std::string_view name;
  int order;           ///< of convergence; cvode: the highest that it uses
  bool error_control;  ///< chooses its steps by the tolerances
  bool mechanical;     ///< needs a MechanicalOde
  int block;           ///< points that are computed at once, by as many threads at most; else 1
  std::string_view meaning;
};
std::span<const IntegratorMethod> integrator_methods();
/// Steps over hard contact (docs/contact.md), of fixed length and with error control: they need a
/// System, and are none of the above.
std::span<const IntegratorMethod> contact_methods();
bool steps_over_contact(std::string_view method);
/// Any of them; nullptr: there is none of this name.
const IntegratorMethod* find_integrator_method(std::string_view name);

/// Writes the values at (t, x) of functions whose changes of sign are looked for. No allocation.
using RootFunctions =
    std::function<void(double t, std::span<const double> x, std::span<double> values)>;

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at (t, x) without memory of earlier steps: called at the beginning and after every jump
  /// of the state or of the discrete state. `ode` must outlive the integration. Allocates when the
  /// object is new to the integrator; with the same object as before only its discrete state is
  /// taken over. Throws Error when the method cannot integrate this `ode`.
  virtual void start(Ode& ode, double t, std::span<const double> x) = 0;

  /// One step (block methods: one block) of the method's own length, ended earlier at `limit` so
  /// that neither t() nor any time at which the derivative is evaluated passes it; a remainder too
  /// short to be resolved counts as reached. No allocation (SUNDIALS keeps its own books). After a
  /// failure t() and x() are those before the step.
  ///
  /// Methods with fixed steps keep to the instants t0 + k h; t0 is where start() was called, for
  /// one-step methods also where a limit ended a step between two such instants. Block methods
  /// keep their equidistant past when a limit ends a step: at such an instant by a shorter block,
  /// between two of them by a Runge-Kutta step to the side.
  virtual StepStatus step(double limit) = 0;

  /// Where the integration stands, projected onto the manifold.
  virtual double t() const = 0;
  virtual std::span<const double> x() const = 0;

  /// x at a time within the last step, to the order of the method where it has its own formula,
  /// else by the cubic that takes values and rates of the step's ends (a straight line where a rate
  /// cannot be computed). Projected onto the manifold. No allocation.
  virtual void interpolate(double t, std::span<double> x) = 0;

  virtual IntegratorCost cost() const = 0;

  /// False: a step does not begin with the derivative where the last one ended, so that nothing is
  /// won if that is computed for other reasons.
  virtual bool evaluates_ends() const { return true; }

  /// Whether the next step, taken without a limit, may end at `t` or beyond it. A step that cannot
  /// is the same with the limit `t` as with a later one.
  virtual bool may_reach(double t) = 0;

  /// Everything the next steps depend on besides t() and x(): step length, past derivatives.
  /// Feeding it to resume() of an equal integrator continues bit-identically. The memory of
  /// SUNDIALS cannot be read: there it is the place of the last start() and the limits of the steps
  /// since then, which resume() takes again.
  virtual std::vector<double> save() const = 0;
  /// Throws Error when `saved` cannot come from save() of this method with a system of this size.
  virtual void resume(Ode& ode, double t, std::span<const double> x,
                      std::span<const double> saved) = 0;

  /// An integrator at the same place with the same past and cost, that goes on bit-identically with
  /// `ode`, a clone of this one's, and looks for roots with `functions` where this one does. Leaves
  /// this one as it is. Methods of SUNDIALS take all steps since the last start() again; all others
  /// copy numbers. Throws Error if these steps lead elsewhere, which a clone of an Ode with hidden
  /// states may do.
  virtual std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions& functions) const = 0;

  /// Lets the method locate roots itself: from the next start() on step() ends exactly where
  /// one of `count` functions changes its sign, and roots() says which. Returns false, and does
  /// nothing, when the method cannot do that (all but cvode); the caller then searches with
  /// interpolate(). A function that is zero at start() is watched from the moment it leaves zero. A
  /// count of 0 ends the search.
  virtual bool find_roots(const RootFunctions& functions, int count);
  /// One number for each function: +1 where it rose through zero at t(), −1 where it fell, else 0.
  /// Empty when the last step did not end at a root.
  virtual std::span<const int> roots() const;
};

/// Throws Error for the first of find_fault(settings). Methods that need a MechanicalOde throw in
/// start() when they get another one.
std::unique_ptr<Integrator> make_integrator(const IntegratorSettings& settings);

}  // namespace limber
