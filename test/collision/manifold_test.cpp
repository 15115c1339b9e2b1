// Contact points of faces and edges that lie on each other, and poses where directions run out.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <limber/error.hpp>

#include "collision/plain_shapes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

T at(double x, double y, double z) { return T::translation({x, y, z}); }
Mat3<double> about_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {1, 0, 0, 0, c, -s, 0, s, c};
}
Mat3<double> about_y(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c, 0, s, 0, 1, 0, -s, 0, c};
}
Mat3<double> about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}
constexpr double right_angle = 1.57079632679489661923;

void expect_point(const Manifold& m, const V& p, double depth, double tolerance = 1e-9) {
  for (const ContactPoint& c : m.all())
    if (length(c.point - p) < tolerance && std::fabs(c.depth - depth) < tolerance) return;
  ADD_FAILURE() << "no contact at (" << p.x << ", " << p.y << ", " << p.z << ")";
}

std::vector<V> cube_corners() {
  std::vector<V> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(
        {(i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5});
  return corners;
}
Shape flat_field() { return Shape::height_field({6, 6, 5, 5, std::vector<double>(36, 0.0)}); }
Mesh ground_mesh() {
  Mesh mesh;
  for (int j = 0; j <= 10; ++j)
    for (int i = 0; i <= 10; ++i) mesh.vertices.push_back({i * 0.4 - 2, j * 0.4 - 2, 0});
  for (std::uint32_t j = 0; j < 10; ++j)
    for (std::uint32_t i = 0; i < 10; ++i) {
      const std::uint32_t k = 11 * j + i;
      mesh.triangles.push_back({k, k + 1, k + 12});
      mesh.triangles.push_back({k, k + 12, k + 11});
    }
  return mesh;
}

// the same cube as a box, a hull and a mesh, on the same ground as a plane, a box, a hull, a height
// field and a mesh
TEST(Manifolds, CubeStandsOnFourCorners) {
  const std::vector<Shape> cubes{Shape::box({1, 1, 1}), Shape::convex(cube_corners()),
                                 Shape::mesh(convex_hull(cube_corners()))};
  std::vector<V> slab;
  for (V c : cube_corners()) slab.push_back({4 * c.x, 4 * c.y, c.z});
  struct Ground {
    Shape shape;
    T pose;
  };
  const std::vector<Ground> grounds{{Shape::plane(), {}},
                                    {Shape::box({4, 4, 1}), at(0, 0, -0.5)},
                                    {Shape::convex(slab), at(0, 0, -0.5)},
                                    {flat_field(), {}},
                                    {Shape::mesh(ground_mesh()), {}}};
  for (const Shape& cube : cubes)
    for (const Ground& ground : grounds) {
      SCOPED_TRACE(std::string(name(cube.kind())) + " on " + name(ground.shape.kind()));
      Manifold m;
      const T pose{about_z(0.3), {0.11, 0.07, 0.499}};
      collide(cube, pose, ground.shape, ground.pose, 0.002, m);
      EXPECT_EQ(m.count, 4);
      for (const V& corner : cube_corners()) {
        if (corner.z > 0) continue;
        V p = transform_point(pose, corner);
        p.z = -0.0005;
        expect_point(m, p, 0.001, 1e-7);
      }
      for (const ContactPoint& c : m.all()) EXPECT_LT(length(c.normal - V{0, 0, 1}), 1e-9);
      // above the ground by less than the margin, and by more
      EXPECT_EQ(collide(cube, at(0.1, 0, 0.501), ground.shape, ground.pose, 0.002, m), 4);
      EXPECT_NEAR(m.points[0].depth, -0.001, 1e-9);
      EXPECT_EQ(collide(cube, at(0.1, 0, 0.503), ground.shape, ground.pose, 0.002, m), 0);
    }
}

TEST(Manifolds, CubeOnCubeTouchesInTheCornersOfTheCommonFace) {
  const Shape cube = Shape::box({1, 1, 1});
  Manifold m;
  collide(cube, at(0.3, 0.1, 0.99), cube, {}, 0, m);
  ASSERT_EQ(m.count, 4);
  for (const double x : {-0.2, 0.5})
    for (const double y : {-0.4, 0.5}) expect_point(m, {x, y, 0.495}, 0.01);
  // exactly on each other, and turned by 45°: an octagon, of which four stay
  collide(cube, at(0, 0, 1), cube, {}, 1e-3, m);
  ASSERT_EQ(m.count, 4);
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) expect_point(m, {x, y, 0.5}, 0);
  collide(cube, {about_z(right_angle / 2), {0, 0, 0.99}}, cube, {}, 0, m);
  ASSERT_EQ(m.count, 4);
  for (const ContactPoint& c : m.all()) {
    EXPECT_NEAR(c.depth, 0.01, 1e-12);
    EXPECT_NEAR(std::max(std::fabs(c.point.x), std::fabs(c.point.y)), 0.5, 1e-9);
  }
}

