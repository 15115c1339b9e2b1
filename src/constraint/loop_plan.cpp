#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <limber/constraint/articulated_loops.hpp>

#include "constraint/carrier.hpp"
#include "constraint/loop_rows.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Lists, one for each body, one after the other.
template <class X>
void lay_out_lists(const std::vector<std::vector<X>>& lists, List<int>& start, List<X>& all) {
  start.clear(), all.clear();
  for (const std::vector<X>& list : lists) {
    start.push_back(all.count());
    all.insert(all.end(), list.begin(), list.end());
  }
  start.push_back(all.count());
}

/// More products of loops that pass the same joint than this, and their list is too long.
constexpr double most_shared = 4e6;

/// Bodies from `body` to the carrier, which is left out.
template <class T>
std::vector<int> path_to(const BasicModel<T>& m, int body, int carrier) {
  std::vector<int> path;
  for (int i = body; i != carrier; i = m.parent[i]) path.push_back(i);
  return path;
}

/// The same from the carrier on.
template <class T>
std::vector<int> path_out(const BasicModel<T>& m, int carrier, int body) {
  std::vector<int> path = path_to(m, body, carrier);
  std::reverse(path.begin(), path.end());
  return path;
}

/// An end as it passes a joint, and its e at the joint's columns.
using Passing = LoopPlan::Passing;
using PassingLists = std::vector<std::vector<Passing>>;

/// The ends of a loop, the joints that they pass, and where it is eliminated.
template <class T>
void add_ends(const BasicMechanism<T>& m, int k, LoopPlan& plan, PassingLists& passing) {
  const BasicLoop<T>& loop = m.loops[k];
  const BasicModel<T>& tree = m.tree;
  LoopPlan::Loop one;
  int bodies[2] = {loop.body_a, loop.body_b};
  const bool is_coupling = loop.kind == LoopSpec::Kind::coupling;
  if (is_coupling) {
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
    one.rows_move = loop.kind == LoopSpec::Kind::distance || loop.kind == LoopSpec::Kind::rolling ||
                    m.closures[k].turns == 1;
    one.is_short = !one.needs_velocity && !one.rows_move;
  }
  one.first_e = plan.e_column.count();
  for (int side = 0; side < 2; ++side) {
    // an end that is on the carrier waits there; on the world it need not
    if (bodies[side] == one.carrier && (is_coupling || one.carrier == 0)) continue;
    const int end = one.end[side] = plan.ends.count();
    plan.ends.push_back({k, bodies[side], side});
    for (const int i : path_to(tree, bodies[side], one.carrier)) {
      passing[at_index(i)].push_back(
          {end, k, m.closures[k].rows, plan.e_column.count(), is_coupling});
      for (int c = 0; c < tree.v_count[i]; ++c) plan.e_column.push_back(tree.v_index[i] + c);
    }
  }
  one.last_e = plan.e_column.count();
  plan.loops.push_back(one);
}

/// Which bodies each loop places in the frame of its carrier, after those that loops with the same
/// carrier have placed before it.
template <class T>
void add_placed(const BasicMechanism<T>& m, LoopPlan& plan) {
  std::set<int> placed;
  int carrier = -1;
  for (const int k : plan.order) {
    LoopPlan::Loop& loop = plan.loops[k];
    if (loop.carrier != carrier) placed.clear();
    carrier = loop.carrier;
    loop.first_placed = plan.placed.count();
    const bool needs_none = loop.is_short && !std::is_class_v<T>;
    if (m.loops[k].kind != LoopSpec::Kind::coupling && !needs_none) {
      for (const int body : {m.loops[k].body_a, m.loops[k].body_b}) {
        for (const int i : path_out(m.tree, carrier, body))
          if (placed.insert(i).second) plan.placed.push_back(i);
      }
    }
    loop.last_placed = plan.placed.count();
  }
  const auto add = [&](const std::vector<int>& path, int& first, int& last) {
    first = plan.outward.count();
    plan.outward.insert(plan.outward.end(), path.begin(), path.end());
    last = plan.outward.count();
  };
  for (int k = 0; k < plan.loops.count(); ++k) {
    LoopPlan::Loop& loop = plan.loops[k];
    if (m.loops[k].kind == LoopSpec::Kind::coupling) continue;
    add(path_out(m.tree, loop.carrier, m.loops[k].body_a), loop.first_in, loop.last_in);
    add(path_out(m.tree, loop.carrier, m.loops[k].body_b), loop.first_out, loop.last_out);
  }
}

