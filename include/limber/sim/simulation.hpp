#pragma once
// Simulation: carries a System through time: steps, samples, events, records, divergence.
//
// In each round it takes one step of the integrator, which never passes the next sample of a
// controller; looks whether an event function changed its sign and goes back to that instant; hands
// out what is due for recording; lets sampled parts renew their discrete states. The result depends
// on nothing but the system, the settings, the initial state and the changes that were made: the
// same build gives the same bits.
//
// A Simulation owns its System and is a value: a copy is another run at the same instant, which
// goes on as the original does, and nothing that is done to it reaches the original.
#include <functional>
#include <optional>

#include <limber/sim/accuracy.hpp>
#include <limber/sim/saved_run.hpp>
#include <limber/sim/simulation_settings.hpp>

namespace limber {

/// How far a run has come, or how it ended.
enum class RunStatus : std::uint8_t {
  running,
  finished,     ///< computed to the end
  inaccurate,   ///< computed to the end, but see inaccuracy(): run_scenario() says so
  stopped,      ///< by an event
  diverged,     ///< see message(): time, joint, reason
  interrupted,  ///< `go_on` said so
  failed        ///< a part threw something, time did not advance, or a limit was passed: message()
};
/// "finished", "stopped by an event", …
const char* name(RunStatus status);

/// What Simulation::change() lets you edit: numbers of the present state, by their places or by
/// their names. Nothing happens before the function that edits returns.
class StateEdit {
 public:
  double t = 0;            ///< [s]
  std::span<double> q, v;  ///< positions (nq) and velocities (nv)

  /// A number by its name: NAME.position and NAME.velocity (NAME as in variables.hpp: elbow,
  /// root.x), PART.INPUT (Part::inputs()), PART.z[0] … (continuous states of a part). Throws Error
  /// with the nearest name.
  double value(std::string_view name) const { return *places_(name); }
  void set(std::string_view name, double value) { *places_(name) = value; }

 private:
  friend class Simulation;
  using Places = std::function<double*(std::string_view name)>;
  StateEdit(double time, std::span<double> positions, std::span<double> velocities, Places places)
      : t(time), q(positions), v(velocities), places_(std::move(places)) {}
  Places places_;
};

namespace detail {

/// What a Simulation keeps of its run besides the system and the integrator: plain values.
struct RunState {
  explicit RunState(SimulationSettings settings) : settings_(std::move(settings)) {}

  SimulationSettings settings_;
  std::optional<AccuracyCheck> accuracy_;
  RunStatus status_ = RunStatus::running;
  std::string message_;
  std::vector<Event> events_;
  std::vector<Change> changes_;
  struct Sampled {
    std::size_t part = 0;
    double period = 0;  // [s]
  };
  std::vector<Sampled> sampled_;       // parts that have a sample time
  std::vector<System::Speed> speeds_;  // of joints and within parts
  std::vector<long> samples_;          // taken so far, per part
  long records_ = 0;                   // that were due, handed out so far
  long rounds_ = 0;                    // begun, and the beginning itself
  std::optional<SavedRun> to_resume_;  // before what a longer or uninterrupted run does otherwise
  bool begun_ = false;
  std::vector<double> x_before_, x_there_;
  std::vector<double> event_values_;  // before the present step
  std::vector<double> new_values_, values_after_, crossing_times_;
  std::vector<std::pair<double, int>> due_;
  std::vector<EventSpec::Crossing> crossings_;  // of each event
  std::vector<int> may_stand_;                  // events that act where they stand below zero
  double last_record_ = -1;
  double last_act_ = -1;  // time of the last event that changed the state
  int acts_in_a_row_ = 0;
  int rounds_at_once_ = 0;  // rounds in a row that have not moved the clock
};

}  // namespace detail

class Simulation : private detail::RunState {
 public:
  /// Starts at q (nq) and v (nv). The simulation works on its own system: move it in, or a copy is
  /// made. Throws Error for the first of find_fault(settings, system), for a speed beyond the
  /// limit, and for a robot that has no dynamics at the beginning.
  Simulation(System system, SimulationSettings settings, std::span<const double> q,
             std::span<const double> v);
  /// Goes on with a run that was saved from an equal system with equal settings.
  Simulation(System system, SimulationSettings settings, const SavedRun& saved);

  /// The same run at the same instant; both go on with the same bits. Hooks are not copied: a copy
  /// has none, and an object that is assigned to keeps its own. With an integrator of SUNDIALS the
  /// copy takes the steps since the last restart (sample, event, change) again. Throws Error from
  /// within on_record and on_save, where a step is half done, and if a part cannot be copied.
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation& other);
  Simulation(Simulation&&) = default;
  Simulation& operator=(Simulation&&) = default;
  ~Simulation() = default;