TEST(Manifolds, FeaturesStayWhileTheSameCornersTouch) {
  const Shape cube = Shape::box({1, 1, 1});
  Random random(5);
  Manifold first, later;
  collide(cube, at(0, 0, 0.999), cube, {}, 0.01, first);
  ASSERT_EQ(first.count, 4);
  for (int i = 0; i < 50; ++i) {
    const T pose{about_x(1e-5 * random.uniform()) * about_z(1e-4 * random.uniform()),
                 V{0, 0, 0.999} + random.vec3(1e-4)};
    collide(cube, pose, cube, {}, 0.01, later);
    ASSERT_EQ(later.count, 4);
    for (const ContactPoint& c : first.all()) {
      int found = 0;
      for (const ContactPoint& l : later.all())
        if (l.feature == c.feature && length(l.point - c.point) < 1e-3) ++found;
      EXPECT_EQ(found, 1) << i;
    }
  }
}

TEST(Manifolds, EdgesTouchInTheirEnds) {
  Manifold m;
  // a cube on its edge
  const Shape cube = Shape::box({1, 1, 1});
  const double h = std::sqrt(0.5);
  for (const Shape& ground : {Shape::plane(), flat_field()}) {
    collide(cube, {about_x(right_angle / 2), {0.1, 0.1, h - 0.001}}, ground, {}, 0, m);
    ASSERT_EQ(m.count, 2) << name(ground.kind());
    for (const double x : {-0.4, 0.6}) expect_point(m, {x, 0.1, -0.0005}, 0.001, 1e-8);
  }
  collide(cube, {about_x(right_angle / 2), {0.1, 0, 0.5 + h - 0.001}}, cube, {}, 0, m);
  ASSERT_EQ(m.count, 2);
  for (const double x : {-0.4, 0.5}) expect_point(m, {x, 0, 0.4995}, 0.001);
  // crossed edges: one point
  collide(cube, {about_z(right_angle) * about_x(right_angle / 2), {0, 0, 2 * h - 0.001}}, cube,
          {about_x(right_angle / 2), {}}, 0, m);
  ASSERT_EQ(m.count, 1);
  expect_point(m, {0, 0, h - 0.0005}, 0.001);
  // capsules and cylinders lying down
  for (const Shape& rod : {Shape::capsule(0.1, 1), Shape::cylinder(0.1, 1)}) {
    const T pose{about_y(right_angle), {0, 0, 0.099}};
    const std::vector<std::pair<Shape, T>> grounds{{Shape::plane(), {}},
                                                   {Shape::box({4, 4, 1}), at(0, 0, -0.5)},
                                                   {flat_field(), at(0.1, 0.2, 0)}};
    for (const auto& [ground, place] : grounds) {
      collide(rod, pose, ground, place, 0, m);
      double low = 0, high = 0;
      for (const ContactPoint& c : m.all()) {
        low = std::min(low, c.point.x), high = std::max(high, c.point.x);
        EXPECT_NEAR(c.depth, 0.001, 1e-9);
      }
      EXPECT_NEAR(low, -0.5, 1e-7) << name(rod.kind()) << " on " << name(ground.kind());
      EXPECT_NEAR(high, 0.5, 1e-7) << name(rod.kind()) << " on " << name(ground.kind());
    }
    // on each other, moved along by 0.3
    collide(rod, {about_y(right_angle), {0.3, 0, 0.199}}, rod, {about_y(right_angle), {}}, 0, m);
    ASSERT_EQ(m.count, 2);
    for (const double x : {-0.2, 0.5}) expect_point(m, {x, 0, 0.0995}, 0.001, 1e-7);
    // crossed
    collide(rod, {about_x(right_angle), {0, 0, 0.199}}, rod, {about_y(right_angle), {}}, 0, m);
    ASSERT_EQ(m.count, 1);
    expect_point(m, {0, 0, 0.0995}, 0.001, 1e-7);
  }
}

