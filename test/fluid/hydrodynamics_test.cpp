// Drag, lift and damping of one link: closed forms, fine quadrature, power.
#include <limber/fluid/hydrodynamics.hpp>

#include <numbers>

#include "support/meshes.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

double apart(const Force<double>& a, const Force<double>& b) {
  return norm(a.angular - b.angular) + norm(a.linear - b.linear);
}

// a sum of so many strips that its error does not count; no shared code
Force<double> fine_strips(const CylinderDrag& c, const Motion<double>& v, double density) {
  constexpr int n = 200000;
  const Vec3<double> step = (c.end - c.start) * (1.0 / n);
  const double dl = norm(step);
  const Vec3<double> axis = step / dl;
  Force<double> sum;
  for (int k = 0; k < n; ++k) {
    const Vec3<double> r = c.start + step * (k + 0.5);
    Vec3<double> w = v.linear + cross(v.angular, r);
    w -= axis * dot(w, axis);
    const Vec3<double> f = w * (-0.5 * density * c.coefficient * 2 * c.radius * dl * norm(w));
    sum += Force<double>{cross(r, f), f};
  }
  const double along = dot(axis, v.linear + cross(v.angular, c.start));
  const Vec3<double> f = axis * (-0.5 * density * c.end_coefficient * pi * c.radius * c.radius *
                                 std::abs(along) * along);
  sum += Force<double>{cross(c.start, f), f};
  return sum;
}

TEST(CylinderDrag, IsTheSumOfManyStrips) {
  Random random(1);
  for (int k = 0; k < 10; ++k) {
    CylinderDrag c{random.vec3(), random.vec3(), 0.1, 1.1, 0.8};
    c.rule = StripRule::adaptive;
    const Motion<double> v = random.motion();
    const Force<double> exact = fine_strips(c, v, 1000);
    EXPECT_LT(apart(drag_force(c, v, 1000), exact), 1e-7 * norm(exact.linear)) << k;
    c.rule = StripRule::four_points;
    EXPECT_LT(apart(drag_force(c, v, 1000), exact), 5e-2 * norm(exact.linear)) << k;
  }
}

// ∫ |v| v ds by many points of the midpoint rule has an error of its own; where the flow across
// turns exactly round, v = ω (s − a), it is a polynomial on each side
TEST(CylinderDrag, FlowThatTurnsRoundAnywhere) {
  for (const double at : {-2.9, -3.1, -0.2, 0.0, 0.3, 0.5, 1.0, 1.7, 3.9, 4.1}) {
    CylinderDrag c{{0, 0, 0}, {2, 0, 0}, 0.05, 1.2, 0};
    c.rule = StripRule::adaptive;
    const double turn = 2 * at, omega = 1.5;
    const Force<double> f = drag_force(c, {{0, 0, omega}, {0, -omega * turn, 0}}, 1000);
    const auto cube = [&](double s) { return std::abs(s - turn) * (s - turn) * (s - turn) / 3; };
    const auto fourth = [&](double s) { return std::abs(s - turn) * std::pow(s - turn, 3) / 4; };
    const double strip = -1000 * 1.2 * 0.05 * omega * omega, plain = strip * (cube(2) - cube(0)),
                 moment = strip * (fourth(2) - fourth(0)) + turn * plain;
    const double size = std::abs(strip) * std::pow(2 + std::abs(turn), 3);
    EXPECT_NEAR(f.linear.y, plain, 1e-9 * size) << at;
    EXPECT_NEAR(f.angular.z, moment, 1e-9 * size * (2 + std::abs(turn))) << at;
  }
}

