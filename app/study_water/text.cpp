// The study of water as tables for a terminal.
#include <fmt/format.h>

#include "study_water/report.hpp"
#include "table.hpp"

namespace limber::app::study_water {

namespace {

constexpr auto composite = static_cast<std::size_t>(Way::composite),
               articulated = static_cast<std::size_t>(Way::articulated),
               general = static_cast<std::size_t>(Way::general);

void add_cost(const Cost& cost, std::vector<std::string>& cells) {
  cells.push_back(std::to_string(cost.multiplications));
  cells.push_back(std::to_string(cost.additions));
}
std::string ratio(double wet, double dry) { return fmt::format("{:.2f}", wet / dry); }
std::string operations_ratio(const Cost& wet, const Cost& dry) {
  return ratio(static_cast<double>(wet.both()), static_cast<double>(dry.both()));
}

std::string counts_of(const Study& study, int legs) {
  Table table({{"N"},
               {"land mult"},
               {"add"},
               {"[McM] mult"},
               {"add"},
               {"water mult"},
               {"add"},
               {"[McM] mult"},
               {"add"},
               {"wet/dry"},
               {"[McM]"}});
  for (const Size& size : study.sizes) {
    if (size.legs != legs) continue;
    std::vector<std::string> cells{std::to_string(size.joints)};
    for (const Costs& costs : size.at) {
      add_cost(costs.counted[articulated], cells);
      add_cost(costs.thesis, cells);
    }
    cells.push_back(
        operations_ratio(size.water().counted[articulated], size.land().counted[articulated]));
    cells.push_back(operations_ratio(size.water().thesis, size.land().thesis));
    table.add(cells);
  }
  return fmt::format(
      "\n{} {} of N revolute joints, articulated bodies (AB/DTS): operations that the "
      "accelerations need, beside [McM] table 16\n{}",
      legs, legs == 1 ? "leg" : "legs", table.text());
}

std::string link_words(const Study& study) {
  const auto& [counted, thesis] = study.link;
  return fmt::format(
      "\na link more costs {} multiplications and {} additions more in water than on land; [McM]: "
      "{} and {}\n",
      counted.multiplications, counted.additions, thesis.multiplications, thesis.additions);
}

std::string composite_table(const Study& study) {
  Table table({{"m"}, {"N"}, {"CRB/DTS mult"}, {"add"}, {"AB/DTS mult"}, {"add"}, {"AB/CRB"}});
  for (const Size& size : study.sizes) {
    std::vector<std::string> cells{std::to_string(size.legs), std::to_string(size.joints)};
    const auto& wet = size.water().counted;
    add_cost(wet[composite], cells);
    add_cost(wet[articulated], cells);
    cells.push_back(operations_ratio(wet[articulated], wet[composite]));
    table.add(cells);
  }
  return "\nm legs of N joints in water: composite bodies (CRB/DTS) and articulated ones\n" +
         table.text();
}

std::string arms_table(const Study& study) {
  Table table({{"N"},
               {"full mult"},
               {"add"},
               {"[McM] mult"},
               {"add"},
               {"decoupled mult"},
               {"add"},
               {"[McM] mult"},
               {"add"}});
  for (const ArmRow& row : study.arms) {
    std::vector<std::string> cells{std::to_string(row.joints)};
    for (const Cost* cost : {&row.full, &row.thesis_full, &row.decoupled, &row.thesis_decoupled})
      add_cost(*cost, cells);
    table.add(cells);
  }
  return "\na vehicle with an arm of N joints in water, whole and with the vehicle's acceleration "
         "known, beside [McM] table 19\n" +
         table.text();
}

std::string times_of(const Study& study) {
  Table table({{"m"},
               {"N"},
               {"CRB/DTS [us]"},
               {"wet/dry"},
               {"AB/DTS [us]"},
               {"wet/dry"},
               {"general [us]"},
               {"wet/dry"}});
  for (const Size& size : study.sizes) {
    std::vector<std::string> cells{std::to_string(size.legs), std::to_string(size.joints)};
    for (const std::size_t way : {composite, articulated, general}) {
      const double wet = size.water().nanoseconds[way].value_or(0),
                   dry = size.land().nanoseconds[way].value_or(0);
      cells.push_back(fmt::format("{:.2f}", wet / 1000));
      cells.push_back(ratio(wet, dry));
    }
    table.add(cells);
  }
  return "\nm legs of N joints in water: processor time of one thread for one forward dynamics\n" +
         table.text() + "  general: articulated bodies of any tree, forward_dynamics()\n";
}

std::string decoupled_table(const Study& study) {
  Table table({{"vehicle/arm [kg/kg]"}, {"vehicle [%]"}, {"joints [%]"}});
  for (const DecoupledRow& row : study.decoupled)
    table.add({fmt::format("{:g}", row.mass_ratio), fmt::format("{:.2g}", 100 * row.vehicle_error),
               fmt::format("{:.2g}", 100 * row.joints_error)});
  return "\nvehicle and arm apart: errors of accelerations, in parts of the arm's largest\n" +
         table.text();
}

}  // namespace

std::string to_text(const Study& study) {
  std::string text = "Under water: what it costs\n";
  for (const int legs : leg_counts) text += counts_of(study, legs);
  text += link_words(study);
  text += composite_table(study);
  text += arms_table(study);
  if (study.timed) text += times_of(study);
  return text + decoupled_table(study);
}

}  // namespace limber::app::study_water
