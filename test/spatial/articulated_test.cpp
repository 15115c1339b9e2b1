// Articulated inertia: dense algebra, elimination of joints, unit columns, the book's example.
// [RDA] §3.6, §6.3
#include <Eigen/Eigenvalues>
#include <limber/spatial/axis.hpp>

#include <utility>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using ABI = ArticulatedInertia<double>;

// calls f with Axis<0>, …, Axis<5>
template <class F>
void for_each_axis(F f) {
  [&]<int... K>(std::integer_sequence<int, K...>) { (f(Axis<K>{}), ...); }
  (std::make_integer_sequence<int, 6>{});
}

Motion<double> unit_motion(int k) {
  Motion<double> s;
  (k < 3 ? s.angular : s.linear)[k % 3] = 1;
  return s;
}

// K − K s (sᵀ K s)⁻¹ sᵀ K on dense matrices
Matrix6 eliminated(const Matrix6& K, const Vector6& s) {
  const Vector6 U = K * s;
  return K - U * U.transpose() / s.dot(U);
}
ABI without(ABI IA, const Motion<double>& s) {
  const Force<double> U = IA * s;
  eliminate(IA, U, U * (1 / dot(s, U)));
  return IA;
}

TEST(Articulated, MatchesDenseAlgebra) {
  Random random(70);
  for (int i = 0; i < draws; ++i) {
    const ABI a = random.articulated(), b = random.articulated();
    const Inertia<double> I = random.inertia();
    const Motion<double> v = random.motion();
    expect_near(dense(a * v), dense(a) * dense(v));
    expect_near(dense(a + b), dense(a) + dense(b));
    expect_near(dense(a + I), dense(a) + dense(I));  // [RDA] §8.3.1
    ABI c = a;
    c += b;
    expect_near(c, a + b);
    EXPECT_EQ(cast<float>(a).H.xy, static_cast<float>(a.H.xy));
  }
}

TEST(Articulated, EliminateMatchesDenseAlgebra) {
  Random random(71);
  for (int i = 0; i < draws; ++i) {
    const ABI a = random.articulated();
    const Motion<double> s = random.motion();
    const ABI left = without(a, s);
    expect_near(dense(left), eliminated(dense(a), dense(s)));
    expect_near(left * s, Force<double>{});  // nothing resists a motion along s
    EXPECT_GE(symmetric_eigenvalues(dense(left))(0), -1e-13);
  }
}

TEST(Articulated, TwoBodiesMoveAsTheirEquationsSay) {
  // f on body 1, joint s without drive, at rest: f = I1 a + I2 (a + s q̈), sᵀ I2 (a + s q̈) = 0
  Random random(72);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I1 = random.inertia(), I2 = random.inertia();
    const Motion<double> s = random.motion();
    const Vector6 f = dense(random.force());
    Eigen::Matrix<double, 7, 7> system;
    const Vector6 U = dense(I2) * dense(s);
    system << dense(I1) + dense(I2), U, U.transpose(), dense(s).dot(U);
    Eigen::Matrix<double, 7, 1> rhs;
    rhs << f, 0;
    const Vector6 a = system.partialPivLu().solve(rhs).head<6>();
    const ABI IA = without(ABI(I2), s) + I1;  // (6.17)
    expect_near(dense(IA) * a, f, 1e-10);
  }
}

TEST(Articulated, BoundedByTheHandleAndByTheWeldedBodies) {
  Random random(73);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I1 = random.inertia(), I2 = random.inertia();
    const ABI IA = without(ABI(I2), random.motion()) + I1;
    const Motion<double> x = random.motion();
    const double handle = dot(x, I1 * x), both = dot(x, IA * x), welded = dot(x, (I1 + I2) * x);
    EXPECT_LE(handle, both + 1e-12);
    EXPECT_LE(both, welded + 1e-12);
    const Matrix6 D = dense(IA);
    expect_near(D, D.transpose(), 1e-14);
    EXPECT_GT(symmetric_eigenvalues(D)(0), 0);
  }
}

// --- sphere with shaft, [RDA] fig. 3-2: both centres at the origin, shaft along y ------------

const double m1 = 2, m2 = 3;
const Inertia<double> sphere =
    Inertia<double>::from_com(m1, {}, Sym3<double>::diagonal(0.5, 0.5, 0.5));
