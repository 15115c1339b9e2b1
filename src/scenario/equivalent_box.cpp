#include "scenario/equivalent_box.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace limber {

ShapeSpec equivalent_box(const Inertia<double>& inertia) {
  constexpr double light_metal = 2700;  // [kg/m³]
  const Sym3<double> J = inertia.central_second_moment();
  Eigen::Matrix3d second;
  second << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(second);
  Eigen::Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0) R.col(2) *= -1;
  // ∫ x² dm = m a² / 12
  Eigen::Vector3d edges = (12 / inertia.m * axes.eigenvalues().cwiseMax(0)).cwiseSqrt();
  if (edges.maxCoeff() < 1e-3) edges.setConstant(std::cbrt(inertia.m / light_metal));
  edges = edges.cwiseMax(std::max(0.02 * edges.maxCoeff(), 1e-3));
  ShapeSpec box;
  box.size = {edges.x(), edges.y(), edges.z()};
  box.placement.p = inertia.com();
  const auto column = [&](int j) { return Vec3<double>{R(0, j), R(1, j), R(2, j)}; };
  box.placement.R = Mat3<double>::from_columns(column(0), column(1), column(2));
  box.color = {0.55, 0.65, 0.8, 1.0};
  return box;
}

}  // namespace limber
