// Lines, free vectors and screw decomposition, [RDA] §2.3.
#include <limber/scalar/dual.hpp>
#include <limber/spatial/line.hpp>

#include <limits>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const double infinity = std::numeric_limits<double>::infinity();

TEST(Line, TurnAboutALine) {
  // (2.2): points r of the line satisfy r × a = a_O, they do not move
  Random random(100);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> point = random.vec3(), w = random.vec3();
    const Motion<double> v = turn_about(point, w);
    const Vec3<double> other = point + w * random.uniform(-5, 5);
    expect_near(dense(other).cross(dense(w)), dense(v.linear));
    expect_near(velocity_at(v, other), Vec3<double>{});
    expect_near(turn_about(other, w), v);
    EXPECT_TRUE(is_line(v));
    // a point beside the line runs round it
    const Vec3<double> r = random.vec3();
    expect_near(dense(velocity_at(v, r)), dense(w).cross(dense(r) - dense(point)));
  }
}

TEST(Line, MotionFromAnyPoint) {
  // (2.1)
  Random random(101);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> v = random.motion();
    const Vec3<double> p = random.vec3(), q = random.vec3();
    expect_near(motion_at(p, v.angular, velocity_at(v, p)), v);
    expect_near(dense(velocity_at(v, q)),
                dense(velocity_at(v, p)) + (dense(p) - dense(q)).cross(dense(v.angular)));
    expect_near(velocity_at(slide_along(v.linear), p), v.linear);
  }
}

TEST(Line, ForcesActAlongLines) {
  Random random(102);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> point = random.vec3(), f = random.vec3(), about = random.vec3();
    const Force<double> F = force_at(point, f);
    expect_near(dense(F.angular), dense(point).cross(dense(f)));
    expect_near(force_at(point + f * random.uniform(-3, 3), f), F);  // sliding along the line
    expect_near(dense(moment_about(F, about)), (dense(point) - dense(about)).cross(dense(f)));
    expect_near(moment_about(couple(f), about), f);
    EXPECT_TRUE(is_line(F));
    // power of a force is force times velocity of its point
    const Motion<double> v = random.motion();
    EXPECT_NEAR(dot(v, F), dot(f, velocity_at(v, point)), 1e-13);
  }
}

TEST(Line, ShiftOfOriginIsTranslation) {
  // (2.3)
  Random random(103);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> p = random.vec3();
    const Transform<double> X = Transform<double>::translation(p);
    const Motion<double> v = random.motion();
    const Force<double> f = random.force();
    expect_near(dense(shifted(v, p)), motion_matrix(X) * dense(v));
    expect_near(dense(shifted(f, p)), force_matrix(X) * dense(f));
    expect_near(shifted(v, -p).linear, velocity_at(v, p));
    expect_near(shifted(f, -p).angular, moment_about(f, p));
  }
}

TEST(Line, LineTest) {
  Random random(104);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> point = random.vec3(), w = random.direction();
    EXPECT_TRUE(is_line(turn_about(point, w * 1e-200)));
    EXPECT_FALSE(is_line(screw_about(point, w, 0.1)));
    EXPECT_TRUE(is_line(screw_about(point, w, 1e-14), 1e-10));
    EXPECT_FALSE(is_line(force_at(point, w) + couple(w)));
  }
  EXPECT_TRUE(is_line(Motion<double>{{0, 0, 1}, {}}));
  EXPECT_FALSE(is_line(slide_along(Vec3<double>{1, 0, 0})));
  EXPECT_FALSE(is_line(couple(Vec3<double>{1, 0, 0})));
  EXPECT_FALSE(is_line(Motion<double>{}));
}

TEST(ScrewParts, RoundTrip) {
  Random random(105);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> v = random.motion();
    const Force<double> f = random.force();
    expect_near(motion_of(screw_parts(v)), v);
    expect_near(force_of(screw_parts(f)), f);
  }
}

