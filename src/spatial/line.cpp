#include <cmath>
#include <limits>

#include <limber/spatial/line.hpp>

namespace limber {

namespace {

// Motions and forces differ only in which half is the line part, so the work is done on halves.
struct Halves {
  Vec3<double> line, free;
};

// no under- or overflow on the way, unlike norm()
double length(const Vec3<double>& v) { return std::hypot(v.x, v.y, v.z); }

// v / |v|, in two steps so that the quotient of subnormal numbers stays accurate
Vec3<double> unit(const Vec3<double>& v) {
  const double size = length(v);
  const Vec3<double> u{v.x / size, v.y / size, v.z / size};
  return u / length(u);
}

bool finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

ScrewParts split(const Halves& a) {
  ScrewParts parts;
  parts.magnitude = length(a.line);
  if (parts.magnitude != 0) {
    parts.kind = ScrewKind::screw;
    parts.direction = unit(a.line);
    const Vec3<double> per_turn{a.free.x / parts.magnitude, a.free.y / parts.magnitude,
                                a.free.z / parts.magnitude};
    parts.pitch = dot(parts.direction, per_turn);
    parts.point = cross(parts.direction, per_turn);
    // numbers that were not finite before stay visible as they are
    if (finite(per_turn) || !finite(a.line) || !finite(a.free)) return parts;
  }
  // no line part, or one so small that the axis lies farther away than numbers reach
  parts = {};
  parts.magnitude = length(a.free);
  if (parts.magnitude == 0) return parts;
  parts.kind = ScrewKind::free;
  parts.direction = unit(a.free);
  parts.pitch = std::numeric_limits<double>::infinity();
  return parts;
}

Halves join(const ScrewParts& parts) {
  const Vec3<double> a = parts.direction * parts.magnitude;
  switch (parts.kind) {
    case ScrewKind::zero:
      return {};
    case ScrewKind::free:
      return {{}, a};
    case ScrewKind::screw:
      return {a, cross(parts.point, a) + a * parts.pitch};
  }
  return {};
}

bool is_line(const Halves& a, double tolerance) {
  if (length(a.line) == 0) return false;
  if (length(a.free) == 0) return true;
  return std::abs(dot(unit(a.line), unit(a.free))) <= tolerance;
}

}  // namespace

ScrewParts screw_parts(const Motion<double>& v) { return split({v.angular, v.linear}); }
ScrewParts screw_parts(const Force<double>& f) { return split({f.linear, f.angular}); }

Motion<double> motion_of(const ScrewParts& parts) {
  const Halves a = join(parts);
  return {a.line, a.free};
}
Force<double> force_of(const ScrewParts& parts) {
  const Halves a = join(parts);
  return {a.free, a.line};
}

bool is_line(const Motion<double>& v, double tolerance) {
  return is_line(Halves{v.angular, v.linear}, tolerance);
}
bool is_line(const Force<double>& f, double tolerance) {
  return is_line(Halves{f.linear, f.angular}, tolerance);
}

}  // namespace limber