const Inertia<double> shaft =
    Inertia<double>::from_com(m2, {}, Sym3<double>::diagonal(0.2, 0.05, 0.2));
Matrix3 diagonal(double x, double y, double z) { return Eigen::Vector3d(x, y, z).asDiagonal(); }

TEST(SphereWithShaft, CylindricJoint) {
  const ABI IA = without(without(ABI(shaft), unit_motion(1)), unit_motion(4)) + sphere;
  expect_near(dense(IA.M), diagonal(5, 2, 5), 1e-15);
  expect_near(dense(IA.I), diagonal(0.7, 0.5, 0.7), 1e-15);
  expect_near(dense(IA.H), Matrix3::Zero(), 1e-15);
  // a force along z moves both masses, along y the sphere only
  const Matrix6 inverse = dense_inverse(dense(IA));
  EXPECT_NEAR(inverse(5, 5), 1 / (m1 + m2), 1e-15);
  EXPECT_NEAR(inverse(4, 4), 1 / m1, 1e-15);
}

TEST(SphereWithShaft, ScrewJointLeavesNoCentreOfMass) {
  const Motion<double> s{{0, 1, 0}, {0, 0.3, 0}};
  const ABI IA = without(ABI(shaft), s) + sphere;
  EXPECT_NEAR(IA.M.yy, 2.46875, 1e-14);
  EXPECT_NEAR(IA.H.yy, -0.140625, 1e-14);
  EXPECT_NEAR(IA.I.yy, 0.5421875, 1e-14);
  Random random(74);
  for (int i = 0; i < draws; ++i) {
    const double pitch = random.uniform(), Iy = 0.05;
    const ABI A = without(ABI(shaft), {{0, 1, 0}, {0, pitch, 0}}) + sphere;
    const double d = Iy + pitch * pitch * m2;
    EXPECT_NEAR(A.M.yy, m1 + m2 * Iy / d, 1e-12);
    EXPECT_NEAR(A.H.yy, -m2 * pitch * Iy / d, 1e-12);
    EXPECT_NEAR(A.M.xx, m1 + m2, 1e-15);
    EXPECT_NEAR(A.I.zz, 0.7, 1e-15);
  }
}

// --- unit columns ----------------------------------------------------------------------------

TEST(Axis, IsTheUnitColumn) {
  Random random(75);
  for (int i = 0; i < draws; ++i)
    for_each_axis([&]<int K>(Axis<K> axis) {
      const Motion<double> s = to_motion<double>(axis), v = random.motion();
      const Force<double> f = random.force();
      const Inertia<double> I = random.inertia();
      const ABI A = random.articulated();
      const double x = random.uniform();
      expect_near(s, unit_motion(K));
      expect_near(dense(I * axis), dense(I).col(K));
      expect_near(dense(A * axis), dense(A).col(K));
      EXPECT_EQ(dot(axis, f), dense(f)(K));
      EXPECT_EQ(component<K>(v), dense(v)(K));
      Motion<double> moved = v;
      moved += axis * x;
      expect_near(moved, v + s * x, 1e-15);
    });
}

TEST(Axis, EliminateIsTheGeneralOneWithExactZeros) {
  Random random(76);
  for (int i = 0; i < draws; ++i)
    for_each_axis([&]<int K>(Axis<K> axis) {
      const ABI A = random.articulated();
      const Force<double> U = A * axis;
      const double per_d = 1 / dot(axis, U);
      const Force<double> Ud = scaled_without(axis, U, per_d);
      for (int k = 0; k < 6; ++k) EXPECT_EQ(dense(Ud)(k), k == K ? 0 : dense(U)(k) * per_d);
      ABI left = A;
      eliminate(left, axis, U, Ud);
      expect_near(dense(left), eliminated(dense(A), dense(unit_motion(K))));
      EXPECT_TRUE(dense(left).row(K).isZero(0));
      EXPECT_TRUE(dense(left).col(K).isZero(0));
      // a general column answers to the same names
      const Motion<double> s = unit_motion(K);
      ABI general = A;
      eliminate(general, s, U, scaled_without(s, U, per_d));
      expect_near(general, left);
    });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
