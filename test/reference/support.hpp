#pragma once
// The textbooks' results as Eigen matrices, and trees at the state of a random robot.
#include <limber/reference/tree.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

inline MatrixXd matrix(const reference::Matrix<double>& A) {
  MatrixXd M(A.rows, A.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) M(i, j) = A(i, j);
  return M;
}

inline reference::Tree<double> tree(const Robot& r, const Loads<double>& loads = {},
                                    reference::Gravity gravity = reference::Gravity::acceleration) {
  return reference::tree_at<double>(r.model, in(r.q), in(r.v), loads, gravity);
}

/// Random external forces and a moving base.
struct RandomLoads {
  std::vector<Force<double>> forces;
  Loads<double> loads;
  RandomLoads(const Robot& r, Random random) {
    for (int i = 0; i < r.model.bodies(); ++i) forces.push_back(random.force());
    const Motion<double> velocity = random.motion(), acceleration = random.motion();
    loads = {forces, velocity, acceleration};
  }
};

}  // namespace limber::test
