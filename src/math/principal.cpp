#include "math/principal.hpp"

#include <cmath>

namespace limber {

namespace {

struct Square {
  double at[3][3];
};

// A ← Gᵀ A G and V ← V G with the rotation G in the plane of i and j that makes A(i, j) zero
void rotate_to_zero(int i, int j, Square& A, Square& V) {
  const double off = A.at[i][j];
  if (off == 0) return;
  // tangent of the smaller of the two angles: the rotation disturbs the rest least
  const double theta = (A.at[j][j] - A.at[i][i]) / (2 * off);
  const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
  const double c = 1 / std::hypot(t, 1.0), s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double a = A.at[k][i], b = A.at[k][j];
    A.at[k][i] = c * a - s * b;
    A.at[k][j] = s * a + c * b;
    const double v = V.at[k][i], w = V.at[k][j];
    V.at[k][i] = c * v - s * w;
    V.at[k][j] = s * v + c * w;
  }
  for (int k = 0; k < 3; ++k) {
    const double a = A.at[i][k], b = A.at[j][k];
    A.at[i][k] = c * a - s * b;
    A.at[j][k] = s * a + c * b;
  }
  A.at[i][j] = A.at[j][i] = 0;
}

}  // namespace

PrincipalAxes principal_axes(const Sym3<double>& matrix) {
  const Mat3<double> M = to_mat3(matrix);
  Square A{}, V{};
  for (int i = 0; i < 3; ++i) {
    V.at[i][i] = 1;
    for (int j = 0; j < 3; ++j) A.at[i][j] = M.row(i)[j];
  }
  // converges quadratically: done in four or five sweeps, ten are plenty
  for (int sweep = 0; sweep < 10; ++sweep) {
    rotate_to_zero(0, 1, A, V);
    rotate_to_zero(0, 2, A, V);
    rotate_to_zero(1, 2, A, V);
  }
  return {{A.at[0][0], A.at[1][1], A.at[2][2]},
          {V.at[0][0], V.at[0][1], V.at[0][2], V.at[1][0], V.at[1][1], V.at[1][2], V.at[2][0],
           V.at[2][1], V.at[2][2]}};
}

}  // namespace limber
