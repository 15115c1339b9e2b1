#include <limber/constraint/loop_analysis.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/variables.hpp>

#include "constraint/position_rows.hpp"
#include "dynamics/checks.hpp"

namespace limber {

namespace {

void check_analysed_position(const Model& tree, const char* argument, std::span<const double> q) {
  check_size("loop analysis", argument, q.size(), tree.nq, tree.name);
  check_input<double>(tree, "loop analysis", argument, q, tree.q_count);
}

/// Freedoms whose velocity is zero in all motions that the rows allow.
std::vector<int> locked_freedoms(const RankedQr& rows) {
  const Dense N = rows.complement();
  std::vector<int> locked;
  for (int k = 0; k < N.rows; ++k) {
    double square = 0;
    for (int j = 0; j < N.columns; ++j) square += N(k, j) * N(k, j);
    if (square < 1e-18) locked.push_back(k);
  }
  return locked;
}

}  // namespace

LoopAnalysis analyse_loops(const Mechanism& m, double t, std::span<const double> q,
                           double tolerance) {
  check_analysed_position(m.tree, "q", q);
  PositionRows rows(m, t);
  LoopAnalysis found;
  found.gap.resize(at_index(m.rows));
  const Numbers gap = rows.gaps(q);
  for (std::size_t i = 0; i < gap.size(); ++i) {
    const int row = rows.held()[i];
    found.gap[at_index(row)] = gap[i];
    if (found.largest_row < 0 || !(std::abs(gap[i]) <= found.largest_gap))
      found.largest_gap = std::abs(gap[i]), found.largest_row = row;
  }
  Dense J = rows.full_jacobian(q);
  scale_rows(row_scales(m, rows.all(), J), J);
  const RankedQr ranked(transpose(J), tolerance);
  found.rank = ranked.rank();
  found.mobility = m.tree.nv - found.rank;
  found.redundant_rows.assign(ranked.order().begin() + found.rank, ranked.order().end());
  std::sort(found.redundant_rows.begin(), found.redundant_rows.end());
  found.is_determinate.assign(at_index(m.rows), 1);
  const Dense Z = ranked.kernel();
  for (int i = 0; i < Z.rows; ++i)
    for (int j = 0; j < Z.columns; ++j)
      if (std::abs(Z(i, j)) > 1e-7) found.is_determinate[at_index(i)] = 0;
  found.locked = locked_freedoms(ranked);
  Dense held = rows.jacobian(q);
  scale_rows(row_scales(m, rows.held(), held), held);
  found.position_mobility = m.tree.nv - RankedQr(transpose(held), tolerance).rank();
  const std::vector<int> order = RankedQr(std::move(J), tolerance).order();
  found.dependent.assign(order.begin(), order.begin() + found.rank);
  found.independent.assign(order.begin() + found.rank, order.end());
  std::sort(found.dependent.begin(), found.dependent.end());
  std::sort(found.independent.begin(), found.independent.end());
  return found;
}

std::vector<std::string> describe(const Mechanism& m, const LoopAnalysis& found) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("mobility {}: {} freedoms, {} rows of loops, of which {} are redundant",
                  found.mobility, m.tree.nv, m.rows, m.rows - found.rank));
  if (found.position_mobility != found.mobility)
    lines.push_back(fmt::format("{} positions may be chosen: rolling holds velocities alone",
                                found.position_mobility));
  if (found.is_immobile() && m.tree.nv > 0)
    lines.push_back("the loops leave no freedom at this position: a structure, or a dead point");
  for (const int row : found.redundant_rows)
    lines.push_back(fmt::format("redundant: {}", m.row_name(row)));
  if (found.largest_row >= 0)
    lines.push_back(fmt::format("largest gap: {:.3g} {} of {}", found.largest_gap,
                                gap_unit(m, found.largest_row), m.row_name(found.largest_row)));
  return lines;
}

}  // namespace limber
