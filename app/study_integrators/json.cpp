// The integrators' study as JSON.
#include "study_integrators/report.hpp"

namespace limber::app::study_integrators {

namespace {

Json of_series(const Series& series) {
  Json runs = Json::array();
  for (const Run& run : series.runs)
    runs.push_back({{"setting", run.setting},
                    {"steps", run.cost.steps},
                    {"rejected", run.cost.rejected},
                    {"evaluations", run.cost.evaluations},
                    {"seconds", run.seconds},
                    {"error", run.error}});
  return {{"method", series.method->name},
          {"order", series.method->order},
          {"error_control", series.method->error_control},
          {"meaning", series.method->meaning},
          {"runs", runs}};
}

Json of_benchmark(const BenchmarkResult& result) {
  Json series = Json::array();
  for (const Series& one : result.series) series.push_back(of_series(one));
  return {{"key", result.key},
          {"title", result.title},
          {"duration", result.duration},
          {"reference_doubt", result.reference_doubt},
          {"evaluation_seconds", result.evaluation_seconds},
          {"methods", series}};
}

Json of_gains(double seconds, double parallel, double algorithm, double total) {
  return {{"T", seconds}, {"S_p", parallel}, {"S_a", algorithm}, {"S_T", total}};
}

Json of_block(const BlockRow& row) {
  Json json{
      {"block", row.block}, {"threads", row.threads}, {"steps", row.steps}, {"error", row.error}};
  json.update(of_gains(row.seconds, row.parallel_gain, row.algorithm_gain, row.total_gain));
  return json;
}

Json of_table(const BlockTable& table) {
  Json rows = Json::array();
  for (const BlockRow& row : table.rows) rows.push_back(of_block(row));
  return {{"required_error", table.required_error}, {"rows", rows}};
}

Json of_thesis(const ThesisRow& row) {
  Json json{{"block", row.block}, {"chain_parts", row.chain_parts}, {"threads", row.threads}};
  json.update(of_gains(row.seconds, row.parallel_gain, row.algorithm_gain, row.total_gain));
  return json;
}

}  // namespace

Json to_json(const Study& study) {
  Json json{{"topic", "integrators"}, {"quick", study.quick}, {"cores", study.cores}};
  for (const char* list : {"benchmarks", "blocks", "thesis", "claims"}) json[list] = Json::array();
  for (const BenchmarkResult& result : study.benchmarks)
    json["benchmarks"].push_back(of_benchmark(result));
  for (const BlockTable& table : study.block_tables) json["blocks"].push_back(of_table(table));
  for (const ThesisRow& row : thesis_rows()) json["thesis"].push_back(of_thesis(row));
  for (const Claim& claim : study.claims)
    json["claims"].push_back(
        {{"claim", claim.text}, {"found", claim.found}, {"holds", claim.holds}});
  return json;
}

}  // namespace limber::app::study_integrators
