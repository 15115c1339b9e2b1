// SDF: the tree among the joints, loops, and free bodies.
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "index.hpp"
#include "io/sdf.hpp"

namespace limber {

namespace {

class Connector {
 public:
  Connector(const SdfTree& tree, const SdfFrames& frames, Spec& spec)
      : tree_(tree),
        frames_(frames),
        spec_(spec),
        group_(tree.nodes.size()),
        is_carried_(tree.nodes.size(), 0) {
    std::iota(group_.begin(), group_.end(), 0);
  }

  void connect(const std::vector<SdfJoint>& joints) {
    weld_static_links();
    choose_carriers(joints);
    for (const SdfJoint& joint : joints)
      if (!joint.is_gearbox) add(joint);
    free_the_rest();
    for (const SdfJoint& joint : joints)
      if (joint.is_gearbox) couple(joint);
  }

 private:
  template <class F>
  void for_each_link(const F& f) const {
    for (int n = 1; n < static_cast<int>(tree_.nodes.size()); ++n)
      if (tree_.nodes[at_index(n)].kind == SdfNode::Kind::link) f(n, tree_.nodes[at_index(n)]);
  }

  // the representative of the bodies that are connected with this one
  int group_of(int body) {
    while (group_[at_index(body)] != body) {
      int& up = group_[at_index(body)];
      up = group_[at_index(up)];
      body = up;
    }
    return body;
  }

  void carry(int parent, int child) {
    is_carried_[at_index(child)] = 1;
    group_[at_index(group_of(child))] = group_of(parent);
  }

  JointSpec& hold(int link, JointKind kind, std::string name) {
    JointSpec& joint = spec_.joints.emplace_back();
    joint.name = std::move(name);
    joint.kind = kind;
    joint.child = tree_.shown(tree_.nodes[at_index(link)].name);
    joint.placement = frames_.pose[at_index(link)];
    joint.source = tree_.nodes[at_index(link)].element->source();
    carry(0, link);
    return joint;
  }

  void weld_static_links() {
    for_each_link([&](int n, const SdfNode& link) {
      if (tree_.scope_of(link).is_static)
        hold(n, JointKind::fixed, tree_.shown(link.name) + "_fixed");
    });
  }

  // how much a joint should be part of the tree: what cannot close a loop, then the joint with more
  // constraints, which are rows if it is cut, then what is driven [RDA] 9.2
  static std::array<int, 3> rank_in_tree(const SdfJoint& one, bool is_followed) {
    const JointMobility free = mobility(one.joint.kind);
    bool is_driven = false;
    for (const DofSpec& dof : one.joint.dofs)
      is_driven = is_driven || (dof.effort_limit > 0 && dof.effort_limit < HUGE_VAL);
    return {one.second || is_followed ? 1 : 0, 6 - free.turns - free.slides, is_driven ? 1 : 0};
  }

  // of several joints to one link the best carries it; a fixed joint, or one that follows another,
  // takes no part: the order of the file decides about it
  void choose_carriers(const std::vector<SdfJoint>& joints) {
    std::unordered_set<std::string> followed;
    for (const SdfJoint& one : joints)
      if (one.joint.mimic) followed.insert(one.joint.mimic->joint);
    const auto rank = [&](const SdfJoint& one) {
      return rank_in_tree(one, followed.contains(one.joint.name));
    };
    std::map<int, const SdfJoint*> best;
    for (const SdfJoint& one : joints) {
      if (one.is_gearbox) continue;
      const auto [place, is_first] = best.emplace(one.child, &one);
      const auto is_fixed = [](const SdfJoint& j) {
        return j.joint.kind == JointKind::fixed || j.joint.mimic.has_value();
      };
      if (!is_first && !is_fixed(one) && !is_fixed(*place->second) &&
          rank(*place->second) < rank(one))
        place->second = &one;
    }
    if (closing_joints(joints, best) == closing_joints(joints, {})) carrier_ = std::move(best);
  }

  // how many joints close loops where each link is carried by the joint that is chosen for it
  int closing_joints(const std::vector<SdfJoint>& joints,
                     const std::map<int, const SdfJoint*>& chosen) const {
    Connector trial = *this;
    trial.carrier_ = chosen;
    int count = 0;
    for (const SdfJoint& one : joints) {
      if (one.is_gearbox) continue;
      if (trial.closes(one)) ++count;
      else trial.carry(one.parent, one.child);
    }
    return count;
  }

  // a joint belongs to the tree unless another one carries its child, or its child carries its
  // parent
  bool closes(const SdfJoint& one) {
    const auto chosen = carrier_.find(one.child);
    return is_carried_[at_index(one.child)] || group_of(one.child) == group_of(one.parent) ||
           (chosen != carrier_.end() && chosen->second != &one);
  }

