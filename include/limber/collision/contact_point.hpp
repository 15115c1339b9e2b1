#pragma once
// ContactPoint: one place where two shapes touch, or nearly do.
#include <array>
#include <cstdint>
#include <span>

#include <limber/math/vec3.hpp>

namespace limber {

/// World axes, metres.
struct ContactPoint {
  Vec3<double> point;   ///< midway between the two surfaces
  Vec3<double> normal;  ///< unit, from shape b to shape a: a contact pushes a along +normal
  double depth = 0;     ///< overlap along the normal; negative: distance
  /// The corners, edges or faces that touch: the same number while the same ones do. Points of one
  /// pair of shapes have different numbers.
  std::uint32_t feature = 0;
};

/// The contact points of one pair of shapes: at most four for convex shapes.
struct Manifold {
  static constexpr int capacity = 32;

  std::array<ContactPoint, capacity> points;
  int count = 0;

  std::span<const ContactPoint> all() const {
    return {points.data(), static_cast<std::size_t>(count)};
  }
};

}  // namespace limber
