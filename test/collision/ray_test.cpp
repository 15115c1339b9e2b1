// Rays against walking along them, and the rate at which normals turn against differences.
#include <functional>

#include <gtest/gtest.h>

#include <limber/collision/normal_rate.hpp>

#include "collision/plain_shapes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// the first place along the ray that is inside
double walk(const std::function<bool(const V&)>& is_inside, const V& origin, const V& direction) {
  double before = 0;
  for (int i = 1; i <= 3000; ++i) {
    double t = i * 2e-3;
    if (!is_inside(origin + t * direction)) {
      before = t;
      continue;
    }
    for (int k = 0; k < 45; ++k) {
      const double middle = (before + t) / 2;
      (is_inside(origin + middle * direction) ? t : before) = middle;
    }
    return t;
  }
  return -1;
}

TEST(RayCast, MeetsConvexShapesWhereTheyBegin) {
  Random random(21);
  for (const Shape::Kind kind : convex_kinds())
    for (int i = 0; i < 60; ++i) {
      const PlainShape s = random_shape(kind, random);
      const Shape shape = s.shape();
      const T pose{random.rotation(), random.vec3()};
      const V origin = random.vec3(3), direction = unit(random.vec3(0.7) - origin);
      // a hull: inside of all planes of its triangles
      const Mesh hull = kind == Shape::Kind::convex ? convex_hull(s.points) : Mesh{};
      const auto is_inside = [&](const V& world) {
        const V p = to_frame(pose, world - pose.p);
        if (kind != Shape::Kind::convex) return s.holds(p);
        for (const Mesh::Triangle& t : hull.triangles) {
          const V &a = hull.vertices[t[0]], &b = hull.vertices[t[1]], &c = hull.vertices[t[2]];
          if (inner(cross(b - a, c - a), p - a) >= 0) return false;
        }
        return true;
      };
      const std::optional<RayHit> hit = ray_cast(shape, pose, origin, 3.0 * direction);
      if (is_inside(origin)) {
        ASSERT_TRUE(hit);
        ASSERT_EQ(hit->distance, 0);
        continue;
      }
      const double expected = walk(is_inside, origin, direction);
      // a ray that passes through less than the walk's interval may be missed by it
      if (expected < 0) {
        if (hit) {
          ASSERT_FALSE(is_inside(origin + (hit->distance + 2.1e-3) * direction));
        }
        continue;
      }
      ASSERT_TRUE(hit) << name(kind) << i;
      ASSERT_NEAR(hit->distance, expected, 1e-7) << name(kind) << i;
      ASSERT_LT(length(hit->point - origin - hit->distance * direction), 1e-9);
      ASSERT_NEAR(length(hit->normal), 1, 1e-9);
      ASSERT_LT(inner(hit->normal, direction), 1e-9);
      // outward: just off the surface lies outside
      ASSERT_FALSE(is_inside(hit->point + 1e-6 * hit->normal));
      ASSERT_FALSE(ray_cast(shape, pose, origin, direction, expected - 1e-3));
    }
}

