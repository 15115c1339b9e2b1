// The study of cooperating arms as JSON.
#include "study_arms/report.hpp"

namespace limber::app::study_arms {

namespace {

Json of_cost(const Cost& cost) {
  return {{"multiplications", cost.multiplications}, {"additions", cost.additions}};
}
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json of_partition(const Partition& p) {
  return {{"arm_parts", p.arm_parts}, {"time_parts", p.time_parts}, {"block", p.block}};
}
Json of_gains(double seconds, double parallel, double algorithm, double total) {
  return {{"T", seconds}, {"S_p", parallel}, {"S_a", algorithm}, {"S_T", total}};
}

Json of_size(const Size& size) {
  Json json{{"joints", size.joints},
            {"thesis",
             {{"operational_space", of_cost(size.thesis_operational)},
              {"articulated", of_cost(size.thesis_articulated)}}}};
  for (const WayFacts& facts : all_ways()) {
    const auto k = static_cast<int>(facts.way);
    json[facts.key] = facts.is_counted ? of_cost(size.counted[k]) : Json::object();
    json[facts.key]["nanoseconds"] = or_null(size.nanoseconds[k]);
  }
  return json;
}

Json of_meetings(const MeetingRow& row) {
  Json json = of_partition(row.partition);
  json["meetings"] = row.meetings;
  json["objects"] = row.objects;
  json["thesis_meetings"] = or_null(row.thesis_meetings);
  json["thesis_objects"] = or_null(row.thesis_objects);
  return json;
}

Json of_run(const RunRow& row) {
  Json json = of_partition(row.partition);
  json.update(of_gains(row.seconds, row.parallel_gain, row.algorithm_gain, row.total_gain));
  json["steps"] = row.steps;
  json["error"] = row.error;
  const ThesisRun* thesis = thesis_run(row.partition);
  json["thesis"] = thesis ? of_gains(thesis->seconds, thesis->parallel_gain, thesis->algorithm_gain,
                                     thesis->total_gain)
                          : Json(nullptr);
  return json;
}

template <class Range, class F>
Json list(const Range& range, F f) {
  Json all = Json::array();
  for (const auto& x : range) all.push_back(f(x));
  return all;
}

}  // namespace

Json to_json(const Study& study) {
  return {{"topic", "arms"},
          {"quick", study.quick},
          {"timed", study.timed},
          {"cores", study.cores},
          {"arms", arms},
          {"parts", list(study.parts,
                         [](const Part& part) {
                           return Json{{"title", part.title},
                                       {"counted", of_cost(part.ours)},
                                       {"thesis", of_cost(part.thesis)}};
                         })},
          {"sizes", list(study.sizes, of_size)},
          {"crossovers",
           {{"thesis", or_null(study.crossovers.thesis)},
            {"counted", or_null(study.crossovers.counted)},
            {"timed", or_null(study.crossovers.timed)}}},
          {"dual_arm",
           {{"method_1", of_cost(study.method_1)},
            {"method_2", of_cost(study.method_2)},
            {"thesis_method_1", of_cost(thesis_method_1)},
            {"thesis_method_2", of_cost(thesis_method_2)}}},
          {"sweep", list(study.sweep,
                         [](const SweepRow& row) {
                           return Json{{"bend", row.bend},
                                       {"condition", row.condition},
                                       {"inverted", row.is_inverted},
                                       {"from_singular", row.distance},
                                       {"from_block_system", row.from_block}};
                         })},
          {"meetings", list(study.meetings, of_meetings)},
          {"required_error", study.required_error},
          {"runs", list(study.runs, of_run)}};
}

}  // namespace limber::app::study_arms
