// Newton and Euler by the acceleration field, against sums over point masses and v ×* I v. [McM]
// app. B.1
#include <limber/spatial/acceleration_field.hpp>

#include <vector>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct Body {
  Inertia<double> I;
  std::vector<double> m;
  std::vector<Eigen::Vector3d> r;
};

Body random_body(Random& random) {
  Body body;
  for (int i = 0; i < 12; ++i) {
    const double m = random.uniform(0.1, 1);
    const Vec3<double> r = random.vec3();
    body.m.push_back(m);
    body.r.push_back(dense(r));
    body.I.m += m;
    body.I.h.x += m * r.x, body.I.h.y += m * r.y, body.I.h.z += m * r.z;
    body.I.J.xx += m * r.x * r.x, body.I.J.yy += m * r.y * r.y, body.I.J.zz += m * r.z * r.z;
    body.I.J.xy += m * r.x * r.y, body.I.J.xz += m * r.x * r.z, body.I.J.yz += m * r.y * r.z;
  }
  return body;
}

// Σ m a and Σ r × m a with a = A + ω̇ × r + ω × (ω × r)
Vector6 summed(const Body& body, const Vec3<double>& A, const Vec3<double>& w,
               const Vec3<double>& wd) {
  Vector6 sum = Vector6::Zero();
  for (std::size_t i = 0; i < body.m.size(); ++i) {
    const Eigen::Vector3d& r = body.r[i];
    const Eigen::Vector3d W = dense(w);
    const Eigen::Vector3d a = dense(A) + dense(wd).cross(r) + W.cross(W.cross(r));
    sum.head<3>() += body.m[i] * r.cross(a);
    sum.tail<3>() += body.m[i] * a;
  }
  return sum;
}

TEST(AccelerationField, GradientIsThatOfARigidBody) {
  Random random(90);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> w = random.vec3(), wd = random.vec3();
    const Matrix3 W = skew3(dense(w)), Wd = skew3(dense(wd));
    expect_near(dense(acceleration_gradient(w, wd)), Wd + W * W);
    expect_near(dense(centripetal_gradient(w)), W * W);
  }
}

TEST(AccelerationField, ForceOfPointMasses) {
  Random random(91);
  for (int i = 0; i < draws; ++i) {
    const Body body = random_body(random);
    const Vec3<double> A = random.vec3(), w = random.vec3(), wd = random.vec3();
    expect_near(dense(inertial_force(body.I, A, acceleration_gradient(w, wd))),
                summed(body, A, w, wd));
    expect_near(dense(centrifugal_force(body.I, centripetal_gradient(w))), summed(body, {}, w, {}));
  }
}

TEST(AccelerationField, ForceOfTheSpatialEquationOfMotion) {
  // (3.10) with the spatial acceleration, the field with the classical one
  Random random(92);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    const Motion<double> v = random.motion(), a = random.motion();
    const Motion<double> classical = classical_acceleration(a, v);
    const Mat3<double> O = acceleration_gradient(v.angular, a.angular);
    expect_near(inertial_force(I, classical.linear, O), I * a + cross(v, I * v));
    // the bias force of a turn about the origin
    const Motion<double> turn{v.angular, {}};
    expect_near(centrifugal_force(I, centripetal_gradient(v.angular)), cross(turn, I * turn));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
