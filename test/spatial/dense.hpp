#pragma once
// Plain 6×6 algebra with Eigen, angular part first: the reference that the compact types are held
// to.
#include <Eigen/Dense>

#include <limber/spatial/inverse_inertia.hpp>
#include <limber/spatial/screw.hpp>

#include <gtest/gtest.h>

#include "support/dense.hpp"

namespace limber::test {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix3 = Eigen::Matrix3d;

inline Eigen::Vector3d dense(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Matrix3 dense(const Mat3<double>& A) {
  Matrix3 D;
  D << A.xx, A.xy, A.xz, A.yx, A.yy, A.yz, A.zx, A.zy, A.zz;
  return D;
}
inline Matrix3 dense_transposed(const Mat3<double>& A) {
  Matrix3 D;
  D << A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz;
  return D;
}
inline Matrix3 dense(const Sym3<double>& A) {
  Matrix3 D;
  D << A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz;
  return D;
}
inline Vector6 dense(const Motion<double>& v) {
  Vector6 x;
  x << v.angular.x, v.angular.y, v.angular.z, v.linear.x, v.linear.y, v.linear.z;
  return x;
}
inline Vector6 dense(const Force<double>& v) {
  Vector6 x;
  x << v.angular.x, v.angular.y, v.angular.z, v.linear.x, v.linear.y, v.linear.z;
  return x;
}

/// v× as a matrix
inline Matrix3 skew3(const Eigen::Vector3d& v) {
  Matrix3 D;
  D << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return D;
}
inline Matrix6 blocks(const Matrix3& A, const Matrix3& B, const Matrix3& C, const Matrix3& D) {
  Matrix6 X;
  X << A, B, C, D;
  return X;
}

/// b to a for motions: [R 0; p×R R]
inline Matrix6 motion_matrix(const Transform<double>& X) {
  const Matrix3 R = dense(X.R);
  return blocks(R, Matrix3::Zero(), skew3(dense(X.p)) * R, R);
}
/// b to a for forces: [R p×R; 0 R]
inline Matrix6 force_matrix(const Transform<double>& X) {
  const Matrix3 R = dense(X.R);
  return blocks(R, skew3(dense(X.p)) * R, Matrix3::Zero(), R);
}
/// v×̂ on motions: [ω× 0; v× ω×]
inline Matrix6 motion_cross_matrix(const Motion<double>& v) {
  const Matrix3 w = skew3(dense(v.angular));
  return blocks(w, Matrix3::Zero(), skew3(dense(v.linear)), w);
}
/// v×̂ on forces: [ω× v×; 0 ω×]
inline Matrix6 force_cross_matrix(const Motion<double>& v) {
  const Matrix3 w = skew3(dense(v.angular));
  return blocks(w, skew3(dense(v.linear)), Matrix3::Zero(), w);
}

/// [I h×; −h× m1]: force (moment first) per motion (angular first), [RDA] (3.3) with rows exchanged
inline Matrix6 dense(const Inertia<double>& I) {
  const Matrix3 J = dense(I.J), h = skew3(dense(I.h));
  return blocks(J.trace() * Matrix3::Identity() - J, h, -h, I.m * Matrix3::Identity());
}
inline Matrix6 dense(const ArticulatedInertia<double>& A) {
  return blocks(dense(A.I), dense(A.H), dense_transposed(A.H), dense(A.M));
}
inline Matrix6 dense(const InverseInertia<double>& P) {
  return blocks(dense(P.A), dense_transposed(P.G), dense(P.G), dense(P.D));
}

/// Equal to `tolerance` relative to the larger of 1 and the largest entry expected.
template <class A, class B>
void expect_near(const Eigen::MatrixBase<A>& actual, const Eigen::MatrixBase<B>& expected,
                 double tolerance = 1e-12) {
  ASSERT_TRUE(actual.allFinite()) << actual;
  const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
  EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), tolerance * scale)
      << "actual:\n"
      << actual << "\nexpected:\n"
      << expected;
}
template <class V, class W>
requires requires(const V& v, const W& w) {
  dense(v);
  dense(w);
}
void expect_near(const V& actual, const W& expected, double tolerance = 1e-12) {
  expect_near(dense(actual), dense(expected), tolerance);
}

constexpr int draws = 300;  ///< random cases per property

}  // namespace limber::test
