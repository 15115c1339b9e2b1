// Support polygons against shapes whose hull and margins are known, and the diagrams of a box that
// falls and comes to rest.
#include <limber/report/support.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Points = std::vector<Vec3<double>>;

TEST(Support, TheHullOfARectangleWithPointsInside) {
  const Points hull = support_polygon({{0, 0, 1},
                                       {2, 0, 0},
                                       {1, 0.5, 0},
                                       {2, 1, 0},
                                       {0, 1, 0},
                                       {1, 0, 0},
                                       {0, 0, 5},
                                       {0.3, 0.9, 0}});
  ASSERT_EQ(hull.size(), 4U);
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3<double>&a = hull[i], &b = hull[(i + 1) % 4];
    area += (a.x * b.y - a.y * b.x) / 2;
  }
  EXPECT_DOUBLE_EQ(area, 2);  // positive: counter-clockwise
}

// a point is inside the hull of many if it is on one side of none of the lines through two of them
TEST(Support, TheHullHoldsAllPointsAndConsistsOfThem) {
  Points points;
  for (int i = 0; i < 60; ++i)
    points.push_back({std::sin(1.7 * i) * std::cos(0.3 * i), std::cos(2.3 * i), 0});
  const Points hull = support_polygon(points);
  for (const Vec3<double>& p : points) EXPECT_GE(support_margin(hull, p), -1e-15);
  for (const Vec3<double>& corner : hull) {
    EXPECT_NEAR(support_margin(hull, corner), 0, 1e-15);
    EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const Vec3<double>& p) {
      return p.x == corner.x && p.y == corner.y;
    }));
  }
}

TEST(Support, MarginsInClosedForm) {
  const Points square = support_polygon({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}});
  EXPECT_DOUBLE_EQ(support_margin(square, {0.2, 0.7, 9}), 0.3);
  EXPECT_DOUBLE_EQ(support_margin(square, {1.5, 0, 9}), -0.5);
  EXPECT_DOUBLE_EQ(support_margin(square, {4, 5, 9}), -5);  // from the corner
  // two feet are a line, one is a point, in the air there is nothing
  EXPECT_DOUBLE_EQ(support_margin(support_polygon({{0, 0, 0}, {2, 0, 0}, {1, 0, 0}}), {1, 0.25, 0}),
                   -0.25);
  EXPECT_DOUBLE_EQ(support_margin(support_polygon({{3, 4, 0}}), {0, 0, 0}), -5);
  EXPECT_TRUE(std::isnan(support_margin({}, {0, 0, 0})));
}

TEST(Support, DiagramsOfABoxThatFallsAndRests) {
  const auto diagrams = [](const std::string& more) {
    const Scenario scenario = parse_scenario(R"(
duration: 1
gravity: [0, 0, -9.81]
robots:
  - name: crate
    body: {kind: box, size: [0.4, 0.2, 0.1], mass: 2}
    xyz: [0, 0, 0.25]
contact: {}
)" + more,
                                             "crate.yaml");
    return support_diagrams(scenario, run_scenario(scenario).recording);
  };
  EXPECT_TRUE(diagrams("record: {interval: 0.01}").empty());
  const std::vector<Diagram> all = diagrams("record: {interval: 0.01, center_of_mass: yes}");
  ASSERT_EQ(all.size(), 3U);
  ASSERT_EQ(all[0].curves.size(), 1U);
  EXPECT_EQ(all[0].curves[0].name, "crate.body");
  // it falls 0.2 m
  const double impact = std::sqrt(2 * 0.2 / 9.81);
  for (std::size_t i = 0; i < all[0].curves[0].x.size(); ++i) {
    const double t = all[0].curves[0].x[i];
    if (std::abs(t - impact) < 0.02) continue;
    EXPECT_EQ(std::isnan(all[0].curves[0].y[i]), t < impact) << t;
  }
  // its corners, and the margin of its middle
  const Diagram::Curve& last = all[1].curves.back();
  EXPECT_EQ(last.name, "1 s");
  ASSERT_EQ(last.x.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(std::abs(last.x[i]), 0.2, 1e-6);
    EXPECT_NEAR(std::abs(last.y[i]), 0.1, 1e-6);
  }
  EXPECT_TRUE(std::isnan(all[2].curves[0].y.front()));
  EXPECT_NEAR(all[2].curves[0].y.back(), 0.1, 1e-6);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
