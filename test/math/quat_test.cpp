// Quaternions against rotation matrices, [RDA] (8.1), (8.2).
#include <Eigen/Geometry>
#include <limber/math/quat.hpp>
#include <limber/scalar/dual.hpp>

#include <numbers>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using std::numbers::pi;

Eigen::Vector4d numbers(const Quat<double>& a) { return {a.x, a.y, a.z, a.w}; }
// a and −a are the same rotation: take the one with w ≥ 0
Eigen::Vector4d rotation_numbers(const Quat<double>& a) {
  return a.w < 0 ? Eigen::Vector4d(-numbers(a)) : numbers(a);
}
Matrix3 angle_axis(double angle, const Vec3<double>& axis) {
  return Eigen::AngleAxisd(angle, dense(axis)).toRotationMatrix();
}

TEST(Quat, MatrixMatchesReference) {
  Random random(20);
  for (int i = 0; i < draws; ++i) {
    const Quat<double> a = random.quat();
    const Matrix3 expected = Eigen::Quaterniond(a.w, a.x, a.y, a.z).toRotationMatrix();
    expect_near(dense(to_matrix(a)), expected);
    EXPECT_NEAR(squared_norm(a), 1, 1e-14);
    // [RDA] (8.2): the book's E is the transpose
    const Quat<double> c = conjugate(a);
    expect_near(dense(to_matrix(c)), expected.transpose());
  }
}

TEST(Quat, ProductIsCompositionOfRotations) {
  Random random(21);
  for (int i = 0; i < draws; ++i) {
    const Quat<double> a = random.quat(), b = random.quat();
    expect_near(dense(to_matrix(a * b)), dense(to_matrix(a)) * dense(to_matrix(b)));
    expect_near(numbers(a * conjugate(a)), Eigen::Vector4d(0, 0, 0, 1));
  }
}

TEST(Quat, RateIsHalfProductWithAngularVelocity) {
  // [RDA] (8.1), written out as the book prints it with q0 = w and ω in body axes
  Random random(22);
  for (int i = 0; i < draws; ++i) {
    const Quat<double> a = random.quat();
    const Vec3<double> w = random.vec3();
    Eigen::Matrix<double, 4, 3> rate;
    rate << -a.x, -a.y, -a.z, a.w, -a.z, a.y, a.z, a.w, -a.x, -a.y, a.x, a.w;
    const Eigen::Vector4d expected = 0.5 * rate * dense(w);
    const Quat<double> product = a * Quat<double>{w.x / 2, w.y / 2, w.z / 2, 0};
    expect_near(Eigen::Vector4d(product.w, product.x, product.y, product.z), expected);
    // and the matrix then turns with Ṙ = R ω×
    const Quat<Dual> moving{{a.x, product.x}, {a.y, product.y}, {a.z, product.z}, {a.w, product.w}};
    const Mat3<Dual> R = to_matrix(moving);
    const Matrix3 R_rate = dense(to_matrix(a)) * skew3(dense(w));
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(R.row(r)[c].derivative, R_rate(r, c), 1e-13);
  }
}

TEST(Quat, NormalizedKeepsDirection) {
  Random random(23);
  for (int i = 0; i < draws; ++i) {
    const Quat<double> a = random.quat();
    const double s = random.uniform(0.01, 100);
    expect_near(numbers(normalized(Quat<double>{a.x * s, a.y * s, a.z * s, a.w * s})), numbers(a));
  }
}

TEST(Quat, MatrixRoundTrip) {
  Random random(24);
  for (int i = 0; i < draws; ++i) {
    const Quat<double> a = random.quat();  // w of either sign
    const Quat<double> back = to_quat(to_matrix(a));
    EXPECT_GE(back.w, 0);
    expect_near(numbers(back), rotation_numbers(a));
  }
}

