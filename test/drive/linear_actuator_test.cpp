// Linear actuators against the handbook's dense formulas, and the DC motor in that form.
#include <limber/drive/linear_actuator.hpp>

#include <Eigen/Dense>

#include <limber/drive/motor_drive.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/generate.hpp>

#include "drive/drive_support.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// random numbers everywhere; states (position, velocity, own), (velocity, own) or (own, own)
LinearActuatorSettings random_actuator(Random& random, const std::string& joint) {
  LinearActuatorSettings actuator;
  actuator.joint = joint;
  const int form = random.integer(0, 2);
  const int n = form == 0 ? 3 : 2;
  auto draw = [&](std::vector<double>& numbers, int count) {
    for (int k = 0; k < count; ++k) numbers.push_back(random.uniform());
  };
  draw(actuator.C, n * n);
  draw(actuator.f, n);
  draw(actuator.d, n);
  draw(actuator.initial, n);
  if (form == 0) {
    std::fill(actuator.C.begin(), actuator.C.begin() + 3, 0.0);
    actuator.C[1] = 1;
    actuator.f[0] = actuator.d[0] = 0;
    actuator.position_state = 0;
  }
  if (form < 2) {
    actuator.velocity_state = form == 0 ? 1 : 0;
    actuator.f[static_cast<std::size_t>(actuator.velocity_state)] = -random.uniform(0.1, 5);
  } else {
    actuator.velocity_row = {random.uniform(0.5, 1), random.uniform(0.5, 1)};
    actuator.f = {-random.uniform(0.1, 1), -random.uniform(0.1, 1)};
  }
  return actuator;
}

// (20.78): all actuators in one
struct Stacked {
  MatrixXd C, F, D, T;
  VectorXd x, u;
};

void place(Stacked& all, const LinearActuatorSettings& actuator, int joint, int row) {
  const auto n = static_cast<int>(actuator.f.size());
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    for (int j = 0; j < n; ++j)
      all.C(row + i, row + j) = actuator.C[static_cast<std::size_t>(i * n + j)];
    all.F(row + i, joint) = actuator.f[k];
    all.D(row + i, joint) = actuator.d[k];
    all.T(joint, row + i) = actuator.velocity_row.empty()
                                ? static_cast<double>(i == actuator.velocity_state)
                                : actuator.velocity_row[k];
  }
}

TEST(LinearActuator, EqualsTheDenseFormulas) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    Spec spec = generate_tree(random.integer(1, 6), static_cast<std::uint64_t>(trial + 1),
                              {.kinds = {JointKind::revolute, JointKind::prismatic}, .rotor = 0});
    for (JointSpec& joint : spec.joints) joint.dofs.clear();
    const Model bare = build(spec);
    const RandomState state = generate_state(bare, static_cast<std::uint64_t>(trial + 7));
    System system(bare);
    std::vector<LinearActuatorSettings> actuators;
    int states = 0;
    for (int body = 1; body < bare.bodies(); ++body) {
      actuators.push_back(random_actuator(random, bare.joint_name[static_cast<std::size_t>(body)]));
      states += static_cast<int>(actuators.back().f.size());
      system.add(std::make_unique<LinearActuator>(actuators.back()));
    }
    const int n = bare.nv;
    Stacked all{MatrixXd::Zero(states, states), MatrixXd::Zero(states, n),
                MatrixXd::Zero(states, n),      MatrixXd::Zero(n, states),
                VectorXd::Zero(states),         VectorXd::Zero(n)};
    for (int k = 0; k < n; ++k) all.u[k] = random.uniform(-3, 3);
    system.add(std::make_unique<Commands>(
        [u = all.u](Evaluation& at) { std::copy(u.begin(), u.end(), at.command.begin()); }));
    const std::vector<double> x = system.initial_state(state.q, state.v);
    std::vector<double> x_dot(x.size());
    ASSERT_EQ(system.derivative(0, x, x_dot), Evaluated::ok) << system.failure();

    // the actuators' states from the system's, and where their rates are in x_dot
    std::vector<std::size_t> where;
    std::size_t z = static_cast<std::size_t>(bare.nq + n);
    for (int k = 0, row = 0; k < n; ++k) {
      const LinearActuatorSettings& actuator = actuators[static_cast<std::size_t>(k)];
      place(all, actuator, k, row);
      for (int i = 0; i < static_cast<int>(actuator.f.size()); ++i, ++row) {
        where.push_back(i == actuator.position_state   ? static_cast<std::size_t>(k)
                        : i == actuator.velocity_state ? static_cast<std::size_t>(bare.nq + k)
                                                       : z++);
        all.x[row] = x[where.back()];
      }
    }
    Workspace ws(bare);
    const MatrixXd H = matrix(mass_matrix(bare, state.q, ws));
    const std::vector<double> still(static_cast<std::size_t>(n), 0);
    const VectorXd h = matrix(inverse_dynamics(bare, state.q, state.v, still, ws));
    const MatrixXd E = MatrixXd::Identity(n, n);
    const VectorXd free = all.C * all.x + all.D * all.u;
    const VectorXd tau = solve_general(E - H * all.T * all.F, H * all.T * free + h);  // (20.80)
    const VectorXd rates = free + all.F * tau;
    EXPECT_TRUE(near(all.T * all.x, matrix(state.v), 1e-12));
    for (int row = 0; row < states; ++row)
      EXPECT_TRUE(near(x_dot[where[static_cast<std::size_t>(row)]], rates[row], 1e-9));
    EXPECT_TRUE(near(matrix(system.accelerations()), all.T * rates, 1e-9));
  }
}

