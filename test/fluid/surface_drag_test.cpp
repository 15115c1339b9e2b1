// Drag over surfaces with few points against that of very many patches, and closed forms.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <limber/fluid/hydrodynamics.hpp>
#include <limber/fluid/submerged.hpp>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Kind = ShapeSpec::Kind;

ShapeSpec shape_of(Kind kind, const Vec3<double>& size, const Transform<double>& placement) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.size = size;
  shape.placement = placement;
  return shape;
}

// the largest difference, in parts of the force, or of the moment over the size of the body
double difference(const SurfaceDrag& few, const SurfaceDrag& many, const Motion<double>& v,
                  double size) {
  const Force<double> a = drag_force(few, v, 1000), b = drag_force(many, v, 1000);
  return (norm(a.linear - b.linear) + norm(a.angular - b.angular) / size) /
         (norm(b.linear) + norm(b.angular) / size);
}

Motion<double> drifting(Random& random) { return {{}, random.vec3()}; }

// at a distance from the origin of the link, so that moments and turns count
TEST(SurfaceDrag, OfASphereIsTheIntegralOverItsSurface) {
  Random random(41);
  for (int k = 0; k < 30; ++k) {
    Transform<double> place = random.transform();
    place.p = place.p * 0.3;
    const ShapeSpec shape = shape_of(Kind::sphere, {0.4, 0, 0}, place);
    SurfaceDrag many;
    many.patches = patches_of(surface_of(shape, 200), 1);
    const SurfaceDrag exact = surface_drag_of(shape);
    EXPECT_TRUE(exact.patches.empty());
    EXPECT_LT(difference(exact, many, random.motion(), 0.4), 2e-3);
    EXPECT_LT(difference(exact, many, drifting(random), 0.4), 1e-3);
  }
  // where it does not turn: the area of a circle
  const SurfaceDrag plain = surface_drag_of(shape_of(Kind::sphere, {0.4, 0, 0}, {}), 0.5);
  EXPECT_NEAR(drag_force(plain, {{}, {0, -2, 0}}, 1000).linear.y,
              0.5 * 1000 * 0.5 * std::numbers::pi * 0.16 * 4, 1e-9);
  EXPECT_EQ(norm(drag_force(plain, {{1, 2, 3}, {}}, 1000).angular), 0);
}

TEST(SurfaceDrag, OfABoxTakesAFewPoints) {
  Random random(42);
  const Vec3<double> edges{1.2, 0.5, 0.3};
  for (int k = 0; k < 30; ++k) {
    const ShapeSpec shape = shape_of(Kind::box, edges, random.transform());
    SurfaceDrag many;
    many.patches = patches_of(surface_of(shape), 40000);
    const SurfaceDrag few = surface_drag_of(shape);
    EXPECT_EQ(few.patches.size(), 96U);
    EXPECT_LT(difference(few, many, drifting(random), 0.6), 1e-10);
    EXPECT_LT(difference(few, many, random.motion(), 0.6), 0.02);
  }
  // about its middle, and about an edge
  SurfaceDrag many;
  const ShapeSpec shape = shape_of(Kind::box, edges, {});
  many.patches = patches_of(surface_of(shape), 40000);
  for (int axis = 0; axis < 3; ++axis) {
    Motion<double> turn{};
    turn.angular[axis] = 1;
    EXPECT_LT(difference(surface_drag_of(shape), many, turn, 0.6), 0.025) << axis;
  }
}

// the projected area of an ellipsoid in a direction d: π √(b²c²d_x² + a²c²d_y² + a²b²d_z²)
TEST(SurfaceDrag, OfAnEllipsoidHasItsProjectedArea) {
  Random random(43);
  for (const Vec3<double>& half : {Vec3<double>{0.5, 0.2, 0.1}, {0.1, 0.1, 0.6}, {0.4, 0.4, 0.1}})
    for (int k = 0; k < 30; ++k) {
      Transform<double> place;
      place.R = random.transform().R;
      const ShapeSpec shape = shape_of(Kind::ellipsoid, half, place);
      const SurfaceDrag few = surface_drag_of(shape);
      const Motion<double> v = drifting(random);
      const Vec3<double> d = transpose_times(place.R, v.linear) / norm(v.linear);
      const double area =
          std::numbers::pi *
          norm(Vec3<double>{half.y * half.z * d.x, half.x * half.z * d.y, half.x * half.y * d.z});
      const Force<double> f = drag_force(few, v, 1000);
      EXPECT_NEAR(norm(f.linear) / (500 * area * dot(v.linear, v.linear)), 1, 5e-3);
      SurfaceDrag many;
      many.patches = patches_of(surface_of(shape, 150), 1);
      EXPECT_LT(difference(few, many, random.motion(), 0.5), 0.02);
    }
}