TEST(RayCast, MeetsSurfaces) {
  Random random(22);
  HeightField field{9, 7, 4, 3, {}};
  for (int i = 0; i < 63; ++i) field.heights.push_back(random.uniform(0, 0.5));
  Mesh mesh;
  for (std::uint32_t j = 0; j < 7; ++j)
    for (std::uint32_t i = 0; i < 9; ++i)
      mesh.vertices.push_back({-2 + 0.5 * i, -1.5 + 0.5 * j, field.heights[9 * j + i]});
  for (std::uint32_t j = 0; j < 6; ++j)
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t k = 9 * j + i;
      mesh.triangles.push_back({k, k + 1, k + 10});
      mesh.triangles.push_back({k, k + 10, k + 9});
    }
  const Shape ground = Shape::height_field(field), surface = Shape::mesh(mesh);
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    const T pose{random.rotation(), random.vec3()};
    const V from{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(0.6, 2)};
    const V to{random.uniform(-2, 2), random.uniform(-1.5, 1.5), 0};
    // every triangle, by areas
    double expected = HUGE_VAL;
    const V d = unit(to - from);
    for (const Mesh::Triangle& t : mesh.triangles) {
      const V &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      const V n = cross(b - a, c - a);
      const double s = inner(n, a - from) / inner(n, d);
      const V p = from + s * d;
      if (inner(n, d) < 0 && s > 0 && inner(n, cross(b - a, p - a)) >= -1e-12 &&
          inner(n, cross(c - b, p - b)) >= -1e-12 && inner(n, cross(a - c, p - c)) >= -1e-12)
        expected = std::min(expected, s);
    }
    for (const Shape* shape : {&ground, &surface}) {
      const auto hit = ray_cast(*shape, pose, transform_point(pose, from), pose.R * d);
      ASSERT_EQ(hit.has_value(), std::isfinite(expected)) << i << name(shape->kind());
      if (hit) {
        ASSERT_NEAR(hit->distance, expected, 1e-9) << i << name(shape->kind());
      }
    }
    hits += std::isfinite(expected) ? 1 : 0;
  }
  EXPECT_GT(hits, 200);
  const auto down = ray_cast(Shape::plane(), T::translation({0, 0, 1}), {2, 3, 4}, {0, 0, -2});
  ASSERT_TRUE(down);
  EXPECT_NEAR(down->distance, 3, 1e-12);
  EXPECT_FALSE(ray_cast(Shape::plane(), {}, {2, 3, 4}, {0, 1, 0}));
}

// rotation vector r as a matrix, to the second order
Mat3<double> turned(const V& r, const Mat3<double>& R) {
  const double angle = length(r);
  if (angle == 0) return R;
  const V k = unit(r);
  const double c = std::cos(angle), s = std::sin(angle);
  const auto turn = [&](const V& v) {
    return c * v + s * cross(k, v) + ((1 - c) * inner(k, v)) * k;
  };
  return Mat3<double>::from_columns(turn(R.column(0)), turn(R.column(1)), turn(R.column(2)));
}

TEST(NormalRate, IsTheDerivativeOfTheNormal) {
  Random random(31);
  int checked = 0;
  std::vector<Shape::Kind> kinds = convex_kinds();
  kinds.push_back(Shape::Kind::plane);
  for (const Shape::Kind first : kinds)
    for (const Shape::Kind second : kinds) {
      if (first == Shape::Kind::plane && second == Shape::Kind::plane) continue;
      for (int i = 0; i < 20; ++i) {
        const Shape a =
            first == Shape::Kind::plane ? Shape::plane() : random_shape(first, random).shape();
        const Shape b =
            second == Shape::Kind::plane ? Shape::plane() : random_shape(second, random).shape();
        T a_pose{random.rotation(), random.vec3()};
        const T b_pose{random.rotation(), random.vec3()};
        // a little apart, so that the shortest way is unique
        const Distance d = distance(a, a_pose, b, b_pose);
        a_pose.p -= (d.distance - 0.2) * d.normal;
        const Distance now = distance(a, a_pose, b, b_pose);
        if (std::fabs(now.distance - 0.2) > 1e-6) continue;
        const ContactPoint at{(now.point_a + now.point_b) * 0.5, now.normal, -now.distance, 0};
        const ShapeVelocity va{random.vec3(), random.vec3()}, vb{random.vec3(), random.vec3()};
        const std::optional<V> rate = normal_rate(a, a_pose, va, b, b_pose, vb, at);
        if (!rate) continue;
        constexpr double h = 1e-3;
        const auto after = [&](double dt) {
          return distance(a, {turned(dt * va.angular, a_pose.R), a_pose.p + dt * va.linear}, b,
                          {turned(dt * vb.angular, b_pose.R), b_pose.p + dt * vb.linear});
        };
        const Distance plus = after(h), minus = after(-h);
        // where a new corner or face comes in within the interval, there is no derivative
        const V forward = (plus.normal - now.normal) * (1 / h),
                backward = (now.normal - minus.normal) * (1 / h);
        const V turning = (plus.normal - now.normal) * (1 / h),
                turned_before = (now.normal - minus.normal) * (1 / h);
        // another edge or face comes in between: no derivative
        if (length(forward - backward) > 0.02 * (1 + length(forward)) ||
            length(turning - turned_before) > 0.02 * (1 + length(turning)))
          continue;
        const V difference = (plus.normal - minus.normal) * (1 / (2 * h));
        ASSERT_LT(length(difference - *rate), 2e-3 * (1 + length(difference)))
            << name(first) << " " << name(second) << " " << i;
        ++checked;
      }
    }
  EXPECT_GT(checked, 600);
}

