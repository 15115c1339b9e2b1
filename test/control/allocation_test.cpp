// Nothing that runs inside a simulation step allocates.
#include <limber/control/hybrid_controller.hpp>
#include <limber/control/open_loop.hpp>
#include <limber/control/plugin.hpp>
#include <limber/control/prescribed.hpp>
#include <limber/control/task_controller.hpp>
#include <limber/control/vehicle_controller.hpp>
#include <limber/control/walking_controller.hpp>
#include <limber/control/whole_body_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/environment_contact.hpp>
#include <limber/sim/frame_force.hpp>
#include <limber/sim/system.hpp>

#include "support/counting_new.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::vector<JointTrajectoryPointer> trajectories(const Model& m) {
  const std::vector<double> a = neutral_position(m);
  std::vector<double> b = a;
  integrate(m, a, std::vector<double>(static_cast<std::size_t>(m.nv), 0.05), 1, b);
  MoveSettings move;
  move.duration = 1;
  const auto there = point_to_point(m, a, b, move), back = point_to_point(m, b, a, move);
  return {constant_trajectory(m, a), there, quintic_trajectory(m, {a, {}, {}}, {b, {}, {}}, 1),
          spline_trajectory(m, std::vector<double>{0, 0.5, 1}, {a, b, a}),
          sequence_trajectory(m, {{there, 0.1}, {back, 0}})};
}

TEST(Allocation, TrajectoriesDoNotAllocate) {
  const Model m = load("every_joint");
  std::vector<double> q(static_cast<std::size_t>(m.nq)), v(static_cast<std::size_t>(m.nv)), a(v);
  for (const auto& trajectory : trajectories(m))
    EXPECT_EQ(allocations_in([&] { trajectory->sample(0.3, q, v, a); }), 0);
  TaskMoveSettings move;
  move.duration = 1;
  const Transform<double> here, there{rotation(Vec3<double>{0, 0, 1}, 1.0), {1, 2, 3}};
  for (const auto& task : {line_trajectory(here, there, move),
                           arc_trajectory(here, {{1, 0, 0}, {0, 0, 1}, 2}, there.R, move),
                           task_spline(std::vector<double>{0, 1}, {here, there})})
    EXPECT_EQ(allocations_in([&] { task->sample(0.3); }), 0);
}

/// A system with one part, evaluated, sampled and recorded.
void expect_no_allocations(const Model& m, std::unique_ptr<Part> part,
                           const std::vector<double>& q) {
  System system(m);
  system.add(std::move(part));
  const auto x = system.initial_state(q, std::vector<double>(static_cast<std::size_t>(m.nv), 0.01));
  std::vector<double> x_dot(x.size()), values(system.columns().size());
  ASSERT_EQ(system.derivative(0.1, x, x_dot), Evaluated::ok) << system.failure();
  EXPECT_EQ(allocations_in([&] { system.derivative(0.1 + 1e-6, x, x_dot); }), 0);
  if (system.parts()[0]->sample_time() > 0) {
    EXPECT_EQ(allocations_in([&] { system.update(0, 0.1, x); }), 0);
  }
  EXPECT_EQ(allocations_in([&] { system.record(x, values); }), 0);
}

TEST(Allocation, JointControllersDoNotAllocate) {
  for (const char* robot : {"puma560", "every_joint"}) {
    const Model m = load(robot);
    for (const JointLaw law : {JointLaw::pid, JointLaw::gravity, JointLaw::feedforward,
                               JointLaw::computed_torque, JointLaw::impedance})
      for (const double sample_time : {0.0, 0.01}) {
        JointControlSettings settings;
        settings.law = law;
        settings.sample_time = sample_time;
        settings.reference = trajectories(m)[1];
        settings.stiffness = settings.damping = settings.integral = {1};
        settings.passive = PassiveCompensation::from_reference;
        if (sample_time > 0) {
          settings.sensor.position_noise = settings.sensor.velocity_noise = {0.01};
          settings.sensor.delay = 2;
        }
        expect_no_allocations(m, std::make_unique<JointController>(settings), neutral_position(m));
      }
  }
}

TEST(Allocation, TaskControllersDoNotAllocate) {
  const std::vector<double> arm{0.3, -0.4, -0.3, 0.5, 0.9, 0.2};
  for (const char* base : {"fixed", "floating"}) {
    Spec spec = load_spec("puma560");
    if (base == std::string("floating")) {
      float_base(spec);
      spec.bodies.front().inertia =
          spec.bodies.front().inertia + Inertia<double>{9, {}, {1, 1, 1, 0, 0, 0}};
    }
    const Model m = build(spec);
    std::vector<double> q = neutral_position(m);
    std::copy(arm.begin(), arm.end(), q.end() - 6);
    for (const TaskLaw law : {TaskLaw::operational_space, TaskLaw::impedance}) {
      TaskControlSettings settings;
      settings.law = law;
      settings.frame = "link6";
      settings.reference = constant_pose({});
      settings.stiffness = settings.damping = {10};
      settings.posture = constant_trajectory(m, q);
      settings.posture_stiffness = settings.posture_damping = 1;
      expect_no_allocations(m, std::make_unique<TaskController>(settings), q);
    }
  }
}

