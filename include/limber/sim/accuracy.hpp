#pragma once
// Whether a run was computed accurately: some of its steps are computed again with half their
// length and error control, and its energy balance is checked.
#include <limber/sim/integrator.hpp>
#include <limber/sim/system.hpp>

namespace limber {

/// What was found of a run, or of its part since it was continued.
struct RunAccuracy {
  int steps_checked = 0;
  /// Errors of the checked steps over what these steps change, the larger one of positions and
  /// velocities, each summed up over all checked steps as lengths √(xᵀ M x).
  double step_error = 0;
  double energy_error = 0;  ///< the largest |kinetic + potential − work − its beginning| [J]
  double energy_exchanged = 0;  ///< the largest of: kinetic energy, range of potential energy,
                                ///< work that went in and out [J]
};

/// A run is inaccurate where step_error, or energy_error over energy_exchanged, is larger.
constexpr double most_step_error = 0.01, most_energy_error = 0.01;

/// What is wrong with the run and which step or tolerance would do, by the order of the method;
/// empty for an accurate run.
std::string inaccuracy(const RunAccuracy& found, const IntegratorSettings& integrator);
/// The first part of that alone.
std::string error_of_run(const RunAccuracy& found);
/// The step that would do, by the order of the method; 0 for an accurate run, and for methods that
/// choose their steps themselves [s].
double advised_step(const RunAccuracy& found, const IntegratorSettings& integrator);

/// Watches a Simulation; changes nothing of it. All functions take the system of the simulation.
class AccuracyCheck {
 public:
  /// Steps and energy are checked, or the energy alone.
  enum class Kind : std::uint8_t { steps_and_energy, energy };
  /// One step is checked in each `interval` [s]; HUGE_VAL: none.
  AccuracyCheck(const System& system, double interval, Kind kind = Kind::steps_and_energy);

  /// The run begins, or goes on, at (t, x).
  void begin(System& system, double t, std::span<const double> x);
  bool due(double t) const { return t >= next_; }
  /// A step has led from (t0, x0) to (t1, x1), and no event has changed anything in between.
  void check_step(System& system, double t0, std::span<const double> x0, double t1,
                  std::span<const double> x1);
  /// An event has changed the state at t: the energy may jump.
  void note_jump(System& system, double t, std::span<const double> before,
                 std::span<const double> after);
  /// The last instant of the run.
  void end(System& system, double t, std::span<const double> x) { look_at_energy(system, t, x); }

  RunAccuracy result() const;

 private:
  double balance(System& system, double t, std::span<const double> x, EnergyBalance& energy) const;
  void look_at_energy(System& system, double t, std::span<const double> x);
  bool repeat_step(System& system, double t0, std::span<const double> x0, double t1);
  double length(const Model& model, std::span<const double> x);

  // computes a step again; a copy begins anew, as every such step does
  class Repetition {
   public:
    Repetition();
    Repetition(const Repetition&) : Repetition() {}
    Repetition(Repetition&&) = default;
    Repetition& operator=(Repetition other) {
      integrator_ = std::move(other.integrator_);
      return *this;
    }
    Integrator* operator->() const { return integrator_.get(); }

   private:
    std::unique_ptr<Integrator> integrator_;
  };
  Repetition reference_;
  Workspace ws_;
  std::vector<double> error_, change_;
  double interval_ = 0, next_ = 0;
  Kind kind_;
  int checked_ = 0;
  struct Sums {
    double error = 0, change = 0;
    double ratio(double least) const { return error / (change > least ? change : least); }
  };
  Sums positions_, velocities_;
  double at_beginning_ = 0;  // balance
  double largest_error_ = 0, kinetic_ = 0;
  double potential_low_ = 0, potential_high_ = 0, work_ = 0, work_flow_ = 0;
};

}  // namespace limber
