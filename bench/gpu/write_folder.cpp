// Writes a folder with the GPU benchmark: generated kernels of some robots, what the library's
// interpreter computes for some of their states, and a main that needs only the CUDA toolkit.
//   limber_gpu_bench FOLDER [ROBOT …]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/compile/source.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "gpu_main.hpp"

namespace {

using limber::FunctionShape;
using limber::Model;
using limber::Program;
using limber::RobotFunction;
using Values = std::vector<std::vector<double>>;

constexpr int states = 64;  // reference states of a function
constexpr int rollout_steps = 100;

std::string sizes(const std::vector<limber::ArrayShape>& arrays) {
  std::string text;
  for (const limber::ArrayShape& a : arrays)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", a.size);
  return text;
}

std::string elements(const std::vector<limber::ArrayShape>& arrays, const char* name) {
  std::string text;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    text += fmt::format("{}{}[{}]", k == 0 ? "" : ", ", name, k);
  return text;
}

/// The forces of a moderate motion, of accelerations up to 1 rad/s² or m/s²: with forces of any
/// other size a rollout says nothing. One newton metre on a finger of a few grams makes it turn
/// several times in one step, and no method can follow.
std::vector<double> moderate_forces(const Model& model, const Values& in, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> a(static_cast<std::size_t>(model.nv));
  for (double& x : a) x = unit(random);
  limber::Workspace ws(model);
  const std::span<const double> tau = limber::inverse_dynamics<double>(model, in[0], in[1], a, ws);
  return {tau.begin(), tau.end()};
}

/// A random state: what single precision can hold, so that both precisions get the same.
Values random_inputs(const Model& model, const FunctionShape& shape, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const bool is_step =
      std::any_of(shape.inputs.begin(), shape.inputs.end(),
                  [](const limber::ArrayShape& array) { return array.name == "h"; });
  Values in;
  for (const limber::ArrayShape& array : shape.inputs) {
    std::vector<double>& x = in.emplace_back(static_cast<std::size_t>(array.size));
    for (double& y : x) y = unit(random);
    if (array.name == "q") limber::normalize(model, x);
    if (array.name == "h") x = {1.0 / 1024};
    if (array.name == "tau" && is_step) x = moderate_forces(model, in, random);
    if (array.name == "kp" || array.name == "kd") x.assign(x.size(), 0);
    for (double& y : x) y = static_cast<float>(y);
  }
  return in;
}

void append(std::vector<double>& to, std::span<const double> values) {
  to.insert(to.end(), values.begin(), values.end());
}
template <class Matrix>
std::vector<double> flat(const Matrix& matrix, int n) {
  std::vector<double> r;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) r.push_back(matrix(i, j));
  return r;
}

/// The interpreter's answer; a step's by the program itself, run on the host.
Values expected(const Model& m, RobotFunction f, const Program& p, const Values& in, int steps) {
  limber::Workspace ws(m);
  limber::MatrixWorkspace mw(m);
  Values out(p.shape.outputs.size());
  switch (f) {
    case RobotFunction::inverse_dynamics:
      append(out[0], limber::inverse_dynamics<double>(m, in[0], in[1], in[2], ws));
      break;
    case RobotFunction::forward_dynamics:
      append(out[0], limber::forward_dynamics<double>(m, in[0], in[1], in[2], ws));
      break;
    case RobotFunction::mass_matrix:
      out[0] = flat(limber::mass_matrix<double>(m, in[0], ws), m.nv);
      break;
    case RobotFunction::inverse_dynamics_derivatives: {
      const auto d =
          limber::inverse_dynamics_tangent_derivatives<double>(m, in[0], in[1], in[2], ws, mw);
      out = {flat(d.tau_q, m.nv), flat(d.tau_v, m.nv), flat(d.tau_a, m.nv)};
      break;
    }
    case RobotFunction::forward_dynamics_derivatives: {
      const auto d =
          limber::forward_dynamics_tangent_derivatives<double>(m, in[0], in[1], in[2], ws, mw);
      append(out[0], d.a);
      out[1] = flat(d.a_q, m.nv), out[2] = flat(d.a_v, m.nv), out[3] = flat(d.a_tau, m.nv);
      break;
    }
    default: {
      Values now = in;
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k].resize(static_cast<std::size_t>(p.shape.outputs[k].size));
      for (int s = 0; s < steps; ++s) {
        const std::vector<std::span<const double>> from(now.begin(), now.end());
        const std::vector<std::span<double>> to(out.begin(), out.end());
        limber::evaluate(p, from, to);
        now[0] = out[0], now[1] = out[1];
      }
    }
  }
  return out;
}

bool all_finite(const Values& arrays) {
  for (const std::vector<double>& x : arrays)
    if (!std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); })) return false;
  return true;
}