TEST(ScrewParts, AreWhatTheScrewWasMadeOf) {
  Random random(106);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> direction = random.direction(), somewhere = random.vec3();
    const double size = random.uniform(0.1, 5), pitch = random.uniform(-2, 2);
    const ScrewParts parts = screw_parts(screw_about(somewhere, direction * size, pitch));
    EXPECT_EQ(parts.kind, ScrewKind::screw);
    EXPECT_NEAR(parts.magnitude, size, 1e-14);
    EXPECT_NEAR(parts.pitch, pitch, 1e-12);
    expect_near(parts.direction, direction);
    // the point nearest the origin: square to the axis, on the axis
    EXPECT_NEAR(dot(parts.point, direction), 0, 1e-13);
    expect_near(cross(parts.point - somewhere, direction), Vec3<double>{});
  }
}

TEST(ScrewParts, PitchAndAxisAreTheSameInEveryFrame) {
  Random random(107);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform();
    const Motion<double> v{random.direction(), random.vec3()};
    const Force<double> f{random.vec3(), random.direction()};
    const ScrewParts a = screw_parts(v), b = screw_parts(X * v);
    EXPECT_NEAR(a.pitch, b.pitch, 1e-12);
    EXPECT_NEAR(a.magnitude, b.magnitude, 1e-12);
    expect_near(b.direction, X.R * a.direction);
    const Vec3<double> on_axis = transform_point(X, a.point);
    expect_near(cross(on_axis - b.point, b.direction), Vec3<double>{});
    EXPECT_NEAR(screw_parts(f).pitch, screw_parts(X * f).pitch, 1e-12);
    // a wrench has moment = pitch × force about its axis
    const ScrewParts w = screw_parts(f);
    expect_near(moment_about(f, w.point), f.linear * w.pitch);
  }
}

TEST(ScrewParts, FreeVectorsHaveInfinitePitch) {
  Random random(108);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> b = random.vec3();
    for (const ScrewParts& parts : {screw_parts(slide_along(b)), screw_parts(couple(b))}) {
      EXPECT_EQ(parts.kind, ScrewKind::free);
      EXPECT_EQ(parts.pitch, infinity);
      EXPECT_NEAR(parts.magnitude, norm(b), 1e-15);
      expect_near(parts.point, Vec3<double>{}, 0);
    }
    expect_near(motion_of(screw_parts(slide_along(b))), slide_along(b));
    expect_near(force_of(screw_parts(couple(b))), couple(b));
  }
}

TEST(ScrewParts, ZeroVector) {
  const ScrewParts parts = screw_parts(Motion<double>{});
  EXPECT_EQ(parts.kind, ScrewKind::zero);
  EXPECT_EQ(parts.magnitude, 0);
  EXPECT_EQ(parts.pitch, 0);
  expect_near(motion_of(parts), Motion<double>{}, 0);
  expect_near(force_of(screw_parts(Force<double>{})), Force<double>{}, 0);
}

TEST(ScrewParts, ExtremeSizes) {
  Random random(109);
  const Vec3<double> u = random.direction(), b = random.vec3();
  // squares under- and overflow, the parts do not
  for (const double size : {1e-305, 1e-200, 1e200}) {
    const Motion<double> v{u * size, b * size};
    const ScrewParts parts = screw_parts(v);
    EXPECT_NEAR(parts.magnitude / size, 1, 1e-12);
    EXPECT_NEAR(parts.pitch, dot(u, b), 1e-12);
    expect_near(dense(motion_of(parts)) / size, dense(v) / size);
  }
  // a line part beyond reach counts as none
  const ScrewParts slide = screw_parts(Motion<double>{u * 1e-310, u * 1e10});
  EXPECT_EQ(slide.kind, ScrewKind::free);
  EXPECT_NEAR(slide.magnitude, 1e10, 1);
  // what was not a number stays visible
  EXPECT_TRUE(std::isnan(screw_parts(Motion<double>{{std::nan(""), 0, 0}, u}).magnitude));
}

TEST(Line, WorksWithDual) {
  const Vec3<Dual> point{{1, 1}, 0, 0}, axis{0, 0, 1};
  EXPECT_EQ(turn_about(point, axis).linear.y.value, -1);
  EXPECT_EQ(turn_about(point, axis).linear.y.derivative, -1);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
