// Transforms against dense 6×6 matrices, and derivatives in moving coordinates, [RDA] §2.5, §2.6,
// (3.5)-(3.7).
#include <limber/scalar/dual.hpp>
#include <limber/spatial/inverse_inertia.hpp>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Transform, MatchesDenseMatricesBothWays) {
  Random random(40);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform();
    const Matrix6 M = motion_matrix(X), F = force_matrix(X);
    const Motion<double> v = random.motion();
    const Force<double> f = random.force();
    const Inertia<double> I = random.inertia();
    const ArticulatedInertia<double> A = random.articulated();
    expect_near(dense(X * v), M * dense(v));
    expect_near(dense(X * f), F * dense(f));
    expect_near(dense(X * I), F * dense(I) * F.transpose());
    expect_near(dense(X * A), F * dense(A) * F.transpose());
    expect_near(dense(apply_inverse(X, v)), dense_inverse(M) * dense(v));
    expect_near(dense(apply_inverse(X, f)), dense_inverse(F) * dense(f));
    expect_near(dense(apply_inverse(X, I)),
                dense_inverse(F) * dense(I) * dense_inverse(F).transpose());
    expect_near(dense(apply_inverse(X, A)),
                dense_inverse(F) * dense(A) * dense_inverse(F).transpose());
  }
}

TEST(Transform, InverseIsSpatialTranspose) {
  Random random(41);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform();
    // X⁻¹ = Xˢ: the motion form inverts to the transposed force form
    expect_near(motion_matrix(inverse(X)), force_matrix(X).transpose());
    expect_near(motion_matrix(inverse(X)) * motion_matrix(X), Matrix6::Identity());
    expect_near(motion_matrix(inverse(inverse(X))), motion_matrix(X));
    // and is not the ordinary transpose when the origins differ
    EXPECT_GT((motion_matrix(inverse(X)) - motion_matrix(X).transpose()).norm(), 0.5 * norm(X.p));
  }
}

TEST(Transform, Composition) {
  Random random(42);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform(), Y = random.transform();
    expect_near(motion_matrix(X * Y), motion_matrix(X) * motion_matrix(Y));
    expect_near(motion_matrix(apply_inverse(X, Y)),
                dense_inverse(motion_matrix(X)) * motion_matrix(Y));
    const Vec3<double> r = random.vec3();
    expect_near(dense(transform_point(X, r)), dense(X.p) + dense(X.R) * dense(r));
    expect_near(transform_point(X * Y, r), transform_point(X, transform_point(Y, r)));
    EXPECT_EQ(cast<Dual>(X).p.z.value, X.p.z);
  }
  const Vec3<double> p = random.vec3();
  const Mat3<double> R = random.rotation();
  const Transform<double> both = Transform<double>::translation(p) * Transform<double>::rotation(R);
  expect_near(both.R, R);
  expect_near(both.p, p);
}

TEST(Transform, ScalarProductIsTheSameInEveryFrame) {
  Random random(43);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform();
    const Motion<double> v = random.motion();
    const Force<double> f = random.force();
    EXPECT_NEAR(dot(X * v, X * f), dot(v, f), 1e-13);
    EXPECT_NEAR(dot(apply_inverse(X, v), apply_inverse(X, f)), dot(v, f), 1e-13);
  }
}

TEST(Transform, InertiaActsTheSameInEveryFrame) {
  Random random(44);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform();
    const Motion<double> v = random.motion();
    const Inertia<double> I = random.inertia();
    const ArticulatedInertia<double> A = random.articulated();
    expect_near((X * I) * (X * v), X * (I * v));
    expect_near((X * A) * (X * v), X * (A * v));
    EXPECT_NEAR(twice_kinetic_energy(X * I, X * v), twice_kinetic_energy(I, v), 1e-12);
    expect_near(X * ArticulatedInertia<double>(I), ArticulatedInertia<double>(X * I));
    expect_near(apply_inverse(X, X * I), I);
    expect_near(apply_inverse(X, X * A), A);
  }
}

TEST(Transform, ShiftedIsTranslation) {
  Random random(45);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> p = random.vec3();
    const Matrix6 F = force_matrix(Transform<double>::translation(p));
    const Inertia<double> I = random.inertia();
    const ArticulatedInertia<double> A = random.articulated();
    expect_near(dense(shifted(I, p)), F * dense(I) * F.transpose());
    expect_near(dense(shifted(A, p)), F * dense(A) * F.transpose());
  }
}

// --- a frame that moves: X(t) with Ṙ = ω× R and ṗ --------------------------------------

struct MovingFrame {
  Transform<Dual> X;
  Motion<double> velocity;  // of the frame, in the fixed coordinates
};

Dual with_rate(double value, double rate) { return {value, rate}; }

MovingFrame moving_frame(Random& random) {
  const Transform<double> X = random.transform();
  const Vec3<double> w = random.vec3(), pd = random.vec3();
  const Matrix3 rate = skew3(dense(w)) * dense(X.R);
  const auto row = [&](int i) {
    return Vec3<Dual>{with_rate(X.R.row(i).x, rate(i, 0)), with_rate(X.R.row(i).y, rate(i, 1)),
                      with_rate(X.R.row(i).z, rate(i, 2))};
  };
  const Vec3<Dual> p{{X.p.x, pd.x}, {X.p.y, pd.y}, {X.p.z, pd.z}};
  const Eigen::Vector3d origin = dense(pd) - dense(w).cross(dense(X.p));
  return {{Mat3<Dual>::from_rows(row(0), row(1), row(2)), p},
          {w, {origin.x(), origin.y(), origin.z()}}};
}