TEST(Quat, MatrixRoundTripOfHalfTurns) {
  Random random(25);
  for (const double away : {0.0, 1e-15, 1e-9, 1e-5, -1e-9})
    for (int i = 0; i < 60; ++i) {
      // axes in general position and along the coordinate axes, where the pivots change
      Vec3<double> axis = random.direction();
      if (i < 3) axis = {double(i == 0), double(i == 1), double(i == 2)};
      const Matrix3 R = angle_axis(pi + away, axis);
      const Mat3<double> M{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1),
                           R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
      expect_near(dense(to_matrix(to_quat(M))), R);
      EXPECT_NEAR(squared_norm(to_quat(M)), 1, 1e-14);
    }
}

TEST(Quat, ExpMatchesAngleAxis) {
  Random random(26);
  for (const double angle : {0.0, 1e-300, 1e-12, 0.99e-6, 1.01e-6, 1e-3, 1.0, 3.0, pi, 5.0, 20.0})
    for (int i = 0; i < 30; ++i) {
      const Vec3<double> axis = random.direction();
      const Quat<double> a = exp_quat(axis * angle);
      expect_near(numbers(a),
                  Eigen::Vector4d(axis.x * std::sin(angle / 2), axis.y * std::sin(angle / 2),
                                  axis.z * std::sin(angle / 2), std::cos(angle / 2)),
                  1e-14);
      expect_near(dense(to_matrix(a)), angle_axis(angle, axis), 1e-14);
    }
}

TEST(Quat, LogIsInverseOfExp) {
  Random random(27);
  for (const double angle :
       {1e-300, 1e-20, 1e-12, 1e-7, 1e-6, 1e-3, 0.5, 2.0, 3.0, pi - 1e-7, pi - 1e-12})
    for (int i = 0; i < 30; ++i) {
      const Vec3<double> turn = random.direction() * angle;
      const Vec3<double> back = log_quat(exp_quat(turn));
      EXPECT_LE(norm((back - turn) / angle), 1e-14) << angle;
    }
  expect_near(log_quat(Quat<double>{}), Vec3<double>{});
  expect_near(log_quat(Quat<double>{0, 0, 0, -1}), Vec3<double>{});
}

TEST(Quat, LogTakesTheShortWay) {
  Random random(28);
  for (int i = 0; i < draws; ++i) {
    const Quat<double> a = random.quat();
    const Vec3<double> turn = log_quat(a);
    EXPECT_LE(norm(turn), pi + 1e-14);
    expect_near(turn, log_quat(Quat<double>{-a.x, -a.y, -a.z, -a.w}));
    expect_near(dense(to_matrix(exp_quat(turn))), dense(to_matrix(a)));
  }
  // beyond half a turn the same rotation is reached from the other side
  const Vec3<double> axis = random.direction();
  expect_near(log_quat(exp_quat(axis * (pi + 0.3))), axis * (0.3 - pi));
  // exactly half a turn
  EXPECT_NEAR(log_quat(Quat<double>{1, 0, 0, 0}).x, pi, 1e-15);
  EXPECT_NEAR(norm(log_quat(Quat<double>{0, 0.6, 0.8, 0})), pi, 1e-15);
}

TEST(Quat, ExpDerivativeByDualIsSmoothAcrossTheSeries) {
  Random random(29);
  for (const double angle : {0.0, 1e-9, 0.9e-6, 1.1e-6, 1e-3, 1.0}) {
    const Vec3<double> u = random.direction() * angle, d = random.vec3();
    const Quat<Dual> a = exp_quat(Vec3<Dual>{{u.x, d.x}, {u.y, d.y}, {u.z, d.z}});
    const double h = 1e-5;
    const Eigen::Vector4d difference =
        (numbers(exp_quat(u + d * h)) - numbers(exp_quat(u - d * h))) / (2 * h);
    expect_near(Eigen::Vector4d(a.x.derivative, a.y.derivative, a.z.derivative, a.w.derivative),
                difference, 1e-9);
  }
}

TEST(Quat, CastKeepsValues) {
  const Quat<float> a = cast<float>(Quat<double>{0.5, -0.5, 0.5, 0.5});
  EXPECT_EQ(a.y, -0.5f);
  EXPECT_EQ(a.w, 0.5f);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
