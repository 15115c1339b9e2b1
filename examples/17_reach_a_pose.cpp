// Where must the joints be to put a robot's hand somewhere? Joints are set by their names, the pose
// is solved by inverse kinematics.
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  const limber::Model arm = limber::load("arm7");
  limber::Workspace ws(arm);

  // a position by names: the places of joints in q and v need not be known
  std::vector<double> q(static_cast<std::size_t>(arm.nq));
  q[static_cast<std::size_t>(limber::position_index(arm, "shoulder_pitch"))] = 0.6;
  q[static_cast<std::size_t>(limber::position_index(arm, "elbow"))] = 1.2;
  const int hand = arm.frame("flange");
  limber::Transform<double> pose =
      limber::frame_pose(arm, limber::forward_kinematics(arm, q, ws), hand);
  std::printf("the hand is at   %7.4f %7.4f %7.4f m\n", pose.p.x, pose.p.y, pose.p.z);

  // 10 cm to the side, turned as before
  pose.p.y += 0.1;
  const limber::InverseKinematicsResult found = limber::inverse_kinematics(arm, "flange", pose, q);
  if (!found.reached) {
    std::printf("out of reach: %g m and %g rad are left\n", found.distance_left, found.turn_left);
    return 1;
  }
  const limber::Poses& bodies = limber::forward_kinematics(arm, found.q, ws);
  const limber::Vec3<double> there = limber::frame_pose(arm, bodies, hand).p;
  std::printf("it gets to       %7.4f %7.4f %7.4f m with\n", there.x, there.y, there.z);
  const std::vector<limber::Variable> variables = limber::position_variables(arm);
  for (std::size_t i = 0; i < variables.size(); ++i)
    std::printf("  %-14s %8.4f %s\n", variables[i].name().c_str(), found.q[i],
                variables[i].unit.c_str());
}
