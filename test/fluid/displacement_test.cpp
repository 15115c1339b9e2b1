// Displaced volume and centre of buoyancy, whole and cut by a surface.
#include <limber/fluid/displacement.hpp>

#include <numbers>

#include "support/meshes.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

ShapeSpec shape_of(ShapeSpec::Kind kind, const Vec3<double>& size) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.size = size;
  shape.name = "hull";
  return shape;
}

TEST(Displacement, OfPrimitives) {
  using Kind = ShapeSpec::Kind;
  const auto volume = [](Kind kind, const Vec3<double>& size) {
    return displacement_of(shape_of(kind, size)).volume;
  };
  EXPECT_NEAR(volume(Kind::box, {1, 2, 3}), 6, 1e-14);
  EXPECT_NEAR(volume(Kind::sphere, {2, 0, 0}), 32 * pi / 3, 1e-13);
  EXPECT_NEAR(volume(Kind::cylinder, {2, 3, 0}), 12 * pi, 1e-13);
  EXPECT_NEAR(volume(Kind::capsule, {2, 3, 0}), 12 * pi + 32 * pi / 3, 1e-13);
  EXPECT_NEAR(volume(Kind::ellipsoid, {1, 2, 3}), 8 * pi, 1e-13);
  EXPECT_TRUE(mentions(message_of([&] {
                         volume(Kind::mesh, {1, 1, 1});
                       }),
                       {"'hull'", "mesh", "load_mesh()"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         volume(Kind::box, {1, -2, 3});
                       }),
                       {"'hull'", "size 2 is -2", "positive"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         volume(Kind::plane, {1, 2, 3});
                       }),
                       {"plane", "take a box"}));
}

// surfaces of primitives are closed, lie where the shape is, and fill its volume as they get finer
TEST(Displacement, SurfacesEncloseTheirShapes) {
  using Kind = ShapeSpec::Kind;
  Random random(2);
  for (const Kind kind :
       {Kind::box, Kind::sphere, Kind::cylinder, Kind::capsule, Kind::ellipsoid}) {
    ShapeSpec shape = shape_of(kind, {0.5, 0.8, 0.3});
    shape.placement = random.transform();
    const Displacement exact = displacement_of(shape);
    double last = 0;
    for (const int around : {12, 24, 48}) {
      const Mesh mesh = surface_of(shape, around);
      EXPECT_EQ(defect_of(mesh), "");
      const Displacement found = displacement_of(mesh);
      EXPECT_LT(norm(found.center - exact.center), 1e-12);
      const double error = 1 - found.volume / exact.volume;
      if (kind == Kind::box) {
        EXPECT_NEAR(error, 0, 1e-14);
      } else {
        EXPECT_GT(error, 0);
        if (last > 0) {
          EXPECT_NEAR(last / error, 4, 0.4);
        }
        last = error;
      }
    }
  }
}

TEST(Displacement, OfTwoTogether) {
  const Displacement sum = Displacement{1, {1, 0, 0}} + Displacement{3, {0, 1, 2}};
  EXPECT_EQ(sum.volume, 4);
  EXPECT_LT(norm(sum.center - Vec3<double>{0.25, 0.75, 1.5}), 1e-15);
  EXPECT_EQ((Displacement{} + Displacement{}).volume, 0);
}

TEST(WetPart, OfABoxAtAnyDepth) {
  const Mesh mesh = box({-1, -2, -3}, {1, 2, 3});
  for (const double level : {-4.0, -3.0, -1.2, 0.0, 2.9, 3.0, 5.0}) {
    const double depth = std::clamp(level + 3, 0.0, 6.0);
    const Displacement wet = wet_part(mesh, {{0, 0, 1}, level});
    EXPECT_NEAR(wet.volume, 8 * depth, 1e-12);
    if (depth > 0) {
      EXPECT_LT(norm(wet.center - Vec3<double>{0, 0, -3 + depth / 2}), 1e-12);
    }
  }
}

