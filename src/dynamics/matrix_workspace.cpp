#include "dynamics/derivatives.ipp"

#include "scalars.hpp"

namespace limber {

namespace {

/// Who takes part in the inward solve of each block of eight columns. Row t of ∂tau/∂q may be
/// nonzero in the columns of the variables on its path and below it, and stays so in the inward
/// solve.
template <class T>
void plan_solve(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const auto nv = static_cast<std::size_t>(m.nv);
  const auto blocks = static_cast<std::size_t>(mw.row_stride / lane_count<T>);
  std::vector<std::vector<std::pair<int, int>>> below(nv);  // variable, entry of L
  std::vector<std::vector<bool>> active(nv, std::vector<bool>(blocks, false));
  auto relate = [&](std::size_t row, std::size_t column) {
    active[row][column / lane_count<T>] = true;
  };
  for (std::size_t k = 0; k < nv; ++k)
    for (int e = m.path_start[k]; e < m.path_end[k]; ++e) {
      const auto t = static_cast<std::size_t>(m.path[static_cast<std::size_t>(e)]);
      relate(k, t);
      relate(t, k);
      if (t != k) below[t].emplace_back(static_cast<int>(k), e);
    }
  for (std::size_t b = 0; b < blocks; ++b) {
    mw.block_start.push_back(static_cast<int>(mw.solve_rows.size()));
    for (std::size_t t = nv; t-- > 0;) {
      if (!active[t][b]) continue;
      const int start = static_cast<int>(mw.below.size());
      for (const auto& [variable, entry] : below[t]) {
        if (!active[static_cast<std::size_t>(variable)][b]) continue;
        mw.below.push_back(variable);
        mw.below_entry.push_back(entry);
      }
      mw.solve_rows.push_back({static_cast<int>(t), start, static_cast<int>(mw.below.size())});
    }
  }
  mw.block_start.push_back(static_cast<int>(mw.solve_rows.size()));
}

}  // namespace

template <class T>
BasicMatrixWorkspace<T>::BasicMatrixWorkspace(const BasicModel<T>& m) {
  auto strips = [](int stride, int count) {
    return AlignedVector<T>(static_cast<std::size_t>(stride * count), T(0));
  };
  const int n = m.bodies();
  body_stride = padded<T>(n);
  column_stride = padded<T>(m.tree_nv);
  inertia = strips(body_stride, 10);
  bodies = strips(body_stride, body_strip::count + 1);
  columns = strips(column_stride, column_strip::count + 1);
  mirrored = strips(column_stride + lane_count<T>, 2);
  for (int i = 1; i < n; ++i)
    put(Strips<T>{inertia.data(), body_stride}, 0, i, m.inertia[static_cast<std::size_t>(i)]);
  for (int k = 0; k < m.tree_nv; ++k)
    if (is_simple(m, static_cast<std::size_t>(m.column_body[static_cast<std::size_t>(k)])))
      *column_strips(*this).at(column_strip::simple, k) = T(1);
  lane_body = m.column_body;
  lane_body.resize(static_cast<std::size_t>(column_stride), n - 1);

  row_stride = padded<T>(m.nv);
  rows = strips(3 * row_stride, m.nv + 1);
  if (m.has_mimic()) {
    tree_row_stride = padded<T>(m.tree_nv);
    tree_rows = strips(3 * tree_row_stride, m.tree_nv + 1);
  }

  plan_solve(m, *this);
}

#define LIMBER_MATRIX_WORKSPACE(T) template struct BasicMatrixWorkspace<T>;
LIMBER_FOR_EACH_REAL(LIMBER_MATRIX_WORKSPACE)

}  // namespace limber
