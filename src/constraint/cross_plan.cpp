#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <limber/constraint/cross_inertia.hpp>

#include "index.hpp"

namespace limber {

namespace {

/// Pairs of bodies that are coupled, now or later.
class CrossPairs {
 public:
  explicit CrossPairs(std::size_t bodies) : of_(bodies) {}

  /// The block of the pair; it is made where it is not there.
  int couple(int a, int b) {
    of_[at_index(a)].insert(b), of_[at_index(b)].insert(a);
    return blocks_.try_emplace(std::minmax(a, b), static_cast<int>(blocks_.size())).first->second;
  }
  int block(int a, int b) const { return blocks_.at(std::minmax(a, b)); }
  const std::set<int>& of(int body) const { return of_[at_index(body)]; }
  /// It has none any more.
  void remove(int body) {
    for (const int other : of_[at_index(body)]) of_[at_index(other)].erase(body);
    of_[at_index(body)].clear();
  }
  int count() const { return static_cast<int>(blocks_.size()); }

 private:
  std::vector<std::set<int>> of_;
  std::map<std::pair<int, int>, int> blocks_;
};

/// The leaves of what is left of a tree, by their number of neighbours.
class CrossLeaves {
 public:
  CrossLeaves(const Model& tree, const CrossPairs& pairs)
      : tree_(tree), pairs_(pairs), children_(at_index(tree.bodies())), key_(children_.size()) {
    for (int i = 1; i < tree.bodies(); ++i) ++children_[at_index(tree.parent[i])];
    for (int i = 1; i < tree.bodies(); ++i) enter(i);
  }
  bool empty() const { return leaves_.empty(); }
  /// The one with the fewest; of several the last.
  int take() {
    const int i = -leaves_.begin()->second;
    leaves_.erase(leaves_.begin());
    return i;
  }
  /// After the elimination of a leaf, with the bodies that have other
  /// neighbours now.
  void renew(int eliminated, const std::vector<int>& changed) {
    for (const int i : changed)
      if (children_[at_index(i)] == 0) leaves_.erase({key_[at_index(i)], -i}), enter(i);
    const int parent = tree_.parent[eliminated];
    --children_[at_index(parent)];
    if (parent != 0) enter(parent);
  }

 private:
  void enter(int i) {
    if (children_[at_index(i)] > 0) return;
    key_[at_index(i)] = pairs_.of(i).size();
    leaves_.insert({key_[at_index(i)], -i});
  }
  const Model& tree_;
  const CrossPairs& pairs_;
  std::vector<int> children_;
  std::vector<std::size_t> key_;
  std::set<std::pair<std::size_t, int>> leaves_;
};

/// Bodies that the rows of a loop act on, each once.
std::array<int, 4> bodies_of_loop(const Mechanism& m, const BasicLoop<double>& loop) {
  std::array<int, 4> bodies{-1, -1, -1, -1};
  std::size_t count = 0;
  const auto add = [&](int body) {
    if (body > 0 && std::find(bodies.begin(), bodies.end(), body) == bodies.end())
      bodies[count++] = body;
  };
  if (loop.kind != LoopSpec::Kind::coupling) {
    add(loop.body_a), add(loop.body_b);
    return bodies;
  }
  for (const int joint : {loop.joint, loop.leader})
    if (joint > 0) add(joint), add(m.tree.parent[joint]);
  return bodies;
}

}  // namespace

CrossPlan::CrossPlan(const Mechanism& m) {
  const Model& tree = m.tree;
  if (tree.has_mimic()) reason = "joints follow others, or rotors are mounted";
  if (!m.custom.empty()) reason = "constraint '" + m.custom[0].name + "' is over all freedoms";
  if (!reason.empty()) return;
  CrossPairs coupled(at_index(tree.bodies()));
  for (const BasicLoop<double>& loop : m.loops) {
    const std::array<int, 4> of_loop = bodies_of_loop(m, loop);
    bodies.push_back(of_loop);
    std::array<int, 6>& list = loop_blocks.emplace_back();
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j, ++at)
        list[at] = of_loop[j] < 0 ? -1 : coupled.couple(of_loop[i], of_loop[j]);
  }
  place.assign(at_index(tree.bodies()), tree.bodies());
  CrossLeaves leaves(tree, coupled);
  while (!leaves.empty()) {
    const int i = leaves.take(), parent = tree.parent[i];
    const std::vector<int> near(coupled.of(i).begin(), coupled.of(i).end());
    place[i] = order.count();
    order.push_back(i);
    neighbour_start.push_back(neighbours.count());
    for (const int j : near) neighbours.push_back({j, coupled.block(i, j), -1, 0});
    coupled.remove(i);
    std::vector<int> changed = near;
    for (std::size_t x = 0; x < near.size(); ++x) {
      for (std::size_t y = 0; y < x; ++y) coupled.couple(near[x], near[y]);
      if (parent == 0 || near[x] == parent) continue;
      neighbours[neighbour_start.back() + static_cast<int>(x)].with_parent =
          coupled.couple(near[x], parent);
      changed.push_back(parent);
    }
    leaves.renew(i, changed);
  }
  neighbour_start.push_back(neighbours.count());
  blocks = coupled.count();
  for (int n = 0; n < order.count(); ++n) {
    pair_start.push_back(pairs.count());
    const int first = neighbour_start[n], last = neighbour_start[n + 1],
              columns = tree.v_count[order[n]];
    for (int x = first; x < last; ++x) {
      neighbours[x].first_product = products;
      products += columns;
      for (int y = first; y < x; ++y) {
        const int a = neighbours[x].body, b = neighbours[y].body;
        const bool is_later = place[a] > place[b];
        pairs.push_back({is_later ? x : y, is_later ? y : x, coupled.block(a, b)});
      }
    }
    const double count = last - first;
    cost += 400 + columns * (60 + count * 100 + count * count * 20) + count * 250;
  }
  pair_start.push_back(pairs.count());
}

}  // namespace limber
