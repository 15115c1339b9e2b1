#pragma once
// Inertia as loads may add it to bodies.
#include <limber/spatial/articulated.hpp>

#include "support/dense.hpp"
#include "support/random.hpp"

namespace limber::test {

/// Any positive definite 6×6 matrix, in blocks.
inline ArticulatedInertia<double> random_inertia(Random& random) {
  Eigen::Matrix<double, 6, 6> A;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) A(i, j) = random.uniform(-1, 1);
  const Eigen::Matrix<double, 6, 6> B = A * A.transpose();
  const auto block = [&](int i, int j) {
    return Sym3<double>{B(i, j),     B(i + 1, j + 1), B(i + 2, j + 2),
                        B(i, j + 1), B(i, j + 2),     B(i + 1, j + 2)};
  };
  return {block(0, 0),
          {B(0, 3), B(0, 4), B(0, 5), B(1, 3), B(1, 4), B(1, 5), B(2, 3), B(2, 4), B(2, 5)},
          block(3, 3)};
}

}  // namespace limber::test