  /// Called for every record, at (t, x), with system.evaluate(t, x) done. The first call comes with
  /// the first step() or advance(). Set before that.
  std::function<void(const System& system, double t, std::span<const double> x)> on_record;
  /// Called after every step; false interrupts the run. May call save() and change(), and copy the
  /// simulation.
  std::function<bool(double t)> go_on;
  /// Called by save(): adds how far the recording has come.
  std::function<void(SavedRun& saved)> on_save;

  /// One step of the integrator (a block of points is one step), ended earlier at the next sample,
  /// event or end of the run; with all records, samples and events up to there. The first call
  /// begins the run, with the record of its initial state, and takes a step. After the end it does
  /// nothing. What a part throws ends the run as failed; what the hooks throw comes out here.
  RunStatus step();
  /// Steps until t() ≥ until or the run ends. The steps do not depend on `until`.
  RunStatus advance(double until);
  /// To the end; an endless run ends by an event or by go_on.
  RunStatus run() { return advance(settings_.duration); }

  /// Edits the state and the inputs of parts between two steps; the integrator begins anew there.
  /// A change is listed in changes(), so that replay() can make it again; an edit that changes no
  /// number does nothing. Freedoms that parts prescribe or hold stay as the parts prescribe them.
  /// What the change adds to the energy counts as work. A record that is due at this instant shows
  /// the state before. Throws Error, and leaves the run as it was, for numbers that are not finite
  /// or out of an input's bounds, for speeds beyond the limit, for a state without dynamics, for a
  /// run that has ended, and from within on_record and on_save; what `edit` throws comes out here.
  void change(const std::function<void(StateEdit& edit)>& edit);
  /// Changes one number by its name, see StateEdit.
  void change(std::string_view name, double value);
  /// Steps, and makes the changes of another run at the steps at which they were made there. With
  /// the same system, settings and initial state all bits are the same. Returns after the last
  /// change, or where the run ends. Throws Error where it comes to another instant than that run.
  RunStatus replay(std::span<const Change> changes);

  RunStatus status() const { return status_; }
  /// Why the run ended, where it did not simply finish.
  const std::string& message() const { return message_; }
  double t() const { return integrator_->t(); }                   ///< [s]
  std::span<const double> x() const { return integrator_->x(); }  ///< as System lays it out
  /// Events that have been listed, and changes that have been made, in order.
  const std::vector<Event>& events() const { return events_; }
  const std::vector<Change>& changes() const { return changes_; }
  IntegratorCost cost() const { return integrator_->cost(); }
  const SimulationSettings& settings() const { return settings_; }
  const System& system() const { return *system_; }
  /// The value of an input of a part by its name, "motor.voltage". Throws Error with the nearest
  /// name.
  double input(std::string_view name) const;
  /// How exact the run has been so far; inaccuracy() judges it.
  RunAccuracy accuracy() const { return accuracy_->result(); }

  /// The state to go on from, with any duration. The end of a run cuts its last step short, which a
  /// longer run does not: after the end (or an interruption near it) this is the state before that
  /// step, and before the records that came with it. A run that was stopped by an event goes on
  /// from where it stopped. Changes nothing of the run.
  SavedRun save() const;

 private:
  void prepare();
  RootFunctions root_functions() const;
  void watch_accuracy();
  void attempt(const std::function<void()>& work);
  void begin();
  void round();
  double step_limit();
  SavedRun present_state() const;
  double next_sample() const;
  bool take_samples();
  void record_until(double t_end);
  void record_here();
  void record(double t, std::span<const double> x);
  bool asked_to_go_on();
  bool has_diverged();
  const System::Speed* fastest(std::span<const double> x) const;
  bool has_advanced(double t0);
  void end(RunStatus status, std::string message);
  void end_in_failure(StepStatus step);
  void end_in_exception();
  const Simulation& expect_between_steps(const char* what) const;
  std::vector<double> changed_state(std::vector<double> x, std::span<const double> inputs);
  void check_input(const InputSpec& input, double value) const;
  void note_standing_events();
  Evaluated place_events();
  void renew_event_values();
  double event_value(int event, double t);
  double locate(int event, double t0, double t1, double value0, double value1);
  double crossing_time(int event, double t0, double before, double after);
  bool any_crossing() const;
  bool pass_events(double t0);
  void note_watched(double t_end);
  bool step_anew(double t0, double t_end);
  bool step_to_event(int event, double t0, double t_event);
  StepStatus step_until(double t_end);
  bool go_back_and_act(int event, double t0, double t_event);
  bool act(int event);
  bool act_on_standing_events();

  /// more events at one instant end a run
  static constexpr int most_acts_in_a_row = 200;
  std::unique_ptr<System> system_;
  std::unique_ptr<Integrator> integrator_;
  bool in_round_ = false;         // a step is half done
  mutable bool in_hook_ = false;  // a hook has been called and has not returned
};

}  // namespace limber
