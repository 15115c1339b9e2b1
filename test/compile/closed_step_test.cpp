// Compiled steps of closed mechanisms: against steps made of the library's functions, which pivot
// and iterate, and by what must hold after many of them.
#include <limber/compile/program.hpp>

#include <limber/constraint/assemble.hpp>
#include <limber/dynamics/energy.hpp>
#include <limber/io/load.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/model/joint_space.hpp>

#include "support/message.hpp"
#include "support/random_mechanisms.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

std::span<double> numbers(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

struct State {
  VectorXd q, v;
};

/// One step by the program, with torques alone; gaps and rates that it leaves.
State compiled_step(const Program& program, const State& at, const VectorXd& tau, double h,
                    VectorXd* gaps = nullptr, VectorXd* rates = nullptr) {
  const VectorXd none = VectorXd::Zero(tau.size());
  const std::vector<VectorXd> next =
      run(program, {at.q, at.v, tau, none, none, none, VectorXd::Constant(1, h)});
  EXPECT_EQ(next.size(), 4u);
  if (gaps) *gaps = next[2];
  if (rates) *rates = next[3];
  return {next[0], next[1]};
}

FunctionOptions with(StepMethod method) {
  FunctionOptions options;
  options.method = method;
  return options;
}

/// Forward dynamics with loops and passive forces.
VectorXd acceleration(ClosedRobot& c, const State& at, const VectorXd& tau) {
  Loads<double> loads;
  loads.passive = Passive::included;
  return matrix(closed_forward_dynamics<double>(*c.mechanism, 0, in(at.q), in(at.v), in(tau),
                                                *c.closed, loads));
}

/// The state that the loops allow next to this one.
State on_loops(ClosedRobot& c, State at) {
  close_loops<double>(*c.mechanism, 0, numbers(at.q), *c.closed, 1e-15);
  const VectorXd v = at.v;
  at.v = matrix(closed_velocity<double>(*c.mechanism, 0, in(at.q), in(v), *c.closed));
  return at;
}

State euler_step(ClosedRobot& c, const State& at, const VectorXd& tau, double h) {
  const Model& m = c.robot.model;
  const VectorXd a = acceleration(c, at, tau);
  VectorXd w(m.nv), rate(m.nv), q(m.nq), v(m.nv);
  to_fixed_axes(m, in(at.q), in(at.v), numbers(w));
  fixed_axes_rate(m, in(at.q), in(at.v), in(a), numbers(rate));
  w += h * rate;
  integrate_fixed_axes(m, in(at.q), in(w), h, numbers(q));
  from_fixed_axes(m, in(q), in(w), numbers(v));
  return on_loops(c, {q, v});
}

State rk4_step(ClosedRobot& c, const State& at, const VectorXd& tau, double h) {
  const Model& m = c.robot.model;
  const auto slope = [&](const State& there) {
    State placed = there;
    normalize(m, numbers(placed.q));
    VectorXd rate(m.nq);
    position_rate(m, in(there.q), in(there.v), numbers(rate));
    return State{rate, acceleration(c, placed, tau)};
  };
  const auto along = [&](const State& s, double t) {
    return State{at.q + t * s.q, at.v + t * s.v};
  };
  const State k1 = slope(at), k2 = slope(along(k1, h / 2)), k3 = slope(along(k2, h / 2)),
              k4 = slope(along(k3, h));
  State next{at.q + h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q),
             at.v + h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v)};
  normalize(m, numbers(next.q));
  return on_loops(c, next);
}

Model with_loops(const ClosedRobot& c) {
  Spec spec = c.robot.spec;
  spec.loops = c.loops;
  return build(spec);
}

