// Closed mechanisms in single precision: redundant loops, whose rows are zero but for rounding.
#include <limber/compile/program.hpp>

#include <limber/constraint/assemble.hpp>
#include <limber/io/load.hpp>

#include "compile/evaluate.hpp"
#include "support/random_mechanisms.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

/// The output arrays of a program that is run in single precision.
std::vector<VectorXd> run_in_float(const Program& program, const std::vector<VectorXd>& inputs) {
  std::vector<Eigen::VectorXf> arrays;
  std::vector<const float*> in;
  std::vector<float*> out;
  const std::size_t first_out = inputs.size();
  for (const VectorXd& x : inputs) arrays.push_back(x.cast<float>());
  for (const ArrayShape& array : program.shape.outputs)
    arrays.push_back(Eigen::VectorXf::Zero(array.size));
  for (std::size_t k = 0; k < first_out; ++k) in.push_back(arrays[k].data());
  for (std::size_t k = first_out; k < arrays.size(); ++k) out.push_back(arrays[k].data());
  std::vector<float> values;
  evaluate_block<float, 8>(program, values, 0, 1, 1, in.data(), out.data());
  std::vector<VectorXd> found;
  for (std::size_t k = first_out; k < arrays.size(); ++k) found.push_back(arrays[k].cast<double>());
  return found;
}

/// A planar four-bar in a plane that no axis of the world is in, closed by a hinge (5 rows, of
/// which 3 are redundant) or, where the last hinge is part of the tree, by a weld (6 rows, 3
/// redundant).
Spec tilted_four_bar(LoopSpec::Kind kind) {
  Spec spec;
  spec.name = "tilted four-bar";
  const Mat3<double> tilt = rotation_from_rpy(0.4, -0.7, 0.3);
  spec.gravity = {0.3, -9.7, 1};
  const auto rod = [&](const char* name, double length) {
    spec.add_body(name, length, {length / 2, 0, 0},
                  Sym3<double>::diagonal(0.01, length * length / 12, length * length / 12));
  };
  rod("crank", 0.2), rod("coupler", 0.6), rod("rocker", 0.5), rod("pivot", 0.1);
  const auto turn = JointKind::revolute;
  spec.add_joint("crank", turn, "", "crank").placement = {tilt, {0, 0, 0}};
  spec.add_joint("coupler", turn, "crank", "coupler").placement.p = {0.2, 0, 0};
  spec.add_joint("rocker", turn, "", "rocker").placement = {tilt, tilt * Vec3<double>{0.64, 0, 0}};
  spec.add_joint("pivot", turn, "coupler", "pivot").placement.p = {0.6, 0, 0};
  LoopSpec pin;
  pin.name = "pin";
  pin.kind = kind;
  pin.joint_kind = turn;
  pin.body_a = kind == LoopSpec::Kind::weld ? "pivot" : "coupler";
  pin.placement_a.p = {kind == LoopSpec::Kind::weld ? 0 : 0.6, 0, 0};
  pin.body_b = "rocker", pin.placement_b.p = {0.5, 0, 0};
  spec.loops.push_back(pin);
  return spec;
}

struct Planar {
  Model model;
  Mechanism mechanism;
  ClosedDynamics closed;
  VectorXd q, v, tau;

  explicit Planar(const Spec& spec) : model(build(spec)), mechanism(model), closed(mechanism) {
    std::vector<double> guess{0.5, 0.5, 1.5, 0.6};
    AssemblySettings settings;
    settings.from = guess;
    EXPECT_TRUE(assemble(mechanism, 0, guess, settings).is_closed);
    q = Eigen::Map<VectorXd>(guess.data(), 4);
    VectorXd wild(4);
    wild << 2, -1, 0.5, 0.3;
    v = matrix(closed_velocity<double>(mechanism, 0, in(q), in(wild), closed));
    tau = VectorXd::Constant(4, 0.2);
  }
  VectorXd acceleration() {
    return matrix(closed_forward_dynamics<double>(mechanism, 0, in(q), in(v), in(tau), closed));
  }
};

