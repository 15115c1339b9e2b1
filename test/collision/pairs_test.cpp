// Every pair of convex shapes against directions tried one by one: 10,500 random poses.
#include <gtest/gtest.h>

#include "collision/plain_shapes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

class ConvexPairs : public testing::TestWithParam<std::pair<int, int>> {};

std::vector<std::pair<int, int>> all_pairs() {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) pairs.emplace_back(i, k);
  return pairs;
}

constexpr int poses = 500;
// of shapes with sizes of about 1 m
constexpr double exact = 1e-8;

struct Case {
  PlainShape a, b;
  Shape shape_a, shape_b;
  T a_pose, b_pose;
};
// a distance of centres between none and beyond touching
Case random_case(std::pair<int, int> kinds, Random& random) {
  PlainShape a = random_shape(convex_kinds()[static_cast<std::size_t>(kinds.first)], random);
  PlainShape b = random_shape(convex_kinds()[static_cast<std::size_t>(kinds.second)], random);
  Shape shape_a = a.shape(), shape_b = b.shape();
  T a_pose{random.rotation(), random.vec3(1)}, b_pose{random.rotation(), random.vec3(1)};
  const double scale = random.uniform(0, 2);
  b_pose.p = a_pose.p + (b_pose.p - a_pose.p) * scale;
  return {std::move(a), std::move(b), shape_a, shape_b, a_pose, b_pose};
}

TEST_P(ConvexPairs, DistanceIsTheGreatestGap) {
  Random random(static_cast<std::uint64_t>(17 * GetParam().first + GetParam().second));
  int apart = 0, overlapping = 0;
  for (int i = 0; i < poses; ++i) {
    const Case c = random_case(GetParam(), random);
    const Distance d = distance(c.shape_a, c.a_pose, c.shape_b, c.b_pose);
    const PlainPair pair{c.a, c.b, c.a_pose, c.b_pose};
    ASSERT_NEAR(length(d.normal), 1, 1e-12);
    // the two points lie this far apart along the normal
    ASSERT_LT(length(d.point_a - d.point_b - d.distance * d.normal), exact) << i;
    // the gap along the normal is the distance
    ASSERT_NEAR(pair.gap(d.normal), d.distance, exact) << i;
    // no direction has a greater one
    ASSERT_LE(pair.greatest_gap(150, random), d.distance + exact) << i;
    // the points are on the shapes
    ASSERT_LT(outside(c.a, c.a_pose, d.point_a, 30, random), 10 * exact) << i;
    ASSERT_LT(outside(c.b, c.b_pose, d.point_b, 30, random), 10 * exact) << i;
    d.distance > 0 ? ++apart : ++overlapping;
  }
  EXPECT_GT(apart, poses / 20);
  EXPECT_GT(overlapping, poses / 20);
}

TEST_P(ConvexPairs, MovingByTheDepthMakesThemTouch) {
  Random random(static_cast<std::uint64_t>(1000 + 17 * GetParam().first + GetParam().second));
  for (int i = 0; i < 100; ++i) {
    const Case c = random_case(GetParam(), random);
    const Distance d = distance(c.shape_a, c.a_pose, c.shape_b, c.b_pose);
    T moved = c.a_pose;
    moved.p -= d.distance * d.normal;
    ASSERT_NEAR(distance(c.shape_a, moved, c.shape_b, c.b_pose).distance, 0, exact) << i;
  }
}

TEST_P(ConvexPairs, RigidMotionAndExchangeChangeNothing) {
  Random random(static_cast<std::uint64_t>(2000 + 17 * GetParam().first + GetParam().second));
  Manifold ours, turned, moved;
  for (int i = 0; i < 100; ++i) {
    const Case c = random_case(GetParam(), random);
    const double margin = 0.05;
    collide(c.shape_a, c.a_pose, c.shape_b, c.b_pose, margin, ours);
    collide(c.shape_b, c.b_pose, c.shape_a, c.a_pose, margin, turned);
    const T X{random.rotation(), random.vec3(10)};
    collide(c.shape_a, X * c.a_pose, c.shape_b, X * c.b_pose, margin, moved);
    const auto deepest = [](const Manifold& m) {
      double most = -1;
      for (const ContactPoint& p : m.all()) most = std::max(most, p.depth);
      return most;
    };
    const double distance_of = distance(c.shape_a, c.a_pose, c.shape_b, c.b_pose).distance;
    ASSERT_EQ(ours.count > 0, distance_of <= margin) << i;
    ASSERT_EQ(ours.count > 0, turned.count > 0) << i;
    ASSERT_EQ(ours.count > 0, moved.count > 0) << i;
    if (ours.count == 0) continue;
    ASSERT_LE(ours.count, 4);
    ASSERT_NEAR(deepest(ours), -distance_of, exact) << i;
    ASSERT_NEAR(deepest(turned), -distance_of, exact) << i;
    ASSERT_NEAR(deepest(moved), -distance_of, exact) << i;
    for (const ContactPoint& p : ours.all()) {
      ASSERT_GE(p.depth, -margin);
      ASSERT_NEAR(length(p.normal), 1, 1e-12);
      ASSERT_LT(length(p.normal - ours.points[0].normal), 1e-15);
    }
    const PlainPair pair{c.a, c.b, c.a_pose, c.b_pose};
    ASSERT_NEAR(pair.gap(ours.points[0].normal), distance_of, exact);
    ASSERT_NEAR(pair.gap(-turned.points[0].normal), distance_of, exact);
    for (int p = 0; p < ours.count; ++p)
      for (int q = 0; q < p; ++q)
        ASSERT_NE(ours.points[static_cast<std::size_t>(p)].feature,
                  ours.points[static_cast<std::size_t>(q)].feature);
  }
}

// both points of a contact lie on the surfaces or inside: none is invented
TEST_P(ConvexPairs, ContactPointsAreOnBothShapes) {
  Random random(static_cast<std::uint64_t>(3000 + 17 * GetParam().first + GetParam().second));
  Manifold m;
  for (int i = 0; i < 100; ++i) {
    const Case c = random_case(GetParam(), random);
    collide(c.shape_a, c.a_pose, c.shape_b, c.b_pose, 0, m);
    for (const ContactPoint& p : m.all()) {
      const V half = (p.depth / 2) * p.normal;
      ASSERT_LT(outside(c.a, c.a_pose, p.point - half, 50, random), 1e-7) << i;
      ASSERT_LT(outside(c.b, c.b_pose, p.point + half, 50, random), 1e-7) << i;
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::pair<int, int>>& info) {
  return std::string(name(convex_kinds()[static_cast<std::size_t>(info.param.first)])) + "_" +
         name(convex_kinds()[static_cast<std::size_t>(info.param.second)]);
}
INSTANTIATE_TEST_SUITE_P(All, ConvexPairs, testing::ValuesIn(all_pairs()), name_of);

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
