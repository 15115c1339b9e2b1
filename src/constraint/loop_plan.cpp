#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <limber/constraint/articulated_loops.hpp>

#include "constraint/carrier.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Lists of numbers, one for each body, one after the other.
void lay_out_lists(const std::vector<std::vector<int>>& lists, List<int>& start, List<int>& all) {
  start.clear(), all.clear();
  for (const std::vector<int>& list : lists) {
    start.push_back(all.count());
    all.insert(all.end(), list.begin(), list.end());
  }
  start.push_back(all.count());
}

/// Bodies from `body` to the carrier, which is left out, from the carrier on.
template <class T>
std::vector<int> path_to(const BasicModel<T>& m, int body, int carrier) {
  std::vector<int> path;
  for (int i = body; i != carrier; i = m.parent[i]) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

/// The ends of a loop and where it is eliminated.
template <class T>
void add_ends(const BasicMechanism<T>& m, int k, LoopPlan& plan) {
  const BasicLoop<T>& loop = m.loops[k];
  const BasicModel<T>& tree = m.tree;
  LoopPlan::Loop one;
  int bodies[2] = {loop.body_a, loop.body_b};
  if (loop.kind == LoopSpec::Kind::coupling) {
    // its rows act on the joints themselves; the end of a joint that carries the other is the
    // other's
    bodies[0] = loop.leader < 0 ? loop.joint : loop.leader, bodies[1] = loop.joint;
    one.carrier = common_carrier(tree, tree.parent[bodies[0]], tree.parent[bodies[1]]);
    if (tree.supports(bodies[0], bodies[1])) bodies[0] = one.carrier;
    else if (tree.supports(bodies[1], bodies[0])) bodies[1] = one.carrier;
  } else {
    one.carrier = common_carrier(tree, bodies[0], bodies[1]);
    const bool holds_point = m.closures[k].slides == 3 && loop.kind != LoopSpec::Kind::rolling;
    one.needs_velocity = !holds_point || !known_zero(loop.pitch);
    for (const LoopMotion& motion : m.motions)
      if (motion.loop == k) one.needs_velocity = true;
  }
  for (int side = 0; side < 2; ++side) {
    if (bodies[side] == one.carrier) continue;
    one.end[side] = plan.ends.count();
    const std::vector<int> path = path_to(tree, bodies[side], one.carrier);
    const int first = plan.path.count();
    plan.path.insert(plan.path.end(), path.begin(), path.end());
    plan.ends.push_back({k, bodies[side], side, first, plan.path.count()});
  }
  plan.loops.push_back(one);
}

/// Loops that pass a joint together, and those that elimination couples: pairs (earlier, later).
std::map<std::pair<int, int>, int> find_pairs(const std::vector<std::vector<int>>& passing,
                                              const std::vector<int>& place,
                                              const std::vector<int>& order, LoopPlan& plan) {
  std::vector<std::set<int>> coupled(plan.loops.size());
  const auto couple = [&](int a, int b) {
    if (a == b) return;
    if (place[at_index(a)] > place[at_index(b)]) std::swap(a, b);
    coupled[at_index(a)].insert(b);
  };
  for (const std::vector<int>& here : passing)
    for (std::size_t i = 0; i < here.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) couple(plan.ends[here[i]].loop, plan.ends[here[j]].loop);
  std::map<std::pair<int, int>, int> blocks;
  for (const int k : order) {
    const std::vector<int> later(coupled[at_index(k)].begin(), coupled[at_index(k)].end());
    for (std::size_t i = 0; i < later.size(); ++i) {
      blocks[{k, later[i]}] = plan.blocks++;
      for (std::size_t j = 0; j < i; ++j) couple(later[i], later[j]);
    }
  }
  return blocks;
}

/// A loop with the world that shares no joint near its end may be eliminated where its limb has
/// freedoms enough.
template <class T>
void find_early(const BasicMechanism<T>& m, const std::vector<std::vector<int>>& passing,
                LoopPlan& plan, std::vector<std::vector<int>>& early) {
  for (int k = 0; k < plan.loops.count(); ++k) {
    LoopPlan::Loop& loop = plan.loops[k];
    const bool is_single = (loop.end[0] < 0) != (loop.end[1] < 0);
    if (loop.carrier != 0 || !is_single || m.loops[k].kind == LoopSpec::Kind::coupling) continue;
    const LoopPlan::End& end = plan.ends[std::max(loop.end[0], loop.end[1])];
    int freedoms = 0;
    for (int p = end.last - 1; p > end.first; --p) {
      const int i = plan.path[p];
      if (passing[at_index(i)].size() > 1) break;
      freedoms += m.tree.v_count[i];
      if (freedoms < m.closures[k].rows) continue;
      loop.early = m.tree.parent[i];
      early[at_index(loop.early)].push_back(k);
      break;
    }
  }
}

}  // namespace

