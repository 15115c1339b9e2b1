// Vec3, Mat3 and Sym3 against plain dense algebra; the vector product identities [RDA]
// (2.9)-(2.14).
#include <Eigen/Eigenvalues>
#include <limber/math/sym3.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/spatial/transform.hpp>

#include <limits>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Vec3, OperatorsActByComponent) {
  Random random(10);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const double s = random.uniform(0.1, 1);
    expect_near(dense(a + b), dense(a) + dense(b));
    expect_near(dense(a - b), dense(a) - dense(b));
    expect_near(dense(-a), -dense(a));
    expect_near(dense(a * s), dense(a) * s);
    expect_near(dense(s * a), dense(a) * s);
    expect_near(dense(a / s), dense(a) / s);
    EXPECT_NEAR(dot(a, b), dense(a).dot(dense(b)), 1e-15);
    EXPECT_NEAR(norm(a), dense(a).norm(), 1e-15);
    expect_near(dense(cross(a, b)), dense(a).cross(dense(b)));
    Vec3<double> c = a;
    expect_near(c += b, a + b);
    expect_near(c -= b, a);
    expect_near(c *= s, a * s);
  }
}

TEST(Vec3, IndicesAreCyclicAndCastKeepsValues) {
  const Vec3<double> a{1, 2, 3};
  EXPECT_EQ(a.get<0>(), 1);
  EXPECT_EQ(a.get<4>(), 2);
  EXPECT_EQ(a.get<5>(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a[i], i + 1);
  Vec3<double> b;
  for (int i = 0; i < 3; ++i) b[i] = a[i];
  expect_near(a, b);
  EXPECT_EQ(cast<float>(a).y, 2.0f);
  EXPECT_EQ(cast<Dual>(a).z.value, 3);
}

TEST(Vec3, CrossProductIdentities) {
  Random random(11);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> a = random.vec3(), b = random.vec3(), c = random.vec3();
    const double s = random.uniform();
    const Mat3<double> E = random.rotation();
    // (2.9), (2.10) linear
    expect_near(cross(a * s, b), cross(a, b) * s);
    expect_near(cross(a + c, b), cross(a, b) + cross(c, b));
    expect_near(skew(a * s + b), skew(a) * s + skew(b));
    // (2.11), (2.12) antisymmetric matrix and product
    expect_near(transpose(skew(a)), -skew(a));
    expect_near(cross(a, b), -cross(b, a));
    expect_near(skew(a) * b, cross(a, b));
    // (2.13) a rotated cross matrix
    expect_near(skew(E * a), E * skew(a) * transpose(E));
    // (2.14) Jacobi
    expect_near(skew(cross(a, b)), skew(a) * skew(b) - skew(b) * skew(a));
    expect_near(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)),
                Vec3<double>{});
  }
}

TEST(Mat3, MatchesDenseAlgebra) {
  Random random(12);
  for (int i = 0; i < draws; ++i) {
    const Mat3<double> A = random.mat3(), B = random.mat3();
    const Vec3<double> v = random.vec3(), u = random.vec3();
    const double s = random.uniform();
    expect_near(dense(A * B), dense(A) * dense(B));
    expect_near(dense(A + B), dense(A) + dense(B));
    expect_near(dense(A - B), dense(A) - dense(B));
    expect_near(dense(-A), -dense(A));
    expect_near(dense(A * s), dense(A) * s);
    expect_near(dense(A * v), dense(A) * dense(v));
    expect_near(dense(transpose(A)), dense(A).transpose());
    expect_near(dense(transpose_times(A, v)), dense(A).transpose() * dense(v));
    expect_near(dense(outer(v, u)), dense(v) * dense(u).transpose());
    expect_near(dense(cross(v, A)), skew3(dense(v)) * dense(A));
    expect_near(vee2(skew(v)), v * 2.0);
    EXPECT_NEAR(determinant(A), dense(A).determinant(), 1e-14);
    Mat3<double> C = A;
    expect_near(C += B, A + B);
    expect_near(C -= B, A);
    for (int k = 0; k < 3; ++k) {
      expect_near(dense(A.row(k)), dense(A).row(k).transpose());
      expect_near(dense(A.column(k)), dense(A).col(k));
    }
    expect_near(Mat3<double>::from_rows(A.row(0), A.row(1), A.row(2)), A);
    expect_near(Mat3<double>::from_columns(A.column(0), A.column(1), A.column(2)), A);
    EXPECT_EQ((A.get<1, 5>()), A.yz);
    EXPECT_EQ((A.get<3, 4>()), A.xy);
    EXPECT_EQ(cast<Dual>(A).zy.value, A.zy);
  }
}

