// Batches of closed mechanisms against the ordinary calls, one state at a time.
#include <limber/batch/batch.hpp>

#include <limber/constraint/closed_dynamics.hpp>
#include <limber/constraint/assemble.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "batch/batch_support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using ClosedBatch = WithOwnCache;

/// States of a closed robot near its pose that its loops allow, and their accelerations.
struct ClosedStates {
  Model model;
  Mechanism mechanism;
  long count;
  std::vector<double> q, v, tau, a, force;

  ClosedStates(const char* robot, long n) : model(load(robot)), mechanism(model), count(n) {
    ClosedDynamics closed(mechanism);
    std::vector<double> pose = model_pose(mechanism);
    assemble(mechanism, 0, pose, {});
    Random random(7);
    const auto nv = static_cast<std::size_t>(model.nv);
    for (long i = 0; i < n; ++i) {
      std::vector<double> at(pose.size()), moved(nv), wild(nv), forces(nv);
      for (std::size_t k = 0; k < nv; ++k)
        moved[k] = random.uniform(-0.05, 0.05), wild[k] = random.uniform(),
        forces[k] = random.uniform();
      const auto along = closed_velocity<double>(mechanism, 0, pose, moved, closed);
      integrate<double>(model, pose, along, 1, at);
      EXPECT_TRUE(close_loops<double>(mechanism, 0, at, closed).is_closed);
      const auto allowed = closed_velocity<double>(mechanism, 0, at, wild, closed);
      wild.assign(allowed.begin(), allowed.end());
      const auto found = closed_forward_dynamics<double>(mechanism, 0, at, wild, forces, closed);
      add(at, q), add(wild, v), add(forces, tau), add(found, a);
      add(closed.solver.force, force);
    }
  }
  static void add(std::span<const double> x, std::vector<double>& to) {
    to.insert(to.end(), x.begin(), x.end());
  }
};

template <class T>
void expect_accelerations(const ClosedStates& s, const BatchOptions& options, double tolerance) {
  BasicBatch<T> batch(s.model, options);
  const int nq = s.model.nq, nv = s.model.nv, rows = s.mechanism.rows;
  const auto size = [&](int width) { return static_cast<std::size_t>(s.count * width); };
  for (const Layout layout : every_layout) {
    auto in = [&](const std::vector<double>& x, int width) {
      return arranged<T>(x, width, s.count, layout);
    };
    std::vector<T> a(size(nv)), force(size(rows)), residual(size(rows));
    EXPECT_TRUE(batch
                    .forward_dynamics(s.count, in(s.q, nq), in(s.v, nv), in(s.tau, nv), a, force,
                                      residual, layout)
                    .good());
    for (long i = 0; i < s.count; ++i) {
      const VectorXd expected = state_of(s.a, nv, s.count, Layout::by_state, i),
                     forces = state_of(s.force, rows, s.count, Layout::by_state, i);
      const double scale = tolerance * (1 + expected.norm() + forces.norm());
      ASSERT_TRUE(near(state_of(a, nv, s.count, layout, i), expected, scale)) << i;
      // a redundant loop's forces of the smallest norm are not these, but as small
      EXPECT_LT(state_of(force, rows, s.count, layout, i).norm(), 5 * (1 + forces.norm()));
      const VectorXd left = state_of(residual, rows, s.count, layout, i);
      EXPECT_LT(left.cwiseAbs().maxCoeff(), scale);
    }
  }
}

TEST_F(ClosedBatch, LanesAgreeWithOneStateAtATime) {
  for (const char* robot :
       {"four_bar", "slider_crank", "bricard", "stewart_platform", "closed_leg_biped", "bicycle"}) {
    SCOPED_TRACE(robot);
    const ClosedStates states(robot, 37);
    BatchOptions options;
    options.threads = 2;
    for (const InstructionSet set : available_instruction_sets()) {
      options.instruction_set = set;
      expect_accelerations<double>(states, options, 1e-8);
      expect_accelerations<float>(states, options, 1e-3);
      if (HasFailure()) return;
    }
  }
}

