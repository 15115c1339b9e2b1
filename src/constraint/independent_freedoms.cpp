#include <limber/constraint/independent_freedoms.hpp>

#include <algorithm>
#include <cmath>

#include "constraint/held_freedoms.ipp"
#include "dynamics/fold.hpp"
#include "index.hpp"

namespace limber {

void choose_independent(const Mechanism& m, double t, std::span<const double> q,
                        std::span<const Known> known, ClosedDynamics& closed,
                        std::span<Known> chosen) {
  const char* name = "choose_independent";
  check_workspace(name, m.tree, closed);
  check_size(name, "chosen", chosen.size(), m.tree.nv, m.tree.name);
  constexpr double least = 1e-7;  // of a row of unit length
  factorize<double>(m.tree, q, closed.ws, closed.factor);
  loop_jacobian<double>(m, t, q, closed.ws, closed.rows);
  const int nv = m.tree.nv, stride = closed.rows.stride;
  const TreePattern& at = closed.factor.M.pattern;
  std::fill(chosen.begin(), chosen.end(), Known::acceleration);
  // W: Jᵀ in units of √M_kk, rows of J with unit length
  const auto W = [&](int freedom, int row) -> double& {
    return closed.held_JT[at_index(freedom * stride + row)];
  };
  std::fill(closed.right.begin(), closed.right.end(), 0.0);
  for (int k = 0; k < nv; ++k) {
    const double scale = 1 / std::sqrt(closed.factor.M.values[at.end[k] - 1]);
    for (int i = 0; i < m.rows; ++i) {
      W(k, i) = is_held(known, at_index(k)) ? 0 : closed.rows.jt(k, i) * scale;
      closed.right[i] += W(k, i) * W(k, i);
    }
  }
  for (int i = 0; i < m.rows; ++i) {
    const double length = std::sqrt(closed.right[i]);
    for (int k = 0; k < nv && length > 0; ++k) W(k, i) /= length;
  }
  for (int round = 0; round < m.rows; ++round) {
    int freedom = -1, row = -1;
    double most = least;
    for (int k = 0; k < nv; ++k)
      for (int i = 0; i < m.rows; ++i)
        if (const double size = std::abs(W(k, i));
            size > most && chosen[at_index(k)] == Known::acceleration)
          most = size, freedom = k, row = i;
    if (row < 0) return;
    chosen[at_index(freedom)] = Known::force;
    for (int i = 0; i < m.rows; ++i) {
      if (i == row) continue;
      const double factor = W(freedom, i) / W(freedom, row);
      for (int k = 0; k < nv && factor != 0; ++k) W(k, i) -= factor * W(k, row);
    }
    for (int k = 0; k < nv; ++k) W(k, row) = 0;  // has done its work
  }
}

}  // namespace limber