class Folder {
 public:
  explicit Folder(const std::filesystem::path& folder)
      : folder_(folder),
        source_(folder / "robots.cuh"),
        references_(folder / "references.bin", std::ios::binary) {}
  ~Folder() {
    source_ << fmt::format("constexpr int reference_states = {};\n", states);
    source_ << "#define LIMBER_FOR_EACH_FUNCTION(F)" << list_ << "\n";
  }

  void add(const std::string& file) {
    const Model model = limber::load(file);
    limber::GenerateOptions options;
    options.functions = {RobotFunction::inverse_dynamics,
                         RobotFunction::forward_dynamics,
                         RobotFunction::mass_matrix,
                         RobotFunction::inverse_dynamics_derivatives,
                         RobotFunction::forward_dynamics_derivatives,
                         RobotFunction::step};
    const limber::TracedRobot robot = limber::trace_robot(model, options);
    const limber::GeneratedFile text = limber::write_source(robot, {limber::Target::cuda})[0];
    std::ofstream(folder_ / text.name) << text.text;
    source_ << "#include \"" << text.name << "\"\nnamespace " << robot.identifier << " {\n";
    for (std::size_t k = 0; k < robot.programs.size(); ++k) {
      const Program& p = robot.programs[k];
      describe(model, robot.identifier, options.functions[k], p, p.name, 1);
      if (options.functions[k] == RobotFunction::step)
        describe(model, robot.identifier, options.functions[k], p, "rollout", rollout_steps);
      // without M⁻¹, where the kernels go column by column and can leave it out
      if (options.functions[k] == RobotFunction::forward_dynamics_derivatives &&
          text.text.find("_in_line") == std::string::npos &&
          text.text.find("gradient_kernel") != std::string::npos)
        describe(model, robot.identifier, options.functions[k], p, "gradient", 1);
    }
    source_ << "}  // namespace " << robot.identifier << "\n\n";
  }

 private:
  /// What the benchmark's main knows about a function, and its reference states.
  void describe(const Model& model, const std::string& robot, RobotFunction f, const Program& p,
                const std::string& name, int steps) {
    const bool rollout = name == "rollout", gradient = name == "gradient";
    std::vector<limber::ArrayShape> outputs = p.shape.outputs;
    if (gradient) outputs.pop_back();
    source_ << fmt::format(
        "struct {0}_bench {{\n"
        "  static constexpr int inputs[] = {{{1}}}, outputs[] = {{{2}}};\n"
        "  static constexpr double instructions = {3}, tolerance_single = {4}, tolerance_double = "
        "{5};\n"
        "  static constexpr long references = {6};\n"
        "  template <class T>\n"
        "  static cudaError_t launch(long count, long stride, T* const* in, T* const* out) {{\n"
        "    return {10}<T>(count, stride{7}, {8}, {9});\n  }}\n"
        "}};\n\n",
        name, sizes(p.shape.inputs), sizes(outputs),
        static_cast<double>(p.count().instructions()) * steps, rollout ? "1e-4" : "1e-5",
        rollout ? "1e-10" : "1e-12", written_, rollout ? fmt::format(", {}", steps) : "",
        elements(p.shape.inputs, "in"),
        elements(outputs, "out") + (gradient ? ", static_cast<T*>(nullptr)" : ""),
        gradient ? p.name : name);
    list_ += fmt::format(" \\\n  F({}, {})", robot, name);
    std::mt19937 random(1);
    std::vector<int> diverged;
    for (int i = 0; i < states; ++i) {
      const Values in = random_inputs(model, p.shape, random);
      Values out = expected(model, f, p, in, steps);
      out.resize(outputs.size());
      if (!all_finite(out)) diverged.push_back(i);
      for (const Values& arrays : {in, out})
        for (const std::vector<double>& x : arrays) {
          references_.write(reinterpret_cast<const char*>(x.data()),
                            static_cast<std::streamsize>(x.size() * sizeof(double)));
          written_ += static_cast<long>(x.size());
        }
    }
    if (!diverged.empty())
      fmt::print(stderr, "{}, {}: {} of {} reference states diverge: {}\n", robot, name,
                 diverged.size(), states, fmt::join(diverged, ", "));
  }

  std::filesystem::path folder_;
  std::ofstream source_, references_;
  std::string list_;
  long written_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: limber_gpu_bench FOLDER [ROBOT ...]\n");
    return 2;
  }
  std::vector<std::string> robots(argv + 2, argv + argc);
  if (robots.empty()) robots = {"puma560", "arm7", "quadruped", "humanoid"};
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  Folder files(folder);
  for (const std::string& robot : robots) files.add(robot);
  std::ofstream(folder / "main.cu") << gpu_main;
  fmt::print(
      "{0}: now on a machine with a GPU:\n  cd {0} && nvcc -O3 -arch=native -std=c++17 "
      "--split-compile 0 main.cu -o gpu && ./gpu\n",
      folder.string());
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
