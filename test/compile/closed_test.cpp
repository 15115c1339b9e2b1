// Closed mechanisms as straight-line programs, against the interpreted library.
#include <limber/compile/program.hpp>

#include <limber/compile/source.hpp>

#include "support/message.hpp"
#include "support/random_mechanisms.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Model with_loops(const ClosedRobot& c) {
  Spec spec = c.robot.spec;
  spec.loops = c.loops;
  return build(spec);
}

TEST(ClosedProgram, AgreesWithTheLibrary) {
  int compared = 0, redundant = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    if (c.robot.model.has_mimic() || c.robot.model.nv > 25) continue;
    if (seed % 3 == 0) {
      LoopSpec again = c.loops[0];
      again.name += " again";
      c.add_loops({again});
    }
    const VectorXd a = matrix(closed_forward_dynamics<double>(
        *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), *c.closed));
    const RowSolver& solver = c.closed->solver;
    if (solver.inconsistency > 1e-9 * (1 + a.norm())) continue;
    // near singular positions the two differ in what they take for dependent
    const double size = 1 + a.lpNorm<Eigen::Infinity>() + matrix(solver.force).norm();
    if (size > 1e3) continue;
    const std::vector<VectorXd> found = run(trace(with_loops(c), RobotFunction::forward_dynamics),
                                            {c.robot.q, c.robot.v, c.robot.tau});
    ASSERT_EQ(found.size(), 3u);
    EXPECT_LT(found[2].lpNorm<Eigen::Infinity>(), 1e-6 * size);
    if (found[2].lpNorm<Eigen::Infinity>() > 1e-9 * size) continue;  // the program says so itself
    EXPECT_TRUE(near(found[0], a, 1e-7 * size));
    for (int row = 0; row < c.mechanism->rows; ++row)
      if (solver.is_determinate[row]) {
        EXPECT_NEAR(found[1][row], solver.force[row], 1e-6 * size);
      }
    ++compared;
    if (solver.rank < c.mechanism->rows) ++redundant;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 40);
  EXPECT_GT(redundant, 10);
}

TEST(ClosedProgram, OtherFunctionsAreRefusedByName) {
  ClosedRobot c(4);
  const Model model = with_loops(c);
  EXPECT_TRUE(
      mentions(message_of([&] { check_compilable(model, RobotFunction::inverse_dynamics); }),
               {"loop", c.loops[0].name}));
  check_compilable(model, RobotFunction::mass_matrix);
  check_compilable(model, RobotFunction::step);
  const std::vector<RobotFunction> functions = compilable_functions(model);
  EXPECT_NE(std::find(functions.begin(), functions.end(), RobotFunction::forward_dynamics),
            functions.end());
  EXPECT_EQ(std::find(functions.begin(), functions.end(), RobotFunction::inverse_dynamics),
            functions.end());
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
