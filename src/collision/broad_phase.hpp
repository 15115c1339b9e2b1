#pragma once
// BroadPhase: which of many boxes overlap. Sorted along the axis along which they are spread most;
// the order of the last call is where the sorting begins.
#include <vector>

#include <limber/collision/shape.hpp>

namespace limber {

class BroadPhase {
 public:
  explicit BroadPhase(int count = 0);

  std::vector<Bounds>& boxes() { return boxes_; }

  /// Calls `use(a, b)`, a < b, for every pair of boxes that overlap. No fixed order.
  template <class Use>
  void find(Use use) {
    sort();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Span a = spans_[i];
      const double end = end_[i];
      for (std::size_t k = i + 1; k < order_.size(); ++k) {
        if (begin_[k] > end) break;
        const Span& b = spans_[k];
        // without branches: the results are as good as random
        const bool is_apart = static_cast<bool>(
            static_cast<int>(a.lower_u > b.upper_u) | static_cast<int>(b.lower_u > a.upper_u) |
            static_cast<int>(a.lower_v > b.upper_v) | static_cast<int>(b.lower_v > a.upper_v));
        if (is_apart) continue;
        if (order_[i] < order_[k]) use(order_[i], order_[k]);
        else use(order_[k], order_[i]);
      }
    }
  }

 private:
  void sort();
  void sort_order();

  std::vector<Bounds> boxes_;
  std::vector<int> order_;  // by lower ends along the axis
  // in this order: ends along the axis, and along the two others
  struct Span {
    double lower_u = 0, upper_u = 0, lower_v = 0, upper_v = 0;
  };
  std::vector<double> begin_, end_;
  std::vector<Span> spans_;
  int axis_ = 0;
};

}  // namespace limber
