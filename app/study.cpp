// limber study: the books' tables beside our own counts and times.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limber/error.hpp>

#include "commands.hpp"
#include "output.hpp"
#include "study/counting.hpp"
#include "study/progress.hpp"
#include "study/report.hpp"
#include "study/timing.hpp"

namespace limber::app {

namespace {

constexpr double full_seconds = 18, quick_seconds = 1.2;

struct Options {
  std::string topic = "recursions";
  bool json = false, quick = false, counts_only = false;
  std::string html;  ///< file; empty: none
};

void check(const Options& options) {
  const std::string only_topic = "recursions";
  if (options.topic != only_topic)
    throw Error(
        fmt::format("there is no topic '{}' to study; topics: {}", options.topic, only_topic));
  if (options.html == only_topic)
    throw Error(
        fmt::format("--html takes the topic '{0}' for its file; write the topic first: "
                    "limber study {0} --html",
                    only_topic));
}

study::Study examine(const Options& options) {
  study::Study result;
  {
    study::Progress progress("counting");
    result.results = study::count_operations([&](double part) { progress.show(part); });
  }
  if (!options.counts_only) {
    study::Progress progress("timing  ");
    study::measure_times(result.results, options.quick ? quick_seconds : full_seconds,
                         [&](double part) { progress.show(part); });
  }
  result.crossovers = study::find_crossovers(result.results);
  result.claims = study::judge_claims(result.results);
  return result;
}

// opened before the study begins: whoever waits for it must not lose it to a mistyped name
class Page {
 public:
  explicit Page(const std::string& path) : path_(path), file_(path, std::ios::binary) { check(); }
  void write(const std::string& text) {
    file_ << text << std::flush;
    check();
    remark(fmt::format("'{}' has the plots: open it in a browser", path_));
  }

 private:
  void check() const {
    if (!file_)
      throw RunFailure(fmt::format("cannot write '{}': {}; name another file with --html", path_,
                                   std::strerror(errno)));
  }
  std::string path_;
  std::ofstream file_;
};

void run(const Options& options) {
  check(options);
  std::optional<Page> page;
  if (!options.html.empty()) page.emplace(options.html);
  const study::Study result = examine(options);
  if (page) page->write(study::to_page(result));
  if (options.json) return write_line(study::to_json(result));
  write(study::to_text(result));
}

}  // namespace

void add_study_command(CLI::App& limber) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      *limber.add_subcommand("study", "The books' cost tables beside our own counts and times");
  command.add_option("TOPIC", options->topic, "recursions: the formulations of dynamics")
      ->capture_default_str();
  command.add_flag("--json", options->json, "Print one line of JSON instead of tables");
  command
      .add_option("--html", options->html,
                  "Write a page with plots, study.html if no FILE is named")
      ->option_text("[FILE]")
      ->expected(0, 1)
      ->default_str("study.html");
  CLI::Option* quick =
      command.add_flag("--quick", options->quick, "Time for one second only: rougher numbers");
  command.add_flag("--counts-only", options->counts_only, "Count operations, time nothing")
      ->excludes(quick);
  command.footer(
      R"(For chains of n = 1 to 30 revolute links: what every formulation of inverse dynamics, inertia
matrix and forward dynamics costs, in operations that the result needs and in time on this
machine, beside the counts that the books publish; where one overtakes the other; and whether
the books' claims hold. About 20 seconds. docs/reference.md has the formulations.

Examples:
  limber study
  limber study --html
  limber study recursions --quick --html lecture.html
  limber study --counts-only --json)");
  command.callback([options] { run(*options); });
}

}  // namespace limber::app
