// float_base and fix_base: what holds a robot in the world, and how that is changed.
#include "model/base.hpp"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace limber {

namespace {

// One place where the robot is held by the world: a root link (no joint carries it, so it is
// welded), or a joint from the world. The links that fixed joints weld to it belong to it.
struct Footing {
  std::size_t link = 0;                // index into spec.bodies; of a joint: its child
  JointSpec* joint = nullptr;          // from the world; null: a root link
  bool has_mass = false;               // one of the welded links has mass or inertia
  std::vector<JointSpec*> free;        // free joints that leave the welded links
  const JointSpec* movable = nullptr;  // a joint of another kind that leaves them

  bool is_welded() const { return !joint || joint->kind == JointKind::fixed; }
  /// Nothing but a place for free joints: the file's own way to write a robot that floats.
  bool stands_for_world() const { return is_welded() && !free.empty() && !has_mass; }
};

class Footings {
 public:
  explicit Footings(Spec& spec) : spec_(spec) {
    for (std::size_t b = 0; b < spec.bodies.size(); ++b) bodies_.emplace(spec.bodies[b].name, b);
    std::unordered_set<std::string_view> carried;
    for (JointSpec& joint : spec.joints) {
      carried.insert(joint.child);
      leaving_[joint.parent].push_back(&joint);
    }
    for (std::size_t b = 0; b < spec.bodies.size(); ++b)
      if (!carried.contains(spec.bodies[b].name)) add(b, nullptr);
    for (JointSpec* joint : leaving_[""])
      if (const auto child = bodies_.find(joint->child); child != bodies_.end())
        add(child->second, joint);
  }

  std::vector<Footing> all;

 private:
  void add(std::size_t link, JointSpec* joint) {
    Footing footing{.link = link, .joint = joint, .free = {}};
    if (footing.is_welded()) collect(footing);
    all.push_back(std::move(footing));
  }

  // follows the fixed joints; `seen` ends the walk on files whose joints form a cycle
  void collect(Footing& footing) {
    std::vector<std::size_t> pending{footing.link};
    std::unordered_set<std::size_t> seen;
    while (!pending.empty()) {
      const BodySpec& body = spec_.bodies[pending.back()];
      const bool is_new = seen.insert(pending.back()).second;
      pending.pop_back();
      if (!is_new) continue;
      if (body.inertia.m != 0 || trace(body.inertia.J) != 0) footing.has_mass = true;
      const auto leaving = leaving_.find(body.name);
      if (leaving == leaving_.end()) continue;
      for (JointSpec* joint : leaving->second) {
        const auto child = bodies_.find(joint->child);
        if (joint->kind == JointKind::free) footing.free.push_back(joint);
        else if (joint->kind != JointKind::fixed) footing.movable = joint;
        else if (child != bodies_.end()) pending.push_back(child->second);
      }
    }
  }

  Spec& spec_;
  std::unordered_map<std::string_view, std::size_t> bodies_;
  std::unordered_map<std::string_view, std::vector<JointSpec*>> leaving_;
};

std::vector<Footing> find_footings(Spec& spec) { return Footings(spec).all; }

// links with mass that are welded to the world, and a free joint beyond them
void expect_one_base(const Spec& spec, const Footing& footing) {
  if (footing.is_welded() && footing.has_mass && !footing.free.empty())
    throw Error(footing.free.front()->source,
                fmt::format("it is not clear whether the base is link '{}', which has mass and is "
                            "welded to the world, or '{}' on this free joint; remove the mass of "
                            "the one or the free joint, or leave the base as the file has it",
                            spec.bodies[footing.link].name, footing.free.front()->child));
}

void expect_no_tie(const Footing& footing) {
  const JointSpec* tie = !footing.is_welded() ? footing.joint : footing.movable;
  const bool ties = !footing.is_welded() ? tie->kind != JointKind::free
                                         : tie != nullptr && footing.stands_for_world();
  if (ties)
    throw Error(tie->source,
                fmt::format("the base cannot float: this {} joint ties it to the world; remove the "
                            "joint from the file, or let it hang from a link that can float",
                            name(tie->kind)));
}

void change_kind(JointSpec& joint, JointKind kind) {
  joint.kind = kind;
  joint.dofs.clear();
  joint.actuation.clear();
  joint.mimic.reset();
}

}  // namespace

void float_base(Spec& spec) {
  struct Released {
    std::string link;
    std::size_t joint;  // a fixed joint from the world; past the end: none, a root link
  };
  const std::size_t count = spec.joints.size();
  std::vector<Released> released;
  for (const Footing& footing : find_footings(spec)) {
    expect_one_base(spec, footing);
    expect_no_tie(footing);
    if (!footing.is_welded() || footing.stands_for_world()) continue;
    released.push_back(
        {spec.bodies[footing.link].name,
         footing.joint ? static_cast<std::size_t>(footing.joint - spec.joints.data()) : count});
  }
  std::unordered_set<std::string> taken;
  for (const JointSpec& joint : spec.joints) taken.insert(joint.name);
  for (const auto& [link, joint] : released) {
    const std::string root = released.size() == 1 ? "root" : "root_" + link;
    if (taken.contains(root) && (joint == count || spec.joints[joint].name != root))
      throw Error(spec.source,
                  fmt::format("the base cannot be freed by a joint named '{}': the robot "
                              "has one of that name; rename it",
                              root));
    if (joint == count) {
      spec.add_joint(root, JointKind::free, "", link);
    } else {
      change_kind(spec.joints[joint], JointKind::free);
      spec.joints[joint].name = root;
    }
  }
}

void fix_base(Spec& spec) {
  for (const Footing& footing : find_footings(spec)) {
    expect_one_base(spec, footing);
    if (!footing.is_welded() && footing.joint->kind == JointKind::free)
      change_kind(*footing.joint, JointKind::fixed);
    for (JointSpec* joint : footing.free) change_kind(*joint, JointKind::fixed);
  }
}

FloatingBase floating_base(const Spec& spec) {
  Spec copy = spec;  // footings point into a Spec that may be changed
  FloatingBase floating;
  floating.is_all = true;
  for (const Footing& footing : find_footings(copy)) {
    if (!footing.is_welded() && footing.joint->kind == JointKind::free) {
      floating.joints.push_back(footing.joint->name);
    } else if (footing.stands_for_world() && !footing.movable) {
      floating.world_stand_ins.push_back(copy.bodies[footing.link].name);
      for (const JointSpec* joint : footing.free) floating.joints.push_back(joint->name);
    } else {
      floating.is_all = false;
    }
  }
  return floating;
}

}  // namespace limber
