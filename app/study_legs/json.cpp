// The study of legged vehicles as JSON.
#include "study_legs/report.hpp"

namespace limber::app::study_legs {

namespace {

Json cost_json(const Cost& cost) {
  return {{"multiplications", cost.multiplications}, {"additions", cost.additions}};
}
template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json size_json(const Size& size) {
  Json json{{"legs", size.legs},
            {"joints", size.joints},
            {"thesis",
             {{"composite", cost_json(size.thesis_composite)},
              {"articulated", cost_json(size.thesis_articulated)}}}};
  for (const WayFacts& facts : all_ways) {
    const auto k = static_cast<std::size_t>(facts.way);
    json[facts.key] = cost_json(size.counted[k]);
    json[facts.key]["nanoseconds"] = value_or_null(size.nanoseconds[k]);
  }
  return json;
}

}  // namespace

Json to_json(const Study& study) {
  Json json{{"topic", "legs"},
            {"quick", study.quick},
            {"timed", study.timed},
            {"cores", study.cores},
            {"team_legs", team_legs}};
  for (const char* list : {"sizes", "crossovers", "team"}) json[list] = Json::array();
  for (const Size& size : study.sizes) json["sizes"].push_back(size_json(size));
  for (const Crossover& c : study.crossovers)
    json["crossovers"].push_back({{"legs", c.legs},
                                  {"thesis", value_or_null(c.thesis)},
                                  {"counted", value_or_null(c.counted)},
                                  {"timed", value_or_null(c.timed)}});
  for (const TeamRow& row : study.team)
    json["team"].push_back({{"joints", row.joints},
                            {"threads", row.threads},
                            {"composite_nanoseconds", row.composite_nanoseconds},
                            {"articulated_nanoseconds", row.articulated_nanoseconds}});
  return json;
}

}  // namespace limber::app::study_legs