// what is below and what is above are the whole, for any plane; slices sum to the volume
TEST(WetPart, AndDryPartAreTheWhole) {
  Random random(3);
  std::vector<Vec3<double>> points;
  for (int k = 0; k < 20; ++k) points.push_back(random.vec3());
  const Mesh mesh = convex_hull(points);
  const Displacement whole = displacement_of(mesh);
  for (int k = 0; k < 50; ++k) {
    const Vec3<double> n = random.direction();
    const double offset = random.uniform(-0.5, 0.5);
    const Displacement below = wet_part(mesh, {n, offset}), above = wet_part(mesh, {-n, -offset});
    const Displacement sum = below + above;
    EXPECT_NEAR(sum.volume, whole.volume, 1e-13);
    EXPECT_LT(norm(sum.center - whole.center), 1e-12);
    EXPECT_LT(dot(n, below.center), offset);
    // the area of the cut is the rate of the volume; here only that it grows
    EXPECT_GT(wet_part(mesh, {n, offset + 0.01}).volume, below.volume);
  }
}

// against differences of the wet volume where the body moves and turns below a plane at rest
TEST(WetPart, ChangesAsItsGradientSays) {
  Random random(5);
  std::vector<Vec3<double>> points;
  for (int k = 0; k < 20; ++k) points.push_back(random.vec3());
  const Mesh hull = convex_hull(points);
  const Vec3<double> center{0.1, -0.2, 0.3};
  const double radius = 0.8;
  for (int k = 0; k < 20; ++k) {
    const Vec3<double> up = random.vec3(), n = up / norm(up);
    const SurfacePlane plane{n, 0.3 * random.vec3().x};
    const Vec3<double> v = random.vec3(), w = random.vec3();
    // the plane as the body sees it after the time t: turned and moved the other way
    const auto seen = [&](double t) {
      const double angle = norm(w) * t;
      const Mat3<double> R = rotation(w / norm(w), angle);
      return SurfacePlane{transpose_times(R, n), plane.offset - dot(n, v * t)};
    };
    const double h = 1e-5;
    const auto rate = [&](auto&& volume) { return (volume(seen(h)) - volume(seen(-h))) / (2 * h); };
    const Motion<double> motion{w, v};
    EXPECT_NEAR(dot(motion, wet_volume_gradient(hull, plane)),
                rate([&](const SurfacePlane& at) { return wet_part(hull, at).volume; }), 1e-7);
    EXPECT_NEAR(
        dot(motion, wet_volume_gradient_of_sphere(center, radius, plane)),
        rate([&](const SurfacePlane& at) { return wet_part_of_sphere(center, radius, at).volume; }),
        1e-7);
  }
}

TEST(WetPart, OfASphere) {
  const double r = 0.7;
  const Vec3<double> center{0.1, 0.2, 0.3}, n{0, 0.6, 0.8};
  const Mesh fine = surface_of(
      [&] {
        ShapeSpec s = shape_of(ShapeSpec::Kind::sphere, {r, 0, 0});
        s.placement.p = center;
        return s;
      }(),
      200);
  for (const double offset : {-1.0, 0.0, 0.36, 0.7, 2.0}) {
    const Displacement exact = wet_part_of_sphere(center, r, {n, offset}),
                       mesh = wet_part(fine, {n, offset});
    EXPECT_NEAR(exact.volume, mesh.volume, 2e-3);
    EXPECT_LT(norm(exact.center - mesh.center) * mesh.volume, 1e-3);
  }
  // half and whole
  EXPECT_NEAR(wet_part_of_sphere(center, r, {n, dot(n, center)}).volume, 2 * pi / 3 * r * r * r,
              1e-14);
  EXPECT_NEAR(wet_part_of_sphere({0, 0, 0}, r, {{0, 0, 1}, 0}).center.z, -3 * r / 8, 1e-15);
  EXPECT_NEAR(wet_part_of_sphere(center, r, {n, 9}).volume, 4 * pi / 3 * r * r * r, 1e-14);
  EXPECT_LT(norm(wet_part_of_sphere(center, r, {n, 9}).center - center), 1e-15);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
