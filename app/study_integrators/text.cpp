// The integrators' study as tables for a terminal.
#include <array>

#include <fmt/format.h>

#include "study_integrators/report.hpp"
#include "table.hpp"
#include "wrapped.hpp"

namespace limber::app::study_integrators {

namespace {

struct Goal {
  double error;  // [m]
  const char* title;
};
constexpr std::array goals{Goal{1e-3, "1 mm"}, Goal{1e-6, "1 um"}, Goal{1e-9, "1 nm"}};

std::string costs_of(const BenchmarkResult& result) {
  std::vector<Table::Column> columns{{"", Table::Align::left}, {"order"}};
  for (const Goal& goal : goals) {
    columns.push_back({fmt::format("{}: eval", goal.title)});
    columns.push_back({"ms"});
  }
  Table table(columns);
  for (const Series& series : result.series) {
    std::vector<std::string> cells{std::string(series.method->name),
                                   std::to_string(series.method->order)};
    for (const Goal& goal : goals) {
      const Run* run = series.cheapest(goal.error);
      cells.push_back(run ? std::to_string(run->cost.evaluations) : "-");
      cells.push_back(run ? fmt::format("{:.3g}", 1e3 * run->seconds) : "-");
    }
    table.add(cells);
  }
  return fmt::format(
      "\n{}: what it costs to have the hand at the end within an error\n{}"
      "  evaluations of the derivative ({:.2f} us each) and processor time of one thread; of a\n"
      "  ladder of steps or tolerances the cheapest rung that is good enough; -: none was\n"
      "  the reference is known to {:.1g} m\n",
      result.title, table.text(), 1e6 * result.evaluation_seconds, result.reference_doubt);
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

std::vector<std::string> gains_of(double seconds, double parallel, double algorithm, double total) {
  return {number(1e3 * seconds), number(parallel), number(algorithm), number(total)};
}

constexpr double thesis_error = 1e-6;  // [m]

std::string blocks_of(const BlockTable& blocks) {
  const bool thesis_known = blocks.required_error == thesis_error;
  std::vector<Table::Column> columns{{"", Table::Align::left},
                                     {"threads"},
                                     {"steps"},
                                     {"error [m]"},
                                     {"T [ms]"},
                                     {"S_p"},
                                     {"S_a"},
                                     {"S_T"}};
  if (thesis_known)
    for (const char* title : {"[McM] T [ms]", "S_p", "S_a", "S_T"}) columns.push_back({title});
  Table table(columns);
  for (const BlockRow& row : blocks.rows) {
    std::vector<std::string> cells{fmt::format("B{}PC5", row.block), std::to_string(row.threads),
                                   std::to_string(row.steps), number(row.error)};
    const auto append = [&](const std::vector<std::string>& more) {
      cells.insert(cells.end(), more.begin(), more.end());
    };
    append(gains_of(row.seconds, row.parallel_gain, row.algorithm_gain, row.total_gain));
    const ThesisRow* thesis = thesis_row(row.block, row.threads);
    if (thesis_known)
      append(thesis ? gains_of(thesis->seconds, thesis->parallel_gain, thesis->algorithm_gain,
                               thesis->total_gain)
                    : std::vector<std::string>(4, "-"));
    table.add(cells);
  }
  return fmt::format("\nblock methods on threads, four arms, hands within {} m at the end{}\n{}",
                     blocks.required_error, thesis_known ? ": [McM] tables 4 to 6" : "",
                     table.text());
}

std::string block_notes(const Study& study) {
  return fmt::format(
      "  S_p: gain by threads; S_a: against B1PC5, both on one thread; S_T = S_p S_a; {} cores "
      "here\n"
      "  T: wall clock, the best of several; the first four steps are Runge-Kutta steps, which the "
      "threads do not share\n"
      "  [McM]: CRAY Y-MP8, four arms that hold a load together (the grasp is left out here);\n"
      "  without its partition of the chains, which does not exist here\n",
      study.cores);
}

std::string thesis_table() {
  Table table({{"", Table::Align::left}, {"m~"}, {"p~"}, {"T [ms]"}, {"S_p"}, {"S_a"}, {"S_T"}});
  for (const ThesisRow& row : thesis_rows())
    table.add({fmt::format("B{}PC5", row.block), std::to_string(row.chain_parts),
               std::to_string(row.threads), number(1e3 * row.seconds), number(row.parallel_gain),
               number(row.algorithm_gain), number(row.total_gain)});
  return "\nall rows of [McM] tables 5 and 6, on m~ times p~ processors: chains and time shared\n" +
         table.text();
}

std::string claims_of(const Study& study) {
  std::string text = "\nwhat the thesis concludes\n";
  for (const Claim& claim : study.claims)
    text += fmt::format("\n  {}\n", claim.holds ? "holds" : "does not hold here") +
            wrapped(claim.text, "    ", 100) + wrapped(claim.found, "    > ", 100);
  return text;
}

}  // namespace

std::string to_text(const Study& study) {
  std::string text = "Integration methods: error against cost\n";
  for (const BenchmarkResult& result : study.benchmarks) text += costs_of(result);
  for (const BlockTable& blocks : study.block_tables) text += blocks_of(blocks);
  return text + block_notes(study) + thesis_table() + claims_of(study);
}

}  // namespace limber::app::study_integrators
