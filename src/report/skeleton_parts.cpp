#include "report/skeleton_parts.hpp"

#include <algorithm>
#include <cmath>

namespace limber::bones {

namespace {

// a frame at a place with z along a direction
Transform<double> frame_along(const Vec3<double>& place, const Vec3<double>& direction) {
  const Vec3<double> z = direction / norm(direction);
  const Vec3<double> side = std::abs(z.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> across = cross(z, side), y = across / norm(across);
  return {Mat3<double>::from_columns(cross(y, z), y, z), place};
}

ShapeSpec make_shape(ShapeSpec::Kind kind, const Vec3<double>& size, const Transform<double>& pose,
                     const ShapeColor& color) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.size = size;
  shape.placement = pose;
  shape.color = color;
  return shape;
}

}  // namespace

ShapeColor limb_color(int limb, int depth) {
  constexpr ShapeColor trunk{0.80, 0.83, 0.87, 1.0};
  constexpr ShapeColor limbs[] = {{0.93, 0.55, 0.13, 1.0}, {0.16, 0.44, 0.80, 1.0},
                                  {0.10, 0.58, 0.48, 1.0}, {0.53, 0.34, 0.72, 1.0},
                                  {0.80, 0.27, 0.30, 1.0}, {0.80, 0.65, 0.15, 1.0}};
  ShapeColor color = limb < 0 ? trunk : limbs[static_cast<std::size_t>(limb) % std::size(limbs)];
  if (depth % 2 == 1)
    for (std::size_t k = 0; k < 3; ++k) color[k] += 0.22 * (1 - color[k]);
  return color;
}

Vec3<double> Segment::nearest(const Vec3<double>& point) const {
  const Vec3<double> along = to - from;
  const double square_length = dot(along, along);
  if (square_length == 0) return from;
  return from + along * std::clamp(dot(point - from, along) / square_length, 0.0, 1.0);
}

bool Bone::runs_along(const Vec3<double>& direction) const {
  if (segments.empty() || segments.front().length() == 0) return false;
  const Vec3<double> along = segments.front().to - segments.front().from;
  return std::abs(dot(along, direction)) > 0.8 * norm(along);
}

void Box::add(const Vec3<double>& p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

Box Box::inflated(double by) const {
  const Vec3<double> margin{by, by, by};
  return {low - margin, high + margin};
}

Box Box::at_least(double edge) const {
  const Vec3<double> e = edges();
  const Vec3<double> more = Vec3<double>{std::max(0.0, edge - e.x), std::max(0.0, edge - e.y),
                                         std::max(0.0, edge - e.z)} *
                            0.5;
  return {low - more, high + more};
}

ShapeSpec Box::shape(const ShapeColor& color) const {
  return make_shape(ShapeSpec::Kind::box, edges(),
                    Transform<double>::translation((low + high) * 0.5), color);
}

ShapeSpec capsule(const Segment& segment, double radius, const ShapeColor& color) {
  return make_shape(ShapeSpec::Kind::capsule, {radius, segment.length(), 0},
                    frame_along((segment.from + segment.to) * 0.5, segment.to - segment.from),
                    color);
}

ShapeSpec ball(const Vec3<double>& center, double radius, const ShapeColor& color) {
  return make_shape(ShapeSpec::Kind::sphere, {radius, 0, 0}, Transform<double>::translation(center),
                    color);
}

ShapeSpec drum(const Vec3<double>& center, const Vec3<double>& axis, double radius, double length,
               const ShapeColor& color) {
  return make_shape(ShapeSpec::Kind::cylinder, {radius, length, 0}, frame_along(center, axis),
                    color);
}

ShapeSpec bar(const Segment& segment, const Vec3<double>& axis, double width,
              const ShapeColor& color) {
  return make_shape(ShapeSpec::Kind::box, {width, width, std::max(segment.length(), width)},
                    frame_along((segment.from + segment.to) * 0.5, axis), color);
}

}  // namespace limber::bones
