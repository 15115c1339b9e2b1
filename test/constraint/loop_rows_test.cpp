// Rows of loops: they are what keeps the frames together, by differences of plain poses; their
// forces are what inverse dynamics finds.
#include <limber/constraint/closed_dynamics.hpp>

#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/model/joint_space.hpp>

#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

/// q moved for the time h with velocity v and acceleration a, to second order.
VectorXd moved(const ClosedRobot& c, const VectorXd& a, double h) {
  const VectorXd displacement = c.robot.v * h + a * (h * h / 2);
  VectorXd q = c.robot.q;
  integrate<double>(c.robot.model, in(c.robot.q), in(displacement), 1.0,
                    {q.data(), static_cast<std::size_t>(q.size())});
  return q;
}

/// A robot with one loop of each sort: two branches that carry each other or the world.
template <class F>
void for_loops_of_every_kind(F&& f) {
  const std::vector<LoopSort> sorts = all_loop_sorts();
  for (std::size_t s = 0; s < sorts.size(); ++s)
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(name_of(sorts[s]) + ", robot " + std::to_string(seed));
      Random random(100 * seed + s);
      Spec spec = generate_tree(8, 40 * seed + s);
      ClosedRobot c(spec, seed);
      const auto link = [&](int k) {
        return c.robot.spec.bodies[static_cast<std::size_t>(k)].name;
      };
      const std::string a = seed % 3 == 0 ? "" : link(random.integer(0, 3)), b = link(7);
      const std::string first = seed % 4 == 1 ? b : a, second = seed % 4 == 1 ? a : b;
      c.add_loops({random_loop(sorts[s], first, second, c.robot, random)});
      f(c);
      if (testing::Test::HasFailure()) return;
    }
}

TEST(LoopRows, GapsAreZeroWhereTheLoopIsClosedAndGrowOtherwise) {
  for_loops_of_every_kind([](ClosedRobot& c) {
    const auto gap = [&](const VectorXd& q) {
      return matrix(loop_gaps<double>(*c.mechanism, 0, in(q), c.closed->ws, c.closed->rows));
    };
    EXPECT_LT(gap(c.robot.q).lpNorm<Eigen::Infinity>(), 1e-12);
    Random random(5);
    VectorXd other(c.robot.v.size());
    for (double& x : other) x = random.uniform();
    c.robot.v = other;
    const VectorXd q = moved(c, c.robot.zero(), 0.1);
    c.robot.plain.move(q, c.robot.zero(), c.robot.zero());
    const double plain = plain_gap(c.loops[0], c.robot.plain).norm();
    EXPECT_GT(gap(q).norm(), 0.3 * plain);
    EXPECT_LT(gap(q).norm(), 4 * plain + 1e-12);
  });
}

TEST(LoopRows, VelocitiesThatTheyAllowKeepTheLoopsClosed) {
  for_loops_of_every_kind([](ClosedRobot& c) {
    const double h = 1e-4;
    const auto gap = [&](double time) {
      c.robot.plain.move(moved(c, c.robot.zero(), time), c.robot.v, c.robot.zero());
      return plain_gap(c.loops[0], c.robot.plain);
    };
    const VectorXd rate = (gap(h) - gap(-h)) / (2 * h);
    EXPECT_LT(rate.lpNorm<Eigen::Infinity>(), 1e-6 * (1 + c.robot.v.squaredNorm()));
    if (c.loops[0].kind == LoopSpec::Kind::rolling) {
      c.robot.plain.move(c.robot.q, c.robot.v, c.robot.zero());
      EXPECT_LT(plain_slip(c.loops[0], c.robot.plain).norm(), 1e-11 * (1 + c.robot.v.norm()));
    }
  });
}

// between two bodies that float freely no row depends on another
TEST(LoopRows, EveryRowHoldsSomething) {
  for (const LoopSort& sort : all_loop_sorts()) {
    SCOPED_TRACE(name_of(sort));
    Random random(3);
    RandomTreeOptions options;
    options.floating_base = true;
    Spec spec = generate_tree(1, 9, options), second = generate_tree(1, 10, options);
    second.bodies[0].name = second.joints[0].child = "other";
    second.joints[0].name = "other joint";
    spec.bodies.push_back(second.bodies[0]);
    spec.joints.push_back(second.joints[0]);
    ClosedRobot c(spec, 1);
    c.add_loops({random_loop(sort, spec.bodies[0].name, "other", c.robot, random)});
    EXPECT_EQ(c.closed->solver.rank, c.mechanism->rows);
    for (int row = 0; row < c.mechanism->rows; ++row) {
      EXPECT_EQ(c.closed->solver.is_determinate[row], 1);
      EXPECT_FALSE(c.mechanism->row_name(row).empty());
    }
  }
}

