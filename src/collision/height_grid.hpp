#pragma once
// HeightGrid: a height field cell by cell, each cell as two triangles.
#include <algorithm>
#include <vector>

#include "collision/surface_triangle.hpp"

namespace limber {

class HeightGrid {
 public:
  /// Throws Error for sizes and heights that make no surface.
  explicit HeightGrid(const HeightField& field);

  /// With the solid below, as deep as the field is wide.
  const Bounds& bounds() const { return bounds_; }
  int columns() const { return field_.columns; }
  int rows() const { return field_.rows; }
  double cell_x() const { return step_x_; }
  double cell_y() const { return step_y_; }
  double lowest() const { return lowest_; }
  double highest() const { return bounds_.upper.z; }
  Vec3<double> corner(int i, int j) const {
    return {-field_.width / 2 + i * step_x_, -field_.depth / 2 + j * step_y_,
            field_.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(field_.columns) +
                           static_cast<std::size_t>(i)]};
  }
  /// The lower (half 0: below the diagonal from corner (i, j)) or upper triangle of a cell.
  SurfaceTriangle triangle(int i, int j, int half) const;
  std::array<Vec3<double>, 3> corners(int i, int j, int half) const {
    if (half == 0) return {corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)};
    return {corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)};
  }
  Vec3<double> triangle_normal(int i, int j, int half) const;  ///< unit; 0 outside of the field
  int triangle_id(int i, int j, int half) const { return 2 * (j * field_.columns + i) + half; }
  /// Column and row of the cell at x, y; the closest one outside of the field.
  int cell_column(double x) const { return cell(x + field_.width / 2, step_x_, field_.columns); }
  int cell_row(double y) const { return cell(y + field_.depth / 2, step_y_, field_.rows); }
  /// Height at x, y of the field.
  double height(double x, double y) const;

  /// Calls `use` with the triangles of the cells under a box.
  template <class Use>
  void visit(const Bounds& box, Use use) const {
    visit_halves(box, [&](int i, int j, int half) { use(triangle(i, j, half)); });
  }
  /// The same with their corners alone, which is quicker.
  template <class Use>
  void visit_corners(const Bounds& box, Use use) const {
    visit_halves(box, [&](int i, int j, int half) { use(corners(i, j, half)); });
  }

 private:
  template <class Use>
  void visit_halves(const Bounds& box, Use use) const {
    if (!overlap(box, bounds_)) return;
    const int i0 = cell_column(box.lower.x), i1 = cell_column(box.upper.x);
    const int j0 = cell_row(box.lower.y), j1 = cell_row(box.upper.y);
    for (int j = j0; j <= j1; ++j)
      for (int i = i0; i <= i1; ++i) {
        const double top = std::max(
            {corner(i, j).z, corner(i + 1, j).z, corner(i, j + 1).z, corner(i + 1, j + 1).z});
        if (top < box.lower.z) continue;
        for (int half = 0; half < 2; ++half) use(i, j, half);
      }
  }
  static int cell(double along, double step, int points) {
    return static_cast<int>(
        std::clamp(std::floor(along / step), 0.0, static_cast<double>(points - 2)));
  }
  HeightField field_;
  double step_x_ = 0, step_y_ = 0, lowest_ = 0;
  Bounds bounds_;
};

}  // namespace limber