Vec3<double> value(const Vec3<Dual>& v) { return {v.x.value, v.y.value, v.z.value}; }
Vec3<double> rate(const Vec3<Dual>& v) { return {v.x.derivative, v.y.derivative, v.z.derivative}; }
template <template <class> class V>
V<double> value(const V<Dual>& v) {
  return {value(v.angular), value(v.linear)};
}
template <template <class> class V>
V<double> rate(const V<Dual>& v) {
  return {rate(v.angular), rate(v.linear)};
}
template <template <class> class V>
V<Dual> with_rate(const V<double>& a, const V<double>& b) {
  const auto join = [](const Vec3<double>& x, const Vec3<double>& y) {
    return Vec3<Dual>{{x.x, y.x}, {x.y, y.y}, {x.z, y.z}};
  };
  return {join(a.angular, b.angular), join(a.linear, b.linear)};
}

TEST(MovingFrame, FixedVectorsOfTheFrameMoveWithCrossProduct) {
  // (2.25), (2.27)
  Random random(46);
  for (int i = 0; i < draws; ++i) {
    const MovingFrame frame = moving_frame(random);
    const Motion<Dual> m = frame.X * cast<Dual>(random.motion());
    const Force<Dual> f = frame.X * cast<Dual>(random.force());
    expect_near(rate(m), cross(frame.velocity, value(m)));
    expect_near(rate(f), cross(frame.velocity, value(f)));
  }
}

TEST(MovingFrame, DerivativeInMovingCoordinates) {
  // (2.26): d/dt a = d'/dt a + v × a
  Random random(47);
  for (int i = 0; i < draws; ++i) {
    const MovingFrame frame = moving_frame(random);
    const Motion<double> m = random.motion(), m_rate = random.motion();
    const Motion<Dual> absolute = frame.X * with_rate(m, m_rate);
    const Motion<Dual> carried = frame.X * cast<Dual>(m_rate);
    expect_near(rate(absolute), value(carried) + cross(frame.velocity, value(absolute)));
  }
}

TEST(MovingFrame, InertiaOfAMovingBody) {
  // (3.6), (3.7): dI/dt = v ×* I − I v×, for rigid, articulated and inverse inertias
  Random random(48);
  for (int i = 0; i < draws; ++i) {
    const MovingFrame frame = moving_frame(random);
    const Motion<double> v = frame.velocity, u = random.motion();
    const Force<double> f = random.force();
    const Inertia<Dual> I = frame.X * cast<Dual>(random.inertia());
    const ArticulatedInertia<Dual> A = frame.X * cast<Dual>(random.articulated());
    const InverseInertia<Dual> P = frame.X * cast<Dual>(inverse(random.articulated()));
    const auto fixed = cast<Dual>(u), along = cast<Dual>(cross(v, u));
    expect_near(rate(I * fixed), cross(v, value(I * fixed)) - value(I * along));
    expect_near(rate(A * fixed), cross(v, value(A * fixed)) - value(A * along));
    expect_near(rate(P * cast<Dual>(f)),
                cross(v, value(P * cast<Dual>(f))) - value(P * cast<Dual>(cross(v, f))), 1e-10);
  }
}

TEST(MovingFrame, EquationOfMotion) {
  // (3.10): d/dt (I v) = I a + v ×* I v
  Random random(49);
  for (int i = 0; i < draws; ++i) {
    const MovingFrame frame = moving_frame(random);
    const Motion<double> v = frame.velocity, a = random.motion();
    const Inertia<Dual> I = frame.X * cast<Dual>(random.inertia());
    const Force<Dual> momentum = I * with_rate(v, a);
    const Force<double> Ia = value(I * cast<Dual>(a));
    expect_near(rate(momentum), Ia + cross(v, value(momentum)));
  }
}

TEST(MovingFrame, FreeBodyKeepsItsMomentum) {
  // (3.9): with a = −I⁻¹ (v ×* I v) the momentum does not change
  Random random(50);
  for (int i = 0; i < draws; ++i) {
    const MovingFrame frame = moving_frame(random);
    const Inertia<double> body = random.inertia();
    const Inertia<Dual> I = frame.X * cast<Dual>(body);
    const Transform<double> X{{frame.X.R.xx.value, frame.X.R.xy.value, frame.X.R.xz.value,
                               frame.X.R.yx.value, frame.X.R.yy.value, frame.X.R.yz.value,
                               frame.X.R.zx.value, frame.X.R.zy.value, frame.X.R.zz.value},
                              value(frame.X.p)};
    const Inertia<double> now = X * body;
    const Motion<double> v = frame.velocity;
    const Motion<double> a = -solve(now, cross(v, now * v));
    expect_near(rate(I * with_rate(v, a)), Force<double>{}, 1e-11);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