TEST_F(ClosedBatch, CompiledCodeTakesTheirPlace) {
  const ClosedStates states("bricard", 37);
  CompileOptions wanted;
  wanted.numbers = KernelNumbers::double_and_float;
  BatchOptions options;
  options.threads = 2;
  options.compiled = compile(states.model, wanted);
  EXPECT_EQ(options.compiled->notice(), "");
  expect_accelerations<double>(states, options, 1e-8);
  expect_accelerations<float>(states, options, 1e-3);
}

TEST_F(ClosedBatch, RolloutsOfManyStates) {
  const ClosedStates states("four_bar", 11);
  CompileOptions wanted;
  wanted.functions = {RobotFunction::step};
  wanted.numbers = KernelNumbers::double_and_float;
  const CompiledRobot robot = compile(states.model, wanted);
  const int nq = states.model.nq, nv = states.model.nv, rows = states.mechanism.rows;
  const auto size = [&](int width) { return static_cast<std::size_t>(states.count * width); };
  const auto by_variable = [&](const std::vector<double>& x, int width) {
    return arranged<double>(x, width, states.count, Layout::by_variable);
  };
  const std::vector<double> q = by_variable(states.q, nq), v = by_variable(states.v, nv),
                            none(size(nv)), h(size(1), 1e-3);
  std::vector<double> q1(size(nq)), v1(size(nv)), gaps(size(rows), 1), rates(size(rows), 1);
  const double* const arrays[] = {q.data(),    v.data(),    none.data(), none.data(),
                                  none.data(), none.data(), h.data()};
  double* const out[] = {q1.data(), v1.data(), gaps.data(), rates.data()};
  EXPECT_TRUE(robot.rollout_batch<double>(states.count, states.count, 500, arrays, out).empty());
  for (const double gap : gaps) EXPECT_LT(std::abs(gap), 1e-8);
  for (const double rate : rates) EXPECT_LT(std::abs(rate), 1e-6);
  // one state alone comes to the same place
  const VectorXd first_q = state_of(states.q, nq, states.count, Layout::by_state, 0),
                 first_v = state_of(states.v, nv, states.count, Layout::by_state, 0);
  std::vector<double> zero(static_cast<std::size_t>(nv)), to_q(static_cast<std::size_t>(nq)),
      to_v(zero.size()), gap(static_cast<std::size_t>(rows)), rate(gap.size());
  StepInputs inputs{in(first_q), in(first_v), zero, zero, zero, zero, 1e-3, {}};
  EXPECT_TRUE(robot.rollout(500, inputs, to_q, to_v, gap, rate));
  EXPECT_TRUE(near(state_of(q1, nq, states.count, Layout::by_variable, 0),
                   Eigen::Map<VectorXd>(to_q.data(), nq), 1e-9));
  EXPECT_TRUE(mentions(message_of([&] { robot.step(inputs, to_q, to_v); }),
                       {"loop_rates", "robots with loops"}));
}

TEST_F(ClosedBatch, WhatLeavesLoopsOpenIsRefused) {
  const Model model = load("four_bar");
  Batch batch(model);
  std::vector<double> x(3), M(9);
  EXPECT_TRUE(
      mentions(message_of([&] { static_cast<void>(batch.inverse_dynamics(1, x, x, x, x)); }),
               {"inverse_dynamics", model.loops[0].name, "four_bar"}));
  EXPECT_TRUE(
      mentions(message_of([&] { static_cast<void>(batch.forward_dynamics(1, x, x, x, x)); }),
               {"loop_forces", model.loops[0].name}));
  EXPECT_TRUE(batch.mass_matrix(1, x, M).good());
  Batch tree(load("double_pendulum"));
  EXPECT_TRUE(
      mentions(message_of([&] { static_cast<void>(tree.forward_dynamics(1, x, x, x, x, x, x)); }),
               {"has no loops"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
