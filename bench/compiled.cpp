// limber_compiled_bench: one robot's functions interpreted, compiled, in lanes and on threads,
// beside the fastest installed peer; what the machine could do at best; what compiling costs.
// Prints the tables of docs/benchmarks.md, and puts them there.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limber/limber.hpp>

#include "compiled_row.hpp"
#include "gpu_table.hpp"
#include "machine.hpp"
#include "markers.hpp"

namespace {

using namespace limber;
using namespace limber::bench;
using F = RobotFunction;

struct Options {
  std::vector<std::string> robots{"puma560", "arm7", "quadruped", "humanoid"};
  std::vector<int> chains{20, 50, 100};
  int rounds = 60;
  bool matrices = false;
  std::string write, gpu_table;
};

struct Report {
  double vector_peak = 0, scalar_peak = 0;
  std::vector<CompiledRow> rows;
  std::vector<ThreadRow> threads;
  std::map<int, double> copy;  ///< bandwidth by the number of threads
};

std::string ratio(double x) { return std::isfinite(x) ? fmt::format("{:.1f}", x) : "–"; }

std::string time_table(const Report& report) {
  std::string text =
      "| robot | function | operations | interpreter [ns] | compiled: times faster | lanes, "
      "interpreted | lanes, compiled [ns] | lanes / compiled | % of arithmetic | fastest peer "
      "/ lanes |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const CompiledRow& r : report.rows) {
    text +=
        fmt::format("| {} | {} | {} | {:.0f} | ", r.robot, r.function, r.operations, r.interpreter);
    if (!r.notice.empty()) {
      text += fmt::format("no machine code | {} | | | | |\n",
                          ratio(r.interpreter / r.lanes_interpreted));
      continue;
    }
    const double arithmetic = r.instructions / (r.lanes_compiled * 1e-9) / report.vector_peak;
    text +=
        fmt::format("{} | {} | {:.1f} | {} | {:.0f} | {} {} |\n", ratio(r.interpreter / r.compiled),
                    ratio(r.interpreter / r.lanes_interpreted), r.lanes_compiled,
                    ratio(r.compiled / r.lanes_compiled), 100 * arithmetic,
                    ratio(r.peer / r.lanes_compiled), r.peer_name);
  }
  return text;
}

std::string code_table(const Report& report) {
  std::string text =
      "| robot | function | instructions | ready the first time [s] | from the cache [ms] | code, "
      "one state [KiB] | code, lanes [KiB] |\n|---|---|---:|---:|---:|---:|---:|\n";
  for (const CompiledRow& r : report.rows)
    if (r.notice.empty())
      text += fmt::format("| {} | {} | {} | {:.2f} | {:.1f} | {:.0f} | {:.0f} |\n", r.robot,
                          r.function, r.instructions, r.fresh, 1e3 * r.cached,
                          static_cast<double>(r.code.one) / 1024,
                          static_cast<double>(r.code.lanes) / 1024);
  return text;
}

std::string thread_table(const Report& report) {
  std::string text =
      "| robot | function | bytes per state | threads | 10⁶ states/s | times one thread | % of "
      "copy |\n|---|---|---:|---:|---:|---:|---:|\n";
  double alone = 0;
  for (const ThreadRow& r : report.threads) {
    if (r.threads == 1) alone = r.rate;
    text += fmt::format("| {} | {} | {} | {} | {:.2f} | {:.2f} | {:.0f} |\n", r.robot, r.function,
                        r.bytes, r.threads, r.rate * 1e-6, r.rate / alone,
                        100 * r.rate * r.bytes / report.copy.at(r.threads));
  }
  return text;
}

std::string copy_text(const Report& report) {
  std::string text;
  for (const auto& [threads, bandwidth] : report.copy)
    text += fmt::format("{}{:.1f} GB/s with {} thread{}", text.empty() ? "" : ", ",
                        bandwidth * 1e-9, threads, threads == 1 ? "" : "s");
  return text;
}

std::string markdown(const Report& report) {
  return fmt::format(
      "One core, states that fit the nearest caches, double precision. Measured in the same run: "
      "{:.1f} · 10⁹ fused multiply-adds per second in vectors of eight, {:.1f} · 10⁹ in single "
      "numbers, a ratio of {:.1f}: code that does nothing but multiply and add cannot gain more "
      "by eight lanes.\n\n{}\n{}\n"
      "Batches of 250 MB, far more than the caches hold, by `Batch` with compiled code, by the "
      "clock on the wall. Copying (bytes read and written): {}.\n\n{}",
      report.vector_peak * 1e-9, report.scalar_peak * 1e-9, report.vector_peak / report.scalar_peak,
      time_table(report), code_table(report), copy_text(report), thread_table(report));
}

