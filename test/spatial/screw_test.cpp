// Screws about the coordinate axes against general transforms, for every type and both ways. [RDA]
// §8.3.4
#include <limber/spatial/screw.hpp>

#include <cmath>
#include <utility>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// calls f with a random screw about each of the three axes, `draws` times
template <class F>
void for_random_screws(Random& random, F f) {
  const auto draw = [&]<int A>(std::integral_constant<int, A>) {
    const double angle = random.angle();
    f(Screw<A, double>{std::cos(angle), std::sin(angle), random.uniform()});
  };
  for (int i = 0; i < draws; ++i) {
    draw(std::integral_constant<int, 0>{});
    draw(std::integral_constant<int, 1>{});
    draw(std::integral_constant<int, 2>{});
  }
}

// the pose of a screw from its definition: Rodrigues' turn about axis A, then d along it
template <int A>
Transform<double> reference(const Screw<A, double>& X) {
  Eigen::Vector3d axis = Eigen::Vector3d::Unit(A);
  const Matrix3 K = skew3(axis);
  const Matrix3 R = Matrix3::Identity() + X.s * K + (1 - X.c) * K * K;
  axis *= X.d;
  return {{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)},
          {axis.x(), axis.y(), axis.z()}};
}

TEST(Screw, IsATransform) {
  Random random(80);
  for_random_screws(random, [&]<int A>(const Screw<A, double>& X) {
    const Transform<double> T = to_transform(X), expected = reference(X);
    expect_near(T.R, expected.R);
    expect_near(T.p, expected.p);
    const Transform<double> back = to_transform(inverse(X));
    expect_near(motion_matrix(back), dense_inverse(motion_matrix(expected)));
    EXPECT_EQ(cast<float>(X).d, static_cast<float>(X.d));
  });
}

TEST(Screw, VectorsBothWays) {
  Random random(81);
  for_random_screws(random, [&]<int A>(const Screw<A, double>& X) {
    const Transform<double> T = reference(X);
    const Matrix6 M = motion_matrix(T), F = force_matrix(T);
    const Motion<double> v = random.motion();
    const Force<double> f = random.force();
    const Vec3<double> u = random.vec3();
    expect_near(dense(to_parent(X, u)), dense(T.R) * dense(u));
    expect_near(dense(to_child(X, u)), dense(T.R).transpose() * dense(u));
    expect_near(dense(to_parent(X, v)), M * dense(v));
    expect_near(dense(to_child(X, v)), dense_inverse(M) * dense(v));
    expect_near(dense(to_parent(X, f)), F * dense(f));
    expect_near(dense(to_child(X, f)), dense_inverse(F) * dense(f));
    EXPECT_NEAR(dot(to_parent(X, v), to_parent(X, f)), dot(v, f), 1e-13);
  });
}

TEST(Screw, BookFormulaOfTheZScrewOnVectors) {
  // [RDA] §8.3.4, written as in the book for the step to the child
  Random random(82);
  for (int i = 0; i < draws; ++i) {
    const double angle = random.angle(), c = std::cos(angle), s = std::sin(angle);
    const double d = random.uniform();
    const Motion<double> v = random.motion();
    const Vec3<double>&a = v.angular, &o = v.linear;
    Vector6 expected;
    expected << c * a.x + s * a.y, c * a.y - s * a.x, a.z,
        c * (o.x + a.y * d) + s * (o.y - a.x * d), c * (o.y - a.x * d) - s * (o.x + a.y * d), o.z;
    expect_near(dense(to_child(Screw<2, double>{c, s, d}, v)), expected);
  }
}

TEST(Screw, MatricesAndInertiasBothWays) {
  Random random(83);
  for_random_screws(random, [&]<int A>(const Screw<A, double>& X) {
    const Transform<double> T = reference(X);
    const Matrix3 R = dense(T.R);
    const Matrix6 F = force_matrix(T), B = dense_inverse(F);
    const Sym3<double> K = random.sym3();
    const Mat3<double> N = random.mat3();
    const Inertia<double> I = random.inertia();
    const ArticulatedInertia<double> IA = random.articulated();
    expect_near(dense(to_parent(X, K)), R * dense(K) * R.transpose());
    expect_near(dense(to_child(X, K)), R.transpose() * dense(K) * R);
    expect_near(dense(to_parent(X, N)), R * dense(N) * R.transpose());
    expect_near(dense(to_child(X, N)), R.transpose() * dense(N) * R);
    expect_near(dense(to_parent(X, I)), F * dense(I) * F.transpose());
    expect_near(dense(to_child(X, I)), B * dense(I) * B.transpose());
    expect_near(dense(to_parent(X, IA)), F * dense(IA) * F.transpose());
    expect_near(dense(to_child(X, IA)), B * dense(IA) * B.transpose());
  });
}

