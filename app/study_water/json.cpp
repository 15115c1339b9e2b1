// The study of water as JSON.
#include "study_water/report.hpp"

namespace limber::app::study_water {

namespace {

Json cost_json(const Cost& cost) {
  return {{"multiplications", cost.multiplications}, {"additions", cost.additions}};
}

Json costs_json(const Costs& costs) {
  Json json{{"thesis", cost_json(costs.thesis)}};
  for (const WayFacts& facts : all_ways) {
    const auto k = static_cast<std::size_t>(facts.way);
    json[facts.key] = cost_json(costs.counted[k]);
    const std::optional<double>& time = costs.nanoseconds[k];
    json[facts.key]["nanoseconds"] = time ? Json(*time) : Json(nullptr);
  }
  return json;
}

}  // namespace

Json to_json(const Study& study) {
  Json json{
      {"topic", "water"},
      {"quick", study.quick},
      {"timed", study.timed},
      {"link",
       {{"counted", cost_json(study.link.counted)}, {"thesis", cost_json(study.link.thesis)}}}};
  for (const char* list : {"sizes", "arms", "decoupled"}) json[list] = Json::array();
  for (const Size& size : study.sizes) {
    Json row{{"legs", size.legs}, {"joints", size.joints}};
    for (const Place place : both_places)
      row[key(place)] = costs_json(size.at[static_cast<std::size_t>(place)]);
    json["sizes"].push_back(row);
  }
  for (const ArmRow& row : study.arms)
    json["arms"].push_back({{"joints", row.joints},
                            {"full", cost_json(row.full)},
                            {"decoupled", cost_json(row.decoupled)},
                            {"thesis_full", cost_json(row.thesis_full)},
                            {"thesis_decoupled", cost_json(row.thesis_decoupled)}});
  for (const DecoupledRow& row : study.decoupled)
    json["decoupled"].push_back({{"mass_ratio", row.mass_ratio},
                                 {"vehicle_error", row.vehicle_error},
                                 {"joints_error", row.joints_error}});
  return json;
}

}  // namespace limber::app::study_water
