#include "support/random_robots.hpp"

#include <algorithm>
#include <array>

#include <Eigen/Cholesky>

#include "support/custom_joints.hpp"

namespace limber::test {

RandomState random_state(const Model& model, std::uint64_t seed) {
  RandomState state = generate_state(model, seed);
  int start = 0;
  for (std::size_t b = 1; b < model.kind.size(); ++b) {
    if (model.master[b] >= 0) continue;
    if (model.kind[b] == JointKind::custom && model.q_count[b] == 4)
      Eigen::Map<Eigen::Vector4d>(state.q.data() + start).normalize();
    start += model.q_count[b];
  }
  return state;
}

Robot::Robot(const Spec& description, std::uint64_t seed)
    : spec(description), model(build(spec)), ws(model), plain(spec) {
  const RandomState state = random_state(model, seed);
  q = matrix(state.q), v = matrix(state.v), a = matrix(state.a), tau = matrix(state.tau);
}

VectorXd Robot::zero() const { return VectorXd::Zero(model.nv); }

double solve_tolerance(Robot& r, const VectorXd& tau) {
  if (tau.size() == 0) return 0;
  r.plain.move(r.q, r.v, r.a);
  const MatrixXd M = r.plain.mass_matrix();
  const MatrixXd inverse = M.ldlt().solve(MatrixXd::Identity(M.rows(), M.cols()));
  const double amplification = inverse.cwiseAbs().rowwise().sum().maxCoeff();
  return std::max(1e-10, 5e-15 * amplification * tau.cwiseAbs().maxCoeff());
}

void roughen(Spec& spec, Random& random) {
  auto chance = [&](double p) { return random.uniform(0, 1) < p; };
  std::vector<std::string> tied;
  for (const JointSpec& joint : spec.joints)
    if (joint.mimic) tied.insert(tied.end(), {joint.name, joint.mimic->joint});
  const std::size_t count = spec.joints.size();
  for (std::size_t j = 0; j < count; ++j) {
    JointSpec& joint = spec.joints[j];
    if (chance(0.5)) joint.child_placement = random.transform();
    const bool is_tied = std::find(tied.begin(), tied.end(), joint.name) != tied.end();
    if (!is_tied && j > 0 && chance(0.15)) {
      joint.kind = JointKind::custom;
      const int which = random.integer(0, 2);
      joint.custom = which == 0   ? cam_joint(random.uniform())
                     : which == 1 ? cardan_joint(random.uniform())
                                  : ball_joint();
    }
    const int nv = joint.kind == JointKind::custom ? joint.custom.nv : velocity_count(joint.kind);
    if (nv > 1 && chance(0.3)) {
      joint.dofs.assign(static_cast<std::size_t>(nv), DofSpec{});
      for (DofSpec& dof : joint.dofs) dof.rotor_inertia = random.uniform(0, 0.1);
    }
    if (chance(0.3)) joint.axis = joint.axis * random.uniform(0.2, 5);
    if (chance(0.2)) {
      const std::string name = "extra" + std::to_string(j);
      const std::string parent = chance(0.1) ? "" : joint.child;
      spec.add_body(name, 0).inertia = random.inertia();
      spec.add_joint("fix_" + name, JointKind::fixed, parent, name, {0, 0, 1}, random.transform())
          .child_placement = random.transform();
      spec.frames.push_back({"tool" + std::to_string(j), name, random.transform(), {}});
    }
  }
  if (chance(0.5)) return;
  auto shuffle = [&](auto& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1],
                list[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  };
  shuffle(spec.joints);
  shuffle(spec.bodies);
}

void mount_some_rotors(Spec& spec, Random& random) {
  std::vector<std::string> carriers;
  for (const JointSpec& joint : spec.joints)
    if (joint.kind != JointKind::fixed) carriers.push_back(joint.child);
  if (carriers.empty()) return;
  for (JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::fixed || joint.kind == JointKind::free) continue;
    if (joint.dofs.empty() || random.uniform(0, 1) < 0.6) continue;
    DofSpec& dof = joint.dofs[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(joint.dofs.size()) - 1))];
    dof.rotor_mount = carriers[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(carriers.size()) - 1))];
    dof.rotor_inertia = random.uniform(1e-6, 2e-5);  // less than any link has
    dof.gear_ratio = random.uniform(-100, 100);
    dof.rotor_axis = random.direction() * random.uniform(0.5, 2);
  }
}

Spec random_spec(std::uint64_t seed) {
  Random random(seed);
  RandomTreeOptions options;
  options.branching = std::array{0.0, 0.3, 0.6, 1.0}[seed % 4];
  options.floating_base = seed % 5 == 0;
  options.mimic = seed % 3 == 0 ? 0.5 : 0;
  if (seed % 7 == 1) options.kinds = {JointKind::revolute};
  if (seed % 7 == 2)
    options.kinds = {JointKind::revolute, JointKind::prismatic, JointKind::helical};
  if (seed % 7 == 3) options.kinds = {JointKind::revolute, JointKind::fixed, JointKind::spherical};
  Spec spec = generate_tree(1 + static_cast<int>((seed * 7) % 40), seed, options);
  if (seed % 2 == 0) roughen(spec, random);
  spec.gravity = random.vec3(10);
  if (seed % 5 == 2) mount_some_rotors(spec, random);
  return spec;
}

}  // namespace limber::test