// flow that turns round in the middle: four points are off by 1 %, the adaptive rule is not
TEST(CylinderDrag, FlowThatTurnsRound) {
  CylinderDrag c{{0, 0, 0}, {1, 0, 0}, 0.05};
  for (const double sideways : {0.0, 1e-6, 1e-3, 0.03}) {
    const Motion<double> v{{0, 0, 1}, {0, -0.5, sideways}};
    c.rule = StripRule::adaptive;
    const Force<double> exact = fine_strips(c, v, 1000);
    EXPECT_LT(apart(drag_force(c, v, 1000), exact), 1e-7 * norm(exact.angular)) << sideways;
    c.rule = StripRule::four_points;
    const double error = apart(drag_force(c, v, 1000), exact) / norm(exact.angular);
    EXPECT_LT(error, 0.02);
    if (sideways == 0) {
      EXPECT_GT(error, 0.005);
    }
  }
  // pure turning about one end: −ρ C_D r ω² l⁴/4 exactly
  c.rule = StripRule::four_points;
  EXPECT_NEAR(drag_force(c, {{0, 0, 2}, {}}, 1000).angular.z, -1000 * 0.05 * 4 / 4.0, 1e-12);
  // caps and skin, along the axis
  c.skin_coefficient = 0.004;
  EXPECT_NEAR(drag_force(c, {{}, {-3, 0, 0}}, 1000).linear.x,
              0.5 * 1000 * 9 * (pi * 0.0025 + 0.004 * 2 * pi * 0.05), 1e-10);
}

// projected area of an ellipsoid along u: π √((b²c²u_x)² + …)/√((bc u_x)² + …), here as the length
// of the vector (b c u_x, a c u_y, a b u_z)
TEST(SurfaceDrag, OfAnEllipsoidIsThatOfItsProjectedArea) {
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::ellipsoid;
  shape.size = {3, 2, 1};
  Random random(2);
  double last = 1;
  for (const int around : {16, 32, 64}) {
    const SurfaceDrag drag{patches_of(surface_of(shape, around), 1), 0.7};
    double worst = 0;
    for (int k = 0; k < 5; ++k) {
      const Vec3<double> u = random.direction();
      const double area = pi * norm(Vec3<double>{2 * u.x, 3 * u.y, 6 * u.z});
      const Force<double> f = drag_force(drag, {{}, u * 2.0}, 1000);
      const Vec3<double> expected = u * (-0.5 * 1000 * 0.7 * 4 * area);
      worst = std::max(worst, norm(f.linear - expected) / norm(expected));
    }
    EXPECT_LT(worst, 0.6 * last);
    last = worst;
  }
  EXPECT_LT(last, 0.01);
}

TEST(SurfaceDrag, OfABox) {
  ShapeSpec shape;
  shape.size = {1, 2, 3};
  const SurfaceDrag drag{patches_of(surface_of(shape), 3000), 1.2};
  EXPECT_LT(apart(drag_force(drag, {{}, {2, 0, 0}}, 1000), {{}, {-0.6 * 1000 * 4 * 6, 0, 0}}),
            1e-8);
  // turning about z: on the side x = ½ the flux is ω y for y > 0, the speed √(¼ + y²) …; here by a
  // sum over the four sides: v = ω × r, df = −½ρC (v·n) v
  double moment = 0;
  const int n = 2000;
  for (int k = 0; k < n; ++k) {
    const double s = (k + 0.5) / n;
    moment += 2 * 3 * 1.0 / n * (s * (s * s + 0.25));  // sides x = ±½, where −n·v > 0 half
    moment += 2 * 3 * 0.5 / n * (0.5 * s * (0.25 * s * s + 1));  // sides y = ±1
  }
  const double found = drag_force(drag, {{0, 0, 1.5}, {}}, 1000).angular.z;
  EXPECT_NEAR(found / (-0.5 * 1000 * 1.2 * 1.5 * 1.5 * moment), 1, 5e-3);
}

// a turning sphere has skin friction alone; the flat patches push a little
TEST(SurfaceDrag, SkinOfATurningSphere) {
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::sphere;
  shape.size = {0.5, 0, 0};
  SurfaceDrag drag{patches_of(surface_of(shape, 48), 1), 0, 0.01};
  double rings = 0;
  const int n = 10000;
  for (int k = 0; k < n; ++k) {  // ½ρC_f (ω ρ)² ρ 2πρ r dθ
    const double ring = 0.5 * std::sin(pi * (k + 0.5) / n);
    rings += 0.5 * 1000 * 0.01 * 4 * ring * ring * ring * 2 * pi * ring * 0.5 * pi / n;
  }
  EXPECT_NEAR(drag_force(drag, {{0, 0, 2}, {}}, 1000).angular.z / -rings, 1, 0.02);
  drag.coefficient = 1, drag.skin_coefficient = 0;
  EXPECT_LT(std::abs(drag_force(drag, {{0, 0, 2}, {}}, 1000).angular.z), 0.02 * 100 * rings);
}

