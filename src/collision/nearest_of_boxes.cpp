// Two boxes: the separating axis of least overlap, of 3 + 3 face normals and 9 products of edges.
#include <algorithm>

#include "collision/nearest.hpp"

namespace limber {

namespace {

struct BoxAxis {
  Vector normal;  // from b to a
  double overlap = HUGE_VAL;
};

class BoxPair {
 public:
  BoxPair(const Solid& a, const Solid& b, const Pose& X) : a_(a), b_(b), X_(X) {
    for (int i = 0; i < 3; ++i) {
      const Vector row = X.R.row(i);
      size_[i] = {std::abs(row.x), std::abs(row.y), std::abs(row.z)};
    }
    tolerance_ = 1e-10 * (a.extent + b.extent);
  }

  /// False if they are more than `margin` apart along one of the axes.
  bool find(double margin) {
    for (int i = 0; i < 3; ++i) {
      const double side = -X_.p[i];
      const double overlap = a_.half[i] + dot(size_[i], b_.half) - std::abs(side);
      if (overlap < -margin) return false;
      Vector n;
      n[i] = std::copysign(1.0, side);
      if (overlap < best_.overlap) best_ = {n, overlap};
    }
    for (int j = 0; j < 3; ++j) {
      const Vector n = X_.R.column(j);
      const double side = -dot(n, X_.p);
      const double reach =
          a_.half.x * size_[0][j] + a_.half.y * size_[1][j] + a_.half.z * size_[2][j];
      const double overlap = b_.half[j] + reach - std::abs(side);
      if (overlap < -margin) return false;
      if (overlap < best_.overlap - tolerance_) best_ = {side < 0 ? -n : n, overlap};
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (!consider_edges(i, j, margin)) return false;
    return true;
  }

  const BoxAxis& best() const { return best_; }

 private:
  bool consider_edges(int i, int j, double margin) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    // e_i × column j: components i1: −R(i2, j), i2: R(i1, j)
    const Vector r1 = X_.R.row(i1), r2 = X_.R.row(i2);
    const double squared = r1[j] * r1[j] + r2[j] * r2[j];
    if (squared < 1e-10) return true;  // parallel: as the faces
    const double length = std::sqrt(squared);
    const double side = (X_.p[i1] * r2[j] - X_.p[i2] * r1[j]) / length;
    const double reach_a = a_.half[i1] * std::abs(r2[j]) + a_.half[i2] * std::abs(r1[j]);
    const double reach_b = b_.half[j1] * size_[i][j2] + b_.half[j2] * size_[i][j1];
    const double overlap = (reach_a + reach_b) / length - std::abs(side);
    if (overlap < -margin) return false;
    // a face is preferred to edges that are as good
    if (overlap < best_.overlap - tolerance_) {
      Vector n;
      n[i1] = -r2[j] / length, n[i2] = r1[j] / length;
      best_ = {side < 0 ? -n : n, overlap};
    }
    return true;
  }

  const Solid &a_, &b_;
  const Pose& X_;
  Vector size_[3];  // |R|, by rows
  double tolerance_ = 0;
  BoxAxis best_;
};

}  // namespace

bool nearest_of_boxes(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out) {
  BoxPair pair(a, b, X);
  if (!pair.find(margin)) return false;
  const BoxAxis& axis = pair.best();
  out.normal = axis.normal;
  out.depth = axis.overlap;
  out.has_points = false;
  return true;
}

}  // namespace limber
