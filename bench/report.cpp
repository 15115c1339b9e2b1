#include "report.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calls.hpp"

namespace limber::bench {

namespace {

std::string row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

// a heading row and its rule: the first column is text, the others are numbers
std::string heading(const std::vector<std::string>& cells) {
  std::string rule = "|---|";
  for (std::size_t i = 1; i < cells.size(); ++i) rule += "---:|";
  return row(cells) + rule + "\n";
}

std::string nanoseconds(double x) { return x == 0 ? "–" : fmt::format("{:.0f}", x); }
std::string ratio(double ours, double theirs) {
  return ours == 0 || theirs == 0 ? "–" : fmt::format("{:.2f}", ours / theirs);
}

// in order of first appearance
std::vector<std::string> robot_names(const std::vector<Measurement>& measurements) {
  std::vector<std::string> names;
  for (const Measurement& m : measurements)
    if (std::ranges::find(names, m.robot) == names.end()) names.push_back(m.robot);
  return names;
}

// why libraries take no part on this robot, each in a paragraph of its own
std::string refusal_notes(const Report& report, const std::string& robot) {
  std::string text;
  for (const Refusal& refusal : report.refusals)
    if (refusal.robot == robot)
      text += fmt::format("\n{} takes no part on {}: {}.\n", refusal.peer, robot, refusal.reason);
  return text;
}

std::string robot_table(const Report& report, const std::string& robot) {
  std::vector<std::string> head{robot, "Limber ns"};
  for (const std::string& peer : peer_names()) {
    head.push_back(peer + " ns");
    head.push_back("ratio");
  }
  std::string text = heading(head);
  for (const auto& [algorithm, key, title] : all_algorithms) {
    const double ours = time_of(report.robots, robot, "Limber", algorithm);
    if (ours == 0) continue;
    std::vector<std::string> cells{std::string(title), nanoseconds(ours)};
    for (const std::string& peer : peer_names()) {
      const double theirs = time_of(report.robots, robot, peer, algorithm);
      cells.push_back(nanoseconds(theirs));
      cells.push_back(ratio(ours, theirs));
    }
    text += row(cells);
  }
  return text + refusal_notes(report, robot) + "\n";
}

std::string goal_table(const Report& report) {
  const std::vector<Goal> all = goals(report);
  if (all.empty()) return "";
  std::string text = heading({"goal: at most this fraction of MuJoCo's time", "goal", "measured"});
  for (const Goal& goal : all)
    text += row({fmt::format("{}, {}", goal.robot, facts(goal.algorithm).title),
                 fmt::format("{:.2f}", goal.limit),
                 fmt::format("{:.2f}{}", goal.ratio, goal.ratio <= goal.limit ? "" : " (missed)")});
  return text + "\n";
}

// time per call, time per body, and that relative to a chain of 100
std::vector<std::string> chain_cells(const Report& report, const Measurement& chain,
                                     Algorithm algorithm) {
  const double ours = time_of(report.chains, chain.robot, "Limber", algorithm);
  const double hundred = time_of(report.chains, "chain 100", "Limber", algorithm) / 100;
  return {nanoseconds(ours), fmt::format("{:.1f}", ours / chain.bodies),
          ratio(ours / chain.bodies, hundred)};
}

std::string linearity_table(const Report& report) {
  std::vector<std::string> head{"bodies"};
  for (const char* name : {"inverse", "forward"})
    for (const char* what : {" ns", " ns/body", " relative"})
      head.push_back(std::string(name) + what);
  head.push_back("inertia ns");
  std::string text = heading(head);
  for (const std::string& robot : robot_names(report.chains)) {
    const Measurement& chain = *std::ranges::find(report.chains, robot, &Measurement::robot);
    std::vector<std::string> cells{std::to_string(chain.bodies)};
    for (Algorithm algorithm : {Algorithm::inverse_dynamics, Algorithm::forward_dynamics})
      for (const std::string& cell : chain_cells(report, chain, algorithm)) cells.push_back(cell);
    cells.push_back(nanoseconds(time_of(report.chains, robot, "Limber", Algorithm::mass_matrix)));
    text += row(cells);
  }
  return text + "\n";
}

// Limber's time over each library's
std::string chain_ratio_table(const Report& report) {
  const std::pair<const char*, Algorithm> columns[] = {{"inverse", Algorithm::inverse_dynamics},
                                                       {"inertia", Algorithm::mass_matrix},
                                                       {"forward", Algorithm::forward_dynamics}};
  std::vector<std::string> head{"bodies"};
  for (const std::string& peer : peer_names())
    for (const auto& [name, algorithm] : columns)
      head.push_back(fmt::format("{} / {}", name, peer));
  std::string text = heading(head), notes;
  for (const std::string& robot : robot_names(report.chains)) {
    const Measurement& chain = *std::ranges::find(report.chains, robot, &Measurement::robot);
    std::vector<std::string> cells{std::to_string(chain.bodies)};
    for (const std::string& peer : peer_names())
      for (const auto& [name, algorithm] : columns)
        cells.push_back(ratio(time_of(report.chains, robot, "Limber", algorithm),
                              time_of(report.chains, robot, peer, algorithm)));
    text += row(cells);
    notes += refusal_notes(report, robot);
  }
  return text + notes + "\n";
}

std::string chain_tables(const Report& report) {
  if (report.chains.empty()) return "";
  std::string text = "### Chains of revolute joints\n\n" + linearity_table(report);
  if (!peer_names().empty()) text += chain_ratio_table(report);
  return text;
}

std::string count_table(const Report& report) {
  std::string text =
      heading({"chain of six revolute joints", "Limber ×", "Limber +", "McMillan ×", "McMillan +",
               "Featherstone ×", "Featherstone +", "sine-cosine pairs", "executed × and +"});
  for (const CountRow& r : report.counts)
    text += row(
        {r.title, std::to_string(r.needed.multiplications), std::to_string(r.needed.additions),
         std::to_string(r.mcmillan.multiplications), std::to_string(r.mcmillan.additions),
         std::to_string(r.featherstone.multiplications), std::to_string(r.featherstone.additions),
         std::to_string(r.total.sincos), std::to_string(r.total.executed)});
  return text + "\n";
}

// the worst difference of each library over all robots and algorithms
std::string agreement_line(const Report& report) {
  std::map<std::string, double> worst;
  for (const Agreement& a : report.agreements) worst[a.peer] = std::max(worst[a.peer], a.error);
  std::vector<std::string> parts;
  for (const auto& [peer, error] : worst) parts.push_back(fmt::format("{} {:.1e}", peer, error));
  if (parts.empty()) return "";
  return fmt::format("Largest relative difference to Limber: {}.\n\n", fmt::join(parts, ", "));
}

nlohmann::json to_json(const std::vector<Measurement>& measurements) {
  nlohmann::json list = nlohmann::json::array();
  for (const Measurement& m : measurements)
    list.push_back({{"robot", m.robot},
                    {"bodies", m.bodies},
                    {"library", m.peer},
                    {"algorithm", facts(m.algorithm).key},
                    {"ns", m.nanoseconds}});
  return list;
}

}  // namespace

std::vector<Goal> goals(const Report& report) {
  const std::pair<Algorithm, double> limits[] = {{Algorithm::inverse_dynamics, 0.25},
                                                 {Algorithm::mass_matrix, 0.27},
                                                 {Algorithm::forward_dynamics, 0.40}};
  std::vector<Goal> found;
  for (const char* robot : {"arm7", "quadruped", "humanoid"})
    for (const auto& [algorithm, limit] : limits) {
      const double ours = time_of(report.robots, robot, "Limber", algorithm);
      const double theirs = time_of(report.robots, robot, "MuJoCo", algorithm);
      if (ours > 0 && theirs > 0) found.push_back({robot, algorithm, ours / theirs, limit});
    }
  return found;
}

std::string build_description() {
  std::string processor = "unknown";
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      processor = line.substr(std::min(line.find(':') + 2, line.size()));
      break;
    }
  return fmt::format("{}, {}; processor: {}", LIMBER_BENCH_COMPILER, LIMBER_BENCH_FLAGS, processor);
}