TEST(Drag, TakesPowerFromEveryMotion) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    Hydrodynamics body;
    body.cylinders.push_back({random.vec3(), random.vec3(), 0.1, 1, 1, 0.01});
    body.surfaces.push_back({patches_of(ellipsoid({1, 2, 3}, 4, 6), 1), 1, 0.01});
    const Motion<double> v = random.motion();
    EXPECT_LT(dot(v, viscous_force(body, v, 1000)), 0);
  }
}

TEST(Lift, HasNoPowerAndTheSlopeOfTheFoil) {
  Random random(4);
  const LiftingSurface foil{{1, 2, 3}, {0, 1, 0}, {1, 0, 0}, 0.2, 5};
  for (int k = 0; k < 20; ++k) {
    const Motion<double> v = random.motion();
    EXPECT_NEAR(dot(v, lift_force(foil, v, 1000)), 0, 1e-10);
  }
  // small angle of attack: along the chord with 2 m/s, sinking against the normal
  const double alpha = 1e-3;
  const Force<double> f =
      lift_force(foil, {{}, {-2 * std::sin(alpha), 2 * std::cos(alpha), 0}}, 1000);
  EXPECT_NEAR(f.linear.x, 0.5 * 1000 * 0.2 * 4 * 5 * alpha, 1e-5);
  EXPECT_NEAR(f.angular.z, -2 * f.linear.x + f.linear.y, 1e-12);
  // backwards the flow still pushes the foil up
  EXPECT_GT(lift_force(foil, {{}, {-0.1, -2, 0}}, 1000).linear.x, 0);
  EXPECT_EQ(norm(lift_force(foil, {}, 1000).linear), 0);
  LiftingSurface flat = foil;
  flat.slope = 0, flat.drag_coefficient = 0.02;
  EXPECT_NEAR(lift_force(flat, {{}, {0, 2, 7}}, 1000).linear.y, -0.5 * 1000 * 0.2 * 0.02 * 4,
              1e-12);
}

TEST(Damping, IsFossensForm) {
  Hydrodynamics body;
  body.linear_damping[0][0] = 3, body.linear_damping[1][5] = 0.5;
  body.quadratic_damping[2][2] = 7, body.quadratic_damping[4][0] = 2;
  const Motion<double> v{{0.1, 0.2, -0.3}, {-2, 1, -1.5}};
  const Force<double> f = damping_force(body, v);
  EXPECT_LT(norm(f.linear - Vec3<double>{6, 0.15, 7 * 1.5 * 1.5}), 1e-14);
  EXPECT_LT(norm(f.angular - Vec3<double>{0, 8, 0}), 1e-14);
}

// a frame at (0, 0, 2) whose x is the link's y and whose y is the link's −x
TEST(Damping, MayHaveAFrameOfItsOwn) {
  Hydrodynamics body;
  body.quadratic_damping[0][0] = 5, body.linear_damping[1][1] = 3;
  body.linear_damping[5][5] = 4;
  body.damping_frame = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 2}};
  const Motion<double> v{{0.5, -0.25, 2}, {1, -3, 7}};
  // its origin moves with (1, −3, 7) + ω × (0, 0, 2) = (0.5, −4, 7)
  const Force<double> f = damping_force(body, v);
  const Vec3<double> force{-3 * 0.5, 5 * 16, 0};
  EXPECT_LT(norm(f.linear - force), 1e-13);
  EXPECT_LT(norm(f.angular - (cross(Vec3<double>{0, 0, 2}, force) + Vec3<double>{0, 0, -8})),
            1e-12);
}

