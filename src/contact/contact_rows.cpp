#include <limber/contact/contact_rows.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

#include "constraint/row_size.hpp"
#include "dynamics/checks.hpp"
#include "dynamics/joints.ipp"
#include "dynamics/tree_factor.ipp"

namespace limber {

namespace {

constexpr const char* contact_what = "contacts";
constexpr double held_share = 1e-20;  // of squares

/// What a motion of body a does in three rows along the axes.
template <class Axes>
Vec3<double> along_axes(const Axes& axes, const Vec3<double>& x) {
  return {dot(axes.n, x), dot(axes.t1, x), dot(axes.t2, x)};
}
template <class Axes>
Vec3<double> to_world(const Axes& axes, const Vec3<double>& x) {
  return axes.n * x.x + axes.t1 * x.y + axes.t2 * x.z;
}

/// Contacts come from outside: bodies that are there, unit normals.
void check_contact(const Model& model, const RowContact& contact, std::size_t number) {
  const auto refuse = [&](const std::string& what) {
    throw Error(
        fmt::format("ContactRows::place: contact {} of robot '{}': {}", number, model.name, what));
  };
  for (const int body : {contact.body_a, contact.body_b})
    if (body >= model.bodies())
      refuse(fmt::format("body {} does not exist; there are {}, of which 0 is the world", body,
                         model.bodies()));
  const double length2 = dot(contact.normal, contact.normal);
  if (!(std::abs(length2 - 1) < 1e-6))
    refuse(fmt::format("its normal has the length {}; give a unit vector", std::sqrt(length2)));
}

}  // namespace

void tangents_of(const Vec3<double>& n, Vec3<double>& t1, Vec3<double>& t2) {
  // Duff et al. 2017: no branch but the sign, and no cancellation
  const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
  t1 = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  t2 = {b, sign + n.y * n.y * a, -n.y};
}

ContactRows::ContactRows(const Mechanism& m, int most_contacts) : loops(m), poses_(m.tree) {
  if (m.rows > 0) loop_solver = RowSolver(m.tree.nv, m.rows);
  const std::size_t nv = at_index(m.tree.nv), most = at_index(std::max(most_contacts, 0));
  S_.resize(at_index(m.tree.tree_nv));
  for (List<double>* list : {&root_of_pivot_, &free_velocity_, &scratch_}) list->resize(nv);
  loop_rates_.resize(at_index(m.rows));
  loop_right_.resize(at_index(m.rows));
  spread_.resize(nv);
  spread_turn_.resize(nv);
  find_trees(m);
  find_groups(m);
  std::size_t longest = 0;  // path or group of a body
  for (int i = 1; i < m.tree.bodies(); ++i) {
    std::size_t depth = 0;
    for (int k = last_freedom_[i]; k >= 0; k = m.tree.dof_parent[k]) ++depth;
    longest = std::max(longest, depth);
  }
  for (const LoopGroup& group : groups_) longest = std::max(longest, group.freedoms.size());
  X_.resize(longest);
  X_turn_.resize(longest);
  merged_.reserve(2 * longest);
  problem.reserve(most_contacts, static_cast<int>(2 * longest), m.tree.nv);
  axes_.reserve(most);
  target_.reserve(most);
  drift_.reserve(most);
  J_first_.reserve(most + 1);
  J_turn_first_.reserve(most + 1);
  J_place_.reserve(2 * longest * most);
  J_.reserve(2 * longest * most);
  J_turn_.reserve(2 * longest * most);
  problem.clear();
}

std::span<const int> ContactRows::path_of_body(int body) const {
  const int last = body <= 0 ? -1 : last_freedom_[body];
  if (last < 0) return {};
  const TreePattern& at = factor_->M.pattern;
  return {at.path.data() + at.start[last], at_index(at.depth(last) + 1)};
}

/// The numbers of z that forces on a body change.
std::span<const int> ContactRows::places_of_body(int body) const {
  const int tree = tree_of_body(body);
  if (tree < 0) return {};
  if (const int group = group_of_tree_[tree]; group >= 0) return groups_[group].freedoms;
  return path_of_body(body);
}

void ContactRows::fill_columns(const Mechanism& m, Workspace& ws) {
  for (int i = 1; i < m.tree.bodies(); ++i)
    with_joint(m.tree, ws, i, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int column) {
        Motion<double> unit;
        unit += S * 1.0;
        S_[column] = {poses_.X_W[i].R * unit.angular, poses_.X_W[i].R * unit.linear};
      });
    });
}

