// The study as tables for a terminal.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "study/report.hpp"
#include "table.hpp"
#include "wrapped.hpp"

namespace limber::app::study {

namespace {

constexpr std::array<int, 9> shown{1, 2, 3, 6, 7, 10, 15, 20, 30};

std::vector<Table::Column> columns_for_shown(std::vector<Table::Column> first) {
  for (const int n : shown) first.push_back({fmt::format("n = {}", n)});
  return first;
}

// whole numbers, or three digits of small ones
std::string short_number(const std::optional<double>& value) {
  if (!value) return "-";
  return *value < 100 ? fmt::format("{:.3g}", *value) : fmt::format("{:.0f}", *value);
}

void append_shown(std::vector<std::string>& cells, const Curve& curve) {
  for (const int n : shown) cells.push_back(short_number(curve[static_cast<std::size_t>(n - 1)]));
}

// six joints in detail, then sums
template <class Source>
std::vector<std::string> count_row(const std::string& title, const Source& source) {
  std::vector<std::string> cells{title};
  for (const Measure measure : {Measure::multiplications, Measure::additions})
    cells.push_back(short_number(curve(source, measure)[6 - 1]));
  append_shown(cells, curve(source, Measure::operations));
  return cells;
}

std::string counts_of(const Results& results, const TaskFacts& task) {
  Table table(columns_for_shown({{"", Table::Align::left}, {"n = 6: mult"}, {"add"}}));
  for (const Series& series : results.series)
    if (series.formulation->task == task.task)
      table.add(count_row(series.formulation->title, series));
  for (const BookFormula& formula : all_book_formulas())
    if (formula.task == task.task)
      table.add(count_row(fmt::format("{} {}", formula.source, formula.title), formula));
  return fmt::format("\n{}: multiplications and additions that the result needs\n{}", task.title,
                     table.text());
}

std::string times_of(const Results& results, const TaskFacts& task) {
  Table table(columns_for_shown({{"", Table::Align::left}}));
  for (const Series& series : results.series) {
    if (series.formulation->task != task.task) continue;
    std::vector<std::string> cells{series.formulation->title};
    append_shown(cells, curve(series, Measure::time));
    table.add(cells);
  }
  return fmt::format("\n{}: time [ns]\n{}", task.title, table.text());
}

// formulations of which a single call takes too long, in words
std::string not_timed(const Results& results) {
  std::string text;
  for (const Series& series : results.series)
    if (series.formulation->timed_up_to < most_links)
      text += fmt::format("{}{} of {} only up to n = {}", text.empty() ? "" : "; ",
                          series.formulation->title, facts(series.formulation->task).title,
                          series.formulation->timed_up_to);
  return text;
}

std::string crossovers_of(const Study& study) {
  std::vector<Table::Column> columns{{"", Table::Align::left}};
  for (const MeasureFacts& facts : all_measures()) columns.push_back({facts.title});
  std::string contest;
  Table table(columns);
  for (const Crossover& row : study.crossovers) {
    if (row.contest != contest) {
      contest = row.contest;
      std::vector<std::string> heading(columns.size());
      heading.front() = contest;
      table.add(heading);
    }
    std::vector<std::string> cells{"  " + row.who};
    for (std::size_t k = 0; k < row.from.size(); ++k)
      cells.push_back(!row.known[k] ? "-" : row.from[k] ? std::to_string(*row.from[k]) : "never");
    table.add(cells);
  }
  return "\ncrossovers: the second is cheaper from this n on; never: not up to 30\n" + table.text();
}

std::string claims_of(const Study& study) {
  std::string text = "\nthe books' claims\n";
  for (const Claim& claim : study.claims)
    text += fmt::format("\n  {:<28}{}\n", claim.verdict(), claim.source) +
            wrapped(claim.text, "    ", 100) + wrapped(claim.found, "    > ", 100);
  return text;
}

}  // namespace

std::string to_text(const Study& study) {
  std::string text =
      "Costs of dynamics for a chain of n revolute links with general geometry and inertia\n";
  for (const TaskFacts& task : all_tasks()) text += counts_of(study.results, task);
  if (study.results.timed) {
    for (const TaskFacts& task : all_tasks()) text += times_of(study.results, task);
    text += fmt::format(
        "  processor time of one thread, of {} interleaved rounds the fast end (one in twenty is "
        "faster)\n"
        "  all but Limber is plain code that allocates and returns values: material for study\n{}",
        study.results.rounds, wrapped("timed: " + not_timed(study.results), "  ", 100));
  }
  return text + crossovers_of(study) + claims_of(study);
}

}  // namespace limber::app::study
