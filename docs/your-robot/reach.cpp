// Find the joint positions that put the tip somewhere, and move there under computed torque.
#include <cstdio>

#include <limber/limber.hpp>
#include <limber/simulator.hpp>

int main() {
  const limber::Model arm = limber::load("arm.urdf");
  limber::Workspace ws(arm);

  // where must the joints be? only the tip's position counts, not how it is turned
  limber::Transform<double> goal;
  goal.p = {0.4, 0.5, 0.7};  // world axes [m]
  limber::InverseKinematicsSettings settings;
  settings.rows = limber::TaskRows::position;
  std::vector<double> start(static_cast<std::size_t>(arm.nq));
  start[static_cast<std::size_t>(limber::position_index(arm, "reach"))] = 0.1;
  const auto found = limber::inverse_kinematics(arm, "tip", goal, start, settings);
  if (!found.reached) return 1;

  const std::vector<limber::Variable> variables = limber::position_variables(arm);
  for (std::size_t k = 0; k < variables.size(); ++k)
    std::printf("%-6s %6.3f %s\n", variables[k].name().c_str(), found.q[k],
                variables[k].unit.c_str());

  // what does a motor bear there?
  const std::span<const double> hold = limber::gravity_forces(arm, found.q, ws);
  const auto lift = static_cast<std::size_t>(limber::freedom(arm, "lift"));
  std::printf("the motor of the lift bears %.2f N m\n", hold[lift]);

  // go there in one second
  limber::JointControlSettings control;
  limber::MoveSettings move;
  move.duration = 1.0;  // [s]
  control.reference = limber::point_to_point(arm, start, found.q, move);
  control.law = limber::JointLaw::computed_torque;
  control.sample_time = 1e-3;  // [s]
  control.stiffness = {400};   // [1/s²]
  control.damping = {40};      // [1/s]
  limber::System system(arm);
  system.add(std::make_unique<limber::JointController>(control));
  limber::SimulationSettings run;
  run.duration = 1.5;
  limber::Simulation simulation(system, run, start, std::vector<double>(3));
  if (simulation.run() != limber::RunStatus::finished) return 1;
  const limber::Poses& bodies =
      limber::forward_kinematics(arm, simulation.x().first(start.size()), ws);
  const limber::Vec3<double> tip = limber::frame_pose(arm, bodies, arm.frame("tip")).p;
  std::printf("after %.1f s the tip is at %.3f %.3f %.3f m\n", simulation.t(), tip.x, tip.y, tip.z);
}