/// Q of a group: its rows in z, made square to each other; those that depend on others are left
/// out.
void ContactRows::hold_loops(LoopGroup& group) {
  const int n = group.freedoms.count();
  const auto row = [&](int r) { return group.Q.data() + r * n; };
  group.rank = 0;
  const double tolerance = loop_solver.rank_tolerance;
  for (const int from : group.rows) {
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    for (const int k : group.freedoms) scratch_[k] = loops.jt(k, from);
    half_solve(*factor_, std::span<double>(scratch_));
    double* q = row(group.rank);
    double before = 0, after = 0;
    for (int k = 0; k < n; ++k) {
      q[k] = scratch_[group.freedoms[k]] * root_of_pivot_[group.freedoms[k]];
      before += q[k] * q[k];
    }
    for (int pass = 0; pass < 2; ++pass)
      for (int r = 0; r < group.rank; ++r) {
        double along = 0;
        for (int k = 0; k < n; ++k) along += q[k] * row(r)[k];
        for (int k = 0; k < n; ++k) q[k] -= along * row(r)[k];
      }
    for (int k = 0; k < n; ++k) after += q[k] * q[k];
    if (!(after > tolerance * tolerance * size_of_row(loops, from, before))) continue;
    for (int k = 0; k < n; ++k) q[k] /= std::sqrt(after);
    ++group.rank;
  }
}

void ContactRows::place(const Mechanism& m, double t, In<double> q, const TreeFactor& factor,
                        std::span<const RowContact> contacts, Workspace& ws) {
  check_workspace("ContactRows::place", m.tree, loops);
  if (factor.holds != TreeFactor::Holds::factor) refuse_unfactored("ContactRows::place");
  factor_ = &factor;
  for (int k = m.tree.tree_nv - 1; k >= 0; --k)
    check_pivot<double>(m.tree, contact_what, q, inverse_pivot(factor, m.tree.v_fold[k].index),
                        m.tree.column_body[k]);
  for (int k = 0; k < m.tree.nv; ++k) root_of_pivot_[k] = std::sqrt(inverse_pivot(factor, k));
  if (m.rows > 0) {
    loop_jacobian<double>(m, t, q, ws, loops);
    for (LoopGroup& group : groups_) hold_loops(group);
  }
  forward_kinematics<double>(m.tree, q, ws, poses_);
  fill_columns(m, ws);
  problem.clear();
  problem.size = m.tree.nv;
  problem.z.assign(at_index(m.tree.nv), 0.0);
  axes_.clear();
  target_.clear();
  drift_.clear();
  J_place_.clear();
  J_.clear();
  J_turn_.clear();
  J_first_.assign(1, 0);
  J_turn_first_.assign(1, 0);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    check_contact(m.tree, contacts[c], c);
    add_contact(m, contacts[c]);
  }
  find_islands(contacts);
}

/// J and its half solution of one of the two bodies.
void ContactRows::add_side(const Mechanism& m, int contact, int body, double sign,
                           const Vec3<double>& point) {
  const std::span<const int> path = path_of_body(body);
  if (path.empty()) return;
  const TreePattern& at = factor_->M.pattern;
  const Axes& axes = axes_[contact];
  const bool turning = problem.turns(contact);
  for (std::size_t k = 0; k < path.size(); ++k) X_[k] = X_turn_[k] = {};
  for (int i = body; i != 0; i = m.tree.parent[i]) {
    const Vec3<double> arm = point - poses_.X_W[i].p;
    for (int k = m.tree.v_index[i]; k < m.tree.v_index[i] + m.tree.v_count[i]; ++k) {
      const Fold<double>& fold = m.tree.v_fold[k];
      const double factor = sign * fold.ratio;
      const int place = at.depth(fold.index);
      X_[place] += along_axes(axes, S_[k].linear + cross(S_[k].angular, arm)) * factor;
      if (turning) X_turn_[place] += along_axes(axes, S_[k].angular) * factor;
    }
  }
  J_place_.insert(J_place_.end(), path.begin(), path.end());
  J_.insert(J_.end(), X_.begin(), X_.begin() + static_cast<std::ptrdiff_t>(path.size()));
  if (turning)
    J_turn_.insert(J_turn_.end(), X_turn_.begin(),
                   X_turn_.begin() + static_cast<std::ptrdiff_t>(path.size()));
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  half_solve_path<3>(at, factor_->L.data(), path.back(), &X_[0].x);
  if (turning) half_solve_path<3>(at, factor_->L.data(), path.back(), &X_turn_[0].x);
}

