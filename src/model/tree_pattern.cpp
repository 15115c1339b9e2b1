#include <algorithm>

#include <limber/model/tree_matrix.hpp>

namespace limber {

namespace {

// rows begin at multiples of eight, so that whole vectors of numbers may be read and written
constexpr int row_unit = 8;

}  // namespace

double TreePattern::entries(const List<int>& parent) {
  List<int> depth;
  depth.reserve(parent.size());
  double sum = 0;
  for (const int above : parent) {
    depth.push_back(above < 0 ? 1 : depth[above] + 1);
    const int row = (depth.back() + row_unit - 1) / row_unit * row_unit;
    sum += row;
  }
  return sum;
}

TreePattern::TreePattern(const List<int>& parent) {
  path.reserve(static_cast<std::size_t>(entries(parent)));
  for (int k = 0; k < parent.count(); ++k) {
    start.push_back(path.count());
    for (int i = k; i >= 0; i = parent[i]) path.push_back(i);
    std::reverse(path.begin() + start.back(), path.end());
    end.push_back(path.count());
    while (path.count() % row_unit != 0) path.push_back(0);
  }
}

}  // namespace limber
