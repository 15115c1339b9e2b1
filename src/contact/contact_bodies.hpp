#pragma once
// Points of contact on rigid bodies. What the points of a body do follows from the body's six
// velocities, so that the inverse mass matrix is needed between bodies only, and not between all
// points:
//   V = V_free + G w           velocities of the bodies; G = J M⁻¹ Jᵀ over their rows
//   u_i = R_iᵀ (v + ω × a_i)   of point i with the arm a_i, in its own axes R_i
//   w = Σ (a_i × f_i, f_i)     impulses on the bodies, f_i = R_i λ_i
// Bodies in the axes of the ground: normal, tangent, tangent, right-handed; points where the ground
// is not even in such axes of their own. A body with one point has
// three rows only, the velocity of that point.
#include <vector>

#include <limber/math/vec3.hpp>
#include <limber/scalar/scalar.hpp>

namespace limber {

template <class T>
class ContactBodies {
 public:
  struct Body {
    int first, rows;  ///< rows ω (if there are six), then v
    int linear() const { return first + rows - 3; }
  };
  struct Point {
    int body;
    Vec3<T> arm;  ///< from where the body's v is measured; zero for a body with three rows [m]
    /// Normal and tangents of the ground at the point.
    Vec3<T> n{T(1), T(0), T(0)}, t1{T(0), T(1), T(0)}, t2{T(0), T(0), T(1)};
    Vec3<T> along(const Vec3<T>& x) const { return {dot(n, x), dot(t1, x), dot(t2, x)}; }
    Vec3<T> on_ground(const Vec3<T>& x) const { return n * x.x + t1 * x.y + t2 * x.z; }
  };
  std::vector<Body> bodies;
  std::vector<Point> points;
  std::vector<T> G;  ///< rows() × rows(), row by row

  int rows() const { return bodies.empty() ? 0 : bodies.back().first + bodies.back().rows; }

  /// Rᵀ (v + ω × a) of a point; entry(row): velocities of the bodies.
  template <class F>
  Vec3<T> velocity(const Point& point, F&& entry) const {
    const Body& body = bodies[index(point.body)];
    const auto three = [&](int r) { return Vec3<T>{entry(r), entry(r + 1), entry(r + 2)}; };
    const Vec3<T> v = three(body.linear());
    return point.along(body.rows == 6 ? v + cross(three(body.first), point.arm) : v);
  }

  /// w += (a × f, f), f = R λ
  void add_impulse(const Point& point, const Vec3<T>& impulse, std::vector<T>& w) const {
    const Body& body = bodies[index(point.body)];
    // not in a loop over the three: g++ 12 takes x for y there, for some processors
    const auto add = [&](int row, const Vec3<T>& x) {
      w[index(row)] += x.x, w[index(row + 1)] += x.y, w[index(row + 2)] += x.z;
    };
    const Vec3<T> f = point.on_ground(impulse);
    add(body.linear(), f);
    if (body.rows == 6) add(body.first, cross(point.arm, f));
  }

  /// J M⁻¹ Jᵀ between the points, three rows each, row by row.
  std::vector<T> between_points() const {
    const int width = 3 * static_cast<int>(points.size());
    std::vector<T> A(index(width * width));
    for (int j = 0; j < width / 3; ++j) {
      std::vector<Vec3<T>> column;  // of the bodies' velocities, for the three impulses at j
      for (int k = 0; k < rows(); ++k)
        column.push_back(
            velocity(points[index(j)], [&](int c) { return G[index(k * rows() + c)]; }));
      for (int i = 0; i <= j; ++i)
        for (int r = 0; r < 3; ++r) {
          const Vec3<T> u = velocity(points[index(i)], [&](int k) { return column[index(k)][r]; });
          for (int s = 0; s < 3; ++s)
            A[index((3 * i + s) * width + 3 * j + r)] = A[index((3 * j + r) * width + 3 * i + s)] =
                u[s];
        }
    }
    return A;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace limber
