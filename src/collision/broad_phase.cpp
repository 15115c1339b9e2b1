#include "collision/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "index.hpp"

namespace limber {

BroadPhase::BroadPhase(int count)
    : boxes_(at_index(count)),
      order_(at_index(count)),
      begin_(at_index(count)),
      end_(at_index(count)),
      spans_(at_index(count)) {
  std::iota(order_.begin(), order_.end(), 0);
}

void BroadPhase::sort() {
  sort_order();
  const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Bounds& b = boxes_[at_index(order_[i])];
    end_[i] = b.upper[axis_];
    spans_[i] = {b.lower[u], b.upper[u], b.lower[v], b.upper[v]};
  }
}

void BroadPhase::sort_order() {
  // the axis of greatest variance of the centres, of boxes that have ends
  std::array<double, 3> sum{}, squares{};
  double count = 0;
  for (const Bounds& b : boxes_) {
    const Vec3<double> c = (b.lower + b.upper) * 0.5;
    if (!std::isfinite(c.x + c.y + c.z)) continue;
    for (int i = 0; i < 3; ++i) sum[at_index(i)] += c[i], squares[at_index(i)] += c[i] * c[i];
    count += 1;
  }
  const auto variance = [&](std::size_t i) {
    return squares[i] - sum[i] * sum[i] / std::max(count, 1.0);
  };
  const int before = axis_;
  // another axis only if it is much better: sorting anew costs more
  for (int i = 0; i < 3; ++i)
    if (variance(at_index(i)) > 1.5 * variance(at_index(axis_))) axis_ = i;
  for (std::size_t i = 0; i < order_.size(); ++i)
    begin_[i] = boxes_[at_index(order_[i])].lower[axis_];
  if (axis_ != before) {
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      const double x = boxes_[at_index(a)].lower[axis_], y = boxes_[at_index(b)].lower[axis_];
      return x < y || (x == y && a < b);
    });
    for (std::size_t i = 0; i < order_.size(); ++i)
      begin_[i] = boxes_[at_index(order_[i])].lower[axis_];
    return;
  }
  // nearly sorted from the last time
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const int moving = order_[i];
    const double value = begin_[i];
    std::size_t k = i;
    for (; k > 0 && begin_[k - 1] > value; --k)
      begin_[k] = begin_[k - 1], order_[k] = order_[k - 1];
    begin_[k] = value, order_[k] = moving;
  }
}

}  // namespace limber
