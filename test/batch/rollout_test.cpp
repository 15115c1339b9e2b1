// Steps of many robots on threads and lanes, with contact: against one robot after the other.
#include <limber/batch/batch.hpp>

#include <optional>

#include <limber/collision/shape.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "batch/batch_support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using BatchRollout = WithOwnCache;

const std::vector<std::string> feet{"front_left_foot", "front_right_foot", "hind_left_foot",
                                    "hind_right_foot"};

CompileOptions walking(const Model& model) {
  CompileOptions wanted;
  wanted.functions = {RobotFunction::step};
  wanted.numbers = KernelNumbers::double_and_float;
  wanted.function.contact.candidates = contact_candidates(model, feet);
  wanted.function.contact.sweeps = 4;
  wanted.function.contact.start = ContactStart::last_forces;
  return wanted;
}

/// Hills of up to 3 cm, on cells of 10 cm by 15 cm.
HeightField rough_ground() {
  HeightField field{31, 21, 3, 3, {}};
  Random random(3);
  for (int k = 0; k < 31 * 21; ++k) field.heights.push_back(random.uniform(0, 0.03));
  return field;
}

/// Arrays of `step` for quadrupeds that fall on their feet and are held, state after state.
std::vector<std::vector<double>> falling(const Model& model, const FunctionShape& shape,
                                         long count) {
  Random random(1);
  std::vector<std::vector<double>> in;
  for (const ArrayShape& array : shape.inputs)
    in.push_back(array.is_table
                     ? rough_ground().heights
                     : std::vector<double>(static_cast<std::size_t>(array.size * count)));
  const std::size_t nq = static_cast<std::size_t>(model.nq),
                    nv = static_cast<std::size_t>(model.nv);
  const double bend[3] = {0, 0.6, -1.2};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::vector<double> neutral = neutral_position(model);
    std::copy(neutral.begin(), neutral.end(), in[0].begin() + static_cast<long>(i * nq));
    in[0][i * nq] = 2 * random.uniform();  // on a field: some have feet beside it
    in[0][i * nq + 2] = 0.4;
    for (std::size_t k = 6; k < nv; ++k) {
      in[0][i * nq + k + 1] = in[4][i * nv + k] = bend[k % 3] + 0.1 * random.uniform();
      in[1][i * nv + k] = random.uniform();
      in[5][i * nv + k] = 200;
      in[6][i * nv + k] = 2;
    }
    in[7][i] = 1e-3;
  }
  return in;
}

template <class T>
struct Rolled {
  std::vector<std::vector<T>> out;
  BatchStatus status;
};

template <class T>
Rolled<T> roll(BasicBatch<T>& batch, const FunctionShape& shape,
               const std::vector<std::vector<double>>& from, long count, Layout layout) {
  std::vector<std::vector<T>> in;
  Rolled<T> rolled;
  for (std::size_t k = 0; k < from.size(); ++k)
    in.push_back(shape.inputs[k].is_table
                     ? std::vector<T>(from[k].begin(), from[k].end())
                     : arranged<T>(from[k], shape.inputs[k].size, count, layout));
  for (const ArrayShape& array : shape.outputs)
    rolled.out.emplace_back(static_cast<std::size_t>(array.size * count));
  const std::vector<std::span<const T>> read(in.begin(), in.end());
  const std::vector<std::span<T>> written(rolled.out.begin(), rolled.out.end());
  rolled.status = batch.rollout(count, 100, read, written, layout);
  return rolled;
}

/// Against the robot alone, for every layout and number of threads.
void expect_that_of_one(const Model& model, const CompiledRobot& robot) {
  const FunctionShape& shape = robot.shape(RobotFunction::step);
  constexpr long count = 151;
  const std::vector<std::vector<double>> from = falling(model, shape, count);
  BatchOptions options;
  options.compiled = robot;
  std::optional<Rolled<double>> first;
  for (const int threads : {1, 2, 4}) {
    options.threads = threads;
    Batch batch(model, options);
    FloatBatch single(model, options);
    for (const Layout layout : every_layout) {
      const Rolled<double> found = roll<double>(batch, shape, from, count, layout);
      const Rolled<float> rough = roll<float>(single, shape, from, count, layout);
      EXPECT_TRUE(found.status.good());
      EXPECT_TRUE(rough.status.good());
      if (layout == Layout::by_state) {
        if (!first) first = found;
        EXPECT_EQ(found.out, first->out);  // the same bits for every number of threads
      }
      for (long i = 0; i < count; i += 10) {
        const auto of = [&](std::size_t k) {
          return std::span(from[k]).subspan(static_cast<std::size_t>(i * shape.inputs[k].size),
                                            static_cast<std::size_t>(shape.inputs[k].size));
        };
        std::vector<double> q(of(0).size()), v(of(1).size()), forces(12), residual(1);
        StepInputs inputs{of(0), of(1), of(3), of(4), of(5), of(6), 1e-3, {}, of(2)};
        if (from.size() > 8) inputs.heights = from[8];
        ASSERT_TRUE(robot.rollout(100, inputs, q, v, forces, residual));
        EXPECT_TRUE(near(state_of(found.out[0], model.nq, count, layout, i), matrix(q), 1e-8));
        EXPECT_TRUE(near(state_of(found.out[1], model.nv, count, layout, i), matrix(v), 1e-6));
        EXPECT_TRUE(near(state_of(rough.out[0], model.nq, count, layout, i), matrix(q), 1e-2));
      }
    }
  }
  // the ground pushes
  double carried = 0;
  for (std::size_t k = 2; k < first->out[2].size(); k += 3) carried += first->out[2][k];
  EXPECT_GT(carried, 0);
}

