// Arms that hold one object, against a dense system of all unknowns.
#include "constraint/arm_case.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

void expect_same_accelerations(const TeamMotion& found, const DenseMotion& expected,
                               double tolerance) {
  for (std::size_t k = 0; k < expected.acceleration.size(); ++k)
    EXPECT_TRUE(near(matrix(found.arms[k].acceleration), expected.acceleration[k], tolerance))
        << "arm " << k;
  EXPECT_TRUE(near(plain(found.object.acceleration), expected.object, tolerance));
}

TEST(ArmTeam, RandomTeamsMoveAsTheDenseSystemSays) {
  int singular = 0, regular = 0, indeterminate = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(400)); ++seed) {
    SCOPED_TRACE("team " + std::to_string(seed));
    TeamCase t = random_team(seed);
    const DenseMotion expected = dense_motion(t);
    if (expected.residual > 1e-9 || expected.condition > 1e9) continue;  // cannot be, or hard
    TeamMotion found(t.team());
    team_dynamics<double>(t.team(), t.states(), t.object, found);
    const double tolerance = std::max(1e-10, 1e-13 * expected.condition);
    expect_same_accelerations(found, expected, tolerance);
    EXPECT_EQ(found.object.indeterminate(), expected.indeterminate);
    EXPECT_LT(found.object.mismatch, 1e-8);
    for (std::size_t k = 0; k < t.arms() && expected.indeterminate == 0; ++k)
      EXPECT_TRUE(near(plain(found.arms[k].force), expected.force[k], 100 * tolerance));
    (found.object.singular.empty() ? regular : singular) += 1;
    indeterminate += expected.indeterminate > 0 ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(regular, share_of(50));
  EXPECT_GT(singular, share_of(50));
  EXPECT_GT(indeterminate, share_of(10));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
