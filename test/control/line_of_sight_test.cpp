// Guidance along way-points: the line, the point ahead on it, and what counts as reached.
#include <limber/control/line_of_sight.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Route square() { return {{{10, 0, -5}, {10, 10, -5}, {0, 10, -9}}, 1.5, 4, 0.5}; }

TEST(LineOfSight, AimsAtAPointAheadOnTheLine) {
  const Guidance g = line_of_sight(square(), {0, 0, -5}, {3, 2, -5}, 0);
  EXPECT_NEAR(g.cross_track, 2, 1e-14);
  // the point 4 m ahead on the x axis
  EXPECT_NEAR(g.heading, std::atan2(-2, 4), 1e-14);
  EXPECT_EQ(g.next, 0);
  EXPECT_EQ(g.speed, 1.5);
  const Guidance up = line_of_sight(square(), {}, {11, 4, 0}, 1);
  EXPECT_NEAR(up.cross_track, -1, 1e-14);
  EXPECT_NEAR(up.heading, std::atan2(4, -1), 1e-14);
}

TEST(LineOfSight, PassesWhatIsReachedAndStopsAtTheEnd) {
  EXPECT_EQ(line_of_sight(square(), {}, {9.6, 0.1, 30}, 0).next, 1);
  EXPECT_EQ(line_of_sight(square(), {}, {9.4, 0.1, 30}, 0).next, 0);
  const Guidance end = line_of_sight(square(), {}, {0.2, 10.2, -9}, 2);
  EXPECT_EQ(end.next, 3);
  EXPECT_EQ(end.speed, 0);
  EXPECT_NEAR(std::cos(end.heading), -1, 0.01);
}

TEST(LineOfSight, DescendsAlongTheLine) {
  EXPECT_NEAR(line_of_sight(square(), {}, {5, 10, 0}, 2).height, -7, 1e-14);
  EXPECT_NEAR(line_of_sight(square(), {}, {12, 10, 0}, 2).height, -5, 1e-14);
}

TEST(LineOfSight, Refusals) {
  const auto refused = [](auto&& change) {
    Route route = square();
    change(route);
    return message_of([&] { check_route(route); });
  };
  EXPECT_TRUE(mentions(refused([](Route& r) { r.points.clear(); }), {"no way-points"}));
  EXPECT_TRUE(mentions(refused([](Route& r) { r.points[1] = {10, 0, -8}; }), {"1 and 2"}));
  EXPECT_TRUE(mentions(refused([](Route& r) { r.lookahead = 0; }), {"lookahead"}));
  EXPECT_TRUE(mentions(refused([](Route& r) { r.speed = -1; }), {"speed"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
