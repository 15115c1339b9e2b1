#pragma once
// The axes in which a symmetric matrix is diagonal.
#include <limber/math/sym3.hpp>

namespace limber {

struct PrincipalAxes {
  Vec3<double> values;  ///< in no order
  Mat3<double> axes;  ///< orthogonal, its columns the directions: A = axes · diag(values) · axesᵀ
};

/// By Jacobi rotations. The entries must be finite.
PrincipalAxes principal_axes(const Sym3<double>& A);

}  // namespace limber
