#include "collision/touch_filter.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// the links of a Spec by name
class SpecLinks {
 public:
  explicit SpecLinks(const Spec& spec) {
    for (std::size_t i = 0; i < spec.bodies.size(); ++i)
      link_[spec.bodies[i].name] = static_cast<int>(i);
    for (const FrameSpec& frame : spec.frames)
      if (!frame.body.empty() && link_.contains(frame.body))
        link_.emplace(frame.name, link_[frame.body]);
  }
  /// −1: none, or the world.
  int find(const std::string& name) const {
    const auto found = link_.find(name);
    return found == link_.end() ? -1 : found->second;
  }

 private:
  std::map<std::string, int> link_;
};

int expect_link(const Spec& spec, const SpecLinks& links, const std::string& name) {
  const int link = links.find(name);
  if (link >= 0 || name == "world") return link;
  std::vector<std::string> known;
  for (const BodySpec& body : spec.bodies) known.push_back(body.name);
  throw Error(spec.source, fmt::format("exclusions of contacts: link '{}' does not exist{}", name,
                                       did_you_mean(name, known)));
}

// links that fixed joints make one: the first of them
std::vector<int> clusters_of(const Spec& spec, const SpecLinks& links) {
  std::vector<int> cluster(spec.bodies.size());
  std::iota(cluster.begin(), cluster.end(), 0);
  const auto root = [&](int link) {
    while (cluster[at_index(link)] != link) link = cluster[at_index(link)];
    return link;
  };
  for (const JointSpec& joint : spec.joints) {
    const int parent = links.find(joint.parent), child = links.find(joint.child);
    if (joint.kind != JointKind::fixed || parent < 0 || child < 0) continue;
    const int a = root(parent), b = root(child);
    cluster[at_index(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t i = 0; i < cluster.size(); ++i) cluster[i] = root(static_cast<int>(i));
  return cluster;
}

bool joins(LoopSpec::Kind kind) {
  return kind == LoopSpec::Kind::connect || kind == LoopSpec::Kind::weld ||
         kind == LoopSpec::Kind::joint || kind == LoopSpec::Kind::slot;
}

}  // namespace

TouchShape touch_shape(const SceneShape& shape) {
  return {shape.name,
          shape.properties.name,
          shape.body,
          shape.frame,
          static_cast<unsigned>(shape.properties.collides_as),
          static_cast<unsigned>(shape.properties.collides_with),
          shape.family};
}

TouchFilter::TouchFilter(const Spec& spec, const Model& model,
                         const std::vector<std::array<std::string, 2>>& exclusions,
                         const std::vector<TouchShape>& shapes) {
  const SpecLinks links(spec);
  const std::vector<int> cluster = clusters_of(spec, links);
  for (const TouchShape& shape : shapes) {
    Entry entry{shape.body, -1, -1, shape.as, shape.with, shape.family};
    if (shape.frame >= 0) entry.link = links.find(model.frames[shape.frame].name);
    if (entry.link >= 0) entry.cluster = cluster[at_index(entry.link)];
    entries_.push_back(entry);
  }
  find_neighbours(spec);
  find_exclusions(spec, exclusions);
  find_pairs(spec, shapes);
  list_families(spec);
  list_silent(shapes);
}

bool TouchFilter::may_touch(int a, int b) const {
  const Entry &p = entries_[at_index(a)], &q = entries_[at_index(b)];
  if (p.body == q.body) return false;
  if (!aside_.empty() && std::binary_search(aside_.begin(), aside_.end(), ordered(a, b)))
    return false;
  if (p.is_named && q.is_named && find_pair(a, b)) return true;
  if ((p.as & q.with) == 0 && (q.as & p.with) == 0) return false;
  if (p.family != 0 && p.family == q.family) return false;
  if (p.cluster >= 0 && q.cluster >= 0 &&
      (p.cluster == q.cluster ||
       std::binary_search(neighbours_.begin(), neighbours_.end(), ordered(p.cluster, q.cluster))))
    return false;
  return excluded_.empty() ||
         !std::binary_search(excluded_.begin(), excluded_.end(), ordered(p.link, q.link));
}

void TouchFilter::find_neighbours(const Spec& spec) {
  const SpecLinks links(spec);
  const std::vector<int> cluster = clusters_of(spec, links);
  std::map<int, int> carrier;  // of bodies without shape or mass between joints: the parent
  for (const JointSpec& joint : spec.joints)
    if (const int child = links.find(joint.child); child >= 0)
      carrier[child] = links.find(joint.parent);
  std::set<int> has_shapes;
  for (const Entry& entry : entries_)
    if (entry.cluster >= 0) has_shapes.insert(entry.cluster);
  const auto join = [&](int a, int b, const std::string& what) {
    while (a >= 0 && spec.bodies[at_index(a)].is_between_joints) a = carrier[a];
    if (a < 0 || b < 0 || cluster[at_index(a)] == cluster[at_index(b)]) return;
    const Pair pair = ordered(cluster[at_index(a)], cluster[at_index(b)]);
    neighbours_.push_back(pair);
    if (has_shapes.contains(pair.first) && has_shapes.contains(pair.second))
      left_out_.push_back(fmt::format("links '{}' and '{}': {} joins them",
                                      spec.bodies[at_index(a)].name, spec.bodies[at_index(b)].name,
                                      what));
  };
  for (const JointSpec& joint : spec.joints)
    if (joint.kind != JointKind::fixed && joint.kind != JointKind::free)
      join(links.find(joint.parent), links.find(joint.child),
           fmt::format("joint '{}'", joint.name));
  for (const LoopSpec& loop : spec.loops)
    if (loop.is_active && joins(loop.kind))
      join(links.find(loop.body_a), links.find(loop.body_b), fmt::format("loop '{}'", loop.name));
  std::sort(neighbours_.begin(), neighbours_.end());
}

void TouchFilter::find_exclusions(const Spec& spec,
                                  const std::vector<std::array<std::string, 2>>& exclusions) {
  const SpecLinks links(spec);
  const auto exclude = [&](const std::array<std::string, 2>& pair, const char* who) {
    excluded_.push_back(
        ordered(expect_link(spec, links, pair[0]), expect_link(spec, links, pair[1])));
    left_out_.push_back(fmt::format("links '{}' and '{}': excluded by {}", pair[0], pair[1], who));
  };
  const auto is_there = [&](const std::string& name) {
    return links.find(name) >= 0 || name == "world";
  };
  // a file may name a link that it does not have
  for (const std::array<std::string, 2>& pair : spec.exclusions)
    if (is_there(pair[0]) && is_there(pair[1])) exclude(pair, "the robot file");
  for (const std::array<std::string, 2>& pair : exclusions) exclude(pair, "the settings");
  std::sort(excluded_.begin(), excluded_.end());
}

void TouchFilter::find_pairs(const Spec& spec, const std::vector<TouchShape>& shapes) {
  const SpecLinks links(spec);
  for (const ContactPairSpec& pair : spec.contact_pairs) {
    std::array<int, 2> found{-1, -1};
    for (std::size_t k = 0; k < 2; ++k) {
      const int link = links.find(pair.bodies[k]);
      for (std::size_t i = 0; i < shapes.size() && found[k] < 0; ++i)
        if (shapes[i].shape == pair.shapes[k] && entries_[i].link == link)
          found[k] = static_cast<int>(i);
    }
    // one of them could not be made
    if (found[0] < 0 || found[1] < 0) continue;
    pairs_.push_back({ordered(found[0], found[1]), pair.friction});
    for (const int i : found) entries_[at_index(i)].is_named = true;
  }
}

void TouchFilter::set_aside(std::vector<std::pair<int, int>> pairs) {
  aside_ = std::move(pairs);
  for (Pair& pair : aside_) pair = ordered(pair.first, pair.second);
  std::sort(aside_.begin(), aside_.end());
}

const TouchFilter::NamedPair* TouchFilter::find_pair(int a, int b) const {
  const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const NamedPair& pair) {
    return pair.shapes == ordered(a, b);
  });
  return found == pairs_.end() ? nullptr : &*found;
}

std::optional<Vec3<double>> TouchFilter::friction(int a, int b) const {
  const NamedPair* pair = find_pair(a, b);
  return pair ? pair->friction : std::nullopt;
}

void TouchFilter::list_families(const Spec& spec) {
  std::map<int, std::vector<std::string>> families;
  for (const BodySpec& body : spec.bodies)
    if (body.family != 0) families[body.family].push_back(body.name);
  for (const auto& [family, names] : families)
    if (names.size() > 1)
      left_out_.push_back(fmt::format("links '{}': their model does not collide with itself",
                                      fmt::join(names, "', '")));
}

void TouchFilter::list_silent(const std::vector<TouchShape>& shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].as == 0 && shapes[i].with == 0 && !entries_[i].is_named)
      left_out_.push_back(
          fmt::format("shape '{}': its bits say that it touches nothing", shapes[i].name));
}

}  // namespace limber