std::string markdown(const Report& report) {
  std::string text =
      fmt::format("{} random states, fastest of {} rounds, one thread. Built with {}.\n\n",
                  report.states, report.rounds, report.build);
  text += agreement_line(report) + goal_table(report);
  if (!report.robots.empty()) text += "### Robots\n\n";
  for (const std::string& robot : robot_names(report.robots)) text += robot_table(report, robot);
  return text + call_table(report.calls) + chain_tables(report) + "### Operation counts\n\n" +
         count_table(report);
}

nlohmann::json to_json(const Report& report) {
  nlohmann::json json{{"build", report.build},
                      {"states", report.states},
                      {"rounds", report.rounds},
                      {"robots", to_json(report.robots)},
                      {"chains", to_json(report.chains)}};
  for (const Agreement& a : report.agreements)
    json["agreement"].push_back({{"robot", a.robot},
                                 {"library", a.peer},
                                 {"algorithm", facts(a.algorithm).key},
                                 {"error", a.error}});
  for (const Refusal& r : report.refusals)
    json["refusals"].push_back({{"robot", r.robot}, {"library", r.peer}, {"reason", r.reason}});
  for (const Goal& g : goals(report))
    json["goals"].push_back({{"robot", g.robot},
                             {"algorithm", facts(g.algorithm).key},
                             {"ratio", g.ratio},
                             {"limit", g.limit}});
  for (const CallTimes& robot : report.calls)
    for (std::size_t i = 0; i < robot.titles.size(); ++i)
      json["calls"].push_back(
          {{"robot", robot.robot},
           {"call", robot.titles[i]},
           {"ns", robot.nanoseconds[i]},
           {"in_forward_kinematics", robot.nanoseconds[i] / robot.nanoseconds[0]}});
  for (const CountRow& r : report.counts)
    json["counts"].push_back({{"algorithm", r.title},
                              {"multiplications", r.needed.multiplications},
                              {"additions", r.needed.additions},
                              {"executed", r.total.executed}});
  return json;
}

}  // namespace limber::bench
