#include "study_arms/teams.hpp"

#include <limber/math/quat.hpp>
#include <limber/model/mount.hpp>

namespace limber::app::study_arms {

ClosedTeam closed_team(int joints, const std::vector<Model>& models, const Inertia<double>& object,
                       const std::vector<std::vector<double>>& values,
                       const ObjectState<double>& state) {
  ClosedTeam team;
  Spec spec;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const std::string name = "arm" + std::to_string(k);
    mount(spec, generate_chain(joints, JointKind::revolute, k + 1), {name});
    const Model& arm = models[k];
    Workspace ws(arm);
    const int hand = arm.frame(arm.body_name.back());
    LoopSpec loop;
    loop.name = "grasp of " + name;
    loop.kind = LoopSpec::Kind::weld;
    loop.body_a = "object";
    loop.body_b = name + "." + arm.body_name.back();
    loop.placement_a = apply_inverse(
        state.pose, frame_pose(arm, forward_kinematics<double>(arm, values[3 * k], ws), hand));
    spec.loops.push_back(loop);
    team.q.insert(team.q.end(), values[3 * k].begin(), values[3 * k].end());
    team.v.insert(team.v.end(), values[3 * k + 1].begin(), values[3 * k + 1].end());
    team.tau.insert(team.tau.end(), values[3 * k + 2].begin(), values[3 * k + 2].end());
  }
  BodySpec body;
  body.name = "object";
  body.inertia = object;
  spec.bodies.push_back(body);
  spec.add_joint("float", JointKind::free, "", "object");
  team.model = build(spec);
  team.mechanism = std::make_unique<Mechanism>(team.model);
  team.closed = std::make_unique<ClosedDynamics>(*team.mechanism);
  const Quat<double> turn = to_quat(state.pose.R);
  const Vec3<double>&p = state.pose.p, &w = state.velocity.angular, &l = state.velocity.linear;
  for (const double x : {p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w}) team.q.push_back(x);
  for (const double x : {w.x, w.y, w.z, l.x, l.y, l.z}) team.v.push_back(x);
  team.tau.resize(team.v.size(), 0);
  return team;
}

}  // namespace limber::app::study_arms