/// The half solution of a side, where the other side or loops add to it.
void ContactRows::spread_side(int contact, int body) {
  const std::span<const int> path = path_of_body(body);
  for (std::size_t k = 0; k < path.size(); ++k) {
    spread_[path[k]] += X_[k] * root_of_pivot_[path[k]];
    if (problem.turns(contact)) spread_turn_[path[k]] += X_turn_[k] * root_of_pivot_[path[k]];
  }
}

/// The squares of what is spread over a group's freedoms.
double ContactRows::size_of_spread(const LoopGroup& group) const {
  double sum = 0;
  for (const int k : group.freedoms) sum += dot(spread_[k], spread_[k]);
  return sum;
}

void ContactRows::add_contact(const Mechanism& m, const RowContact& from) {
  const std::span<const int> a = places_of_body(from.body_a), b = places_of_body(from.body_b);
  const int tree_a = tree_of_body(from.body_a), tree_b = tree_of_body(from.body_b);
  merged_.assign(a.begin(), a.end());
  if (tree_a != tree_b) merged_.insert(merged_.end(), b.begin(), b.end());
  else  // the beginnings of two paths of one tree are the same
    for (std::size_t k = 0; k < b.size(); ++k)
      if (k >= a.size() || a[k] != b[k]) merged_.push_back(b[k]);
  Axes axes{from.normal, {}, {}};
  tangents_of(axes.n, axes.t1, axes.t2);
  ContactLaw law = from.law;
  const Vec3<double> slip = along_axes(axes, from.slip);
  law.slip_1 = slip.y;
  law.slip_2 = slip.z;
  const int c = problem.add(law, merged_);
  axes_.push_back(axes);
  target_.push_back(from.target);
  drift_.push_back(along_axes(axes, from.drift));
  problem.impulse[c] = along_axes(axes, from.start);
  problem.turn_impulse[c] = along_axes(axes, from.start_turn);
  problem.shared[c] = from.start_is_shared;
  const auto end_rows = [&] {
    J_first_.push_back(J_place_.count());
    J_turn_first_.push_back(J_turn_.count());
  };
  add_side(m, c, from.body_a, 1, from.point);
  if (tree_b < 0 && tree_a >= 0 && group_of_tree_[tree_a] < 0) {
    // one side alone: its places are those of the path
    for (int e = problem.first[c], t = problem.turn[c], k = 0; e < problem.first[c + 1];
         ++e, ++t, ++k) {
      problem.W[e] = X_[k] * root_of_pivot_[problem.place[e]];
      if (problem.turns(c)) problem.W_turn[t] = X_turn_[k] * root_of_pivot_[problem.place[e]];
    }
    end_rows();
    return;
  }
  spread_side(c, from.body_a);
  add_side(m, c, from.body_b, -1, from.point);
  spread_side(c, from.body_b);
  end_rows();
  // what the loops hold is no motion that a contact can give
  const int group_a = tree_a < 0 ? -1 : group_of_tree_[tree_a];
  const int group_b = tree_b < 0 || tree_b == tree_a ? -1 : group_of_tree_[tree_b];
  for (const int g : {group_a, group_b}) {
    if (g < 0) continue;
    const LoopGroup& group = groups_[g];
    const int n = group.freedoms.count();
    const double free = held_share * size_of_spread(group);
    for (int r = 0; r < group.rank; ++r) {
      const double* row = group.Q.data() + r * n;
      Vec3<double> along, turn_along;
      for (int k = 0; k < n; ++k) {
        along += spread_[group.freedoms[k]] * row[k];
        turn_along += spread_turn_[group.freedoms[k]] * row[k];
      }
      for (int k = 0; k < n; ++k) {
        spread_[group.freedoms[k]] -= along * row[k];
        spread_turn_[group.freedoms[k]] -= turn_along * row[k];
      }
    }
    // what the loops hold but for rounding they hold
    if (group.rank > 0 && size_of_spread(group) <= free)
      for (const int k : group.freedoms) spread_[k] = {};
  }
  for (int e = problem.first[c], t = problem.turn[c]; e < problem.first[c + 1]; ++e, ++t) {
    const int k = problem.place[e];
    problem.W[e] = spread_[k];
    if (problem.turns(c)) problem.W_turn[t] = spread_turn_[k];
    spread_[k] = spread_turn_[k] = {};
  }
}

