#pragma once
// Simulation: carries a System through time: steps, samples, events, records, divergence.
//
// In each round it takes one step of the integrator, which never passes the next sample of a
// controller; looks whether an event function changed its sign and goes back to that instant; hands
// out what is due for recording; lets sampled parts renew their discrete states. The result depends
// on nothing but the system, the settings and the initial state: the same build gives the same
// bits.
#include <functional>
#include <optional>

#include <limber/sim/accuracy.hpp>
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

/// An event that has happened.
struct Happening {
  double t = 0;  ///< [s]
  std::string text;
};

/// How far a recording goes: the number of its rows and a digest of their values.
struct RecordingMark {
  std::uint64_t rows = 0, digest = 0;

  void add(std::span<const double> row);
  bool operator==(const RecordingMark&) const = default;
};

/// What a summary needs of the rows, gathered as they come.
struct RecordingTotals {
  std::uint64_t rows = 0;
  std::vector<double> largest;         ///< |value| of each column
  std::vector<std::uint64_t> nonzero;  ///< rows in which a column is not 0

  void add(std::span<const double> row);
};

/// Everything a run depends on; continuing from it gives the same bits as going on.
struct SavedRun {
  double t = 0;
  std::vector<double> x, discrete, integrator, event_values;
  std::vector<long> samples;  ///< of each part
  long records = 0;
  std::vector<Happening> happenings;
  double last_record = -1, last_act = -1;  ///< instants, −1: none yet [s]
  int acts_in_a_row = 0;
  double energy_at_start = 0;  ///< what the energy error counts from [J]
  // of the recording
  RecordingMark recorded{};            ///< rows until then
  std::vector<std::string> columns{};  ///< their columns, and
  RecordingTotals totals{};            ///< what is to be known of them
};

class Simulation {
 public:
  /// Starts `system` (which must outlive the simulation) at q (nq) and v (nv). Throws Error for
  /// the first of find_fault(settings, system), for a speed beyond the limit, and for a robot that
  /// has no dynamics at the beginning.
  Simulation(System& system, SimulationSettings settings, std::span<const double> q,
             std::span<const double> v);
  /// Goes on with a run that was saved from an equal system with equal settings.
  Simulation(System& system, SimulationSettings settings, const SavedRun& saved);

  /// Called for every record, at (t, x), with system.evaluate(t, x) done. The first call comes with
  /// the first advance(). Set before that.
  std::function<void(double t, std::span<const double> x)> on_record;
  /// Called after every step; false interrupts the run. May call save().
  std::function<bool(double t)> go_on;
  /// Called by save(): adds how far the recording has come.
  std::function<void(SavedRun& saved)> on_save;

  /// Steps until t() ≥ until or the run ends. The steps do not depend on `until`. What a part
  /// throws ends the run as failed; what on_record and go_on throw comes out here.
  RunStatus advance(double until);
  RunStatus run() { return advance(settings_.duration); }

  RunStatus status() const { return status_; }
  /// Why the run ended, where it did not simply finish.
  const std::string& message() const { return message_; }
  double t() const { return integrator_->t(); }                   ///< [s]
  std::span<const double> x() const { return integrator_->x(); }  ///< as System lays it out
  const std::vector<Happening>& happenings() const { return happenings_; }
  IntegratorCost cost() const { return integrator_->cost(); }
  const System& system() const { return system_; }
  /// How exact the run has been so far; inaccuracy() judges it.
  RunAccuracy accuracy() const { return accuracy_->result(); }

  /// The state to go on from, with any duration. The end of a run cuts its last step short, which a
  /// longer run does not: after the end (or an interruption near it) this is the state before that
  /// step, and before the records that came with it. A run that was stopped by an event goes on
  /// from where it stopped.
  SavedRun save();

 private:
  void prepare();
  void watch_accuracy();
  void begin();
  void round();
  double step_limit();
  SavedRun present_state();
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
  void note_standing_events();
  void renew_event_values();
  double event_value(int event, double t);
  double locate(int event, double t0, double t1, double value0, double value1);
  double crossing_time(int event, double t0, double before, double after);
  bool any_crossing() const;
  bool pass_events(double t0);
  void note_watched(double t_end);
  bool step_to_event(int event, double t0, double t_event);
  StepStatus step_until(double t_end);
  bool go_back_and_act(int event, double t0, double t_event);
  bool act(int event);
  bool act_on_standing_events();

  System& system_;
  SimulationSettings settings_;
  std::unique_ptr<Integrator> integrator_;
  std::optional<AccuracyCheck> accuracy_;
  RunStatus status_ = RunStatus::running;
  std::string message_;
  std::vector<Happening> happenings_;
  struct Sampled {
    std::size_t part = 0;
    double period = 0;  // [s]
  };
  std::vector<Sampled> sampled_;       // parts that have a sample time
  std::vector<System::Speed> speeds_;  // of joints and within parts
  std::vector<long> samples_;          // taken so far, per part
  long records_ = 0;                   // that were due, handed out so far
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
  /// more events at one instant end a run
  static constexpr int most_acts_in_a_row = 200;
  int acts_in_a_row_ = 0;
  int rounds_at_once_ = 0;  // rounds in a row that have not moved the clock
  bool in_hook_ = false;    // on_record or go_on has been called and has not returned
};

}  // namespace limber
