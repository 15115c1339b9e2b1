#include "constraint/position_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include <limber/model/joint_space.hpp>

#include "index.hpp"

namespace limber {

PositionRows::PositionRows(const Mechanism& m, double t)
    : m_(m),
      t_(t),
      ws_(m.tree),
      rows_(m),
      all_(at_index(m.rows)),
      step_(at_index(m.tree.nv)),
      trial_(at_index(m.tree.nq)) {
  std::iota(all_.begin(), all_.end(), 0);
  for (int row = 0; row < m.rows; ++row)
    if (m.holds_position(row)) held_.push_back(row);
}

Numbers PositionRows::gaps(std::span<const double> q) {
  const std::span<const double> all = loop_gaps<double>(m_, t_, q, ws_, rows_);
  Numbers gap;
  for (const int row : held_) gap.push_back(all[at_index(row)]);
  return gap;
}

Dense PositionRows::rows_of(const std::vector<int>& rows) const {
  Dense J(static_cast<int>(rows.size()), m_.tree.nv);
  for (int i = 0; i < J.rows; ++i)
    for (int k = 0; k < J.columns; ++k) J(i, k) = rows_.jt(k, rows[at_index(i)]);
  return J;
}

Dense PositionRows::jacobian(std::span<const double> q) {
  loop_jacobian<double>(m_, t_, q, ws_, rows_);
  return rows_of(held_);
}

Dense PositionRows::full_jacobian(std::span<const double> q) {
  loop_jacobian<double>(m_, t_, q, ws_, rows_);
  return rows_of(all_);
}

/// One iteration: δ = −Jᵀ (J Jᵀ + damping)⁻¹ gap. Joints that would leave their limits stay out of
/// it. True if the gaps became smaller; otherwise q is as before.
bool PositionRows::improve(const Search& search, const Numbers& gap, double& damping,
                           std::span<double> q) {
  constexpr double longest = 0.5;  // [rad or m]: further away the rows are others
  const Model& tree = m_.tree;
  Dense J = jacobian(q);
  const Numbers slope = transposed_times(J, gap);
  for (int k = 0; k < J.columns; ++k) {
    bool stays = !search.may_move[at_index(k)];
    if (const int place = tree.dof_q[k]; place >= 0) {
      const double x = q[at_index(place)];
      stays = stays || (slope[at_index(k)] < 0 && x >= tree.dof[k].upper) ||
              (slope[at_index(k)] > 0 && x <= tree.dof[k].lower);
    }
    if (!stays) continue;
    for (int i = 0; i < J.rows; ++i) J(i, k) = 0;
  }
  const Dense W = J * transpose(J);
  double size = 0;
  for (int i = 0; i < W.rows; ++i) size = std::max(size, W(i, i));
  if (!(size > 0)) return false;
  for (; damping < 1e4; damping *= 10) {
    Dense damped = W;
    for (int i = 0; i < W.rows; ++i) damped(i, i) += damping * size;
    Numbers y = gap;
    reference::Ldlt<double>(std::move(damped), "closing the loops").solve(y);
    step_ = transposed_times(J, y);
    const double length = largest_of(step_);
    for (double& x : step_) x *= length > longest ? -longest / length : -1.0;
    integrate<double>(tree, q, step_, 1.0, trial_);
    for (int k = 0; k < tree.nv; ++k)
      if (const int place = tree.dof_q[k]; place >= 0 && search.may_move[at_index(k)]) {
        // a guess outside the limits may stay there, but goes no further
        const double before = q[at_index(place)];
        trial_[at_index(place)] =
            std::clamp(trial_[at_index(place)], std::min(tree.dof[k].lower, before),
                       std::max(tree.dof[k].upper, before));
      }
    if (norm_of(gaps(trial_)) < norm_of(gap)) {
      std::copy(trial_.begin(), trial_.end(), q.begin());
      damping = std::max(damping / 10, 1e-13);
      return true;
    }
  }
  return false;
}

double PositionRows::close(const Search& search, std::span<double> q, int& count) {
  constexpr int patience = 20;  // so many iterations for a thousandth of the gap
  double damping = 1e-3, earlier = HUGE_VAL;
  Numbers gap = gaps(q);
  for (int i = 0; i < search.iterations && !(largest_of(gap) <= search.tolerance); ++i) {
    if (i % patience == 0) {
      if (norm_of(gap) > 0.999 * earlier) break;
      earlier = norm_of(gap);
    }
    ++count;
    if (!improve(search, gap, damping, q)) break;
    gap = gaps(q);
  }
  return largest_of(gap);
}

const char* gap_unit(const Mechanism& m, int row) {
  const std::string_view unit = m.row_unit(row);
  return unit == "N" ? "m" : unit == "N m" ? "rad" : "";
}

Numbers row_scales(const Mechanism& m, const std::vector<int>& rows, const Dense& J) {
  Numbers length;
  for (int i = 0; i < J.rows; ++i) {
    double square = 0;
    for (int k = 0; k < J.columns; ++k) square += J(i, k) * J(i, k);
    length.push_back(std::sqrt(square));
  }
  const double least = std::max(1e-6 * largest_of(length), 1e-100);
  Numbers scales(length.size(), least);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (m.owner(rows[i]) == m.owner(rows[k]) &&
          std::string_view(m.row_unit(rows[i])) == m.row_unit(rows[k]))
        scales[i] = std::max(scales[i], length[k]);
  return scales;
}

void scale_rows(const Numbers& scales, Dense& J) {
  for (int i = 0; i < J.rows; ++i)
    for (int k = 0; k < J.columns; ++k) J(i, k) /= scales[at_index(i)];
}

}  // namespace limber
