// Drag over surfaces, friction and foils of a constant load: against drag_force() and lift_force()
// of hydrodynamics.hpp, for every scalar.
#include <limber/fluid/submerged.hpp>

#include <limber/scalar/counted.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/scalar/pack.hpp>

#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double density = 1000;

double number(double x) { return x; }
double number(float x) { return x; }
double number(Dual x) { return x.value; }
double number(const Counted& x) { return x.value(); }
double number(const Pack<double, 4>& x) { return x[2]; }

template <class T>
Force<double> all_of(const FluidBody<double>& body, const Motion<double>& v) {
  Force<T> sum;
  body.for_others([&](const auto& piece) { sum += drag_force(cast<T>(piece), cast<T>(v)); });
  const Vec3<T>&m = sum.angular, &f = sum.linear;
  return {{number(m.x), number(m.y), number(m.z)}, {number(f.x), number(f.y), number(f.z)}};
}
void expect_force(const Force<double>& found, const Force<double>& expected, double tolerance) {
  const double size = norm(expected.linear) + norm(expected.angular);
  EXPECT_LE(norm(found.linear - expected.linear), tolerance * size);
  EXPECT_LE(norm(found.angular - expected.angular), tolerance * size);
}
void expect_all_scalars(const FluidBody<double>& body, const Motion<double>& v,
                        const Force<double>& expected) {
  expect_force(all_of<double>(body, v), expected, 1e-12);
  expect_force(all_of<Dual>(body, v), expected, 1e-12);
  expect_force(all_of<Counted>(body, v), expected, 1e-12);
  expect_force(all_of<Pack<double, 4>>(body, v), expected, 1e-12);
  expect_force(all_of<float>(body, v), expected, 1e-4);
}

// the surface is described in the axes of a link that lies anywhere on its body
TEST(SubmergedDrag, SurfacesAreTheDragOfTheLink) {
  Random random(11);
  for (int k = 0; k < 60; ++k) {
    const SurfaceDrag surface = random_surface(random);
    const Transform<double> X = random.transform();
    FluidBody<double> body;
    add_surface(surface, X, density, body);
    const Motion<double> v = random.motion();
    expect_all_scalars(body, v, X * drag_force(surface, apply_inverse(X, v), density));
  }
}

TEST(SubmergedDrag, FoilsAreTheLiftOfTheLink) {
  Random random(12);
  int stalled = 0;
  for (int k = 0; k < 60; ++k) {
    const LiftingSurface foil = random_foil(random);
    FluidBody<double> body;
    body.foils.push_back(foil_lift(foil, density));
    for (int i = 0; i < 5; ++i) {
      const Motion<double> v = random.motion();
      expect_all_scalars(body, v, lift_force(foil, v, density));
      const Vec3<double> at = v.linear + cross(v.angular, foil.center);
      const double c = dot(at, foil.chord), n = dot(at, foil.normal);
      stalled += std::abs(foil.slope * c * n) > foil.most_lift * (c * c + n * n) ? 1 : 0;
    }
  }
  EXPECT_GT(stalled, 30);
  EXPECT_LT(stalled, 270);
}

// where the formulas divide by speeds
TEST(SubmergedDrag, NothingPushesAtRest) {
  Random random(13);
  FluidBody<double> body;
  LiftingSurface foil = random_foil(random);
  SurfaceDrag ball;
  ball.sphere = {{}, 0.3};
  foil.center = {};
  body.foils.push_back(foil_lift(foil, density));
  add_surface(ball, {}, density, body);
  for (const Motion<double>& v : {Motion<double>{}, Motion<double>{{1, 2, 3}, {}}}) {
    const Force<double> f = all_of<double>(body, v);
    EXPECT_EQ(norm(f.linear) + norm(f.angular), 0);
  }
}

// a box, a ball and a wing in one robot file's words: whole links against the sum of their forces
TEST(SubmergedDrag, LinksHaveAllOfTheirDrag) {
  Random random(14);
  Robot r(one_body(3, Sym3<double>::diagonal(1, 2, 3)), 1);
  for (int k = 0; k < 20; ++k) {
    Hydrodynamics body = random_hydrodynamics(random);
    body.surfaces = {random_surface(random), random_surface(random)};
    body.foils = {random_foil(random), random_foil(random)};
    const FluidLoad<double> fluid =
        submerged(r.model, std::vector<LinkHydrodynamics>{{"hull", body}}, density);
    ASSERT_TRUE(fluid.bodies()[1].has_others);
    const Motion<double> v = random.motion();
    expect_all_scalars(fluid.bodies()[1], v, viscous_force(body, v, density));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