TEST(ClosedInFloat, PlanarLoopsWithRedundantRows) {
  for (const LoopSpec::Kind kind : {LoopSpec::Kind::joint, LoopSpec::Kind::weld}) {
    Planar robot(tilted_four_bar(kind));
    const VectorXd a = robot.acceleration();
    EXPECT_EQ(robot.closed.solver.rank, robot.mechanism.rows - 3);
    const Program program = trace(robot.model, RobotFunction::forward_dynamics);
    const std::vector<VectorXd> found = run_in_float(program, {robot.q, robot.v, robot.tau});
    EXPECT_LT((found[0] - a).norm(), 3e-5 * a.norm()) << found[0].transpose();
    EXPECT_LT(found[2].lpNorm<Eigen::Infinity>(), 1e-4 * a.norm());
    // forces stay what they are, redundant or not
    EXPECT_LT(found[1].norm(), 10 * (1 + matrix(robot.closed.solver.force).norm()));
  }
}

TEST(ClosedInFloat, StepsStayOnTheLoops) {
  for (const LoopSpec::Kind kind : {LoopSpec::Kind::joint, LoopSpec::Kind::weld}) {
    Planar robot(tilted_four_bar(kind));
    const Program program = trace(robot.model, RobotFunction::step);
    VectorXd q = robot.q, v = robot.v;
    const VectorXd none = VectorXd::Zero(4);
    double gap = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::vector<VectorXd> next =
          run_in_float(program, {q, v, none, none, none, none, VectorXd::Constant(1, 1e-3)});
      q = next[0], v = next[1];
      ASSERT_TRUE(q.allFinite());
      gap = std::max(gap, next[2].lpNorm<Eigen::Infinity>());
      gap = std::max(gap, matrix(loop_gaps<double>(robot.mechanism, 0, in(q), robot.closed.ws,
                                                   robot.closed.rows))
                              .lpNorm<Eigen::Infinity>());
    }
    EXPECT_LT(gap, 2e-6);
  }
}

// Bricard's mechanism is redundant in space: five rows of rank 4 wherever it is
TEST(ClosedInFloat, Bricard) {
  const Model model = load("bricard");
  const Mechanism mechanism(model);
  ClosedDynamics closed(mechanism);
  const Program forward = trace(model, RobotFunction::forward_dynamics),
                step = trace(model, RobotFunction::step);
  std::vector<double> pose = model_pose(mechanism);
  VectorXd q = Eigen::Map<VectorXd>(pose.data(), static_cast<Eigen::Index>(pose.size())),
           v = VectorXd::Zero(model.nv);
  const VectorXd none = VectorXd::Zero(model.nv);
  double worst = 0, gap = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<VectorXd> next =
        run_in_float(step, {q, v, none, none, none, none, VectorXd::Constant(1, 1e-3)});
    q = next[0], v = next[1];
    ASSERT_TRUE(q.allFinite());
    gap = std::max(gap, next[2].lpNorm<Eigen::Infinity>());
    if (i % 100 != 99) continue;
    VectorXd at = q;
    close_loops<double>(mechanism, 0, {at.data(), static_cast<std::size_t>(at.size())}, closed);
    const VectorXd allowed = matrix(closed_velocity<double>(mechanism, 0, in(at), in(v), closed));
    const VectorXd a = matrix(
        closed_forward_dynamics<double>(mechanism, 0, in(at), in(allowed), in(none), closed));
    const VectorXd found = run_in_float(forward, {at, allowed, none})[0];
    worst = std::max(worst, (found - a).norm() / a.norm());
  }
  EXPECT_LT(gap, 1e-5);
  EXPECT_LT(worst, 1e-4);
}

// any mechanism, with a loop that is there twice
TEST(ClosedInFloat, RandomMechanisms) {
  int compared = 0;
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    if (c.robot.model.has_mimic() || c.robot.model.nv > 20) continue;
    if (seed % 2 == 0) {
      LoopSpec again = c.loops[0];
      again.name += " again";
      c.add_loops({again});
    }
    const VectorXd a = matrix(closed_forward_dynamics<double>(
        *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), *c.closed));
    const double size = 1 + a.norm() + matrix(c.closed->solver.force).norm();
    if (c.closed->solver.inconsistency > 1e-9 * size || size > 100) continue;
    Spec spec = c.robot.spec;
    spec.loops = c.loops;
    const std::vector<VectorXd> found = run_in_float(
        trace(build(spec), RobotFunction::forward_dynamics), {c.robot.q, c.robot.v, c.robot.tau});
    if (found[2].lpNorm<Eigen::Infinity>() > 1e-3 * size) continue;  // the program says so itself
    EXPECT_LT((found[0] - a).norm(), 1e-2 * size);
    sum += std::log10((found[0] - a).norm() / size + 1e-12);
    ++compared;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 30);
  EXPECT_LT(sum / compared, -4.5) << compared;  // the mean of the digits
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
