// Which bodies move each other: trees, trees that loops tie together, islands of contacts.
#include <algorithm>

#include <limber/contact/contact_rows.hpp>

#include "index.hpp"

namespace limber {

namespace {

int root_of_set(List<int>& joined, int k) {
  while (joined[k] != k) k = joined[k] = joined[joined[k]];
  return k;
}
void join_sets(List<int>& joined, int a, int b) {
  a = root_of_set(joined, a), b = root_of_set(joined, b);
  joined[std::max(a, b)] = std::min(a, b);
}

}  // namespace

void ContactRows::find_trees(const Mechanism& m) {
  const Model& tree = m.tree;
  last_freedom_.assign(tree.parent.size(), -1);
  for (int i = 1; i < tree.bodies(); ++i) {
    last_freedom_[i] = last_freedom_[tree.parent[i]];
    // freedoms that move one body lie on one path
    for (int k = 0; k < tree.v_count[i]; ++k)
      last_freedom_[i] = std::max(last_freedom_[i], tree.v_fold[tree.v_index[i] + k].index);
  }
  joined_.resize(at_index(tree.nv));
  for (int k = 0; k < tree.nv; ++k) {
    joined_[k] = k;
    if (tree.dof_parent[k] >= 0) join_sets(joined_, k, tree.dof_parent[k]);
  }
  for (const BasicLoop<double>& loop : m.loops) {
    const bool coupling = loop.kind == LoopSpec::Kind::coupling;
    const int a = last_freedom_[coupling ? std::max(loop.leader, 0) : loop.body_a];
    const int b = last_freedom_[coupling ? loop.joint : loop.body_b];
    if (a >= 0 && b >= 0) join_sets(joined_, a, b);
  }
  for (int k = 1; k < tree.nv && !m.custom.empty(); ++k) join_sets(joined_, 0, k);
  tree_of_freedom_.resize(at_index(tree.nv));
  for (int k = 0; k < tree.nv; ++k) {
    const int root = root_of_set(joined_, k);
    tree_of_freedom_[k] = root == k ? trees_++ : tree_of_freedom_[root];
  }
  tree_of_body_.resize(tree.parent.size());
  for (int i = 0; i < tree.bodies(); ++i)
    tree_of_body_[i] = last_freedom_[i] < 0 ? -1 : tree_of_freedom_[last_freedom_[i]];
  island_of_tree_.assign(at_index(trees_), -1);
}

void ContactRows::find_groups(const Mechanism& m) {
  group_of_tree_.assign(at_index(trees_), -1);
  for (int row = 0; row < m.rows; ++row) {
    const int owner = m.owner(row);
    int freedom = 0;
    if (owner < m.loops.count()) {
      const BasicLoop<double>& loop = m.loops[owner];
      freedom = loop.kind == LoopSpec::Kind::coupling
                    ? last_freedom_[loop.joint]
                    : std::max(last_freedom_[loop.body_a], last_freedom_[loop.body_b]);
    }
    if (freedom < 0 || m.tree.nv == 0) continue;  // between fixed things
    int& group = group_of_tree_[tree_of_freedom_[freedom]];
    if (group < 0) {
      group = groups_.count();
      groups_.push_back({});
      for (int k = 0; k < m.tree.nv; ++k)
        if (tree_of_freedom_[k] == tree_of_freedom_[freedom]) groups_[group].freedoms.push_back(k);
    }
    groups_[group].rows.push_back(row);
  }
  for (LoopGroup& group : groups_) group.Q.resize(group.rows.size() * group.freedoms.size());
}

void ContactRows::find_islands(std::span<const RowContact> contacts) {
  joined_.resize(at_index(trees_));
  for (int k = 0; k < trees_; ++k) joined_[k] = k;
  for (const RowContact& contact : contacts) {
    const int a = tree_of_body(contact.body_a), b = tree_of_body(contact.body_b);
    if (a >= 0 && b >= 0) join_sets(joined_, a, b);
  }
  std::fill(island_of_tree_.begin(), island_of_tree_.end(), -1);
  const auto root_of_contact = [&](const RowContact& contact) {
    const int tree = std::max(tree_of_body(contact.body_a), tree_of_body(contact.body_b));
    return tree < 0 ? -1 : root_of_set(joined_, tree);
  };
  // islands in the order of their first contact; those that nothing moves are in none
  int all = 0;
  for (const RowContact& contact : contacts) {
    const int root = root_of_contact(contact);
    if (root < 0) continue;
    int& island = island_of_tree_[root];
    if (island < 0) {
      island = problem.islands.count();
      problem.islands.push_back({});
    }
    ++problem.islands[island].contacts;
    ++all;
  }
  int next = 0;
  for (ContactIsland& island : problem.islands) {
    island.first = next;
    next += island.contacts;
    island.contacts = 0;
  }
  problem.order.resize(at_index(all));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int root = root_of_contact(contacts[c]);
    if (root < 0) {
      problem.impulse[c] = problem.turn_impulse[c] = {};
      continue;
    }
    ContactIsland& island = problem.islands[island_of_tree_[root]];
    problem.order[island.first + island.contacts++] = static_cast<int>(c);
  }
  for (int k = 0; k < trees_; ++k) island_of_tree_[k] = island_of_tree_[root_of_set(joined_, k)];
}

}  // namespace limber