TEST(Manifolds, CylinderStandsOnItsRim) {
  const Shape cylinder = Shape::cylinder(0.5, 1);
  Manifold m;
  const std::vector<std::pair<Shape, T>> grounds{{Shape::plane(), {}},
                                                 {Shape::box({4, 4, 1}), at(0, 0, -0.5)},
                                                 {Shape::cylinder(2, 1), at(0, 0, -0.5)},
                                                 {flat_field(), {}}};
  for (const auto& [ground, place] : grounds) {
    SCOPED_TRACE(name(ground.kind()));
    collide(cylinder, at(0.1, 0.05, 0.499), ground, place, 0, m);
    ASSERT_EQ(m.count, 4);
    V middle;
    for (const ContactPoint& c : m.all()) {
      EXPECT_NEAR(c.depth, 0.001, 1e-9);
      EXPECT_NEAR(std::hypot(c.point.x - 0.1, c.point.y - 0.05), 0.5, 1e-7);
      middle += c.point * 0.25;
    }
    // the centre lies within
    EXPECT_LT(std::hypot(middle.x - 0.1, middle.y - 0.05), 0.2);
    // tilted: the lowest point of the rim is exact
    const double tilt = 0.1;
    const T pose{about_y(tilt), {0, 0, 0.5 * std::sin(tilt) + 0.5 * std::cos(tilt) - 0.001}};
    collide(cylinder, pose, ground, place, 0, m);
    ASSERT_GE(m.count, 1);
    double deepest = 0;
    for (const ContactPoint& c : m.all()) deepest = std::max(deepest, c.depth);
    EXPECT_NEAR(deepest, 0.001, 1e-9);
  }
}

// a ball that rolls over the edges between triangles is pushed straight up
TEST(Manifolds, EdgesWithinAFlatSurfaceDoNotPushAside) {
  Manifold m;
  const std::vector<Shape> grounds{flat_field(), Shape::mesh(ground_mesh())};
  const std::vector<Shape> things{Shape::sphere(0.2), Shape::box({0.3, 0.3, 0.4}),
                                  Shape::capsule(0.2, 0.3), Shape::cylinder(0.15, 0.4),
                                  Shape::ellipsoid({0.3, 0.25, 0.2})};
  Random random(3);
  for (const Shape& ground : grounds)
    for (const Shape& thing : things)
      for (int i = 0; i < 200; ++i) {
        const T pose{random.rotation(), {random.uniform(-1, 1), random.uniform(-1, 1), 0}};
        const Bounds box = thing.bounds(pose);
        T resting = pose;
        resting.p.z = -box.lower.z - 0.003;
        ASSERT_GT(collide(thing, resting, ground, {}, 0, m), 0) << i;
        double deepest = 0;
        for (const ContactPoint& c : m.all()) {
          ASSERT_LT(length(c.normal - V{0, 0, 1}), 1e-6)
              << name(thing.kind()) << " on " << name(ground.kind()) << ", " << i;
          deepest = std::max(deepest, c.depth);
        }
        ASSERT_NEAR(deepest, 0.003, 1e-7)
            << name(thing.kind()) << " on " << name(ground.kind()) << i;
      }
}

