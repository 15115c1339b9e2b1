// Elastic transmissions: frequencies, chains of stages, play, the stiff limit, energy.
#include <limber/drive/elastic_drive.hpp>

#include <cmath>

#include <Eigen/Dense>

#include <limber/drive/motor_drive.hpp>

#include "drive/drive_support.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double K = 0.05, R = 2, J = 1e-4, I = 0.03, N = 20;

ElasticDriveSettings drive(const ElasticStage& stage, DriveInput input = DriveInput::current) {
  ElasticDriveSettings settings;
  settings.joint = "wheel";
  settings.motor.torque_constant = K;
  settings.motor.resistance = R;
  settings.motor.rotor_inertia = J;
  settings.stages = {stage};
  settings.input = input;
  return settings;
}

System driven_wheel(const ElasticDriveSettings& settings, double command) {
  System system(wheel(I));
  system.add(std::make_unique<ElasticDrive>(settings));
  system.add(constant_command(command));
  return system;
}

std::vector<double> end_of_run(System& system, double duration, double q0 = 0, double v0 = 0) {
  Simulation run(system, accurate(duration), std::vector{q0}, std::vector{v0});
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return {run.x().begin(), run.x().end()};
}

// two inertias and a spring, seen at the joint: m = N² (J + I′) + I″ and I. A constant torque of
// the motor makes the spring swing about its new rest with ω² = c (1/m + 1/I), (20.98), (20.99)
TEST(ElasticDrive, TwoInertiasSwingWithTheirFrequency) {
  for (const double d : {0.0, 0.2}) {
    const double c = 500, inner = 3e-5, outer = 4e-3, i = 2;
    System system = driven_wheel(drive({N, inner, outer, c, d}), i);
    const double m = N * N * (J + inner) + outer, force = N * K * i;
    const double omega = std::sqrt(c * (1 / m + 1 / I)), decay = 0.5 * d * (1 / m + 1 / I);
    const double swing = std::sqrt(omega * omega - decay * decay);
    for (const double t : {0.7 / omega, 40 / omega}) {
      const double delta =
          force / (m * omega * omega) *
          (1 - std::exp(-decay * t) * (std::cos(swing * t) + decay / swing * std::sin(swing * t)));
      const double centre = 0.5 * force / (m + I) * t * t;
      const std::vector<double> x = end_of_run(system, t);
      EXPECT_TRUE(near(x[0], centre - m / (m + I) * delta, 1e-10));
      EXPECT_TRUE(near(x[2], N * (centre + I / (m + I) * delta), 1e-10));
      EXPECT_TRUE(near(column(system, t, x, "wheel.deflection"), delta, 1e-10));
    }
  }
}

// steps too long for the spring of one joint: it is named, although all joints are thrown about
TEST(ElasticDrive, TheDriveThatDivergesIsNamed) {
  for (const std::string stiff : {"first", "second"}) {
    Spec spec;
    spec.gravity = {};
    spec.add_body("inner", 1, {0.25, 0, 0}, {0.01, 0.03, 0.03});
    spec.add_body("outer", 1, {0.25, 0, 0}, {0.01, 0.03, 0.03});
    spec.add_joint("first", JointKind::revolute, "", "inner");
    spec.add_joint("second", JointKind::revolute, "inner", "outer", {0, 0, 1},
                   Transform<double>::translation({0.5, 0, 0}));
    System system(build(spec));
    for (const std::string joint : {"first", "second"}) {
      ElasticDriveSettings settings = drive({N, 1e-5, 1e-3, joint == stiff ? 1e6 : 300, 1});
      settings.joint = joint;
      system.add(std::make_unique<ElasticDrive>(settings));
    }
    system.add(
        std::make_unique<Commands>([](Evaluation& at) { at.command[0] = at.command[1] = 1; }));
    SimulationSettings settings;
    settings.duration = 1;
    settings.integrator.method = "rk4";
    settings.integrator.step = 1e-3;
    Simulation run(system, settings, std::vector{0.0, 0.3}, std::vector{0.0, 0.0});
    EXPECT_EQ(run.run(), RunStatus::diverged);
    EXPECT_TRUE(mentions(run.message(), {"elastic drive of '" + stiff + "'", "moves with"}));
  }
}