TEST(Shape, GivesAllCoefficients) {
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::capsule;
  shape.size = {0.1, 1, 0};
  shape.placement.p = {0, 0, 2};
  const Hydrodynamics body = hydrodynamics_of(shape, 1000, 0.9);
  EXPECT_NEAR(body.displacement.volume, pi * 0.01 * (1 + 0.4 / 3), 1e-14);
  EXPECT_EQ(body.displacement.center.z, 2);
  EXPECT_GT(body.added_mass.M.xx, 1000 * pi * 0.01);
  EXPECT_GT(body.added_mass.I.xx, 4 * 1000 * pi * 0.01);
  // across the flow the drag is that of the projected area
  EXPECT_NEAR(viscous_force(body, {{}, {1, 0, 0}}, 1000).linear.x,
              -0.5 * 1000 * 0.9 * (0.2 * 1 + pi * 0.01), 1e-10);
  EXPECT_TRUE(check_hydrodynamics(body, "hull").empty());
  const Hydrodynamics mesh = hydrodynamics_of(ellipsoid({0.3, 0.2, 0.1}, 10, 12), 1000);
  EXPECT_NEAR(mesh.displacement.volume, 8 * pi * 1e-3, 2e-3);
  EXPECT_GT(mesh.surfaces.at(0).patches.size(), 20U);
  EXPECT_TRUE(check_hydrodynamics(mesh, "hull").empty());
}

TEST(Checks, NameTheLinkAndWhatIsWrong) {
  const auto refusal = [](auto&& spoil) {
    Hydrodynamics body;
    spoil(body);
    return message_of([&] { check_hydrodynamics(body, "fin"); });
  };
  EXPECT_TRUE(mentions(refusal([](auto& b) { b.displacement.volume = -1; }),
                       {"'fin'", "volume", "-1", "not be negative"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) {
                         b.cylinders.push_back({{}, {1, 0, 0}, 0});
                       }),
                       {"'fin'", "radius of a cylinder", "positive"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) {
                         b.cylinders.push_back({{}, {}, 1});
                       }),
                       {"length of a cylinder"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) {
                         b.foils.push_back({{}, {1, 1, 0}});
                       }),
                       {"chord", "unit vector"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) {
                         b.foils.push_back({{}, {0, 0, 1}});
                       }),
                       {"not perpendicular"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) { b.linear_damping[1][1] = NAN; }), {"damping", "nan"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) { b.damping_frame.p.x = NAN; }), {"frame", "nan"}));
  EXPECT_TRUE(mentions(refusal([](auto& b) {
                         b.hull = box({0, 0, 0}, {1, 1, 1});
                         b.hull.triangles.pop_back();
                       }),
                       {"hull", "not closed"}));
  Hydrodynamics body;
  body.added_mass.M.xx = -2;
  body.linear_damping[0][0] = -3;
  body.quadratic_damping[2][2] = -4;
  const auto warnings = check_hydrodynamics(body, "fin");
  EXPECT_EQ(warnings.size(), 3U);
  EXPECT_TRUE(mentions(warnings, {"negative eigenvalue -2"}));
  EXPECT_TRUE(mentions(warnings, {"linear damping", "derivatives"}));
  EXPECT_TRUE(mentions(warnings, {"quadratic damping", "row 3"}));
}

TEST(Vortices, HaveTheirStrouhalNumber) {
  const CylinderDrag c{{}, {2, 0, 0}, 0.05};
  const VortexShedding s = vortex_shedding(c, 0.5, 1000, 1e-6);
  EXPECT_NEAR(s.reynolds, 5e4, 1e-6);
  EXPECT_NEAR(s.frequency, 0.212 * 0.5 / 0.1, 1e-3);
  EXPECT_NEAR(s.force, 0.5 * 1000 * 0.5 * 0.25 * 0.1 * 2, 1e-12);
  EXPECT_EQ(vortex_shedding(c, 4e-4, 1000, 1e-6).frequency, 0);  // Re 40
  EXPECT_EQ(vortex_shedding(c, 5, 1000, 1e-6).frequency, 0);     // drag crisis
  EXPECT_TRUE(mentions(resonance_warning(s, 1.2, "arm"), {"'arm'", "1.06 Hz", "1.2 Hz"}));
  EXPECT_EQ(resonance_warning(s, 2, "arm"), "");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
