#pragma once
// Random closed mechanisms: a random tree in a random position, and loops of every kind whose
// frames are put where they close there. What a loop demands is said once more here, in plain
// terms.
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <limber/constraint/closed_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

/// Every kind of loop between two bodies, joints by each of their kinds.
struct LoopSort {
  LoopSpec::Kind kind;
  JointKind joint = JointKind::fixed;
};
std::vector<LoopSort> all_loop_sorts();
std::string name_of(const LoopSort& sort);

/// A loop of the sort between two links (empty: the world), closed at the robot's position.
LoopSpec random_loop(const LoopSort& sort, const std::string& a, const std::string& b, Robot& robot,
                     Random& random);

/// What must be zero while the loop is closed, by the poses of links of the plain robot.
Eigen::VectorXd plain_gap(const LoopSpec& loop, const PlainRobot& robot);

/// Velocity of the wheel's point on the ground against the ground, in world axes.
Vector3d plain_slip(const LoopSpec& loop, const PlainRobot& robot);

/// A tree with loops, and velocities that they allow.
struct ClosedRobot {
  Robot robot;
  std::vector<LoopSpec> loops;
  std::unique_ptr<Mechanism> mechanism;
  std::unique_ptr<ClosedDynamics> closed;

  /// Number `seed`: one to four loops of any kind.
  explicit ClosedRobot(std::uint64_t seed);
  ClosedRobot(const Spec& spec, std::uint64_t seed);
  void add_loops(const std::vector<LoopSpec>& more);
  void close_velocity();  ///< robot.v becomes one that the loops allow
};

}  // namespace limber::test
