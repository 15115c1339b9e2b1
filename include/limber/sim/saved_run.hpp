#pragma once
// SavedRun: everything that a run of a Simulation depends on, as plain numbers and texts.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// An event of a run.
struct Event {
  double t = 0;  ///< [s]
  std::string text;
};

/// What Simulation::change() has done at one instant.
struct Change {
  struct Value {
    std::string name;  ///< as in StateEdit: "elbow.velocity", "motor.voltage"
    double value = 0;  ///< that it was set to

    bool operator==(const Value&) const = default;
  };
  double t = 0;   ///< [s]
  long step = 0;  ///< after so many steps; the beginning of the run counts as the first
  std::vector<Value> values;

  bool operator==(const Change&) const = default;
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
  std::vector<double> x, discrete, inputs, integrator, event_values;
  std::vector<long> samples;  ///< of each part
  long records = 0;
  long steps = 0;  ///< as in Change::step
  std::vector<Event> events;
  std::vector<Change> changes;
  double last_record = -1, last_act = -1;  ///< instants, −1: none yet [s]
  int acts_in_a_row = 0;
  double energy_at_start = 0;  ///< what the energy error counts from [J]
  // of the recording
  RecordingMark recorded{};            ///< rows until then
  std::vector<std::string> columns{};  ///< their columns, and
  RecordingTotals totals{};            ///< what is to be known of them
};

}  // namespace limber