TEST(LoopRows, AccelerationsKeepTheLoopsClosed) {
  for_loops_of_every_kind([](ClosedRobot& c) {
    const VectorXd a = matrix(closed_forward_dynamics<double>(
        *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), *c.closed));
    const double h = 2e-4, scale = 1 + a.lpNorm<Eigen::Infinity>() + c.robot.v.squaredNorm();
    const auto gap = [&](double time) {
      c.robot.plain.move(moved(c, a, time), c.robot.v + a * time, c.robot.zero());
      return plain_gap(c.loops[0], c.robot.plain);
    };
    const VectorXd second = (gap(h) + gap(-h) - 2 * gap(0)) / (h * h);
    EXPECT_LT(second.lpNorm<Eigen::Infinity>(), 1e-5 * scale * scale);
    if (c.loops[0].kind == LoopSpec::Kind::rolling) {
      const auto slip = [&](double time) {
        gap(time);
        return plain_slip(c.loops[0], c.robot.plain);
      };
      EXPECT_LT((slip(h) - slip(-h)).norm() / (2 * h), 1e-5 * scale * scale);
    }
  });
}

// the forces of the rows, on the two bodies, are all that inverse dynamics needs besides tau
TEST(LoopRows, ForcesAreThoseOfInverseDynamics) {
  for_loops_of_every_kind([](ClosedRobot& c) {
    const Model& tree = c.mechanism->tree;
    const VectorXd a = matrix(closed_forward_dynamics<double>(
        *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), *c.closed));
    std::vector<Force<double>> forces(static_cast<std::size_t>(tree.bodies()));
    const LoopRows& rows = c.closed->rows;
    const BasicLoop<double>& loop = c.mechanism->loops[0];
    Force<double> total;
    for (int row = 0; row < c.mechanism->rows; ++row)
      total += rows.F[row] * c.closed->solver.force[row];
    const Poses& bodies = forward_kinematics<double>(tree, in(c.robot.q), c.robot.ws);
    const auto put = [&](int body, double sign) {
      if (body == 0) return;
      const Transform<double> X = inverse(body_pose(tree, bodies, body));
      const Transform<double> from_point{X.R, X.p + X.R * rows.point[0]};
      forces[static_cast<std::size_t>(body)] += from_point * total * sign;
    };
    put(loop.body_b, 1);
    put(loop.body_a, -1);
    Loads<double> loads;
    loads.body_forces = forces;
    const VectorXd tau = matrix(
        inverse_dynamics<double>(tree, in(c.robot.q), in(c.robot.v), in(a), c.robot.ws, loads));
    EXPECT_TRUE(near(tau, c.robot.tau, 1e-9));
  });
}

// a row that vanishes in a singular position is small against its reach, not against itself
TEST(LoopRows, CustomConstraintsHaveAReach) {
  Spec spec;
  spec.name = "sliders";
  spec.gravity = {};
  for (const char* name : {"left", "right"}) {
    spec.add_body(name, 2, {}, Sym3<double>::identity());
    spec.add_joint(name, JointKind::prismatic, "", name);
  }
  for (const double reach : {0.0, 4.0}) {
    Mechanism m(build(spec));
    m.add(CustomConstraint{"squared", 2,
                           [reach](double, std::span<const double> q, std::span<const double> v,
                                   const CustomRows& out) {
                             std::fill(out.J.begin(), out.J.end(), 0.0);
                             std::fill(out.rate.begin(), out.rate.end(), 0.0);
                             out.gap[0] = q[0] * q[0], out.gap[1] = q[1];
                             out.J[0] = 2 * q[0], out.J[3] = 1;
                             out.bias[0] = 2 * v[0] * v[0], out.bias[1] = 0;
                             EXPECT_EQ(out.reach[0], 0);
                             out.reach[0] = reach;
                           }});
    ClosedDynamics closed(m);
    const std::vector<double> q{1e-8, 0}, v{0, 0}, tau{6, 0};
    const double a = closed_forward_dynamics<double>(m, 0, q, v, tau, closed)[0];
    EXPECT_EQ(closed.solver.rank, reach > 0 ? 1 : 2);
    EXPECT_NEAR(a, reach > 0 ? 3 : 0, 1e-12);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
