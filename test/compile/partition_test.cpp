// Programs in stages: the stages together compute what the whole does.
#include "compile/partition.hpp"

#include <gtest/gtest.h>

#include <limber/dynamics/derivatives.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "compile/schedule.hpp"
#include "support/random_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int registers = 64;

/// Inputs of a function at a random state.
std::vector<VectorXd> random_inputs(const Model& model, const FunctionShape& shape,
                                    Random& random) {
  std::vector<VectorXd> inputs;
  for (const ArrayShape& array : shape.inputs) {
    VectorXd x(array.size);
    for (double& y : x) y = random.uniform();
    if (array.name == "q") normalize(model, {x.data(), static_cast<std::size_t>(x.size())});
    inputs.push_back(x);
  }
  return inputs;
}

/// Runs the stages one after the other, with the values that cross in one array.
std::vector<VectorXd> run_stages(const Partition& parts, std::vector<VectorXd> inputs) {
  const std::size_t outputs = parts.stages.front().shape.outputs.size();
  std::vector<VectorXd> all(outputs);
  inputs.emplace_back(VectorXd::Constant(parts.slots, NAN));
  for (const Program& stage : parts.stages) {
    const std::vector<VectorXd> found = run(stage, inputs);
    for (const Result& r : stage.results) {
      const auto k = static_cast<std::size_t>(r.array);
      VectorXd& to = k + 1 == outputs ? inputs.back() : all[k];
      if (to.size() == 0) to = VectorXd::Constant(found[k].size(), NAN);
      to[r.element] = found[k][r.element];
    }
  }
  all.pop_back();
  return all;
}

TEST(Partition, StagesOfShippedRobots) {
  Random random(1);
  // the largest robot is for builds in which numbers are compared
  for (const char* robot : {share_of(10) > 1 ? "humanoid" : "arm7", "quadruped", "every_joint"})
    for (const RobotFunction f : {RobotFunction::inverse_dynamics, RobotFunction::forward_dynamics,
                                  RobotFunction::inverse_dynamics_derivatives}) {
      const Model model = load(robot);
      const Program whole = trace(model, f);
      const std::vector<VectorXd> inputs = random_inputs(model, whole.shape, random);
      const std::vector<VectorXd> expected = run(whole, inputs);
      for (const int most : {150, 1000, 1 << 20}) {
        const Partition parts = partition(whole, model, most, registers);
        const std::vector<VectorXd> found = run_stages(parts, inputs);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k)
          EXPECT_EQ(found[k], expected[k]) << robot << ' ' << whole.name << ' ' << most;
        if (most == 1 << 20) {
          EXPECT_EQ(parts.stages.size(), 1U);
        } else if (whole.count().instructions() > 2 * most) {
          EXPECT_GT(parts.stages.size(), 1U);
        }
      }
    }
}

TEST(Partition, StagesStayShort) {
  const Model model = load("humanoid");
  const Program whole = trace(model, RobotFunction::forward_dynamics);
  for (const int most : {500, 2000, 3600})
    for (const Program& stage : partition(whole, model, most, registers).stages)
      EXPECT_LE(stage.count().instructions(), most * 5 / 4);
}

TEST(Partition, EarlyInputsKeepTheValues) {
  Random random(2);
  const Model model = load("quadruped");
  const Program whole = trace(model, RobotFunction::forward_dynamics);
  const std::vector<VectorXd> inputs = random_inputs(model, whole.shape, random);
  for (const int distance : {0, 1, 200, 1 << 20})
    EXPECT_EQ(run(with_early_inputs(whole, distance), inputs)[0], run(whole, inputs)[0]);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