TEST(Allocation, HybridControllersDoNotAllocate) {
  const Model m = load("puma560");
  const std::vector<double> q{0.3, -0.4, -0.3, 0.5, 0.9, 0.2};
  for (const double sample_time : {0.0, 0.01})
    for (const char* task_frame : {"", "link2"}) {
      HybridControlSettings settings;
      settings.frame = "tool";
      settings.task_frame = task_frame;
      settings.reference = constant_pose({});
      settings.force[5] = Signal::expression("-5*min(t, 1)");
      settings.stiffness = settings.damping = {10};
      settings.force_gain = settings.force_integral = {0.5};
      settings.compensation = 0.5;
      settings.sample_time = sample_time;
      settings.posture = constant_trajectory(m, q);
      settings.posture_stiffness = settings.posture_damping = 1;
      expect_no_allocations(m, std::make_unique<HybridController>(settings), q);
    }
}

TEST(Allocation, EnvironmentsDoNotAllocate) {
  const Model m = load("puma560");
  const std::vector<double> q{0.3, 0.9, 2.6, 0.2, -0.6, 0.2};
  Workspace ws(m);
  EnvironmentSettings board;
  board.frame = "tool";
  board.placement.p = frame_pose(m, forward_kinematics<double>(m, q, ws), m.frame("tool")).p;
  expect_no_allocations(m, std::make_unique<EnvironmentContact>(board), q);  // in touch, rigid
  board.stiffness = board.damping = 100;
  expect_no_allocations(m, std::make_unique<EnvironmentContact>(board), q);
}

TEST(Allocation, WholeBodyControllersDoNotAllocate) {
  const Model m = load("quadruped");
  const std::vector<double> q = neutral_position(m);
  WholeBodySettings settings;
  settings.frames.push_back({"front_left_foot", TaskRows::position, constant_pose({})});
  settings.center_of_mass.reference = constant_pose({});
  settings.posture.damping = 1;
  settings.contacts = {{"hind_left_foot"}, {"hind_right_foot"}, {"front_right_foot"}};
  for (const double sample_time : {0.0, 0.01}) {
    settings.sample_time = sample_time;
    expect_no_allocations(m, std::make_unique<WholeBodyController>(settings), q);
  }
}

TEST(Allocation, WalkingControllersDoNotAllocate) {
  const Model m = load("quadruped");
  WalkingSettings settings;
  settings.sample_time = 0.01, settings.period = 0.2;  // two feet swing at the sample
  settings.feet = {{"hind_left_foot", 0},
                   {"front_right_foot", 0},
                   {"hind_right_foot", 0.9},
                   {"front_left_foot", 0.9}};
  expect_no_allocations(m, std::make_unique<WalkingController>(settings), neutral_position(m));
}

TEST(Allocation, OtherPartsDoNotAllocate) {
  const Model m = load("puma560");
  const std::vector<double> q(6, 0.0);
  expect_no_allocations(m,
                        std::make_unique<PrescribedJoint>(
                            PrescribedJointSettings{"p", {"elbow"}, trajectories(m)[3]}),
                        q);
  ForceHistory push;
  push.times = {0, 1};
  push.values.resize(2);
  expect_no_allocations(
      m, std::make_unique<ExternalForce>(ExternalForceSettings{"f", "link6", push}), q);
  expect_no_allocations(
      m,
      std::make_unique<OpenLoop>(OpenLoopSettings{
          "elbow", InputQuantity::torque, Signal::expression("3*step(t-0.05)*sin(max(t, 0.1))")}),
      q);
  FrameForceSettings spring;
  spring.to = "link6";
  spring.stiffness = spring.damping = 1;
  spring.law = frame_force_law("length^2 - rate*t");
  spring.lengths = spring.tensions = {0, 1, 2};
  expect_no_allocations(m, std::make_unique<FrameForce>(spring), q);
  PluginSettings plugin;
  plugin.sample_time = 0.01;
  expect_no_allocations(m, load_controller(BANG_BANG_PLUGIN, plugin), q);
}

TEST(Allocation, ControlOfVehiclesDoesNotAllocate) {
  Spec spec;
  spec.add_body("hull", 20, {}, {1, 1, 1});
  spec.add_joint("base", JointKind::free, "", "hull");
  spec.add_body("arm", 1, {0.2, 0, 0}, {0.1, 0.1, 0.1});
  spec.add_joint("shoulder", JointKind::revolute, "hull", "arm");
  const Model m = build(spec);
  VehicleControlSettings control;
  control.gains.kp.fill(10);
  control.gains.ki.fill(1);
  control.arm =
      ArmReactionSettings{nullptr, 0, {{"arm", Hydrodynamics{}}}, std::make_shared<Water>()};
  ThrusterSettings thruster;
  thruster.name = "thruster";
  thruster.frame = "hull";
  thruster.forward = thruster.backward = 1;
  thruster.lower = -1;
  thruster.upper = 1;
  FinSettings fin;
  fin.name = "fin";
  fin.frame = "arm";
  fin.area = fin.slope = 1;
  fin.lower = -1;
  fin.upper = 1;
  System system(m);
  system.add(std::make_unique<VehicleController>(control));
  system.add(std::make_unique<Thruster>(thruster));
  system.add(std::make_unique<Fin>(fin));
  const auto x = system.initial_state(neutral_position(m), std::vector<double>(7, 0.1));
  std::vector<double> x_dot(x.size()), values(system.columns().size());
  ASSERT_EQ(system.derivative(0.1, x, x_dot), Evaluated::ok) << system.failure();
  system.update(0, 0.1, x);
  EXPECT_EQ(allocations_in([&] { system.update(0, 0.2, x); }), 0);
  EXPECT_EQ(allocations_in([&] { system.derivative(0.2, x, x_dot); }), 0);
  EXPECT_EQ(allocations_in([&] { system.record(x, values); }), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
