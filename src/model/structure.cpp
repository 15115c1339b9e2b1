#include "model/structure.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

using Index = std::map<std::string, int, std::less<>>;

// the place of each name; `what` is "body" or "joint"
template <class Item>
Index index_by_name(const std::vector<Item>& items, const char* what) {
  Index index;
  for (const Item& item : items) {
    if (item.name.empty())
      throw Error(item.source, fmt::format("a {0} without a name; give every {0} a name", what));
    if (!index.emplace(item.name, static_cast<int>(index.size())).second)
      throw Error(item.source,
                  fmt::format("a second {} named '{}'; names must differ", what, item.name));
  }
  return index;
}

std::vector<std::string> names(const Index& index) {
  std::vector<std::string> result;
  for (const auto& [name, i] : index) result.push_back(name);
  return result;
}

int find_link(const JointSpec& joint, const std::string& name, const char* role,
              const Index& bodies) {
  const auto found = bodies.find(name);
  if (found == bodies.end())
    throw Error(joint.source, fmt::format("{} body '{}' does not exist{}", role, name,
                                          did_you_mean(name, names(bodies))));
  return found->second;
}

// which joint carries each body (−1: none), and which joints leave each body (last entry: the
// world)
struct Links {
  std::vector<int> carrier;
  std::vector<std::vector<int>> leaving;
  std::vector<int> child;  // per joint
};

Links connect(const Spec& spec, const Index& bodies) {
  const std::size_t n = spec.bodies.size();
  Links links{std::vector<int>(n, -1), std::vector<std::vector<int>>(n + 1), {}};
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const JointSpec& joint = spec.joints[j];
    const int parent = joint.parent.empty() ? static_cast<int>(n)
                                            : find_link(joint, joint.parent, "parent", bodies);
    const int child = find_link(joint, joint.child, "child", bodies);
    if (parent == child)
      throw Error(
          joint.source,
          fmt::format("joins body '{}' to itself; parent and child must differ", joint.child));
    int& carrier = links.carrier[static_cast<std::size_t>(child)];
    if (carrier >= 0)
      throw Error(
          joint.source,
          fmt::format("body '{}' already hangs from joint '{}'; a tree gives every body one "
                      "parent joint, close the loop by a constraint instead",
                      joint.child, spec.joints[static_cast<std::size_t>(carrier)].name));
    carrier = static_cast<int>(j);
    links.leaving[static_cast<std::size_t>(parent)].push_back(static_cast<int>(j));
    links.child.push_back(child);
  }
  return links;
}

// the bodies of one cycle, "a -> b -> a", starting anywhere above `body`
std::string describe_cycle(const Spec& spec, const Links& links, const Index& bodies, int body) {
  std::vector<int> path;
  std::vector<char> seen(spec.bodies.size(), 0);
  auto above = [&](int b) {
    const int joint = links.carrier[static_cast<std::size_t>(b)];
    return bodies.find(spec.joints[static_cast<std::size_t>(joint)].parent)->second;
  };
  while (!seen[static_cast<std::size_t>(body)]) {
    seen[static_cast<std::size_t>(body)] = 1;
    body = above(body);
  }
  std::string text = "'" + spec.bodies[static_cast<std::size_t>(body)].name + "'";
  for (int b = above(body);; b = above(b)) {
    text += " hangs from '" + spec.bodies[static_cast<std::size_t>(b)].name + "'";
    if (b == body) return text;
  }
}

void visit_depth_first(const Spec& spec, const Links& links, const std::vector<int>& roots,
                       Structure& structure) {
  // what is still to visit, nearest last: a joint, or a root body (joint −1)
  struct Pending {
    int joint, spec_body, parent_body;
    Transform<double> parent_placement;  // of the parent link in its moving body
  };
  std::vector<Pending> pending;
  auto push_leaving = [&](std::size_t link, int body, const Transform<double>& placement) {
    const std::vector<int>& leaving = links.leaving[link];
    for (auto j = leaving.rbegin(); j != leaving.rend(); ++j)
      pending.push_back({*j, links.child[static_cast<std::size_t>(*j)], body, placement});
  };
  push_leaving(spec.bodies.size(), 0, {});
  for (auto root = roots.rbegin(); root != roots.rend(); ++root)
    pending.push_back({-1, *root, 0, {}});
  structure.bodies.push_back({});
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    PlacedLink link{next.spec_body, next.parent_body, next.parent_placement};
    if (next.joint >= 0) {
      const JointSpec& joint = spec.joints[static_cast<std::size_t>(next.joint)];
      const Transform<double> placement = next.parent_placement * joint.placement;
      if (joint.kind == JointKind::fixed) {
        link.placement = placement * joint.child_placement;
      } else {
        link.body = static_cast<int>(structure.bodies.size());
        link.placement = {};
        structure.bodies.push_back({next.joint, next.parent_body, placement});
      }
    }
    structure.links.push_back(link);
    push_leaving(static_cast<std::size_t>(next.spec_body), link.body, link.placement);
  }
}