template <class T>
LoopPlan::LoopPlan(const BasicMechanism<T>& m) {
  const BasicModel<T>& tree = m.tree;
  if (tree.has_mimic()) reason = "joints follow others, or rotors are mounted";
  if (!m.custom.empty()) reason = "constraint '" + m.custom[0].name + "' is over all freedoms";
  if (!reason.empty()) return;
  for (int k = 0; k < m.loops.count(); ++k) add_ends(m, k, *this);
  const auto bodies = at_index(tree.bodies());
  std::vector<std::vector<int>> passes(bodies), closes(bodies), tries(bodies);
  for (int x = 0; x < ends.count(); ++x)
    for (int p = ends[x].first; p < ends[x].last; ++p) passes[at_index(path[p])].push_back(x);
  std::vector<int> order(loops.size()), place(loops.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return loops[a].carrier > loops[b].carrier; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[at_index(order[k])] = static_cast<int>(k);
    closes[at_index(loops[order[k]].carrier)].push_back(order[k]);
  }
  const auto blocks_of = find_pairs(passes, place, order, *this);
  find_early(m, passes, *this, tries);
  for (int k = 0; k < loops.count(); ++k) {
    loops[k].first_pair = pairs.count();
    for (auto at = blocks_of.lower_bound({k, 0}); at != blocks_of.end() && at->first.first == k;
         ++at) {
      const Loop& later = loops[at->first.second];
      const int side =
          later.end[0] >= 0 && tree.supports(loops[k].carrier, ends[later.end[0]].body) ? 0 : 1;
      pairs.push_back({at->first.second, later.end[side], at->second});
    }
    loops[k].last_pair = pairs.count();
  }
  lay_out_lists(passes, passing_start, passing);
  lay_out_lists(closes, closing_start, closing);
  lay_out_lists(tries, early_start, early);
  for (int i = 0; i < tree.bodies(); ++i) {
    product_start.push_back(products.count());
    for (int x = passing_start[i]; x < passing_start[i + 1]; ++x) {
      passing_e.push_back(e_count);
      e_count += tree.v_count[i];
      for (int y = passing_start[i]; y < passing_start[i + 1]; ++y) {
        const int a = ends[passing[x]].loop, b = ends[passing[y]].loop;
        if (a != b && place[at_index(a)] < place[at_index(b)])
          products.push_back({x, y, blocks_of.at({a, b})});
      }
    }
  }
  product_start.push_back(products.count());
}

template <class T>
BasicArticulatedLoops<T>::BasicArticulatedLoops(const BasicMechanism<T>& m) : plan(m) {
  const std::size_t rows = at_index(m.rows), loops = plan.loops.size();
  constexpr std::size_t places = 8;
  force.resize(rows);
  target.resize(rows);
  is_determinate.assign(rows, 1);
  K.resize(6 * places * plan.ends.size());
  for (AlignedVector<T>* list : {&bias, &scale, &lambda}) list->resize(places * loops);
  A.resize(6 * places * loops);
  reduced.resize(6 * places * loops);
  coupling.resize(6 * places * at_index(plan.blocks));
  is_coupled.resize(at_index(plan.blocks));
  e.resize(places * at_index(plan.e_count));
  closed_at.resize(loops);
  is_mixed.resize(loops);
  X.resize(at_index(m.tree.bodies()));
  tau.resize(at_index(m.tree.nv));
}

#define LIMBER_LOOP_PLAN(T)                              \
  template LoopPlan::LoopPlan(const BasicMechanism<T>&); \
  template struct BasicArticulatedLoops<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_LOOP_PLAN)

}  // namespace limber
