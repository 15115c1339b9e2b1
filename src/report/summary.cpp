// How a run went, in words.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/report/report.hpp>
#include <limber/sim/water_part.hpp>

#include "index.hpp"
#include "model/names.hpp"
#include "report/brief_facts.hpp"
#include "report/sea_bed.hpp"
#include "report/vortices.hpp"

namespace limber {

namespace {

void add_largest(const Run& run, const std::string& group, const char* label,
                 std::vector<Fact>& facts) {
  if (const std::optional<Largest> largest = largest_of(run, group))
    facts.push_back({label, fmt::format("{:.3g}{}{}", largest->value,
                                        largest->unit.empty() ? "" : " ", largest->unit)});
}

void add_loops(const Run& run, std::vector<Fact>& facts) {
  if (run.loops) {
    const LoopFacts& loops = *run.loops;
    std::string text =
        fmt::format("{} with {} rows of rank {}: {}", count_of(at_index(loops.loops), "loop"),
                    loops.rows, loops.rank, count_of(at_index(loops.freedoms), "freedom"));
    if (loops.rank < loops.rows) text += fmt::format(", {} redundant", loops.rows - loops.rank);
    facts.push_back({"Closed loops", text});
    constexpr std::size_t most_named = 6;
    const std::size_t named = std::min(loops.indeterminate.size(), most_named);
    if (named > 0)
      facts.push_back(
          {"Indeterminate loop forces",
           fmt::format("{}{}",
                       fmt::join(loops.indeterminate.begin(),
                                 loops.indeterminate.begin() + static_cast<int>(named), ", "),
                       loops.indeterminate.size() > named ? ", …" : "")});
  }
  if (run.start_assembly)
    facts.push_back({"Assembled at the start", describe_moves(run.start_assembly->moved, 6)});
  add_largest(run, "Loop gap", "Largest loop gap [m, rad]", facts);
  add_largest(run, "Loop forces", "Largest loop force", facts);
  add_largest(run, "Loop moments", "Largest loop moment", facts);
}

// which contacts carried which forces, and how well the problem was solved
void add_contacts(const Run& run, std::vector<Fact>& facts) {
  if (!run.contacts) return;
  const bool steps = run.contacts->method == ContactMethod::stepping;
  const bool switches = run.contacts->method == ContactMethod::event;
  facts.push_back({"Contact", steps      ? "hard, stepped"
                              : switches ? "hard, between events"
                                         : "compliant"});
  std::vector<std::pair<double, std::string>> carried;
  for (std::size_t k = 0; k < run.recording.columns.size() && run.totals.rows > 0; ++k)
    if (const Column& column = run.recording.columns[k];
        column.group == "Normal forces of contacts" && run.totals.largest[k] > 0)
      carried.emplace_back(run.totals.largest[k],
                           column.name.substr(0, column.name.rfind(".normal_force")));
  std::stable_sort(carried.begin(), carried.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t most_named = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(carried.size(), most_named); ++k)
    text +=
        fmt::format("{}{} up to {:.3g} N", k > 0 ? ", " : "", carried[k].second, carried[k].first);
  if (carried.size() > most_named) text += fmt::format(" and {} more", carried.size() - most_named);
  if (!text.empty()) facts.push_back({"Contacts that carried", text});
  add_largest(run, "Number of contacts", "Most contacts at once", facts);
  add_largest(run, "Penetration", "Deepest penetration", facts);
  add_largest(run, "Fastest slip", "Fastest slip", facts);
  add_largest(run, "Energy lost in contacts", "Energy lost in contacts", facts);
  const ContactTotals& totals = run.contacts->totals;
  if (steps)
    facts.push_back({"Contact residual", fmt::format("{:.2g} m/s at most", totals.worst_residual)});
  if (totals.impacts > 0)
    facts.push_back({"Located impacts", fmt::format("{:.0f}", totals.impacts)});
}

// what the water is, and whose numbers were assumed
void add_water(const Scenario& scenario, const Run& run, std::vector<Fact>& facts) {
  if (!scenario.water) return;
  const Water& water = *scenario.water;
  std::string text = fmt::format("{:.6g} kg/m³", water.density);
  text += water.level ? fmt::format(", surface at {:.6g} m", *water.level) : ", without a surface";
  if (!water.waves.empty()) text += ", " + count_of(water.waves.size(), "wave");
  facts.push_back({"Water", text});
  const std::size_t links = scenario.water_part->links().size();
  text = count_of(links, "link");
  if (scenario.links_by_shape > 0)
    text += fmt::format("; {} with the numbers of shapes or robot files",
                        scenario.links_by_shape == links ? std::string("all")
                                                         : std::to_string(scenario.links_by_shape));
  facts.push_back({"In the water", text});
  add_largest(run, "Speed through the water", "Fastest through the water", facts);
  add_largest(run, "Drag", "Largest drag", facts);
}

std::string headline_of(const Run& run) {
  std::vector<std::string> joints;
  for (const LimitPassed& one : run.limits_passed)
    if (std::find(joints.begin(), joints.end(), one.joint) == joints.end())
      joints.push_back(one.joint);
  std::string text = outcome(run);
  if (joints.empty()) return text;
  constexpr std::size_t most_named = 3;
  const std::size_t named = std::min(joints.size(), most_named);
  text += fmt::format(", joint limits passed ({}",
                      fmt::join(joints.begin(), joints.begin() + static_cast<int>(named), ", "));
  if (joints.size() > named) text += fmt::format(" and {} more", joints.size() - named);
  return text + ")";
}

std::string text_of(const LimitPassed& passed) {
  const std::string unit = passed.unit.empty() ? "" : " " + passed.unit;
  const char* what = passed.at_limit == AtLimit::bumper ? "its bumper pushed back"
                                                        : "nothing pushed back, see joint_limits";
  return fmt::format("joint '{}' passed its {}{} by up to {:.3g}{}, first at {:.6g} s; {}",
                     passed.joint, passed.limit, unit, passed.depth, unit, passed.time, what);
}

// a whole number, or two digits of a small one
std::string factor_text(double factor) {
  return factor < 9.95 ? fmt::format("{:.2g}", factor) : fmt::format("{:.0f}", factor);
}

}  // namespace

RunSummary summary_of(const Scenario& scenario, const Run& run) {
  RunSummary summary;
  summary.status = run.inaccuracy.empty() ? run.status : RunStatus::inaccurate;
  summary.headline = headline_of(run);
  summary.message = run.message;
  summary.events = run.events;
  const IntegratorSettings& method = scenario.simulation.integrator;
  summary.facts = {{"Simulated", fmt::format("{:.6g} s", run.simulated)},
                   {"Computed in", fmt::format("{:.3g} s", run.elapsed)},
                   {"Real-time factor", factor_text(run.real_time_factor())},
                   {"Integrator", fmt::format("{}, {} steps, {} evaluations", method.method,
                                              run.cost.steps, run.cost.evaluations)}};
  add_largest(run, "Tracking error", "Largest tracking error", summary.facts);
  add_largest(run, "Energy error", "Largest energy error", summary.facts);
  add_loops(run, summary.facts);
  add_contacts(run, summary.facts);
  add_water(scenario, run, summary.facts);
  add_briefs(scenario, run, summary.facts);
  const bool as_told = run.status == RunStatus::stopped;  // by an event, which is listed
  if (!run.message.empty() && !as_told) summary.warnings.push_back(run.message);
  if (!run.inaccuracy.empty() && run.inaccuracy != run.message)
    summary.warnings.push_back(run.inaccuracy);
  summary.warnings.insert(summary.warnings.end(), run.notices.begin(), run.notices.end());
  for (const LimitPassed& one : run.limits_passed) summary.warnings.push_back(text_of(one));
  add_vortices(scenario, run, summary);
  add_sea_bed(scenario, run, summary);
  if (run.contacts && run.contacts->totals.limited > 0)
    summary.warnings.push_back(
        fmt::format("contact: in {:.0f} impacts the restitution would have created energy with "
                    "this friction and was reduced; `impact: energetic` never does",
                    run.contacts->totals.limited));
  if (run.contacts && run.contacts->totals.not_converged > 0)
    summary.warnings.push_back(fmt::format(
        "contact: {:.0f} of the contact problems were not solved to the tolerance, the worst one "
        "to {:.2g} m/s; allow more sweeps (contact.solver.sweeps) or take shorter steps",
        run.contacts->totals.not_converged, run.contacts->totals.worst_residual));
  for (std::size_t k = 0; k < run.recording.columns.size(); ++k) {
    const Column& column = run.recording.columns[k];
    if (column.group != "Saturation" || run.totals.rows == 0) continue;
    const std::uint64_t cut = run.totals.nonzero[k];
    if (cut > 0)
      summary.warnings.push_back(
          fmt::format("{}: at its limit for {:.3g} % of the time", column.name,
                      100.0 * static_cast<double>(cut) / static_cast<double>(run.totals.rows)));
  }
  summary.warnings.insert(summary.warnings.end(), scenario.warnings.begin(),
                          scenario.warnings.end());
  return summary;
}

}  // namespace limber