// of what slides and rolls on each other, with next to no gap
TEST(ContactRates, AreTheDerivativesOfNormalAndPoint) {
  Random random(37);
  int checked = 0;
  std::vector<Shape::Kind> kinds = convex_kinds();
  kinds.push_back(Shape::Kind::plane);
  for (const Shape::Kind first : kinds)
    for (const Shape::Kind second : kinds) {
      if (first == Shape::Kind::plane && second == Shape::Kind::plane) continue;
      for (int i = 0; i < 20; ++i) {
        const Shape a =
            first == Shape::Kind::plane ? Shape::plane() : random_shape(first, random).shape();
        const Shape b =
            second == Shape::Kind::plane ? Shape::plane() : random_shape(second, random).shape();
        T a_pose{random.rotation(), random.vec3()};
        const T b_pose{random.rotation(), random.vec3()};
        constexpr double gap = 1e-3, h = 1e-4;
        const Distance d = distance(a, a_pose, b, b_pose);
        a_pose.p -= (d.distance - gap) * d.normal;
        const Distance now = distance(a, a_pose, b, b_pose);
        if (std::fabs(now.distance - gap) > 1e-6) continue;
        const ContactPoint at{(now.point_a + now.point_b) * 0.5, now.normal, -now.distance, 0};
        ShapeVelocity va{random.vec3(), random.vec3()};
        const ShapeVelocity vb{random.vec3(), random.vec3()};
        const V u = va.linear + cross(va.angular, at.point - a_pose.p) - vb.linear -
                    cross(vb.angular, at.point - b_pose.p);
        va.linear -= inner(u, at.normal) * at.normal;
        const std::optional<ContactRates> rates = contact_rates(a, a_pose, va, b, b_pose, vb, at);
        // two corners or edges without radius turn about the gap, which is none in a contact
        if (!rates || length(rates->normal) > 10) continue;
        const auto after = [&](double dt) {
          return distance(a, {turned(dt * va.angular, a_pose.R), a_pose.p + dt * va.linear}, b,
                          {turned(dt * vb.angular, b_pose.R), b_pose.p + dt * vb.linear});
        };
        const auto middle = [](const Distance& one) { return (one.point_a + one.point_b) * 0.5; };
        const Distance plus = after(h), minus = after(-h);
        const V forward = (middle(plus) - middle(now)) * (1 / h),
                backward = (middle(now) - middle(minus)) * (1 / h);
        const V turning = (plus.normal - now.normal) * (1 / h),
                turned_before = (now.normal - minus.normal) * (1 / h);
        // another edge or face comes in between: no derivative
        if (length(forward - backward) > 0.02 * (1 + length(forward)) ||
            length(turning - turned_before) > 0.02 * (1 + length(turning)))
          continue;
        const V point = (middle(plus) - middle(minus)) * (1 / (2 * h)),
                normal = (plus.normal - minus.normal) * (1 / (2 * h));
        ASSERT_LT(length(normal - rates->normal), 2e-2 * (1 + length(normal)))
            << name(first) << " " << name(second) << " " << i;
        ASSERT_LT(length(point - rates->point), 2e-2 * (1 + length(point)))
            << name(first) << " " << name(second) << " " << i;
        ++checked;
      }
    }
  EXPECT_GT(checked, 500);
}

TEST(NormalRate, IsUnknownWhereFacesLieOnEachOther) {
  const Shape cube = Shape::box({1, 1, 1}), rod = Shape::capsule(0.1, 1);
  Manifold m;
  const ShapeVelocity still;
  collide(cube, T::translation({0, 0, 0.99}), cube, {}, 0, m);
  EXPECT_FALSE(
      normal_rate(cube, T::translation({0, 0, 0.99}), still, cube, {}, still, m.points[0]));
  collide(rod, T::translation({0.19, 0, 0}), rod, {}, 0, m);
  EXPECT_FALSE(normal_rate(rod, T::translation({0.19, 0, 0}), still, rod, {}, still, m.points[0]));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
