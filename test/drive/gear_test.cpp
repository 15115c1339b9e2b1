// Gears that lose power: the law of the gear on random robots with several drives, energy, and what
// a lossy gear holds by itself.
#include <limber/drive/motor_drive.hpp>

#include <cmath>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/model/generate.hpp>

#include "drive/drive_support.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

struct Machine {
  Model bare;  // without rotors
  std::vector<MotorDriveSettings> drives;
  std::vector<double> voltages;
};

Machine random_machine(Random& random) {
  Machine machine;
  Spec spec =
      generate_tree(random.integer(1, 8), static_cast<std::uint64_t>(random.integer(1, 999)),
                    {.kinds = {JointKind::revolute, JointKind::prismatic},
                     .branching = random.uniform(0, 1),
                     .rotor = 0});
  for (JointSpec& joint : spec.joints) joint.dofs.clear();
  machine.bare = build(spec);
  for (int body = 1; body < machine.bare.bodies(); ++body) {  // in the order of the freedoms
    MotorDriveSettings drive;
    drive.joint = machine.bare.joint_name[at_index(body)];
    drive.motor.torque_constant = random.uniform(0.05, 0.2);
    drive.motor.resistance = random.uniform(0.5, 2);
    drive.motor.rotor_inertia = random.uniform(1e-5, 2e-3);
    drive.motor.viscous_friction = random.uniform(0, 1e-3);
    drive.motor.friction = FrictionSettings{random.uniform(0, 0.05), random.uniform(0, 0.05)};
    drive.gear.ratio = random.uniform(10, 100) * (random.uniform() > 0 ? 1 : -1);
    drive.gear.efficiency = random.uniform(0.5, 1);
    drive.gear.back_efficiency = random.uniform(0.3, drive.gear.efficiency);
    drive.input = DriveInput::voltage;
    machine.drives.push_back(drive);
    machine.voltages.push_back(random.uniform(-30, 30));
  }
  return machine;
}

System assemble(const Machine& machine) {
  System system(machine.bare);
  for (const MotorDriveSettings& drive : machine.drives)
    system.add(std::make_unique<MotorDrive>(drive));
  system.add(std::make_unique<Commands>([voltages = machine.voltages](Evaluation& at) {
    std::copy(voltages.begin(), voltages.end(), at.command.begin());
  }));
  return system;
}

// what the links get by inverse dynamics is what the gears' law makes of the motors' torques
TEST(LossyGear, TheLawHoldsWithTheAccelerationItGives) {
  Random random(7);
  int to_joint = 0, to_motor = 0;
  for (int trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const Machine machine = random_machine(random);
    System system = assemble(machine);
    const RandomState state = generate_state(machine.bare, static_cast<std::uint64_t>(trial + 1));
    const std::vector<double> x = system.initial_state(state.q, state.v);
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
    const std::vector<double> a(system.accelerations().begin(), system.accelerations().end());
    Workspace ws(machine.bare);
    const std::span<const double> links = inverse_dynamics(machine.bare, state.q, state.v, a, ws);
    double scale = 1;
    for (const double tau : links) scale = std::max(scale, std::abs(tau));
    for (int k = 0; k < machine.bare.nv; ++k) {
      const MotorDriveSettings& drive = machine.drives[at_index(k)];
      const double N = *drive.gear.ratio, omega = N * state.v[at_index(k)];
      const double C_M = drive.motor.torque_constant;
      const double i = (machine.voltages[at_index(k)] - C_M * omega) / drive.motor.resistance;
      const double friction =
          omega > 0 ? drive.motor.friction->forward : -drive.motor.friction->backward;
      const double M = C_M * i - *drive.motor.viscous_friction * omega - friction -
                       *drive.motor.rotor_inertia * N * a[at_index(k)];
      const bool drives = M * omega > 0;
      const double tau =
          drives ? N * drive.gear.efficiency * M : N * M / drive.gear.back_efficiency;
      EXPECT_NEAR(links[at_index(k)], tau, 1e-10 * scale);
      EXPECT_LE(links[at_index(k)] * state.v[at_index(k)], M * omega + 1e-10 * scale);
      ++(drives ? to_joint : to_motor);
    }
  }
  EXPECT_GT(to_joint, 300);
  EXPECT_GT(to_motor, 300);
}

// over a run, the mechanism with its rotors never has more energy than the fields have put in
TEST(LossyGear, EnergyIsNeverCreated) {
  Random random(11);
  for (int trial = 0; trial < 4; ++trial) {
    Machine machine = random_machine(random);
    for (double& u : machine.voltages) u = 0;  // brake: only losses
    System system = assemble(machine);
    const RandomState state = generate_state(machine.bare, static_cast<std::uint64_t>(trial + 50));
    SimulationSettings settings = accurate(0.5);
    settings.integrator.relative_tolerance = 1e-9;
    settings.integrator.absolute_tolerance = 1e-10;
    Simulation run(system, settings, state.q, state.v);
    double last = HUGE_VAL;
    run.on_record = [&](const System& now, double, std::span<const double> x) {
      const EnergyBalance energy = now.energy(x);
      EXPECT_LE(energy.total(), last + 1e-7 * std::abs(energy.total()));
      last = energy.total();
    };
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    const EnergyBalance end = run.system().energy(run.x());
    system.evaluate(0, system.initial_state(state.q, state.v));
    const double begin = system.energy(run.x()).total();
    EXPECT_NEAR(end.total() - begin, end.work, 1e-5 * std::max(1.0, std::abs(begin)));
  }
}

// a hoist without current: a rotor of no friction behind the gear. The load drives the motor:
//   (m + N² J/η″) a = m g;   it rises when the motor pulls: (m + η′ N² J) a = η′ N K i − m g
TEST(LossyGear, AHoistUpAndDown) {
  const double m = 3, g = 9.81, J = 2e-4, N = 50;
  MotorDriveSettings drive;
  drive.joint = "slide";
  drive.motor.torque_constant = 0.1;
  drive.motor.resistance = 1;
  drive.motor.rotor_inertia = J;
  drive.gear = {-N, 0.7, 0.6};
  drive.input = DriveInput::current;
  auto acceleration = [&](double current, double v) {
    System system(block(m, g));  // positive is down; the motor lifts with a negative ratio
    system.add(std::make_unique<MotorDrive>(drive));
    system.add(constant_command(current));
    SimulationSettings settings = accurate(1e-3);
    Simulation run(system, settings, std::vector{0.0}, std::vector{v});
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return (run.x()[1] - v) / 1e-3;
  };
  EXPECT_TRUE(near(acceleration(0, 0), m * g / (m + N * N * J / 0.6), 1e-9));
  const double lift = (m * g - 0.7 * N * 0.1 * 10) / (m + 0.7 * N * N * J);
  EXPECT_LT(lift, 0);
  EXPECT_TRUE(near(acceleration(10, 0), lift, 1e-9));
  // between what lifts it (m g / η′) and what lets it go (η″ m g) the gear holds the load
  const double balance = m * g / (N * 0.1);
  EXPECT_EQ(acceleration(0.61 * balance, 0), 0);
  EXPECT_EQ(acceleration(1.42 * balance, 0), 0);
  EXPECT_GT(acceleration(0.59 * balance, 0), 0);
  EXPECT_LT(acceleration(1.44 * balance, 0), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
