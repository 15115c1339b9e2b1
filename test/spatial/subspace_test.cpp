// Subspaces of motions and forces, [RDA] §3.10.
#include <Eigen/QR>
#include <limber/error.hpp>
#include <limber/spatial/subspace.hpp>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

template <class V>
V random_vector(Random& random) {
  return {random.vec3(), random.vec3()};
}
// r columns in general position
template <class V>
Basis<V> random_basis(Random& random, int r) {
  Basis<V> S;
  for (int i = 0; i < r; ++i) S.add(random_vector<V>(random));
  return S;
}
template <class V>
Eigen::MatrixXd matrix(const Basis<V>& S) {
  Eigen::MatrixXd D(6, S.size());
  for (int i = 0; i < S.size(); ++i) D.col(i) = dense(S[i]);
  return D;
}
Eigen::VectorXd vector(const Coordinates& x, int r) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), r);
}
Eigen::Index rank(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  qr.setThreshold(1e-9);
  return qr.rank();
}
void expect_zero(const Eigen::MatrixXd& A, double tolerance = 1e-12) {
  EXPECT_LE(A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0, tolerance);
}

template <class V>
class Subspace : public testing::Test {};
using Kinds = testing::Types<Motion<double>, Force<double>>;
TYPED_TEST_SUITE(Subspace, Kinds);

TYPED_TEST(Subspace, ProductsAreThoseOfTheMatrix) {
  Random random(120);
  for (int r = 0; r <= 6; ++r) {
    const Basis<TypeParam> S = random_basis<TypeParam>(random, r);
    const auto other = random_vector<Opposite<TypeParam>>(random);
    const Coordinates x{1, -2, 3, -4, 5, -6};
    EXPECT_EQ(S.size(), r);
    const Vector6 expected = matrix(S) * vector(x, r);
    expect_near(dense(S * x), expected);
    expect_zero(vector(transpose_times(S, other), r) - matrix(S).transpose() * dense(other));
  }
}

TYPED_TEST(Subspace, OrthogonalComplement) {
  // (3.25)
  Random random(121);
  for (int r = 0; r <= 6; ++r)
    for (int i = 0; i < draws / 3; ++i) {
      const Basis<TypeParam> S = random_basis<TypeParam>(random, r);
      const auto T = orthogonal_complement(S);
      ASSERT_TRUE(T);
      EXPECT_EQ(T->size(), 6 - r);
      expect_zero(matrix(S).transpose() * matrix(*T));
      EXPECT_EQ(rank(matrix(*T)), 6 - r);
      // the complement of the complement is the same subspace again
      const auto back = orthogonal_complement(*T);
      ASSERT_TRUE(back);
      Eigen::MatrixXd both(6, 2 * r);
      both << matrix(S), matrix(*back);
      EXPECT_EQ(rank(both), r);
    }
}

TYPED_TEST(Subspace, ComplementDoesNotAskForScale) {
  Random random(122);
  for (int i = 0; i < draws; ++i) {
    Basis<TypeParam> S;
    for (int k = 0; k < 3; ++k)
      S.add(random_vector<TypeParam>(random) * std::pow(10.0, random.uniform(-12, 12)));
    const auto T = orthogonal_complement(S);
    ASSERT_TRUE(T);
    for (const auto& s : S) {
      const Eigen::VectorXd products = matrix(*T).transpose() * dense(s) / dense(s).norm();
      expect_zero(products);
    }
  }
}

TYPED_TEST(Subspace, DependentColumnsAreRefused) {
  Random random(123);
  for (int i = 0; i < draws; ++i) {
    const auto a = random_vector<TypeParam>(random), b = random_vector<TypeParam>(random);
    const TypeParam dependent = a * random.uniform() + b * random.uniform();
    EXPECT_FALSE(orthogonal_complement(Basis<TypeParam>{a, b, dependent}));
    EXPECT_FALSE(orthogonal_complement(Basis<TypeParam>{a, a * 1e-6}));
    // nearly dependent is a matter of the tolerance
    const Basis<TypeParam> nearly{a, a + b * 1e-8};
    EXPECT_TRUE(orthogonal_complement(nearly));
    EXPECT_FALSE(orthogonal_complement(nearly, 1e-6));
  }
  EXPECT_FALSE(orthogonal_complement(Basis<TypeParam>{TypeParam{}}));
  EXPECT_FALSE(orthogonal_complement(Basis<TypeParam>{TypeParam{{std::nan(""), 0, 0}, {}}}));
}