// identical centres, identical shapes, axes along each other, whole numbers: no NaN, and a way out
TEST(Degenerate, SameCentresAndParallelAxes) {
  Random random(9);
  std::vector<PlainShape> shapes;
  for (const Shape::Kind kind : convex_kinds()) {
    PlainShape s = random_shape(kind, random);
    s.radius = 0.5, s.half = 0.5, s.size = {0.5, 0.5, 0.5}, s.points = cube_corners();
    shapes.push_back(s);
  }
  const std::vector<T> turns{
      {}, {about_x(right_angle), {}}, {about_y(right_angle), {}}, {about_z(right_angle / 2), {}}};
  Manifold m;
  for (const PlainShape& a : shapes)
    for (const PlainShape& b : shapes)
      for (const T& turn : turns)
        for (int x = 0; x <= 2; ++x)
          for (int z = 0; z <= 2; ++z) {
            const T pose{turn.R, {0.5 * x, 0, 0.5 * z}};
            SCOPED_TRACE(std::string(name(a.kind)) + " " + name(b.kind) + " " + std::to_string(x) +
                         " " + std::to_string(z));
            const Distance d = distance(a.shape(), pose, b.shape(), {});
            ASSERT_NEAR(length(d.normal), 1, 1e-9);
            ASSERT_TRUE(std::isfinite(d.distance + d.point_a.x + d.point_b.z));
            const PlainPair pair{a, b, pose, {}};
            ASSERT_NEAR(pair.gap(d.normal), d.distance, 1e-8);
            ASSERT_LE(pair.greatest_gap(100, random), d.distance + 1e-8);
            collide(a.shape(), pose, b.shape(), {}, 0.01, m);
            ASSERT_LE(m.count, 4);
            for (const ContactPoint& c : m.all())
              ASSERT_TRUE(std::isfinite(c.depth + c.point.x + c.point.y + c.point.z + c.normal.x));
          }
}

// plates, needles and cubes, turned by multiples of 45° or nearly so, on a grid of places
TEST(Degenerate, ThinShapesAtRightAngles) {
  Random random(61);
  const double sizes[6]{1e-3, 0.1, 0.5, 0.5, 1, 2};
  const auto size = [&] { return sizes[random.integer(0, 5)]; };
  const auto turn = [&] {
    const double angle = random.integer(0, 7) * right_angle / 2;
    return random.integer(0, 3) == 0 ? angle + 1e-7 * random.uniform() : angle;
  };
  Manifold m;
  for (int i = 0; i < 4000; ++i) {
    std::array<PlainShape, 2> shapes;
    std::array<T, 2> poses;
    for (std::size_t k = 0; k < 2; ++k) {
      PlainShape& s = shapes[k];
      s.kind = convex_kinds()[static_cast<std::size_t>(random.integer(0, 5))];
      s.radius = size(), s.half = size(), s.size = {size(), size(), size()};
      for (const V& c : cube_corners())
        s.points.push_back({c.x * s.radius, c.y * s.half, c.z * s.size.z});
      poses[k].R = about_x(turn()) * about_y(turn()) * about_z(turn());
      poses[k].p = {0.25 * random.integer(-4, 4), 0.25 * random.integer(-4, 4), random.uniform()};
    }
    SCOPED_TRACE(std::string(name(shapes[0].kind)) + " " + name(shapes[1].kind) + " " +
                 std::to_string(i));
    const Shape a = shapes[0].shape(), b = shapes[1].shape();
    const Distance d = distance(a, poses[0], b, poses[1]);
    const PlainPair pair{shapes[0], shapes[1], poses[0], poses[1]};
    ASSERT_NEAR(pair.gap(d.normal), d.distance, 1e-6);
    for (int k = 0; k < 3; ++k)
      for (const double sign : {-1.0, 1.0}) {
        ASSERT_LE(pair.gap(sign * poses[0].R.column(k)), d.distance + 2e-5);
        ASSERT_LE(pair.gap(sign * poses[1].R.column(k)), d.distance + 2e-5);
        ASSERT_LE(pair.gap(random.direction()), d.distance + 2e-5);
      }
    collide(a, poses[0], b, poses[1], 0.01, m);
    if (std::fabs(d.distance - 0.01) > 1e-9) {
      ASSERT_EQ(m.count > 0, d.distance < 0.01);
    }
    for (const ContactPoint& c : m.all())
      ASSERT_TRUE(std::isfinite(c.depth + c.point.x + c.point.y + c.point.z + c.normal.x));
  }
}