TEST(Screw, ComposesWithTransforms) {
  Random random(84);
  for_random_screws(random, [&]<int A>(const Screw<A, double>& X) {
    const Transform<double> Y = random.transform();
    expect_near(motion_matrix(X * Y), motion_matrix(reference(X)) * motion_matrix(Y));
    expect_near(motion_matrix(Y * X), motion_matrix(Y) * motion_matrix(reference(X)));
  });
}

TEST(Screw, XThenZIsTheDenavitHartenbergStep) {
  // [McM] (A.1), (A.4): X = X(x; a, α) X(z; d, θ), p = (a, −d sin α, d cos α)
  Random random(85);
  for (int i = 0; i < draws; ++i) {
    const double al = random.angle(), th = random.angle(), a = random.uniform(),
                 d = random.uniform();
    const double ca = std::cos(al), sa = std::sin(al), ct = std::cos(th), st = std::sin(th);
    const Transform<double> X =
        Screw<0, double>{ca, sa, a} * to_transform(Screw<2, double>{ct, st, d});
    expect_near(X.p, Vec3<double>{a, -d * sa, d * ca});
    expect_near(X.R, Mat3<double>{ct, -st, 0, st * ca, ct * ca, -sa, st * sa, ct * sa, ca});
  }
}

// inertias with a zero row and column, made from dense random numbers
template <int K>
ArticulatedInertia<double> with_zeros(Random& random) {
  ArticulatedInertia<double> IA = random.articulated();
  constexpr int k = K % 3;
  Sym3<double>& block = K < 3 ? IA.I : IA.M;
  block.get<k, 0>() = block.get<k, 1>() = block.get<k, 2>() = 0;
  if constexpr (K < 3) IA.H.get<k, 0>() = IA.H.get<k, 1>() = IA.H.get<k, 2>() = 0;
  else IA.H.get<0, k>() = IA.H.get<1, k>() = IA.H.get<2, k>() = 0;
  return IA;
}

template <int A, int K>
void expect_reduced_step(const Screw<A, double>& X, Random& random, bool zeros_stay) {
  const ArticulatedInertia<double> IA = with_zeros<K>(random);
  const Matrix6 F = force_matrix(reference(X));
  const ArticulatedInertia<double> moved = to_parent_reduced(X, IA, Axis<K>{});
  expect_near(dense(moved), F * dense(IA) * F.transpose());
  EXPECT_EQ(dense(moved).row(K).isZero(0), zeros_stay);
  EXPECT_EQ(dense(moved).col(K).isZero(0), zeros_stay);
}

TEST(ReducedInertia, StepAboutTheJointAxisKeepsTheZeros) {
  Random random(86);
  for_random_screws(random, [&]<int A>(const Screw<A, double>& X) {
    expect_reduced_step<A, A>(X, random, true);
    expect_reduced_step<A, A + 3>(X, random, true);
  });
}

TEST(ReducedInertia, StepAboutTheNextAxisFillsThem) {
  Random random(87);
  for_random_screws(random, [&]<int A>(const Screw<A, double>& X) {
    expect_reduced_step<A, (A + 2) % 3>(X, random, false);
    expect_reduced_step<A, (A + 2) % 3 + 3>(X, random, false);
  });
}

TEST(ReducedInertia, PairOfStepsAfterElimination) {
  // the articulated-body step of a canonical joint: eliminate, screw about z, screw about x
  Random random(88);
  const auto check = [&]<int K>(Axis<K> axis) {
    ArticulatedInertia<double> IA = random.articulated();
    const Force<double> U = IA * axis;
    eliminate(IA, axis, U, scaled_without(axis, U, 1 / dot(axis, U)));
    const double th = random.angle(), al = random.angle();
    const Screw<2, double> Z{std::cos(th), std::sin(th), random.uniform()};
    const Screw<0, double> X{std::cos(al), std::sin(al), random.uniform()};
    const Matrix6 F = force_matrix(reference(X)) * force_matrix(reference(Z));
    expect_near(dense(to_parent_reduced(X, to_parent_reduced(Z, IA, axis), axis)),
                F * dense(IA) * F.transpose());
  };
  for (int i = 0; i < draws; ++i) {
    check(Axis<2>{});
    check(Axis<5>{});
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
