// The Puma 560 with the parameters of Corke and Armstrong-Helouvry (1994) and friction: the numbers
// that the Robotics Toolbox for MATLAB prints for this robot (P. Corke, "Robotics, Vision and
// Control"), to all printed digits.
#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/LU>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/io/load.hpp>

#include "support/dense.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

// half a unit of the last printed digit
void expect_digits(double found, const std::string& printed) {
  const std::size_t point = printed.find('.');
  const int decimals =
      point == std::string::npos ? 0 : static_cast<int>(printed.size() - point - 1);
  EXPECT_NEAR(found, std::stod(printed), 0.5000001 * std::pow(10, -decimals)) << printed;
}
void expect_digits(const VectorXd& found, const std::vector<std::string>& printed) {
  ASSERT_EQ(found.size(), static_cast<Eigen::Index>(printed.size()));
  for (std::size_t k = 0; k < printed.size(); ++k) {
    SCOPED_TRACE("entry " + std::to_string(k + 1));
    expect_digits(found[static_cast<Eigen::Index>(k)], printed[k]);
  }
}

class Puma : public testing::Test {
 protected:
  Model arm = load("puma560");
  Workspace ws{arm};
  VectorXd qn = VectorXd::Zero(6), zeros = VectorXd::Zero(6), ones = VectorXd::Ones(6);

  void SetUp() override {
    const double pi = std::numbers::pi;
    qn << 0, pi / 4, pi, 0, pi / 4, 0;
  }
  VectorXd friction(const VectorXd& v) {
    VectorXd out(6);
    passive_forces(arm, in(qn), in(v), std::span<double>(out.data(), 6));
    return out;
  }
  // what the drives give, friction included
  VectorXd tau(const VectorXd& v, const VectorXd& a) {
    return matrix(inverse_dynamics(arm, in(qn), in(v), in(a), ws)) + friction(v);
  }
};

TEST_F(Puma, Gravity) {
  expect_digits(tau(zeros, zeros), {"0.0000", "31.6399", "6.0351", "0.0000", "0.0283", "0"});
}
TEST_F(Puma, Acceleration) {
  expect_digits(tau(zeros, ones),
                {"3.35311", "36.0025", "7.42596", "0.190043", "0.203441", "0.194133"});
}
TEST_F(Puma, VelocityAndAcceleration) {
  expect_digits(tau(ones, ones),
                {"32.4952", "60.867", "17.7436", "1.45452", "1.29911", "0.713781"});
}
TEST_F(Puma, Velocity) {
  expect_digits(tau(ones, zeros),
                {"29.1421", "56.5044", "16.3528", "1.26448", "1.12392", "0.519648"});
}
TEST_F(Puma, VelocityAndAccelerationWithoutGravity) {
  arm.gravity = {};
  expect_digits(tau(ones, ones),
                {"32.4952", "29.2271", "11.7085", "1.45452", "1.27086", "0.713781"});
}

TEST_F(Puma, ForwardDynamics) {
  VectorXd v(6), drives(6);
  v << 0.1, 0.2, 0.8, 0.2, 0.5, 1;
  drives << 1, 3.2, 1.8, 0.1, 0.7, 4.6;
  const VectorXd net = drives - friction(v);
  const std::vector<std::string> printed{"-7.4102", "-9.8432", "-10.9694",
                                         "-4.4314", "-0.9881", "21.0228"};
  expect_digits(matrix(forward_dynamics(arm, in(qn), in(v), in(net), ws)), printed);
  expect_digits(matrix(forward_dynamics_by_mass_matrix(arm, in(qn), in(v), in(net), ws)), printed);
}

TEST_F(Puma, MassMatrix) {
  const Eigen::MatrixXd M = matrix(mass_matrix(arm, in(qn), ws));
  expect_digits(M.row(0), {"3.6594", "-0.4044", "0.1006", "-0.0025", "0.0000", "0.0000"});
  expect_digits(M.row(1).tail(5), {"4.4137", "0.3509", "0.0000", "0.0024", "0.0000"});
  expect_digits(M.row(2).tail(4), {"0.9378", "0.0000", "0.0015", "0.0000"});
  expect_digits(M.diagonal().tail(3), {"0.1925", "0.1713", "0.1941"});
}

// (J M⁻¹ Jᵀ)⁻¹ at the wrist; the printed order is linear, then angular
TEST_F(Puma, OperationalSpaceInertia) {
  const Eigen::MatrixXd M = matrix(mass_matrix(arm, in(qn), ws));
  const int tip = static_cast<int>(arm.frame(arm.body_name.back()));
  const Eigen::MatrixXd J = matrix(jacobian(arm, in(qn), tip, Reference::world_aligned, ws));
  const Eigen::MatrixXd lambda = (J * solve_definite(M, J.transpose())).inverse();
  expect_digits(lambda.diagonal().tail(3), {"17.2954", "12.1909", "13.3348"});
  expect_digits(lambda.diagonal().head(3), {"0.1941", "0.1713", "0.5791"});
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
