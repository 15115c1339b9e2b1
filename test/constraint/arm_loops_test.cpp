// A team of arms is a closed mechanism as well: all arms and the object in one tree, grasps as
// loops.
#include <limber/constraint/closed_dynamics.hpp>
#include <limber/model/mount.hpp>

#include "constraint/arm_case.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// rigid grasps as welds, point contacts as connections
struct OneTree {
  explicit OneTree(TeamCase& t) {
    move_plain_robots(t);
    Spec spec;
    spec.gravity = t.robots[0]->spec.gravity;
    for (std::size_t k = 0; k < t.arms(); ++k) mount(spec, t.robots[k]->spec, {name(k)});
    BodySpec object;
    object.name = "object";
    object.inertia = t.object_inertia;
    spec.bodies.push_back(object);
    spec.add_joint("float", JointKind::free, "", "object");
    for (std::size_t k = 0; k < t.arms(); ++k) {
      const Pose hand = t.robots[k]->plain.link(t.hands[k]).pose;
      const Pose relative = plain(t.object.pose).inverse() * hand;
      LoopSpec loop;
      loop.name = "grasp of " + name(k);
      loop.kind = t.grasps[k].freedoms.rows() == 6 ? LoopSpec::Kind::weld : LoopSpec::Kind::connect;
      loop.body_a = "object";
      loop.body_b = name(k) + "." + t.hands[k];
      for (int i = 0; i < 3; ++i) loop.placement_a.p[i] = relative.translation()[i];
      const Eigen::Matrix3d R = relative.rotation();
      loop.placement_a.R = {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1),
                            R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
      spec.loops.push_back(loop);
    }
    model = build(spec);
    mechanism = std::make_unique<Mechanism>(model);
    closed = std::make_unique<ClosedDynamics>(*mechanism);
    for (const auto& r : t.robots) {
      q.insert(q.end(), r->q.begin(), r->q.end());
      v.insert(v.end(), r->v.begin(), r->v.end());
      tau.insert(tau.end(), r->tau.begin(), r->tau.end());
    }
    const Quat<double> turn = to_quat(t.object.pose.R);
    const Vec3<double>& p = t.object.pose.p;
    for (const double x : {p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w}) q.push_back(x);
    const Vector6 rate = plain(t.object.velocity);
    v.insert(v.end(), rate.begin(), rate.end());
    tau.resize(v.size(), 0);
  }
  static std::string name(std::size_t arm) { return "arm" + std::to_string(arm); }
  VectorXd acceleration() {
    return matrix(closed_forward_dynamics<double>(*mechanism, 0, q, v, tau, *closed));
  }

  Model model;
  std::unique_ptr<Mechanism> mechanism;
  std::unique_ptr<ClosedDynamics> closed;
  std::vector<double> q, v, tau;
};

TEST(ArmTeam, MovesAsAClosedMechanism) {
  int taken = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(150)); ++seed) {
    if (seed % 5 == 0) continue;  // bases that move, each its own way
    SCOPED_TRACE("team " + std::to_string(seed));
    TeamCase t = random_team(seed);
    for (ArmGrasp& grasp : t.grasps)
      grasp.freedoms = grasp.freedoms.rows() > 3 ? GraspFreedoms::rigid() : GraspFreedoms::point();
    make_velocities_fit(t);
    const DenseMotion dense = dense_motion(t);
    if (dense.residual > 1e-9 || dense.condition > 1e6) continue;
    TeamMotion found(t.team());
    team_dynamics<double>(t.team(), t.states(), t.object, found);
    OneTree tree(t);
    const VectorXd expected = tree.acceleration();
    VectorXd accelerations(expected.size());
    Eigen::Index at = 0;
    for (const auto& arm : found.arms)
      for (const double x : arm.acceleration) accelerations[at++] = x;
    accelerations.tail(6) = plain(found.object.acceleration);
    EXPECT_TRUE(near(accelerations, expected, std::max(1e-9, 1e-12 * dense.condition)));
    EXPECT_EQ(tree.mechanism->rows - tree.closed->solver.rank, found.object.indeterminate());
    ++taken;
    if (HasFailure()) return;
  }
  EXPECT_GT(taken, share_of(50));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
