#include "compiled_row.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include <limber/batch/batch.hpp>
#include <limber/compile/program.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/limber.hpp>

#include "machine.hpp"
#include "timing.hpp"

namespace limber::bench {

namespace {

using F = RobotFunction;

/// Contestants take turns; each one's least processor time per state [ns]. Those that are empty
/// take infinitely long.
std::vector<double> contest_times(const std::vector<std::function<void()>>& contestants, int states,
                                  int rounds) {
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

/// The arrays of a function for many states.
struct Arrays {
  std::vector<std::vector<double>> in, out;

  Arrays(const Model& model, const FunctionShape& shape, long states, Layout layout, long stride) {
    for (const ArrayShape& array : shape.inputs)
      in.emplace_back(static_cast<std::size_t>(array.size * stride));
    for (const ArrayShape& array : shape.outputs)
      out.emplace_back(static_cast<std::size_t>(array.size * stride));
    for (long i = 0; i < states; ++i) {
      const RandomState s = generate_state(model, static_cast<std::uint64_t>(i % 512 + 1));
      for (std::size_t k = 0; k < in.size(); ++k) {
        const std::string& name = shape.inputs[k].name;
        const std::vector<double>& x = name == "q"   ? s.q
                                       : name == "v" ? s.v
                                       : name == "a" ? s.a
                                                     : s.tau;
        const long width = shape.inputs[k].size;
        for (long e = 0; e < width; ++e)
          in[k][static_cast<std::size_t>(layout == Layout::by_state ? i * width + e
                                                                    : e * stride + i)] =
              x[static_cast<std::size_t>(e)];
      }
    }
  }
  /// State i of arrays by state; nothing of an array that the function has not.
  std::span<const double> input(std::size_t k, int i, int width) const {
    if (k >= in.size()) return {};
    return std::span(in[k]).subspan(static_cast<std::size_t>(i * width),
                                    static_cast<std::size_t>(width));
  }
  std::span<double> output(std::size_t k, int i, int width) {
    return std::span(out[k]).subspan(static_cast<std::size_t>(i * width),
                                     static_cast<std::size_t>(width));
  }
};

/// The library's own function, for one state.
void interpret(const Model& m, RobotFunction f, std::span<const double> q,
               std::span<const double> v, std::span<const double> u, Workspace& ws,
               MatrixWorkspace& mw) {
  if (f == F::inverse_dynamics) keep(inverse_dynamics<double>(m, q, v, u, ws).data());
  if (f == F::forward_dynamics) keep(forward_dynamics<double>(m, q, v, u, ws).data());
  if (f == F::mass_matrix) keep(mass_matrix<double>(m, q, ws).values);
  if (f == F::inverse_dynamics_derivatives)
    keep(inverse_dynamics_tangent_derivatives<double>(m, q, v, u, ws, mw).tau_q.data);
  if (f == F::forward_dynamics_derivatives)
    keep(forward_dynamics_tangent_derivatives<double>(m, q, v, u, ws, mw).a.data());
}

/// The library's own function with matrices, for one state; results go to y.
void interpret_into(const Model& m, RobotFunction f, std::span<const double> q,
                    std::span<const double> v, std::span<const double> u, Workspace& ws,
                    MatrixWorkspace& mw, const std::vector<std::span<double>>& y) {
  if (f == F::mass_matrix) mass_matrix<double>(m, q, ws, y[0]);
  if (f == F::inverse_dynamics_derivatives)
    inverse_dynamics_tangent_derivatives<double>(m, q, v, u, ws, mw, y[0], y[1], y[2]);
  if (f == F::forward_dynamics_derivatives)
    forward_dynamics_tangent_derivatives<double>(m, q, v, u, ws, mw, y[0], y[1], y[2], y[3]);
}

/// The compiled function, for one state.
void call(const CompiledRobot& robot, RobotFunction f, std::span<const double> q,
          std::span<const double> v, std::span<const double> u,
          const std::vector<std::span<double>>& y) {
  if (f == F::inverse_dynamics) robot.inverse_dynamics(q, v, u, y[0]);
  if (f == F::forward_dynamics) robot.forward_dynamics(q, v, u, y[0]);
  if (f == F::mass_matrix) robot.mass_matrix(q, y[0]);
  if (f == F::inverse_dynamics_derivatives)
    robot.inverse_dynamics_derivatives(q, v, u, y[0], y[1], y[2]);
  if (f == F::forward_dynamics_derivatives)
    robot.forward_dynamics_derivatives(q, v, u, y[0], y[1], y[2], y[3]);
}

void call(Batch& batch, RobotFunction f, long n, Arrays& x, Layout layout) {
  const auto& in = x.in;
  auto& out = x.out;
  if (f == F::inverse_dynamics)
    (void)batch.inverse_dynamics(n, in[0], in[1], in[2], out[0], layout);
  if (f == F::forward_dynamics)
    (void)batch.forward_dynamics(n, in[0], in[1], in[2], out[0], layout);
  if (f == F::mass_matrix) (void)batch.mass_matrix(n, in[0], out[0], layout);
  if (f == F::inverse_dynamics_derivatives)
    (void)batch.inverse_dynamics_tangent_derivatives(n, in[0], in[1], in[2], out[0], out[1], out[2],
                                                     layout);
  if (f == F::forward_dynamics_derivatives)
    (void)batch.forward_dynamics_tangent_derivatives(n, in[0], in[1], in[2], out[0], out[1], out[2],
                                                     out[3], layout);
}

int numbers_per_state(const FunctionShape& shape) {
  int count = 0;
  for (const std::vector<ArrayShape>* arrays : {&shape.inputs, &shape.outputs})
    for (const ArrayShape& array : *arrays) count += array.size;
  return count;
}

/// States whose arrays fit the nearest caches, a multiple of all lanes.
int near_states(const FunctionShape& shape) {
  constexpr int bytes = 1 << 19;
  return std::clamp(bytes / 8 / numbers_per_state(shape), 16, 512) / 16 * 16;
}

/// A folder for compiled code, so that nothing comes from earlier runs; gone at the end.
class OwnCache {
 public:
  OwnCache() : path_(std::filesystem::temp_directory_path() / "limber_bench_XXXXXX") {
    if (!mkdtemp(path_.data())) throw Error("no temporary folder can be made");
    setenv("LIMBER_CACHE", path_.c_str(), 1);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  ~OwnCache() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  CodeSize code() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      return code_size(entry.path().string());
    return {};
  }

 private:
  std::string path_;
};

CompiledRobot compile_one(const Model& model, RobotFunction function, double& seconds) {
  CompileOptions options;
  options.functions = {function};
  const double start = wall_seconds();
  CompiledRobot robot = compile(model, options);
  seconds = wall_seconds() - start;
  return robot;
}

/// The other libraries, for the two functions that they have.
std::vector<std::function<void()>> peers_of(Contest& contest, RobotFunction f) {
  std::vector<std::function<void()>> contestants;
  const Algorithm algorithm =
      f == F::inverse_dynamics ? Algorithm::inverse_dynamics : Algorithm::forward_dynamics;
  const bool has = f == F::inverse_dynamics || f == F::forward_dynamics;
  for (Entry& entry : contest.peers) {
    if (has && entry.peer && entry.peer->offers(algorithm))
      contestants.emplace_back([&entry, algorithm] { entry.peer->run(algorithm); });
    else contestants.emplace_back();
  }
  return contestants;
}

}  // namespace

std::string title_of(RobotFunction function) {
  std::string title(name(function));
  std::replace(title.begin(), title.end(), '_', ' ');
  const std::string ending = " derivatives";
  if (!title.ends_with(ending)) return title;
  return "derivatives of " + title.substr(0, title.size() - ending.size());
}

CompiledRow time_function(const std::string& title, const Spec& spec, RobotFunction f, int rounds) {
  const Model m = build(spec);
  const OwnCache cache;
  CompiledRow row;
  row.robot = title, row.function = title_of(f);
  const ProgramCounts counts = trace(m, f).count();
  row.operations = counts.operations(), row.instructions = counts.instructions();
  compile_one(m, f, row.fresh);
  const CompiledRobot compiled = compile_one(m, f, row.cached);
  row.notice = compiled.notice(), row.code = cache.code();

  const FunctionShape& shape = compiled.shape(f);
  const int states = near_states(shape);
  const long stride = states + 8;  // no power of two: rows would fight for the same lines
  Arrays x(m, shape, states, Layout::by_state, states);
  Arrays rows(m, compiled.sparse_shape(f), states, Layout::by_variable, stride);
  Workspace ws(m);
  MatrixWorkspace mw(m);
  auto interpreter = [&] {
    for (int i = 0; i < states; ++i)
      interpret(m, f, x.input(0, i, m.nq), x.input(1, i, m.nv), x.input(2, i, m.nv), ws, mw);
  };
  std::vector<std::span<double>> y(shape.outputs.size());
  auto scalar = [&] {
    for (int i = 0; i < states; ++i) {
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = x.output(k, i, shape.outputs[k].size);
      call(compiled, f, x.input(0, i, m.nq), x.input(1, i, m.nv), x.input(2, i, m.nv), y);
    }
  };
  BatchOptions one_thread;
  one_thread.threads = 1;
  Batch batch(m, one_thread);
  const CompiledKernel<double> kernel = compiled.sparse_kernel<double>(f);
  std::vector<const double*> in;
  std::vector<double*> out;
  for (const std::vector<double>& array : rows.in) in.push_back(array.data());
  for (std::vector<double>& array : rows.out) out.push_back(array.data());
  std::vector<std::function<void()>> contestants{
      interpreter, scalar, [&] { call(batch, f, states, x, Layout::by_state); },
      [&] { kernel(states, stride, in.data(), out.data()); }};
  Contest contest = make_contest(title, spec, states);
  for (auto& peer : peers_of(contest, f)) contestants.push_back(std::move(peer));
  const std::vector<double> ns = contest_times(contestants, states, rounds);
  row.interpreter = ns[0], row.compiled = ns[1];
  row.lanes_interpreted = ns[2], row.lanes_compiled = ns[3];
  row.peer = HUGE_VAL;
  for (std::size_t k = 0; k < contest.peers.size(); ++k)
    if (ns[4 + k] < row.peer) row.peer = ns[4 + k], row.peer_name = contest.peers[k].name;
  return row;
}

MatrixRow time_matrices(const std::string& title, const Spec& spec, RobotFunction f, int rounds) {
  constexpr int states = 512;
  const Model m = build(spec);
  const OwnCache cache;
  double ignored = 0;
  const CompiledRobot robot = compile_one(m, f, ignored);
  const FunctionShape& shape = robot.shape(f);
  Arrays x(m, shape, states, Layout::by_state, states);
  Arrays variables(m, shape, states, Layout::by_variable, states);
  Arrays sparse(m, robot.sparse_shape(f), states, Layout::by_state, states);
  Workspace ws(m);
  MatrixWorkspace mw(m);
  std::vector<std::span<double>> y(shape.outputs.size());
  std::vector<std::function<void()>> contestants{
      [&] {
        for (int i = 0; i < states; ++i)
          interpret(m, f, x.input(0, i, m.nq), x.input(1, i, m.nv), x.input(2, i, m.nv), ws, mw);
      },
      [&] {
        for (int i = 0; i < states; ++i) {
          for (std::size_t k = 0; k < y.size(); ++k) y[k] = x.output(k, i, shape.outputs[k].size);
          interpret_into(m, f, x.input(0, i, m.nq), x.input(1, i, m.nv), x.input(2, i, m.nv), ws,
                         mw, y);
        }
      }};
  std::vector<Batch> batches;
  for (const bool compiled : {false, true})
    for (const MatrixForm form : {MatrixForm::whole, MatrixForm::sparse}) {
      BatchOptions options;
      options.threads = 1, options.matrices = form;
      if (compiled) options.compiled = robot;
      batches.emplace_back(m, options);
    }
  for (const std::size_t k : {std::size_t{0}, std::size_t{2}}) {
    contestants.emplace_back([&, k] { call(batches[k], f, states, x, Layout::by_state); });
    contestants.emplace_back(
        [&, k] { call(batches[k], f, states, variables, Layout::by_variable); });
    contestants.emplace_back([&, k] { call(batches[k + 1], f, states, sparse, Layout::by_state); });
  }
  const std::vector<double> ns = contest_times(contestants, states, rounds);
  return {title, title_of(f), ns[0], ns[1], {ns[2], ns[3], ns[4]}, {ns[5], ns[6], ns[7]}};
}

std::vector<ThreadRow> time_threads(const std::string& title, const Spec& spec, RobotFunction f,
                                    int rounds) {
  constexpr double bytes_in_all = 2.5e8;
  const Model m = build(spec);
  const OwnCache cache;
  double ignored = 0;
  BatchOptions options;
  options.compiled = compile_one(m, f, ignored);
  const FunctionShape shape = options.compiled->shape(f);
  const int bytes = 8 * numbers_per_state(shape);
  const long states = static_cast<long>(bytes_in_all / bytes) / 16 * 16 + 8;
  Arrays x(m, shape, states, Layout::by_variable, states);
  std::vector<ThreadRow> rows;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (int threads = 1; threads <= cores;
       threads = threads < cores ? std::min(2 * threads, cores) : cores + 1) {
    options.threads = threads;
    Batch batch(m, options);
    double best = HUGE_VAL;
    for (int round = 0; round < std::min(rounds, 10); ++round) {
      const double start = wall_seconds();
      call(batch, f, states, x, Layout::by_variable);
      best = std::min(best, wall_seconds() - start);
    }
    rows.push_back({title, title_of(f), bytes, threads, static_cast<double>(states) / best});
  }
  return rows;
}

}  // namespace limber::bench
