// Regrouped inertial parameters: another robot, the same motion.
#include "compile/regroup.hpp"

#include <limber/dynamics/forward_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Regroup, ForcesAndInertiaMatrixStay) {
  for_random_robots(100, [](Robot& r) {
    const Model regrouped = regroup(r.model);
    Workspace ws(regrouped);
    EXPECT_TRUE(near(matrix(inverse_dynamics(regrouped, in(r.q), in(r.v), in(r.a), ws)),
                     matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), 1e-12));
    EXPECT_TRUE(near(matrix(mass_matrix(regrouped, in(r.q), ws)),
                     matrix(mass_matrix(r.model, in(r.q), r.ws)), 1e-12));
  });
}

// they obey the equation of motion of the robot as it was, whatever the condition of M
TEST(Regroup, AccelerationsStay) {
  int solved = 0;
  for_random_robots(100, [&](Robot& r) {
    if (!r.model.singular_reason.empty() || r.model.nv == 0) return;
    ++solved;
    const Model regrouped = regroup(r.model);
    Workspace ws(regrouped);
    const VectorXd a = matrix(forward_dynamics(regrouped, in(r.q), in(r.v), in(r.tau), ws));
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
    const double size = std::max(1.0, (M.cwiseAbs() * a.cwiseAbs() + bias.cwiseAbs()).maxCoeff());
    EXPECT_LT((M * a + bias - r.tau).cwiseAbs().maxCoeff(), 1e-12 * size);
  });
  EXPECT_GT(solved, 80);
}

// what lies on the axis of a turn, or turns alike on both sides of a slide, is gone
TEST(Regroup, ParametersThatMotionCannotTellApartAreZero) {
  const Model turning = regroup(build(generate_chain(5)));
  for (std::size_t b = 1; b < turning.inertia.size(); ++b) {
    EXPECT_EQ(turning.inertia[b].m, 0);
    EXPECT_EQ(turning.inertia[b].h.z, 0);
    EXPECT_EQ(turning.inertia[b].J.zz, 0);
    EXPECT_NE(turning.inertia[b].J.xx, 0);
  }
  const Model sliding = regroup(build(generate_chain(5, JointKind::prismatic)));
  for (std::size_t b = 1; b < sliding.inertia.size(); ++b) {
    const Sym3<double>& J = sliding.inertia[b].J;
    for (const double x : {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz}) EXPECT_EQ(x, 0);
    EXPECT_GT(sliding.inertia[b].m, 0);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