bool has_one_freedom(const JointSpec& joint) {
  if (joint.kind == JointKind::custom) return joint.custom.nq == 1 && joint.custom.nv == 1;
  return position_count(joint.kind) == 1 && velocity_count(joint.kind) == 1;
}

std::vector<ResolvedMimic> resolve_mimics(const Spec& spec, const Index& joints,
                                          std::vector<std::string>& warnings) {
  const std::size_t n = spec.joints.size();
  std::vector<ResolvedMimic> direct(n);
  for (std::size_t j = 0; j < n; ++j) {
    const JointSpec& joint = spec.joints[j];
    if (!joint.mimic) continue;
    const MimicSpec& mimic = *joint.mimic;
    if (joint.kind == JointKind::fixed) {
      warnings.push_back(to_string(joint.source) +
                         ": a fixed joint cannot follow another; mimic ignored");
      continue;
    }
    const auto master = joints.find(mimic.joint);
    if (master == joints.end())
      throw Error(joint.source, fmt::format("mimics joint '{}', which does not exist{}",
                                            mimic.joint, did_you_mean(mimic.joint, names(joints))));
    const JointSpec& followed = spec.joints[static_cast<std::size_t>(master->second)];
    if (!has_one_freedom(joint) || !has_one_freedom(followed))
      throw Error(joint.source,
                  fmt::format("mimics joint '{}': both must have one freedom, they are {} and {}",
                              mimic.joint, name(joint.kind), name(followed.kind)));
    if (!std::isfinite(mimic.multiplier) || !std::isfinite(mimic.offset))
      throw Error(joint.source, "mimic multiplier and offset must be finite numbers");
    direct[j] = {master->second, mimic.multiplier, mimic.offset};
  }
  // each chain is followed once: up to a joint that is independent or resolved already, then back
  // down
  std::vector<ResolvedMimic> resolved(n);
  enum class Visit : char { open, on_path, done };
  std::vector<Visit> visit(n, Visit::open);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<std::size_t> path;
    std::size_t joint = j;
    for (; visit[joint] == Visit::open && direct[joint].master >= 0;
         joint = static_cast<std::size_t>(direct[joint].master)) {
      visit[joint] = Visit::on_path;
      path.push_back(joint);
    }
    if (visit[joint] == Visit::on_path)
      throw Error(spec.joints[joint].source,
                  "mimic joints follow each other in a circle; one of them must be independent");
    for (; !path.empty(); path.pop_back()) {
      const ResolvedMimic& own = direct[path.back()];
      const ResolvedMimic& next = resolved[static_cast<std::size_t>(own.master)];
      ResolvedMimic& result = resolved[path.back()];
      result = next.master < 0 ? own
                               : ResolvedMimic{next.master, own.multiplier * next.multiplier,
                                               own.multiplier * next.offset + own.offset};
      if (!std::isfinite(result.multiplier) || !std::isfinite(result.offset))
        throw Error(spec.joints[path.back()].source,
                    "the chain of mimic joints multiplies to a number that is not finite");
      visit[path.back()] = Visit::done;
    }
  }
  return resolved;
}

}  // namespace

Structure find_structure(const Spec& spec) {
  if (spec.bodies.empty())
    throw Error(spec.source,
                fmt::format("robot '{}' has no bodies; describe at least one link", spec.name));
  const Index bodies = index_by_name(spec.bodies, "body");
  const Index joints = index_by_name(spec.joints, "joint");
  const Links links = connect(spec, bodies);

  Structure structure;
  std::vector<int> roots;
  for (std::size_t b = 0; b < spec.bodies.size(); ++b)
    if (links.carrier[b] < 0) roots.push_back(static_cast<int>(b));
  if (roots.size() > 1) {
    std::vector<std::string> names_of_roots;
    for (const int root : roots)
      names_of_roots.push_back(spec.bodies[static_cast<std::size_t>(root)].name);
    structure.warnings.push_back(
        fmt::format("{} separate trees with roots {}: each root is welded to the world",
                    roots.size(), quoted_names(names_of_roots)));
  }
  visit_depth_first(spec, links, roots, structure);
  if (structure.links.size() < spec.bodies.size()) {
    std::vector<char> reached(spec.bodies.size(), 0);
    for (const PlacedLink& link : structure.links)
      reached[static_cast<std::size_t>(link.spec_body)] = 1;
    for (std::size_t b = 0; b < reached.size(); ++b)
      if (!reached[b])
        throw Error(spec.bodies[b].source,
                    "the joints form a cycle without a root: " +
                        describe_cycle(spec, links, bodies, static_cast<int>(b)) +
                        "; remove one of these joints or close the loop by a constraint");
  }
  structure.mimic = resolve_mimics(spec, joints, structure.warnings);
  return structure;
}

}  // namespace limber