MotorDriveSettings motor(double inductance) {
  MotorDriveSettings drive;
  drive.joint = "wheel";
  drive.motor.torque_constant = 0.06;
  drive.motor.back_emf_constant = 0.05;
  drive.motor.resistance = 1.5;
  drive.motor.inductance = inductance;
  drive.motor.rotor_inertia = 2e-4;
  drive.motor.viscous_friction = 1e-4;
  drive.motor.voltage_limit = 15;
  drive.gear.ratio = -12;
  drive.input = DriveInput::voltage;
  return drive;
}

// (20.65), (20.67)
LinearActuatorSettings in_canonical_form(const MotorSettings& m) {
  const double J = *m.rotor_inertia, B = *m.viscous_friction, L = m.inductance, R = m.resistance;
  const double C_M = m.torque_constant, C_E = *m.back_emf_constant;
  LinearActuatorSettings actuator;
  actuator.joint = "wheel";
  actuator.position_state = 0;
  actuator.velocity_state = 1;
  actuator.ratio = -12;
  actuator.input_limit = 15;
  if (L > 0) {
    actuator.C = {0, 1, 0, 0, -B / J, C_M / J, 0, -C_E / L, -R / L};
    actuator.f = {0, -1 / J, 0};
    actuator.d = {0, 0, 1 / L};
  } else {
    actuator.C = {0, 1, 0, -C_M * C_E / (R * J) - B / J};
    actuator.f = {0, -1 / J};
    actuator.d = {0, C_M / (R * J)};
  }
  return actuator;
}

std::vector<double> run_with(std::unique_ptr<Part> drive) {
  System system(wheel(0.02));
  system.add(std::move(drive));
  system.add(
      std::make_unique<Commands>([](Evaluation& at) { at.command[0] = 20 * std::sin(8 * at.t); }));
  SimulationSettings settings = accurate(1);
  settings.integrator.method = "rk4";  // the same steps for both
  Simulation run(system, settings, std::vector{0.1}, std::vector{0.2});
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return {run.x().begin(), run.x().end()};
}

TEST(LinearActuator, TheMotorInCanonicalFormIsTheMotorDrive) {
  for (const double inductance : {0.0, 5e-3}) {
    const MotorDriveSettings drive = motor(inductance);
    const std::vector<double> x = run_with(std::make_unique<MotorDrive>(drive));
    const std::vector<double> y =
        run_with(std::make_unique<LinearActuator>(in_canonical_form(drive.motor)));
    ASSERT_EQ(x.size(), y.size());
    EXPECT_TRUE(near(matrix(y), matrix(x), 1e-12));
    EXPECT_GT(std::abs(x[1]), 0.1);
  }
}

// the same motor with other states: sums and differences of speed and current
TEST(LinearActuator, AVelocityThatIsNoState) {
  const MotorDriveSettings drive = motor(5e-3);
  const LinearActuatorSettings plain = in_canonical_form(drive.motor);
  LinearActuatorSettings other;
  other.joint = "wheel";
  other.ratio = -12;
  other.input_limit = 15;
  Eigen::Matrix2d P, C;
  P << 1, 1, 1, -1;
  C << plain.C[4], plain.C[5], plain.C[7], plain.C[8];
  const Eigen::Matrix2d mixed = P * C * P.inverse();
  other.C = {mixed(0, 0), mixed(0, 1), mixed(1, 0), mixed(1, 1)};
  other.f = {plain.f[1], plain.f[1]};
  other.d = {plain.d[2], -plain.d[2]};
  other.velocity_row = {0.5, 0.5};
  other.initial = {-2.4, -2.4};  // speed −2.4 rad/s (0.2 at the joint), no current
  const std::vector<double> x = run_with(std::make_unique<LinearActuator>(plain));
  const std::vector<double> y = run_with(std::make_unique<LinearActuator>(other));
  EXPECT_TRUE(near(y[0], x[0], 1e-11));
  EXPECT_TRUE(near(y[1], x[1], 1e-11));
  EXPECT_TRUE(near(0.5 * (y[2] - y[3]), x[2], 1e-11));
}

TEST(LinearActuator, Refusals) {
  auto refusal = [](auto&& change) {
    LinearActuatorSettings actuator = in_canonical_form(motor(5e-3).motor);
    change(actuator);
    return message_of([&] { LinearActuator part(actuator); });
  };
  using S = LinearActuatorSettings;
  EXPECT_EQ(refusal([](S&) {}), no_error);
  EXPECT_TRUE(mentions(refusal([](S& s) { s.f[1] = 0; }), {"T f", "negative", "inertia"}));
  EXPECT_TRUE(mentions(refusal([](S& s) { s.f[1] = 3; }), {"T f", "is 3"}));
  EXPECT_TRUE(mentions(refusal([](S& s) { s.C.pop_back(); }), {"C has 8 numbers, 9"}));
  EXPECT_TRUE(mentions(refusal([](S& s) { s.C[2] = 1; }), {"row 0", "position"}));
  EXPECT_TRUE(mentions(refusal([](S& s) { s.velocity_state = -1; }), {"velocity"}));
  EXPECT_TRUE(mentions(refusal([](S& s) { s.velocity_state = 7; }), {"velocity_state is 7"}));
  EXPECT_TRUE(mentions(refusal([](S& s) { s.ratio = 0; }), {"ratio is 0"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
