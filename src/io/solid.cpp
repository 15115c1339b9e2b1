#include "io/solid.hpp"

#include <numbers>

namespace limber {

namespace {

std::array<double, 3> half_sizes_of(const ShapeSpec& shape) {
  using Kind = ShapeSpec::Kind;
  const Vec3<double>& size = shape.size;
  switch (shape.kind) {
    case Kind::box:
      return {size.x / 2, size.y / 2, size.z / 2};
    case Kind::cylinder:
    case Kind::capsule:
      return {size.x, size.y / 2, 0};
    default:
      return {size.x, size.y, size.z};
  }
}

}  // namespace

double solid_volume(ShapeSpec::Kind kind, const std::array<double, 3>& s) {
  constexpr double pi = std::numbers::pi;
  using Kind = ShapeSpec::Kind;
  switch (kind) {
    case Kind::sphere:
      return 4.0 / 3 * pi * s[0] * s[0] * s[0];
    case Kind::capsule:
      return pi * s[0] * s[0] * (2 * s[1] + 4.0 / 3 * s[0]);
    case Kind::cylinder:
      return pi * s[0] * s[0] * 2 * s[1];
    case Kind::ellipsoid:
      return 4.0 / 3 * pi * s[0] * s[1] * s[2];
    case Kind::box:
      return 8 * s[0] * s[1] * s[2];
    default:
      return 0;
  }
}

Vec3<double> solid_moments(ShapeSpec::Kind kind, const std::array<double, 3>& s) {
  using Kind = ShapeSpec::Kind;
  switch (kind) {
    case Kind::sphere: {
      const double r2 = s[0] * s[0] / 5;
      return {r2, r2, r2};
    }
    case Kind::cylinder:
      return {s[0] * s[0] / 4, s[0] * s[0] / 4, s[1] * s[1] / 3};
    case Kind::ellipsoid:
      return {s[0] * s[0] / 5, s[1] * s[1] / 5, s[2] * s[2] / 5};
    case Kind::box:
      return {s[0] * s[0] / 3, s[1] * s[1] / 3, s[2] * s[2] / 3};
    case Kind::capsule: {
      // a cylinder and two half balls, whose centres are 3/8 r beyond its ends
      const double r = s[0], h = s[1];
      const double cylinder = 2 * h / (2 * h + 4.0 / 3 * r), ball = 1 - cylinder;
      const double across = cylinder * r * r / 4 + ball * r * r / 5;
      const double along = cylinder * h * h / 3 + ball * (r * r / 5 + h * h + 2 * h * 3.0 / 8 * r);
      return {across, across, along};
    }
    default:
      return {};
  }
}

Inertia<double> solid_inertia(const ShapeSpec& shape, double density) {
  const std::array<double, 3> half = half_sizes_of(shape);
  const double mass = density * solid_volume(shape.kind, half);
  const Vec3<double> J = solid_moments(shape.kind, half) * mass;
  return shape.placement * Inertia<double>{mass, {}, {J.x, J.y, J.z, 0, 0, 0}};
}

}  // namespace limber
