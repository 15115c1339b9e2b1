// The study as JSON.
#include "study/report.hpp"

namespace limber::app::study {

namespace {

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json of_curve(const Curve& curve) {
  Json values = Json::array();
  for (const auto& value : curve) values.push_back(number_or_null(value));
  return values;
}

Json of_series(const Series& series) {
  const Formulation& f = *series.formulation;
  Json json{{"key", f.key},     {"task", facts(f.task).key},
            {"title", f.title}, {"source", f.source},
            {"room", f.room},   {"timed_up_to", f.timed_up_to}};
  for (const char* field : {"multiplications", "additions", "executed", "sincos", "nanoseconds"})
    json[field] = Json::array();
  for (const Sample& sample : series.samples) {
    json["multiplications"].push_back(sample.needed.multiplications);
    json["additions"].push_back(sample.needed.additions);
    json["executed"].push_back(sample.total.executed);
    json["sincos"].push_back(sample.total.sincos);
    json["nanoseconds"].push_back(number_or_null(sample.nanoseconds));
  }
  return json;
}

Json of_formula(const BookFormula& f) {
  return {{"key", f.key},
          {"task", facts(f.task).key},
          {"title", f.title},
          {"source", f.source},
          {"multiplications", of_curve(curve(f, Measure::multiplications))},
          {"additions", of_curve(curve(f, Measure::additions))}};
}

Json of_crossover(const Crossover& row) {
  Json json{{"contest", row.contest},
            {"who", row.who},
            {"first", row.first},
            {"second", row.second},
            {"from", Json::object()}};
  for (const MeasureFacts& facts : all_measures()) {
    const auto k = static_cast<std::size_t>(facts.measure);
    if (row.known[k]) json["from"][facts.key] = row.from[k] ? Json(*row.from[k]) : Json(nullptr);
  }
  return json;
}

Json of_claim(const Claim& claim) {
  const auto part = [](const std::optional<bool>& holds) {
    return holds ? Json(*holds) : Json(nullptr);
  };
  return {{"key", claim.key},
          {"source", claim.source},
          {"claim", claim.text},
          {"found", claim.found},
          {"on_counts", part(claim.on_counts)},
          {"in_time", part(claim.in_time)},
          {"verdict", claim.verdict()}};
}

template <class Range, class F>
Json list(const Range& range, F f) {
  Json all = Json::array();
  for (const auto& x : range) all.push_back(f(x));
  return all;
}

}  // namespace

Json to_json(const Study& study) {
  return {{"topic", "recursions"},
          {"links", {1, most_links}},
          {"timed", study.results.timed},
          {"rounds", study.results.rounds},
          {"formulations", list(study.results.series, of_series)},
          {"published", list(all_book_formulas(), of_formula)},
          {"crossovers", list(study.crossovers, of_crossover)},
          {"claims", list(study.claims, of_claim)}};
}

}  // namespace limber::app::study