// an ellipsoid with a flat box beside it, as one mesh
TEST(SurfaceDrag, OfAMeshGathersPatches) {
  Random random(44);
  Transform<double> beside;
  beside.p = {0, 1.5, 0};
  Mesh mesh = surface_of(shape_of(Kind::ellipsoid, {0.8, 0.4, 0.3}, {}), 30);
  const Mesh fin = surface_of(shape_of(Kind::box, {0.6, 0.8, 0.05}, beside));
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), fin.vertices.begin(), fin.vertices.end());
  for (const Mesh::Triangle& t : fin.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const SurfaceDrag many{patches_of(mesh, 3000)};
  const std::vector<SurfacePatch> few = gathered(many.patches, 0.01);
  EXPECT_LT(few.size(), many.patches.size() / 5) << few.size();
  Vec3<double> closed;
  for (const SurfacePatch& patch : few) closed += patch.area;
  EXPECT_LT(norm(closed), 1e-12);  // as that of every closed surface
  for (int k = 0; k < 100; ++k) {
    EXPECT_LT(difference({few}, many, drifting(random), 1), 0.015);
    EXPECT_LT(difference({few}, many, random.motion(), 1), 0.04);
  }
  // a tighter tolerance takes more, and none is more than all
  EXPECT_GT(gathered(many.patches, 1e-3).size(), few.size());
  EXPECT_EQ(gathered(many.patches, 0).size(), many.patches.size());
  EXPECT_TRUE(gathered({}, 0.01).empty());
}

TEST(SurfaceDrag, OfAThinPlateAsAMesh) {
  Random random(45);
  const ShapeSpec plate = shape_of(Kind::box, {2, 1, 1e-4}, {});
  const SurfaceDrag drag = surface_drag_of(surface_of(plate));
  Hydrodynamics body;
  body.surfaces.push_back(drag);
  EXPECT_TRUE(check_hydrodynamics(body, "plate").empty());
  EXPECT_LT(drag.patches.size(), 200U);
  const SurfaceDrag many{patches_of(surface_of(plate), 20000)};
  for (int k = 0; k < 30; ++k) EXPECT_LT(difference(drag, many, drifting(random), 1), 0.015);
}

TEST(SurfaceDrag, OfASphereHasNoSkinFriction) {
  Hydrodynamics body;
  body.surfaces.push_back(surface_drag_of(shape_of(Kind::sphere, {0.4, 0, 0}, {})));
  EXPECT_TRUE(check_hydrodynamics(body, "ball").empty());
  body.surfaces[0].skin_coefficient = 0.01;
  EXPECT_TRUE(mentions(message_of([&] { check_hydrodynamics(body, "ball"); }),
                       {"'ball'", "skin friction", "set_skin_friction"}));
  body.surfaces[0] = surface_drag_of(shape_of(Kind::sphere, {0.4, 0, 0}, {}));
  body.surfaces[0].sphere->radius = -1;
  EXPECT_TRUE(mentions(message_of([&] { check_hydrodynamics(body, "ball"); }), {"radius", "-1"}));
}

// In a steady flow V friction is ½ ρ C_f ∫ |V_t| V_t dA: of a sphere ½ ρ C_f V² · ¾ π² r², of a box
// along x that of its four sides. What else there is, pressure, stays as it was.
TEST(SkinFriction, OfShapes) {
  constexpr double density = 1000, C_f = 0.004, V = 1.7;
  Hydrodynamics ball, box;
  ball.surfaces.push_back(surface_drag_of(
      shape_of(Kind::sphere, {0.3, 0, 0}, Transform<double>::translation({0.1, -0.2, 0.4}))));
  box.surfaces.push_back(surface_drag_of(shape_of(Kind::box, {2, 0.5, 0.3}, {})));
  const Motion<double> v{{}, {V, 0, 0}};
  const auto added = [&](Hydrodynamics& body) {
    const Force<double> before = viscous_force(body, v, density);
    for (int k = 0; k < 2; ++k) set_skin_friction(body, C_f);  // twice is once
    EXPECT_TRUE(check_hydrodynamics(body, "hull").empty());
    return viscous_force(body, v, density) - before;
  };
  const double half = 0.5 * density * C_f * V * V;
  const Force<double> of_ball = added(ball), of_box = added(box);
  const double expected = -half * 0.75 * std::numbers::pi * std::numbers::pi * 0.09;
  EXPECT_NEAR(of_ball.linear.x, expected, 2e-3 * std::abs(expected));
  EXPECT_NEAR(of_ball.angular.y, 0.4 * expected, 4e-3 * std::abs(expected));
  EXPECT_NEAR(of_box.linear.x, -half * 2 * 2 * (0.5 + 0.3), 1e-9);
  // the same as numbers of a body
  FluidBody<double> body;
  add_surface(ball.surfaces[0], {}, density, body);
  Force<double> sum;
  body.for_others([&](const auto& piece) { sum += drag_force(piece, v); });
  EXPECT_NEAR(sum.linear.x, viscous_force(ball, v, density).linear.x, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
