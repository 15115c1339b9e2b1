// limber_compiled_bench: one robot's functions interpreted, compiled, in lanes and on threads,
// beside the fastest installed peer; what the machine could do at best; what compiling costs.
// Prints the section of docs/benchmarks.md.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <limber/batch/batch.hpp>
#include <limber/compile/compiled_robot.hpp>
#include <limber/compile/program.hpp>
#include <limber/limber.hpp>
#include <limber/scalar/pack.hpp>

#include "timing.hpp"

namespace {

using namespace limber;
using namespace limber::bench;
using Clock = std::chrono::steady_clock;

constexpr int states = 512;  // small enough for the nearest caches
constexpr int rounds = 60;
constexpr long stride =
    states + 8;  // no power of two: rows would fight for the same lines of the cache

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Contestants take turns; each one's least processor time per state [ns].
std::vector<double> contest_times(const std::vector<std::function<void()>>& contestants) {
  std::vector<double> best(contestants.size(), HUGE_VAL);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < contestants.size(); ++k) {
      if (!contestants[k]) continue;
      int repeats = 0;
      const double start = thread_seconds();
      do contestants[k](), ++repeats;
      while (thread_seconds() - start < 5e-4);
      best[k] = std::min(best[k], (thread_seconds() - start) / repeats / states * 1e9);
    }
  return best;
}

/// Fused multiply-adds per second of one core, in vectors: what arithmetic can do at best.
double peak_fused() {
  using V = Pack<double, 8>;
  V x[12];
  for (int k = 0; k < 12; ++k) x[k] = V(1.0 + 1e-3 * k);
  const V a(0.999), b(1e-3);
  double best = 0;
  for (int round = 0; round < 20; ++round) {
    const int repeats = 20000;
    const double start = thread_seconds();
    for (int r = 0; r < repeats; ++r)
      for (V& y : x) y = fma(y, a, b);
    best = std::max(best, 12.0 * 8 * repeats / (thread_seconds() - start));
    keep(x);
  }
  return best;
}

/// A robot's states, one after the other and variable by variable.
struct Arrays {
  std::vector<double> q, v, u, out;
  std::vector<double> q_rows, v_rows, u_rows, out_rows;
  Arrays(const Model& m, const std::vector<RandomState>& from, bool inverse) {
    auto fill = [&](auto member, int width, std::vector<double>& plain, std::vector<double>& rows) {
      rows.resize(static_cast<std::size_t>(width * stride));
      for (std::size_t i = 0; i < from.size(); ++i) {
        const std::vector<double>& x = from[i].*member;
        plain.insert(plain.end(), x.begin(), x.end());
        for (std::size_t j = 0; j < x.size(); ++j) rows[j * stride + i] = x[j];
      }
    };
    fill(&RandomState::q, m.nq, q, q_rows);
    fill(&RandomState::v, m.nv, v, v_rows);
    fill(inverse ? &RandomState::a : &RandomState::tau, m.nv, u, u_rows);
    out.resize(u.size());
    out_rows.resize(u_rows.size());
  }
};

std::vector<RandomState> random_states(const Model& m) {
  std::vector<RandomState> all;
  for (int i = 0; i < states; ++i)
    all.push_back(generate_state(m, static_cast<std::uint64_t>(i + 1)));
  return all;
}

struct Row {
  std::string robot, function;
  int operations = 0, instructions = 0;
  std::vector<double>
      ns;  ///< interpreter, compiled, lanes interpreted, lanes compiled, fastest peer
  std::string peer;
  double fresh = 0, cached = 0;  ///< seconds until the function can be called
  std::string notice;            ///< why it is no machine code
};

