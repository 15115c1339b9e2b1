// Meshes and height fields against all of their triangles, tried one by one.
#include <gtest/gtest.h>

#include "collision/plain_shapes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct Surface {
  Shape shape = Shape::plane();
  std::vector<std::array<V, 3>> triangles{};
};

Surface hills(Random& random) {
  HeightField field{5, 6, 2, 2.5, {}};
  for (int i = 0; i < 30; ++i) field.heights.push_back(random.uniform(0, 0.4));
  Surface s{Shape::height_field(field)};
  const auto at = [&](int i, int j) {
    return V{-1 + 0.5 * i, -1.25 + 0.5 * j, field.heights[static_cast<std::size_t>(5 * j + i)]};
  };
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 4; ++i) {
      s.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      s.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return s;
}
// a ring with a square section: not convex, closed
Surface ring() {
  Mesh mesh;
  constexpr std::uint32_t sides = 9;
  for (std::uint32_t i = 0; i < sides; ++i) {
    const double angle = 2 * 3.14159265358979 * i / sides;
    const double section[4][2]{{0.6, -0.2}, {1.0, -0.2}, {1.0, 0.2}, {0.6, 0.2}};
    for (const auto& [r, z] : section)
      mesh.vertices.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  for (std::uint32_t i = 0; i < sides; ++i)
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t a = 4 * i + k, b = 4 * i + (k + 1) % 4, c = 4 * ((i + 1) % sides) + k,
                          d = 4 * ((i + 1) % sides) + (k + 1) % 4;
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({b, c, d});
    }
  Surface s{Shape::mesh(mesh)};
  EXPECT_EQ(defect_of(mesh), "");
  for (const Mesh::Triangle& t : mesh.triangles)
    s.triangles.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
  return s;
}

PlainShape triangle_shape(const std::array<V, 3>& corners) {
  PlainShape triangle;
  triangle.kind = Shape::Kind::convex;
  triangle.points = {corners.begin(), corners.end()};
  return triangle;
}

// along some direction every triangle is as far away as the distance says, the closest one along
// the normal; and the two points are on the shape and on a triangle
TEST(Surfaces, DistanceIsThatOfTheClosestTriangle) {
  Random random(41);
  const std::vector<Surface> surfaces{hills(random), ring()};
  int apart = 0, overlapping = 0;
  for (const Surface& surface : surfaces)
    for (const Shape::Kind kind : convex_kinds())
      for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(std::string(name(kind)) + std::to_string(i));
        PlainShape a = random_shape(kind, random);
        a.radius *= 0.4, a.half *= 0.4, a.size = a.size * 0.4;
        for (V& p : a.points) p = p * 0.3;
        const T b_pose{random.rotation(), random.vec3()};
        const T a_pose = b_pose * T{random.rotation(),
                                    {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5),
                                     random.uniform(0.3, 1.6)}};
        const Distance d = distance(a.shape(), a_pose, surface.shape, b_pose);
        double along_normal = HUGE_VAL, nearest_point = HUGE_VAL, least = HUGE_VAL;
        for (const std::array<V, 3>& corners : surface.triangles) {
          const PlainShape triangle = triangle_shape(corners);
          const PlainPair pair{a, triangle, a_pose, b_pose};
          const double gap = pair.gap(d.normal);
          if (std::fabs(gap - d.distance) < std::fabs(along_normal - d.distance))
            along_normal = gap;
          nearest_point = std::min(nearest_point, outside(triangle, b_pose, d.point_b, 50, random));
          double far = gap;
          for (int k = 0; k < 20 && far < d.distance; ++k)
            far = std::max(far, pair.gap(random.direction()));
          if (far < d.distance - 1e-3) far = std::max(far, pair.greatest_gap(100, random));
          least = std::min(least, far);
        }
        if (d.distance <= 0) {
          ASSERT_LT(least, 2e-3);
          ++overlapping;
          continue;
        }
        ASSERT_NEAR(along_normal, d.distance, 1e-8);
        ASSERT_GT(least, d.distance - 1e-3);
        ASSERT_LT(length(d.point_a - d.point_b - d.distance * d.normal), 1e-8);
        ASSERT_LT(nearest_point, 1e-8);
        ASSERT_LT(outside(a, a_pose, d.point_a, 50, random), 1e-8);
        ASSERT_NEAR(distance(surface.shape, b_pose, a.shape(), a_pose).distance, d.distance, 1e-9);
        ++apart;
      }
  EXPECT_GT(apart, 80);
  EXPECT_GT(overlapping, 10);
}