// three stages as a chain of four inertias, by its modes
TEST(ElasticDrive, SeveralStagesSwingInTheirModes) {
  const double N1 = 4, N2 = -3, N3 = 2, i = 1.5, t = 0.35;
  ElasticDriveSettings settings = drive({N1, 2e-5, 1e-4, 30, 0});
  settings.stages.push_back({N2, 2e-4, 3e-4, 150, 0});
  settings.stages.push_back({N3, 5e-4, 0, 700, 0});
  System system = driven_wheel(settings, i);
  const VectorXd mass{{J + 2e-5 + 1e-4 / (N1 * N1), 2e-4 + 3e-4 / (N2 * N2), 5e-4, I}};
  MatrixXd stiffness = MatrixXd::Zero(4, 4);
  for (int s = 0; s < 3; ++s) {
    const ElasticStage& stage = settings.stages[static_cast<std::size_t>(s)];
    VectorXd stretch = VectorXd::Zero(4);
    stretch[s] = 1 / *stage.ratio;
    stretch[s + 1] = -1;
    stiffness += stage.stiffness * stretch * stretch.transpose();
  }
  const auto [squares, shapes] = modes(stiffness, mass);
  const VectorXd push = shapes.row(0).transpose() * (K * i);
  VectorXd answer(4);
  for (int k = 0; k < 4; ++k) {
    const double square = squares[k];  // the first is the free turning of the whole
    answer[k] =
        k == 0 ? 0.5 * push[0] * t * t : push[k] / square * (1 - std::cos(std::sqrt(square) * t));
  }
  const VectorXd expected = shapes * answer;
  const std::vector<double> x = end_of_run(system, t);
  EXPECT_TRUE(near(x[2], expected[0], 1e-9));
  EXPECT_TRUE(near(x[4], expected[1], 1e-9));
  EXPECT_TRUE(near(x[6], expected[2], 1e-9));
  EXPECT_TRUE(near(x[0], expected[3], 1e-9));
}

// the motor crosses half the play freely, then meets the spring with the speed it has
TEST(ElasticDrive, PlayIsCrossedWithoutForce) {
  const double c = 500, play = 0.02, i = 2, m = N * N * J, force = N * K * i;
  System system = driven_wheel(drive({N, 0, 0, c, 0, play}), i);
  const double meet = std::sqrt(play * m / force), speed = force / m * meet;
  const std::vector<double> free = end_of_run(system, 0.999 * meet);
  EXPECT_EQ(free[0], 0);
  EXPECT_EQ(free[1], 0);
  EXPECT_TRUE(near(free[2], 0.5 * N * force / m * std::pow(0.999 * meet, 2), 1e-10));
  const double omega = std::sqrt(c * (1 / m + 1 / I)), t = 0.8 / omega,
               rest = force / m / omega / omega;
  const double pressed = rest * (1 - std::cos(omega * t)) + speed / omega * std::sin(omega * t);
  const std::vector<double> after = end_of_run(system, meet + t);
  EXPECT_TRUE(near(after[2] / N - after[0], 0.5 * play + pressed, 1e-9));
}

// hammering through the play many times: what the field gives is kinetic and spring energy
TEST(ElasticDrive, EnergyThroughManyStrokes) {
  const double c = 2000, play = 0.01;
  ElasticDriveSettings settings = drive({N, 1e-5, 0, c, 0, play});
  const double Jm = J + 1e-5;
  System system = driven_wheel(settings, 1.5);
  const std::vector<double> x = end_of_run(system, 1.0, 0, 3.0);
  const double gap = x[2] / N - x[0];
  const double stretch = std::max(0.0, std::abs(gap) - 0.5 * play);
  const double energy =
      0.5 * Jm * x[3] * x[3] + 0.5 * I * x[1] * x[1] + 0.5 * c * stretch * stretch;
  const double begin = 0.5 * (Jm * N * N + I) * 9;
  EXPECT_TRUE(near(energy, begin + K * 1.5 * x[2], 1e-9));
  EXPECT_TRUE(near(x.back(), 0.5 * I * (x[1] * x[1] - 9), 1e-9));  // through the spring
}

TEST(ElasticDrive, ASpringWithPlayNeverPulls) {
  const ElasticStage stage{1, 0, 0, 100, 5, 0.2};
  EXPECT_EQ(spring_torque(stage, 0.1, 3), 0);
  EXPECT_TRUE(near(spring_torque(stage, 0.15, 0.2), 100 * 0.05 + 5 * 0.2, 1e-14));
  EXPECT_TRUE(near(spring_torque(stage, -0.15, -0.2), -100 * 0.05 - 5 * 0.2, 1e-14));
  EXPECT_EQ(spring_torque(stage, 0.15, -2), 0);
}

