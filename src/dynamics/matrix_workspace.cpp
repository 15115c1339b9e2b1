#include "dynamics/absolute.ipp"

#include "scalars.hpp"

namespace limber {

template <class T>
BasicMatrixWorkspace<T>::BasicMatrixWorkspace(const BasicModel<T>& m) {
  auto strips = [](int stride, int count) {
    return std::vector<T>(static_cast<std::size_t>(stride * count), T(0));
  };
  const int n = m.bodies();
  body_stride = padded(n) + lane_count;
  column_stride = padded(m.tree_nv) + lane_count;
  inertia = strips(body_stride, 10);
  bodies = strips(body_stride, body_strip::count);
  columns = strips(column_stride, column_strip::count);
  mirrored = strips(column_stride, 2);
  for (int i = 1; i < n; ++i)
    put(Strips<T>{inertia.data(), body_stride}, 0, i, m.inertia[static_cast<std::size_t>(i)]);
  lane_body = m.column_body;
  while (lane_body.size() < static_cast<std::size_t>(column_stride))
    lane_body.push_back(lane_body.empty() || lane_body.back() + 1 >= body_stride
                            ? 0
                            : lane_body.back() + 1);

  row_stride = padded(m.nv);
  rows = strips(3 * row_stride, m.nv + 1);
  if (m.has_mimic()) {
    tree_row_stride = padded(m.tree_nv);
    tree_rows = strips(3 * tree_row_stride, m.tree_nv + 1);
  }

  const auto nv = static_cast<std::size_t>(m.nv);
  std::vector<std::vector<std::pair<int, int>>> lists(nv);
  for (std::size_t k = 0; k < nv; ++k)
    for (int e = m.path_start[k]; e < m.path_start[k + 1] - 1; ++e)
      lists[static_cast<std::size_t>(m.path[static_cast<std::size_t>(e)])].emplace_back(
          static_cast<int>(k), e);
  for (const auto& list : lists) {
    below_start.push_back(static_cast<int>(below.size()));
    for (const auto& [variable, entry] : list) {
      below.push_back(variable);
      below_entry.push_back(entry);
    }
  }
  below_start.push_back(static_cast<int>(below.size()));
}

#define LIMBER_MATRIX_WORKSPACE(T) template struct BasicMatrixWorkspace<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_MATRIX_WORKSPACE)

}  // namespace limber