TEST(Mat3, RotationMatchesAngleAxis) {
  Random random(13);
  for (int i = 0; i < draws; ++i) {
    const Vec3<double> axis = random.direction();
    const double angle = random.uniform(-7, 7);
    const Matrix3 expected = Eigen::AngleAxisd(angle, dense(axis)).toRotationMatrix();
    expect_near(dense(rotation(axis, angle)), expected);
  }
}

TEST(Sym3, MatchesDenseAlgebra) {
  Random random(14);
  for (int i = 0; i < draws; ++i) {
    const Sym3<double> A = random.sym3(), B = random.sym3();
    const Mat3<double> N = random.mat3();
    const Vec3<double> v = random.vec3();
    const double s = random.uniform();
    expect_near(dense(A + B), dense(A) + dense(B));
    expect_near(dense(A - B), dense(A) - dense(B));
    expect_near(dense(-A), -dense(A));
    expect_near(dense(A * s), dense(A) * s);
    expect_near(dense(A * v), dense(A) * dense(v));
    expect_near(to_mat3(A), A);
    expect_near(dense(symmetric_part(N)), 0.5 * (dense(N) + dense(N).transpose()));
    expect_near(dense(square(v)), dense(v) * dense(v).transpose());
    EXPECT_NEAR(trace(A), dense(A).trace(), 1e-15);
    EXPECT_NEAR(determinant(A), dense(A).determinant(), 1e-14);
    expect_near(dense(congruence(N, A)), dense(N) * dense(A) * dense(N).transpose());
    Sym3<double> C = A;
    expect_near(C += B, A + B);
    expect_near(C -= B, A);
    EXPECT_EQ((A.get<3, 5>()), A.xz);
    EXPECT_EQ((A.get<2, 1>()), A.yz);
    EXPECT_EQ(cast<Dual>(A).xy.value, A.xy);
  }
  expect_near(Sym3<double>::identity(), Mat3<double>::identity());
  expect_near(dense(Sym3<double>::diagonal(1, 2, 3)),
              Eigen::Vector3d(1, 2, 3).asDiagonal().toDenseMatrix());
}

TEST(Sym3, Inverse) {
  Random random(15);
  for (int i = 0; i < draws; ++i) {
    // a positive definite matrix with condition below about 100
    const Sym3<double> A =
        congruence(random.mat3(), Sym3<double>::identity()) + Sym3<double>::diagonal(0.1, 0.1, 0.1);
    expect_near(dense(A) * dense(inverse(A)), Matrix3::Identity());
  }
}

TEST(Sym3, RotatedIsCongruenceWithRotation) {
  Random random(16);
  for (int i = 0; i < draws; ++i) {
    const Mat3<double> R = random.rotation();
    const Sym3<double> A = random.sym3();
    expect_near(dense(rotated(R, A)), dense(R) * dense(A) * dense(R).transpose());
    expect_near(rotated(R, A), congruence(R, A));
  }
}

TEST(Eigenvalues, MatchDenseSolver) {
  Random random(17);
  for (int i = 0; i < draws; ++i) {
    const Sym3<double> A = random.sym3();
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(dense(A), Eigen::EigenvaluesOnly);
    expect_near(dense(eigenvalues(A)), solver.eigenvalues(), 1e-14);
  }
}

TEST(Eigenvalues, OfKnownSpectraAtAllScales) {
  Random random(18);
  for (const double scale : {1e-300, 1e-8, 1.0, 1e8, 1e300})
    for (const Vec3<double> roots : {Vec3<double>{1, 1, 1},
                                     {0, 0, 1},
                                     {-1, 1, 1},
                                     {1, 1, 1 + 1e-9},
                                     {-2, 1e-12, 3},
                                     {0, 0, 0}}) {
      const Mat3<double> R = random.rotation();
      const Sym3<double> A = congruence(R, Sym3<double>::diagonal(roots.x, roots.y, roots.z));
      const Vec3<double> found = eigenvalues(A * scale);
      expect_near(dense(found) / scale, dense(roots), 1e-14);
    }
}

TEST(Eigenvalues, NotFiniteEntriesGiveNan) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Sym3<double> A = Sym3<double>::identity();
    A.xz = bad;
    const Vec3<double> roots = eigenvalues(A);
    EXPECT_TRUE(std::isnan(roots.x) && std::isnan(roots.y) && std::isnan(roots.z));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