Row measure(const std::string& title, const Spec& spec, RobotFunction f) {
  const Model m = build(spec);
  const bool inverse = f == RobotFunction::inverse_dynamics;
  Row row{title, std::string(name(f)), 0, 0, {}, "", 0, 0, ""};
  const ProgramCounts counts = trace(m, f).count();
  row.operations = counts.operations(), row.instructions = counts.instructions();
  CompileOptions options;
  options.functions = {f};
  auto start = Clock::now();
  compile(m, options);
  row.fresh = seconds_since(start);
  start = Clock::now();
  const CompiledRobot compiled = compile(m, options);
  row.cached = seconds_since(start);
  row.notice = compiled.notice();

  Contest contest = make_contest(title, spec, states);
  Arrays x(m, random_states(m), inverse);
  Workspace ws(m);
  const auto nq = static_cast<std::size_t>(m.nq), nv = static_cast<std::size_t>(m.nv);
  auto each = [&](auto&& call) {
    for (std::size_t i = 0; i < states; ++i)
      call(std::span(x.q).subspan(i * nq, nq), std::span(x.v).subspan(i * nv, nv),
           std::span(x.u).subspan(i * nv, nv), std::span(x.out).subspan(i * nv, nv));
  };
  auto interpreter = [&] {
    each([&](auto q, auto v, auto u, auto) {
      keep((inverse ? inverse_dynamics<double>(m, q, v, u, ws)
                    : forward_dynamics<double>(m, q, v, u, ws))
               .data());
    });
  };
  auto scalar = [&] {
    each([&](auto q, auto v, auto u, auto out) {
      if (inverse) compiled.inverse_dynamics(q, v, u, out);
      else compiled.forward_dynamics(q, v, u, out);
    });
  };
  BatchOptions one_thread;
  one_thread.threads = 1;
  Batch batch(m, one_thread);
  auto lanes = [&] {
    if (inverse) (void)batch.inverse_dynamics(states, x.q, x.v, x.u, x.out);
    else (void)batch.forward_dynamics(states, x.q, x.v, x.u, x.out);
  };
  const CompiledKernel<double> kernel = compiled.kernel<double>(f);
  auto part = [&](long first, long count) {
    const double* in[] = {x.q_rows.data() + first, x.v_rows.data() + first,
                          x.u_rows.data() + first};
    double* out[] = {x.out_rows.data() + first};
    kernel(count, stride, in, out);
  };
  auto compiled_lanes = [&] { part(0, states); };
  std::vector<std::function<void()>> contestants{interpreter, scalar, lanes, compiled_lanes};
  const Algorithm algorithm = inverse ? Algorithm::inverse_dynamics : Algorithm::forward_dynamics;
  for (Entry& entry : contest.peers) {
    if (entry.peer && entry.peer->offers(algorithm))
      contestants.emplace_back([&entry, algorithm] { entry.peer->run(algorithm); });
    else contestants.emplace_back();
  }
  row.ns = contest_times(contestants);
  double best = HUGE_VAL;
  for (std::size_t k = 0; k < contest.peers.size(); ++k)
    if (row.ns[4 + k] < best) best = row.ns[4 + k], row.peer = contest.peers[k].name;
  row.ns.resize(4);
  row.ns.push_back(best);
  return row;
}

std::string ratio(double x) { return std::isfinite(x) ? fmt::format("{:.1f}", x) : "–"; }

}  // namespace

int main(int argc, char** argv) {
  const double peak = peak_fused();
  std::vector<Row> rows;
  std::vector<std::string> robots(argv + 1, argv + argc);
  const bool all = robots.empty();
  if (all) robots = {"puma560", "arm7", "quadruped", "humanoid"};
  for (const std::string& robot : robots)
    for (const RobotFunction f : {RobotFunction::inverse_dynamics, RobotFunction::forward_dynamics})
      rows.push_back(measure(robot, load_spec(robot), f));
  for (const int n : all ? std::vector{20, 50, 100} : std::vector<int>{})
    for (const RobotFunction f : {RobotFunction::inverse_dynamics, RobotFunction::forward_dynamics})
      rows.push_back(measure(fmt::format("chain {}", n), generate_chain(n), f));
  fmt::print(
      "One core, {} states, double precision; fused multiply-adds at best {:.1f} · 10⁹/s "
      "(measured in the same run).\n\n",
      states, peak * 1e-9);
  fmt::print(
      "| robot | function | operations | interpreter [ns] | compiled: times faster | lanes, "
      "interpreted | lanes, compiled [ns] | lanes / compiled | % of arithmetic | fastest peer "
      "/ lanes |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const Row& r : rows) {
    if (!r.notice.empty()) {
      fmt::print("| {} | {} | {} | {:.0f} | too long | {} | | | | |\n", r.robot, r.function,
                 r.operations, r.ns[0], ratio(r.ns[0] / r.ns[2]));
      continue;
    }
    fmt::print("| {} | {} | {} | {:.0f} | {} | {} | {:.1f} | {} | {:.0f} | {} {} |\n", r.robot,
               r.function, r.operations, r.ns[0], ratio(r.ns[0] / r.ns[1]),
               ratio(r.ns[0] / r.ns[2]), r.ns[3], ratio(r.ns[1] / r.ns[3]),
               100 * r.instructions / (r.ns[3] * 1e-9) / peak, ratio(r.ns[4] / r.ns[3]), r.peer);
  }
  fmt::print(
      "\n| robot | function | instructions | ready the first time [s] | from the cache [ms] "
      "|\n|---|---|---:|---:|---:|\n");
  for (const Row& r : rows)
    if (r.notice.empty())
      fmt::print("| {} | {} | {} | {:.2f} | {:.1f} |\n", r.robot, r.function, r.instructions,
                 r.fresh, 1e3 * r.cached);
}