  void add(const SdfJoint& one) {
    if (closes(one)) return close(one);
    carry(one.parent, one.child);
    spec_.joints.push_back(one.joint);
    tree_joints_[{one.parent, one.child}] = &one;
    if (!one.second) return;
    BodySpec between;
    between.name = one.joint.child;
    between.source = one.joint.source;
    between.is_between_joints = true;
    spec_.bodies.push_back(std::move(between));
    spec_.joints.push_back(*one.second);
  }

  void close(const SdfJoint& one) {
    const JointSpec& joint = one.joint;
    if (one.second)
      throw Error(joint.source,
                  "a joint with two axes that are not perpendicular cannot close a loop; let "
                  "another joint of the loop come later in the file, which then closes it");
    if (joint.mimic)
      throw Error(joint.source,
                  "the joint closes a loop and has a <mimic>; let another joint of the loop come "
                  "later in the file, which then closes it");
    LoopSpec loop;
    loop.name = joint.name;
    loop.source = joint.source;
    // all turns: the origins stay together; nothing: the frames do
    const JointMobility free = mobility(joint.kind);
    loop.kind = free.turns == 3 && free.slides == 0 ? LoopSpec::Kind::connect
                : joint.kind == JointKind::fixed    ? LoopSpec::Kind::weld
                                                    : LoopSpec::Kind::joint;
    loop.body_a = joint.parent;
    loop.body_b = joint.child;
    loop.placement_a = joint.placement;
    loop.placement_b = inverse(joint.child_placement);
    loop.joint_kind = joint.kind;
    loop.axis = joint.axis;
    loop.axis2 = joint.axis2;
    loop.pitch = joint.pitch;
    loop.dofs = joint.dofs;
    spec_.loops.push_back(std::move(loop));
  }

  // what no joint carries moves freely, and begins where the file puts it
  void free_the_rest() {
    std::vector<int> free;
    for_each_link([&](int n, const SdfNode&) {
      if (!is_carried_[at_index(n)]) free.push_back(n);
    });
    std::unordered_set<std::string> taken;
    for (const JointSpec& joint : spec_.joints) taken.insert(joint.name);
    for (const int n : free) {
      std::string name =
          free.size() == 1 ? "root" : "root_" + tree_.shown(tree_.nodes[at_index(n)].name);
      while (taken.contains(name)) name += "_free";
      hold(n, JointKind::free, name);
    }
  }

  // a turn between two bodies, and how its position counts as an angle about an axis of the world
  struct Angle {
    std::string joint;
    double sign;
  };
  Angle angle(const SdfJoint& gearbox, int reference, int body, const Vec3<double>& axis) const {
    for (const bool reversed : {false, true}) {
      const auto found =
          tree_joints_.find(reversed ? std::pair{body, reference} : std::pair{reference, body});
      if (found == tree_joints_.end() || found->second->joint.kind != JointKind::revolute ||
          found->second->second)
        continue;
      const SdfJoint& turn = *found->second;
      const Vec3<double> own = frames_.pose[at_index(turn.node)].R * turn.joint.axis;
      const double cosine = dot(own, axis) / (norm(own) * norm(axis));
      if (!(std::abs(cosine) > 1 - 1e-6))
        throw Error(gearbox.joint.source,
                    fmt::format("an axis of the gearbox is not parallel to that of joint '{}', "
                                "whose angle it counts",
                                turn.joint.name));
      return {turn.joint.name, (cosine > 0 ? 1 : -1) * (reversed ? -1.0 : 1.0)};
    }
    const auto shown = [&](int n) {
      return n == 0 ? "world" : tree_.shown(tree_.nodes[at_index(n)].name);
    };
    throw Error(gearbox.joint.source,
                fmt::format("a gearbox couples the angles of two revolute joints from its "
                            "reference body '{}'; there is none between it and '{}'",
                            shown(reference), shown(body)));
  }

  void couple(const SdfJoint& gearbox) {
    const Angle parent = angle(gearbox, gearbox.reference, gearbox.parent, gearbox.joint.axis),
                child = angle(gearbox, gearbox.reference, gearbox.child, gearbox.joint.axis2);
    LoopSpec loop;
    loop.name = gearbox.joint.name;
    loop.source = gearbox.joint.source;
    loop.kind = LoopSpec::Kind::coupling;
    loop.joint = child.joint;
    loop.leader = parent.joint;
    loop.polynomial = {0, -gearbox.ratio * parent.sign * child.sign, 0, 0, 0};
    spec_.loops.push_back(std::move(loop));
  }

  const SdfTree& tree_;
  const SdfFrames& frames_;
  Spec& spec_;
  std::vector<int> group_;
  std::vector<char> is_carried_;
  std::map<int, const SdfJoint*> carrier_;                      // of each link, by its node
  std::map<std::pair<int, int>, const SdfJoint*> tree_joints_;  // by parent and child
};

}  // namespace

void connect_sdf(const SdfTree& tree, const SdfFrames& frames, const std::vector<SdfJoint>& joints,
                 Spec& spec) {
  Connector(tree, frames, spec).connect(joints);
}

}  // namespace limber