/// Compares one small step of random mechanisms, redundant ones among them.
template <class Step>
void expect_steps(StepMethod method, int most, Step&& step) {
  const double h = 1e-4;
  int compared = 0, redundant = 0;
  for (std::uint64_t seed = 1; compared < share_of(40) && seed < 400; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    if (c.robot.model.has_mimic() || c.robot.model.nv > most) continue;
    if (std::any_of(c.robot.model.custom.begin(), c.robot.model.custom.end(),
                    [](const CustomJoint& joint) { return bool(joint.integrate); }))
      continue;
    if (seed % 3 == 0) {
      LoopSpec again = c.loops[0];
      again.name += " again";
      c.add_loops({again});
    }
    const State at{c.robot.q, c.robot.v};
    const VectorXd a = acceleration(c, at, c.robot.tau);
    // near singular positions the two differ in what they take for dependent
    if (c.closed->solver.inconsistency > 1e-9 * (1 + a.norm())) continue;
    const double size = 1 + a.lpNorm<Eigen::Infinity>() + matrix(c.closed->solver.force).norm();
    if (size > 300 || at.v.norm() > 30) continue;
    const bool is_redundant = c.closed->solver.rank < c.mechanism->rows;
    const State expected = step(c, at, c.robot.tau, h);
    VectorXd gaps, rates;
    const State next = compiled_step(trace(with_loops(c), RobotFunction::step, with(method)), at,
                                     c.robot.tau, h, &gaps, &rates);
    // as near as the loops are closed, which is asserted below, where they do not hold well, too
    const double open = gaps.lpNorm<Eigen::Infinity>();
    EXPECT_TRUE(near(next.q, expected.q, 1e-9 * h * size + 100 * open));
    EXPECT_TRUE(near(next.v, expected.v, 1e-7 * h * size));
    // what it says of itself is what the library finds there
    const VectorXd found =
        matrix(loop_gaps<double>(*c.mechanism, 0, in(next.q), c.closed->ws, c.closed->rows));
    EXPECT_TRUE(near(gaps, found, 1e-13 * (1 + next.q.norm())));
    EXPECT_LT(gaps.lpNorm<Eigen::Infinity>(), 1e-11);
    loop_jacobian<double>(*c.mechanism, 0, in(next.q), c.closed->ws, c.closed->rows);
    for (int row = 0; row < c.mechanism->rows; ++row) {
      double rate = 0;
      for (int k = 0; k < c.robot.model.nv; ++k) rate += c.closed->rows.jt(k, row) * next.v[k];
      EXPECT_NEAR(rates[row], rate, 1e-12 * size * (1 + next.v.norm()));
      EXPECT_LT(std::abs(rate), 1e-9 * size);
    }
    ++compared;
    if (is_redundant) ++redundant;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(compared, share_of(20));
  EXPECT_GT(redundant, share_of(5));
}

TEST(ClosedStep, SemiImplicitEuler) {
  expect_steps(StepMethod::semi_implicit_euler, 20, euler_step);
}

TEST(ClosedStep, RungeKutta) { expect_steps(StepMethod::rk4, 10, rk4_step); }

/// A shipped robot at its own pose, with its loops closed.
struct Shipped {
  Model model;
  Mechanism mechanism;
  ClosedDynamics closed;
  State at;

  explicit Shipped(const char* name)
      : model(load(name)), mechanism(model), closed(mechanism), at{} {
    std::vector<double> q = model_pose(mechanism);
    assemble(mechanism, 0, q, {});
    at.q = Eigen::Map<VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
    at.v = VectorXd::Zero(model.nv);
  }
  double energy() {
    return kinetic_energy<double>(mechanism.tree, in(at.q), in(at.v), closed.ws) +
           potential_energy<double>(mechanism.tree, in(at.q), closed.ws);
  }
  double gap() {
    return matrix(loop_gaps<double>(mechanism, 0, in(at.q), closed.ws, closed.rows))
        .lpNorm<Eigen::Infinity>();
  }
};

TEST(ClosedStep, ManyStepsStayOnTheLoops) {
  for (const char* name : {"four_bar", "slider_crank", "bricard"}) {
    SCOPED_TRACE(name);
    Shipped robot(name);
    const Program program = trace(robot.model, RobotFunction::step, with(StepMethod::rk4));
    const VectorXd tau = VectorXd::Zero(robot.model.nv);
    const double before = robot.energy();
    double gap = 0;
    for (int i = 0; i < 1000; ++i) {
      robot.at = compiled_step(program, robot.at, tau, 1e-3);
      gap = std::max(gap, robot.gap());
    }
    EXPECT_LT(gap, 1e-12);
    EXPECT_GT(robot.at.v.norm(), 0.1);
    EXPECT_NEAR(robot.energy(), before, 1e-6);
  }
}

/// Differences of positions after 0.1 s with steps of h and h/2, and with h/2 and h/4.
TEST(ClosedStep, OrdersOfTheMethods) {
  for (const StepMethod method : {StepMethod::semi_implicit_euler, StepMethod::rk4}) {
    const Shipped robot("four_bar");
    const Program program = trace(robot.model, RobotFunction::step, with(method));
    const VectorXd tau = VectorXd::Constant(robot.model.nv, 0.1);
    const auto end = [&](int steps) {
      State at = robot.at;
      for (int i = 0; i < steps; ++i) at = compiled_step(program, at, tau, 0.2 / steps);
      return at.q;
    };
    const VectorXd once = end(16), twice = end(32), often = end(64);
    EXPECT_NEAR(std::log2((once - twice).norm() / (twice - often).norm()),
                method == StepMethod::rk4 ? 4 : 1, 0.3);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
