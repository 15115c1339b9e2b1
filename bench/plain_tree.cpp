#include "plain_tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace limber::bench {

namespace {

// builds the tree depth first, children in the order in which the file lists their joints; what
// hangs from welded roots comes before what hangs from the world itself
class Walker {
 public:
  Walker(const Spec& spec, const Model& model, PlainTree& tree)
      : spec_(spec), model_(model), tree_(tree) {
    for (const BodySpec& body : spec.bodies) inertia_[body.name] = body.inertia;
  }

  void walk_all() {
    std::set<std::string> carried;
    for (const JointSpec& joint : spec_.joints) carried.insert(joint.child);
    for (const BodySpec& body : spec_.bodies)
      if (!carried.contains(body.name)) visit(body.name, -1, {});
    visit_children("", -1, {});
    for (std::size_t i = 0; i < merged_.size(); ++i) set_inertia(tree_.bodies[i], merged_[i]);
    tree_.welded_potential = -dot(spec_.gravity, welded_.h);
  }

 private:
  // `host`: the moving body that this one is fixed to; `pose`: of this one's frame in the host's
  // frame
  void visit(const std::string& body, int host, const Transform<double>& pose) {
    Inertia<double>& total = host < 0 ? welded_ : merged_[static_cast<std::size_t>(host)];
    total += pose * inertia_.at(body);
    visit_children(body, host, pose);
  }

  void visit_children(const std::string& body, int host, const Transform<double>& pose) {
    for (const JointSpec& joint : spec_.joints) {
      if (joint.parent != body) continue;
      const Transform<double> placement = pose * joint.placement;
      if (joint.kind == JointKind::fixed)
        visit(joint.child, host, placement * joint.child_placement);
      else visit(joint.child, add(joint, host, placement), joint.child_placement);
    }
  }

  int add(const JointSpec& joint, int host, const Transform<double>& placement) {
    PlainBody& body = tree_.bodies.emplace_back();
    body.name = joint.child;
    body.kind = joint.kind;
    body.parent = host;
    body.placement = placement;
    body.axis = joint.axis / norm(joint.axis);
    body.axis2 = joint.axis2 / norm(joint.axis2);
    body.pitch = joint.pitch;
    const auto i = static_cast<std::size_t>(model_.body_of_joint(joint.name));
    body.nq = model_.q_count[i];
    body.nv = model_.v_count[i];
    body.q = std::exchange(next_q_, next_q_ + body.nq);
    body.v = std::exchange(next_v_, next_v_ + body.nv);
    if (model_.q_index[i] != body.q || model_.v_index[i] != body.v)
      throw Error(joint.source, "the Model does not number its variables depth first, as it must");
    for (int k = 0; k < body.nv; ++k) body.armature.push_back(armature(joint, k));
    if (joint.mimic) tree_.has_mimic = true;
    tree_.tip = joint.child_placement;
    merged_.emplace_back();
    return static_cast<int>(tree_.bodies.size()) - 1;
  }

  static double armature(const JointSpec& joint, int k) {
    if (joint.dofs.empty()) return 0;
    const DofSpec& dof = joint.dofs[joint.dofs.size() == 1 ? 0 : static_cast<std::size_t>(k)];
    return dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia;
  }

  static void set_inertia(PlainBody& body, const Inertia<double>& inertia) {
    body.mass = inertia.m;
    body.com = inertia.m == 0 ? Vec3<double>{} : inertia.com();
    body.inertia = inertia.rotational_about_com();
  }

  const Spec& spec_;
  const Model& model_;
  PlainTree& tree_;
  std::map<std::string, Inertia<double>> inertia_;
  std::vector<Inertia<double>> merged_;  // per moving body, in its frame
  Inertia<double> welded_;               // in the world
  int next_q_ = 0, next_v_ = 0;
};

}  // namespace

bool PlainTree::is_chain() const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].parent != static_cast<int>(i) - 1) return false;
  return true;
}

PlainTree plain_tree(const Spec& spec, const Model& model) {
  PlainTree tree;
  tree.name = spec.name;
  tree.gravity = spec.gravity;
  tree.nq = model.nq;
  tree.nv = model.nv;
  Walker(spec, model, tree).walk_all();
  if (tree.bodies.empty())
    throw Error(spec.source, "nothing moves; give a robot with a moving joint");
  return tree;
}

Spec without_rotors(Spec spec) {
  for (JointSpec& joint : spec.joints)
    for (DofSpec& dof : joint.dofs) dof.rotor_inertia = 0;
  return spec;
}

Spec without_mounts(Spec spec) {
  for (JointSpec& joint : spec.joints)
    for (DofSpec& dof : joint.dofs) dof.rotor_mount.clear();
  return spec;
}

Spec with_mounted_rotors(Spec spec) {
  for (JointSpec& joint : spec.joints) {
    if (velocity_count(joint.kind) != 1) continue;
    DofSpec& dof = joint.dof();
    dof.rotor_inertia = 1e-5;
    dof.gear_ratio = 100;
    dof.rotor_mount = joint.parent.empty() ? "world" : joint.parent;
  }
  return spec;
}

std::string massless_body(const PlainTree& tree) {
  for (const PlainBody& body : tree.bodies) {
    const Sym3<double>& I = body.inertia;
    if (body.mass <= 0 || I.xx <= 0 || I.yy <= 0 || I.zz <= 0) return body.name;
  }
  return "";
}

std::optional<JointKind> first_unknown_kind(const PlainTree& tree,
                                            const std::vector<JointKind>& known) {
  for (const PlainBody& body : tree.bodies)
    if (std::ranges::find(known, body.kind) == known.end()) return body.kind;
  return std::nullopt;
}

}  // namespace limber::bench
