// limber_water_bench: forward dynamics under water against the same on land, interpreted and
// compiled, in one run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limber/compile/compiled_robot.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/fluid/submerged.hpp>
#include <limber/model/generate.hpp>

#include "timing.hpp"
#include "wet_robots.hpp"

namespace {

using namespace limber;

constexpr int states = 64;  // they fit the nearest caches
const Vec3<double> current{0.3, 0.1, 0};

/// All ways to the accelerations of `states` states.
class Contestants {
 public:
  explicit Contestants(const bench::WetRobot& robot)
      : model_(build(robot.spec)),
        ws_(model_),
        wet_(model_, robot.water),
        fluid_(submerged(model_, robot.water, bench::water_density)),
        dry_code_(compile(model_, compile_options({}))),
        wet_code_(compile(model_, compile_options({robot.water, bench::water_density}))) {
    water_.density = bench::water_density;
    water_.current = constant_current(current);
    fluid_.velocity = current;
    load_.fluid = &fluid_;
    const auto n = static_cast<std::size_t>(states);
    for (std::size_t i = 0; i < n; ++i) all_.push_back(generate_state(model_, i));
    arrays_ = {lanes(&RandomState::q), lanes(&RandomState::v), lanes(&RandomState::tau)};
    std::vector<double>& stream = arrays_.emplace_back(6 * n);
    for (std::size_t k = 0; k < 3; ++k)
      std::fill_n(stream.begin() + static_cast<long>(k * n), n, current[static_cast<int>(k)]);
    for (const std::vector<double>& x : arrays_) {
      float_arrays_.emplace_back(x.begin(), x.end());
      from_.push_back(x.data());
    }
    for (const std::vector<float>& x : float_arrays_) float_from_.push_back(x.data());
    out_.resize(static_cast<std::size_t>(model_.nv) * n);
    float_out_.resize(out_.size());
    a_.resize(static_cast<std::size_t>(model_.nv));
  }

  void dry() {
    for (const RandomState& s : all_) forward_dynamics<double>(model_, s.q, s.v, s.tau, ws_, a_);
  }
  void by_update() {
    for (const RandomState& s : all_) {
      const Loads<double> loads =
          wet_.update(model_, forward_kinematics<double>(model_, s.q, s.v, ws_), water_, 0);
      forward_dynamics<double>(model_, s.q, s.v, s.tau, ws_, a_, loads);
    }
  }
  void submerged_load() {
    for (const RandomState& s : all_)
      forward_dynamics<double>(model_, s.q, s.v, s.tau, ws_, a_, load_);
  }
  void dry_lanes() { run(dry_code_, from_, out_); }
  void wet_lanes() { run(wet_code_, from_, out_); }
  void dry_float_lanes() { run(dry_code_, float_from_, float_out_); }
  void wet_float_lanes() { run(wet_code_, float_from_, float_out_); }

 private:
  static CompileOptions compile_options(CompiledWater water) {
    CompileOptions options;
    options.functions = {RobotFunction::forward_dynamics};
    options.numbers = KernelNumbers::double_and_float;
    if (water.exists()) options.function.parameters = {free_parameter("fluid")};
    options.function.water = std::move(water);
    return options;
  }
  std::vector<double> lanes(std::vector<double> RandomState::*part) const {
    std::vector<double> x;
    for (std::size_t k = 0; k < (all_[0].*part).size(); ++k)
      for (const RandomState& s : all_) x.push_back((s.*part)[k]);
    return x;
  }
  template <class T>
  static void run(const CompiledRobot& code, const std::vector<const T*>& from,
                  std::vector<T>& to) {
    T* const out[] = {to.data()};
    code.kernel<T>(RobotFunction::forward_dynamics)(states, states, from.data(), out);
  }

  Model model_;
  Workspace ws_;
  WaterLoads wet_;
  Water water_;
  FluidLoad<double> fluid_;
  Loads<double> load_;
  CompiledRobot dry_code_, wet_code_;
  std::vector<RandomState> all_;
  std::vector<std::vector<double>> arrays_;
  std::vector<std::vector<float>> float_arrays_;
  std::vector<const double*> from_;
  std::vector<const float*> float_from_;
  std::vector<double> out_, a_;
  std::vector<float> float_out_;
};

void print_rows(const bench::WetRobot& robot, int rounds) {
  Contestants contestants(robot);
  struct Row {
    const char* title;
    void (Contestants::*run)();
    std::size_t dry;  // which row it is compared with
    double seconds = HUGE_VAL;
  };
  Row rows[] = {{"interpreted, dry", &Contestants::dry, 0},
                {"interpreted, WaterLoads::update()", &Contestants::by_update, 0},
                {"interpreted, submerged()", &Contestants::submerged_load, 0},
                {"lanes, dry", &Contestants::dry_lanes, 3},
                {"lanes, wet", &Contestants::wet_lanes, 3},
                {"lanes of floats, dry", &Contestants::dry_float_lanes, 5},
                {"lanes of floats, wet", &Contestants::wet_float_lanes, 5}};
  constexpr std::size_t interpreted = 2;  // the row that says how many times faster others are
  for (int r = 0; r < rounds; ++r)
    for (Row& row : rows) {
      const double begin = bench::thread_seconds();
      (contestants.*row.run)();
      row.seconds = std::min(row.seconds, (bench::thread_seconds() - begin) / states);
    }
  for (const Row& row : rows)
    fmt::print("| {} | {} | {:.3f} | {:.2f} | {:.1f} |\n", robot.title, row.title,
               1e6 * row.seconds, row.seconds / rows[row.dry].seconds,
               rows[interpreted].seconds / row.seconds);
}

}  // namespace

int main(int argc, char** argv) try {
  int rounds = 200;
  CLI::App app("Forward dynamics under water against the same on land");
  app.add_option("--rounds", rounds, "Rounds, of which the fastest counts");
  CLI11_PARSE(app, argc, argv);
  fmt::print(
      "| robot | way | time [us] | against dry | submerged() / it |\n"
      "|---|---|---:|---:|---:|\n");
  for (const bench::WetRobot& robot :
       {bench::wet_aquarobot(), bench::vehicle_with_six_joints(), bench::bluerov2_with_arm()})
    print_rows(robot, rounds);
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
