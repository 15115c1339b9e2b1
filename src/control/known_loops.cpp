#include <limber/control/known_loops.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <limber/constraint/closed_inverse.hpp>
#include <limber/model/joint_space.hpp>

#include "constraint/dense.hpp"
#include "control/joint_places.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr double closed_to = 1e-11;  // [m or rad]
constexpr double same_rank = 1e-9;   // of the largest column

// a position where no freedom is special
std::vector<double> crooked_position(const Model& tree) {
  constexpr double irrational = 0.6180339887498949;
  std::vector<double> step(at_index(tree.nv)), q(at_index(tree.nq));
  for (std::size_t k = 0; k < step.size(); ++k) {
    const double share = irrational * static_cast<double>(k + 1);
    step[k] = 0.3 + 0.5 * (share - std::floor(share));
  }
  integrate<double>(tree, neutral_position(tree), step, 1.0, q);
  return q;
}

bool same_numbers(const Model& a, const Model& b) {
  const auto same = [](const auto& x, const auto& y) {
    using Entry = typename std::decay_t<decltype(x)>::value_type;
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(Entry)) == 0;
  };
  return same(a.inertia, b.inertia) && same(a.armature, b.armature);
}

Dense rows_as_matrix(const LoopRows& rows, int nv) {
  Dense J(rows.rows, nv);
  for (int i = 0; i < rows.rows; ++i)
    for (int k = 0; k < nv; ++k) J(i, k) = rows.jt(k, i);
  return J;
}

}  // namespace

KnownLoops::KnownLoops(const Model& model, std::span<const int> commanded,
                       std::span<const double> limits)
    : commanded_(commanded.begin(), commanded.end()), limits_(limits.begin(), limits.end()) {
  if (model.loops.empty()) return;
  mechanism_.emplace(model);
  closed_.emplace(*mechanism_);
  const Model& m = mechanism_->tree;
  q_.resize(at_index(m.nq));
  for (auto* numbers : {&tau_, &v_}) numbers->resize(at_index(m.nv));
  passive_.assign(at_index(m.nv), 0);
  passive_place_.assign(at_index(m.nq), 0);
  held_.assign(at_index(m.nv), Known::acceleration);
  const std::vector<double> q = crooked_position(m);
  loop_jacobian<double>(*mechanism_, 0, q, closed_->ws, closed_->rows);
  for (const JointPlace& joint : joint_places(m)) {
    bool moved_by_loops = false, is_commanded = false;
    for (int k = joint.v; k < joint.v + joint.v_count; ++k) {
      is_commanded =
          is_commanded || std::find(commanded.begin(), commanded.end(), k) != commanded.end();
      for (int i = 0; i < mechanism_->rows; ++i)
        moved_by_loops = moved_by_loops || closed_->rows.jt(k, i) != 0;
    }
    if (!moved_by_loops || is_commanded) continue;
    std::fill_n(passive_.begin() + joint.v, joint.v_count, 1);
    std::fill_n(passive_place_.begin() + joint.q, joint.q_count, 1);
    std::fill_n(held_.begin() + joint.v, joint.v_count, Known::force);
  }
}

const Model& KnownLoops::tree(const Model& model) {
  if (!any()) return model;
  if (!same_numbers(mechanism_->tree, model)) {
    mechanism_->tree = model;
    mechanism_->tree.loops.clear();
  }
  return mechanism_->tree;
}

const LoopRows& KnownLoops::rows(const Model& model, double t, std::span<const double> q,
                                 std::span<const double> v) {
  tree(model);
  loop_rows<double>(*mechanism_, t, q, v, closed_->ws, closed_->rows);
  return closed_->rows;
}

void KnownLoops::close(const Model& model, double t, std::span<const double> near,
                       std::span<double> q, std::span<double> v) {
  tree(model);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (passive_place_[i]) q[i] = near[i];
  std::copy(q.begin(), q.end(), q_.begin());
  std::span<const Known> held = held_;
  if (!close_loops<double>(*mechanism_, t, q_, *closed_, closed_to, held).is_closed) {
    held = {};
    std::copy(q.begin(), q.end(), q_.begin());
    close_loops<double>(*mechanism_, t, q_, *closed_, closed_to, held);
  }
  std::copy(q_.begin(), q_.end(), q.begin());
  for (std::size_t k = 0; k < v.size(); ++k)
    if (passive_[k]) v[k] = 0;
  const std::span<const double> rates =
      closed_velocity<double>(*mechanism_, t, q, v, *closed_, {}, held);
  std::copy(rates.begin(), rates.end(), v.begin());
}

std::span<const double> KnownLoops::forces(const Model& model, double t, std::span<const double> q,
                                           std::span<const double> v, std::span<const Known> known,
                                           std::span<const double> given) {
  tree(model);
  std::fill(v_.begin(), v_.end(), 0.0);
  closed_velocity<double>(*mechanism_, t, q, v_, *closed_);
  const int rank = closed_->solver.rank;
  const Hybrid<double> result =
      closed_hybrid_dynamics<double>(*mechanism_, t, q, v, known, given, *closed_);
  if (closed_->solver.rank == rank) {
    std::copy(result.tau.begin(), result.tau.end(), tau_.begin());
  } else {
    const std::span<const double> allowed = closed_velocity<double>(*mechanism_, t, q, v, *closed_);
    std::copy(allowed.begin(), allowed.end(), v_.begin());
    share_forces(t, {q, v_, given});
  }
  return tau_;
}

void KnownLoops::share_forces(double t, const Shared& at) {
  const Model& m = mechanism_->tree;
  loop_rows<double>(*mechanism_, t, at.q, at.v, closed_->ws, closed_->rows);
  const Dense J = rows_as_matrix(closed_->rows, m.nv);
  Numbers right(at_index(J.rows));
  for (int i = 0; i < J.rows; ++i) right[at_index(i)] = -closed_->rows.bias[i];
  // a = a₀ + N y, with y nearest to what is wanted
  Numbers a = RankedQr(J, same_rank).solve(right);
  const Dense N = RankedQr(transpose(J), same_rank).complement();
  Dense chosen(static_cast<int>(commanded_.size()), N.columns);
  Numbers rest(commanded_.size());
  for (std::size_t i = 0; i < commanded_.size(); ++i) {
    const int k = commanded_[i];
    rest[i] = at.given[at_index(k)] - a[at_index(k)];
    for (int j = 0; j < N.columns; ++j) chosen(static_cast<int>(i), j) = N(k, j);
  }
  const Numbers y = RankedQr(chosen, same_rank).solve(rest);
  for (int k = 0; k < m.nv; ++k)
    for (int j = 0; j < N.columns; ++j) a[at_index(k)] += N(k, j) * y[at_index(j)];
  ActuationSettings settings;
  settings.actuated = commanded_;
  settings.tolerance = 1e-6;
  ClosedEfforts found;
  const auto solve = [&] {
    found = closed_inverse_dynamics(*mechanism_, t, at.q, at.v, a, settings, *closed_);
  };
  solve();
  const auto within = [&] {
    for (std::size_t i = 0; i < commanded_.size(); ++i)
      if (std::abs(found.tau[at_index(commanded_[i])]) > limits_[i]) return false;
    return true;
  };
  if (!within()) {
    settings.upper = limits_;
    for (const double limit : limits_) settings.lower.push_back(-limit);
    try {
      solve();
    } catch (const Error&) {  // the motion needs more: the smallest forces are cut off later
    }
  }
  std::copy(found.tau.begin(), found.tau.end(), tau_.begin());
}

}  // namespace limber
