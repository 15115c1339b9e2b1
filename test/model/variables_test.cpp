// Variables by name: what a user's first program finds in limber.hpp.
#include <limber/limber.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Variables, NamesLeadToEntriesOfPositionAndVelocity) {
  const Model m = load("every_joint");
  const std::vector<Variable> positions = position_variables(m), velocities = velocity_variables(m);
  ASSERT_EQ(positions.size(), static_cast<std::size_t>(m.nq));
  ASSERT_EQ(velocities.size(), static_cast<std::size_t>(m.nv));
  for (std::size_t i = 0; i < positions.size(); ++i)
    EXPECT_EQ(position_index(m, positions[i].name()), static_cast<int>(i));
  for (std::size_t k = 0; k < velocities.size(); ++k)
    EXPECT_EQ(freedom(m, velocities[k].name()), static_cast<int>(k));
}

TEST(Variables, AFloatingBaseHasItsHeightThirdAndItsVerticalSpeedSixth) {
  const Model m = load("quadruped");
  EXPECT_EQ(position_index(m, "root.z"), 2);
  EXPECT_EQ(position_index(m, "root.qw"), 6);
  EXPECT_EQ(freedom(m, "root.vz"), 5);
}

TEST(Variables, WrongNamesAreAnsweredWithTheRightOnes) {
  const Model m = load("quadruped");
  EXPECT_TRUE(mentions(message_of([&] { position_index(m, "root.zz"); }),
                       {"no position 'root.zz'", "did you mean 'root.z'"}));
  EXPECT_TRUE(mentions(message_of([&] { position_index(m, "root"); }),
                       {"several positions", "root.x", "root.qw"}));
  EXPECT_TRUE(mentions(message_of([&] { freedom(m, "root"); }), {"several freedoms", "root.wx"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
