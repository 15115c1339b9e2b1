#pragma once
// The report of a run: one HTML file with a 3-D replay, plots and a summary, that opens offline.
#include <limber/scenario/run.hpp>

namespace limber {

/// A line of the summary. `brief` is how the first line of the page says it: a number and what it
/// is; without one the fact is left to the page's full list.
struct Fact {
  struct Brief {
    std::string value, label;
  };
  std::string label, value;
  std::optional<Brief> brief = std::nullopt;
};

/// How a run went, for the report's summary.
struct RunSummary {
  RunStatus status = RunStatus::finished;
  std::string headline;     ///< the status in words, with limits that were passed; empty: its name
  std::string message;      ///< why it ended early
  std::vector<Fact> facts;  ///< simulated time, real-time factor, integrator, …
  std::vector<std::string> warnings;
  std::vector<Event> events;
  /// What a design report shows instead of the status, e.g. "2 limits violated". The report then
  /// counts as failed even if its run finished.
  std::string verdict = {};
};

/// The summary for a report: facts (times, costs, largest tracking error, energy error), and
/// warnings.
RunSummary summary_of(const Scenario& scenario, const Run& run);

/// A run whose curves are drawn beside those of the report's own.
struct Comparison {
  std::string title;
  Recording recording;
  /// What was run; with it the replay shows the other run as a ghost. May be none.
  std::shared_ptr<const Scenario> scenario{};
};

/// A diagram of one quantity over another.
struct Diagram {
  struct Curve {
    enum class Kind : std::uint8_t {
      line,  ///< broken where a number is none
      points,
      limit,
      bar  ///< a broad line
    };
    std::string name;
    Kind kind = Kind::line;
    std::vector<double> x, y;
  };
  std::string title, x_label, x_unit, y_label, y_unit, note;
  std::vector<Curve> curves;
  std::string section = "Diagrams";  ///< diagrams of one section are shown together
};

/// A table; cells are text or numbers.
struct ReportTable {
  enum class State : std::uint8_t { ok, warning, violation };
  struct Cell {
    std::string text;
    std::optional<double> number;
  };
  struct Row {
    std::vector<Cell> cells;
    State state = State::ok;
  };
  struct Head {
    std::string name, unit;
  };
  std::string title, note;
  std::vector<Head> columns;
  std::vector<Row> rows;
  bool judged = false;  ///< the states of its rows say something
};

/// What a design report has found: a figure in large type, and what it says.
struct Conclusion {
  std::string figure, text;
  ReportTable::State state = ReportTable::State::ok;
};

/// Everything that a report page shows.
struct Report {
  RunSummary summary;
  Recording recording;  ///< of the scenario's own run; may be empty
  std::vector<Comparison> comparisons;
  std::vector<Conclusion> conclusions;
  std::vector<Diagram> diagrams;
  std::vector<ReportTable> tables;
};

/// False if Limber was built without npm and cannot write reports.
bool reports_available();

/// Numbers that a report draws, poses included: a page of about 11 MB. Recordings with many columns
/// are drawn with fewer rows.
constexpr std::size_t most_numbers_drawn = 2000000;

/// The report as one HTML text. At most `most_rows` of a long recording are taken, evenly, in pairs
/// that hold the smallest and the largest value of each curve between them. Throws Error if reports
/// are not available.
std::string report_page(const Scenario& scenario, const Report& report,
                        std::size_t most_rows = most_rows_drawn);

/// The data of the report alone, as JSON: what report_page() puts into its page.
std::string report_data(const Scenario& scenario, const Report& report,
                        std::size_t most_rows = most_rows_drawn);

}  // namespace limber