// a convex mesh is the surface of a hull
TEST(Surfaces, ConvexMeshesTouchAsHullsDo) {
  Random random(42);
  Manifold m;
  int touching = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<V> points, others;
    for (int k = 0; k < 20; ++k) points.push_back(random.vec3()), others.push_back(random.vec3());
    const Shape hull = Shape::convex(points), mesh = Shape::mesh(convex_hull(points));
    const Shape other = i % 2 == 0 ? Shape::convex(others) : Shape::sphere(0.5);
    const Shape other_mesh = i % 2 == 0 ? Shape::mesh(convex_hull(others)) : other;
    T pose{random.rotation(), random.vec3(2)};
    const Distance d = distance(other, pose, hull, {});
    // apart by a little, then overlapping by a little
    for (const double gap : {0.05, -0.005}) {
      T moved = pose;
      moved.p -= (d.distance - gap) * d.normal;
      const Distance expected = distance(other, moved, hull, {});
      if (std::fabs(expected.distance - gap) > 1e-9) continue;
      for (const Shape* one : {&other, &other_mesh}) {
        const Distance found = distance(*one, moved, mesh, {});
        ASSERT_NEAR(found.distance, gap, gap > 0 ? 1e-9 : 0.02) << i;
        if (gap > 0) continue;
        ASSERT_GT(collide(*one, moved, mesh, {}, 0, m), 0) << i;
        ASSERT_GT(inner(found.normal, expected.normal), 0) << i;
        ++touching;
      }
    }
  }
  EXPECT_GT(touching, 100);
}

TEST(Surfaces, ThingsBelowAHeightFieldArePushedUp) {
  Random random(43);
  const Surface ground = hills(random);
  Manifold m;
  for (int i = 0; i < 100; ++i) {
    const T pose{random.rotation(),
                 {random.uniform(-0.8, 0.8), random.uniform(-1, 1), random.uniform(-0.5, 0)}};
    for (const Shape& thing :
         {Shape::sphere(0.1), Shape::box({0.2, 0.15, 0.1}), Shape::capsule(0.05, 0.1)}) {
      ASSERT_GT(collide(thing, pose, ground.shape, {}, 0, m), 0) << name(thing.kind()) << i;
      for (const ContactPoint& c : m.all()) {
        ASSERT_GT(c.normal.z, 0.2);
        ASSERT_GT(c.depth, 0);
      }
    }
  }
  // beside it there is nothing
  EXPECT_EQ(collide(Shape::sphere(0.1), T::translation({1.2, 0, 0}), ground.shape, {}, 0, m), 0);
}

// of a point, by its parts: inside of the triangle, else on an edge
double distance_to(const std::array<V, 3>& t, const V& p) {
  const V n = cross(t[1] - t[0], t[2] - t[0]);
  bool inside = true;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < 3; ++k) {
    const V a = t[k], e = t[(k + 1) % 3] - a;
    inside = inside && dot(cross(n, e), p - a) >= 0;
    const double s = std::fmin(1, std::fmax(0, dot(p - a, e) / dot(e, e)));
    least = std::fmin(least, norm(p - a - e * s));
  }
  return inside ? std::fabs(dot(n, p - t[0])) / norm(n) : least;
}

// small balls, most of them above one triangle
TEST(Surfaces, BallsTouchTheClosestTriangle) {
  Random random(43);
  const Surface surface = hills(random);
  const Transform<double> field{random.rotation(), random.vec3()};
  int touching = 0, apart = 0;
  for (int i = 0; i < 5000; ++i) {
    const double radius = random.uniform(0.005, 0.08);
    const V center{random.uniform(-0.9, 0.9), random.uniform(-1.15, 1.15), random.uniform(0, 0.5)};
    double least = HUGE_VAL;
    bool above = true;
    for (const std::array<V, 3>& t : surface.triangles) {
      least = std::fmin(least, distance_to(t, center));
      const V n = cross(t[1] - t[0], t[2] - t[0]);
      const auto side = [&](std::size_t k) {  // seen from above
        const V a = t[k], e = t[(k + 1) % 3] - a;
        return e.x * (center.y - a.y) - e.y * (center.x - a.x);
      };
      if (side(0) >= 0 && side(1) >= 0 && side(2) >= 0) above = dot(n, center - t[0]) > 0;
    }
    if (!above) continue;
    Manifold found;
    collide(Shape::sphere(radius), field * Transform<double>{Mat3<double>::identity(), center},
            surface.shape, field, 0, found);
    double deepest = -HUGE_VAL;
    for (const ContactPoint& c : found.all()) {
      deepest = std::fmax(deepest, c.depth);
      // between the ball's surface and that below
      const V p = transform_point(inverse(field), c.point);
      EXPECT_NEAR(norm(p - center), radius - c.depth / 2, 1e-9);
      EXPECT_NEAR(norm(c.normal), 1, 1e-12);
    }
    if (std::fabs(radius - least) < 1e-9) continue;
    ++(least < radius ? touching : apart);
    if (least < radius) EXPECT_NEAR(deepest, radius - least, 1e-9) << i;
    else EXPECT_EQ(found.count, 0) << i;
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(apart, 1000);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