TYPED_TEST(Subspace, AtMostSixColumns) {
  Random random(124);
  Basis<TypeParam> S = random_basis<TypeParam>(random, 6);
  EXPECT_THROW(S.add(TypeParam{}), Error);
  EXPECT_EQ(S.size(), 6);
}

TYPED_TEST(Subspace, Resolve) {
  // (3.27): a = S α + T⊥ β
  Random random(125);
  for (int r = 0; r <= 6; ++r)
    for (int i = 0; i < draws / 3; ++i) {
      const Basis<TypeParam> S = random_basis<TypeParam>(random, r);
      const auto T = random_basis<Opposite<TypeParam>>(random, r);
      if (r > 0) {
        // draws that are nearly singular say nothing about accuracy
        const Eigen::MatrixXd TtS = matrix(T).transpose() * matrix(S);
        if (TtS.jacobiSvd().singularValues().minCoeff() < 1e-2) continue;
      }
      const auto a = random_vector<TypeParam>(random);
      const auto parts = resolve(a, S, T);
      ASSERT_TRUE(parts);
      expect_near(parts->within, S * parts->alpha);
      expect_near(parts->within + parts->rest, a, 1e-11);
      expect_zero(matrix(T).transpose() * dense(parts->rest), 1e-10);
      // β comes from the complements in the same way
      const auto T_perp = orthogonal_complement(T);
      const auto S_perp = orthogonal_complement(S);
      ASSERT_TRUE(T_perp && S_perp);
      const auto other = resolve(a, *T_perp, *S_perp);
      ASSERT_TRUE(other);
      expect_near(other->within, parts->rest, 1e-9);
    }
}

TYPED_TEST(Subspace, ResolveAlongOneColumn) {
  // (3.26): α = tᵀ a / tᵀ s
  Random random(126);
  for (int i = 0; i < draws; ++i) {
    const auto s = random_vector<TypeParam>(random), a = random_vector<TypeParam>(random);
    const auto t = random_vector<Opposite<TypeParam>>(random);
    const double ts = dense(t).dot(dense(s));
    if (std::abs(ts) < 1e-2) continue;
    const auto parts = resolve(a, Basis<TypeParam>{s}, Basis<Opposite<TypeParam>>{t});
    ASSERT_TRUE(parts);
    EXPECT_NEAR(parts->alpha[0], dense(t).dot(dense(a)) / ts, 1e-11);
  }
}

TYPED_TEST(Subspace, ResolveReportsSingularCases) {
  Random random(127);
  for (int r = 1; r <= 5; ++r) {
    const Basis<TypeParam> S = random_basis<TypeParam>(random, r);
    const auto T = orthogonal_complement(S);
    ASSERT_TRUE(T);
    const auto a = random_vector<TypeParam>(random);
    // one column of T orthogonal to all of S
    Basis<Opposite<TypeParam>> bad{(*T)[0]};
    for (int k = 1; k < r; ++k) bad.add(random_vector<Opposite<TypeParam>>(random));
    EXPECT_FALSE(resolve(a, S, bad));
    // sizes that do not fit
    EXPECT_FALSE(resolve(a, S, random_basis<Opposite<TypeParam>>(random, r + 1)));
    // zero and NaN columns
    Basis<Opposite<TypeParam>> zero{Opposite<TypeParam>{}};
    EXPECT_FALSE(resolve(a, Basis<TypeParam>{S[0]}, zero));
    Basis<TypeParam> nan{TypeParam{{std::nan(""), 0, 0}, {}}};
    EXPECT_FALSE(resolve(a, nan, Basis<Opposite<TypeParam>>{(*T)[0]}));
  }
}

TYPED_TEST(Subspace, ReciprocalBasis) {
  // (3.28), (3.29)
  Random random(128);
  for (int i = 0; i < draws; ++i) {
    const Basis<TypeParam> E = random_basis<TypeParam>(random, 6);
    if (matrix(E).jacobiSvd().singularValues().minCoeff() < 1e-2) continue;
    const auto F = reciprocal_basis(E);
    ASSERT_TRUE(F);
    expect_near(matrix(E).transpose() * matrix(*F), Matrix6::Identity(), 1e-11);
    const auto a = random_vector<TypeParam>(random);
    expect_near(E * transpose_times(*F, a), a, 1e-11);
  }
  EXPECT_FALSE(reciprocal_basis(random_basis<TypeParam>(random, 5)));
  const auto a = random_vector<TypeParam>(random);
  Basis<TypeParam> dependent = random_basis<TypeParam>(random, 4);
  dependent.add(a);
  dependent.add(a * -2.0);
  EXPECT_FALSE(reciprocal_basis(dependent));
}

