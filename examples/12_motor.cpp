// A motor lifts an arm. When its voltage is gone, friction and the loss of the gear hold the arm.
#include <cstdio>

#include <limber/drive/motor_drive.hpp>
#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

// 12 V for 0.4 s, then a short circuit
class Switch final : public limber::Part {
 public:
  Switch() : Part("switch") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Switch>(*this); }
  limber::Role role() const override { return limber::Role::control; }
  double sample_time() const override { return 0.4; }
  int discrete_states() const override { return 1; }
  void update(limber::Evaluation& at, std::span<double> d) override { d[0] = at.t < 0.2 ? 12 : 0; }
  void apply(limber::Evaluation& at) override { at.command[0] = at.d[0]; }
};

int main() {
  limber::Spec spec;
  spec.add_body("arm", 1.5, {0.3, 0, 0}, {0.001, 0.05, 0.05, 0, 0, 0});
  spec.add_joint("shoulder", limber::JointKind::revolute, "", "arm", {0, -1, 0});  // up is positive

  limber::MotorDriveSettings drive;
  drive.joint = "shoulder";
  drive.motor.torque_constant = 0.05;  // [N m/A]
  drive.motor.resistance = 1.5;        // [ohm]
  drive.motor.rotor_inertia = 2e-5;    // [kg m²]
  drive.motor.friction = limber::FrictionSettings{0.03, 0.03};
  drive.motor.current_limit = 4;  // [A]
  drive.gear.ratio = 60;
  drive.gear.efficiency = 0.75;
  drive.gear.back_efficiency = 0.6;
  drive.input = limber::DriveInput::voltage;

  limber::System system(limber::build(spec));
  system.add(std::make_unique<limber::MotorDrive>(drive));
  system.add(std::make_unique<Switch>());

  limber::SimulationSettings settings;
  settings.duration = 0.7;
  settings.record_interval = 0.1;
  settings.integrator.method = "dopri5";
  limber::Simulation run(system, settings, std::vector{0.0}, std::vector{0.0});
  std::vector<double> values(run.system().columns().size());
  std::printf("time   angle  current  motor torque  power  sticks\n");
  run.on_record = [&](const limber::System& now, double t, std::span<const double> x) {
    now.record(x, values);
    std::printf("%3.1f s  %6.3f  %7.3f  %10.4f  %7.2f  %5.0f\n", t, x[0] + 0.0, values[0],
                values[2], values[4] + 0.0, values[6]);
  };
  run.run();
}
