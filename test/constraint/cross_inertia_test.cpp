// Forward dynamics with loops by cross-inertias: against the rows on random mechanisms, and on
// ladders, whose loops all meet at a far carrier.
#include <limber/constraint/cross_inertia.hpp>

#include <limber/constraint/closed_method.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>

#include "support/message.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

VectorXd run(ClosedMethod method, const Mechanism& m, const VectorXd& q, const VectorXd& v,
             const VectorXd& tau, ClosedDynamics& closed) {
  return matrix(closed_forward_dynamics(m, 0, in(q), in(v), in(tau), {method, {}}, closed));
}

TEST(CrossInertia, AgreesWithTheRowsOnRandomMechanisms) {
  int compared = 0, redundant = 0, refused = 0;
  for (int seed = 1; seed <= share_of(500); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    if (seed % 3 == 0) {
      LoopSpec again = c.loops[0];
      again.name += " again";
      c.add_loops({again});
    }
    const VectorXd a =
        run(ClosedMethod::rows, *c.mechanism, c.robot.q, c.robot.v, c.robot.tau, *c.closed);
    const RowSolver rows = c.closed->solver;
    VectorXd found;
    try {
      found = run(ClosedMethod::cross_inertia, *c.mechanism, c.robot.q, c.robot.v, c.robot.tau,
                  *c.closed);
    } catch (const Error& e) {
      const bool is_mimic = c.robot.model.has_mimic();
      EXPECT_TRUE(mentions(e.what(), {is_mimic ? "follow others" : "nearly depend"}));
      refused += is_mimic ? 0 : 1;
      continue;
    }
    ++compared;
    redundant += rows.rank < c.mechanism->rows ? 1 : 0;
    EXPECT_TRUE(near(found, a, 1e-8));
    EXPECT_EQ(c.closed->solver.rank, rows.rank);
    EXPECT_TRUE(near(matrix(c.closed->solver.force), matrix(rows.force), 1e-3));
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, share_of(200));
  EXPECT_GT(redundant, share_of(80));
  EXPECT_LE(refused, compared / 100 + 1);
}

/// Two rails of links with a rung on each pair of them, that ends in a slot of the other rail (two
/// rows, planar) or in a ball (three rows: in the plane one of them is redundant).
Spec ladder(int cells, LoopSpec::Kind kind, JointKind joint) {
  Spec spec;
  spec.name = "ladder";
  spec.gravity = {0.5, -9.81, 0};
  std::string left, right;
  for (int i = 0; i < cells; ++i) {
    const std::string n = std::to_string(i), l = "left" + n, r = "right" + n, rung = "rung" + n;
    for (const std::string& body : {l, r, rung})
      spec.add_body(body, 1, {0.25, 0, 0}, {0.02, 0.03, 0.03, 0, 0, 0});
    const auto add = [&](const std::string& parent, const std::string& child, Vec3<double> at) {
      JointSpec& one = spec.add_joint("joint of " + child, joint, parent, child, {0, 0, 1});
      one.placement.p = at;
      one.axis2 = {0, 1, 0};
    };
    add(left, l, {i == 0 ? 0 : 0.5, 0, 0});
    add(right, r, {i == 0 ? 0 : 0.5, i == 0 ? 0.4 : 0, 0});
    add(l, rung, {0.5, 0, 0});
    LoopSpec end;
    end.name = "end of " + rung;
    end.kind = kind;
    end.body_a = r, end.placement_a.p = {0.5, 0, 0};
    end.body_b = rung, end.placement_b.p = {0, 0.4, 0};
    spec.loops.push_back(end);
    left = l, right = r;
  }
  return spec;
}

struct Ladder {
  Model model;
  Mechanism mechanism;
  ClosedDynamics closed;
  VectorXd q, v, tau;

  explicit Ladder(const Spec& spec)
      : model(build(spec)),
        mechanism(model),
        closed(mechanism),
        q(VectorXd::Zero(model.nq)),
        v(VectorXd::Zero(model.nv)),
        tau(VectorXd::Zero(model.nv)) {
    VectorXd wild(model.nv);
    for (Eigen::Index k = 0; k < wild.size(); ++k)
      wild[k] = std::sin(static_cast<double>(k)), tau[k] = std::cos(3.0 * static_cast<double>(k));
    v = matrix(closed_velocity<double>(mechanism, 0, in(q), in(wild), closed));
  }
  VectorXd by(ClosedMethod method) { return run(method, mechanism, q, v, tau, closed); }
};