// --- with an inertia -------------------------------------------------------------------------

TEST(InertiaOrthogonalBasis, SpansTheSameSubspace) {
  Random random(129);
  for (int r = 0; r <= 6; ++r)
    for (int i = 0; i < draws / 3; ++i) {
      const ArticulatedInertia<double> I = random.articulated();
      const MotionBasis S = random_basis<Motion<double>>(random, r);
      const auto B = inertia_orthogonal_basis(S, I);
      ASSERT_TRUE(B);
      ASSERT_EQ(B->size(), r);
      const Eigen::MatrixXd products = matrix(*B).transpose() * dense(I) * matrix(*B);
      const Eigen::MatrixXd diagonal = products.diagonal().asDiagonal();
      expect_zero(products - diagonal);
      Eigen::MatrixXd both(6, 2 * r);
      both << matrix(S), matrix(*B);
      EXPECT_EQ(rank(both), rank(matrix(S)));
    }
}

TEST(InertiaOrthogonalBasis, RefusesDependentColumnsAndMotionsWithoutInertia) {
  Random random(130);
  const ArticulatedInertia<double> I = random.articulated();
  const Motion<double> a = random.motion(), b = random.motion();
  EXPECT_FALSE(inertia_orthogonal_basis({a, b, a * 0.5 - b}, I));
  EXPECT_FALSE(inertia_orthogonal_basis({Motion<double>{}}, I));
  EXPECT_FALSE(inertia_orthogonal_basis({a}, ArticulatedInertia<double>{}));
}

TEST(Dyads, BuildInertiaInverseAndIdentity) {
  // (3.31)-(3.33) over an inertia-orthogonal basis of all motions
  Random random(131);
  for (int i = 0; i < draws; ++i) {
    const ArticulatedInertia<double> I = random.articulated();
    const auto B = inertia_orthogonal_basis(random_basis<Motion<double>>(random, 6), I);
    ASSERT_TRUE(B);
    ArticulatedInertia<double> inertia;
    InverseInertia<double> inverse_sum;
    Matrix6 identity = Matrix6::Zero();
    for (const Motion<double>& s : *B) {
      const double k = 1 / dot(s, I * s);
      inertia += dyad(I * s, k);
      inverse_sum += dyad(s, k);
      identity += k * dense(s) * dense(I * s).transpose();
    }
    expect_near(inertia, I, 1e-9);
    expect_near(dense(inverse_sum), dense_inverse(dense(I)), 1e-9);
    expect_near(identity, Matrix6::Identity(), 1e-9);
  }
}

TEST(ApparentInverseInertia, MatchesItsDefinitionAndHasRankOfTheFreedom) {
  Random random(132);
  for (int r = 0; r <= 6; ++r)
    for (int i = 0; i < draws / 3; ++i) {
      const Inertia<double> I = random.inertia();
      const MotionBasis S = random_basis<Motion<double>>(random, r);
      const auto P = apparent_inverse_inertia(S, ArticulatedInertia<double>(I));
      ASSERT_TRUE(P);
      const Eigen::MatrixXd D = matrix(S), core = D.transpose() * dense(I) * D;
      if (r > 0) {
        if (core.jacobiSvd().singularValues().minCoeff() < 1e-3) continue;
        const Matrix6 expected = D * core.inverse() * D.transpose();
        expect_near(dense(*P), expected, 1e-9);
      }
      EXPECT_EQ(rank(dense(*P)), r);
      // reaction forces give no acceleration
      const auto reactions = orthogonal_complement(S);
      ASSERT_TRUE(reactions);
      for (const Force<double>& f : *reactions)
        expect_zero(dense(*P * f), 1e-12 * (1 + dense(*P).cwiseAbs().maxCoeff()));
    }
}

TEST(ApparentInverseInertia, OfAFreeBodyIsTheInverse) {
  Random random(133);
  const Inertia<double> I = random.inertia();
  const MotionBasis all = random_basis<Motion<double>>(random, 6);
  const auto P = apparent_inverse_inertia(all, ArticulatedInertia<double>(I));
  ASSERT_TRUE(P);
  expect_near(*P, inverse(I), 1e-9);
  EXPECT_FALSE(apparent_inverse_inertia({all[0], all[0]}, ArticulatedInertia<double>(I)));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
