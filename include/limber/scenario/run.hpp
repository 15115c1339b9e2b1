#pragma once
// Runs a scenario: its system through its time, with a recording.
#include <limber/scenario/scenario.hpp>
#include <limber/sim/contacts.hpp>
#include <limber/sim/joint_limits.hpp>

namespace limber {

/// A joint limit that a run exceeded.
struct LimitPassed {
  std::string joint, limit;  ///< e.g. "elbow", "upper limit of 2.4"
  std::string unit;          ///< "rad", "m" or empty
  double time = 0;           ///< when first [s]
  double depth = 0;          ///< the largest
  AtLimit at_limit = AtLimit::bumper;
};

/// The loops of a closed mechanism where a run begins.
struct LoopFacts {
  int loops = 0, rows = 0, rank = 0;       ///< closed ones
  int freedoms = 0;                        ///< that they leave: nv − rank
  std::vector<std::string> indeterminate;  ///< columns whose force is not the only one possible
};

/// The contacts of a run.
struct ContactFacts {
  ContactMethod method = ContactMethod::stepping;
  ContactTotals totals;  ///< of stepping
};

/// What happened in a run.
struct Run {
  Recording recording;        ///< as far as RunHooks::keep says; its columns in any case
  RecordingTotals totals;     ///< of all rows, those before a resume included
  std::uint64_t records = 0;  ///< rows of the recording, kept or not
  RunStatus status = RunStatus::running;
  std::string message;  ///< why it ended early, or is inaccurate
  std::vector<Event> events;
  RunAccuracy accuracy;
  std::string inaccuracy;  ///< why the results are inaccurate; empty: nothing was found
  std::vector<LimitPassed> limits_passed;
  std::optional<LoopFacts> loops;          ///< none: no loop is closed where the run begins
  std::optional<Assembly> start_assembly;  ///< none: the loops were closed where the run begins
  std::optional<ContactFacts> contacts;    ///< none: nothing touches
  std::vector<std::string> notices;        ///< what was changed of the initial state
  IntegratorCost cost;
  double simulated = 0;  ///< [s]
  double elapsed = 0;    ///< wall-clock time of the integration, recording included [s]
  SavedRun end;          ///< the state at the end, from which the run can be continued

  double real_time_factor() const { return elapsed > 0 ? simulated / elapsed : 0; }
};

/// Rows of a recording that a report draws.
constexpr std::size_t most_rows_drawn = 20000;

/// Which rows Run::recording holds.
enum class KeepRows : std::uint8_t {
  all,
  drawn,  ///< all of an ordinary run; of a long one as many as a report draws, spread evenly, with
          ///< the largest and the smallest value of each column: memory is bounded
  none
};

/// What to do while a run goes on, and which rows to keep.
struct RunHooks {
  KeepRows keep = KeepRows::all;
  /// Called before the first row with the columns.
  std::function<void(const std::vector<Column>&)> on_columns;
  std::function<void(std::span<const double> row)> on_row;
  /// Called after every step; false interrupts the run.
  std::function<bool(double t)> go_on;
  /// Continue from here instead of the scenario's initial state.
  const SavedRun* resume = nullptr;
  /// Called after on_columns: hands in the rows that were recorded before, which the recording and
  /// its totals then begin with, and SavedRun::recorded too.
  std::function<void(const std::function<void(std::span<const double> row)>& add)> earlier_rows;
  /// Called after every step; true: `on_state` is called with the state to continue from.
  std::function<bool()> state_due;
  std::function<void(const SavedRun& state)> on_state;
};

/// "finished", "finished, inaccurate", "stopped by an event", …
std::string outcome(const Run& run);

/// Simulates. A run that reaches its end with an inaccuracy() has RunStatus::inaccurate. Throws
/// Error if the run cannot begin.
Run run_scenario(const Scenario& scenario, const RunHooks& hooks = {});
/// Throws the Error that run_scenario() would throw before its first step.
void check_start(const Scenario& scenario);

/// The largest |value| of all columns of a group, its unit and its column; nothing if there is
/// none.
struct Largest {
  double value = 0;
  std::string unit, column;
};
std::optional<Largest> largest_of(const Recording& recording, const std::string& group);
/// The same of all rows of a run, kept or not.
std::optional<Largest> largest_of(const Run& run, const std::string& group);

/// The state of a run as JSON text, and back; numbers survive exactly. `scenario` names the
/// scenario in the file; another one is refused with an Error.
std::string saved_run_text(const Scenario& scenario, const SavedRun& saved);
SavedRun parse_saved_run(const Scenario& scenario, std::string_view text, const std::string& file);

}  // namespace limber
