// The study of cooperating arms as tables for a terminal.
#include <array>

#include <fmt/format.h>

#include "study_arms/report.hpp"
#include "table.hpp"
#include "wrapped.hpp"

namespace limber::app::study_arms {

namespace {

std::string number(double value) { return fmt::format("{:.3g}", value); }
std::string crossover_text(const std::optional<int>& n) {
  return n ? fmt::format("N = {}", *n) : fmt::format("not up to N = {}", most_joints);
}

std::string parts_of(const Study& study) {
  Table table({{"", Table::Align::left}, {"mult"}, {"add"}, {"[McM] mult"}, {"add"}});
  Cost ours, thesis;
  auto add = [&](const char* title, const Cost& here, const Cost& there) {
    table.add({title, std::to_string(here.multiplications), std::to_string(here.additions),
               std::to_string(there.multiplications), std::to_string(there.additions)});
  };
  for (const Part& part : study.parts) {
    add(part.title, part.ours, part.thesis);
    ours.multiplications += part.ours.multiplications, ours.additions += part.ours.additions;
    thesis.multiplications += part.thesis.multiplications;
    thesis.additions += part.thesis.additions;
  }
  add("sum", ours, thesis);
  return fmt::format(
      "\n{} arms of {} joints that hold one object: operations, beside [McM] table 2\n{}"
      "  here all arms work about the object's mass centre in world axes, and the object's\n"
      "  acceleration is also brought to its own frame\n",
      arms, table_joints, table.text());
}

std::string counts_of(const Study& study) {
  std::vector<Table::Column> columns{{"N"}};
  for (const WayFacts& way : all_ways())
    if (way.is_counted) columns.push_back({way.title});
  columns.push_back({"[McM] table 2"});
  columns.push_back({"[McM] Lilly, Orin"});
  Table table(columns);
  for (const Size& size : study.sizes) {
    std::vector<std::string> cells{std::to_string(size.joints)};
    for (const WayFacts& way : all_ways())
      if (way.is_counted)
        cells.push_back(std::to_string(size.counted[static_cast<int>(way.way)].both()));
    cells.push_back(std::to_string(size.thesis_operational.both()));
    cells.push_back(std::to_string(size.thesis_articulated.both()));
    table.add(cells);
  }
  return fmt::format(
      "\n{} arms of N revolute joints: multiplications and additions that the result needs\n{}"
      "  with less than six joints every arm is singular, which [McM] table 2 does not count\n"
      "  articulated bodies are cheaper in operations from here on: {} (counted), {} ([McM])\n",
      arms, table.text(), crossover_text(study.crossovers.counted),
      crossover_text(study.crossovers.thesis));
}

std::string times_of(const Study& study) {
  std::vector<Table::Column> columns{{"N"}};
  for (const WayFacts& way : all_ways()) columns.push_back({way.title});
  Table table(columns);
  for (const Size& size : study.sizes) {
    std::vector<std::string> cells{std::to_string(size.joints)};
    for (const auto& time : size.nanoseconds) cells.push_back(fmt::format("{:.2f}", *time / 1e3));
    table.add(cells);
  }
  return fmt::format(
      "\nthe same: processor time of one thread [us]\n{}"
      "  the dense system is solved with full pivoting and allocates; closed mechanism: all arms "
      "and "
      "the\n"
      "  object in one tree, grasps as welds, by closed_forward_dynamics()\n"
      "  articulated bodies are cheaper in time from here on: {}\n",
      table.text(), crossover_text(study.crossovers.timed));
}

std::string dual_of(const Study& study) {
  Table table({{"", Table::Align::left}, {"mult"}, {"add"}, {"[McM] mult"}, {"add"}});
  auto add = [&](const char* title, const Cost& here, const Cost& there) {
    table.add({title, std::to_string(here.multiplications), std::to_string(here.additions),
               std::to_string(there.multiplications), std::to_string(there.additions)});
  };
  add("method I, table 8", study.method_1, thesis_method_1);
  add("method II, table 9", study.method_2, thesis_method_2);
  const auto saving = [](const Cost& one, const Cost& two) {
    return 100 * (1 - static_cast<double>(two.both()) / static_cast<double>(one.both()));
  };
  return fmt::format(
      "\ntwo arms: forces of the hands and acceleration of the object\n{}"
      "  method II saves {:.1f} % here, {:.1f} % in the thesis, which says 30 %\n",
      table.text(), saving(study.method_1, study.method_2),
      saving(thesis_method_1, thesis_method_2));
}

std::string sweep_of(const Study& study) {
  Table table({{"bend [rad]"},
               {"condition"},
               {"inverted", Table::Align::left},
               {"from singular"},
               {"from block system"}});
  for (const SweepRow& row : study.sweep)
    table.add({number(row.bend), number(row.condition), row.is_inverted ? "yes" : "no",
               number(row.distance), number(row.from_block)});
  return "\nthe wrist of one of four Puma 560 towards its singular position: condition of the\n"
         "mobility of its hand; how far all accelerations are from those at the singular "
         "position,\n"
         "and from those that the full block system (4.3) gives (relative)\n" +
         table.text();
}

std::string partition_title(const Partition& p) { return fmt::format("B{}PC5", p.block); }

std::string meetings_of(const Study& study) {
  Table table({{"", Table::Align::left},
               {"m~"},
               {"p~"},
               {"meetings"},
               {"objects"},
               {"[McM] meetings"},
               {"objects"}});
  for (const MeetingRow& row : study.meetings)
    table.add({partition_title(row.partition), std::to_string(row.partition.arm_parts),
               std::to_string(row.partition.time_parts), std::to_string(row.meetings),
               std::to_string(row.objects),
               row.thesis_meetings ? std::to_string(*row.thesis_meetings) : "-",
               row.thesis_objects ? std::to_string(*row.thesis_objects) : "-"});
  return "\nmeetings of a thread with others and motions of the object that it computes, counted, "
         "in "
         "one\nround of a block: [McM] table 3\n" +
         table.text();
}

std::string runs_of(const Study& study) {
  Table table({{"", Table::Align::left},
               {"m~"},
               {"p~"},
               {"steps"},
               {"error [m]"},
               {"T [ms]"},
               {"S_p"},
               {"S_a"},
               {"S_T"},
               {"[McM] T [ms]"},
               {"S_p"},
               {"S_a"},
               {"S_T"}});
  for (const RunRow& row : study.runs) {
    std::vector<std::string> cells{partition_title(row.partition),
                                   std::to_string(row.partition.arm_parts),
                                   std::to_string(row.partition.time_parts),
                                   std::to_string(row.steps),
                                   number(row.error),
                                   number(1e3 * row.seconds),
                                   number(row.parallel_gain),
                                   number(row.algorithm_gain),
                                   number(row.total_gain)};
    const ThesisRun* thesis = thesis_run(row.partition);
    if (thesis)
      for (const double x : {1e3 * thesis->seconds, thesis->parallel_gain, thesis->algorithm_gain,
                             thesis->total_gain})
        cells.push_back(number(x));
    else cells.insert(cells.end(), 4, "-");
    table.add(cells);
  }
  return fmt::format(
      "\nfour Puma 560 lift a load of 4 kg by 0.8 m in 1 s, its position at the end within {} m: "
      "[McM] tables 4 to 6\n{}"
      "  m~ parts of the arms times p~ parts of a block are so many threads; {} cores here: rows "
      "with more\n"
      "  threads than cores show what waiting costs, not what the method can gain\n"
      "  T: wall clock without the first four steps, the best of several; S_p: gain by threads; "
      "S_a: against\n"
      "  B1PC5, both on one thread; S_T = S_p S_a; [McM]: CRAY Y-MP8\n"
      "  the thesis leaves the places of the arms, the grasps and the time law open: here a "
      "quarter "
      "turn apart,\n"
      "  hands 0.15 m from the axis of a cube of 0.3 m, a quintic law\n",
      study.required_error, table.text(), study.cores);
}

}  // namespace

std::string to_text(const Study& study) {
  std::string text = "Arms that hold one object together\n";
  text += parts_of(study) + counts_of(study);
  if (study.timed) text += times_of(study);
  text += dual_of(study) + sweep_of(study);
  if (study.timed) text += meetings_of(study) + runs_of(study);
  return text;
}

}  // namespace limber::app::study_arms
