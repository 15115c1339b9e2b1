#include <limber/constraint/clusters.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "model/checks.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Joints that were joined to a set, each named after its carried body.
class JointSets {
 public:
  explicit JointSets(int bodies) : parent_(at_index(bodies)), used_(at_index(bodies), 0) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) {
    used_[i] = used_[j] = 1;
    parent_[std::max(find(i), find(j))] = std::min(find(i), find(j));
  }
  bool is_used(int i) const { return used_[i] != 0; }

 private:
  List<int> parent_;
  List<std::uint8_t> used_;
};

/// The two bodies whose joints, and all between them, belong to a loop.
template <class T>
std::pair<int, int> ends_of(const BasicLoop<T>& loop) {
  if (loop.kind != LoopSpec::Kind::coupling) return {loop.body_a, loop.body_b};
  return {loop.joint, loop.leader < 0 ? loop.joint : loop.leader};
}

/// Calls f(i) for the bodies from each end to the nearest one that carries both; a coupling moves
/// the joints of its ends themselves.
template <class T, class F>
void for_loop_bodies(const BasicModel<T>& m, const BasicLoop<T>& loop, F&& f) {
  int a = 0, b = 0;
  std::tie(a, b) = ends_of(loop);
  if (loop.kind == LoopSpec::Kind::coupling) f(a), f(b);
  while (a != b) {
    int& outer = a > b ? a : b;
    f(outer);
    outer = m.parent[outer];
  }
}

}  // namespace

template <class T>
LoopClusters::LoopClusters(const BasicMechanism<T>& m) {
  const BasicModel<T>& tree = m.tree;
  of_body.assign(at_index(tree.bodies()), -1);
  column.assign(at_index(tree.tree_nv), -1);
  columns_end.assign(at_index(tree.bodies()), 0);
  if (tree.has_mimic()) reason = "joints follow others, or rotors are mounted";
  if (!m.custom.empty()) reason = "constraint '" + m.custom[0].name + "' is over all freedoms";
  if (!reason.empty()) return;
  JointSets sets(tree.bodies());
  for (const BasicLoop<T>& loop : m.loops) {
    int first = -1;
    for_loop_bodies(tree, loop, [&](int i) { sets.join(i, first < 0 ? first = i : first); });
  }
  List<int> cluster_of(at_index(tree.bodies()), -1);  // by the set's first body
  for (int i = 1; i < tree.bodies(); ++i) {
    if (!sets.is_used(i)) continue;
    const int root = sets.find(i);
    if (root == i) {
      cluster_of[i] = clusters.count();
      clusters.push_back({});
    }
    of_body[i] = cluster_of[root];
  }
  for (int c = 0; c < clusters.count(); ++c) {
    LoopCluster& cluster = clusters[c];
    cluster.first_body = members.count();
    for (int i = 1; i < tree.bodies(); ++i)
      if (of_body[i] == c) {
        members.push_back(i);
        for (int k = 0; k < tree.v_count[i]; ++k) column[tree.v_index[i] + k] = cluster.columns++;
      }
    cluster.last_body = members.count();
    for (int k = cluster.first_body; k < cluster.last_body; ++k) {
      int end = cluster.columns;  // of the first member beyond the subtree
      for (int l = k + 1; l < cluster.last_body; ++l)
        if (members[l] >= tree.subtree_end[members[k]]) {
          end = column[tree.v_index[members[l]]];
          break;
        }
      columns_end[members[k]] = end;
    }
    cluster.carrier = tree.parent[members[cluster.first_body]];
    cluster.first_loop = loops.count();
    cluster.first_row = rows.count();
    for (int k = 0; k < m.loops.count(); ++k) {
      int a = 0, b = 0;
      std::tie(a, b) = ends_of(m.loops[k]);
      if (of_body[std::max(a, b)] != c) continue;
      loops.push_back(k);
      cluster.rows += m.closures[k].rows;
      for (int r = 0; r < m.closures[k].rows; ++r) rows.push_back(m.closures[k].first_row + r);
    }
    cluster.last_loop = loops.count();
    cluster.width = (cluster.rows + 7 + 7) / 8 * 8;
    most_columns = std::max(most_columns, cluster.columns);
  }
}

template <class T>
BasicClusterDynamics<T>::BasicClusterDynamics(const BasicMechanism<T>& m) : plan(m) {
  const auto bodies = at_index(m.tree.bodies()), rows = at_index(m.rows);
  force.resize(rows);
  is_determinate.assign(rows, 1);
  X.resize(bodies);
  a0.resize(bodies);
  Ic.resize(bodies);
  f0.resize(bodies);
  F.resize(at_index(plan.most_columns));
  solved.resize(at_index(plan.most_columns));
  row_force.resize(rows);
  for (List<T>* list : {&bias, &target, &scale}) list->resize(rows);
  tau.resize(at_index(m.tree.nv));
  int length = 0, most_rows = 0;
  for (const LoopCluster& c : plan.clusters) {
    start.push_back(length);
    const int square = (c.columns * c.columns + 7) / 8 * 8;
    length += c.columns * c.width + square + (c.rows + 7) * c.width;
    most_rows = std::max(most_rows, c.rows);
  }
  numbers.resize(at_index(length));
  lambda.resize(at_index(most_rows));
  null.resize(at_index(most_rows * (most_rows + 1)));
  gram.resize(at_index(most_rows * most_rows));
}

#define LIMBER_CLUSTERS(T)                                       \
  template LoopClusters::LoopClusters(const BasicMechanism<T>&); \
  template struct BasicClusterDynamics<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_CLUSTERS)

}  // namespace limber
