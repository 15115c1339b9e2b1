// Inverse inertias against dense inverses and the book's closed form, [RDA] §3.5, (3.12)-(3.14).
#include <Eigen/Eigenvalues>
#include <limber/spatial/inverse_inertia.hpp>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// condition numbers of the random inertias reach 1e4, hence the tolerance for inverses
const double inverse_tolerance = 1e-10;

TEST(InverseInertia, OfARigidBody) {
  Random random(110);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    const InverseInertia<double> P = inverse(I);
    const Force<double> f = random.force();
    expect_near(dense(P), dense_inverse(dense(I)), inverse_tolerance);
    expect_near(dense(P * f), dense(P) * dense(f));
    expect_near(P * f, solve(I, f), inverse_tolerance);
  }
}

TEST(InverseInertia, BookForm) {
  // (3.14) with c = OP: from (force, moment) to (angular, linear)
  Random random(111);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    const Matrix3 C = skew3(dense(I.com())), K = dense(I.rotational_about_com()).inverse();
    const Matrix6 book = blocks(-K * C, K, Matrix3::Identity() / I.m - C * K * C, C * K);
    const Force<double> f = random.force();
    Vector6 force_first;
    force_first << dense(f.linear), dense(f.angular);
    expect_near(dense(inverse(I) * f), book * force_first, inverse_tolerance);
  }
}

TEST(InverseInertia, OfAnArticulatedBodyAndBack) {
  Random random(112);
  for (int i = 0; i < draws; ++i) {
    const ArticulatedInertia<double> A = random.articulated();
    const InverseInertia<double> P = inverse(A);
    expect_near(dense(P) * dense(A), Matrix6::Identity(), inverse_tolerance);
    expect_near(inverse(P), A, inverse_tolerance);
    EXPECT_GT(symmetric_eigenvalues(dense(P))(0), 0);
  }
}

TEST(InverseInertia, TransformsBothWays) {
  Random random(113);
  for (int i = 0; i < draws; ++i) {
    const Transform<double> X = random.transform();
    const InverseInertia<double> P = inverse(random.inertia());
    const Matrix6 M = motion_matrix(X), B = dense_inverse(M);
    expect_near(dense(X * P), M * dense(P) * M.transpose());
    expect_near(dense(apply_inverse(X, P)), B * dense(P) * B.transpose());
    const Force<double> f = random.force();
    expect_near((X * P) * (X * f), X * (P * f));
  }
}

TEST(InverseInertia, HarmonicSumIsTheCompositeBody) {
  // (3.12)
  Random random(114);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> a = random.inertia(), b = random.inertia();
    const InverseInertia<double> composite = inverse(inverse(inverse(a)) + inverse(inverse(b)));
    expect_near(composite, inverse(a + b), inverse_tolerance);
  }
}

TEST(InverseInertia, SumsAndDyads) {
  Random random(115);
  for (int i = 0; i < draws; ++i) {
    const Motion<double> s = random.motion();
    const Force<double> f = random.force();
    const double k = random.uniform();
    expect_near(dense(dyad(s, k)), k * dense(s) * dense(s).transpose());
    expect_near(dense(dyad(f, k)), k * dense(f) * dense(f).transpose());
    const InverseInertia<double> a = dyad(s, k), b = inverse(random.inertia());
    expect_near(dense(a + b), dense(a) + dense(b));
    EXPECT_EQ(cast<float>(a).G.xy, static_cast<float>(a.G.xy));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
