// Convex hulls: their surface, what they hold, and all planes tried.
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include <limber/error.hpp>
#include <limber/mesh/mesh.hpp>

#include "support/meshes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Points = std::vector<Vec3<double>>;

Points random_points(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Points points(count);
  for (Vec3<double>& p : points) p = {number(generator), number(generator), number(generator)};
  return points;
}

// closed, one piece without holes, and no point outside
void expect_hull_of(const Points& points, const Mesh& hull) {
  EXPECT_EQ(defect_of(hull), "");
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Mesh::Triangle& t : hull.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(edges.emplace(t[k], t[(k + 1) % 3]).second) << "an edge twice in one direction";
  const auto V = static_cast<long>(hull.vertices.size()), E = static_cast<long>(edges.size() / 2),
             F = static_cast<long>(hull.triangles.size());
  EXPECT_EQ(V - E + F, 2);
  double extent = 0, outermost = -1;
  for (const Vec3<double>& p : points) extent = std::max(extent, norm(p - points[0]));
  for (const Mesh::Triangle& t : hull.triangles) {
    const Vec3<double>& a = hull.vertices[t[0]];
    const Vec3<double> normal = cross(hull.vertices[t[1]] - a, hull.vertices[t[2]] - a);
    // a sliver's normal says little
    if (norm(normal) < 1e-8 * extent * extent) continue;
    for (const Vec3<double>& p : points)
      outermost = std::max(outermost, dot(normal, p - a) / norm(normal));
  }
  EXPECT_LT(outermost, 1e-8 * extent);
}

TEST(ConvexHull, RandomPoints) {
  for (const std::size_t count : {4U, 5U, 10U, 100U, 3000U}) {
    SCOPED_TRACE(count);
    const Points points = random_points(count, 7);
    expect_hull_of(points, convex_hull(points));
  }
}

// by trying the plane of every three points
double volume_by_trying(const Points& points) {
  double volume = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points.size(); ++j)
      for (std::size_t k = 0; k < points.size(); ++k) {
        if (i >= j || i >= k || j == k) continue;  // each triangle in both directions
        const Vec3<double> normal = cross(points[j] - points[i], points[k] - points[i]);
        bool is_face = true;
        for (const Vec3<double>& p : points) is_face &= dot(normal, p - points[i]) < 1e-12;
        if (is_face) volume += dot(points[i], cross(points[j], points[k])) / 6;
      }
  return volume;
}

TEST(ConvexHull, HasTheVolumeThatTryingAllPlanesFinds) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Points points = random_points(6 + seed, seed);
    EXPECT_NEAR(volume_moments(convex_hull(points)).m, volume_by_trying(points), 1e-8) << seed;
  }
}

// many points in the planes of the faces, on edges, and several times
TEST(ConvexHull, PointsOfALattice) {
  Points points;
  for (int i = 0; i <= 6; ++i)
    for (int j = 0; j <= 6; ++j)
      for (int k = 0; k <= 6; ++k) points.push_back({0.1 * i, 0.2 * j, 0.3 * k});
  points.insert(points.end(), points.begin(), points.begin() + 100);
  const Mesh hull = convex_hull(points);
  expect_hull_of(points, hull);
  EXPECT_NEAR(volume_moments(hull).m, 0.6 * 1.2 * 1.8, 1e-8);
}

TEST(ConvexHull, RoundBodiesKeepTheirVertices) {
  const Mesh ball = ellipsoid({1, 2, 3}, 20, 30);
  const Mesh hull = convex_hull(ball.vertices);
  expect_hull_of(ball.vertices, hull);
  EXPECT_EQ(hull.vertices.size(), ball.vertices.size());
  // of a torus only the outer half counts
  const Mesh ring = torus(1, 0.3, 40, 20);
  const Mesh disc = convex_hull(ring.vertices);
  expect_hull_of(ring.vertices, disc);
  EXPECT_GT(volume_moments(disc).m, 1.2 * volume_moments(ring).m);
}

TEST(ConvexHull, FlatPointsAreRefused) {
  Points plane = random_points(30, 3);
  for (Vec3<double>& p : plane) p.z = 0.5;
  EXPECT_THROW(convex_hull(plane), Error);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), Error);
  EXPECT_THROW(convex_hull(Points(5, {1, 1, 1})), Error);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, HUGE_VAL}}), Error);
}

TEST(Simplified, KeepsTheBudgetAndTheShape) {
  const Mesh ball = ellipsoid({1, 1, 1}, 100, 200);
  const Mesh small = simplified(ball, 2000);
  EXPECT_LE(small.triangles.size(), 2000U);
  EXPECT_GT(small.triangles.size(), 1000U);
  EXPECT_LT(small.vertices.size(), 2000U);
  for (const Vec3<double>& p : small.vertices) EXPECT_NEAR(norm(p), 1, 1e-12);
  EXPECT_NEAR(volume_moments(small).m / volume_moments(ball).m, 1, 0.02);
  EXPECT_EQ(simplified(ball, 1000000).triangles, ball.triangles);
  // triangles that share nothing cannot be thinned out one by one
  Mesh loose;
  for (std::uint32_t k = 0; k < 3000; k += 3) {
    const double x = k;
    loose.vertices.insert(loose.vertices.end(), {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}});
    loose.triangles.push_back({k, k + 1, k + 2});
  }
  EXPECT_LE(simplified(loose, 100).triangles.size(), 100U);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