/// Loops that pass a joint together, and those that elimination couples: pairs (earlier, later).
std::map<std::pair<int, int>, int> find_pairs(const PassingLists& passing,
                                              const std::vector<int>& place, LoopPlan& plan) {
  std::vector<std::set<int>> coupled(plan.loops.size());
  const auto couple = [&](int a, int b) {
    if (a == b) return;
    if (place[at_index(a)] > place[at_index(b)]) std::swap(a, b);
    coupled[at_index(a)].insert(b);
  };
  for (const std::vector<Passing>& here : passing)
    for (std::size_t i = 0; i < here.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) couple(here[i].loop, here[j].loop);
  std::map<std::pair<int, int>, int> blocks;
  for (const int k : plan.order) {
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
void find_early(const BasicMechanism<T>& m, const PassingLists& passing, LoopPlan& plan,
                std::vector<std::vector<LoopPlan::Elimination>>& eliminated) {
  for (int k = 0; k < plan.loops.count(); ++k) {
    LoopPlan::Loop& loop = plan.loops[k];
    const bool is_single = (loop.end[0] < 0) != (loop.end[1] < 0);
    if (loop.carrier != 0 || !is_single || m.loops[k].kind == LoopSpec::Kind::coupling) continue;
    const LoopPlan::End& end = plan.ends[std::max(loop.end[0], loop.end[1])];
    int freedoms = 0;
    for (int i = end.body; m.tree.parent[i] != 0 && passing[at_index(i)].size() == 1;
         i = m.tree.parent[i]) {
      freedoms += m.tree.v_count[i];
      if (freedoms < m.closures[k].rows) continue;
      loop.early = m.tree.parent[i];
      loop.early_e = loop.first_e + freedoms;
      eliminated[at_index(loop.early)].push_back({k, true});
      break;
    }
  }
}

/// Pairs of coupled loops, and the products of their e.
template <class T>
void add_pairs(const BasicModel<T>& tree, const PassingLists& passing,
               const std::vector<int>& place, LoopPlan& plan) {
  std::map<std::pair<int, int>, std::vector<LoopPlan::Product>> products;
  for (int i = 0; i < tree.bodies(); ++i)
    for (const Passing& x : passing[at_index(i)])
      for (const Passing& y : passing[at_index(i)]) {
        if (x.loop == y.loop || place[at_index(x.loop)] > place[at_index(y.loop)]) continue;
        for (int c = 0; c < tree.v_count[i]; ++c)
          products[{x.loop, y.loop}].push_back({x.e + c, y.e + c});
      }
  const auto blocks_of = find_pairs(passing, place, plan);
  for (int k = 0; k < plan.loops.count(); ++k) {
    LoopPlan::Loop& loop = plan.loops[k];
    loop.first_pair = plan.pairs.count();
    for (auto at = blocks_of.lower_bound({k, 0}); at != blocks_of.end() && at->first.first == k;
         ++at) {
      const LoopPlan::Loop& later = plan.loops[at->first.second];
      const int side =
          later.end[0] >= 0 && tree.supports(loop.carrier, plan.ends[later.end[0]].body) ? 0 : 1;
      const std::vector<LoopPlan::Product>& own = products[at->first];
      const int first = plan.products.count();
      plan.products.insert(plan.products.end(), own.begin(), own.end());
      plan.pairs.push_back(
          {at->first.second, later.end[side], at->second, first, plan.products.count()});
    }
    loop.last_pair = plan.pairs.count();
  }
}

}  // namespace

template <class T>
LoopPlan::LoopPlan(const BasicMechanism<T>& m) {
  const BasicModel<T>& tree = m.tree;
  if (tree.has_mimic()) reason = "joints follow others, or rotors are mounted";
  if (!m.custom.empty()) reason = "constraint '" + m.custom[0].name + "' is over all freedoms";
  if (!reason.empty()) return;
  const auto bodies = at_index(tree.bodies());
  PassingLists passes(bodies);
  for (int k = 0; k < m.loops.count(); ++k) add_ends(m, k, *this, passes);
  double shared = 0;  // products of loops at joints
  for (const auto& here : passes) shared += static_cast<double>(here.size() * here.size());
  if (shared > most_shared) {
    reason = "too many loops share joints, as in a long ladder";
    return;
  }
  for (int k = 0; k < loops.count(); ++k) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return loops[a].carrier > loops[b].carrier; });
  std::vector<std::vector<Elimination>> eliminations(bodies);
  std::vector<int> place(loops.size());
  for (int k = 0; k < order.count(); ++k) {
    place[at_index(order[k])] = k;
    eliminations[at_index(loops[order[k]].carrier)].push_back({order[k], false});
  }
  find_early(m, passes, *this, eliminations);
  add_pairs(tree, passes, place, *this);
  add_placed(m, *this);
  lay_out_lists(passes, passing_start, passing);
  lay_out_lists(eliminations, eliminated_start, eliminated);
}

namespace {

/// The forces of a loop's rows in the axes of body a, where they are constant.
template <class T>
void put_units(const BasicMechanism<T>& m, int k, AlignedVector<T>& unit) {
  const BasicLoop<T>& loop = m.loops[k];
  const auto& closure = m.closures[k];
  const LoopPose<T> pose{loop.placement_a, {}, loop.placement_a.R * closure.basis};
  for_row_forces(m, k, pose, [&](int row, const Force<T>& f) {
    const int r = row - closure.first_row;
    for (int c = 0; c < 3; ++c) {
      unit[at_index((6 * k + c) * 8 + r)] = f.angular[c];
      unit[at_index((6 * k + c + 3) * 8 + r)] = f.linear[c];
    }
  });
}

}  // namespace

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
  e.resize(places * plan.e_column.size());
  unit.resize(6 * places * loops);
  for (int k = 0; k < plan.loops.count(); ++k)
    if (m.loops[k].kind != LoopSpec::Kind::coupling && !plan.loops[k].rows_move)
      put_units(m, k, unit);
  closed_at.resize(loops);
  last_e.resize(loops);
  is_mixed.resize(loops);
  X.resize(at_index(m.tree.bodies()));
  tau.resize(at_index(m.tree.nv));
}

#define LIMBER_LOOP_PLAN(T)                              \
  template LoopPlan::LoopPlan(const BasicMechanism<T>&); \
  template struct BasicArticulatedLoops<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_LOOP_PLAN)

}  // namespace limber