void expect_bad_states(const Model& model, const CompiledRobot& robot) {
  BatchOptions options;
  options.compiled = robot;
  const FunctionShape& shape = robot.shape(RobotFunction::step);
  Batch batch(model, options);
  std::vector<std::vector<double>> from = falling(model, shape, 20);
  from[1][static_cast<std::size_t>(7 * model.nv)] = NAN;
  for (const Layout layout : every_layout) {
    const BatchStatus status = roll<double>(batch, shape, from, 20, layout).status;
    EXPECT_EQ(status.bad_count, 1);
    EXPECT_EQ(status.first_bad, 7);
  }
}

void expect_refusals(const Model& model, const CompiledRobot& robot) {
  BatchOptions options;
  options.compiled = robot;
  Batch batch(model, options);
  EXPECT_TRUE(mentions(message_of([&] { (void)batch.rollout(1, 0, {}, {}); }), {"not 0"}));
  EXPECT_TRUE(mentions(message_of([&] { (void)batch.rollout(1, 1, {}, {}); }), {"0 arrays", "8"}));
  const std::vector<std::span<const double>> in(8);
  const std::vector<std::span<double>> out(4);
  EXPECT_TRUE(mentions(message_of([&] { (void)batch.rollout(1, 1, in, out); }), {"q has 0", "19"}));
}

// in one test: the code is compiled once
TEST_F(BatchRollout, WalksOnThreadsAndLanes) {
  const Model model = load("quadruped");
  const CompiledRobot robot = compile(model, walking(model));
  expect_that_of_one(model, robot);
  expect_bad_states(model, robot);
  expect_refusals(model, robot);
}

TEST_F(BatchRollout, WalksOnAHeightField) {
  const Model model = load("quadruped");
  CompileOptions wanted = walking(model);
  wanted.function.contact.field = contact_field(rough_ground());
  const CompiledRobot robot = compile(model, wanted);
  const FunctionShape& shape = robot.shape(RobotFunction::step);
  ASSERT_EQ(shape.inputs.size(), 9u);
  EXPECT_TRUE(shape.inputs[8].is_table);
  expect_that_of_one(model, robot);
  expect_bad_states(model, robot);
  BatchOptions options;
  options.compiled = robot;
  Batch batch(model, options);
  std::vector<std::vector<double>> from = falling(model, shape, 20);
  // heights belong to all states together
  from[8].resize(650);
  EXPECT_TRUE(mentions(message_of([&] { roll<double>(batch, shape, from, 20, Layout::by_state); }),
                       {"heights has 650", "651"}));
  // without machine code the same
  from = falling(model, shape, 20);
  const Rolled<double> fast = roll<double>(batch, shape, from, 20, Layout::by_variable);
  setenv("CXX", "/no/compiler", 1);
  const CompiledRobot program = compile(model, wanted);
  unsetenv("CXX");
  EXPECT_FALSE(program.is_machine_code(RobotFunction::step));
  options.compiled = program;
  Batch slow_batch(model, options);
  const Rolled<double> slow = roll<double>(slow_batch, shape, from, 20, Layout::by_variable);
  EXPECT_TRUE(near(matrix(slow.out[0]), matrix(fast.out[0]), 1e-7));
}

TEST_F(BatchRollout, NeedsCompiledCode) {
  Batch bare(load("quadruped"));
  EXPECT_TRUE(mentions(message_of([&] { (void)bare.rollout(1, 1, {}, {}); }),
                       {"rollout", "RobotFunction::step", "BatchOptions::compiled"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
