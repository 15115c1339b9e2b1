// The study of legged vehicles as tables for a terminal.
#include <fmt/format.h>

#include "study_legs/report.hpp"
#include "table.hpp"

namespace limber::app::study_legs {

namespace {

std::string from_joints(const std::optional<int>& n) {
  return n ? fmt::format("N = {}", *n) : fmt::format("not up to N = {}", most_joints);
}
std::string microseconds(double nanoseconds) { return fmt::format("{:.2f}", nanoseconds / 1000); }

std::string counts_table(const Study& study, int legs) {
  Table table({{"N"},
               {"CRB/DTS mult"},
               {"add"},
               {"[McM] mult"},
               {"add"},
               {"AB/DTS mult"},
               {"add"},
               {"[McM] mult"},
               {"add"}});
  for (const Size& size : study.sizes) {
    if (size.legs != legs) continue;
    std::vector<std::string> cells{std::to_string(size.joints)};
    for (const Cost* cost :
         {&size.counted[0], &size.thesis_composite, &size.counted[1], &size.thesis_articulated}) {
      cells.push_back(std::to_string(cost->multiplications));
      cells.push_back(std::to_string(cost->additions));
    }
    table.add(cells);
  }
  return fmt::format(
      "\n{} {} of N revolute joints: operations that the accelerations need, beside [McM] tables "
      "12 "
      "and 16\n{}",
      legs, legs == 1 ? "leg" : "legs", table.text());
}

std::string times_table(const Study& study) {
  Table table({{"m"}, {"N"}, {"CRB/DTS [us]"}, {"AB/DTS [us]"}, {"general [us]"}});
  for (const Size& size : study.sizes) {
    std::vector<std::string> cells{std::to_string(size.legs), std::to_string(size.joints)};
    for (const auto& time : size.nanoseconds) cells.push_back(microseconds(time.value_or(0)));
    table.add(cells);
  }
  return "\nm legs of N joints: processor time of one thread for one forward dynamics\n" +
         table.text() + "  general: articulated bodies of any tree, forward_dynamics()\n";
}

std::string crossover_table(const Study& study) {
  Table table({{"m"}, {"[McM]"}, {"counted"}, {"in time"}});
  for (const Crossover& c : study.crossovers)
    table.add({std::to_string(c.legs), from_joints(c.thesis), from_joints(c.counted),
               study.timed ? from_joints(c.timed) : "-"});
  return "\nfrom here on articulated bodies (AB/DTS) are cheaper than composite ones (CRB/DTS)\n" +
         table.text();
}

std::string team_table(const Study& study) {
  Table table({{"N"}, {"threads"}, {"CRB/DTS [us]"}, {"AB/DTS [us]"}});
  for (const TeamRow& row : study.team)
    table.add({std::to_string(row.joints), std::to_string(row.threads),
               microseconds(row.composite_nanoseconds), microseconds(row.articulated_nanoseconds)});
  return fmt::format(
      "\n{} legs shared by threads: wall clock of one forward dynamics, the best of several; {} "
      "cores here\n{}",
      team_legs, study.cores, table.text());
}

}  // namespace

std::string to_text(const Study& study) {
  std::string text = "A floating body with m legs, leg by leg\n";
  for (const int legs : {1, 6}) text += counts_table(study, legs);
  if (study.timed) text += times_table(study);
  text += crossover_table(study);
  if (study.timed) text += team_table(study);
  return text;
}

}  // namespace limber::app::study_legs