TEST(Degenerate, TinyHugeAndFarAwayShapes) {
  Manifold m;
  for (const double size : {1e-6, 1e-3, 1e3, 1e6}) {
    const Shape cube = Shape::box({size, size, size}), hull_cube = Shape::cylinder(size / 2, size);
    collide(cube, at(0.1 * size, 0, 0.99 * size), hull_cube, {}, 0, m);
    ASSERT_GE(m.count, 3) << size;
    EXPECT_NEAR(m.points[0].depth, 0.01 * size, 1e-9 * size);
  }
  // a thin plate and a needle
  const Shape plate = Shape::box({1, 1, 1e-4}), needle = Shape::cylinder(1e-4, 1);
  const Distance d = distance(plate, {}, needle, {about_y(0.01), {0, 0, 0.5}});
  EXPECT_TRUE(std::isfinite(d.distance));
  const V far{1e5, -2e5, 3e5};
  const Shape ball = Shape::sphere(0.5), cube = Shape::box({1, 1, 1});
  EXPECT_NEAR(
      distance(ball, T::translation(far + V{0, 0, 1.25}), cube, T::translation(far)).distance, 0.25,
      1e-9);
}

TEST(Refused, SizesAndPosesThatAreNoNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, HUGE_VAL}) {
    EXPECT_THROW(Shape::sphere(bad), Error);
    EXPECT_THROW(Shape::capsule(bad, 1), Error);
    EXPECT_THROW(Shape::capsule(1, bad), Error);
    EXPECT_THROW(Shape::cylinder(bad, 1), Error);
    EXPECT_THROW(Shape::cylinder(1, bad), Error);
    EXPECT_THROW(Shape::box({1, bad, 1}), Error);
    EXPECT_THROW(Shape::ellipsoid({1, 1, bad}), Error);
    EXPECT_THROW(Shape::height_field({2, 2, bad, 1, {0, 0, 0, 0}}), Error);
  }
  EXPECT_THROW(Shape::convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), Error);
  EXPECT_THROW(Shape::convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, nan}}), Error);
  EXPECT_THROW(Shape::mesh({}), Error);
  EXPECT_THROW(Shape::height_field({1, 2, 1, 1, {0, 0}}), Error);
  EXPECT_THROW(Shape::height_field({2, 2, 1, 1, {0, 0}}), Error);
  EXPECT_THROW(Shape::height_field({2, 2, 1, 1, {0, 0, nan, 0}}), Error);
  const Shape ball = Shape::sphere(1);
  Manifold m;
  EXPECT_THROW(collide(ball, at(nan, 0, 0), ball, {}, 0, m), Error);
  EXPECT_THROW(collide(ball, {}, ball, at(0, HUGE_VAL, 0), 0, m), Error);
  EXPECT_THROW(collide(ball, {}, ball, {}, nan, m), Error);
  EXPECT_THROW(collide(ball, {}, ball, {}, -1, m), Error);
  EXPECT_THROW(distance(ball, at(0, 0, nan), ball, {}), Error);
  EXPECT_THROW(ray_cast(ball, {}, {0, 0, 5}, {0, 0, 0}), Error);
  EXPECT_THROW(ray_cast(ball, {}, {0, 0, nan}, {0, 0, 1}), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
