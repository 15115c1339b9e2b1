#include "study/crossovers.hpp"

#include <algorithm>
#include <array>

namespace limber::app::study {

namespace {

struct Contest {
  const char *title, *who, *first, *second;
};

constexpr const char* composite = "composite against articulated bodies, forward dynamics";
constexpr const char* inverse = "link against absolute coordinates, inverse dynamics";
constexpr const char* inertia = "link against absolute coordinates, mass matrix";
constexpr const char* articulated = "link against absolute coordinates, articulated bodies";

constexpr std::array<Contest, 11> contests{{
    {composite, "Limber", "limber_by_mass_matrix", "limber_articulated_bodies"},
    {composite, "McMillan's, plain code", "mcmillan_by_mass_matrix", "mcmillan_articulated_bodies"},
    {composite, "absolute coordinates", "absolute_by_mass_matrix", "absolute_articulated_bodies"},
    {composite, "[RDA] table 8-6", "rda_by_mass_matrix", "rda_articulated_bodies"},
    {composite, "[McM] tables", "mcm_by_mass_matrix", "mcm_articulated_bodies"},
    {inverse, "Limber", "limber_inverse_dynamics", "absolute_inverse_dynamics"},
    {inverse, "McMillan's, plain code", "mcmillan_inverse_dynamics", "absolute_inverse_dynamics"},
    {inertia, "Limber", "limber_mass_matrix", "walker_orin_3"},
    {inertia, "McMillan's, plain code", "mcmillan_mass_matrix", "walker_orin_3"},
    {articulated, "Limber", "limber_articulated_bodies", "absolute_articulated_bodies"},
    {articulated, "McMillan's, plain code", "mcmillan_articulated_bodies",
     "absolute_articulated_bodies"},
}};

bool any(const Curve& curve) {
  return std::any_of(curve.begin(), curve.end(), [](const auto& x) { return x.has_value(); });
}

}  // namespace

Curve curve_of(const Results& results, std::string_view key, Measure measure) {
  for (const Series& series : results.series)
    if (series.formulation->key == key) return curve(series, measure);
  return curve(book_formula(key), measure);
}

std::vector<Crossover> find_crossovers(const Results& results) {
  std::vector<Crossover> found;
  for (const Contest& contest : contests) {
    Crossover row{contest.title, contest.who, contest.first, contest.second, {}, {}};
    for (const MeasureFacts& facts : all_measures()) {
      const Curve first = curve_of(results, contest.first, facts.measure);
      const Curve second = curve_of(results, contest.second, facts.measure);
      row.known.push_back(any(first) && any(second));
      row.from.push_back(crossover(first, second));
    }
    found.push_back(row);
  }
  return found;
}

}  // namespace limber::app::study
