#pragma once
// A folder with a GPU benchmark of rollouts: generated kernels, states to begin with, one step of
// each by the program on the host, and a main (rollouts.cu) that needs only the CUDA toolkit.
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/compile/source.hpp>

#include "gpu_main.hpp"

namespace limber::bench {

using Values = std::vector<std::vector<double>>;

inline constexpr int rollout_states = 256;
inline constexpr long rollout_robots = 1L << 20;  // as rollouts.cu has it

class RolloutFolder {
 public:
  explicit RolloutFolder(const std::filesystem::path& folder)
      : folder_(folder),
        source_(folder / "robots.cuh"),
        references_(folder / "references.bin", std::ios::binary) {}
  ~RolloutFolder() {
    source_ << fmt::format("constexpr int reference_states = {};\n", rollout_states);
    source_ << "#define LIMBER_FOR_EACH_ROBOT(F)" << list_ << "\n";
  }

  /// state(random): the inputs of one robot, in numbers of single precision. name: of the kernels.
  template <class State>
  void add(const std::string& name, const Model& model, const FunctionOptions& function,
           State&& state) {
    GenerateOptions options;
    options.identifier = name;
    options.functions = {RobotFunction::step};
    options.function = function;
    const TracedRobot robot = trace_robot(model, options);
    const GeneratedFile text = write_source(robot, {Target::cuda})[0];
    std::ofstream(folder_ / text.name) << text.text;
    const Program& step = robot.programs.front();
    source_ << fmt::format("#include \"{}\"\nnamespace {} {{\n", text.name, robot.identifier)
            << description(step) << fmt::format("}}  // namespace {}\n\n", robot.identifier);
    list_ += fmt::format(" \\\n  F({})", robot.identifier);
    write_references(step, state);
  }

 private:
  std::string description(const Program& step) const {
    const auto sizes = [](const std::vector<ArrayShape>& arrays) {
      std::vector<int> all;
      for (const ArrayShape& array : arrays) all.push_back(array.size);
      return fmt::format("{}", fmt::join(all, ", "));
    };
    std::string arrays;
    std::vector<int> tables;
    for (std::size_t k = 0; k < step.shape.inputs.size(); ++k) {
      arrays += fmt::format("{}in[{}]", k > 0 ? ", " : "", k);
      tables.push_back(step.shape.inputs[k].is_table ? 1 : 0);
    }
    for (std::size_t k = 0; k < step.shape.outputs.size(); ++k)
      arrays += fmt::format(", out[{}]", k);
    return fmt::format(
        "struct rollout_bench {{\n"
        "  static constexpr int inputs[] = {{{0}}}, outputs[] = {{{1}}};\n"
        "  static constexpr bool is_table[] = {{{6}}};  // of the inputs: the same for all robots\n"
        "  static constexpr int instructions = {2}, carried = {5};\n"
        "  static constexpr long references = {3};\n"
        "  template <class T>\n"
        "  static cudaError_t launch(long count, long stride, int steps, T* const* in, T* const* "
        "out) {{\n"
        "    return rollout<T>(count, stride, steps, {4});\n  }}\n"
        "}};\n",
        sizes(step.shape.inputs), sizes(step.shape.outputs), step.count().instructions(), written_,
        arrays, carried_arrays(step.shape), fmt::join(tables, ", "));
  }

  /// Arrays variable after variable: inputs, tables once, then q and v after one step of the robots
  /// that begin with these states.
  template <class State>
  void write_references(const Program& step, State&& state) {
    std::mt19937 random(1);
    std::vector<Values> in, out;
    for (int i = 0; i < rollout_states; ++i) {
      in.push_back(state(random));
      Values from = in.back(), to;
      for (double& x : from[1])
        x *= 0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(rollout_robots);
      for (const ArrayShape& array : step.shape.outputs)
        to.emplace_back(static_cast<std::size_t>(array.size));
      evaluate(step, std::vector<std::span<const double>>(from.begin(), from.end()),
               std::vector<std::span<double>>(to.begin(), to.end()));
      out.push_back({to[0], to[1]});
    }
    for (const std::vector<Values>* all : {&in, &out})
      for (std::size_t k = 0; k < all->front().size(); ++k)
        for (std::size_t j = 0; j < all->front()[k].size(); ++j)
          for (const Values& one : *all) {
            references_.write(reinterpret_cast<const char*>(&one[k][j]), sizeof(double));
            ++written_;
            if (all == &in && step.shape.inputs[k].is_table) break;
          }
  }

  std::filesystem::path folder_;
  std::ofstream source_, references_;
  std::string list_;
  long written_ = 0;
};

/// Writes the main under this name, and says what to do next.
inline void finish_folder(const std::filesystem::path& folder, const std::string& name) {
  std::ofstream(folder / (name + ".cu")) << gpu_main;
  fmt::print(
      "{0}: now on a machine with a GPU:\n  cd {0} && nvcc -O3 -arch=native -std=c++17 "
      "--split-compile 0 -maxrregcount 255 {1}.cu -o {1} && ./{1}\n",
      folder.string(), name);
}

}  // namespace limber::bench
