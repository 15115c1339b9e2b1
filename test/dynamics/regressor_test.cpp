// Linear in the inertial parameters: tau = Y π plus rotors.
#include <limber/dynamics/regressor.hpp>

#include <Eigen/QR>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMajor regressor(Robot& r) {
  RowMajor Y(r.model.nv, 10 * (r.model.bodies() - 1));
  joint_torque_regressor(r.model, in(r.q), in(r.v), in(r.a), r.ws,
                         {Y.data(), static_cast<std::size_t>(Y.size())});
  return Y;
}
VectorXd rotors(const Robot& r) {
  VectorXd tau(r.model.nv);
  for (int k = 0; k < r.model.nv; ++k)
    tau[k] = r.model.reflected_inertias()[static_cast<std::size_t>(k)] * r.a[k];
  return tau;
}

TEST(Regressor, GivesInverseDynamics) {
  for_random_robots(200, [](Robot& r) {
    const VectorXd parameters = matrix(inertial_parameters(r.model));
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    EXPECT_TRUE(near(regressor(r) * parameters + rotors(r), tau, 1e-10));
  });
}

// several trees, each far from the others: the parameters of a body have no part in the rows of
// another tree, and rows lose no digits by the distance
TEST(Regressor, KeepsTreesApart) {
  Spec spec = generate_chain(3, JointKind::free, 4);
  for (JointSpec& joint : spec.joints) joint.parent = spec.joints.front().parent;
  Robot r(spec, 4);
  const int n = r.model.bodies() - 1;
  ASSERT_EQ(n, 3);
  const RowMajor near_by = regressor(r);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) r.q[7 * i + k] += 1e6 * (i + 1);
  const RowMajor Y = regressor(r);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT_TRUE(i == j || (Y.block(6 * i, 10 * j, 6, 10).array() == 0).all());
  EXPECT_TRUE(near(Y, near_by, 1e-12));
}

TEST(Regressor, GivesInverseDynamicsOfOtherParameters) {
  Random random(7);
  for_random_robots(100, [&](Robot& r) {
    VectorXd parameters = matrix(inertial_parameters(r.model));
    for (double& x : parameters) x += random.uniform(-0.5, 0.5);
    const Model other = with_inertial_parameters(r.model, in(parameters));
    EXPECT_TRUE(near(matrix(inertial_parameters(other)), parameters, 1e-12));
    const VectorXd tau = matrix(inverse_dynamics(other, in(r.q), in(r.v), in(r.a), r.ws));
    EXPECT_TRUE(near(regressor(r) * parameters + rotors(r), tau, 1e-10));
  });
}

TEST(Regressor,
     FindsTheParametersThatMatter) {  // identification: least squares from random motions
  Robot r(generate_chain(3, JointKind::revolute, 5), 5);
  const VectorXd parameters = matrix(inertial_parameters(r.model));
  Random random(8);
  MatrixXd Y(0, parameters.size());
  VectorXd tau(0);
  for (int sample = 0; sample < 60; ++sample) {
    for (VectorXd* x : {&r.q, &r.v, &r.a})
      for (double& value : *x) value = random.uniform(-2, 2);
    const RowMajor rows = regressor(r);
    MatrixXd all(Y.rows() + rows.rows(), Y.cols());
    all << Y, rows;
    Y = all;
    VectorXd more(tau.size() + rows.rows());
    more << tau,
        VectorXd(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws))) - rotors(r);
    tau = more;
  }
  const VectorXd found = Y.completeOrthogonalDecomposition().solve(tau);
  EXPECT_TRUE(near(Y * found, tau, 1e-10));
  const Model identified = with_inertial_parameters(r.model, in(found));
  EXPECT_TRUE(near(matrix(inverse_dynamics(identified, in(r.q), in(r.v), in(r.a), r.ws)),
                   tau.tail(r.model.nv) + rotors(r), 1e-9));
}

TEST(Regressor, RefusesBadParameters) {
  const Model chain = build(generate_chain(2, JointKind::revolute, 1));
  std::vector<double> parameters = inertial_parameters(chain);
  parameters[3] = std::nan("");
  EXPECT_THROW(with_inertial_parameters(chain, parameters), Error);
  parameters.pop_back();
  EXPECT_THROW(with_inertial_parameters(chain, parameters), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
