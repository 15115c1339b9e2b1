#include "report/vortices.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include <limber/dynamics/energy.hpp>
#include <limber/sim/water_part.hpp>

#include "index.hpp"

namespace limber {

namespace {

struct Shedding {
  const LinkHydrodynamics* link = nullptr;
  const CylinderDrag* cylinder = nullptr;
  std::size_t column = 0;  // of its speed through the water
  VortexShedding fastest;
};

// the strongest cylinder of each link, as all of its speed were across it
std::vector<Shedding> sheddings(const Scenario& scenario, const Run& run) {
  std::vector<Shedding> all;
  std::unordered_map<std::string_view, std::size_t> columns;
  for (std::size_t k = 0; k < run.recording.columns.size(); ++k)
    columns.emplace(run.recording.columns[k].name, k);
  for (const LinkHydrodynamics& link : scenario.water_part->links()) {
    const auto column = columns.find(link.link + ".through_water");
    if (column == columns.end()) continue;
    Shedding one{&link, nullptr, column->second, {}};
    for (const CylinderDrag& cylinder : link.hydrodynamics.cylinders) {
      const VortexShedding found =
          vortex_shedding(cylinder, run.totals.largest[one.column], scenario.water->density,
                          scenario.water->viscosity);
      if (found.frequency > 0 && found.force >= one.fastest.force)
        one.cylinder = &cylinder, one.fastest = found;
    }
    if (one.cylinder) all.push_back(one);
  }
  std::stable_sort(all.begin(), all.end(), [](const Shedding& a, const Shedding& b) {
    return a.fastest.force > b.fastest.force;
  });
  return all;
}

// of a freedom with a spring, all others held, with added mass [Hz]
double natural_frequency(const Scenario& scenario, int freedom) {
  const Model& m = scenario.model;
  Workspace ws(m);
  WaterLoads loads(m, scenario.water_part->links());
  std::vector<double> rate(at_index(m.nv), 0.0);
  const auto water_energy = [&] {
    return loads.still_energy(m, forward_kinematics<double>(m, scenario.q, rate, ws),
                              *scenario.water);
  };
  const double at_rest = water_energy();
  rate[at_index(freedom)] = 1;
  const double inertia =
      2 * (kinetic_energy<double>(m, scenario.q, rate, ws) + water_energy() - at_rest);
  return inertia > 0
             ? std::sqrt(m.dof[at_index(freedom)].stiffness / inertia) / (2 * std::numbers::pi)
             : 0;
}

bool is_beyond(const Model& m, int body, int joint_body) {
  while (body > joint_body) body = m.parent[body];
  return body == joint_body;
}

// how long it shed within 30 % of the frequency, by the rows that are kept [s]
double time_near(const Scenario& scenario, const Run& run, const Shedding& one, double frequency) {
  const Recording& recording = run.recording;
  double time = 0;
  for (std::size_t k = 1; k < recording.rows(); ++k) {
    const double speed = recording.row(k)[one.column];
    const VortexShedding now =
        vortex_shedding(*one.cylinder, speed, scenario.water->density, scenario.water->viscosity);
    if (!resonance_warning(now, frequency, one.link->link).empty())
      time += recording.row(k)[0] - recording.row(k - 1)[0];
  }
  return time;
}

}  // namespace

void add_vortices(const Scenario& scenario, const Run& run, RunSummary& summary) {
  if (!scenario.water || run.totals.rows == 0) return;
  const std::vector<Shedding> all = sheddings(scenario, run);
  if (all.empty()) return;
  constexpr std::size_t most_named = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), most_named); ++k)
    text += fmt::format("{}{} up to {:.3g} Hz, ±{:.2g} N (Reynolds number {:.2g})",
                        k > 0 ? ", " : "", all[k].link->link, all[k].fastest.frequency,
                        all[k].fastest.force, all[k].fastest.reynolds);
  if (all.size() > most_named) text += fmt::format(" and {} more", all.size() - most_named);
  summary.facts.push_back({"Vortices, not simulated", text});
  const Model& m = scenario.model;
  for (std::size_t c = 0; c < m.column_dof.size(); ++c) {
    const int freedom = m.v_fold[c].index, joint_body = m.column_body[c];
    if (!(m.dof[at_index(freedom)].stiffness > 0)) continue;
    const double frequency = natural_frequency(scenario, freedom);
    for (const Shedding& one : all) {
      if (!is_beyond(m, m.frames[m.frame(one.link->link)].body, joint_body)) continue;
      const double time = time_near(scenario, run, one, frequency);
      if (!(time * frequency >= 5)) continue;
      summary.warnings.push_back(fmt::format(
          "link '{}' shed vortices near {:.3g} Hz, the natural frequency of joint '{}', for {:.3g} "
          "s (force up to ±{:.2g} N): it may vibrate across the flow, which is not simulated; "
          "change the stiffness, the diameter or the speed",
          one.link->link, frequency, m.joint_name[joint_body], time, one.fastest.force));
    }
  }
}

}  // namespace limber