void ContactRows::set_free_velocity(In<double> v, In<double> loop_rates) {
  if (factor_ == nullptr) throw Error("ContactRows::set_free_velocity: call place() before it");
  check_size("ContactRows::set_free_velocity", "v", v.size(), problem.size, factor_->robot);
  std::copy(v.begin(), v.end(), free_velocity_.begin());
  if (loops.rows > 0) {
    if (!loop_rates.empty())
      check_size("ContactRows::set_free_velocity", "loop_rates", loop_rates.size(), loops.rows,
                 factor_->robot);
    for (int i = 0; i < loops.rows; ++i) {
      loop_right_[i] = (loop_rates.empty() ? 0.0 : loop_rates[at_index(i)]) - loops.drift[i];
      for (int k = 0; k < problem.size; ++k) loop_right_[i] -= loops.jt(k, i) * v[at_index(k)];
    }
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    solve_rows<double>(*factor_, loops, loop_right_, loop_solver, scratch_);
    for (int k = 0; k < problem.size; ++k) free_velocity_[k] += scratch_[k];
  }
  for (int c = 0; c < problem.contacts(); ++c) {
    Vec3<double> u = drift_[c], w;
    u.x -= target_[c];
    for (int e = J_first_[c]; e < J_first_[c + 1]; ++e) u += J_[e] * free_velocity_[J_place_[e]];
    problem.b[c] = u;
    if (!problem.turns(c)) continue;
    for (int e = J_turn_first_[c], f = J_first_[c]; e < J_turn_first_[c + 1]; ++e, ++f)
      w += J_turn_[e] * free_velocity_[J_place_[f]];
    problem.b_turn[c] = w;
  }
}

void ContactRows::velocity(Out<double> v) const {
  if (factor_ == nullptr) throw Error("ContactRows::velocity: call place() before it");
  check_size("ContactRows::velocity", "v", v.size(), problem.size, factor_->robot);
  for (int k = 0; k < problem.size; ++k) v[at_index(k)] = problem.z[k] / root_of_pivot_[k];
  finish_solve(*factor_, v);
  for (int k = 0; k < problem.size; ++k) v[at_index(k)] += free_velocity_[k];
}

void ContactRows::generalized_impulse(Out<double> tau) const {
  if (factor_ == nullptr) throw Error("ContactRows::generalized_impulse: call place() before it");
  check_size("ContactRows::generalized_impulse", "tau", tau.size(), problem.size, factor_->robot);
  std::fill(tau.begin(), tau.end(), 0.0);
  for (int c = 0; c < problem.contacts(); ++c) {
    for (int e = J_first_[c]; e < J_first_[c + 1]; ++e)
      tau[at_index(J_place_[e])] += dot(J_[e], problem.impulse[c]);
    for (int e = J_turn_first_[c], f = J_first_[c]; e < J_turn_first_[c + 1]; ++e, ++f)
      tau[at_index(J_place_[f])] += dot(J_turn_[e], problem.turn_impulse[c]);
  }
}

Vec3<double> ContactRows::row_velocity(int c, In<double> v) const {
  Vec3<double> u;
  for (int e = J_first_[c]; e < J_first_[c + 1]; ++e) u += J_[e] * v[at_index(J_place_[e])];
  return u;
}

Vec3<double> ContactRows::along_rows(int c, const Vec3<double>& velocity) const {
  return along_axes(axes_[c], velocity);
}

double ContactRows::work(int c, In<double> v) const {
  return dot(problem.impulse[c], row_velocity(c, v)) + turn_work(c, v);
}

double ContactRows::turn_work(int c, In<double> v) const {
  Vec3<double> w;
  for (int e = J_turn_first_[c], f = J_first_[c]; e < J_turn_first_[c + 1]; ++e, ++f)
    w += J_turn_[e] * v[at_index(J_place_[f])];
  return dot(problem.turn_impulse[c], w);
}

std::span<const double> ContactRows::loop_impulses() {
  if (loops.rows == 0) return {};
  generalized_impulse(scratch_);
  solve_rows<double>(*factor_, loops, loop_right_, loop_solver, scratch_);
  return loop_solver.force;
}

Vec3<double> ContactRows::impulse(int c) const { return to_world(axes_[c], problem.impulse[c]); }

Vec3<double> ContactRows::turn_impulse(int c) const {
  return to_world(axes_[c], problem.turn_impulse[c]);
}

Vec3<double> ContactRows::slip(int c) const {
  Vec3<double> u = problem.velocity(c);
  u.x += target_[c] - problem.law[c].compliance * problem.impulse[c].x;
  return to_world(axes_[c], u);
}

}  // namespace limber
