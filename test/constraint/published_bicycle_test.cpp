// The benchmark bicycle: Meijaard, Papadopoulos, Ruina and Schwab 2007, also in the IFToMM library
// ("uncontrolled bicycle"). Its linearised equations M q″ + v C₁ q′ + (g K₀ + v² K₂) q = f for lean
// and steer come from differences of the accelerations of the full model.
#include <algorithm>
#include <complex>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/math/quat.hpp>

#include "support/closed_run.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

struct Bicycle : ClosedRun {
  Bicycle() : ClosedRun(load("bicycle")) {}

  /// Upright but for lean and steer, height and pitch as the wheels on the ground have them.
  void place(double lean, double steer) {
    double height = 0, pitch = 0;
    for (int iteration = 0; iteration < 20; ++iteration) {
      const auto gaps = [&](double z, double angle) {
        const double cl = std::cos(lean / 2), sl = std::sin(lean / 2), cp = std::cos(angle / 2),
                     sp = std::sin(angle / 2);
        q.setZero();
        q[2] = z;
        q[3] = sl * cp, q[4] = cl * sp, q[5] = sl * sp, q[6] = cl * cp;  // lean, then pitch
        q[q_index("steer")] = steer;
        const auto all = loop_gaps<double>(mechanism, 0, in(q), closed.ws, closed.rows);
        return Vector2d(all[2], all[5]);
      };
      const double h = 1e-6;
      Matrix2d J;
      J.col(0) = (gaps(height + h, pitch) - gaps(height - h, pitch)) / (2 * h);
      J.col(1) = (gaps(height, pitch + h) - gaps(height, pitch - h)) / (2 * h);
      const Vector2d by = J.inverse() * gaps(height, pitch);
      height -= by[0], pitch -= by[1];
      gaps(height, pitch);
    }
    ASSERT_LT(gap(), 1e-13);
  }

  /// All velocities for the rates of lean and steer and the speed of the rear wheel.
  void move(double lean_rate, double steer_rate, double speed) {
    loop_jacobian<double>(mechanism, 0, in(q), closed.ws, closed.rows);
    MatrixXd A = MatrixXd::Zero(9, 9);
    VectorXd b = VectorXd::Zero(9);
    for (int row = 0; row < 6; ++row)
      for (int k = 0; k < 9; ++k) A(row, k) = closed.rows.jt(k, row);
    A(6, index("root")) = 1, b[6] = lean_rate;  // about the bicycle's own x axis
    A(7, index("steer")) = 1, b[7] = steer_rate;
    A(8, index("rear_hub")) = 1, b[8] = speed / 0.3;
    v = A.fullPivLu().solve(b);
  }

  /// Accelerations of lean and steer.
  Vector2d bend(double lean_moment, double steer_moment) {
    act = [=, frame = tree().body("frame"), steer = index("steer")](
              const VectorXd&, const VectorXd&, VectorXd& tau, std::vector<Force<double>>& on) {
      on[static_cast<std::size_t>(frame)] = {{lean_moment, 0, 0}, {}};
      tau[steer] = steer_moment;
    };
    const VectorXd a = acceleration(0, q, v);
    EXPECT_EQ(closed.solver.rank, 6);
    return {a[index("root")], a[index("steer")]};
  }

  /// Derivatives of the accelerations by lean, steer and their rates, to fourth order (2 × 4).
  MatrixXd derivatives(double speed) {
    MatrixXd D(2, 4);
    const double h = 2e-3;
    for (int k = 0; k < 4; ++k) {
      const auto at = [&](double x) {
        place(k == 0 ? x : 0, k == 1 ? x : 0);
        move(k == 2 ? x : 0, k == 3 ? x : 0, speed);
        return bend(0, 0);
      };
      D.col(k) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    }
    return D;
  }
  Matrix2d inertia() {
    place(0, 0);
    move(0, 0, 0);
    Matrix2d inverse;
    inverse.col(0) = bend(1, 0) - bend(0, 0);
    inverse.col(1) = bend(0, 1) - bend(0, 0);
    return inverse.inverse();
  }
};

std::vector<std::complex<double>> eigenvalues(const MatrixXd& D) {
  MatrixXd A = MatrixXd::Zero(4, 4);
  A.topRightCorner(2, 2).setIdentity();
  A.bottomRows(2) = D;
  const Eigen::VectorXcd values = A.eigenvalues();
  std::vector<std::complex<double>> list(values.data(), values.data() + 4);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::abs(a.real() - b.real()) > 1e-6 ? a.real() < b.real() : a.imag() < b.imag();
  });
  return list;
}

void expect_values(const MatrixXd& D, const std::vector<std::complex<double>>& expected) {
  const auto found = eigenvalues(D);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_LT(std::abs(found[k] - expected[k]), 1e-9) << found[k] << " " << expected[k];
}

TEST(PublishedBicycle, StandsAndRollsUpright) {
  Bicycle bicycle;
  EXPECT_LT(bicycle.gap(), 1e-15);
  EXPECT_EQ(bicycle.mechanism.rows, 6);
  bicycle.place(0, 0);
  bicycle.move(0, 0, 5);
  EXPECT_NEAR(bicycle.rate("front_hub"), 5 / 0.35, 1e-12);
  EXPECT_LT(bicycle.acceleration(0, bicycle.q, bicycle.v).norm(), 1e-11);
  const Model model = load("bicycle");
  EXPECT_TRUE(near(bicycle.v, matrix(model.keyframes.at(1).v), 1e-12));
}

TEST(PublishedBicycle, Eigenvalues) {
  Bicycle bicycle;
  expect_values(
      bicycle.derivatives(0),
      {{-5.530943717654, 0}, {-3.131643247907, 0}, {3.131643247907, 0}, {5.530943717654, 0}});
  expect_values(bicycle.derivatives(5), {{-14.078389692798, 0},
                                         {-0.775341882196, -4.464867713788},
                                         {-0.775341882196, 4.464867713788},
                                         {-0.322866429004, 0}});
}

TEST(PublishedBicycle, Matrices) {
  Bicycle bicycle;
  const double g = 9.81, speed = 5;
  const Matrix2d M = bicycle.inertia();
  const MatrixXd still = bicycle.derivatives(0), moving = bicycle.derivatives(speed);
  const Matrix2d K0 = -M * still.leftCols(2) / g, C1 = -M * moving.rightCols(2) / speed,
                 K2 = -M * (moving - still).leftCols(2) / (speed * speed);
  Matrix2d expected_M, expected_C1, expected_K0, expected_K2;
  expected_M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  expected_C1 << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  expected_K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  expected_K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  EXPECT_TRUE(near(M, expected_M, 1e-12));
  EXPECT_TRUE(near(C1, expected_C1, 1e-9));
  EXPECT_TRUE(near(K0, expected_K0, 1e-9));
  EXPECT_TRUE(near(K2, expected_K2, 1e-9));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
