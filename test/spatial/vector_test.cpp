// Motions and forces: scalar product, vector products and accelerations, [RDA] ch. 2.
#include <limber/scalar/dual.hpp>
#include <limber/spatial/vector.hpp>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(SpatialVector, OperatorsActByComponent) {
  Random random(30);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> a = random.motion(), b = random.motion();
    const Force<double> f = random.force(), g = random.force();
    const double s = random.uniform();
    expect_near(dense(a + b), dense(a) + dense(b));
    expect_near(dense(a - b), dense(a) - dense(b));
    expect_near(dense(-a), -dense(a));
    expect_near(dense(a * s), dense(a) * s);
    expect_near(dense(f + g), dense(f) + dense(g));
    expect_near(dense(f - g), dense(f) - dense(g));
    expect_near(dense(-f), -dense(f));
    expect_near(dense(f * s), dense(f) * s);
    Motion<double> c = a;
    expect_near(c += b, a + b);
    expect_near(c -= b, a);
    EXPECT_EQ(cast<Dual>(a).linear.y.value, a.linear.y);
    EXPECT_EQ(cast<Dual>(f).angular.z.value, f.angular.z);
    // (3.17)
    EXPECT_NEAR(dot(a, f), dense(a).dot(dense(f)), 1e-14);
  }
}

TEST(SpatialVector, CrossMatchesMatrixForm) {
  Random random(31);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> v = random.motion(), m = random.motion();
    const Force<double> f = random.force();
    expect_near(dense(cross(v, m)), motion_cross_matrix(v) * dense(m));
    expect_near(dense(cross(v, f)), force_cross_matrix(v) * dense(f));
  }
}

TEST(SpatialVector, CrossProductIdentities) {
  // the six of (2.9)-(2.14) in spatial form; the spatial transpose pairs the two matrix forms
  Random random(32);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> a = random.motion(), b = random.motion(), c = random.motion();
    const Force<double> f = random.force();
    const double s = random.uniform();
    const Transform<double> X = random.transform();
    expect_near(cross(a * s, b), cross(a, b) * s);
    expect_near(cross(a + c, b), cross(a, b) + cross(c, b));
    expect_near(cross(a, b), -cross(b, a));
    expect_near(cross(a, a), Motion<double>{});
    expect_near(force_cross_matrix(a), -motion_cross_matrix(a).transpose());
    EXPECT_NEAR(dot(cross(a, b), f), -dot(b, cross(a, f)), 1e-13);
    expect_near(motion_cross_matrix(X * a),
                motion_matrix(X) * motion_cross_matrix(a) * dense_inverse(motion_matrix(X)));
    expect_near(force_cross_matrix(X * a),
                force_matrix(X) * force_cross_matrix(a) * dense_inverse(force_matrix(X)));
    expect_near(cross(X * a, X * b), X * cross(a, b));
    expect_near(cross(X * a, X * f), X * cross(a, f));
    const Matrix6 A = motion_cross_matrix(a), B = motion_cross_matrix(b);
    expect_near(motion_cross_matrix(cross(a, b)), A * B - B * A);
    expect_near(cross(cross(a, b), f), cross(a, cross(b, f)) - cross(b, cross(a, f)));
    expect_near(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)),
                Motion<double>{});
  }
}

TEST(Acceleration, SpatialAndClassicalAreInverse) {
  Random random(33);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> v = random.motion(), a = random.motion();
    expect_near(spatial_acceleration(classical_acceleration(a, v), v), a);
    expect_near(classical_acceleration(spatial_acceleration(a, v), v), a);
  }
}

TEST(Acceleration, SpatialFromMotionOfAnyBodyPoint) {
  // (2.29): with r, ṙ, r̈ of any body point, a = (ω̇, r̈ + ṙ × ω + r × ω̇)
  Random random(34);
  for (int i = 0; i < draws; ++i) {
    const Eigen::Vector3d r = dense(random.vec3()), rd = dense(random.vec3()),
                          rdd = dense(random.vec3());
    const Vec3<double> w = random.vec3(), wd = random.vec3();
    const Eigen::Vector3d W = dense(w), Wd = dense(wd);
    Vector6 expected;
    expected << Wd, rdd + rd.cross(W) + r.cross(Wd);
    // velocity and classical acceleration of the body point that is at the origin now
    const Eigen::Vector3d v0 = rd - W.cross(r);
    const Eigen::Vector3d a0 = rdd - Wd.cross(r) - W.cross(W.cross(r));
    const Motion<double> v{w, {v0.x(), v0.y(), v0.z()}};
    const Motion<double> classical{wd, {a0.x(), a0.y(), a0.z()}};
    expect_near(dense(spatial_acceleration(classical, v)), expected);
  }
}

TEST(Acceleration, SteadyTurnAboutFixedAxisHasNoSpatialAcceleration) {
  // [RDA] fig. 2-4: the axis lies off the origin, body points are accelerated all the same
  Random random(35);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> axis = random.direction(), point = random.vec3();
    const double speed = random.uniform(0.5, 3);
    // velocity as a function of time: the body's own screw axis carried along by its turn
    const Dual angle(random.angle(), speed);
    const Transform<Dual> to_axis = Transform<Dual>::translation(cast<Dual>(point));
    const Transform<Dual> X =
        to_axis * Transform<Dual>::rotation(rotation(cast<Dual>(axis), angle)) * inverse(to_axis);
    const Vec3<double> w = axis * speed;
    const Motion<double> velocity{w, cross(point, w)};
    const Motion<Dual> moved = X * cast<Dual>(velocity);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(moved.angular[k].derivative, 0, 1e-14);
      EXPECT_NEAR(moved.linear[k].derivative, 0, 1e-14);
    }
    // the body point at the origin runs round a circle: its acceleration points to the axis
    const Motion<double> classical = classical_acceleration(Motion<double>{}, velocity);
    const Vec3<double> radius = point - axis * dot(axis, point);
    expect_near(classical.linear, radius * (speed * speed));
    expect_near(spatial_acceleration(classical, velocity), Motion<double>{}, 1e-15);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