// stiffer and stiffer, it becomes the drive with the rigid gear
TEST(ElasticDrive, StiffLimitIsTheMotorDrive) {
  MotorDriveSettings rigid;
  rigid.joint = "wheel";
  rigid.motor = drive({}).motor;
  rigid.motor.inductance = 0.01;
  rigid.motor.viscous_friction = 1e-5;
  rigid.gear.ratio = N;
  rigid.input = DriveInput::voltage;
  System stiff(wheel(I));
  stiff.add(std::make_unique<MotorDrive>(rigid));
  stiff.add(constant_command(12));
  const std::vector<double> limit = end_of_run(stiff, 0.2);
  double last = HUGE_VAL;
  for (const double c : {1e4, 1e5, 1e6}) {
    ElasticDriveSettings settings = drive({N, 0, 0, c, 1e-3 * c}, DriveInput::voltage);
    settings.motor = rigid.motor;
    System system = driven_wheel(settings, 12);
    Simulation run(system, accurate_stiff(0.2), std::vector{0.0}, std::vector{0.0});
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    const double error = std::abs(run.x()[0] - limit[0]) / limit[0];
    EXPECT_LT(error, 0.2 * last);
    last = error;
  }
  EXPECT_LT(last, 1e-5);
}

// friction holds the rotor: the joint alone swings on its spring, with √(c/I)
TEST(ElasticDrive, AStuckRotorLeavesTheJointSwinging) {
  class Push final : public Part {
   public:
    Push() : Part("push") {}
    std::unique_ptr<Part> clone() const override { return std::make_unique<Push>(*this); }
    Role role() const override { return Role::world; }
    void apply(Evaluation& at) override { at.tau[0] += 0.3; }
  };
  ElasticDriveSettings settings = drive({N, 0, 0, 60, 0});
  settings.motor.friction = FrictionSettings{0.05, 0.05};  // 1 N m at the joint
  System system = driven_wheel(settings, 0);
  system.add(std::make_unique<Push>());
  const double t = 0.4;
  const std::vector<double> x = end_of_run(system, t);
  EXPECT_EQ(x[3], 0);
  EXPECT_EQ(x[2], 0);
  EXPECT_TRUE(near(x[0], 0.3 / 60 * (1 - std::cos(std::sqrt(60 / I) * t)), 1e-10));
  // 0.6 N m is the most the spring then bears; with less friction than that the rotor gives way
  settings.motor.friction = FrictionSettings{0.02, 0.02};
  System gives = driven_wheel(settings, 0);
  gives.add(std::make_unique<Push>());
  EXPECT_GT(end_of_run(gives, t)[2], 0.01);
}

TEST(ElasticDrive, WeightHangsOnTheSpringFromTheBeginning) {
  Spec spec;
  spec.add_body("arm", 2, {0.4, 0, 0}, {0.01, 0.05, 0.05, 0, 0, 0});
  spec.add_joint("wheel", JointKind::revolute, "", "arm", {0, 1, 0}).dof().gear_ratio = -N;
  ElasticDriveSettings settings = drive({{}, 0, 0, 300, 1, 0.01}, DriveInput::torque);
  settings.initial_load = InitialLoad::gravity;
  System system(build(spec));
  system.add(std::make_unique<ElasticDrive>(settings));
  const double weight = -2 * 9.81 * 0.4;  // about the y axis, arm along x
  system.add(constant_command(weight));
  const std::vector<double> x = end_of_run(system, 0.5);
  EXPECT_NEAR(x[0], 0, 1e-12);
  EXPECT_TRUE(near(x[2], -N * (weight / 300 - 0.005), 1e-12));
}

TEST(ElasticDrive, Refusals) {
  auto refusal = [](const ElasticDriveSettings& settings) {
    return message_of([&] { driven_wheel(settings, 0); });
  };
  const ElasticStage good{N, 0, 0, 100, 0};
  EXPECT_EQ(refusal(drive(good)), no_error);
  ElasticDriveSettings settings = drive(good);
  settings.stages.clear();
  EXPECT_TRUE(mentions(refusal(settings), {"stages is empty"}));
  settings = drive({N, 0, 0, 0, 0});
  EXPECT_TRUE(mentions(refusal(settings), {"stage 1", "stiffness is 0"}));
  settings = drive(good);
  settings.stages.push_back({2, 0, 0, 100, 0});
  EXPECT_TRUE(mentions(refusal(settings), {"shaft 2 has no inertia", "input_inertia"}));
  settings.stages[1].ratio = {};
  EXPECT_TRUE(mentions(refusal(settings), {"stage 2", "ratio"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
