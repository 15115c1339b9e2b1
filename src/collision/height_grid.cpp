#include "collision/height_grid.hpp"

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

HeightGrid::HeightGrid(const HeightField& field) : field_(field) {
  if (field.columns < 2 || field.rows < 2)
    throw Error(fmt::format("height field: {} columns and {} rows of points; it needs two of each",
                            field.columns, field.rows));
  const auto count = static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows);
  if (field.heights.size() != count)
    throw Error(fmt::format("height field: {} heights for {} columns and {} rows; it needs {}",
                            field.heights.size(), field.columns, field.rows, count));
  if (!(field.width > 0 && std::isfinite(field.width) && field.depth > 0 &&
        std::isfinite(field.depth)))
    throw Error(
        fmt::format("height field: its extent is {} m by {} m; both must be positive and finite",
                    field.width, field.depth));
  lowest_ = HUGE_VAL;
  double highest = -HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    const double h = field.heights[i];
    if (!std::isfinite(h))
      throw Error(fmt::format("height field: height {} is {}; heights must be finite", i + 1, h));
    lowest_ = std::min(lowest_, h), highest = std::max(highest, h);
  }
  step_x_ = field.width / (field.columns - 1), step_y_ = field.depth / (field.rows - 1);
  bounds_ = {{-field.width / 2, -field.depth / 2, lowest_ - std::max(field.width, field.depth)},
             {field.width / 2, field.depth / 2, highest}};
}

Vec3<double> HeightGrid::triangle_normal(int i, int j, int half) const {
  if (i < 0 || j < 0 || i + 1 >= field_.columns || j + 1 >= field_.rows) return {};
  const auto [a, b, c] = corners(i, j, half);
  const Vec3<double> n = cross(b - a, c - a);
  return n / norm(n);
}

SurfaceTriangle HeightGrid::triangle(int i, int j, int half) const {
  SurfaceTriangle t;
  t.normal = triangle_normal(i, j, half);
  t.id = triangle_id(i, j, half);
  t.corners = corners(i, j, half);
  if (half == 0) {
    t.beyond = {triangle_normal(i, j - 1, 1), triangle_normal(i + 1, j, 1),
                triangle_normal(i, j, 1)};
  } else {
    t.beyond = {triangle_normal(i, j, 0), triangle_normal(i, j + 1, 0),
                triangle_normal(i - 1, j, 0)};
  }
  return t;
}

double HeightGrid::height(double x, double y) const {
  const int i = cell_column(x), j = cell_row(y);
  const Vec3<double> o = corner(i, j);
  const double u = (x - o.x) / step_x_, v = (y - o.y) / step_y_;
  const double along = corner(i + 1, j + 1).z - o.z;
  if (v <= u) {
    const double first = corner(i + 1, j).z - o.z;
    return o.z + u * first + v * (along - first);
  }
  const double first = corner(i, j + 1).z - o.z;
  return o.z + v * first + u * (along - first);
}

}  // namespace limber
