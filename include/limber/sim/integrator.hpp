#pragma once
// Integrator: carries an Ode from one instant to the next. All methods stand behind this interface;
// make_integrator() makes one from its settings.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <limber/sim/ode.hpp>

namespace limber {

/// How a step ended.
enum class StepStatus : std::uint8_t {
  ok,
  not_computable,  ///< the derivative failed, however short the step
  step_too_small,  ///< error control asked for steps below what the clock resolves
  no_convergence   ///< an implicit step did not converge
};

/// What has been spent since start().
struct IntegratorCost {
  long steps = 0;        ///< accepted
  long rejected = 0;     ///< tried again with a shorter step
  long evaluations = 0;  ///< of the derivative, by all threads
};

struct IntegratorSettings {
  std::string method = "rk4";  ///< a name of integrator_methods()
  double step = 1e-3;          ///< fixed steps: their length; error control: the first one [s]
  double relative_tolerance = 1e-8, absolute_tolerance = 1e-10;  ///< methods with error control
  double max_step = 0.05;                                        ///< methods with error control [s]
  int threads = 1;  ///< block methods: how many work at once
};

/// What there is to choose from.
struct IntegratorMethod {
  std::string_view name;
  int order;
  bool error_control;  ///< chooses its steps by the tolerances
  std::string_view meaning;
};
std::span<const IntegratorMethod> integrator_methods();

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at (t, x) and forgets everything before: called at the beginning and after every jump
  /// of the state or of the discrete state. `ode` must outlive the integration. May allocate when
  /// the size is new.
  virtual void start(Ode& ode, double t, std::span<const double> x) = 0;

  /// One step (block methods: one block) of the method's own length, ended earlier at `limit` so
  /// that t() never passes it; a remainder too short to be resolved counts as reached. No
  /// allocation (SUNDIALS keeps its own books). After a failure t() and x() are those before the
  /// step.
  virtual StepStatus step(double limit) = 0;

  /// Where the integration stands, projected onto the manifold.
  virtual double t() const = 0;
  virtual std::span<const double> x() const = 0;

  /// x at a time within the last step, to the order of the method where it has its own formula,
  /// else by the cubic that takes values and rates of the step's ends.
  virtual void interpolate(double t, std::span<double> x) = 0;

  virtual IntegratorCost cost() const = 0;

  /// Everything the next steps depend on besides t() and x(): step length, past derivatives.
  /// Feeding it to resume() of an equal integrator continues bit-identically. Methods whose memory
  /// cannot be read (SUNDIALS) start anew at the present state instead, in this object too.
  virtual std::vector<double> save() = 0;
  virtual void resume(Ode& ode, double t, std::span<const double> x,
                      std::span<const double> saved) = 0;
};

/// Throws Error for an unknown method (with the nearest name), steps or tolerances that are not
/// positive, threads that the method cannot use, and methods that need a MechanicalOde where
/// start() gets another one.
std::unique_ptr<Integrator> make_integrator(const IntegratorSettings& settings);

}  // namespace limber
