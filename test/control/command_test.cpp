// Commands of controllers: cut off on both sides, and references of ball joints.
#include <algorithm>

#include <limber/control/joint_controller.hpp>
#include <limber/limber.hpp>
#include <limber/math/quat.hpp>

#include "control/closed_loop.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// 2 kg on a rail, pulled to 0 with 100 N/m and at most 20 N: 10 m/s² from afar, on either side
TEST(CommandLimit, CutsOffOnBothSides) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("cart", 2);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  const Model m = build(spec);
  JointControlSettings settings;
  settings.reference = constant_trajectory(m, std::vector<double>{0});
  settings.stiffness = {100};
  settings.command_limits = {20};
  for (const double sample_time : {0.0, 1e-3})
    for (const double place : {1.0, -1.0, 0.1, -0.1}) {
      const double acceleration = std::clamp(-50 * place, -10.0, 10.0);
      settings.sample_time = sample_time;
      System system(m);
      system.add(std::make_unique<JointController>(settings));
      SimulationSettings short_run;
      short_run.duration = 1e-3;
      const std::vector<double> q = {place}, v = {0};
      Simulation run(system, short_run, q, v);
      double saturated = -1;
      run.on_record = [&](const System& now, double, std::span<const double> x) {
        EXPECT_NEAR(now.accelerations()[0], acceleration, 1e-3) << place;
        std::vector<double> values(now.columns().size());
        now.record(x, values);
        for (std::size_t k = 0; k < values.size(); ++k)
          if (now.columns()[k].name.ends_with(".saturated")) saturated = values[k];
      };
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      EXPECT_EQ(saturated, std::abs(place) == 1 ? 1 : 0) << place;
    }
}

// a saved state is a file: a count of samples that cannot be ends the run and harms no memory
TEST(SampledController, RefusesADamagedCountOfSamples) {
  Spec spec;
  spec.add_body("cart", 2);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  const Model m = build(spec);
  JointControlSettings settings;
  settings.reference = constant_trajectory(m, std::vector<double>{0});
  settings.stiffness = {100};
  settings.sample_time = 1e-2;
  settings.sensor.delay = 3;
  SimulationSettings run;
  run.duration = 1;
  const std::vector<double> zero = {0};
  System first(m);
  first.add(std::make_unique<JointController>(settings));
  Simulation begun(first, run, zero, zero);
  begun.advance(0.5);
  const SavedRun good = begun.save();
  for (const double wrong : {-1.0, -5.0, 1e17, 1e300}) {
    SavedRun saved = good;
    saved.discrete[0] = wrong;
    System system(m);
    system.add(std::make_unique<JointController>(settings));
    Simulation resumed(system, run, saved);
    EXPECT_EQ(resumed.run(), RunStatus::failed);
    EXPECT_NE(resumed.message().find("samples"), std::string::npos) << resumed.message();
  }
}

// Without gains computed torque keeps the error of the velocity as it is, seen in the axes of the
// body: v̇ = (X v_r)˙, where X takes the axes of the reference body to those of the body.
TEST(ComputedTorque, OfABallJointKeepsTheErrorOfTheVelocity) {
  Spec spec;
  spec.add_body("stone", 2, {0.1, 0.2, -0.3}, {0.5, 0.7, 0.4, 0.05, 0.02, -0.04});
  spec.add_joint("ball", JointKind::spherical, "", "stone");
  const Model m = build(spec);
  const Quat<double> end = exp_quat(Vec3<double>{0.9, -0.7, 1.1});
  const std::vector<double> from = {0, 0, 0, 1}, to = {end.x, end.y, end.z, end.w};
  MoveSettings move;
  move.duration = 1;
  JointControlSettings settings;
  settings.law = JointLaw::computed_torque;
  settings.reference = point_to_point(m, from, to, move);
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  const std::vector<double> v = {0.8, -0.5, 1.2};
  run_closed_loop(system, from, v, 0.8, 0.1, [&](double t, auto q_now, auto v_now) {
    std::vector<double> q(4), rate(3), a(3);
    settings.reference->sample(t, q, rate, a);
    const Mat3<double> R = to_matrix(Quat<double>{q_now[0], q_now[1], q_now[2], q_now[3]}),
                       R_r = to_matrix(Quat<double>{q[0], q[1], q[2], q[3]});
    const Vec3<double> seen = transpose_times(R, R_r * Vec3<double>{rate[0], rate[1], rate[2]});
    EXPECT_NEAR(v_now[0] - seen.x, v[0], 1e-8) << t;
    EXPECT_NEAR(v_now[1] - seen.y, v[1], 1e-8) << t;
    EXPECT_NEAR(v_now[2] - seen.z, v[2], 1e-8) << t;
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