TEST(CrossInertia, Ladders) {
  for (const auto& [kind, joint] : {std::pair{LoopSpec::Kind::slot, JointKind::revolute},
                                    std::pair{LoopSpec::Kind::connect, JointKind::universal},
                                    std::pair{LoopSpec::Kind::connect, JointKind::revolute}}) {
    Ladder l(ladder(10, kind, joint));
    const VectorXd a = l.by(ClosedMethod::rows);
    const RowSolver rows = l.closed.solver;
    EXPECT_TRUE(near(l.by(ClosedMethod::cross_inertia), a, 1e-8));
    EXPECT_EQ(l.closed.solver.rank, rows.rank);
    EXPECT_EQ(l.closed.solver.is_determinate, rows.is_determinate);
    EXPECT_TRUE(near(matrix(l.closed.solver.force), matrix(rows.force), 1e-6));
  }
}

TEST(CrossInertia, NeighboursDoNotGrowWithTheLadder) {
  for (const int cells : {10, 40}) {
    const Model model = build(ladder(cells, LoopSpec::Kind::slot, JointKind::revolute));
    const CrossPlan plan{Mechanism(model)};
    for (int n = 0; n < plan.order.count(); ++n)
      EXPECT_LE(plan.neighbour_start[n + 1] - plan.neighbour_start[n], 2);
    EXPECT_LE(plan.blocks, 5 * cells);
  }
}

// where the rows cost the cube of the cells, the automatic choice takes cross-inertias; equation of
// motion and loops say whether they are right
TEST(CrossInertia, LongLadderIsChosenAndObeysItsEquation) {
  const int cells = 120;
  Ladder l(ladder(cells, LoopSpec::Kind::slot, JointKind::revolute));
  const VectorXd a = l.by(ClosedMethod::automatic);
  ASSERT_FALSE(l.closed.cross.force.empty());
  const VectorXd force = matrix(l.closed.solver.force);
  EXPECT_EQ(force, matrix(l.closed.cross.force));
  EXPECT_GT(force.norm(), 1);
  // all frames are parallel at this position
  std::vector<Force<double>> forces(static_cast<std::size_t>(l.model.bodies()));
  for (int k = 0; k < cells; ++k) {
    const auto& loop = l.mechanism.loops[k];
    const int row = l.mechanism.closures[k].first_row;
    const Mat3<double> axes = loop.placement_a.R * l.mechanism.closures[k].basis;
    const Vec3<double> f = axes.column(0) * force[row] + axes.column(1) * force[row + 1];
    forces[static_cast<std::size_t>(loop.body_b)] += {cross(loop.placement_b.p, f), f};
    forces[static_cast<std::size_t>(loop.body_a)] -= {cross(loop.placement_a.p, f), f};
  }
  Loads<double> loads;
  loads.body_forces = forces;
  Workspace ws(l.mechanism.tree);
  const VectorXd tau =
      matrix(inverse_dynamics<double>(l.mechanism.tree, in(l.q), in(l.v), in(a), ws, loads));
  const double lever = 0.5 * cells;  // of the forces on the first joints
  EXPECT_LT((tau - l.tau).lpNorm<Eigen::Infinity>(), 1e-8 * lever * force.norm());
  loop_rows<double>(l.mechanism, 0, in(l.q), in(l.v), l.closed.ws, l.closed.rows);
  for (int row = 0; row < l.mechanism.rows; ++row) {
    double left = l.closed.rows.bias[row], size = std::abs(left);
    for (int k = 0; k < l.model.nv; ++k) {
      left += l.closed.rows.jt(k, row) * a[k];
      size += std::abs(l.closed.rows.jt(k, row) * a[k]);
    }
    EXPECT_LT(std::abs(left), 1e-10 * size);
  }
}

TEST(CrossInertia, RefusalsNameWhy) {
  Ladder l(ladder(2, LoopSpec::Kind::slot, JointKind::revolute));
  l.closed.decay_rate = 1;
  EXPECT_TRUE(mentions(message_of([&] { l.by(ClosedMethod::cross_inertia); }),
                       {"ladder", "cross-inertias", "Baumgarte"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