/// Dynamics of every robot; derivatives of those that ship, where matrices of chains would fill the
/// memory.
Report measure(const Options& options) {
  Report report;
  report.vector_peak = peak_fused_vector(), report.scalar_peak = peak_fused_scalar();
  auto time = [&](const std::string& title, const Spec& spec, const std::vector<F>& functions) {
    for (const F f : functions) {
      fmt::print(stderr, "{}: {}\n", title, title_of(f));
      report.rows.push_back(time_function(title, spec, f, options.rounds));
    }
  };
  for (const std::string& robot : options.robots) {
    const std::string title = std::filesystem::path(robot).stem().string();
    const Spec spec = load_spec(robot);
    time(title, spec,
         {F::inverse_dynamics, F::forward_dynamics, F::mass_matrix, F::inverse_dynamics_derivatives,
          F::forward_dynamics_derivatives});
    for (const F f : {F::inverse_dynamics, F::forward_dynamics})
      for (const ThreadRow& row : time_threads(title, spec, f, options.rounds)) {
        report.threads.push_back(row);
        report.copy.try_emplace(row.threads, 0);
      }
  }
  for (const int n : options.chains)
    time(fmt::format("chain {}", n), generate_chain(n), {F::inverse_dynamics, F::forward_dynamics});
  for (auto& [threads, bandwidth] : report.copy) bandwidth = copy_bandwidth(threads);
  return report;
}

/// Functions with matrices of every robot.
std::string matrix_table(const Options& options) {
  std::string text =
      "| robot | function | interpreter [ns] | and written out | batch, by state | by variable | "
      "sparse | compiled, by state | by variable | sparse |\n"
      "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const std::string& robot : options.robots)
    for (const F f :
         {F::mass_matrix, F::inverse_dynamics_derivatives, F::forward_dynamics_derivatives}) {
      fmt::print(stderr, "{}: {}\n", robot, title_of(f));
      const MatrixRow r = time_matrices(std::filesystem::path(robot).stem().string(),
                                        load_spec(robot), f, options.rounds);
      text +=
          fmt::format("| {} | {} | {:.0f} | {:.0f}", r.robot, r.function, r.interpreter, r.written);
      for (const MatrixRow::Layouts& b : {r.batch, r.compiled})
        text += fmt::format(" | {:.0f} | {:.0f} | {:.0f}", b.by_state, b.by_variable, b.sparse);
      text += " |\n";
    }
  return text;
}

int run(const Options& options) {
  if (!options.gpu_table.empty()) {
    if (options.write.empty()) throw Error("--gpu-table needs --write FILE, the page to renew");
    write_between_markers(options.write, "gpu", gpu_table(read_text(options.gpu_table)));
    return 0;
  }
  if (options.matrices) {
    const std::string table = matrix_table(options);
    fmt::print("{}", table);
    if (!options.write.empty()) write_between_markers(options.write, "matrices", table);
    return 0;
  }
  const std::string text = markdown(measure(options));
  fmt::print("{}", text);
  if (!options.write.empty()) write_between_markers(options.write, "compiled", text);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Times compiled code, lanes and threads beside the interpreter and the installed libraries.\n"
      "Example: limber_compiled_bench --robots arm7,humanoid --chains 0");
  app.add_option("--robots", options.robots, "robots that ship with Limber, or files")
      ->delimiter(',');
  app.add_option("--chains", options.chains, "lengths of generated chains; 0 for none")
      ->delimiter(',');
  app.add_option("--rounds", options.rounds, "rounds; the fastest counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--write", options.write,
                 "also write the tables between the markers of this file");
  app.add_flag("--matrices", options.matrices,
               "only functions with matrices, for 512 states: interpreter and batches; --write "
               "writes their own table");
  app.add_option("--gpu-table", options.gpu_table,
                 "measure nothing; put this file, which the GPU benchmark printed, between the "
                 "GPU markers of the --write file");
  CLI11_PARSE(app, argc, argv);
  std::erase(options.chains, 0);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "limber_compiled_bench: {}\n", error.what());
    return 2;
  }
}
